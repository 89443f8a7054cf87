"""Test the budget of a turn: actions, slots and items (DEF-TRN … DEF-UNT)."""

from typing import Any

import pytest

from domain.errors import Illegal, Impossible, Malformed, Unknown
from domain.record.events import EffectResolved, FactSet, Moved, Noted, Rolled, Spent
from tests.rulesets.definitions.units import (
    AXE,
    BOW,
    FIST,
    SHIELD,
    SWORD,
    at,
    end,
    fight,
    fighter,
    foe,
    left,
    passes,
    shown,
    turn_of,
    weapon,
)
from tests.spec import Spec, rule

POTION = {"id": "potion", "name": "potion", "kind": "potion", "effect": {"healing": "2"}}
OIL = {"id": "oil", "name": "oil", "kind": "oil"}
ORB = {"id": "orb", "name": "orb"}
MENDING = {"id": "mend", "name": "Mend", "healing": "1", "cost": "swift"}
MACE = weapon("mace", "1d6")


def alone(spec: Spec, **fields: Any) -> Spec:
    """Begin Ana's turn with nobody near."""
    return fight(spec, fighter("Ana", **fields), foe("Orc", at=[9, 9]))


def watched(spec: Spec, **fields: Any) -> Spec:
    """Begin Ana's turn next to a foe that threatens her."""
    return fight(spec, fighter("Ana", **fields), foe("Orc", weapons=[SWORD]))


def provoked(spec: Spec) -> bool:
    return ("reaction", "reaction", "Orc") in spec.open()


def slots(spec: Spec) -> tuple[Any, Any]:
    held = shown(spec, "Ana")["slots"]
    return held["primary"], held["offhand"]


# ---- the budget


@rule("DEF-TRN-01", "DEF-TRN-03")
def test_one_of_each_in_any_order(spec: Spec) -> None:
    alone(spec, spells=[MENDING], weapons=[SWORD])
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])  # swift
    spec.act("Ana", "move", path=[[1, 0]])
    assert left(spec, "Ana")["standard"] == 1
    end(spec, "Ana")
    assert left(spec, "Ana")["standard"] == 0  # the rest of the budget is lost


@rule("DEF-TRN-02")
def test_what_lasts_to_the_next_turn_ends_first_of_all(spec: Spec) -> None:
    alone(spec).act("Ana", "full-defense")
    end(spec, "Ana", "Orc")
    assert turn_of(spec) == "Ana"
    assert not spec["Ana"].has("full-defense")


@rule("DEF-TRN-02")
def test_also_for_who_cannot_act(spec: Spec) -> None:
    alone(spec)
    spec.rule("set-condition", who="Ana", condition="cannot-act")
    assert turn_of(spec) == "Orc"
    spec.rule("set-condition", who="Orc", condition="prone")
    spec.rule("set-fact", who="Ana", key="immediate", value={"category": "aoo", "times": 1})
    end(spec, "Orc")
    assert turn_of(spec) == "Orc"
    assert shown(spec, "Ana")["immediates_used"] == 0


@rule("DEF-TRN-04", "DEF-INC-03")
@pytest.mark.parametrize(
    ("condition", "rule_id"), [("dead", "DEF-TRN-04"), ("unconscious", "DEF-INC-03")]
)
def test_neither_the_dead_nor_the_unconscious_act(spec: Spec, condition: str, rule_id: str) -> None:
    ward = {"id": "ward", "name": "Ward", "cost": "immediate"}
    fight(spec, fighter("Ana"), foe("Orc", abilities_list=[ward]), foe("Gob", at=[9, 9]))
    spec.rule("set-condition", who="Orc", condition=condition)
    with spec.refused(rule_id, "cannot-act"):
        spec.act("Orc", "use-ability", ability="ward", targets=["Orc"])


@rule("DEF-TRN-04")
def test_who_cannot_act_has_no_turn(spec: Spec) -> None:
    alone(spec)
    spec.rule("set-condition", who="Ana", condition="cannot-act")
    assert turn_of(spec) == "Orc"
    with spec.refused("DEF-TRN-04", "cannot-act"):
        spec.act("Ana", "move", path=[[1, 0]])


@rule("DEF-TRN-05")
def test_the_standard_for_a_second_move_and_not_vice_versa(spec: Spec) -> None:
    alone(spec, weapons=[SWORD])
    spec.act("Ana", "move", path=[[1, 0]])
    with spec.refused("DEF-TRN-03", "move-used"):
        spec.act("Ana", "move", path=[[2, 0]])
    with spec.refused("DEF-TRN-05", "no-standard-left"):
        spec.act("Ana", "grapple", target="Orc", pay="move")
    spec.act("Ana", "move", path=[[2, 0]], pay="standard")
    with spec.refused("DEF-TRN-05", "standard-used"):
        spec.act("Ana", "move", path=[[3, 0]], pay="standard")


