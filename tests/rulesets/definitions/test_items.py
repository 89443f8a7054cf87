"""Test items and hands: get, draw, pick up, break and disarm."""

from typing import Any

import pytest

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.record.events import FactSet, Moved, Noted, Rolled
from tests.rulesets.definitions.units import (
    BITE,
    BOW,
    DAGGER,
    FIST,
    SHIELD,
    SPEAR,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    shown,
)
from tests.spec import Spec, rule

GEM = {"id": "gem", "name": "gem"}
WAND = {"id": "wand", "name": "wand", "activation": "use", "effect": {
    "damage": "1d6", "range_ft": 10,
}}  # fmt: skip
RING = {**WAND, "id": "ring", "activation": "command"}
TOP = {**WAND, "id": "top", "activation": "motion"}
OIL = {"id": "oil", "name": "oil", "kind": "oil", "effect": {"healing": "1"}}


def asked(spec: Spec) -> list[str | None]:
    return [who for _, name, who in spec.open() if name == "reaction"]


def grappled(spec: Spec, who: str, by: str, *more: str) -> None:
    spec.rule("set-condition", who=who, condition="grappled", data={"with": by})
    for condition in more:
        spec.rule("set-condition", who=who, condition=condition)


# ---- getting items


@rule("DEF-MOV-03", "DEF-FRE-03")
def test_what_is_in_hand_is_not_got_again(spec: Spec) -> None:
    torch = {"id": "torch", "name": "torch", "in_hand": True}
    fight(spec, fighter("Ana", items=[GEM, torch]), foe("Orc", at=[9, 9]))
    with spec.refused("DEF-MOV-03", "already-ready"):
        spec.act("Ana", "retrieve-item", item="torch")
    with spec.refused("DEF-MOV-03", "no-such-item"):
        spec.act("Ana", "retrieve-item", item="rope")
    spec.act("Ana", "retrieve-item", item="gem")
    with spec.refused("DEF-MOV-03", "already-ready"):
        spec.act("Ana", "retrieve-item", item="gem", pay="standard")


@rule("DEF-DIS-08")
def test_what_lies_beside_one_is_picked_up(spec: Spec) -> None:
    lamp = {"id": "lamp", "name": "lamp", "stored": "ground", "at": [1, 1]}
    far = {"id": "far", "name": "far", "stored": "ground", "at": [3, 0]}
    fight(spec, fighter("Ana", items=[GEM]), foe("Orc", at=[9, 9], items=[lamp, far, GEM]))
    with spec.refused("DEF-DIS-08", "not-adjacent"):
        spec.act("Ana", "retrieve-item", item="far")
    spec.act("Ana", "retrieve-item", item="lamp")
    assert left(spec, "Ana")["move"] == 0
    with spec.refused("DEF-MOV-03", "already-ready"):
        spec.act("Ana", "retrieve-item", item="lamp", pay="standard")
    spec.rule("move", who="Ana", to=None)
    spec.act("Ana", "retrieve-item", item="far", pay="standard")  # the distance is unknown
    assert spec.combat.facts["ground"] == []


@rule("DEF-DIS-05", "DEF-DIS-08")
def test_a_weapon_goes_from_hand_to_floor_to_hand(spec: Spec) -> None:
    """Ana's sword gets the id `sword-2` in the hand of Orc, who has a `sword` already.

    Ana then disarms Orc of `sword-2` and takes it back.
    """
    fight(spec, foe("Orc", weapons=[SWORD]), fighter("Ana", weapons=[SWORD]))
    won = (("touch", 15), ("opposed-dexterity", 15), ("opposed-dexterity", 5))
    spec.act("Orc", "disarm", target="Ana")
    spec.answer("Orc", "roll", faces=[15])
    spec.answer("Ana", "pass", *won[1:])
    assert shown(spec, "Ana")["slots"]["primary"] is None
    spec.act("Orc", "retrieve-item", item="sword")  # Orc's hand is full
    assert shown(spec, "Orc")["slots"]["primary"] == "sword"
    end(spec, "Orc", "Ana")
    spec.act("Orc", "draw-weapon", weapon="sword-2", swap=True)
    end(spec, "Orc")
    spec.act("Ana", "disarm", ("touch", 15), target="Orc")
    spec.answer("Orc", "pass", *won[1:])
    (lying,) = spec.combat.facts["ground"]
    assert (lying["id"], lying["owner"]) == ("sword-2", None)
    assert spec["Orc"].facts["carried"] == []
    end(spec, "Ana")
    spec.act("Orc", "draw-weapon", weapon="sword")  # Orc's own sword
    assert shown(spec, "Orc")["slots"]["primary"] == "sword"
    end(spec, "Orc")
    spec.act("Ana", "retrieve-item", item="sword-2")
    spec.answer("Orc", "pass")
    assert shown(spec, "Ana")["slots"]["primary"] == "sword-2"


