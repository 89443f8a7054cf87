"""Test the terms of a blow and the cost of a step (HE-ATK, HE-MOVE, HE-INC)."""

from typing import Any

import pytest

from domain.engine.commands import Reply
from domain.errors import Illegal, Impossible
from domain.record.events import (
    ConditionLost,
    Damaged,
    Died,
    Healed,
    Moved,
    Noted,
    Prevented,
    TurnEnded,
)
from domain.rulesets.hallowed_earth.facts import CRAWLED
from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    fact,
    hero,
    monster,
    shown,
    weapon,
)
from tests.spec import Spec, rule

# ---- surprise


@rule("HE-SURP-01")
def test_the_gm_names_who_is_surprised_and_nobody_else_is(spec: Spec) -> None:
    spec.given(
        hero("Ana"), hero("Bo"),
        monster("Orc", conditions=[{"id": "surprised"}]), rulings="ask",
    )  # fmt: skip
    spec.begin()
    assert spec.prompt(name="surprise").data == {"surprised": ["Orc"]}
    asked = next(iter(spec.live.open_prompts()))
    spec.do(Reply(asked, "surprise", {"who": ["Ana"]}), *[("initiative", 5)] * 3)
    assert [combatant.id for combatant in spec.combat if combatant.has("surprised")] == ["Ana"]
    assert spec.event(ConditionLost, who="Orc").reason == "ruling"


@rule("HE-SURP-01")
def test_those_who_are_surprised_stay_so(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc", conditions=[{"id": "surprised"}]), rulings="ask")
    spec.begin()
    asked = next(iter(spec.live.open_prompts()))
    spec.do(Reply(asked, "surprise", {"who": ["Orc"]}), *[("initiative", 5)] * 2)
    assert len(spec["Orc"].all("surprised")) == 1
    assert spec.events(ConditionLost) == []


# ---- a blow


def blow(spec: Spec, ana: dict[str, Any], **orc: Any) -> Spec:
    """Begin Ana's turn at initiative 1. She has declared an attack with her first weapon."""
    spec.given(hero("Ana", **ana), monster("Orc", **orc), rulings="default")
    return begin(spec, 1, 12, Ana=attack(ana["weapons"][0]["id"]), Orc="no-action")


def parts(spec: Spec) -> list[tuple[str, int, str]]:
    return [(term.source, term.value, term.rule) for term in spec.event(Damaged).terms]


@rule("HE-ATK-09", "HE-ARM-02")
def test_what_damage_is_made_of(spec: Spec) -> None:
    strong = {"strength": 6}  # 6: −2
    blow(spec, {"attributes": strong, "weapons": [weapon("stick", "1d4")]})
    spec.act("Ana", "attack", ("attack", 15), ("damage", 1), target="Orc")
    assert ("not below 0", 1, "HE-ATK-09") in parts(spec)  # 1 − 2 = −1, raised to 0
    assert spec.event(Damaged).amount == 0


@rule("HE-CRIT-02", "HE-CRIT-04")
def test_a_critical_hit_multiplies_the_whole(spec: Spec) -> None:
    axe = weapon("axe", "1d6", crit_range=19, crit_multiplier=3, damage_types=["other"])
    blow(spec, {"weapons": [axe]}, wound_points=None)
    spec.act("Ana", "attack", ("attack", 19), ("damage", 2), ("injury-chance", 7), target="Orc")
    assert ("critical ×3", 4, "HE-CRIT-02") in parts(spec)  # 2 × 3 − 2
    assert spec.event(Damaged).amount == 6


@rule("HE-ATK-04", "HE-ATK-09")
def test_modifiers_count_where_they_apply(spec: Spec) -> None:
    given = [
        {"value": 2, "applies_to": "melee"},
        {"value": 4, "applies_to": "ranged", "reason": "steady"},
        {"value": 1, "reason": "luck"},
    ]
    blow(spec, {"weapons": [SWORD], "attack_modifiers": given})
    spec.act("Ana", "attack", ("attack", 2), target="Orc")
    rolled = spec.rolled("attack")
    assert [(term.source, term.value) for term in rolled.terms] == [("modifier", 2), ("luck", 1)]
    assert rolled.total == 5  # 2 + 2 + 1
    assert rolled.rules == ("HE-ATK-04", "HE-ATK-03")


@rule("HE-ATK-08")
def test_a_weapon_of_two_strikes_says_so(spec: Spec) -> None:
    claws = weapon("claws", "1d4", strikes=2)
    blow(spec, {"weapons": [claws]})
    spec.act("Ana", "attack", ("attack", 2), ("attack", 3), target="Orc")
    assert [event.rules for event in spec.told() if getattr(event, "purpose", "") == "attack"] == [
        ("HE-ATK-04", "HE-ATK-03", "HE-ATK-08")
    ] * 2


@rule("HE-ATK-08", "HE-MAG-03")
def test_a_spell_strikes_once_and_says_nothing_of_strikes(spec: Spec) -> None:
    ember = {"id": "ember", "speed": 0, "attack": {"damage": "1d6", "damage_types": ["fire"]}}
    spec.given(hero("Ana", spells=[ember]), monster("Orc"), rulings="default")
    begin(spec, 1, 12, Ana=("cast", {"spell": "ember"}), Orc="no-action")
    spec.act("Ana", "cast", ("attack", 2), target="Orc")
    assert spec.rolled("attack").rules == ("HE-ATK-04", "HE-ATK-03", "HE-MAG-03")


@rule("HE-MOR-02")
def test_a_blow_of_more_than_half_shakes_a_monster(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD]})
    spec.act("Ana", "attack", ("attack", 15), ("damage", 6), target="Orc")
    spec.rule("next-round", ("morale", 1, 1, 1))
    assert "HE-MOR-02" in spec.rolled("morale").rules


