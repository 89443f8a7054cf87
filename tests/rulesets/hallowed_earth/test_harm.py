"""Test blows, injuries, magic, items and morale."""

from typing import Any

import pytest

from domain.engine.commands import Reply
from domain.errors import Impossible, Malformed
from domain.record.events import ConditionGained, Damaged, FactSet, Rolled
from tests.rulesets.hallowed_earth.units import (
    CLUB,
    SWORD,
    agility,
    attack,
    begin,
    declare,
    fact,
    hero,
    monster,
    shown,
    weapon,
)
from tests.spec import Spec, rule


def fight(
    spec: Spec,
    *,
    ana: dict[str, Any] | None = None,
    orc: dict[str, Any] | None = None,
    **options: Any,
) -> Spec:
    """Begin with Ana at initiative 1 and an orc at 12, before their declarations."""
    spec.given(
        hero("Ana", **{"weapons": [SWORD], **(ana or {})}),
        monster("Orc", **{"weapons": [CLUB], **(orc or {})}),
        **{"rulings": "default", **options},
    )
    return begin(spec, 1, 12)


# ---- blows


@rule("HE-ATK-05", "HE-ATK-08", "HE-CRIT-04")
def test_no_face_hits_or_misses_and_each_strike_is_its_own(spec: Spec) -> None:
    fight(spec, ana={"weapons": [weapon("claws", strikes=2)]}, orc={"defense": 21})
    declare(spec, Ana=attack("claws"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 20), ("attack", 1), target="Orc")
    assert [rolled.outcome for rolled in spec.events(Rolled)] == ["miss", "miss"]  # 20 < 21


@rule("HE-ATK-05")
def test_a_one_may_hit(spec: Spec) -> None:
    fight(spec, ana={"weapons": [weapon("sword", attack_bonus=9)]})
    declare(spec, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 1), ("damage", 2), target="Orc")
    assert spec.hp("Orc", "wound_points") == 8  # 1 + 9 ≥ 10


@rule("HE-ARM-05", "HE-MAG-02", "HE-MAG-03", "HE-STRESS-05")
def test_spells_attack_or_just_hurt(spec: Spec) -> None:
    fire = {"attack_bonus": 3, "damage": "1d8", "damage_types": ["fire"], "direct_to_wounds": True}
    spells = [
        {"id": "ember", "casting_tn": 12, "casting_bonus": 2, "attack": fire, "mana_cost": 1},
        {"id": "rot", "speed": 0, "damage": {"formula": "1d6", "types": ["acid"]}},
    ]
    fight(
        spec,
        ana={"spells": spells, "max_mana": 5},
        orc={"max_stress": 9, "armour_score": 2},
    )
    declare(spec, Ana=("cast", {"spell": "ember"}), Orc="no-action")
    spec.act("Ana", "cast", ("casting", 10), ("attack", 7), ("damage", 5), target="Orc")
    assert (spec.hp("Orc", "stress"), spec.hp("Orc", "wound_points")) == (9, 7)  # 5 − 2
    assert spec.hp("Ana", "mana") == 4
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    declare(spec, Ana=("cast", {"spell": "ember"}), Orc="no-action")
    spec.act("Ana", "cast", ("casting", 9), target="Orc")  # 11 < 12: wasted
    assert spec.hp("Ana", "mana") == 3
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    declare(spec, Ana=("cast", {"spell": "rot"}), Orc="no-action")
    spec.act("Ana", "cast", ("damage", 5), target="Orc")
    assert spec.hp("Orc", "stress") == 4  # no Armour


