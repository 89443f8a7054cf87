"""Rulings of every rulebook: whom one is about goes by one name, and by those of the books."""

import pytest

from domain.errors import Malformed
from domain.record.events import Ruled
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import Spec


@pytest.fixture
def spec() -> Spec:
    return Spec(TOY).given(ANN, BOB, declare=False).begin()


@pytest.mark.parametrize("name", ["combatant", "who", "unit"])
def test_whom_it_is_about_goes_by_each_name(spec: Spec, name: str) -> None:
    spec.rule("damage", **{name: "bob"}, amount=3)
    assert spec.hp("bob") == 7  # 10 − 3
    assert spec.event(Ruled).inputs["combatant"] == "bob"


def test_two_names_at_once_are_one_too_many(spec: Spec) -> None:
    with spec.raises(Malformed):
        spec.rule("damage", combatant="bob", who="ann", amount=3)