# ---- what ends


@rule("HE-ATTR-06")
def test_an_attribute_of_0_may_be_death(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc", attributes={"agility": 3}), rulings="ask")
    spec.begin().answer(None, "as-given", ("initiative", 1), ("initiative", 12))
    spec.rule("injury", ("injury-damage", 9), who="Orc", name="Broken Femur")  # 3 − 9
    spec.answer(None, "dead", name="attribute-zero")
    assert spec.event(Died).who == "Orc"
    assert spec["Orc"].has("dead")


@rule("HE-END-03")
def test_whoever_is_on_turn_ends_it_with_the_combat(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD]}).end()
    assert spec.event(TurnEnded).who == "Ana"
    assert spec.combat.acting == ()


@rule("HE-END-03")
def test_what_was_counted_in_the_last_turn_ends_with_the_combat(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD], "speed_ft": 30}).act("Ana", "move", distance_ft=7.5)
    assert fact(spec, "Ana", "turn_ft") == 7.5
    spec.end()
    assert fact(spec, "Ana", "turn_ft") is None


# ---- moving without a grid


@rule("HE-MOVE-01", "HE-MOVE-02")
def test_without_a_grid_a_distance_is_named(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD], "speed_ft": 30})
    with spec.refused("HE-MOVE-01", "no-position"):
        spec.act("Ana", "move", path=[[1, 0]])
    with spec.refused("HE-MOVE-01", "no-step"):
        spec.act("Ana", "move")
    spec.act("Ana", "move", distance_ft=7.5)
    assert spec.event(Noted).text == "Ana moves 7.5 ft"
    assert shown(spec, "Ana", "moved_ft") == 7.5
    spec.act("Ana", "move", distance_ft=22.5)
    assert shown(spec, "Ana", "moved_ft") == 30


@rule("HE-MOVE-07", "HE-REP-02")
def test_without_a_grid_whom_it_comes_near_is_named(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD]}, weapons=[SWORD])
    spec.act("Ana", "move", distance_ft=5, enters=["Orc"])
    assert spec.open() == [("reaction", "reposte", "Orc")]


@rule("HE-MOVE-01")
def test_nobody_walks_beyond_the_grid(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD], "at": [0, 10_000]}, at=[9, 9])
    with spec.refused("HE-MOVE-01", "no-step"):
        spec.act("Ana", "move", path=[[0, 10_001]])
    with spec.raises(Illegal) as caught:
        spec.act("Ana", "move", distance_ft=5)
    assert "stands at (0, 10000):" in caught[0].detail  # as the log writes squares
    spec.act("Ana", "move", path=[[1, 10_000]])


# ---- crawling


def down(spec: Spec, **ana: Any) -> Spec:
    spec.given(
        hero("Ana", wound_points=0, **ana), hero("Bo", at=[50, 50]), monster("Orc", at=[9, 9]),
        rulings="default",
    )  # fmt: skip
    return begin(spec, 1, 2, 12, Ana="no-action", Bo="no-action", Orc="no-action")