@rule("HE-ITEM-01", "HE-ITEM-02", "HE-MOD-11", "HE-WP-09")
def test_items_are_used_up_and_thrown_away(spec: Spec) -> None:
    flask = {
        "id": "flask", "kind": "throwable",
        "throw": {"attack_bonus": 0, "damage": "1d6", "damage_types": ["fire"], "range_ft": 20},
    }  # fmt: skip
    potion = {"id": "potion", "heals": {"wound_points": "1d8"}}
    wounds = [
        {"type": "blunt", "amount": 2},
        {"type": "fire", "amount": 4},
        {"type": "cold", "amount": 4},
    ]
    spear = weapon("spear", kind="thrown", range_ft=30)
    fight(
        spec,
        ana={
            "items": [flask, potion], "wounds": wounds, "wound_points": 0, "weapons": [spear],
            "at": [0, 0],
        },
        orc={"at": [5, 0]},
    )  # fmt: skip
    declare(spec, Ana=("use-item", {"item": "potion"}), Orc="no-action")
    spec.act("Ana", "use-item", ("healing", 6))
    # 0 + 6 − 1 for acting. The oldest of the largest wounds heals first, then the cold wound.
    kept = [(event["type"], event["amount"]) for event in fact(spec, "Ana", "wounds")]
    assert kept == [("blunt", 2), ("cold", 2), ("exertion", 1)]
    assert spec.hp("Ana", "wound_points") == 5
    assert not spec["Ana"].has("incapacitated")
    spec.act("Ana", "end-turn").act("Orc", "end-turn")
    with spec.refused("HE-DECL-15", "no-item"):
        spec.act("Ana", "use-item", item="potion")
    declare(spec, Ana=("throw-item", {"item": "flask"}), Orc="no-action")
    with spec.refused("HE-ATK-07", "out-of-range"):
        spec.act("Ana", "throw-item", target="Orc")
    spec.act("Ana", "move", path=[[1, 0]])
    spec.act("Ana", "throw-item", ("attack", 2), target="Orc").act("Ana", "end-turn")
    spec.act("Orc", "end-turn")
    declare(spec, Ana=attack("spear"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 2), target="Orc").act("Ana", "end-turn")
    spec.act("Orc", "end-turn")
    for gone in (("throw-item", {"item": "flask"}), attack("spear")):
        with spec.refused("HE-DECL-15", "no-item"):
            declare(spec, Ana=gone)


@rule("HE-STRESS-01", "HE-STRESS-02", "HE-STRESS-06", "HE-WP-02")
def test_stress_is_rolled_from_hit_dice(spec: Spec) -> None:
    leonin = hero("Leonin", hit_dice=["2d8", "3d8"], attributes={"strength": 16})
    del leonin["max_stress"]
    spec.given(leonin, monster("Orc"), rulings="default")
    spec.begin(("stress", 1, 2, 3, 4, 5), ("initiative", 3), ("initiative", 4))
    assert spec["Leonin"].tracks["stress"].maximum == 30  # 15 + 5 × 3
    assert spec["Leonin"].tracks["wound_points"].maximum == 16


@rule("HE-STRESS-06", "HE-STRESS-09")
def test_abilities_cost_stress_and_stress_lifts_nothing(spec: Spec) -> None:
    surge = {"id": "surge", "cost": "none", "stress_cost": 3, "effect": "a surge"}
    ana = {"abilities": [surge], "max_stress": 9, "stress": 3, "wound_points": 0}
    fight(spec, ana=ana)
    declare(spec, Ana="no-action", Orc="no-action")
    spec.act("Ana", "use-ability", ability="surge")
    assert spec.hp("Ana", "stress") == 0
    with spec.refused("HE-STRESS-06", "insufficient-stress"):
        spec.act("Ana", "use-ability", ability="surge")
    spec.rule("heal", who="Ana", stress=5)
    assert spec["Ana"].has("incapacitated")
    spec.rule("damage", who="Ana", amount=4)
    assert (spec.hp("Ana", "stress"), spec.hp("Ana", "wound_points")) == (1, 0)


# ---- the Reposte