@rule("DEF-DIS-05")
def test_one_s_own_weapon_is_one_s_own_again(spec: Spec) -> None:
    fight(spec, foe("Orc"), fighter("Ana", weapons=[SWORD]))
    spec.act("Orc", "disarm", ("touch", 15), target="Ana")
    spec.answer("Ana", "pass", ("opposed-dexterity", 15), ("opposed-dexterity", 5))
    assert spec["Ana"].facts["gone"] == ["sword"]
    end(spec, "Orc")
    spec.act("Ana", "retrieve-item", item="sword")
    assert spec["Ana"].facts["gone"] == []
    assert not spec["Ana"].has("disarmed")


@rule("DEF-DIS-06")
def test_without_places_nobody_says_where_it_lies(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc", weapons=[SWORD]))
    spec.act("Ana", "disarm", ("touch", 15), ("opposed-dexterity", 15), ("opposed-dexterity", 5),
             target="Orc")  # fmt: skip
    assert spec.combat.facts["ground"][0]["at"] is None


@rule("DEF-DIS-03")
def test_a_missed_touch_strikes_nothing_away(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[BOW]))
    spec.act("Ana", "disarm", ("touch", 1), target="Orc")
    assert shown(spec, "Orc")["slots"]["primary"] == "bow"


# ---- effects of items


@rule("DEF-MOV-04", "DEF-STD-03", "DEF-FRE-04")
@pytest.mark.parametrize(
    ("action", "item", "missing"),
    [
        ("activate-item", TOP, "DEF-MOV-04"),
        ("use-item", WAND, "DEF-STD-03"),
        ("command-item", RING, "DEF-FRE-04"),
    ],
)
def test_the_right_thing_at_somebody_in_range(
    spec: Spec, action: str, item: dict[str, Any], missing: str
) -> None:
    fight(spec, fighter("Ana", items=[GEM, item]), foe("Orc", at=[2, 0]), foe("Gob", at=[3, 0]))
    with spec.refused(missing, "no-such-item"):
        spec.act("Ana", action, item="gem", targets=["Orc"])
    with spec.refused("DEF-RNG-06", "out-of-range"):
        spec.act("Ana", action, item=item["id"], targets=["Gob"])
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", action, item=item["id"])
    spec.act("Ana", action, ("damage", 4), item=item["id"], targets=["Orc"])
    assert spec.hp("Orc") == 16


@rule("DEF-STD-03", "DEF-CHG-08")
def test_an_oil_takes_the_standard_but_in_a_charge(spec: Spec) -> None:
    fight(spec, fighter("Ana", items=[OIL]), foe("Orc", at=[9, 9]))
    spec.act("Ana", "use-item", item="oil")
    assert (left(spec, "Ana")["standard"], left(spec, "Ana")["swift"]) == (0, 1)
    with spec.refused("DEF-TRN-07", "standard-used"):
        spec.act("Ana", "use-item", item="oil")