@rule("DEF-TRN-06", "DEF-CST-07")
def test_a_standard_action_takes_all_of_it(spec: Spec) -> None:
    light = {"id": "light", "name": "Light", "conditions": [{"id": "lit"}]}
    alone(spec, abilities_list=[light], weapons=[BOW])
    spec.act("Ana", "use-ability", ability="light", targets=["Ana"])
    with spec.refused("DEF-TRN-07", "standard-used"):
        spec.act("Ana", "ranged-attack", target="Orc")
    with spec.refused("DEF-TRN-07", "standard-used"):
        spec.act("Ana", "use-ability", ability="light", targets=["Ana"])


@rule("DEF-TRN-07", "DEF-STD-01")
def test_attack_actions_take_the_standard(spec: Spec) -> None:
    fight(spec, fighter("Ana", base_attack_bonus=6, weapons=[SWORD]), foe("Orc"))
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert left(spec, "Ana")["standard"] == 0
    with spec.refused("DEF-TRN-07", "standard-used"):
        spec.act("Ana", "shove", target="Orc")
    with spec.refused("DEF-TRN-05", "standard-used"):
        spec.act("Ana", "move", path=[[0, 1]], pay="standard")
    spec.act("Ana", "five-foot-step", to=[0, 1])
    spec.act("Ana", "attack", ("attack", 1), target="Orc")  # the second attack, after a step


@rule("DEF-TRN-08", "DEF-MUL-01")
@pytest.mark.parametrize(
    ("bonus", "attacks"),
    [
        (-1, [-1]),
        (5, [5]),
        (6, [6, 1]),
        (11, [11, 6, 1]),
        (16, [16, 11, 6, 1]),
        (21, [21, 16, 11, 6]),
    ],
)
def test_as_many_attacks_as_the_bonus_gives(spec: Spec, bonus: int, attacks: list[int]) -> None:
    alone(spec, base_attack_bonus=bonus)
    assert shown(spec, "Ana")["attack_bonuses"] == attacks
    assert left(spec, "Ana")["attack_actions_left"] == len(attacks)


