"""Test touch attacks, and casting while grappled (DEF-TCH, -RTC, -CST, -GSP)."""

from typing import Any

import pytest

from domain.engine.commands import Change
from domain.errors import Malformed
from domain.record.events import EffectResolved, Rolled
from tests.rulesets.definitions.units import (
    SWORD,
    decide,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
)
from tests.spec import Spec, rule

GRASP = {"id": "grasp", "name": "Grasp", "attack": "melee-touch", "damage": "1d8"}
RAY = {"id": "ray", "name": "Ray", "attack": "ranged-touch", "damage": "2d6"}
BOLT = {"id": "bolt", "name": "Bolt", "damage": "2d6"}
AGILE = {"strength": 12, "dexterity": 16}


def caster(
    spec: Spec, *powers: dict[str, Any], ours: dict[str, Any] | None = None, **theirs: Any
) -> Spec:
    """Begin with Ana, a caster, next to Orc."""
    return fight(
        spec,
        fighter("Ana", **{"spells": list(powers), **(ours or {})}),
        foe("Orc", max_hp=60, **theirs),
        foe("Gob", at=[9, 9]),
    )


def cast(
    spec: Spec, spell: str, *dice: Any, targets: tuple[str, ...] = ("Orc",), **more: Any
) -> Spec:
    return spec.act("Ana", "cast-spell", *dice, spell=spell, targets=list(targets), **more)


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


# ---- touch attacks


@rule("DEF-TCH-01", "DEF-TCH-02")
@pytest.mark.parametrize(("face", "hit"), [(16, True), (15, False)])
def test_no_armor_shield_parry_natural(spec: Spec, face: int, hit: bool) -> None:
    worn = {"armor": 5, "shield": 2, "natural": 1, "parry": 2, "dexterity": 2, "deflection": 1,
            "dodge": 1, "insight": 1, "luck": 1, "other": 0}  # fmt: skip
    caster(spec, GRASP, armor_class=worn)
    assert (shown(spec, "Orc")["ac"], shown(spec, "Orc")["touch_ac"]) == (26, 16)
    cast(spec, "grasp", ("touch", face), *([("damage", 5)] if hit else []))
    assert (spec.hp("Orc") == 55) is hit


@rule("DEF-TCH-02")
def test_modifiers_of_the_four_kinds_do_not_count_either(spec: Spec) -> None:
    caster(spec, GRASP, armor_class={"other": 2}, modifiers=[
        {"target": "ac", "value": 4, "type": "armor"}, {"target": "ac", "value": 1, "type": "luck"},
        {"target": "ac", "value": 3, "type": "dodge"},
    ])  # fmt: skip
    spec.rule("set-condition", who="Orc", condition="flat-footed")
    cast(spec, "grasp", ("touch", 1))
    assert spec.rolled("touch").target == 13  # 10 + 2 + 1: flat-footed without the dodge


@rule("DEF-TCH-03", "DEF-TCH-06")
def test_the_sum_of_a_melee_touch(spec: Spec) -> None:
    caster(spec, GRASP, ours={
        "base_attack_bonus": 2, "abilities": AGILE, "weapons": [{**SWORD, "attack_bonus": 5}],
        "feats": {"weapon_fixation_unarmed": 1},
        "armor": {"name": "rags", "trained": False, "check_penalty": 2},
        "modifiers": [{"target": "touch", "value": 1}, {"target": "attack", "value": 9}],
    })  # fmt: skip
    cast(spec, "grasp", ("spell-failure", 99), ("touch", 1))
    assert spec.rolled("touch").total == 6  # 1 + 2 + 3 + 1 + 1 − 2


@rule("DEF-TCH-04")
def test_a_melee_touch_spell_does_not_provoke(spec: Spec) -> None:
    caster(spec, GRASP, weapons=[SWORD])
    cast(spec, "grasp", ("touch", 1))
    assert asked(spec) == []