@rule("DEF-GPN-01")
@pytest.mark.parametrize(
    ("action", "inputs"),
    [
        ("activate-item", {"item": "top", "targets": ["Orc"]}),
        ("use-item", {"item": "wand", "targets": ["Orc"]}),
        ("drink-potion", {"item": "potion"}),
        ("draw-weapon", {"weapon": "dagger", "swap": True}),
        ("ready-item", {"item": "shield", "slot": "primary", "swap": True}),
        ("stow-item", {"item": "sword"}),
        ("swallow-whole", {"target": "Orc"}),
        ("kill-shot", {"target": "Orc"}),
        ("feigned-strike", {"target": "Orc"}),
        ("shove", {"target": "Orc"}),
        ("trip", {"target": "Orc"}),
        ("disarm", {"target": "Orc"}),
        ("shatter", {"target": "Orc"}),
        ("shield-bash", {"target": "Orc"}),
        ("attack", {"target": "Orc"}),
        ("stand-up", {}),
        ("use-ability", {"ability": "maul", "targets": ["Orc"]}),
        ("cast-spell", {"spell": "maul", "targets": ["Orc"]}),
        ("melee-touch", {"source": "chill", "target": "Orc"}),
    ],
)
def test_what_the_pinned_do_not_do(spec: Spec, action: str, inputs: dict[str, Any]) -> None:
    maul = {"id": "maul", "name": "Maul", "attack": "melee", "damage": "1", "somatic": False}
    chill = {**maul, "id": "chill", "attack": "melee-touch", "cost": "attack_action"}
    potion = {"id": "potion", "name": "potion", "kind": "potion"}
    fight(
        spec,
        fighter(
            "Ana", weapons=[SWORD, DAGGER], shield=SHIELD, items=[TOP, WAND, potion],
            feats={"swallow_bigger": True}, abilities_list=[maul], spells=[maul, chill],
        ),
        foe("Orc", weapons=[SWORD]),
    )  # fmt: skip
    if action == "stand-up":
        spec.rule("set-condition", who="Ana", condition="prone")
    spec.rule("set-condition", who="Orc", condition="helpless")
    grappled(spec, "Ana", "Orc", "pinned")
    with spec.refused("DEF-GPN-01", "pinned"):
        spec.act("Ana", action, **inputs)


# ---- hands


@rule("DEF-MOV-05", "DEF-WLD-05")
def test_what_cannot_be_drawn(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD, FIST]), foe("Orc", at=[9, 9]))
    for id in ("unarmed", "axe"):
        with spec.refused("DEF-MOV-05", "no-such-item"):
            spec.act("Ana", "draw-weapon", weapon=id)
    with spec.refused("DEF-WLD-05", "already-ready"):
        spec.act("Ana", "draw-weapon", weapon="sword")
    with spec.refused("DEF-WLD-05", "not-wielded"):
        spec.act("Ana", "stow-item", item="unarmed")


@rule("DEF-FRE-05")
def test_sheathed_on_the_way_the_hand_is_empty(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD, DAGGER]), foe("Orc", at=[9, 9]))
    with spec.refused("DEF-WLD-05", "not-wielded"):
        spec.act("Ana", "move", path=[[0, 1]], stow="dagger")
    with spec.refused("DEF-WLD-06", "no-dual-wield"):
        spec.act("Ana", "move", path=[[0, 1]], draw="dagger")
    spec.act("Ana", "move", path=[[0, 1]])
    assert not spec.events(FactSet, key="free_used")
    spec.act("Ana", "move", path=[[0, 0]], stow="sword", pay="standard")
    assert shown(spec, "Ana")["slots"]["primary"] is None
    assert shown(spec, "Ana")["free_actions_used"] == ["stow-item"]


@rule("DEF-SHT-01", "DEF-WLD-08")
def test_nobody_shatters_with_bare_hands_or_from_afar(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[BOW]), foe("Orc", at=[2, 0], weapons=[SWORD]))
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        spec.act("Ana", "shatter", target="Orc")
    spec.rule("move", who="Ana", to=[1, 0])
    end(spec, "Ana")
    spec.rule("move", who="Ana", to=[0, 0])
    with spec.refused("DEF-MAN-09", "out-of-reach"):
        spec.act("Orc", "shatter", target="Ana")


