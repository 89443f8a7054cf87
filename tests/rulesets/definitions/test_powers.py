"""Test how powers are chosen, used and aimed (DEF-CST, DEF-TCH-07)."""

from typing import Any

import pytest

from domain.record.events import EffectResolved, Healed, Noted, Prevented, Prompted, Rolled
from tests.rulesets.definitions.units import BITE, SWORD, end, fight, fighter, foe, hold, left
from tests.spec import Spec, rule

CHILL = {"id": "chill", "name": "Chill", "attack": "melee-touch", "cost": "attack_action",
         "damage": "1d4"}  # fmt: skip
SCREAM = {"id": "scream", "name": "Scream", "damage": "1d6", "range_ft": 10}
BOLT = {"id": "bolt", "name": "Bolt", "damage": "2d6"}
LAYING = {"id": "laying", "name": "Laying on", "attack": "melee-touch", "healing": "1d8"}
DRAIN = {"id": "drain", "name": "Drain", "damage": "1d6", "healing": "1d6"}
UNDO = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}


def user(spec: Spec, ours: dict[str, Any], **theirs: Any) -> Spec:
    """Begin with Ana next to Orc. Gob is far away."""
    return fight(spec, fighter("Ana", **ours), foe("Orc", **theirs), foe("Gob", at=[9, 9]))


@pytest.mark.parametrize(
    ("action", "inputs", "rule_id", "code"),
    [
        ("cast-spell", {"spell": "wish"}, "DEF-CST-01", "no-such-spell"),
        ("cast-spell", {"spell": "chill", "targets": ["Orc"]}, "DEF-TCH-07", "is-attack-action"),
        ("use-ability", {"ability": "wish"}, "DEF-CST-06", "no-such-ability"),
        ("use-ability", {"ability": "chill", "targets": ["Orc"]}, "DEF-TCH-07",
         "is-attack-action"),
        ("use-ability", {"ability": "scream"}, "DEF-ATK-06", "no-target"),
        ("use-ability", {"ability": "scream", "targets": ["Gob"]}, "DEF-RNG-06", "out-of-range"),
        ("melee-touch", {"source": "wish", "target": "Orc"}, "DEF-TCH-07",
         "not-an-attack-action"),
        ("melee-touch", {"source": "chill"}, "DEF-ATK-06", "no-target"),
        ("cast-spell", {"spell": "laying"}, "DEF-ATK-06", "no-target"),
        ("cast-spell", {"spell": "drain"}, "DEF-ATK-06", "no-target"),
    ],
)  # fmt: skip
@rule("DEF-CST-01", "DEF-CST-06", "DEF-TCH-07")
def test_only_what_is_on_the_sheet_as_what_it_is(
    spec: Spec, action: str, inputs: dict[str, Any], rule_id: str, code: str
) -> None:
    user(spec, {"spells": [CHILL, LAYING, DRAIN], "abilities_list": [CHILL, SCREAM]})
    with spec.refused(rule_id, code):
        spec.act("Ana", action, **inputs)
    assert left(spec, "Ana")["standard"] == 1


@rule("DEF-INC-03", "DEF-TRN-04")
def test_the_unconscious_cast_nothing_whoever_acts(spec: Spec) -> None:
    """Orc cannot cast while it is unconscious.

    The refusal gives this reason, and not that it is Ana's turn.
    """
    user(spec, {}, spells=[BOLT, {**BOLT, "id": "flash", "cost": "immediate"}], nld=20)
    for spell in ("bolt", "flash"):
        with spec.refused("DEF-INC-03", "cannot-act"):
            spec.act("Orc", "cast-spell", spell=spell, targets=["Ana"])


@rule("DEF-CST-06", "DEF-TCH-07")
def test_the_touch_of_an_ability_is_no_casting(spec: Spec) -> None:
    """The touch of an ability is no spell: nobody counters it, and armor does not spoil it.

    The touch needs no gesture, so a grappled combatant can use it.
    """
    rags = {"name": "rags", "trained": False}
    user(spec, {"abilities_list": [CHILL], "armor": rags}, abilities_list=[UNDO], weapons=[BITE])
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    spec.act("Ana", "melee-touch", ("touch", 15), ("damage", 3), target="Orc", source="chill")
    assert spec.hp("Orc") == 17