@rule("DEF-TRN-08")
def test_no_attack_is_left(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"))
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    with spec.refused("DEF-TRN-08", "no-attacks-left"):
        spec.act("Ana", "attack", target="Orc")


@rule("DEF-TRN-09", "DEF-STD-05")
def test_what_its_entry_labels_standard(spec: Spec) -> None:
    lantern = {"id": "lantern", "name": "light a lantern"}
    alone(spec, abilities_list=[lantern])
    spec.act("Ana", "use-ability", ability="lantern")
    assert left(spec, "Ana")["standard"] == 0


# ---- move actions


@rule("DEF-MOV-01")
def test_a_move_goes_as_far_as_the_movement(spec: Spec) -> None:
    alone(spec, movement_ft=10)
    with spec.refused("DEF-MOV-01", "too-far"):
        spec.act("Ana", "move", path=[[1, 0], [2, 0], [3, 0]])
    with spec.refused("DEF-MOV-01", "too-far"):
        spec.act("Ana", "move", path=[[2, 0]])  # not an adjacent square
    spec.act("Ana", "move", path=[[1, 1], [2, 2]])
    assert at(spec, "Ana") == (2, 2)


@rule("DEF-MOV-02", "DEF-AOO-07")
def test_a_five_foot_step_is_a_move_that_provokes_nothing(spec: Spec) -> None:
    watched(spec)
    with spec.refused("DEF-MOV-02", "too-far"):
        spec.act("Ana", "five-foot-step", to=[-2, 0])
    spec.act("Ana", "five-foot-step", to=[-1, 0])
    assert not provoked(spec)
    assert left(spec, "Ana")["move"] == 0
    spec.act("Ana", "five-foot-step", to=[-2, 0], pay="standard")
    assert at(spec, "Ana") == (-2, 0)


@rule("DEF-MOV-03", "DEF-AOO-02")
def test_getting_something_from_a_bag_provokes(spec: Spec) -> None:
    watched(spec, items=[{**POTION, "stored": "bag"}])
    spec.act("Ana", "retrieve-item", item="potion")
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert spec["Ana"].facts["in_hand"] == ["potion"]
    assert left(spec, "Ana")["move"] == 0


@rule("DEF-MOV-04")
def test_items_that_are_swung_provoke(spec: Spec) -> None:
    top = {"id": "top", "name": "top", "activation": "motion", "effect": {"healing": "1"}}
    watched(spec, items=[top], hp=5)
    spec.act("Ana", "activate-item", item="top", targets=["Ana"])
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert spec.hp("Ana") == 6


@rule("DEF-MOV-05")
def test_drawing_standing_still_provokes(spec: Spec) -> None:
    watched(spec, weapons=[SWORD], wielded={"primary": None})
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        spec.act("Ana", "attack", target="Orc")
    spec.act("Ana", "draw-weapon", weapon="sword")
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert slots(spec) == ("sword", None)
    assert left(spec, "Ana")["move"] == 0


@rule("DEF-MOV-06")
def test_standing_up_and_dropping_provoke(spec: Spec) -> None:
    watched(spec)
    with spec.refused("DEF-MOV-06", "not-prone"):
        spec.act("Ana", "stand-up")
    spec.act("Ana", "drop-prone")
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert spec["Ana"].has("prone")
    with spec.refused("DEF-MOV-06", "already-prone"):
        spec.act("Ana", "drop-prone", pay="standard")
    spec.act("Ana", "stand-up", pay="standard")
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert not spec["Ana"].has("prone")


@rule("DEF-MOV-07")
def test_drinking_provokes(spec: Spec) -> None:
    watched(spec, items=[POTION], hp=5)
    spec.act("Ana", "drink-potion", item="potion")
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert spec.hp("Ana") == 7
    with spec.refused("DEF-MOV-07", "no-such-item"):  # the potion is used up
        spec.act("Ana", "drink-potion", item="potion", pay="standard")


@rule("DEF-MOV-08")
def test_the_prone_do_not_walk(spec: Spec) -> None:
    alone(spec)
    spec.rule("set-condition", who="Ana", condition="prone")
    with spec.refused("DEF-MOV-08", "prone"):
        spec.act("Ana", "move", path=[[1, 0]])
    with spec.refused("DEF-MOV-08", "prone"):
        spec.act("Ana", "five-foot-step", to=[1, 0])


@rule("DEF-MOV-09")
def test_everybody_who_threatens_reacts_before_it_takes_effect(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", hp=5, items=[POTION]),
        foe("Orc", weapons=[SWORD]),
        foe("Gob", at=[0, 1], weapons=[SWORD]),
        foe("Far", at=[7, 7], weapons=[SWORD]),
    )
    spec.act("Ana", "drink-potion", item="potion")
    spec.answer("Orc", "pass")
    assert spec.hp("Ana") == 5
    spec.answer("Gob", "pass")
    assert spec.hp("Ana") == 7


# ---- standard actions


@rule("DEF-STD-02")
def test_grapple_and_shove_are_standard_actions(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"))
    spec.act("Ana", "shove", ("touch", 1), target="Orc")
    assert left(spec, "Ana")["standard"] == 0
    with spec.refused("DEF-TRN-07", "standard-used"):
        spec.act("Ana", "grapple", target="Orc")


@rule("DEF-STD-03")
def test_using_an_item_provokes_nothing(spec: Spec) -> None:
    wand = {"id": "wand", "name": "wand", "activation": "use", "effect": {"healing": "1"}}
    watched(spec, items=[wand], hp=5)
    spec.act("Ana", "use-item", item="wand", targets=["Ana"])
    assert not provoked(spec)
    assert spec.hp("Ana") == 6
    assert left(spec, "Ana")["standard"] == 0


@rule("DEF-STD-04")
def test_casting_by_its_cost_provokes(spec: Spec) -> None:
    slow = {"id": "slow", "name": "Slow", "healing": "1", "cost": "move"}
    watched(spec, spells=[slow])
    spec.act("Ana", "cast-spell", spell="slow", targets=["Ana"])
    assert provoked(spec)
    assert (left(spec, "Ana")["move"], left(spec, "Ana")["standard"]) == (0, 1)


# ---- free actions


@rule("DEF-FRE-01")
def test_no_two_free_actions_are_the_same(spec: Spec) -> None:
    roar = {"id": "roar", "name": "Roar", "cost": "free", "conditions": [{"id": "loud"}]}
    sing = {**roar, "id": "sing"}
    alone(spec, abilities_list=[roar, sing])
    spec.act("Ana", "speak", text="one")
    with spec.refused("DEF-FRE-01", "free-action-repeated"):
        spec.act("Ana", "speak", text="two")
    spec.act("Ana", "use-ability", ability="roar", targets=["Ana"])
    spec.act("Ana", "use-ability", ability="sing", targets=["Ana"])
    with spec.refused("DEF-FRE-01", "free-action-repeated"):
        spec.act("Ana", "use-ability", ability="roar", targets=["Ana"])


@rule("DEF-FRE-02")
def test_speaking_in_the_own_turn(spec: Spec) -> None:
    alone(spec)
    with spec.refused("DEF-GEN-02", "not-your-turn"):
        spec.act("Orc", "speak", text="hm")
    spec.act("Ana", "speak", text="To me!")
    assert spec.event(Noted).text == "To me!"


@rule("DEF-FRE-03")
def test_from_a_belt_it_is_free(spec: Spec) -> None:
    watched(spec, items=[{**POTION, "stored": "easy"}])
    spec.act("Ana", "retrieve-item", item="potion")
    assert not provoked(spec)
    assert left(spec, "Ana")["move"] == 1


@rule("DEF-FRE-04")
def test_a_word_is_free(spec: Spec) -> None:
    ring = {"id": "ring", "name": "ring", "activation": "command", "effect": {"healing": "1"}}
    watched(spec, items=[ring], hp=5)
    with spec.refused("DEF-FRE-04", "no-such-item"):
        spec.act("Ana", "command-item", item="rope")
    spec.act("Ana", "command-item", item="ring", targets=["Ana"])
    assert spec.hp("Ana") == 6
    assert not provoked(spec)


@rule("DEF-FRE-05")
def test_drawing_and_sheathing_while_moving(spec: Spec) -> None:
    alone(spec, weapons=[SWORD, MACE])
    with spec.refused("DEF-WLD-06", "no-dual-wield"):
        spec.act("Ana", "move", path=[[1, 0]], draw="mace")
    spec.act("Ana", "five-foot-step", to=[1, 0], draw="mace", stow="sword")
    assert slots(spec) == ("mace", None)
    with spec.refused("DEF-FRE-01", "free-action-repeated"):
        spec.act("Ana", "move", path=[[2, 0]], draw="sword", stow="mace", pay="standard")


@rule("DEF-FRE-06")
def test_asking_ones_knowledge(spec: Spec) -> None:
    fight(spec, fighter("Ana", skills={"history": 4}), foe("Orc", at=[9, 9]), rulings="ask")
    spec.act("Ana", "knowledge-check", ("skill-history", 11), skill="history", about="orcs")
    assert spec.prompt().default is None
    assert spec.prompt().data["total"] == 15  # 11 + 4
    spec.answer(None, "knowledge", dc=15, text="They fear fire.")
    assert spec.event(EffectResolved).text == "They fear fire."
    end(spec, "Ana", "Orc")
    spec.act("Ana", "knowledge-check", ("skill-history", 10), skill="history", about="orcs")
    spec.answer(None, "knowledge", dc=15, text="They fear fire.")
    assert not spec.events(EffectResolved)


@rule("DEF-FRE-07", "DEF-FUL-04")
def test_free_actions_need_nothing_else(spec: Spec) -> None:
    alone(spec).act("Ana", "full-defense")
    spec.act("Ana", "speak", text="come on")
    assert turn_of(spec) == "Ana"


# ---- swift actions


@rule("DEF-SWI-01")
def test_one_swift_action_in_the_own_turn(spec: Spec) -> None:
    alone(spec, spells=[MENDING, {**MENDING, "id": "more"}])
    with spec.refused("DEF-GEN-02", "not-your-turn"):
        spec.act("Orc", "cast-spell", spell="mend")
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    with spec.refused("DEF-SWI-01", "swift-used"):
        spec.act("Ana", "cast-spell", spell="more", targets=["Ana"])


@rule("DEF-TRN-05", "DEF-SWI-02")
@pytest.mark.parametrize("action", ["attack", "feigned-strike", "full-defense"])
def test_neither_a_move_nor_the_swift_pays_for_more_than_it_is(spec: Spec, action: str) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD]), foe("Orc"))
    target = {} if action == "full-defense" else {"target": "Orc"}
    with spec.refused("DEF-TRN-05", "no-standard-left"):
        spec.act("Ana", action, pay="move", **target)
    with spec.refused("DEF-SWI-02", "not-swift"):
        spec.act("Ana", action, pay="swift", **target)


