"""Test attacks, damage, criticals and stances (DEF-ATK to DEF-STN)."""

from typing import Any

import pytest

from domain.errors import Illegal
from domain.record.events import Damaged, Rolled, Stopped
from tests.rulesets.definitions.units import (
    AXE,
    BOW,
    FIST,
    SHIELD,
    SWORD,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
    weapon,
)
from tests.spec import Spec, rule

STRONG = {"strength": 18}


def duel(spec: Spec, ours: dict[str, Any] | None = None, **theirs: Any) -> Spec:
    """Begin with Ana next to Orc. By default, she has a sword."""
    return fight(
        spec,
        fighter("Ana", **{"weapons": [SWORD], **(ours or {})}),
        foe("Orc", max_hp=60, **theirs),
    )


def strike(spec: Spec, *dice: Any, **inputs: Any) -> Spec:
    return spec.act("Ana", "attack", *dice, target="Orc", **inputs)


# ---- attack


@rule("DEF-ATK-01")
def test_the_sum_of_an_attack(spec: Spec) -> None:
    duel(
        spec,
        {
            "base_attack_bonus": 2, "abilities": {"strength": 16, "dexterity": 8},
            "weapons": [{**SWORD, "attack_bonus": 1}],
            "modifiers": [{"target": "attack", "value": 1}, {"target": "touch", "value": 9}],
        },
    )  # fmt: skip
    strike(spec, ("attack", 1))
    assert spec.rolled("attack").total == 8  # 1 + 2 + 3 + 1 + 1


@rule("DEF-ATK-01")
def test_a_weapon_of_dexterity(spec: Spec) -> None:
    duel(spec, {"abilities": {"dexterity": 16}, "weapons": [{**SWORD, "ability": "dexterity"}]})
    strike(spec, ("attack", 1))
    assert spec.rolled("attack").total == 4


@rule("DEF-ATK-02")
@pytest.mark.parametrize(("face", "hit"), [(13, True), (12, False)])
def test_equal_is_a_hit(spec: Spec, face: int, hit: bool) -> None:
    duel(spec, armor_class={"armor": 3})
    strike(spec, ("attack", face), *([("damage", 1)] if hit else []))
    assert (spec.hp("Orc") < 60) is hit


@rule("DEF-ATK-06")
def test_a_bow_is_no_weapon_of_the_melee_in_the_pack_either(spec: Spec) -> None:
    duel(spec, {"weapons": [SWORD, BOW]})
    with spec.refused("DEF-ATK-06", "wrong-weapon-kind"):
        strike(spec, weapon="bow")
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        spec.act("Ana", "ranged-attack", target="Orc", weapon="bow")


@rule("DEF-RNG-06")
def test_a_sword_does_not_shoot_from_its_sheath_either(spec: Spec) -> None:
    duel(spec, {"weapons": [BOW, SWORD]})
    with spec.refused("DEF-RNG-06", "wrong-weapon-kind"):
        spec.act("Ana", "ranged-attack", target="Orc", weapon="sword")
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        strike(spec, weapon="sword")


@rule("DEF-ATK-03")
def test_against_the_flat_footed(spec: Spec) -> None:
    duel(spec, armor_class={"armor": 2, "dodge": 3, "dexterity": 4})
    spec.rule("set-condition", who="Orc", condition="flat-footed")
    strike(spec, ("attack", 1))
    assert spec.rolled("attack").target == 12


@rule("DEF-ATK-04")
def test_faces_decide_nothing(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 1}, armor_class={"armor": 12})
    strike(spec, ("attack", 20))  # 21 < 22: a miss and no threat
    assert spec.rolled("attack").outcome == "miss"


@rule("DEF-ATK-04")
def test_a_1_may_hit(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 9})
    strike(spec, ("attack", 1), ("damage", 1))
    assert spec.hp("Orc") == 59


@rule("DEF-ATK-05")
def test_it_provokes_nothing_and_has_no_size(spec: Spec) -> None:
    duel(spec, {"size_modifiers": {"attack": -3}}, weapons=[SWORD])
    strike(spec, ("attack", 9))
    assert spec.rolled("attack").total == 9