@rule("DEF-TCH-05")
def test_the_touch_of_a_manoeuvre_does(spec: Spec) -> None:
    caster(spec, weapons=[SWORD])
    spec.act("Ana", "shove", ("touch", 1), target="Orc")
    assert asked(spec) == ["Orc"]


@rule("DEF-TCH-06")
def test_weapon_fixation_does_not_help_a_shot(spec: Spec) -> None:
    caster(spec, RAY, ours={"feats": {"weapon_fixation_unarmed": 3}})
    cast(spec, "ray", ("touch", 9))
    assert spec.rolled("touch").total == 9


@rule("DEF-TCH-07")
def test_a_touch_as_an_attack_action(spec: Spec) -> None:
    chill = {**GRASP, "id": "chill", "cost": "attack_action"}
    caster(spec, chill, GRASP, ours={"base_attack_bonus": 6, "weapons": [SWORD]})
    with spec.refused("DEF-TCH-07", "is-attack-action"):
        cast(spec, "chill")
    with spec.refused("DEF-TCH-07", "not-an-attack-action"):
        spec.act("Ana", "melee-touch", target="Orc", source="grasp")
    with spec.refused("DEF-MAN-09", "out-of-reach"):
        spec.act("Ana", "melee-touch", target="Gob", source="chill")
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    spec.act("Ana", "melee-touch", ("touch", 2), target="Orc", source="chill")
    assert spec.rolled("touch").total == 3  # 2 + 1 for the second attack


@rule("DEF-CHG-06", "DEF-RTC-01")
def test_a_charge_does_not_end_in_a_shot_of_an_ability(spec: Spec) -> None:
    ray = {**RAY, "cost": "attack_action"}
    fight(
        spec,
        fighter("Ana", abilities_list=[ray], base_attack_bonus=6, weapons=[SWORD]),
        foe("Orc", at=[4, 0]),
    )
    spec.act("Ana", "charge", target="Orc", to=[3, 0])
    with spec.refused("DEF-CHG-06", "not-in-charge"):
        spec.act("Ana", "ranged-touch", target="Orc", source="ray")


@rule("DEF-TCH-07", "DEF-CNT-02")
def test_a_spell_of_an_attack_action_stays_a_casting(spec: Spec) -> None:
    chill = {**GRASP, "id": "chill", "cost": "attack_action"}
    undo = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}
    caster(spec, chill, abilities_list=[undo])
    spec.act("Ana", "melee-touch", target="Orc", source="chill")
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "counterspell", ("level-check", 1))
    assert not spec.events(Rolled, purpose="touch")


@rule("DEF-RTC-01")
def test_a_ranged_touch_by_dexterity_and_size(spec: Spec) -> None:
    caster(
        spec, RAY, armor_class={"armor": 9, "luck": 1},
        ours={"base_attack_bonus": 2, "abilities": AGILE, "size_modifiers": {"attack": 1}},
    )  # fmt: skip
    cast(spec, "ray", ("touch", 5), ("damage", 1, 1))
    assert (spec.rolled("touch").total, spec.rolled("touch").target) == (11, 11)  # 5 + 2 + 3 + 1


@rule("DEF-RTC-02")
def test_casting_and_shooting_are_one_opportunity(spec: Spec) -> None:
    caster(spec, RAY, weapons=[SWORD], feats={"battle_prowess": 3})
    cast(spec, "ray")
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "pass", ("touch", 1))
    assert asked(spec) == []


@rule("DEF-RTC-03")
def test_a_ranged_touch_of_an_ability_provokes_too(spec: Spec) -> None:
    spit = {**RAY, "id": "spit", "cost": "attack_action", "range_ft": 20}
    caster(spec, ours={"abilities_list": [spit]}, weapons=[SWORD])
    with spec.refused("DEF-RNG-06", "out-of-range"):
        spec.act("Ana", "ranged-touch", target="Gob", source="spit")
    with spec.refused("DEF-TCH-07", "not-an-attack-action"):
        spec.act("Ana", "melee-touch", target="Orc", source="spit")
    spec.act("Ana", "ranged-touch", target="Orc", source="spit")
    assert asked(spec) == ["Orc"]
    spec.answer("Orc", "pass", ("touch", 10), ("damage", 3, 3))
    assert spec.hp("Orc") == 54