@rule("DEF-TRN-05", "DEF-SWI-02", "DEF-STN-01", "DEF-STN-03")
@pytest.mark.parametrize(
    ("action", "field", "value", "instead"),
    [
        ("attack", "pay", "move", ("standard",)),
        ("trample", "pay", "swift", ("standard",)),
        ("stand-up", "pay", "swift", ("move", "standard")),
        ("knowledge-check", "pay", "swift", ("standard", "move")),
        ("attack", "stance", ["reckless", "defensive"], ("reckless", "defensive")),
        ("trample", "stance", "reckless", ()),
    ],
)
def test_a_refused_price_or_stance_is_the_field_at_fault(
    spec: Spec, action: str, field: str, value: Any, instead: tuple[str, ...]
) -> None:
    fight(
        spec, fighter("Ana", weapons=[SWORD, FIST], conditions=[{"id": "prone"}]),
        foe("Orc"), foe("Gob", at=[9, 9]),
    )  # fmt: skip
    inputs: dict[str, dict[str, Any]] = {
        "attack": {"target": "Orc"},
        "trample": {"path": [[1, 0], [2, 0]]},
        "knowledge-check": {"skill": "arcana"},
    }
    with spec.raises(Illegal) as caught:
        spec.act("Ana", action, **inputs.get(action, {}), **{field: value})
    assert (caught[0].pointer, caught[0].allowed) == (f"/inputs/{field}", instead)