@rule("DEF-ATK-06")
@pytest.mark.parametrize(
    ("target", "told"), [({}, "needs a target"), ({"target": "Ana"}, "nobody does that to itself")]
)
def test_an_attack_is_made_on_somebody_else(spec: Spec, target: dict[str, str], told: str) -> None:
    duel(spec)
    with spec.raises(Illegal) as refused:
        spec.act("Ana", "attack", **target)
    assert refused[0].code == "no-target"
    assert told in refused[0].detail


@rule("DEF-ATK-06")
def test_what_forbids_an_attack(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", weapons=[BOW], base_attack_bonus=6),
        foe("Orc"),
        foe("Gob", at=[0, 1]),
        fighter("Bo", at=[-1, 0]),
    )
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", "attack")
    with spec.refused("DEF-ATK-06", "wrong-weapon-kind"):
        strike(spec, weapon="bow")
    spec.rule("set-condition", who="Orc", condition="dead")
    with spec.refused("DEF-ATK-06", "target-dead"):
        spec.act("Ana", "ranged-attack", target="Orc")
    spec.act("Ana", "ranged-attack", ("attack", 1), target="Bo")  # an ally may be attacked


# ---- ranged attack


@rule("DEF-RNG-01", "DEF-SIZ-01")
def test_shots_go_by_dexterity_and_size(spec: Spec) -> None:
    fight(
        spec,
        fighter(
            "Ana",
            weapons=[{**BOW, "ability": "strength"}],
            abilities={"strength": 18, "dexterity": 14},
            size_modifiers={"attack": 1},
            base_attack_bonus=3,
            initiative_bonus=0,
        ),
        foe("Orc", at=[5, 0]),
    )
    spec.act("Ana", "ranged-attack", ("attack", 4), ("damage", 2), target="Orc")
    assert spec.rolled("attack").total == 10  # 4 + 3 + 2 + 1
    assert spec.hp("Orc") == 14  # Strength is added to damage: 2 + 4


@rule("DEF-RNG-02")
def test_shooting_in_a_threatened_square_provokes_each_time(spec: Spec) -> None:
    duel(
        spec, {"weapons": [BOW], "base_attack_bonus": 6},
        weapons=[SWORD], feats={"battle_prowess": 1},
    )  # fmt: skip
    spec.act("Ana", "ranged-attack", target="Orc")
    spec.answer("Orc", "pass", ("attack", 1))
    spec.act("Ana", "ranged-attack", target="Orc")
    assert spec.open() == [("reaction", "reaction", "Orc")]


@rule("DEF-RNG-02")
def test_not_where_nobody_threatens(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[BOW]), foe("Orc", at=[2, 0], weapons=[SWORD]))
    spec.act("Ana", "ranged-attack", ("attack", 1), target="Orc")


@rule("DEF-RNG-03")
def test_through_an_allied_square(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", weapons=[BOW]), foe("Orc", at=[4, 0]), fighter("Bo", at=[1, 0]),
        foe("Gob", at=[3, 0]),
    )  # fmt: skip
    spec.act("Ana", "ranged-attack", ("attack", 9), target="Orc")
    assert spec.rolled("attack").total == 9
    assert spec.rolled("attack").target == 10


def grapplers(spec: Spec, **fields: Any) -> Spec:
    """Let Orc hold Bo within range of Ana, who has a bow."""
    fight(
        spec,
        fighter("Ana", at=[0, 5], **{"weapons": [BOW], **fields}),
        foe("Orc", armor_class={"dexterity": 2}),
        fighter("Bo", at=[2, 0], armor_class={"dodge": 1}),
    )
    return spec.rule("set-condition", who="Bo", condition="grappled", data={"with": "Orc"})