@rule("DEF-SHT-04")
def test_a_thing_takes_at_least_nothing(spec: Spec) -> None:
    hard = {**SWORD, "item_hp": 5, "hardness": 20}
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", weapons=[hard]))
    spec.act("Ana", "shatter", ("opposed-attack", 15), ("opposed-attack", 5), ("damage", 3),
             target="Orc")  # fmt: skip
    assert spec["Orc"].facts["wear"] == {"sword": 5}


@rule("DEF-SWL-05", "DEF-SWL-08")
def test_inside_with_nothing_to_cut_with(spec: Spec) -> None:
    fight(spec, fighter("Tim", size="small", weapons=[BOW]), foe("Maw", size="huge", at=[1, 0]))
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    with spec.refused("DEF-SWL-05", "wrong-damage-type"):
        spec.act("Tim", "cut-out")
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        spec.act("Tim", "cut-out", weapon="knife")
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Tim", "retrieve-swallowed")


# ---- minor refusals


@rule("DEF-DIS-01", "DEF-TRP-01", "DEF-FEI-01", "DEF-MAN-09")
@pytest.mark.parametrize(
    ("action", "by", "dice", "after"),
    [
        ("trip", "DEF-MAN-09", [("touch", 9)], "turn"),
        ("disarm", "DEF-MAN-09", [("touch", 9)], "turn"),
        ("feigned-strike", "DEF-FEI-01", [], "feigned-strike-defense"),
    ],
)
def test_two_squares_off_only_a_spear_gets_there(
    spec: Spec, action: str, by: str, dice: list[Any], after: str
) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD, SPEAR]), foe("Orc", at=[2, 0], weapons=[SWORD]))
    with spec.refused(by, "out-of-reach"):
        spec.act("Ana", action, target="Orc")
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", action)
    spec.act("Ana", "draw-weapon", weapon="spear", swap=True)
    spec.act("Ana", action, *dice, target="Orc")
    assert spec.prompt().name == after  # no prompt for combatants out of the spear's reach


@rule("DEF-STN-02", "DEF-TRP-01")
@pytest.mark.parametrize("action", ["trip", "disarm"])
def test_a_stance_goes_with_the_touch_of_an_attack_action(spec: Spec, action: str) -> None:
    fight(spec, fighter("Ana"), foe("Orc", weapons=[BOW]))
    spec.act("Ana", action, ("touch", 10), target="Orc", stance="defensive")
    assert spec.rolled("touch").total == 6


@rule("DEF-KSH-01")
def test_a_kill_shot_with_a_spear(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", weapons=[SPEAR]), foe("Orc", at=[2, 0], nld=20), foe("Gob"),
        fighter("Bo", at=[9, 9]), order=("Bo", "Ana", "Gob", "Orc"),
    )  # fmt: skip
    hold(spec, "Bo", "drop-prone", {"event": "falls"}, slot="move")
    end(spec, "Bo")
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", "kill-shot")
    with spec.refused("DEF-KSH-01", "not-helpless"):
        spec.act("Ana", "kill-shot", target="Gob")
    spec.act("Ana", "kill-shot", target="Orc")
    assert spec["Orc"].has("dead")
    assert asked(spec) == ["Bo"]


@rule("DEF-SHV-03", "DEF-SHV-04", "DEF-GRP-09")
def test_how_far_a_shove_may_go(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), fighter("Bo", at=[0, 1]))
    for distance in (0, 3, 7):
        with spec.refused("DEF-SHV-03", "too-far"):
            spec.act("Ana", "shove", target="Orc", distance=distance)
    spec.act("Ana", "shove", ("touch", 15), ("opposed-strength", 15), ("opposed-strength", 5),
             target="Orc", distance=10)  # fmt: skip
    assert at(spec, "Orc") == (3, 0)
    assert spec.event(Moved).forced
    spec.rule("set-budget", who="Ana", budget={"standard": 1})
    grappled(spec, "Ana", "Bo")
    with spec.refused("DEF-GRP-10", "grappled"):
        spec.act("Ana", "shove", target="Bo")


