"""Test fold, rebuild, undo and redo in random legal play."""

import os
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.rulesets.vile_darkness import RULESET
from service.conformance.walker import Walker
from tests.forms import forms
from tests.rulesets.vile_darkness.fight import fight
from tests.spec import Spec

LONG = os.environ.get("AFFRAY_FUZZ") == "long"


@forms("fights", 2, long=[200 if LONG else 8])
def test_random_play_keeps_the_promises(fights: int) -> None:
    seeds = given(st.integers(0, 2**32), st.sampled_from(["ask", "default"]), st.booleans())
    settings(max_examples=fights)(seeds(keeps_the_promises))()


def keeps_the_promises(seed: int, rulings: str, restricted: bool) -> None:
    spec = Spec(RULESET).given(*fight(), rulings=rulings, restricted_quarters=restricted)
    walker = Walker(spec, Random(seed), gm=0.1)
    walker.walk(90)
    assert walker.fired.commands > 20 or spec.combat.status == "ended"