@rule("DEF-RNG-04")
@pytest.mark.parametrize(("face", "target"), [(50, "Bo"), (51, "Orc")])
def test_half_of_the_shots_go_astray(spec: Spec, face: int, target: str) -> None:
    grapplers(spec)
    spec.act("Ana", "ranged-attack", ("miss-chance", face), ("attack", 9), target="Orc")
    assert spec.rolled("attack").against == target
    assert spec.rolled("attack").target == 10  # both are flat-footed towards her


@rule("DEF-RNG-05")
def test_at_either_grappler_and_by_touch(spec: Spec) -> None:
    ray = {"id": "ray", "name": "Ray", "attack": "ranged-touch", "damage": "1d4"}
    grapplers(spec, spells=[ray])
    spec.act(
        "Ana", "cast-spell", ("miss-chance", 1), ("touch", 12), ("damage", 3),
        spell="ray", targets=["Bo"],
    )  # fmt: skip
    assert spec.hp("Orc") == 17


@rule("DEF-RNG-05", "DEF-CST-03")
def test_who_is_hit_by_a_stray_and_by_its_own_saves_against_each(spec: Spec) -> None:
    save = {"kind": "will", "dc": 10, "on_success": "half"}
    ray = {"id": "ray", "name": "Ray", "attack": "ranged-touch", "damage": "1d6", "save": save}
    grapplers(spec, spells=[ray])
    spec.act(
        "Ana", "cast-spell", ("miss-chance", 1), ("touch", 12), ("miss-chance", 51), ("touch", 12),
        ("save-will", 9), ("save-will", 10), ("damage", 4), ("damage", 4),
        spell="ray", targets=["Bo", "Orc"],
    )  # fmt: skip
    assert spec.hp("Orc") == 20 - 4 - 2


@rule("DEF-RNG-06")
def test_out_of_range_and_the_wrong_kind(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[BOW, FIST]), foe("Orc", at=[13, 0]))
    with spec.refused("DEF-RNG-06", "out-of-range"):  # 65 ft away, with a range of 60 ft
        spec.act("Ana", "ranged-attack", target="Orc")
    with spec.refused("DEF-RNG-06", "wrong-weapon-kind"):
        spec.act("Ana", "ranged-attack", target="Orc", weapon="unarmed")
    spec.rule("move", who="Orc", to=[12, 0])
    spec.act("Ana", "ranged-attack", ("attack", 1), target="Orc")


# ---- shield bash


@rule("DEF-SHB-01")
def test_a_bash_replaces_any_attack(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 6, "shield": SHIELD})
    strike(spec, ("attack", 1))
    spec.act("Ana", "shield-bash", ("attack", 1), target="Orc")
    assert spec.rolled("attack").total == 2  # 1 + 1 for the second attack
    with spec.refused("DEF-TRN-08", "no-attacks-left"):
        strike(spec)


@rule("DEF-SHB-02", "DEF-SHB-03")
@pytest.mark.parametrize(("kind", "dice"), [("buckler", "1d4"), ("full", "1d6"), ("tower", "1d10")])
def test_by_the_better_ability_and_strength_once(spec: Spec, kind: str, dice: str) -> None:
    shield = {**SHIELD, "kind": kind, "attack_bonus": 1, "damage_bonus": 2}
    duel(
        spec,
        {"shield": shield, "abilities": {"strength": 12, "dexterity": 16}, "initiative_bonus": 0},
    )
    spec.act("Ana", "shield-bash", ("attack", 6), ("damage", 3), target="Orc")
    assert spec.rolled("attack").total == 10  # 6 + 3 + 1
    assert spec.rolled("damage").formula == dice
    assert spec.rolled("damage").total == 6  # 3 + 1 + 2


@rule("DEF-SHB-04")
def test_only_with_a_shield_in_a_slot_and_its_ac_stays(spec: Spec) -> None:
    duel(spec, {"shield": {**SHIELD, "ac_bonus": 3}, "base_attack_bonus": 6})
    with spec.refused("DEF-SHB-04", "no-shield"):
        spec.act("Ana", "shield-bash", target="Orc", shield="wall")
    spec.act("Ana", "shield-bash", ("attack", 1), target="Orc")
    assert shown(spec, "Ana")["ac"] == 13
    spec.rule("set-budget", who="Ana", budget={"move": 1, "standard": 1})
    spec.act("Ana", "stow-item", item="shield")
    with spec.refused("DEF-SHB-04", "no-shield"):
        spec.act("Ana", "shield-bash", target="Orc")