@rule("HE-REP-04", "HE-REP-07", "HE-REP-08", "HE-REP-10", "HE-DATK-06", "HE-BLUNT-06")
def test_reposte(spec: Spec) -> None:
    long = weapon("pike", "1d8", reach_ft=10, strikes=2)
    spec.given(
        hero("Ana", at=[0, 0], weapons=[long], max_stress=30),
        monster("archer", at=[9, 0], weapons=[weapon("bow", kind="ranged", range_ft=99)]),
        monster("Orc", at=[3, 0], weapons=[CLUB]),
        rulings="default",
    )
    spec.begin(("initiative", 1), ("initiative", 5), ("initiative", 9))
    declare(spec, Ana="full-defense", archer=attack("bow"))
    spec.act("Orc", "defensive-attack", weapon="club")
    spec.rule("injury", ("injury-damage", 1, 1), who="Ana", name="Broken Rib")
    with spec.refused("HE-REP-09", "no-trigger"):
        spec.act("Ana", "reposte", weapon="pike")
    spec.act("Ana", "end-turn")
    spec.act("archer", "attack", ("attack", 2), target="Ana").act("archer", "end-turn")
    spec.act("Orc", "move", path=[[2, 0], [1, 0], [2, 0], [3, 0]])  # defensively: no prompt
    spec.act("Orc", "end-turn")
    declare(spec, Ana="full-defense", archer=attack("bow"), Orc=attack("club"))
    spec.act("Ana", "end-turn")
    spec.act("archer", "attack", ("attack", 2), target="Ana")
    spec.act("archer", "end-turn")  # far away: no prompt
    spec.act("Orc", "move", path=[[2, 0], [1, 0], [2, 0]])
    spec.answer("Ana", "pass")  # no prompt between threatened squares
    spec.act("Orc", "move", path=[[3, 0], [2, 0]])
    spec.answer("Ana", "take", ("reposte-attack", 12), ("reposte-damage", 4))  # entering again
    assert spec.hp("Orc", "wound_points") == 6 + 1  # 10 − 4 + 1 for Strength 8
    spec.act("Orc", "end-turn")
    declare(spec, Ana="full-defense", archer="no-action", Orc="no-action")
    with spec.refused("HE-BLUNT-06", "one-action-per-two-turns"):
        spec.act("Ana", "full-defense")  # the Reposte was an action
    spec.rule("next-round")
    declare(spec, Ana="full-defense", archer="no-action", Orc="no-action")
    spec.act("Ana", "full-defense")


@rule("HE-DATK-06", "HE-FDEF-03")
def test_a_defensive_attack_is_no_shelter_from_a_full_defense(spec: Spec) -> None:
    fight(spec, orc={"weapons": [CLUB]})
    declare(spec, Ana="full-defense", Orc=("defensive-attack", {"weapon": "club"}))
    spec.act("Ana", "full-defense").act("Ana", "end-turn")
    assert shown(spec, "Orc", "defense") == 10
    spec.act("Orc", "defensive-attack", ("attack", 3), target="Ana")
    assert spec.open() == [("reaction", "reposte", "Ana")]


# ---- the fallen


@rule("HE-STAB-04", "HE-STAB-10", "HE-DYING-02")
def test_who_can_be_stabilized_and_by_whom(spec: Spec) -> None:
    spec.given(
        hero("Tam", wound_points=-1, at=[0, 0], skills={"heal": 3}),
        hero("Mag", at=[3, 0]),
        monster("Orc", at=[9, 9]),
        rulings="default",
    )
    begin(spec, 1, 2, 12, Tam="stabilize", Mag="stabilize", Orc="no-action")
    spec.act("Tam", "stabilize", ("heal", 7), target="Tam")  # no recorded wound: 10
    assert spec["Tam"].has("stabilized")
    assert spec.hp("Tam", "wound_points") == -2  # the attempt is an action
    assert spec.event(Damaged).rules == ("HE-INC-03", "HE-INC-04", "HE-WP-08")
    spec.act("Tam", "end-turn")
    with spec.refused("HE-STAB-04", "not-down"):
        spec.act("Mag", "stabilize", target="Orc")
    with spec.refused("HE-STAB-04", "already-stabilized"):
        spec.act("Mag", "stabilize", target="Tam")


@rule("HE-STAB-09", "HE-WP-09")
@pytest.mark.parametrize("by", ["sheet", "ruling"])
def test_above_zero_nobody_is_down_or_stabilized(spec: Spec, by: str) -> None:
    brought = [{"id": "dying"}, {"id": "stabilized"}] if by == "sheet" else []
    spec.given(hero("Tam", wound_points=-1, conditions=brought), monster("Orc"), rulings="default")
    if by == "ruling":
        spec.rule("condition", combatant="Tam", add="stabilized")
    spec.rule("heal", combatant="Tam", wound_points=1)
    assert [held.id for held in spec["Tam"].conditions] == ["stabilized", "incapacitated"]
    spec.rule("heal", combatant="Tam", wound_points=1)
    assert spec["Tam"].conditions == ()


@rule("HE-SEQ-04")
def test_data_may_bring_conditions_of_their_own(spec: Spec) -> None:
    spec.given(hero("Tam", conditions=[{"id": "cursed"}]), monster("Orc"))
    assert [held.id for held in spec["Tam"].conditions] == ["cursed"]


