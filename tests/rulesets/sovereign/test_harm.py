"""Test damage, Shock and healing, and their lines in the log (SOV-DMG, -SHOCK, -DOWN)."""

from typing import Any

import pytest

from domain.record.events import Damaged, Healed, Term, TrackChanged
from tests.rulesets.sovereign.units import SPEAR, SWORD, end, fight, hero, npc
from tests.spec import Spec, rule

FAR = [9, 9]

# ---- damage


@rule("SOV-DOWN-01")
def test_the_dead_are_hurt_no_more(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR), rulings="ask")
    spec.rule("damage", who="Orc", amount=10)
    told = spec.changes_nothing("damage", who="Orc", amount=3)
    assert told.endswith("Orc is dead already")


@rule("SOV-DMG-04")
@pytest.mark.parametrize(
    ("amount", "lost", "terms"),
    [(9, 9, ()), (10, 10, ()), (15, 10, (Term("not below 0", -5, "SOV-DMG-04"),))],
)
def test_why_less_is_lost_than_was_dealt(
    spec: Spec, amount: int, lost: int, terms: tuple[Term, ...]
) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR))
    spec.rule("damage", who="Ana", amount=amount)
    assert spec.event(Damaged).amount == lost
    assert spec.event(Damaged).terms == terms


@rule("SOV-DOWN-01")
def test_the_gm_may_spare_the_fallen(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR), rulings="ask")
    spec.rule("damage", who="Ana", amount=10)
    spec.rule("damage", who="Ana", amount=3)
    spec.answer(None, "no-change", name="damage-while-down")
    assert spec["Ana"].has("mortally-injured")
    assert not spec["Ana"].has("dead")


@rule("SOV-DOWN-03", "SOV-SPELL-02")
def test_a_spell_kills(spec: Spec) -> None:
    bolt = {"id": "bolt", "name": "Bolt", "damage": "1d6", "range_ft": 60}
    fight(spec, hero("Mag", spells=[bolt]), npc("Orc", at=[3, 0], max_hp=2))
    spec.act("Mag", "cast-spell", ("damage", 4), spell="bolt", targets=["Orc"])
    assert spec["Orc"].has("dead")


# ---- healing

SALVE = {"id": "salve", "name": "salve", "effect": {"type": "heal", "dice": "1d6"}}
STRAINING = {**SALVE, "effect": {"type": "heal", "dice": "1d6", "system_strain": 2}}


@rule("SOV-DOWN-07")
@pytest.mark.parametrize(
    ("item", "fields"), [(SALVE, {"system_strain": {"current": 3, "max": 8}}), (STRAINING, {})]
)
def test_strain_is_for_those_who_have_it_by_what_brings_it(
    spec: Spec, item: dict[str, Any], fields: dict[str, Any]
) -> None:
    fight(spec, hero("Ana", hp=3, items=[item], **fields), npc("Orc", at=FAR))
    spec.act("Ana", "use-item", ("heal", 4), item="salve")
    assert spec.event(Healed).amount == 4
    assert spec.events(TrackChanged) == []


@rule("SOV-DOWN-07")
def test_what_the_gm_heals_is_no_strain(spec: Spec) -> None:
    fight(spec, hero("Ana", hp=3, system_strain={"current": 3, "max": 8}), npc("Orc", at=FAR))
    spec.rule("heal", combatant="Ana", amount=4)
    assert (spec.hp("Ana"), spec.hp("Ana", "system_strain")) == (7, 3)


@rule("SOV-DOWN-07")
def test_healing_of_nothing_wakes_nobody(spec: Spec) -> None:
    fight(spec, hero("Ana"), npc("Orc", at=FAR))
    spec.rule("damage", who="Ana", amount=10, non_lethal=True)
    spec.changes_nothing("heal", combatant="Ana", amount=0)
    assert spec["Ana"].has("unconscious")


KIT = {"id": "kit", "name": "kit", "tags": ["healers-kit"]}


@rule("SOV-DOWN-06")
@pytest.mark.parametrize("how", ["first aid", "ruling"])
def test_ten_minutes_and_no_second_less(spec: Spec, how: str) -> None:
    fight(
        spec, hero("Sam", items=[KIT], skills={"heal": 4}), hero("Ren", at=[0, 1]),
        npc("Orc", at=FAR),
    )  # fmt: skip
    spec.rule("damage", who="Ren", amount=10)
    if how == "first aid":
        spec.act("Sam", "stabilize", ("stabilize", 6, 6), target="Ren")
    else:
        spec.rule("set-condition", combatant="Ren", condition="stabilized")
    spec.rule("advance-time", seconds=599)
    assert spec["Ren"].has("stabilized")
    spec.rule("advance-time", seconds=1)
    assert (spec.hp("Ren"), spec["Ren"].has("stabilized", "mortally-injured")) == (1, False)


# ---- Shock