# ---- multiple attacks


@rule("DEF-MUL-02")
def test_from_the_highest_down(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 11})
    for total in (12, 7, 2):
        strike(spec, ("attack", 1), *([("damage", 1)] if total >= 10 else []))
        assert spec.rolled("attack").total == total


@rule("DEF-MUL-03")
def test_a_manoeuvre_has_the_bonus_of_its_place(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 6})
    strike(spec, ("attack", 1))
    spec.act("Ana", "trip", ("touch", 2), target="Orc")
    assert spec.rolled("touch").total == 3


@rule("DEF-MUL-04")
def test_standard_manoeuvres_have_the_highest(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 6})
    spec.act("Ana", "shove", ("touch", 2), target="Orc")
    assert spec.rolled("touch").total == 8


@rule("DEF-MUL-05")
def test_opposed_strength_has_no_attack_bonus(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 6, "abilities": STRONG})
    spec.act(
        "Ana", "trip", ("touch", 9), ("opposed-strength", 5), ("opposed-strength", 20), target="Orc"
    )
    assert spec.rolled("opposed-strength", "Ana").total == 9


# ---- damage


@rule("DEF-DMG-01", "DEF-CRT-07")
def test_dice_strength_and_flat_modifiers(spec: Spec) -> None:
    training = {"target": "damage", "value": 2, "type": "training"}
    duel(
        spec,
        {"abilities": STRONG, "weapons": [{**SWORD, "damage_bonus": 1}], "modifiers": [training]},
    )
    strike(spec, ("attack", 12), ("damage", 3))
    assert spec.rolled("damage").total == 10  # 3 + 4 + 1 + 2


@rule("DEF-DMG-02", "DEF-DMG-03")
@pytest.mark.parametrize(
    ("strength", "hands", "added"),
    [
        (18, 2, 6),
        (16, 2, 4),
        (20, 2, 7),
        (12, 2, 1),
        (8, 2, -2),
        (6, 2, -3),
        (4, 2, -5),
        (8, 1, -1),
    ],
)
def test_two_hands(spec: Spec, strength: int, hands: int, added: int) -> None:
    duel(
        spec,
        {"abilities": {"strength": strength}, "base_attack_bonus": 9,
         "weapons": [weapon("club", "1d12", hands=hands)]},
    )  # fmt: skip
    strike(spec, ("attack", 15), ("damage", 12))
    assert spec.rolled("damage").total == 12 + added


@rule("DEF-DMG-04")
@pytest.mark.parametrize(("ability", "total"), [("dexterity", 4), ("none", 1)])
def test_another_ability_or_none(spec: Spec, ability: str, total: int) -> None:
    duel(
        spec,
        {"abilities": {"strength": 18, "dexterity": 14}, "initiative_bonus": 0,
         "weapons": [{**AXE, "damage_ability": ability}]},
    )  # fmt: skip
    strike(spec, ("attack", 12), ("damage", 1))
    assert spec.rolled("damage").total == total  # 1 + floor(1.5 × 2)


BURNING = {**SWORD, "extra_damage": [{"formula": "1d6", "source": "fire", "damage_type": "fire"}]}


@rule("DEF-DMG-05")
def test_extra_damage_belongs_to_the_same_hit(spec: Spec) -> None:
    two = {
        **BURNING,
        "extra_damage": [*BURNING["extra_damage"], {"formula": "1d4", "source": "luck"}],
    }
    duel(spec, {"weapons": [two]})
    strike(spec, ("attack", 12), ("damage", 3), ("extra-damage", 5), ("extra-damage", 2))
    assert spec.event(Damaged).amount == 10