@rule("DEF-GSP-01", "DEF-TCH-07")
def test_the_touch_of_a_spell_needs_gestures(spec: Spec) -> None:
    user(spec, {"spells": [CHILL], "feats": {"signless_spell": True}}, weapons=[BITE])
    spec.rule("set-condition", who="Ana", condition="grappled", data={"with": "Orc"})
    with spec.refused("DEF-GSP-01", "somatic-blocked"):
        spec.act("Ana", "melee-touch", target="Orc", source="chill")
    spec.act("Ana", "melee-touch", ("touch", 1), target="Orc", source="chill", signless=True)


@rule("DEF-STN-02", "DEF-STN-03")
def test_a_stance_goes_with_the_touch_of_an_ability_never_of_a_spell(spec: Spec) -> None:
    user(spec, {"spells": [CHILL], "abilities_list": [{**CHILL, "id": "claw"}],
                "base_attack_bonus": 6})  # fmt: skip
    with spec.refused("DEF-STN-03", "stance-not-allowed"):
        spec.act("Ana", "melee-touch", target="Orc", source="chill", stance="defensive")
    spec.act("Ana", "melee-touch", ("touch", 3), target="Orc", source="claw", stance="defensive")
    assert spec.rolled("touch").total == 5  # 3 + 6 − 4


@rule("DEF-HLD-11")
def test_a_held_action_at_nobody_is_lost(spec: Spec) -> None:
    user(spec, {"weapons": [SWORD]})
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Zed")
    end(spec, "Ana")
    spec.act("Orc", "speak", text="ho")
    spec.answer("Ana", "resolve")
    prevented = spec.event(Prevented)
    assert (prevented.reason, prevented.rules) == ("gone", ("DEF-ATK-01", "DEF-HLD-11"))
    assert not spec.events(Rolled)


# ---- effects


@rule("DEF-CST-03", "DEF-REC-05")
@pytest.mark.parametrize(
    ("formula", "face", "saved", "healed"),
    [("1d8", 5, False, 5), ("1d8", 5, True, 2), ("1d8-4", 1, False, 0), ("1d8-4", 1, True, 0)],
)
def test_half_of_a_healing(spec: Spec, formula: str, face: int, saved: bool, healed: int) -> None:
    """A save halves the healing. The half is rounded down and is never below 0."""
    mend = {"id": "mend", "name": "Mend", "healing": formula,
            "save": {"kind": "will", "dc": 10, "on_success": "half"}}  # fmt: skip
    user(spec, {"spells": [mend]}, hp=10)
    spec.act("Ana", "cast-spell", ("save-will", 10 if saved else 9), ("healing", face),
             spell="mend", targets=["Orc"])  # fmt: skip
    assert spec.hp("Orc") == 10 + healed
    halved = [term.value for term in spec.event(Healed).terms if term.source == "saved: half"]
    assert halved == ([healed - max(0, face - (4 if "-" in formula else 0))] if saved else [])


@rule("DEF-CST-03", "DEF-DMG-06")
@pytest.mark.parametrize(("saved", "hp"), [(False, 17), (True, 19)])
def test_whoever_saves_for_half_keeps_nothing_else(spec: Spec, saved: bool, hp: int) -> None:
    mire = {
        "id": "mire", "name": "Mire", "damage": "1d6", "conditions": [{"id": "prone"}],
        "save": {"kind": "reflex", "dc": 10, "on_success": "half"},
    }  # fmt: skip
    user(spec, {"spells": [mire]})
    spec.act("Ana", "cast-spell", ("save-reflex", 10 if saved else 9), ("damage", 3),
             spell="mire", targets=["Orc"])  # fmt: skip
    assert spec.hp("Orc") == hp  # 3, or half of it
    assert spec["Orc"].has("prone") is not saved


@rule("DEF-CST-03", "DEF-HP-06")
def test_nothing_more_befalls_whom_it_kills(spec: Spec) -> None:
    mire = {"id": "mire", "name": "Mire", "damage": "1d6",
            "conditions": [{"id": "flat-footed"}]}  # fmt: skip
    fight(spec, fighter("Ana", spells=[mire]), foe("Orc", hp=0), foe("Gob"), rulings="ask")
    spec.act("Ana", "cast-spell", ("damage", 3), spell="mire", targets=["Orc"])
    spec.answer(None, "dead", name="hit-while-down")
    assert not spec["Orc"].has("flat-footed")