@rule("DEF-TRN-07", "DEF-CHG-06")
def test_only_the_first_attack_takes_the_standard_and_none_of_a_charge(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", weapons=[SWORD], base_attack_bonus=6), foe("Orc", at=[5, 0]),
        foe("Gob", at=[1, 0]),
    )  # fmt: skip
    spec.act("Ana", "attack", ("attack", 1), target="Gob")
    assert [spent.what for spent in spec.events(Spent)] == [{"standard": 1}]
    spec.act("Ana", "attack", ("attack", 1), target="Gob")
    assert not spec.events(Spent)
    end(spec, "Ana", "Orc", "Gob")
    spec.rule("move", who="Gob", to=[9, 9])
    spec.act("Ana", "charge", target="Orc", to=[4, 0])
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert not spec.events(Spent)


@rule("DEF-SWI-02")
def test_only_what_says_swift(spec: Spec) -> None:
    alone(spec, items=[POTION])
    with spec.refused("DEF-SWI-02", "not-swift"):
        spec.act("Ana", "drink-potion", item="potion", pay="swift")
    with spec.refused("DEF-SWI-02", "not-swift"):
        spec.act("Ana", "shove", target="Orc", pay="swift")


@rule("DEF-SWI-03", "DEF-SWI-04")
def test_a_potion_belt(spec: Spec) -> None:
    watched(spec, potion_belt=True, items=[POTION, {**POTION, "id": "second"}], spells=[MENDING])
    spec.act("Ana", "drink-potion", item="potion")
    assert not provoked(spec)
    assert left(spec, "Ana")["swift"] == 0
    with spec.refused("DEF-SWI-01", "swift-used"):
        spec.act("Ana", "drink-potion", item="second")
    spec.act("Ana", "drink-potion", item="second", pay="move")
    assert provoked(spec)


@rule("DEF-SWI-04")
def test_a_swift_spell_does_not_provoke(spec: Spec) -> None:
    watched(spec, spells=[MENDING], hp=5)
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    assert not provoked(spec)


# ---- full-round actions


@rule("DEF-FUL-01")
def test_it_needs_the_whole_turn(spec: Spec) -> None:
    alone(spec).act("Ana", "move", path=[[1, 0]])
    with spec.refused("DEF-FUL-01", "turn-already-used"):
        spec.act("Ana", "full-defense")


@rule("DEF-FUL-02")
def test_after_it_nothing_else(spec: Spec) -> None:
    alone(spec, weapons=[SWORD, BOW], wielded={"primary": "bow"}).act("Ana", "full-defense")
    for action, inputs in (
        ("move", {"path": [[1, 0]]}),
        ("five-foot-step", {"to": [1, 0]}),
        ("shove", {"target": "Orc"}),
        ("ranged-attack", {"target": "Orc"}),
    ):
        with spec.refused("DEF-FUL-02", "full-round-taken"):
            spec.act("Ana", action, **inputs)


@rule("DEF-FUL-03")
def test_no_swift_action_with_it(spec: Spec) -> None:
    alone(spec, spells=[MENDING]).act("Ana", "full-defense")
    with spec.refused("DEF-FUL-03", "no-swift-in-full-round"):
        spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    end(spec, "Ana", "Orc")
    spec.act("Ana", "cast-spell", spell="mend", targets=["Ana"])
    with spec.refused("DEF-FUL-03", "swift-used"):
        spec.act("Ana", "full-defense")


@rule("DEF-FUL-04")
def test_immediate_actions_stay(spec: Spec) -> None:
    undo = {"id": "undo", "name": "Undo", "counterspell": {"check": "level-check", "dc": 1}}
    bolt = {"id": "bolt", "name": "Bolt", "damage": "1d6"}
    fight(spec, fighter("Ana", abilities_list=[undo]), foe("Orc", at=[5, 5], spells=[bolt]))
    spec.act("Ana", "full-defense").act("Ana", "end-turn")
    spec.act("Orc", "cast-spell", spell="bolt", targets=["Ana"])
    assert spec.open() == [("reaction", "reaction", "Ana")]