@rule("DEF-DMG-06")
def test_at_least_1_without_the_extra_dice(spec: Spec) -> None:
    duel(spec, {"abilities": {"strength": 2}, "weapons": [BURNING]})
    strike(spec, ("attack", 16), ("damage", 1), ("extra-damage", 4))
    assert spec.event(Damaged).amount == 5  # 1 − 4 → 1, and 4


@rule("DEF-DMG-07")
def test_non_lethal_weapons_and_their_extra_dice(spec: Spec) -> None:
    duel(spec, {"weapons": [{**BURNING, "non_lethal": True}]})
    strike(spec, ("attack", 12), ("damage", 3), ("extra-damage", 4))
    assert (spec.hp("Orc"), spec.hp("Orc", "nld")) == (60, 7)


@rule("DEF-DMG-08")
def test_reductions_in_order_part_by_part(spec: Spec) -> None:
    duel(
        spec,
        {"weapons": [BURNING]},
        reductions=[
            {"amount": 3, "types": ["fire"], "source": "wet"},
            {"amount": 4, "source": "hide"},
        ],
    )
    strike(spec, ("attack", 12), ("damage", 2), ("extra-damage", 6))
    assert spec.event(Damaged).amount == 1  # hide takes 2 from the blade, and 2 from fire 6 − 3


@rule("DEF-DMG-08")
def test_a_reduction_does_not_go_below_0(spec: Spec) -> None:
    duel(spec, reductions=[{"amount": 9, "types": ["slashing"]}])
    strike(spec, ("attack", 12), ("damage", 2))
    assert spec.hp("Orc") == 60


@rule("DEF-DMG-07")
def test_a_target_that_is_gone_takes_no_damage(spec: Spec) -> None:
    duel(spec)
    strike(spec, ("attack", 20))
    spec.rule("move", who="Orc", to=[9, 9])  # between the hit and the damage
    spec.answer("Ana", "roll", faces=[20])
    assert spec.rolled("confirm").outcome == "critical"
    assert spec.event(Stopped).rules == ("DEF-DMG-01",)
    assert spec.open() == [("turn", "turn", "Ana")]
    assert spec.hp("Orc") == 60


# ---- criticals


@rule("DEF-CRT-01")
@pytest.mark.parametrize(
    ("face", "armor", "outcome", "after"),
    [
        (19, 0, "threat", [("confirm", 9), ("damage", 3)]),
        (18, 0, "hit", [("damage", 3)]),
        (19, 10, "miss", []),
    ],
)
def test_a_threat_needs_the_face_and_a_hit(
    spec: Spec, face: int, armor: int, outcome: str, after: list[Any]
) -> None:
    duel(spec, {"weapons": [{**SWORD, "crit_range": 19}]}, armor_class={"armor": armor})
    strike(spec, ("attack", face), *after)
    assert spec.rolled("attack").outcome == outcome


@rule("DEF-CRT-02")
def test_confirmed_with_the_same_modifiers(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 2}, armor_class={"armor": 2})
    strike(spec, ("attack", 20), ("confirm", 10), ("damage", 1, 1))
    confirmed = spec.rolled("confirm")
    assert (confirmed.total, confirmed.target, confirmed.outcome) == (12, 12, "critical")
    assert confirmed.terms == spec.rolled("attack").terms


@rule("DEF-CRT-03")
def test_the_confirmation_threatens_nothing(spec: Spec) -> None:
    duel(spec, armor_class={"armor": 10})
    strike(spec, ("attack", 20), ("confirm", 20), ("damage", 1, 1))
    assert [rolled.purpose for rolled in spec.events(Rolled)] == ["attack", "confirm", "damage"]


