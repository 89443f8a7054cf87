"""Test sheets that change during an action."""

import pytest

from domain.engine.commands import Change
from domain.errors import Malformed
from tests.rulesets.free_hit.units import SWORD, unit
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


# ---- leaving while a prompt is open


BONES = {"sheet": unit("Bones", max_hp=5), "thrall_cost": 6}
RAISE = {"id": "raise", "name": "raise", "summon": BONES}


@rule("FH-THR-02", "FH-THR-05")
def test_nobody_pays_for_a_summoned_unit_that_has_left(spec: Spec) -> None:
    nec = unit("Nec", at=[0, 0], level=2, agility=1, spells=[RAISE])
    spec.given(nec, unit("Imp", "foes", at=[9, 9])).begin()
    spec.act("Nec", "cast", spell="raise", spaces=[[1, 0]])
    spec.rule("damage", combatant="Imp", amount=20)
    assert spec.open() == [("choice", "thrall", "Nec")]
    spec.leave("Bones")
    assert (spec.open(), spec.combat.status) == ([], "ended")
    assert spec["Nec"].tracks["hp"].maximum == 20


@rule("FH-INI-03")
def test_who_leaves_rolls_for_no_place_and_has_none(spec: Spec) -> None:
    three = [unit("Ana"), unit("Bo"), unit("Cy"), unit("Imp", "foes", agility=-3)]
    spec.given(*three, initiative_ties="roll").begin()
    spec.leave("Bo")  # before the prompt for its die
    spec.answer("Ana", "roll", faces=[7])
    assert spec.open() == [("roll", "initiative-tie", "Cy")]
    spec.leave("Cy")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert [place.who for place in spec.combat.order] == ["Ana", "Imp"]


@rule("FH-FUM-07")
def test_a_free_critical_hit_at_one_who_has_left_is_over(spec: Spec) -> None:
    ana = unit("Ana", at=[0, 0], agility=3, weapons=[SWORD])
    imp = unit("Imp", "foes", at=[1, 0], weapons=[SWORD])
    spec.given(ana, unit("Bo"), imp).begin()
    dice = (("attack", 1), ("auto-fail-d4", 4), ("auto-fail-d6", 2))
    spec.act("Ana", "attack", *dice, target="Imp").answer("Imp", "take")
    assert spec.open() == [("roll", "damage", "Imp")]
    spec.leave("Ana")
    assert spec.open() == [("turn", "turn", "Bo")]