# ---- casting


@rule("DEF-CST-01")
def test_without_places_the_gm_looks_who_threatens(spec: Spec) -> None:
    fight(spec, fighter("Ana", spells=[BOLT]), foe("Orc", at=None, weapons=[SWORD]), rulings="ask")
    cast(spec, "bolt")
    assert (spec.prompt().name, spec.prompt().default) == ("threatened", "nobody")


@rule("DEF-CST-01")
def test_who_is_named_twice_is_one_target(spec: Spec) -> None:
    fight(spec, fighter("Ana", spells=[BOLT]), foe("Orc", at=[5, 0], max_hp=60))
    spec.act("Ana", "cast-spell", ("damage", 3, 3), spell="bolt", targets=["Orc", "Orc"])
    assert spec.hp("Orc") == 54


@rule("DEF-CST-02")
def test_the_order_of_a_casting(spec: Spec) -> None:
    undo = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 99}}
    saving = {**BOLT, "save": {"kind": "will", "dc": 10}}
    caster(
        spec, saving, weapons=[SWORD], abilities_list=[undo],
        ours={"armor": {"name": "rags", "trained": False}},
    )  # fmt: skip
    cast(spec, "bolt")
    assert spec.prompt().data["reason"] == "aoo"
    spec.answer("Orc", "pass")
    assert spec.prompt().data["reason"] == "counterspell"
    assert spec.prompt().text.startswith("Ana casts Bolt.")
    spec.answer(
        "Orc", "counterspell", ("level-check", 1), ("spell-failure", 60), ("save-will", 1),
        ("damage", 1, 2),
    )  # fmt: skip
    assert spec.hp("Orc") == 57
    assert left(spec, "Ana")["standard"] == 0


@rule("DEF-CST-02")
def test_what_has_left_its_hands_goes_on(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", spells=[BOLT], hp=3),
        foe("Orc", weapons=[SWORD], at=[0, 1]),
        foe("Gob", at=[9, 9]),
        fighter("Bo", at=[5, 5]),
        order=("Orc", "Ana", "Gob", "Bo"),
    )
    hold(spec, "Orc", "attack", {"event": "is-damaged", "who": "Orc"}, target="Ana")
    end(spec, "Orc")
    cast(spec, "bolt", targets=("Orc", "Gob"))
    spec.answer("Orc", "pass", ("damage", 2, 2))
    spec.answer("Orc", "resolve", ("attack", 15), ("damage", 8))
    assert spec["Ana"].has("bleeding-out")
    assert spec.hp("Gob") == 16  # the spell still affects Gob


@rule("DEF-CST-03")
@pytest.mark.parametrize(("on_success", "orc", "gob"), [("half", 57, 13), ("none", 60, 13)])
def test_each_target_saves_for_itself(spec: Spec, on_success: str, orc: int, gob: int) -> None:
    caster(
        spec, {**BOLT, "save": {"kind": "reflex", "dc": 13, "on_success": on_success}},
        saves={"reflex": 3},
    )  # fmt: skip
    cast(
        spec, "bolt", ("save-reflex", 10), ("save-reflex", 12), ("damage", 4, 3),
        targets=("Orc", "Gob"),
    )  # fmt: skip
    assert (spec.hp("Orc"), spec.hp("Gob")) == (orc, gob)  # 13 saves: 7 // 2; 12 fails