@rule("DEF-CRT-04")
@pytest.mark.parametrize(
    ("damage", "times", "dice", "faces", "total"),
    [
        ("1d8", 3, "3d8", (1, 2, 4), 7),
        ("2d6", 2, "4d6", (1, 2, 3, 4), 10),
        ("1d8+2", 2, "2d8+4", (1, 2), 7),
    ],
)
def test_the_dice_as_often_as_the_multiplier(
    spec: Spec, damage: str, times: int, dice: str, faces: tuple[int, ...], total: int
) -> None:
    duel(spec, {"weapons": [weapon("w", damage, crit_multiplier=times)]})
    strike(spec, ("attack", 20), ("confirm", 10), ("damage", *faces))
    assert spec.rolled("damage").formula == dice
    assert spec.event(Damaged).amount == total


@rule("DEF-CRT-05", "DEF-CRT-07")
def test_flat_numbers_once_for_each_roll(spec: Spec) -> None:
    training = {"target": "damage", "value": 2, "type": "training"}
    duel(spec, {"abilities": STRONG, "modifiers": [training]})
    strike(spec, ("attack", 20), ("confirm", 10), ("damage", 1, 1))
    assert spec.rolled("damage").total == 14  # 2d8 + 12


@rule("DEF-CRT-06")
def test_extra_dice_once(spec: Spec) -> None:
    duel(spec, {"weapons": [BURNING]})
    strike(spec, ("attack", 20), ("confirm", 10), ("damage", 1, 1), ("extra-damage", 6))
    assert spec.event(Damaged).amount == 8


# ---- stances


@rule("DEF-REK-01")
def test_reckless(spec: Spec) -> None:
    duel(spec, {"armor_class": {"dodge": 1}})
    strike(spec, ("attack", 12), ("damage", 3), stance="reckless")
    assert spec.rolled("damage").total == 5
    assert [shown(spec, "Ana")[ac] for ac in ("ac", "touch_ac", "flat_footed_ac")] == [7, 7, 6]


@rule("DEF-DEF-01")
def test_defensive(spec: Spec) -> None:
    duel(spec)
    strike(spec, ("attack", 13), stance="defensive")
    assert spec.rolled("attack").total == 9
    assert [shown(spec, "Ana")[ac] for ac in ("ac", "touch_ac", "flat_footed_ac")] == [12, 12, 12]


@rule("DEF-STN-01")
def test_settled_with_the_first_attack(spec: Spec) -> None:
    duel(spec, {"base_attack_bonus": 11})
    with spec.refused("DEF-STN-01", "stance-exclusive"):
        strike(spec, stance=["reckless", "defensive"])
    strike(spec, ("attack", 1), ("damage", 1))
    with spec.refused("DEF-STN-01", "stance-fixed"):
        strike(spec, stance="defensive")
    end(spec, "Ana", "Orc")
    strike(spec, ("attack", 1), stance="defensive")
    with spec.refused("DEF-STN-01", "stance-fixed"):
        strike(spec, stance="reckless")
    strike(spec, ("attack", 9), ("damage", 1))
    assert spec.rolled("attack").total == 11  # 9 + 6 − 4: the stance lasts all turn


@rule("DEF-STN-02")
def test_attack_in_the_own_turn_and_ac_to_the_next(spec: Spec) -> None:
    duel(spec, {"feats": {"battle_prowess": 1}})
    strike(spec, ("attack", 12), ("damage", 1), stance="reckless")
    end(spec, "Ana")
    assert shown(spec, "Ana")["ac"] == 6
    spec.act("Orc", "move", path=[[2, 0]])
    spec.answer("Ana", "aoo", ("attack", 12), ("damage", 1))
    assert spec.rolled("damage").total == 1  # the stance adds nothing
    end(spec, "Orc")
    assert shown(spec, "Ana")["ac"] == 10


@rule("DEF-STN-03")
@pytest.mark.parametrize("action", ["grapple", "shove"])
def test_not_with_what_is_no_attack_action(spec: Spec, action: str) -> None:
    duel(spec)
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        spec.act("Ana", action, target="Orc", stance="reckless")
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        hold(spec, "Ana", "attack", {"text": "now"}, target="Orc", stance="reckless")