@rule("DEF-DMG-06")
def test_only_what_hits_by_a_roll_deals_at_least_1(spec: Spec) -> None:
    weak = {"id": "weak", "name": "Weak", "damage": "1d4-4"}
    user(spec, {"spells": [weak, {**weak, "id": "slap", "attack": "melee-touch"}]})
    spec.act("Ana", "cast-spell", ("damage", 1), spell="weak", targets=["Orc"])
    assert spec.hp("Orc") == 20
    end(spec, "Ana", "Orc", "Gob")
    spec.act("Ana", "cast-spell", ("touch", 10), ("damage", 1), spell="slap", targets=["Orc"])
    assert spec.hp("Orc") == 19


@rule("DEF-DMG-01", "DEF-TCH-07")
def test_nothing_befalls_whom_it_does_not_get_to_any_more(spec: Spec) -> None:
    stun = {**CHILL, "conditions": [{"id": "flat-footed"}]}
    user(spec, {"abilities_list": [stun]})
    spec.act("Ana", "melee-touch", ("touch", 15), target="Orc", source="chill")
    spec.rule("move", who="Orc", to=[5, 5])
    assert spec.prompt().name == "turn"
    assert spec.hp("Orc") == 20
    assert not spec["Orc"].has("flat-footed")


@rule("DEF-CST-05")
def test_a_power_of_which_nothing_is_known_is_for_nobody_in_particular(spec: Spec) -> None:
    wonder = {"id": "wonder", "name": "Wonder"}
    fight(spec, fighter("Ana", spells=[wonder]), foe("Orc", at=[9, 9]), rulings="ask")
    spec.act("Ana", "cast-spell", spell="wonder")
    assert spec.prompt().name == "spell-effect"
    assert spec.prompt().data["targets"] == []


@rule("DEF-RTC-02", "DEF-RTC-03", "DEF-CST-06")
@pytest.mark.parametrize(
    ("cost", "action", "asked"),
    [("attack_action", "ranged-touch", True), ("standard", "use-ability", False)],
)
def test_a_shot_of_an_ability_provokes_as_an_attack_action(
    spec: Spec, cost: str, action: str, asked: bool
) -> None:
    """A ranged ability provokes only if it costs an attack action."""
    spit = {"id": "spit", "name": "Spit", "attack": "ranged-touch", "damage": "1d4",
            "cost": cost}  # fmt: skip
    user(spec, {"abilities_list": [spit]}, weapons=[SWORD])
    inputs: dict[str, Any] = {"ability": "spit", "targets": ["Orc"]}
    if cost == "attack_action":
        inputs = {"source": "spit", "target": "Orc"}
    spec.act("Ana", action, **inputs)
    assert (("reaction", "reaction", "Orc") in spec.open()) is asked
    if asked:
        spec.answer("Orc", "pass")
    spec.answer("Ana", "roll", faces=[9])
    assert spec.rolled("touch").outcome == "miss"


@rule("DEF-RNG-04", "DEF-RNG-05")
@pytest.mark.parametrize(("face", "struck"), [(50, "Gob"), (51, "Orc")])
def test_whom_a_shot_into_a_grapple_goes_for(spec: Spec, face: int, struck: str) -> None:
    ray = {"id": "ray", "name": "Ray", "attack": "ranged-touch", "damage": "1d6"}
    fight(spec, fighter("Ana", spells=[ray], at=[5, 5]), foe("Orc"), foe("Gob", at=[0, 0]))
    spec.rule("set-condition", who="Orc", condition="grappled", data={"with": "Gob"})
    spec.act("Ana", "cast-spell", ("miss-chance", face), ("touch", 19), ("damage", 2),
             spell="ray", targets=["Orc"])  # fmt: skip
    assert spec.hp(struck) == 18
    assert [noted.text for noted in spec.events(Noted)] == (
        ["The shot goes for Gob"] if struck == "Gob" else []
    )
    assert spec.rolled("miss-chance").target == 51


