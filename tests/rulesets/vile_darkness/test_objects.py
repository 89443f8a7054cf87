"""Test attacks at objects. A routine has one target (VD-ROUT-02)."""

import pytest

from domain.errors import Impossible, Malformed
from domain.record.events import EffectResolved, Prevented, Rolled
from domain.rulesets.vile_darkness.facts import OBJECTS, Thing
from tests.rulesets.vile_darkness.units import (
    BOW,
    asked,
    begin,
    engaged,
    foe,
    hero,
    spell,
    until,
    weapon,
)
from tests.spec import Spec, rule

CLAWS = {
    "id": "claws",
    "kind": "melee",
    "attacks": [{"damage": ["1d3"], "count": 2}, {"damage": ["1d6"]}],
}


def at_the_door(spec: Spec, **ana: object) -> Spec:
    """Begin the slot of melee with Ana HIGH."""
    spec.given(hero("Ana", **ana), foe("Orc", max_hp=40))
    return until(begin(spec, 5, 2), "group/HIGH/D3")


@rule("VD-ROUT-02", "VD-ATK-01")
@pytest.mark.parametrize(("face", "outcome", "damage"), [(7, "miss", 0), (8, "hit", 6)])
def test_the_gm_says_the_armour_class_of_an_object(
    spec: Spec, face: int, outcome: str, damage: int
) -> None:
    at_the_door(spec)
    spec.act("Ana", "attack", target={"object": "door"})
    dice = [("attack", face), *([("damage", 6)] if damage else [])]
    spec.answer(None, "set", *dice, name="object", ac=7)  # 15 − 7 = 8
    assert (spec.rolled("attack").target, spec.rolled("attack").outcome) == (8, outcome)
    assert OBJECTS.of(spec.combat) == {"door": Thing(7, damage)}
    assert (spec.hp("Orc"), spec.combat["Ana"].has("engaged")) == (40, False)


@rule("VD-ROUT-02")
def test_an_object_keeps_its_armour_class_and_its_damage(spec: Spec) -> None:
    at_the_door(spec)
    spec.act("Ana", "attack", target={"object": "door"})
    spec.answer(None, "set", ("attack", 20), ("damage", 2), name="object", ac=3)
    until(spec, "end-of-round").answer(None, "next-round", name="end-of-round")
    spec.rule("close-declare", ("group-initiative", 5), ("group-initiative", 2))
    until(spec, "group/HIGH/D3").act("Ana", "attack", target={"object": "door"})
    spec.answer(None, "set", ("attack", 12), ("damage", 5), name="object")
    assert spec.rolled("attack").target == 12
    assert OBJECTS.of(spec.combat) == {"door": Thing(3, 7)}


@rule("VD-ROUT-02", "VD-ROUT-03")
def test_all_blows_of_a_routine_go_to_the_object(spec: Spec) -> None:
    at_the_door(spec, weapons=[], routines=[CLAWS])
    spec.act("Ana", "attack", target={"object": "chest"})
    spec.answer(
        None, "set", ("attack", 5), ("damage", 1), ("attack", 4), ("attack", 19), ("damage", 6),
        name="object",
    )  # fmt: skip
    assert [roll.target for roll in spec.events(Rolled, purpose="attack")] == [5, 5, 5]  # 15 − 10
    assert OBJECTS.of(spec.combat) == {"chest": Thing(10, 7)}


@rule("VD-ROUT-02", "VD-MAJ-04")
def test_an_object_out_of_reach_costs_nothing(spec: Spec) -> None:
    at_the_door(spec)
    spec.act("Ana", "attack", target={"object": "bell"})
    spec.answer(None, "refuse", name="object")
    assert spec.event(Prevented).reason == "out-of-reach"
    spec.act("Ana", "attack", ("attack", 1), target="Orc")
    assert OBJECTS.of(spec.combat) == {}


@rule("VD-ROUT-02", "VD-SPACE-01")
def test_the_weapon_must_serve_at_an_object_too(spec: Spec) -> None:
    crossbow = weapon("crossbow", kind="missile", range_ft=60, loading="load-light-crossbow")
    spec.given(hero("Ana", weapons=[crossbow]), foe("Orc"))
    until(begin(spec, 5, 2), "group/HIGH/D2")
    with spec.refused("VD-DLYG-04", "not-loaded"):
        spec.act("Ana", "attack", target={"object": "rope"})


@rule("VD-ROUT-02", "VD-DMG-03")
def test_multipliers_count_and_modifiers_of_the_moment(spec: Spec) -> None:
    pick = weapon("pick", "1d4", multipliers=[{"when": "prying", "factor": 2}])
    at_the_door(spec, weapons=[pick])
    spec.rule("modifier", attacker="Ana", value=2)
    spec.act("Ana", "attack", target={"object": "lock"}, circumstances=["prying"])
    spec.answer(None, "set", ("attack", 3), ("damage", 4), name="object")
    assert (spec.rolled("attack").total, OBJECTS.of(spec.combat)) == (5, {"lock": Thing(10, 8)})


@rule("VD-ROUT-02", "VD-CONC-09")
def test_an_attack_at_an_object_ends_what_is_maintained(spec: Spec) -> None:
    ward = spell("ward", 1, category="innate", targets="self", range_ft=0, damage=None,
                 concentration_to_maintain=True)  # fmt: skip
    spec.given(hero("Ana", abilities=[ward]), foe("Orc"))
    until(begin(spec, 5, 2), "group/HIGH/D1").act("Ana", "innate", ability="ward")
    assert spec.combat["Ana"].has("concentrating")
    until(spec, "group/HIGH/D3").act("Ana", "attack", target={"object": "door"})
    spec.answer(None, "set", ("attack", 1), name="object")
    assert not spec.combat["Ana"].has("concentrating")