@rule("DEF-STN-03")
@pytest.mark.parametrize("action", ["grapple", "shove"])
def test_a_manoeuvre_of_a_standard_action_is_no_part_of_it(spec: Spec, action: str) -> None:
    duel(spec, {"base_attack_bonus": 0})
    strike(spec, ("attack", 1), stance="defensive")
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    spec.act("Ana", action, ("touch", 9), target="Orc")
    assert spec.rolled("touch").total == 9


@rule("DEF-STN-03")
def test_not_with_a_spell(spec: Spec) -> None:
    duel(spec, {"spells": [{"id": "bolt", "name": "Bolt", "damage": "1d4"}]})
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"], stance="defensive")
    assert left(spec, "Ana")["standard"] == 1


@rule("DEF-STN-03")
def test_a_spell_of_the_same_turn_is_no_part_of_it(spec: Spec) -> None:
    grasp = {"id": "grasp", "name": "Grasp", "cost": "swift", "attack": "melee-touch"}
    duel(spec, {"spells": [grasp], "base_attack_bonus": 0})
    strike(spec, ("attack", 1), stance="defensive")
    spec.act("Ana", "cast-spell", ("touch", 9), spell="grasp", targets=["Orc"])
    assert spec.rolled("touch").total == 9


@rule("DEF-STN-02")
@pytest.mark.parametrize("kind", ["melee-touch", "ranged-touch"])
def test_a_touch_that_is_an_attack_action_is_a_part_of_it(spec: Spec, kind: str) -> None:
    chill = {"id": "chill", "name": "Chill", "attack": kind, "cost": "attack_action"}
    duel(spec, {"abilities_list": [chill], "base_attack_bonus": 0})
    spec.act("Ana", kind, ("touch", 9), target="Orc", source="chill", stance="defensive")
    assert spec.rolled("touch").total == 5


@pytest.mark.parametrize("type", ["luck", "dodge", "natural", "other"])
def test_a_modifier_may_be_called_like_a_component(spec: Spec, type: str) -> None:
    """Dodge bonuses add up, and so do untyped bonuses.

    Only the highest luck bonus and the highest natural bonus count.
    """
    modifier = {"target": "ac", "value": 2, "type": "" if type == "other" else type, "source": type}
    fight(spec, fighter("Ana", armor_class={type: 1}, modifiers=[modifier]))
    assert shown(spec, "Ana")["ac"] == (13 if type in ("dodge", "other") else 12)


def test_a_modifier_may_be_called_like_an_action(spec: Spec) -> None:
    """Full defense adds 4 to the AC. A modifier named `full defense` adds 1 more."""
    modifier = {"target": "ac", "value": 1, "type": "dodge", "source": "full defense"}
    fight(spec, fighter("Ana", modifiers=[modifier]), foe("Orc", at=[9, 9]))
    spec.act("Ana", "full-defense")
    assert shown(spec, "Ana")["ac"] == 15


@pytest.mark.parametrize("values", [(1, 3), (3, 1), (-1, -3), (-3, -1)])
def test_a_source_counts_once_for_a_number(spec: Spec, values: tuple[int, int]) -> None:
    """If a source gives several bonuses to the same number, only the highest counts.

    Of several penalties from the same source, only the worst counts.
    """
    named = [{"target": "ac", "value": value, "source": "ring"} for value in values]
    fight(spec, fighter("Ana", modifiers=named))
    assert shown(spec, "Ana")["ac"] == 10 + max(values, key=abs)


def test_a_bonus_and_a_penalty_of_one_source_both_count(spec: Spec) -> None:
    named = [{"target": "ac", "value": value, "source": "ring"} for value in (3, -1)]
    fight(spec, fighter("Ana", modifiers=named))
    assert shown(spec, "Ana")["ac"] == 12


@pytest.mark.parametrize(
    ("modifier", "told"),
    [({"source": "ring", "type": "luck"}, "ring"), ({"type": "luck"}, "luck"), ({}, "modifier")],
)
def test_a_term_is_called_by_its_source_or_type(
    spec: Spec, modifier: dict[str, str], told: str
) -> None:
    own_modifier = {"target": "initiative", "value": 2, **modifier}
    spec.given(fighter("Ana", modifiers=[own_modifier]), death_roll="all-equal").begin(
        ("initiative", 5)
    )
    assert [term.source for term in spec.rolled("initiative").terms] == [told]