# ---- slots


@rule("DEF-WLD-01", "DEF-WLD-04")
def test_the_slots_by_the_sheet(spec: Spec) -> None:
    alone(spec, weapons=[FIST, AXE], shield=SHIELD, focus=ORB)
    assert slots(spec) == ("axe", "shield")  # a two-handed weapon with a shield
    assert not shown(spec, "Ana")["free_hand"]


@rule("DEF-WLD-02")
def test_a_weapon_goes_into_the_primary_slot_only(spec: Spec) -> None:
    with spec.raises(Impossible) as caught:
        alone(spec, weapons=[SWORD, MACE], wielded={"offhand": "mace"})
    assert (caught[0].code, caught[0].pointer) == (
        "weapon-primary-only",
        "/combatants/0/sheet/wielded/offhand",
    )
    alone(spec, weapons=[SWORD])
    with spec.refused("DEF-WLD-02", "weapon-primary-only"):
        spec.act("Ana", "ready-item", item="sword")


@rule("DEF-WLD-06")
def test_two_weapons_at_the_same_time(spec: Spec) -> None:
    with spec.raises(Impossible) as caught:
        alone(spec, weapons=[SWORD, MACE], wielded={"primary": "sword", "offhand": "mace"})
    assert (caught[0].rule, caught[0].code) == ("DEF-WLD-06", "no-dual-wield")


@rule("DEF-WLD-03")
def test_offhand_things_in_the_primary_slot(spec: Spec) -> None:
    alone(spec, shield=SHIELD, focus=ORB)
    assert slots(spec) == (None, "shield")
    spec.act("Ana", "ready-item", item="orb", slot="primary")
    assert slots(spec) == ("orb", "shield")  # a focus and a shield


@rule("DEF-WLD-04", "DEF-DMG-02")
def test_two_hands_beside_a_shield_keep_their_strength(spec: Spec) -> None:
    fight(
        spec, fighter("Ana", weapons=[AXE], shield=SHIELD, abilities={"strength": 16}), foe("Orc")
    )
    spec.act("Ana", "attack", ("attack", 10), ("damage", 1), target="Orc")
    assert spec.rolled("damage").total == 5  # 1 + floor(1.5 × 3)


@rule("DEF-WLD-05")
def test_what_is_full_and_what_is_put_away(spec: Spec) -> None:
    watched(spec, weapons=[SWORD], shield=SHIELD, focus=ORB)
    with spec.refused("DEF-WLD-05", "slots-full"):
        spec.act("Ana", "ready-item", item="orb")
    with spec.refused("DEF-WLD-05", "already-ready"):
        spec.act("Ana", "ready-item", item="shield")
    with spec.refused("DEF-WLD-05", "no-such-item"):
        spec.act("Ana", "ready-item", item="hat")
    with spec.refused("DEF-WLD-05", "not-wielded"):
        spec.act("Ana", "stow-item", item="orb")
    spec.act("Ana", "ready-item", item="orb", swap=True)
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert slots(spec) == ("sword", "orb")
    spec.act("Ana", "stow-item", item="sword", pay="standard")
    assert provoked(spec)
    spec.answer("Orc", "pass")
    assert slots(spec) == (None, "orb")


@rule("DEF-WLD-05")
def test_a_weapon_is_not_drawn_into_a_full_slot(spec: Spec) -> None:
    alone(spec, weapons=[SWORD], shield=SHIELD, wielded={"primary": "shield", "offhand": None})
    with spec.refused("DEF-WLD-05", "slots-full"):
        spec.act("Ana", "draw-weapon", weapon="sword")
    spec.act("Ana", "draw-weapon", weapon="sword", swap=True)
    assert slots(spec) == ("sword", None)


@rule("DEF-WLD-06")
def test_no_two_weapons(spec: Spec) -> None:
    alone(spec, weapons=[SWORD, MACE])
    with spec.refused("DEF-WLD-06", "no-dual-wield"):
        spec.act("Ana", "draw-weapon", weapon="mace")
    spec.act("Ana", "draw-weapon", weapon="mace", swap=True)
    assert slots(spec) == ("mace", None)


@rule("DEF-WLD-06")
def test_natural_weapons_need_no_slot(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD, FIST], shield=SHIELD), foe("Orc"))
    spec.act("Ana", "attack", ("attack", 1), target="Orc", weapon="unarmed")