@rule("HE-TIE-08", "HE-WP-07")
def test_the_dead_do_nothing(spec: Spec) -> None:
    fight(spec)
    declare(spec, Ana=attack("sword"), Orc="no-action")
    spec.rule("damage", who="Orc", amount=20, to="wound-points")
    assert spec["Orc"].has("dead")
    spec.act("Ana", "end-turn")
    assert spec.combat.status == "ended"


# ---- injuries

ROWS: list[tuple[int, str, str | None, tuple[str, ...], tuple[str, ...]]] = [
    (1, "Crushed Foot", None, (), ("crushed-foot",)),
    (2, "Broken Shin", "1d8", ("agility",), ("half-speed",)),
    (3, "Shattered Kneecap", "1d12", ("agility",), ("prone",)),
    (4, "Broken Femur", "1d10", ("agility",), ()),
    (5, "Shattered Hip", "4d4", ("agility",), ()),
    (6, "Broken Rib", "2d4", ("strength",), ("broken-rib",)),
    (7, "Broken Collarbone", "3d4", ("strength",), ()),
    (8, "Crushed Shoulder", "2d8", ("strength", "dexterity"), ("arm-cannot-attack",)),
    (9, "Broken Upper Arm", "1d10", ("strength",), ("arm-cannot-attack",)),
    (10, "Shattered Elbow", "1d12", ("dexterity",), ("arm-cannot-attack",)),
    (11, "Broken Forearm", "1d10", ("strength", "dexterity"), ("arm-cannot-hold",)),
    (12, "Shattered Hand", "4d4", ("dexterity",), ("hand-useless",)),
    (13, "Broken Finger", "1d8", ("dexterity",), ()),
    (14, "Broken Neck", None, (), ("paralyzed",)),
    (15, "Crushed Windpipe", None, (), ("cannot-speak", "cannot-breathe")),
    (16, "Broken Jaw", None, (), ("cannot-speak", "cannot-chew")),
    (17, "Broken Nose", "1d10", ("perception",), ("cannot-smell",)),
    (18, "Eye Swollen Shut", "2d8", ("perception",), ("blind-one-eye",)),
    (19, "Cauliflower Ear", "1d12", ("perception",), ("deaf-one-ear",)),
    (20, "Cracked Skull", "1d8", ("memory", "perception"), ("concussed",)),
]
"""The blunt table of the rulebook."""


@rule("HE-BLUNT-01", "HE-BLUNT-02", "HE-BLUNT-03", "HE-BLUNT-04", "HE-BLUNT-05", "HE-BLUNT-06")
@rule("HE-BLUNT-07", "HE-BLUNT-08", "HE-BLUNT-09", "HE-BLUNT-10", "HE-BLUNT-11", "HE-BLUNT-12")
@rule("HE-BLUNT-13", "HE-BLUNT-14", "HE-BLUNT-15", "HE-BLUNT-16", "HE-BLUNT-17", "HE-BLUNT-18")
@rule("HE-BLUNT-19", "HE-BLUNT-20", "HE-INJ-05", "HE-INJ-08")
@pytest.mark.parametrize(("face", "name", "dice", "attributes", "conditions"), ROWS)
def test_the_blunt_table(
    spec: Spec,
    face: int,
    name: str,
    dice: str | None,
    attributes: tuple[str, ...],
    conditions: tuple[str, ...],
) -> None:
    maul = weapon("maul", "1d4", damage_types=["blunt"])
    fight(spec, ana={"weapons": [maul]}, orc={"attributes": {"strength": 30}})
    declare(spec, Ana=attack("maul"), Orc="no-action")
    thrown: list[tuple[Any, ...]] = [("attack", 20), ("damage", 4), ("injury-chance", 8)]
    thrown.append(("injury", face))
    if 8 <= face <= 12:
        thrown.append(("injury-side", 2))
    if dice is not None:
        thrown.append(("injury-damage", *([1] * int(dice[0]))))
    spec.act("Ana", "attack", *thrown, target="Orc")
    assert fact(spec, "Orc", "injuries")[0]["name"] == name
    row = f"HE-BLUNT-{face:02}"
    assert all(row in condition_gained.rules for condition_gained in spec.events(ConditionGained))
    assert any(row in fact_set.rules for fact_set in spec.events(FactSet, key="injuries"))
    if dice is not None:
        assert spec.rolled("injury-damage").formula == dice
    lost = {key: int((dice or "0")[0]) for key in attributes}
    assert fact(spec, "Orc", "attribute_damage") == (lost or None)
    gained = {
        condition_gained.condition: condition_gained.data
        for condition_gained in spec.events(ConditionGained)
    }
    assert set(gained) == set(conditions)
    if 8 <= face <= 12:
        assert [data["side"] for data in gained.values()] == ["main"]


