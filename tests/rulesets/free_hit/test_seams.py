"""Between the rules: sheets that change in the midst of things."""

import pytest

from domain.engine.commands import Change
from domain.errors import Malformed
from tests.rulesets.free_hit.units import unit
from tests.spec import Spec, rule


@rule("FH-DMG-06")
def test_a_maximum_falls_though_the_sheet_began_with_more(spec: Spec) -> None:
    spec.given(unit("Ana"), unit("Imp", side="foes", max_hp=20, hp=15)).begin()
    spec.rule("damage", combatant="Imp", amount=12)
    spec.do(Change("Imp", sheet={"max_hp": 10}))
    assert (spec.hp("Imp"), spec["Imp"].tracks["hp"].maximum) == (3, 10)  # 15 − 12


@pytest.mark.parametrize("condition", ["wound-disrupting", "summoning-sick", "dodge-boost"])
@rule("FH-SCK-02", "FH-WND-02")
def test_what_comes_with_a_condition_is_of_its_kind(spec: Spec, condition: str) -> None:
    spec.given(unit("Ana"), unit("Imp", side="foes")).begin()
    with spec.raises(Malformed) as caught:
        data = {"round": "soon", "value": "much"}
        spec.rule("set-condition", combatant="Imp", condition=condition, data=data)
    assert caught[0].pointer in ("/inputs/data/round", "/inputs/data/value")
