"""Test the effects of a sheet when its unit joins, and the rules that they cite."""

from typing import Any

import pytest

from domain.errors import Malformed
from domain.record.events import ConditionGained
from tests.rulesets.free_hit.units import foe, unit
from tests.spec import Spec, rule


def brings(spec: Spec, *conditions: dict[str, Any]) -> list[ConditionGained]:
    spec.given(unit("Ana", agility=3, conditions=conditions), foe("Imp"))
    return spec.events(ConditionGained, who="Ana")


@rule("FH-WND-02", "FH-AIM-04", "FH-AIM-05", "FH-AIM-06")
@pytest.mark.parametrize(
    ("wound", "cites"),
    [
        ("wound-slowing", "FH-AIM-04"),
        ("wound-weakening", "FH-AIM-05"),
        ("wound-disrupting", "FH-AIM-06"),
    ],
)
def test_a_wound_on_a_sheet_cites_its_own_rule(spec: Spec, wound: str, cites: str) -> None:
    (gained,) = brings(spec, {"id": wound})
    assert gained.rules == (cites, "FH-WND-02")


@rule("FH-WND-02", "FH-AIM-04")
def test_two_wounds_of_a_sheet_add_up(spec: Spec) -> None:
    brings(spec, {"id": "wound-slowing"}, {"id": "wound-slowing"})
    assert spec.ruleset.derived(spec.combat, "Ana")["agility_now"] == 1  # 3 − 1 − 1


@rule("FH-PRN-02", "FH-FLT-02", "FH-TRN-03", "FH-MOV-02")
@pytest.mark.parametrize(
    ("condition", "cites"),
    [
        ({"id": "prone"}, {"FH-PRN-02"}),
        ({"id": "tied"}, {"FH-FLT-02", "FH-TRN-03"}),
        ({"id": "hampered"}, {"FH-MOV-02"}),
        ({"id": "webbed", "can_act": False}, {"FH-TRN-03"}),
        ({"id": "dazed", "flat_footed": True}, {"FH-FLT-02"}),
        ({"id": "glowing"}, set()),
    ],
)
def test_a_condition_of_a_sheet_cites_what_it_does(
    spec: Spec, condition: dict[str, Any], cites: set[str]
) -> None:
    (gained,) = brings(spec, condition)
    assert set(gained.rules) == cites


@pytest.mark.parametrize(
    ("spell", "pointer"),
    [
        ({"summon": {"sheet": {"agility": 1, "accuracy": "much", "max_hp": 5}}},
         "/summon/sheet/accuracy"),
        ({"notes": [{"id": "big", "ba": 1, "changes": {"mp_cost": "much"}}]},
         "/notes/0/changes/mp_cost"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_inside_a_spell_is_named(
    spec: Spec, spell: dict[str, Any], pointer: str
) -> None:
    call = {"id": "call", "name": "Call", **spell}
    with pytest.raises(Malformed) as caught:
        spec.given(unit("Mag", spells=[call]), foe("Imp"))
    assert caught.value.pointer.endswith(f"/sheet/spells/0{pointer}")
    assert caught.value.detail == "a whole number is wanted, not a text"