@rule("DEF-WLD-07")
def test_of_two_shields_the_better_counts(spec: Spec) -> None:
    alone(
        spec,
        armor_class={"shield": 1},
        shield=SHIELD,  # the AC component is the bonus of this shield
        second_shield={"id": "wall", "kind": "tower", "name": "wall", "ac_bonus": 4},
        wielded={"primary": "wall"},
    )
    assert slots(spec) == ("wall", "shield")
    assert shown(spec, "Ana")["ac"] == 14
    spec.act("Ana", "stow-item", item="wall")
    assert shown(spec, "Ana")["ac"] == 11
    spec.act("Ana", "stow-item", item="shield", pay="standard")
    assert shown(spec, "Ana")["ac"] == 10


@rule("DEF-WLD-08")
def test_a_sheathed_weapon_strikes_nobody(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[SWORD, MACE]), foe("Orc"))
    with spec.refused("DEF-WLD-08", "weapon-not-ready"):
        spec.act("Ana", "attack", target="Orc", weapon="mace")


# ---- untrained

RAGS = {"name": "rags", "trained": False, "check_penalty": -3}


@rule("DEF-UNT-01", "DEF-UNT-05")
def test_untrained_armor_hampers_attacks_and_movement_skills(spec: Spec) -> None:
    fight(
        spec,
        fighter("Ana", armor=RAGS, weapons=[SWORD], skills={"acrobatics": 5, "history": 2}),
        foe("Orc"),
        rulings="ask",
    )
    assert spec["Ana"].has("untrained-armor")
    spec.act("Ana", "attack", ("attack", 12), target="Orc")
    assert spec.rolled("attack").total == 9
    spec.act("Ana", "move", path=[[1, 0], [2, 0]], acrobatics=True)
    spec.answer(None, "dc", ("skill-acrobatics", 8), dc=10)
    assert spec.rolled("skill-acrobatics").total == 10  # 8 + 5 − 3
    spec.act("Ana", "knowledge-check", ("skill-history", 8), skill="history")
    assert spec.rolled("skill-history").total == 10


@rule("DEF-UNT-02")
@pytest.mark.parametrize(("face", "hp"), [(50, 5), (51, 6)])
def test_half_of_all_spells_fail(spec: Spec, face: int, hp: int) -> None:
    mend = {"id": "mend", "name": "Mend", "healing": "1"}
    alone(spec, armor=RAGS, spells=[mend], abilities_list=[mend], hp=5)
    spec.act("Ana", "cast-spell", ("spell-failure", face), spell="mend", targets=["Ana"])
    assert spec.hp("Ana") == hp
    assert left(spec, "Ana")["standard"] == 0
    end(spec, "Ana", "Orc")
    spec.act("Ana", "use-ability", ability="mend", targets=["Ana"])  # no spell, no failure
    assert not spec.events(Rolled, purpose="spell-failure")


@rule("DEF-UNT-03")
def test_an_untrained_weapon(spec: Spec) -> None:
    fight(spec, fighter("Ana", weapons=[{**SWORD, "trained": False}]), foe("Orc"))
    spec.act("Ana", "attack", ("attack", 13), ("damage", 8), target="Orc")
    assert (spec.rolled("attack").total, spec.rolled("damage").total) == (10, 5)


@rule("DEF-UNT-04")
def test_an_untrained_weapon_threatens_nothing(spec: Spec) -> None:
    clumsy = {**SWORD, "trained": False}
    fight(
        spec,
        fighter("Ana"),
        foe("Orc", weapons=[clumsy]),
        foe("Gob", at=[0, 1], weapons=[clumsy, FIST]),
    )
    assert shown(spec, "Orc")["threatened_squares"] == []
    spec.act("Ana", "move", path=[[-1, 0]])
    assert spec.open() == [("reaction", "reaction", "Gob")]  # its fists are trained


@rule("DEF-UNT-05")
def test_both_add_up_and_trained_armor_costs_nothing(spec: Spec) -> None:
    clumsy = {**SWORD, "trained": False}
    fight(
        spec,
        fighter("Ana", armor=RAGS, weapons=[clumsy], modifiers=[
            {"target": "attack", "value": 1},
        ]),
        foe("Orc", armor={**RAGS, "trained": True}, weapons=[SWORD]),
    )  # fmt: skip
    spec.act("Ana", "attack", ("attack", 10), target="Orc")
    assert spec.rolled("attack").total == 5  # 10 − 3 − 3 + 1
    end(spec, "Ana")
    spec.act("Orc", "attack", ("attack", 9), target="Ana")
    assert spec.rolled("attack").total == 9


# ---- modifiers