@rule("DEF-WLD-07")
def test_a_shield_that_is_in_no_slot_counts_nothing(spec: Spec) -> None:
    shield = {**SHIELD, "ac_bonus": 3}
    fight(spec, fighter("Ana", shield=shield, wielded={"offhand": None}))
    assert shown(spec, "Ana")["ac"] == 10


@rule("DEF-CRT-04", "DEF-CRT-05")
def test_the_damage_of_a_critical_hit_tells_what_was_multiplied(spec: Spec) -> None:
    duel(spec, {"abilities": STRONG})
    strike(spec, ("attack", 15), ("damage", 3))
    assert spec.rolled("damage").rules == ("DEF-DMG-01",)
    assert [term.source for term in spec.rolled("damage").terms] == ["Strength"]
    end(spec, "Ana", "Orc")
    strike(spec, ("attack", 20), ("confirm", 20), ("damage", 3, 4))
    assert spec.rolled("damage").rules == ("DEF-DMG-01", "DEF-CRT-04", "DEF-CRT-05")
    assert [term.source for term in spec.rolled("damage").terms] == ["Strength ×2"]


@rule("DEF-RNG-01")
def test_a_shot_is_told_by_the_rule_of_shots(spec: Spec) -> None:
    duel(spec, {"weapons": [BOW, FIST]}, at=[5, 0])
    spec.act("Ana", "ranged-attack", ("attack", 1), target="Orc")
    assert spec.rolled("attack").rules[0] == "DEF-RNG-01"
    spec.rule("move", who="Orc", to=[1, 0])
    end(spec, "Ana", "Orc")
    strike(spec, ("attack", 1), weapon="unarmed")
    assert spec.rolled("attack").rules[0] == "DEF-ATK-02"


@rule("DEF-DMG-06")
def test_an_extra_entry_takes_nothing_away(spec: Spec) -> None:
    """An extra damage entry with a result below 0 deals 0 damage.

    The terms of the damage still list the entry, and then the correction `at least 0`.
    """
    extra = [{"formula": "1d4-3"}, {"formula": "1d4", "source": "frost"}]
    duel(spec, {"weapons": [{**SWORD, "extra_damage": extra}]})
    strike(spec, ("attack", 15), ("damage", 5), ("extra-damage", 1), ("extra-damage", 2))
    assert spec.hp("Orc") == 53
    sources = [term.source for term in spec.event(Damaged).terms]
    assert sources == ["sword", "extra damage", "at least 0", "frost"]
    end(spec, "Ana", "Orc")
    strike(spec, ("attack", 15), ("damage", 5), ("extra-damage", 4), ("extra-damage", 2))
    told = [term.source for term in spec.event(Damaged).terms]
    assert told == ["sword", "extra damage", "frost"]


@rule("DEF-ATK-06")
def test_with_nothing_but_a_bow_in_hand_nobody_strikes(spec: Spec) -> None:
    duel(spec, {"weapons": [BOW]})
    with spec.refused("DEF-ATK-06", "wrong-weapon-kind"):
        strike(spec)
    spec.act("Ana", "stow-item", item="bow")
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        strike(spec)


@rule("DEF-STN-02", "DEF-DEF-01")
@pytest.mark.parametrize(
    ("action", "arms"), [("ranged-attack", {"weapons": [BOW]}), ("shield-bash", {"shield": SHIELD})]
)
def test_a_stance_goes_with_shots_and_bashes(spec: Spec, action: str, arms: dict[str, Any]) -> None:
    fight(spec, fighter("Ana", **arms), foe("Orc"))
    spec.act("Ana", action, ("attack", 5), target="Orc", stance="defensive")
    assert spec.rolled("attack").total == 1  # 5 - 4
    assert spec["Ana"].has("defensive")
