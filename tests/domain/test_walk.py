"""Test fold, rebuild, undo and redo in random play of the toy rulebook."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from service.conformance.walker import Walker
from tests.domain.toy import TOY
from tests.spec import Spec


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_random_play_keeps_the_promises(seed: int, declare: bool) -> None:
    spec = Spec(TOY).given(
        {"name": "ann", "side": "heroes", "owner": "anna", "hp": 25},
        {"name": "bob", "side": "foes", "hp": 15},
        {"name": "cyd", "side": "foes", "hp": 15},
        {"name": "dan", "side": "heroes", "hp": 15},
        declare=declare,
        doom=not seed % 3,
    )
    walker = Walker(spec, Random(seed), gm=0.12)
    walker.walk(60)
    assert walker.fired.commands