@rule("VD-ROUT-02", "VD-INIT-07")
def test_two_hit_one_object_in_one_moment(spec: Spec) -> None:
    spec.given(hero("Ana"), foe("Orc"))
    until(begin(spec, 4, 4), "group/HIGH/D3")
    spec.act("Ana", "attack", target={"object": "door"}).act(
        "Orc", "attack", target={"object": "door"}
    )
    spec.answer(None, "set", name="object", ac=5)
    assert asked(spec) == [("object", None)]
    spec.answer(
        None, "set", ("attack", 10), ("damage", 3), ("attack", 10), ("damage", 4), name="object"
    )
    assert OBJECTS.of(spec.combat) == {"door": Thing(5, 7)}


@rule("VD-ROUT-02", "VD-CALL-01", "VD-CALL-02")
@pytest.mark.parametrize(("face", "result"), [(19, "failed"), (20, "ruled")])
def test_a_called_shot_at_a_spot_of_an_object(spec: Spec, face: int, result: str) -> None:
    at_the_door(spec)
    spec.act("Ana", "called-shot", target={"object": "door"}, aim="hinges")
    spec.answer(None, "set", name="object")  # the door is within reach
    assert spec.prompt().data["object"] == "door"
    spec.answer(None, "set", ("attack", face), name="called-shot")
    if result == "ruled":
        spec.answer(None, "result", name="called-shot", result="it falls out of its frame")
    event = spec.event(EffectResolved)
    assert (event.effect, event.result, event.targets) == ("called-shot", result, ())
    assert event.data == {"aim": "hinges", "object": "door"}
    assert not spec["Ana"].has("engaged")


@rule("VD-ROUT-02", "VD-CALL-02")
def test_a_called_shot_that_hits_counts_for_the_object(spec: Spec) -> None:
    at_the_door(spec)
    spec.act("Ana", "called-shot", target={"object": "lamp"}, aim="chain")
    spec.answer(None, "set", name="object", ac=4)
    spec.answer(None, "set", ("attack", 11), name="called-shot", needed=11)
    spec.answer(None, "result", ("damage", 5), name="called-shot", result="hit")
    assert OBJECTS.of(spec.combat) == {"lamp": Thing(4, 5)}
    event = spec.event(EffectResolved)
    assert (event.who, event.kind, event.effect, event.result) == (
        "Ana", "object", "lamp", "damaged",
    )  # fmt: skip
    assert event.numbers == {"damage": 5, "whole_damage": 5}


@rule("VD-CALL-03")
def test_an_item_is_grabbed_from_an_enemy_and_from_no_object(spec: Spec) -> None:
    at_the_door(spec)
    with spec.raises(Impossible) as caught:
        spec.act("Ana", "grab-item", target={"object": "shelf"}, item="key")
    assert (caught[0].rule, caught[0].pointer) == ("VD-CALL-03", "/inputs/target")


@rule("VD-ROUT-02", "VD-FAST-07")
@pytest.mark.parametrize("far", [2, 90])
def test_a_charge_at_an_object_strikes_it_at_the_end_of_its_way(spec: Spec, far: int) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[0, 9]))
    charge = {"target": {"object": "door"}, "path": [[far, 0]]}
    begin(spec, 5, 2, Ana=("charge", charge))
    spec.act("Ana", "charge")
    strikes = far == 2
    spec.answer(None, "set", *([("attack", 20), ("damage", 3)] if strikes else []), name="object")
    assert OBJECTS.of(spec.combat).get("door", Thing()).damage == (3 if strikes else 0)
    assert (spec["Ana"].position == (far, 0, 0)) is strikes
    assert spec["Ana"].budget["major"] == 0


@rule("VD-ROUT-02", "VD-FAST-07")
def test_a_charge_at_an_object_out_of_reach_costs_nothing(spec: Spec) -> None:
    spec.given(hero("Ana", at=[0, 0]), foe("Orc", at=[0, 9]))
    begin(spec, 5, 2, Ana=("charge", {"target": {"object": "moon"}, "path": [[2, 0]]}))
    spec.act("Ana", "charge").answer(None, "refuse", name="object")
    assert spec.event(Prevented).reason == "out-of-reach"
    assert (spec["Ana"].position, spec["Ana"].budget["major"]) == ((0, 0, 0), 1)


@rule("VD-ROUT-02", "VD-GRP-04")
def test_a_missile_is_shot_at_an_object_in_its_own_phase(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[BOW]), foe("Orc", max_hp=40))
    until(begin(spec, 5, 2), "group/HIGH/D2")
    spec.act("Ana", "attack", target={"object": "rope"}, weapon="bow")
    spec.answer(None, "set", ("attack", 11), ("damage", 4), name="object", ac=4)
    assert OBJECTS.of(spec.combat) == {"rope": Thing(4, 4)}


@rule("VD-FREE-03")
def test_a_free_attack_is_on_the_creature_that_draws_it(spec: Spec) -> None:
    engaged(spec.given(hero("Ana"), foe("Orc")), ("Ana", "Orc"))
    begin(spec, 5, 2, Orc="flee")
    spec.act("Orc", "flee")
    with spec.raises(Malformed) as caught:
        spec.answer("Ana", "take", name="free-attack", target={"object": "door"})
    assert caught[0].pointer == "/inputs/target"