@rule("DEF-CST-03")
@pytest.mark.parametrize("on_success", ["none", "dazzled for a moment"])
def test_nobody_rolls_damage_that_nobody_suffers(spec: Spec, on_success: str) -> None:
    save = {"kind": "reflex", "dc": 13, "on_success": on_success}
    fight(
        spec, fighter("Ana", spells=[{**BOLT, "save": save}]), foe("Orc", saves={"reflex": 3}),
        rulings="ask",
    )  # fmt: skip
    cast(spec, "bolt", ("save-reflex", 10))
    assert spec.prompt().name == ("turn" if on_success == "none" else "spell-effect")
    assert not spec.events(Rolled, purpose="damage")


@rule("DEF-CST-02")
@pytest.mark.parametrize("how", ["moved", "left"])
def test_no_damage_is_rolled_for_whom_a_touch_has_lost(spec: Spec, how: str) -> None:
    caster(spec, GRASP)
    cast(spec, "grasp", ("touch", 15))
    assert spec.prompt().name == "damage"
    if how == "moved":
        spec.rule("move", who="Orc", to=[5, 5])
    else:
        spec.leave("Orc")
    assert spec.open() == [("turn", "turn", "Ana")]


@rule("DEF-CST-02")
def test_a_ray_harms_whom_it_has_hit_wherever_it_is_by_then(spec: Spec) -> None:
    caster(spec, {**RAY, "range_ft": 30})
    cast(spec, "ray", ("touch", 15))
    spec.rule("move", who="Orc", to=[9, 8])
    spec.answer("Ana", "roll", faces=[3, 4])
    assert spec.hp("Orc") == 53


@rule("DEF-CST-04")
def test_damage_does_not_disturb_it(spec: Spec) -> None:
    caster(spec, BOLT, weapons=[SWORD])
    cast(spec, "bolt")
    spec.answer("Orc", "aoo", ("attack", 15), ("damage", 8), ("damage", 1, 1))
    assert spec.hp("Orc") == 58


@rule("DEF-CST-05")
def test_missed_it_has_no_effect_and_no_save(spec: Spec) -> None:
    caster(spec, {**GRASP, "save": {"kind": "will", "dc": 10}})
    cast(spec, "grasp", ("touch", 1))
    assert [rolled.purpose for rolled in spec.events(Rolled)] == ["touch"]
    assert left(spec, "Ana")["standard"] == 0


@rule("DEF-CST-05")
def test_without_data_the_gm_rules(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", spells=[{"id": "wish", "name": "Wish"}]), foe("Orc", at=[5, 5]),
        rulings="ask",
    )  # fmt: skip
    cast(spec, "wish")
    assert (spec.prompt().name, spec.prompt().default) == ("spell-effect", None)
    assert [option.id for option in spec.prompt().options] == ["damage", "conditions", "text"]
    decide(spec, "damage", {"combatant": "Orc", "amount": 4})
    assert spec.hp("Orc") == 16
    end(spec, "Ana", "Orc")
    decide(cast(spec, "wish"), "conditions", {"combatant": "Orc", "condition": "prone"})
    assert spec["Orc"].has("prone")
    end(spec, "Ana", "Orc")
    cast(spec, "wish").answer(None, "text", text="It rains.")
    assert spec.event(EffectResolved).text == "It rains."


@rule("DEF-CST-06")
def test_abilities_know_no_counterspell_and_provoke_by_their_data(spec: Spec) -> None:
    undo = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}
    caster(
        spec,
        ours={"abilities_list": [BOLT, {**BOLT, "id": "loud", "provokes": True}]},
        weapons=[SWORD], abilities_list=[undo],
    )  # fmt: skip
    spec.act("Ana", "use-ability", ("damage", 1, 1), ability="bolt", targets=["Orc"])
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    spec.act("Ana", "use-ability", ability="loud", targets=["Orc"])
    assert spec.prompt().data["reason"] == "aoo"
    spec.answer("Orc", "pass", ("damage", 1, 1))
    assert asked(spec) == []