def shock(spec: Spec, face: int, *dice: Any, ana: dict[str, Any], orc: dict[str, Any]) -> Spec:
    """Let Ana attack the Orc with a spear that has Shock 2/15."""
    fight(spec, hero("Ana", weapons=[SPEAR], **ana), npc("Orc", **{"max_hp": 20, **orc}))
    return spec.act("Ana", "melee-attack", ("attack", face), *dice, target="Orc")


LID: dict[str, Any] = {"shield": {"name": "lid"}}


@rule("SOV-SHOCK-04", "SOV-SHOCK-08")
def test_an_amount_of_nothing_is_no_shock(spec: Spec) -> None:
    shock(spec, 5, ana={"modifiers": {"str": -2}}, orc={"ac": 12, **LID})  # 2 − 2
    assert spec.events(Damaged) == []
    assert not spec["Orc"].facts.get("shield_used")


@rule("SOV-SHOCK-04")
@pytest.mark.parametrize("reason", ["fury", None])
def test_what_adds_to_shock_is_told_by_its_reason(spec: Spec, reason: str | None) -> None:
    extra = {"value": 1, "adds_to_shock": True} | ({} if reason is None else {"reason": reason})
    shock(spec, 5, ana={"damage_modifiers": [extra]}, orc={"ac": 12})
    assert Term(reason or "damage", 1, "SOV-SHOCK-04") in spec.event(Damaged).terms
    assert spec.hp("Orc") == 17  # 2 + 1


@rule("SOV-DMG-03")
@pytest.mark.parametrize(
    ("orc", "lost"),
    [
        ({"ac": 15}, 2),
        ({"ac": 16}, 1),
        ({"ac": 12, "shock_immune": True}, 1),
        ({"ac": 12, **LID}, 1),
    ],
)
def test_a_hit_does_at_least_the_shock_that_a_miss_would_have_done(
    spec: Spec, orc: dict[str, Any], lost: int
) -> None:
    shock(spec, 20, ("damage", 1), ana={}, orc=orc)
    assert spec.hp("Orc") == 20 - lost
    assert not spec["Orc"].facts.get("shield_used")


@rule("SOV-DMG-03")
def test_a_shield_takes_all_of_the_least(spec: Spec) -> None:
    shock(spec, 20, ("damage", 1), ana={"modifiers": {"str": -1}}, orc={"ac": 12, **LID})
    assert spec.hp("Orc") == 20  # 1 − 1; a Shock of 2 − 1 would go to the shield


@rule("SOV-SWARM-06", "SOV-DMG-03")
@pytest.mark.parametrize(("face", "dice", "lost"), [(2, [], 2), (15, [("damage", 1)], 2)])
def test_two_are_a_swarm_that_no_shield_stops(
    spec: Spec, face: int, dice: list[Any], lost: int
) -> None:
    """The Shock is the damage of a miss and the lowest damage of a hit.

    The Orc's shield does not stop it, and the second member of the swarm does not raise it.
    """
    fight(
        spec,
        hero("Ana", weapons=[SPEAR]),
        hero("Bo", at=[2, 0], weapons=[SPEAR]),
        npc("Orc", ac=16, max_hp=20, **LID),
    )
    spec.act("Ana", "swarm-attack", target="Orc")
    spec.act("Bo", "swarm-attack", ("attack", face), *dice, target="Orc", strike=True)
    assert spec.hp("Orc") == 20 - lost
    assert not spec["Orc"].facts.get("shield_used")


@rule("SOV-SWARM-06", "SOV-DMG-03", "SOV-SHOCK-08")
def test_what_a_swarm_of_two_does_at_least(spec: Spec) -> None:
    fang = {**SPEAR, "shock": {"value": 4, "ac": 13}}
    fight(
        spec,
        hero("Ana", weapons=[fang]),
        hero("Bo", at=[2, 0], weapons=[fang]),
        npc("Orc", ac=12, max_hp=20, **LID),
    )
    spec.act("Ana", "swarm-attack", target="Orc")
    spec.act(
        "Bo", "swarm-attack", ("attack", 15), ("damage", 1), target="Orc", strike=True
    )  # fmt: skip
    assert spec.hp("Orc") == 16  # 1 + 1, but 4 at least


# ---- the weapon of a swarm


@rule("SOV-SWARM-10", "SOV-SWARM-01")
def test_the_striker_uses_the_weapon_with_which_it_joined(spec: Spec) -> None:
    both = [{**SWORD, "state": "in-hand"}, {**SPEAR, "state": "in-hand"}]
    fight(
        spec, hero("Ana", weapons=both), hero("Bo", at=[2, 0], weapons=both),
        npc("Orc", max_hp=20),
    )  # fmt: skip
    spec.act("Ana", "swarm-attack", target="Orc", weapon="spear")
    spec.act("Bo", "swarm-attack", target="Orc", weapon="sword")
    spec.act("Bo", "swarm-strike", ("attack", 15), target="Orc", striker="Ana")
    assert spec.prompt("Ana").data["formula"] == "1d6"
    spec.answer("Ana", "roll", faces=[3])
    end(spec, "Ana", "Bo")
    assert spec.hp("Orc") == 16  # 3 + 1