@rule("HE-INC-02")
def test_two_crawls_make_a_square(spec: Spec) -> None:
    down(spec, at=[4, 4, 0]).act("Ana", "crawl", direction=[1, -1])
    assert spec.events(Moved) == []  # 3 ft of 5
    assert CRAWLED.of(spec["Ana"]) == 3
    with spec.refused("HE-INC-02", "too-far"):
        spec.act("Ana", "crawl", direction=[1, -1])
    for who in ("Ana", "Bo", "Orc"):
        spec.act(who, "end-turn")
    for who in ("Ana", "Bo", "Orc"):
        spec.act(who, "no-action")
    spec.act("Ana", "crawl", direction=[1, -1])
    assert spec.event(Moved).path == ((5, 3, 0),)  # 3 + 3 = 6, 1 ft is left
    assert spec.event(Moved).rules == ("HE-INC-02",)
    assert CRAWLED.of(spec["Ana"]) == 1
    assert shown(spec, "Ana", "moved_ft") == 3


@rule("HE-INC-02")
@pytest.mark.parametrize("direction", [[0, 0], [2, 0]])
def test_a_crawl_has_a_direction(spec: Spec, direction: list[int]) -> None:
    down(spec, at=[4, 4])
    with spec.refused("HE-INC-02", "no-step"):
        spec.act("Ana", "crawl", direction=direction)


@rule("HE-INC-02")
def test_whoever_stands_does_not_crawl(spec: Spec) -> None:
    blow(spec, {"weapons": [SWORD]})
    with spec.refused("HE-INC-02", "not-down"):
        spec.act("Ana", "crawl")


@rule("HE-DYING-03")
def test_the_dying_move_or_act(spec: Spec) -> None:
    spec.given(
        hero("Ana", wound_points=-1, weapons=[SWORD]), hero("Bo"), monster("Orc"),
        rulings="default",
    )  # fmt: skip
    begin(spec, 1, 2, 12, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "crawl")
    with spec.refused("HE-DYING-03", "dying-move-or-act"):
        spec.act("Ana", "attack", target="Orc")


@rule("HE-ATK-08", "HE-TIE-08")
def test_a_second_strike_at_the_dead_is_prevented_once(spec: Spec) -> None:
    claws = weapon("claws", "1d4+40", strikes=3)
    spec.given(
        hero("Ana", weapons=[claws]), hero("Bo"), monster("Orc"), monster("Elf"),
        rulings="default",
    )  # fmt: skip
    begin(spec, 1, 2, 12, 12, Ana=attack("claws"), Bo="no-action", Orc="no-action",
          Elf="no-action")  # fmt: skip
    spec.act("Ana", "attack", ("attack", 15), ("damage", 1), target="Orc")
    assert spec["Orc"].has("dead")
    assert len(spec.events(Prevented)) == 1


# ---- healing, and attribute damage


@rule("HE-STRESS-01", "HE-STRESS-02")
def test_stress_from_hit_dice(spec: Spec) -> None:
    page = {"hit_dice": ["1d8+1", "1d6"], "attributes": {"strength": 14}}  # 14: +2
    spec.given(hero("Ana", max_stress=None, **page), monster("Orc"), rulings="default")
    spec.answer("Ana", "roll", name="stress", faces=[5, 3])
    assert spec["Ana"].tracks["stress"].maximum == 13  # 5 + 3 + 1 + 2 × 2
    assert spec.hp("Ana", "stress") == 13


@rule("HE-STRESS-02")
def test_stress_is_not_below_0(spec: Spec) -> None:
    page = {"hit_dice": ["1d4"], "attributes": {"strength": 2}}  # 2: −4
    spec.given(hero("Ana", max_stress=None, **page), monster("Orc"), rulings="default")
    spec.answer("Ana", "roll", name="stress", faces=[1])
    assert spec["Ana"].tracks["stress"].maximum == 0  # 1 − 4


@rule("HE-STRESS-01")
def test_stress_that_is_lost_already_stays_lost(spec: Spec) -> None:
    spec.given(
        hero("Ana", max_stress=None, stress=2, hit_dice=["1d8"]), monster("Orc"),
        rulings="default",
    )  # fmt: skip
    spec.answer("Ana", "roll", name="stress", faces=[5])
    assert (spec.hp("Ana", "stress"), spec["Ana"].tracks["stress"].maximum) == (2, 5)