@rule("DEF-CST-07")
def test_a_standard_spell_leaves_no_attack_action(spec: Spec) -> None:
    caster(spec, GRASP, ours={"weapons": [SWORD], "base_attack_bonus": 6})
    cast(spec, "grasp", ("touch", 1))
    with spec.refused("DEF-TRN-07", "standard-used"):
        spec.act("Ana", "attack", target="Orc")


@rule("DEF-CRT-08", "DEF-CRT-06")
def test_a_spell_critical(spec: Spec) -> None:
    imbued = {**RAY, "extra_damage": [{"formula": "1d4", "source": "imbued"}]}
    caster(spec, imbued)
    cast(spec, "ray", ("touch", 20), ("confirm", 10), ("damage", 1, 2, 3, 4), ("extra-damage", 2))
    assert spec.hp("Orc") == 48  # 10 from 4d6, and 2 extra


@rule("DEF-CRT-09")
def test_spells_without_an_attack_and_manoeuvres_are_never_critical(spec: Spec) -> None:
    caster(spec, BOLT)
    cast(spec, "bolt", ("damage", 1, 1))
    end(spec, "Ana", "Orc", "Gob")
    spec.act(
        "Ana", "trip", ("touch", 20), ("opposed-strength", 1), ("opposed-strength", 2), target="Orc"
    )
    assert not spec.events(Rolled, purpose="confirm")


@rule("DEF-DMG-06")
def test_a_spell_that_hits_deals_at_least_1(spec: Spec) -> None:
    caster(spec, {**RAY, "damage": "1d4-3"})
    cast(spec, "ray", ("touch", 12), ("damage", 1))
    assert spec.hp("Orc") == 59


def test_a_spell_s_modifiers_and_conditions(spec: Spec) -> None:
    curse = {
        "id": "curse", "name": "Curse", "conditions": [{"id": "prone"}],
        "modifiers": [
            {"target": "save-will", "value": -2, "source": "curse", "until": "turn-start:Ana"},
        ],
        "save": {"kind": "will", "dc": 10},
    }  # fmt: skip
    caster(spec, curse, {**BOLT, "save": {"kind": "will", "dc": 10}})
    cast(spec, "curse", ("save-will", 9))
    assert spec["Orc"].has("prone")
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    cast(spec, "bolt", ("save-will", 11), ("damage", 1, 1))
    assert spec.rolled("save-will").total == 9
    end(spec, "Ana", "Orc", "Gob")
    assert not spec["Orc"].has("modifier")


# ---- while grappled


def grappled(spec: Spec, *powers: dict[str, Any], **ours: Any) -> Spec:
    caster(spec, *powers, ours=ours)
    return spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})


@rule("DEF-GSP-01")
def test_the_grappled_do_not_gesture_the_aggressor_does(spec: Spec) -> None:
    grappled(spec, GRASP)
    with spec.refused("DEF-GSP-01", "somatic-blocked"):
        cast(spec, "grasp")
    end(spec, "Ana")
    spec.do(Change("Orc", sheet={"spells": [BOLT]}))
    spec.act("Orc", "cast-spell", ("damage", 1, 1), spell="bolt", targets=["Ana"])


@rule("DEF-GSP-02")
def test_what_may_be_cast_all_the_same(spec: Spec) -> None:
    still = {**GRASP, "id": "still", "somatic": False}
    grappled(spec, still, GRASP, feats={"signless_spell": True})
    cast(spec, "still", ("touch", 1))
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    with spec.refused("DEF-GSP-01", "somatic-blocked"):
        cast(spec, "grasp")
    cast(spec, "grasp", ("touch", 1), signless=True)


@rule("DEF-GSP-02")
def test_signless_needs_the_feat(spec: Spec) -> None:
    grappled(spec, GRASP)
    with spec.refused("DEF-GSP-01", "somatic-blocked"):
        cast(spec, "grasp", signless=True)


