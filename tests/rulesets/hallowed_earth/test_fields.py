"""Test the effect of each field of sheets, options and injury tables."""

from typing import Any

import pytest

from domain.record.events import ConditionGained
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    attack,
    begin,
    begun,
    hero,
    monster,
    shown,
)
from tests.spec import Spec, rule


@rule("HE-ATK-06", "HE-ATK-02")
@pytest.mark.parametrize(("counts", "defense", "armour"), [(True, 13, 7), (False, 10, 0)])
def test_armour_counts_while_worn_and_a_shield_while_held(
    spec: Spec, counts: bool, defense: int, armour: int
) -> None:
    """Only worn armour and a held shield count.

    With both, the defense is 10 + 2 + 1, and the armour score is 3 + 4.
    """
    mail = {"id": "mail", "defense_bonus": 2, "armour_bonus": 3, "worn": counts}
    shield = {"defense_bonus": 1, "armour_bonus": 4, "held": counts}
    spec.given(hero("Ana", armour=[mail], shield=shield, weapons=[SWORD]), monster("Orc"))
    assert (shown(spec, "Ana", "defense"), shown(spec, "Ana", "armour_score")) == (defense, armour)


@rule("HE-REP-07")
@pytest.mark.parametrize(("wielded", "feet"), [(True, 5), (False, 0)])
def test_a_weapon_that_is_not_wielded_threatens_nobody(
    spec: Spec, wielded: bool, feet: int
) -> None:
    spec.given(hero("Ana", weapons=[{**SWORD, "wielded": wielded}]), monster("Orc"))
    assert shown(spec, "Ana", "threat_range_ft") == feet


@rule("HE-ATK-09")
@pytest.mark.parametrize(("kind", "total"), [("all", 7), ("melee", 7), ("ranged", 5)])
def test_what_is_added_to_damage_rolls_of_a_kind(spec: Spec, kind: str, total: int) -> None:
    more = [{"value": 2, "reason": "blessed", "applies_to": kind}]
    spec.given(
        hero("Ana", weapons=[SWORD], damage_modifiers=more), monster("Orc"), rulings="default"
    )
    begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 5), target="Orc")
    assert spec.rolled("damage").total == total


@rule("HE-WP-01")
@pytest.mark.parametrize(("given", "most"), [({}, 12), ({"max_wound_points": 17}, 17)])
def test_given_wound_points_win_over_strength(spec: Spec, given: dict[str, Any], most: int) -> None:
    spec.given(hero("Ana", attributes={"strength": 12}, **given), monster("Orc"))
    assert (spec.hp("Ana", "wound_points"), spec["Ana"].tracks["wound_points"].maximum) == (
        most, most,
    )  # fmt: skip


@rule("HE-ATTR-02", "HE-ATK-01")
def test_a_given_modifier_wins_over_the_score(spec: Spec) -> None:
    ana = hero("Ana", attributes={"agility": 14}, modifiers={"agility": 3})
    spec.given(ana, monster("Orc"))
    assert shown(spec, "Ana", "defense") == 13  # 10 + 3, not 10 + 2


def test_flags_are_kept_for_the_table(spec: Spec) -> None:
    flags = {"oath": "silence", "debts": [3, 5]}
    spec.given(hero("Ana", flags=flags), monster("Orc"))
    assert spec.reload()["Ana"].sheet["flags"] == flags


@rule("HE-INJ-07")
@pytest.mark.parametrize(("arm", "side"), [(True, "off"), (False, None)])
def test_an_entry_for_one_arm_asks_a_d4_for_the_side(
    spec: Spec, arm: bool, side: str | None
) -> None:
    effects = {"conditions": ["arm-cannot-attack"], "arm": arm}
    row = {"from": 1, "to": 4, "name": "Torn", "effects": effects}
    spec.given(
        hero("Ana", weapons=[CLUB]), monster("Orc", attributes={"strength": 40}),
        injury_tables={"blunt": {"die": "1d4", "rows": [row]}},
    )  # fmt: skip
    begun(spec, 1, 12, Ana=attack("club"), Orc="no-action")
    side_roll = [("injury-side", 3)] if arm else []
    spec.act(
        "Ana", "attack", ("attack", 20), ("damage", 4), ("injury-chance", 1), ("injury", 1),
        *side_roll, target="Orc",
    )  # fmt: skip
    (gained,) = spec.events(ConditionGained, condition="arm-cannot-attack")
    assert gained.data.get("side") == side  # a face of 3 is the off hand


@pytest.mark.parametrize(("duration", "lasts"), [(1, False), (2, True), (None, True)])
def test_a_condition_of_data_lasts_for_its_rounds(
    spec: Spec, duration: int | None, lasts: bool
) -> None:
    """A duration of 1 round ends with the current round (GAP-06)."""
    spell = {"id": "it", "speed": 0, "conditions": [{"id": "brave", "duration": duration}]}
    spec.given(hero("Ana", spells=[spell]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=("cast", {"spell": "it"}), Orc="no-action")
    spec.act("Ana", "cast", target="Ana")
    assert spec["Ana"].has("brave")
    while spec.combat.round == 1:
        who = next(who for _, name, who in spec.open() if name == "turn")
        assert who is not None
        spec.act(who, "end-turn")
    assert spec["Ana"].has("brave") is lasts


@rule("HE-END-01")
@pytest.mark.parametrize("allied", [True, False])
def test_allied_sides_do_not_fight_each_other(spec: Spec, allied: bool) -> None:
    guard = hero("Guard", side="guards")
    orc = hero("Orc", side="foes", wound_points=0)
    spec.given(hero("Ana"), guard, orc, allied_sides=[["heroes", "guards"]] if allied else [])
    begun(spec, 1, 5, 12, Ana="no-action", Guard="no-action", Orc="no-action")
    spec.rule("next-round")
    assert (spec.open() == [("ruling", "end-combat", None)]) is allied