@rule("DEF-SHV-04")
def test_a_shove_without_places_is_the_gms(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None), foe("Orc"))
    spec.act("Ana", "shove", ("touch", 15), ("opposed-strength", 9), ("opposed-strength", 5),
             target="Orc")  # fmt: skip
    assert spec.event(Noted).text == "Orc is pushed 5 ft: the GM places it"
    assert at(spec, "Orc") == (1, 0)


@rule("DEF-SHV-01")
def test_a_shove_that_is_lost_pushes_nobody(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    spec.act("Ana", "shove", ("touch", 15), ("opposed-strength", 5), ("opposed-strength", 15),
             target="Orc")  # fmt: skip
    assert at(spec, "Orc") == (1, 0)


@rule("DEF-CHG-02")
def test_a_charge_names_its_square(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD], at=[0, 0]), foe("Orc", at=[6, 0]))
    with spec.refused("DEF-CHG-02", "charge-too-short"):
        spec.act("Ana", "charge", target="Orc")
    with spec.refused("DEF-CHG-03", "not-toward-foe"):  # not nearer than before
        spec.act("Ana", "charge", target="Orc", to=[0, 6])
    for part in ({"attacks": [{"action": "attack", "inputs": {"x": 1}}]},
                 {"swift": {"action": "drink-potion", "inputs": {}}}):  # fmt: skip
        with spec.refused("DEF-CHG-06", "not-in-charge"):
            spec.act("Ana", "charge", target="Orc", to=[5, 0], **part)


@rule("DEF-CHG-05", "DEF-TRM-02")
def test_charge_and_trample_without_places_are_in_the_gms_mind(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", at=None, weapons=[FIST]), foe("Orc", weapons=[SWORD]),
        foe("Gob", at=[9, 9]), rulings="ask",
    )  # fmt: skip
    spec.act("Ana", "charge", target="Orc",
             attacks=[{"action": "attack", "inputs": {"target": "Orc"}}])  # fmt: skip
    spec.answer(None, "names", names=["Orc"])
    spec.answer("Orc", "pass")
    assert spec.prompt().name == "reach"
    spec.answer(None, "no")
    assert spec.open() == [("turn", "turn", "Ana")]
    end(spec, "Ana", "Orc", "Gob")
    with spec.refused("DEF-ATK-06", "no-target"):
        spec.act("Ana", "trample")
    spec.act("Ana", "trample", targets=["Orc", "Gob"])
    spec.answer(None, "nobody", name="threatened")
    spec.answer(None, "yes", ("touch", 1), name="reach")
    spec.answer(None, "nobody", name="threatened")
    assert spec.open() == [("turn", "turn", "Ana")]  # the trample stops
    assert [rolled.who for rolled in spec.events(Rolled)] == []


# ---- holding


@rule("DEF-HLD-02", "DEF-FUL-02")
def test_what_is_held_must_be_something(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc", at=[5, 5]))
    with spec.refused("DEF-HLD-02", "hold-needs-action"):
        hold(spec, "Ana", "attack", {"event": "speaks"}, tgt="Orc")
    spec.act("Ana", "full-defense")
    with spec.refused("DEF-FUL-02", "full-round-taken"):
        hold(spec, "Ana", "attack", {"event": "speaks"}, target="Orc")


@rule("DEF-HLD-01", "DEF-DLY-01")
def test_to_hold_is_to_act(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), fighter("Ana", weapons=[SWORD]), foe("Orc"))
    hold(spec, "Bo", "drop-prone", {"event": "acts", "action": "hold-action"}, slot="move")
    end(spec, "Bo")
    hold(spec, "Ana", "attack", {"event": "speaks"}, target="Orc")
    assert asked(spec) == ["Bo"]
    spec.answer("Bo", "keep")
    with spec.refused("DEF-DLY-01", "cannot-delay"):
        spec.act("Ana", "delay")