@rule("DEF-GSP-03")
def test_words_are_still_needed(spec: Spec) -> None:
    caster(spec, GRASP, {**GRASP, "id": "mute", "verbal": False})
    spec.rule("set-condition", who="Ana", condition="cannot-speak")
    with spec.refused("DEF-GSP-03", "verbal-blocked"):
        cast(spec, "grasp")
    cast(spec, "mute", ("touch", 1))


def test_half_of_all_that_a_spell_deals_together(spec: Spec) -> None:
    """A save halves the sum of all damage: half of 5 + 3 is 4, not 2 + 1."""
    save = {"kind": "reflex", "dc": 5, "on_success": "half"}
    caster(spec, {**BOLT, "damage": "1d6", "save": save, "extra_damage": [{"formula": "1d4"}]})
    cast(spec, "bolt", ("save-reflex", 10), ("damage", 5), ("extra-damage", 3))
    assert spec.hp("Orc") == 56


@rule("DEF-DMG-08")
def test_extra_dice_come_before_the_non_lethal_part(spec: Spec) -> None:
    """A reduction of 4 takes the 3 of the extra die first, and then 1 NLD."""
    daze = {"id": "daze", "name": "Daze", "nld": "1d6", "extra_damage": [{"formula": "1d4"}]}
    caster(spec, daze, reductions=[{"amount": 4}])
    cast(spec, "daze", ("damage", 5), ("extra-damage", 3))
    assert (spec.hp("Orc"), spec.hp("Orc", "nld")) == (60, 4)


@rule("DEF-FRE-01")
def test_casting_is_one_free_action_whatever_the_spell(spec: Spec) -> None:
    spell = {"id": "one", "name": "One", "cost": "free", "healing": "1"}
    caster(spec, spell, {**spell, "id": "two"})
    cast(spec, "one", targets=("Ana",))
    with spec.refused("DEF-FRE-01", "free-action-repeated"):
        cast(spec, "two", targets=("Ana",))


@rule("DEF-CST-02")
def test_a_spell_that_is_shot_uses_dexterity_and_size(spec: Spec) -> None:
    """The attack roll adds base attack bonus 2, Dexterity 3 and size 1, but no Strength.

    The roll is against the full AC, not the touch AC.
    """
    arrow = {"id": "arrow", "name": "Arrow", "attack": "ranged", "damage": "1d6"}
    own_sheet = {
        "abilities": {"strength": 20, "dexterity": 16},
        "base_attack_bonus": 2,
        "size_modifiers": {"attack": 1},
    }
    caster(spec, arrow, ours=own_sheet, armor_class={"armor": 4})
    cast(spec, "arrow", ("attack", 8), ("damage", 4))
    assert spec.rolled("attack").total == 14
    assert spec.rolled("attack").target == 14


@rule("DEF-CST-05")
@pytest.mark.parametrize(
    ("condition", "data", "pointer"),
    [
        ("modifier", {}, "/inputs/data/target"),
        ("dazed", {"cannot_act": "much"}, "/inputs/data/cannot_act"),
    ],
)
def test_a_condition_by_the_gm_comes_with_what_it_wants(
    spec: Spec, condition: str, data: dict[str, Any], pointer: str
) -> None:
    strange = {"id": "strange", "name": "Strange"}
    fight(spec, fighter("Ana", spells=[strange]), foe("Orc", at=[5, 5]), rulings="ask")
    spec.act("Ana", "cast-spell", spell="strange", targets=["Orc"])
    with spec.raises(Malformed) as caught:
        decide(spec, "conditions", {"combatant": "Orc", "condition": condition, "data": data})
    assert caught[0].pointer == pointer
    decide(
        spec, "conditions", {"combatant": "Orc", "condition": condition, "data": FITTING[condition]}
    )
    assert spec["Orc"].has(condition)


FITTING: dict[str, dict[str, Any]] = {
    "modifier": {"target": "ac", "value": 1},
    "dazed": {"cannot_act": True, "colour": "green"},
}