@rule("HE-INJ-04", "HE-INJ-06")
def test_several_types_and_empty_tables(spec: Spec) -> None:
    star = weapon("star", "1d6", damage_types=["piercing", "blunt"])
    spec.given(hero("Ana", weapons=[star]), monster("Orc", weapons=[star], attributes=agility(10)))
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    declare(spec, Ana=attack("star"), Orc=attack("star"))
    spec.act("Ana", "attack", ("attack", 20), ("damage", 3), ("injury-chance", 1), target="Orc")
    assert spec.open() == [("choice", "injury-type", "Ana")]
    spec.answer("Ana", "piercing")
    assert spec.open() == [("ruling", "empty-injury-table", None)]
    spec.answer(None, "injury", text="Pierced Lung", attributes={"strength": 2})
    assert fact(spec, "Orc", "injuries")[0]["name"] == "Pierced Lung"
    assert shown(spec, "Orc", "current_attributes")["strength"] == 8
    spec.act("Ana", "end-turn")
    spec.act("Orc", "attack", ("attack", 20), ("damage", 4), ("injury-chance", 1), target="Ana")
    assert spec.open() == [("choice", "injury-type", None)]  # the GM for a monster
    spec.close().close()
    assert fact(spec, "Ana", "injuries")[0]["name"] == "combat injury (piercing)"
    assert not spec.events(Rolled)


@rule("HE-INJ-09", "HE-ATTR-03")
def test_an_injury_lasts_until_it_is_healed_and_its_attribute_damage_longer(spec: Spec) -> None:
    fight(spec)
    spec.rule("injury", ("injury-damage", 4), who="Orc", name="Broken Shin")
    spec.rule("damage", who="Orc", amount=3).rule("heal", who="Orc", wound_points=9)
    assert spec["Orc"].has("half-speed")
    assert shown(spec, "Orc", "move_limit_ft") == 15
    spec.rule("heal", who="Orc", injury="Broken Shin")
    assert not spec["Orc"].has("half-speed")
    assert shown(spec, "Orc", "current_attributes")["agility"] == 6
    spec.rule("heal", who="Orc", attributes={"agility": 3})
    assert shown(spec, "Orc", "current_attributes")["agility"] == 9


@rule("HE-BLUNT-01", "HE-BLUNT-03", "HE-BLUNT-14", "HE-BLUNT-15", "HE-BLUNT-16", "HE-MOD-10")
def test_what_the_injured_cannot_do(spec: Spec) -> None:
    root = {"id": "root", "chewed": True, "effect": "bitter"}
    spell = {"id": "song", "speed": 0, "effect": "a song"}
    thought = {"id": "thought", "speed": 0, "effect": "a thought", "needs_speech": False,
               "needs_body": False}  # fmt: skip
    spec.given(
        hero("foot", skills={"balance": 2}),
        hero("knee"),
        hero("neck", spells=[thought]),
        hero("throat", spells=[spell]),
        hero("jaw", items=[root]),
        monster("Orc", hd=30),
        rulings="default",
    )
    begin(
        spec, 1, 2, 3, 4, 5, 12,
        foot=("skill-check", {"skill": "balance"}), knee="no-action",
        neck=("cast", {"spell": "thought"}), throat=("cast", {"spell": "song"}),
        jaw=("use-item", {"item": "root"}), Orc="intimidate",
    )  # fmt: skip
    for who, name in (
        ("foot", "Crushed Foot"), ("neck", "Broken Neck"), ("throat", "Crushed Windpipe"),
        ("jaw", "Broken Jaw"), ("Orc", "Broken Jaw"),
    ):  # fmt: skip
        spec.rule("injury", who=who, name=name)
    spec.rule("injury", ("injury-damage", 1), who="knee", name="Shattered Kneecap")
    spec.act("foot", "skill-check", ("skill", 12), tn=9).act("foot", "end-turn")
    assert (spec.live.combat["foot"].facts["actions"]) == 1
    with spec.refused("HE-INC-02", "crawl-only"):
        spec.act("knee", "move", distance_ft=5)
    spec.act("knee", "crawl").act("knee", "end-turn")
    with spec.refused("HE-BLUNT-14", "paralyzed"):
        spec.act("neck", "move", distance_ft=5)
    spec.act("neck", "cast").act("neck", "speak", text="I cannot feel my legs").act(
        "neck", "end-turn"
    )
    with spec.refused("HE-BLUNT-15", "cannot-speak"):
        spec.act("throat", "cast")
    spec.act("throat", "end-turn")
    with spec.refused("HE-BLUNT-16", "cannot-chew"):
        spec.act("jaw", "use-item")
    spec.act("jaw", "end-turn")
    with spec.refused("HE-BLUNT-16", "cannot-speak"):
        spec.act("Orc", "intimidate", target="foot")