def test_modifiers_stack_by_type(spec: Spec) -> None:
    def plus(value: int, type: str | None = None, source: str = "") -> dict[str, Any]:
        return {"target": "ac", "value": value, "type": type, "source": source}

    alone(spec, modifiers=[
        plus(2, "luck"), plus(1, "luck"), plus(1, "dodge"), plus(1, "dodge"), plus(1), plus(1),
        plus(-1, "luck"), plus(-1, "luck"), plus(5, "insight", "ring"), plus(3, "luck", "ring"),
    ])  # fmt: skip
    # Only the highest luck bonus counts: 2. Dodge bonuses, untyped bonuses and penalties add up.
    # Of the two bonuses of the ring, only the highest counts: 5.
    assert shown(spec, "Ana")["ac"] == 10 + 2 + 2 + 2 - 2 + 5


def test_a_bonus_that_does_not_count_shuts_nothing_else_of_its_source_out(spec: Spec) -> None:
    alone(spec, armor_class={"luck": 3}, modifiers=[
        {"target": "ac", "value": 2, "type": "luck", "source": "ring"},
        {"target": "ac", "value": 1, "type": "dodge", "source": "ring"},
    ])  # fmt: skip
    assert shown(spec, "Ana")["ac"] == 10 + 3 + 1  # only the ring's dodge counts


def test_modifiers_end_when_they_say(spec: Spec) -> None:
    alone(spec, modifiers=[
        {"target": "ac", "value": 3, "until": "turn-start:Orc"},
        {"target": "movement_ft", "value": -50, "until": "round-end"},
    ])  # fmt: skip
    assert (shown(spec, "Ana")["ac"], shown(spec, "Ana")["movement_ft"]) == (13, 0)
    end(spec, "Ana")
    assert (shown(spec, "Ana")["ac"], shown(spec, "Ana")["movement_ft"]) == (10, 0)
    end(spec, "Orc")
    assert shown(spec, "Ana")["movement_ft"] == 30


def test_a_modifier_for_nothing_is_refused(spec: Spec) -> None:
    with spec.raises(Malformed) as caught:
        alone(spec, modifiers=[{"target": "beauty", "value": 1}])
    assert caught[0].pointer == "/combatants/0/sheet/modifiers/0/target"


def test_who_passes_all_is_asked_no_more(spec: Spec) -> None:
    passes(watched(spec), "Orc").act("Ana", "move", path=[[-1, 0]])
    assert not provoked(spec)


def test_the_gm_foretells_the_roll_of_any_skill(spec: Spec) -> None:
    fight(spec, fighter("Ana"), foe("Orc"), rulings="ask")
    spec.rule("force-roll", who="Ana", purpose="skill-history", faces=[12])
    with spec.raises(Unknown):
        spec.rule("force-roll", who="Ana", purpose="skill-", faces=[12])
    spec.act("Ana", "knowledge-check", skill="history")
    assert spec.rolled("skill-history").total == 12


def test_what_is_left_is_shown(spec: Spec) -> None:
    """After a move action, no full-round action is left.

    With the feat Battle Prowess, Ana has an immediate action left after her first opportunity, and
    none after her second.
    """
    fight(
        spec,
        fighter("Ana", weapons=[SWORD], feats={"battle_prowess": 1}),
        foe("Orc"),
    )
    assert left(spec, "Ana") == {
        "standard": 1, "move": 1, "swift": 1, "immediate": 1, "full_round": 1,
        "attack_actions_left": 1,
    }  # fmt: skip
    spec.act("Ana", "drop-prone")
    assert (left(spec, "Ana")["move"], left(spec, "Ana")["full_round"]) == (0, 0)
    end(spec, "Ana")
    spec.act("Orc", "move", path=[[2, 0]]).answer("Ana", "aoo", ("attack", 1))
    assert left(spec, "Ana")["immediate"] == 1
    spec.rule("move", who="Orc", to=[1, 0])
    spec.act("Orc", "move", path=[[2, 0]], pay="standard").answer("Ana", "aoo", ("attack", 1))
    assert left(spec, "Ana")["immediate"] == 0


@rule("DEF-FRE-05", "DEF-MOV-01")
def test_a_weapon_is_drawn_with_the_first_step(spec: Spec) -> None:
    alone(spec, weapons=[SWORD, MACE])
    spec.act("Ana", "move", path=[[1, 0], [2, 0]], draw="mace", stow="sword")
    assert slots(spec) == ("mace", None)
    order = [
        "step" if isinstance(event, Moved) else "draw"
        for event in spec.told()
        if isinstance(event, Moved) or (isinstance(event, FactSet) and "mace" in str(event.value))
    ]
    assert order == ["step", "draw", "step"]


@rule("DEF-FRE-05", "DEF-MOV-01")
def test_a_weapon_is_drawn_by_who_moves_without_a_place(spec: Spec) -> None:
    fight(spec, fighter("Ana", at=None, weapons=[SWORD, MACE]), foe("Orc", at=None))
    spec.act("Ana", "move", path=[], draw="mace", stow="sword")
    assert slots(spec) == ("mace", None)