@rule("DEF-HLD-05", "DEF-HLD-07")
def test_only_its_owner_or_the_gm_reports_a_trigger(spec: Spec) -> None:
    fight(spec, fighter("Ana"), fighter("Bo", at=[9, 9]), foe("Orc", at=[5, 5]))
    hold(spec, "Ana", "drop-prone", {"text": "thunder"}, slot="move")
    bo = Caller("bo", "player", ("Bo",))
    with spec.refused("DEF-HLD-05", "not-holding"):
        spec.do(Act("Bo", "report-trigger", {"combatant": "Ana"}), by=bo)
    spec.rule("set-fact", combatant="Ana", key="immediate", value={"category": "aoo", "times": 1})
    with spec.refused("DEF-IMM-05", "immediate-exclusive"):
        spec.act("Ana", "report-trigger")


@rule("DEF-DLY-04")
def test_who_does_not_delay_resumes_nothing(spec: Spec) -> None:
    fight(spec, fighter("Ana"), fighter("Bo", at=[9, 9]), foe("Orc", at=[5, 5]))
    for who in ("Ana", "Orc"):
        with spec.refused("DEF-DLY-04", "cannot-resume"):
            spec.act(who, "resume-from-delay")
    spec.act("Ana", "delay").act("Bo", "delay")
    spec.answer("Ana", "wait")
    end(spec, "Orc")
    assert spec.prompt().who == "Ana"
    with spec.refused("DEF-DLY-04", "cannot-resume"):  # Bo has no prompt yet
        spec.act("Bo", "resume-from-delay")
    spec.rule("set-condition", who="Bo", condition="cannot-act")
    with spec.refused("DEF-TRN-04", "cannot-act"):
        spec.act("Bo", "resume-from-delay")


@rule("DEF-GRM-01")
@pytest.mark.parametrize(("feet", "steps"), [(30, 3), (25, 2), (15, 1)])
def test_half_of_the_movement_in_whole_squares(spec: Spec, feet: int, steps: int) -> None:
    fight(spec, fighter("Ana", movement_ft=feet, weapons=[BITE]), foe("Orc"))
    grappled(spec, "Orc", "Ana")
    path = [[0, step] for step in range(1, steps + 2)]
    with spec.refused("DEF-GRM-01", "too-far"):
        spec.act("Ana", "grapple-move", path=path)
    spec.act("Ana", "grapple-move", ("opposed-grapple", 15), ("opposed-grapple", 5),
             path=path[:-1])  # fmt: skip
    assert (at(spec, "Ana"), at(spec, "Orc")) == ((0, steps), (1, steps))
    assert {moved.who: moved.forced for moved in spec.events(Moved)} == {"Ana": False, "Orc": True}


@rule("DEF-GRM-01", "DEF-HLD-06")
def test_being_drawn_along_is_a_movement_of_the_aggressor_alone(spec: Spec) -> None:
    fight(spec, fighter("Bo", at=[9, 9]), fighter("Ana"), foe("Orc"))
    hold(spec, "Bo", "drop-prone", {"event": "moves"}, slot="move")
    end(spec, "Bo")
    grappled(spec, "Orc", "Ana")
    spec.act("Ana", "grapple-move", ("opposed-grapple", 15), ("opposed-grapple", 5),
             path=[[0, 1], [0, 2]])  # fmt: skip
    assert asked(spec) == ["Bo"]
    assert at(spec, "Ana") == (0, 1)
    spec.answer("Bo", "keep")
    assert spec.open() == [("turn", "turn", "Ana")]
    assert at(spec, "Orc") == (1, 2)


@rule("DEF-SHT-04")
@pytest.mark.parametrize(("left_of_it", "dice"), [(1, ("1d8",)), (0, ())])
def test_a_weapon_serves_to_its_last_point(
    spec: Spec, left_of_it: int, dice: tuple[str, ...]
) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD, FIST]), foe("Orc"))
    spec.rule("set-fact", who="Ana", key="wear", value={"sword": left_of_it})
    spec.act("Ana", "attack", ("attack", 15), ("damage", 1), target="Orc")
    assert tuple(rolled.formula for rolled in spec.events(Rolled, formula="1d8")) == dice