@rule("HE-BLUNT-16")
def test_who_cannot_chew_is_given_nothing_to_chew(spec: Spec) -> None:
    food = [{"id": "root", "chewed": True, "effect": "bitter"}, {"id": "potion", "effect": "sweet"}]
    spec.given(hero("Ana", items=food), hero("Tam"), hero("Orc", side="foes"), rulings="default")
    spec.rule("injury", combatant="Tam", name="Broken Jaw")
    begin(spec, 1, 5, 12, Ana=("use-item", {"item": "root"}), Tam="no-action", Orc="no-action")
    spec.act("Tam", "end-turn")
    with spec.refused("HE-BLUNT-16", "cannot-chew"):
        spec.act("Ana", "use-item", target="Tam")
    spec.act("Ana", "use-item", target="Orc")
    spec.rule("next-round")
    declare(spec, Ana=("use-item", {"item": "potion"}), Tam="no-action", Orc="no-action")
    spec.act("Tam", "end-turn").act("Ana", "use-item", target="Tam")
    assert fact(spec, "Ana", "used") == {"root": 1, "potion": 1}


@rule("HE-BLUNT-01")
def test_a_crushed_foot_takes_five_off_balance(spec: Spec) -> None:
    fight(spec, ana={"skills": {"balance": 2}})
    spec.rule("injury", who="Ana", name="Crushed Foot")
    spec.rule("skill-check", ("skill", 12), who="Ana", skill="balance", tn=9)
    assert (spec.rolled("skill").total, spec.rolled("skill").outcome) == (9, "success")