@rule("HE-STRESS-09")
def test_stress_is_healed_up_to_its_maximum(spec: Spec) -> None:
    spec.given(hero("Ana", max_stress=9, stress=7), hero("Bo"), monster("Orc"))
    spec.rule("heal", who="Ana", stress=5)
    assert spec.hp("Ana", "stress") == 9
    spec.changes_nothing("heal", who="Bo", stress=5)  # Bo has no Stress to get back


@rule("HE-WP-09")
def test_wound_points_are_healed_up_to_their_maximum(spec: Spec) -> None:
    spec.given(hero("Ana"), monster("Orc"))
    for amount in (2, 5, 1):
        spec.rule("damage", who="Ana", amount=amount, type="blunt", to="wound-points")
    assert [fact["amount"] for fact in spec["Ana"].facts["wounds"]] == [2, 5, 1]
    assert [fact["id"] for fact in spec["Ana"].facts["wounds"]] == [1, 2, 3]
    spec.rule("heal", who="Ana", wound_points=3)
    assert [fact["amount"] for fact in spec["Ana"].facts["wounds"]] == [2, 2, 1]  # 5 − 3
    spec.rule("heal", who="Ana", wound_points=99)
    assert spec.hp("Ana", "wound_points") == 10
    assert spec.event(Healed).amount == 5


@rule("HE-WP-07")
def test_the_dead_are_not_healed(spec: Spec) -> None:
    spec.given(hero("Ana"), hero("Bo"), monster("Orc"))
    spec.rule("damage", who="Ana", amount=40, to="wound-points")
    spec.changes_nothing("heal", who="Ana", wound_points=50)
    assert spec["Ana"].has("dead")


@rule("HE-ATTR-03", "HE-INJ-09")
def test_an_attribute_falls_to_0_at_most_and_comes_back(spec: Spec) -> None:
    spec.given(hero("Ana", attributes={"agility": 12}), monster("Orc"), rulings="default")
    begin(spec, 1, 12)
    spec.rule("injury", ("injury-damage", 9), who="Ana", name="Broken Femur")
    assert "Ana loses 9 agility" in [
        noted.full for noted in spec.events(Noted)
    ]  # the note does not tell the score
    assert shown(spec, "Ana", "current_attributes")["agility"] == 3
    spec.rule("heal", who="Ana", attributes={"agility": 4})
    assert shown(spec, "Ana", "current_attributes")["agility"] == 7
    spec.rule("heal", who="Ana", attributes={"agility": 40})
    assert shown(spec, "Ana", "current_attributes")["agility"] == 12


# ---- targets at the moment of the blow


@rule("HE-DECL-11")
def test_whoever_finds_no_target_does_nothing(spec: Spec) -> None:
    spec.given(hero("Ana", weapons=[SWORD]), hero("Bo"), monster("Orc"), rulings="default")
    begin(spec, 1, 2, 12, Ana=attack("sword"), Bo="no-action", Orc="no-action")
    spec.act("Ana", "attack")
    spec.answer("Ana", "none", name="target")
    assert spec.event(Noted).text == "Ana has no target for the attack"
    assert spec.event(Noted).rules == ("HE-DECL-11",)


@rule("HE-MOVE-03", "HE-INC-02")
def test_a_refused_step_points_at_what_was_sent(spec: Spec) -> None:
    spec.given(
        hero("Ana", at=[0, 0], speed_ft=5),
        hero("Tam", at=[3, 3], wound_points=0),
        hero("Eve", speed_ft=5, side="foes"),
        rulings="default",
    )
    begin(spec, 1, 1, 1, Ana="no-action", Tam="no-action", Eve="no-action")
    for who, action, inputs, pointer in (
        ("Ana", "move", {"path": [[1, 0], [2, 0]]}, "/inputs/path"),
        ("Ana", "move", {"path": [[2, 0]]}, "/inputs/path"),
        ("Ana", "move", {"distance_ft": 5}, "/inputs/path"),
        ("Eve", "move", {"distance_ft": 6}, "/inputs/distance_ft"),
        ("Eve", "move", {}, "/inputs/distance_ft"),
        ("Tam", "crawl", {"direction": [2, 0]}, "/inputs/direction"),
    ):
        with spec.raises(Impossible) as caught:
            spec.act(who, action, **inputs)
        assert caught[0].pointer == pointer