@rule("DEF-IMM-10", "DEF-CNT-02")
def test_who_may_not_counter_is_not_asked(spec: Spec) -> None:
    user(spec, {"spells": [BOLT]}, abilities_list=[UNDO])
    spec.rule("set-fact", combatant="Orc", key="immediate", value={"category": "aoo", "times": 1})
    spec.act("Ana", "cast-spell", ("damage", 1, 1), spell="bolt", targets=["Gob"])
    assert not spec.events(Prompted, name="reaction")


@rule("DEF-ATK-06", "DEF-CST-01")
def test_nothing_is_cast_at_the_dead(spec: Spec) -> None:
    user(spec, {"spells": [BOLT], "abilities_list": [SCREAM]})
    spec.rule("set-condition", who="Orc", condition="dead")
    for action, power in (
        ("cast-spell", {"spell": "bolt"}),
        ("use-ability", {"ability": "scream"}),
    ):
        with spec.refused("DEF-ATK-06", "target-dead"):
            spec.act("Ana", action, targets=["Orc"], **power)


@rule("DEF-CNT-04", "DEF-IMM-10")
def test_what_is_countered_is_countered_by_one(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", spells=[BOLT]), foe("Orc", abilities_list=[UNDO]),
        foe("Gob", at=[9, 9], abilities_list=[UNDO]),
    )  # fmt: skip
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Orc", "counterspell", ("level-check", 5))
    assert not spec.events(Prompted, name="reaction")
    assert spec.prompt().name == "turn"


@rule("DEF-CST-02", "DEF-CRT-08")
def test_each_shot_of_a_power_rolls_its_own_damage(spec: Spec) -> None:
    rays = {"id": "rays", "name": "Rays", "attack": "ranged-touch", "damage": "1d6"}
    user(spec, {"spells": [rays]})
    spec.act("Ana", "cast-spell", ("touch", 15), ("touch", 15), ("damage", 2), ("damage", 5),
             spell="rays", targets=["Orc", "Gob"])  # fmt: skip
    assert (spec.hp("Orc"), spec.hp("Gob")) == (18, 15)


@rule("DEF-CST-02", "DEF-IMM-01", "DEF-CNT-02")
def test_a_casting_goes_on_after_an_immediate_one_in_its_midst(spec: Spec) -> None:
    """An immediate spell during Ana's casting does not end that casting.

    Hex casts a ward while Orc's prompt is open. After that, Zed can still counter Ana's spell.
    """
    ward = {"id": "ward", "name": "Ward", "cost": "immediate",
            "modifiers": [{"target": "ac", "value": 2}]}  # fmt: skip
    fight(
        spec, fighter("Ana", spells=[BOLT]), foe("Orc", weapons=[SWORD]),
        foe("Hex", at=[5, 5], spells=[ward]), foe("Zed", at=[9, 9], abilities_list=[UNDO]),
    )  # fmt: skip
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Hex"])
    spec.act("Hex", "cast-spell", spell="ward")
    spec.answer("Orc", "pass")
    assert (spec.prompt().who, spec.prompt().data["spell"]) == ("Zed", "bolt")
    spec.answer("Zed", "pass", ("damage", 1, 1))
    assert "casting" not in spec.combat.facts


@rule("DEF-CNT-02", "DEF-CNT-04")
def test_until_its_effect_a_spell_can_be_countered_and_no_longer(spec: Spec) -> None:
    """Orc can still counter a spell after a pass, until the failure roll is made."""
    rags = {"name": "rags", "trained": False}
    user(spec, {"spells": [BOLT], "armor": rags}, abilities_list=[UNDO])
    spec.act("Ana", "cast-spell", spell="bolt", targets=["Orc"])
    spec.answer("Orc", "pass", ("spell-failure", 51))
    with spec.refused("DEF-CNT-02", "no-spell"):
        spec.act("Orc", "counterspell")
    spec.undo()
    spec.act("Orc", "counterspell", ("level-check", 5), ("spell-failure", 51))
    assert spec.event(EffectResolved).result == "countered"
    assert spec.hp("Orc") == 20
    assert left(spec, "Ana")["standard"] == 0