@rule("HE-BLUNT-15", "HE-END-02")
def test_suffocation_is_asked_at_the_end_of_the_round(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    spec.rule("injury", who="Orc", name="Crushed Windpipe").rule("next-round")
    assert spec.open() == [("ruling", "suffocation", None)]
    spec.answer(None, "damage", amount=3, type="suffocation")
    assert spec.hp("Orc", "wound_points") == 7


@rule("HE-BLUNT-15", "HE-STRESS-03")
def test_what_the_gm_rules_to_hurt_is_taken_by_stress_first(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc", max_stress=4))
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    spec.rule("injury", who="Orc", name="Crushed Windpipe").rule("next-round")
    spec.answer(None, "damage", name="suffocation", amount=5, type="suffocation")
    assert (spec.hp("Orc", "stress"), spec.hp("Orc", "wound_points")) == (0, 9)


@rule("HE-BLUNT-15", "HE-STRESS-05", "HE-WP-03")
def test_suffocation_may_go_past_stress(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc", max_stress=4))
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    spec.rule("injury", who="Orc", name="Crushed Windpipe").rule("next-round")
    choking = {"amount": 5, "type": "suffocation", "to": "wound-points"}
    spec.answer(None, "damage", name="suffocation", **choking)
    assert (spec.hp("Orc", "stress"), spec.hp("Orc", "wound_points")) == (4, 5)
    assert [wound["amount"] for wound in fact(spec, "Orc", "wounds")] == [5]


# ---- attributes


@rule("HE-ATTR-01", "HE-ATTR-06", "HE-ATTR-05")
def test_an_attribute_of_zero_is_a_ruling(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc", attributes={"agility": 3, "strength": 4}))
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    assert len(shown(spec, "Ana", "current_attributes")) == 9
    spec.rule("injury", ("injury-damage", 9), who="Orc", name="Broken Femur")
    assert spec.open()[-1] == ("ruling", "attribute-zero", None)
    spec.answer(None, "nothing-more", name="attribute-zero")
    assert not spec["Orc"].has("helpless")
    spec.rule("injury", ("injury-damage", 2, 2, 2), who="Orc", name="Broken Collarbone")
    assert shown(spec, "Orc", "dies_at") == -1
    assert spec.hp("Orc", "wound_points") == 0
    assert spec["Orc"].has("incapacitated")
    spec.close()
    assert spec["Orc"].has("helpless")


# ---- morale


@rule("HE-MOR-01", "HE-MOR-04", "HE-MOR-09", "HE-MOR-13", "HE-MOR-14")
def test_morale_is_for_monsters_by_the_numbers_of_the_step(spec: Spec) -> None:
    spec.given(
        hero("Ana"),
        monster("wolf"),
        monster("w2"),
        {**monster("bear"), "side": "bears"},
        {**monster("b2"), "side": "bears"},
    )
    faces = [("initiative", 5)] * 5
    spec.begin().answer(None, "as-given", *faces).rule("next-round")
    asked = spec.prompt()
    assert asked.name == "morale-obvious"
    assert asked.data["monsters"] == ["wolf", "w2", "bear", "b2"]  # without Ana: 2 face 3
    (asked_as,) = spec.live.open_prompts()
    spec.do(Reply(asked_as, "obvious", {"who": ["wolf"]}))
    spec.answer(None, "flee", *[("morale", 4, 4, 4)] * 3)
    # The wolf has fled. w2 still counts it as an ally, and each bear counts it as an opponent:
    #
    # 12 + 0 + 1 + 1 ≥ 11 + 3
    rolled = [(rolled.who, rolled.total, rolled.target) for rolled in spec.events(Rolled)]
    assert rolled == [("w2", 14, 14), ("bear", 14, 14), ("b2", 14, 14)]


# ---- bad sheets


@rule("HE-CRIT-01", "HE-MOD-08")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"weapons": [weapon("axe", crit_multiplier=5)]}, "bad-crit-multiplier"),
        ({"weapons": [weapon("axe", "lots")]}, "bad-weapon"),
        ({"weapons": [weapon("axe", damage_types=[])]}, "bad-weapon"),
        ({"weapons": [weapon("axe", crit_range=1)]}, "bad-weapon"),
        ({"weapons": [weapon("axe", crit_range=21)]}, "bad-weapon"),
        ({"weapons": [weapon("axe", strikes=0)]}, "bad-weapon"),
        ({"weapons": [{"id": "axe", "damage": "1d6", "damage_types": ["fire"]}]}, "bad-weapon"),
        ({"spells": [{"id": "odd"}]}, "bad-spell"),
        ({"spells": [{"id": "odd", "speed": 1, "mana_cost": -1}]}, "bad-spell"),
    ],
)
def test_sheets_that_cannot_be(spec: Spec, fields: dict[str, Any], code: str) -> None:
    with spec.raises(Impossible) as caught:
        spec.given(hero("Ana", **fields))
    assert caught[0].code == code


@rule("HE-CRIT-01", "HE-CRIT-04")
@pytest.mark.parametrize("crit", [{"crit_multiplier": 5}, {"crit_range": 19}])
@pytest.mark.parametrize(
    ("things", "field", "more"),
    [("spells", "attack", {"speed": 0}), ("abilities", "attack", {}), ("items", "throw", {})],
)
def test_an_attack_that_cannot_be_is_pointed_at(
    spec: Spec, things: str, field: str, more: dict[str, Any], crit: dict[str, int]
) -> None:
    blow = {"damage": "1d6", "damage_types": ["fire"], **crit}
    with spec.raises(Impossible) as caught:
        spec.given(hero("Ana", **{things: [{"id": "odd", field: blow, **more}]}))
    assert caught[0].pointer == f"/combatants/0/sheet/{things}/0/{field}/crit_multiplier"


@rule("HE-ATK-04")
def test_an_unknown_field_of_a_weapon_is_malformed(spec: Spec) -> None:
    with spec.raises(Malformed):
        spec.given(hero("Ana", weapons=[weapon("axe", colour="red")]))


@rule("HE-ARM-03", "HE-WP-04")
def test_a_hit_of_nothing_is_recorded_as_such(spec: Spec) -> None:
    fight(spec, orc={"armour_score": 9})
    declare(spec, Ana=attack("sword"), Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 3), target="Orc")
    assert spec.event(Damaged).amount == 0
    assert not spec.events(FactSet, key="wounds")
