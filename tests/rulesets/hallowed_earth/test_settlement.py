"""Test that amended hits also change the wounds and the morale that follow from them."""

from typing import Any

import pytest

from domain.record.events import ConditionLost, Damaged, Died, Event, Healed, Rolled
from tests.rulesets.hallowed_earth.units import (
    SWORD,
    attack,
    begin,
    begun,
    declare,
    fact,
    hero,
    monster,
    weapon,
)
from tests.spec import Spec, rule


def version_of(spec: Spec, kind: type[Event], at: int = 0, **fields: Any) -> int:
    versions = [
        recorded.version
        for recorded in spec.last
        if isinstance(recorded.event, kind)
        and all(getattr(recorded.event, name) == value for name, value in fields.items())
    ]
    return versions[at]


def wounds(spec: Spec, who: str) -> list[tuple[Any, int]]:
    return [(wound["type"], wound["amount"]) for wound in fact(spec, who, "wounds")]


def duel(spec: Spec, **orc: Any) -> Spec:
    """Begin with Ana at initiative 1 and an orc at 12.

    Ana has a sword of 1d8. The orc has 10 Wound Points.
    """
    spec.given(hero("Ana", weapons=[SWORD]), monster("Orc", **orc), rulings="default")
    return begin(spec, 1, 12, Ana=attack("sword"), Orc="no-action")


def hit(spec: Spec, points: int) -> int:
    """Let Ana strike. Return the version of the last damage, to Wound Points or Stress."""
    spec.act("Ana", "attack", ("attack", 15), ("damage", points), target="Orc")
    return version_of(spec, Damaged, -1)


@rule("HE-SEQ-04", "HE-WP-03")
def test_a_bigger_hit_is_one_wound_of_the_new_size(spec: Spec) -> None:
    blow = hit(duel(spec), 3)
    spec.rule("override", event=blow, outcome="deeper", amount=6)
    assert wounds(spec, "Orc") == [("slashing", 6)]
    assert spec.hp("Orc", "wound_points") == 4  # 10 − 6


@rule("HE-SEQ-04", "HE-STAB-01")
def test_stabilizing_is_as_hard_as_the_wound_that_was_settled(spec: Spec) -> None:
    spec.given(
        hero("Ana", weapons=[weapon("axe", "1d12")]), hero("Bo", skills={"heal": 2}),
        monster("Orc"), rulings="default",
    )  # fmt: skip
    begin(spec, 1, 2, 12, Ana=attack("axe"), Bo="stabilize", Orc="no-action")
    spec.act("Ana", "attack", ("attack", 15), ("damage", 10), target="Orc")
    spec.rule("override", event=version_of(spec, Damaged), outcome="deeper", amount=13)
    spec.act("Ana", "end-turn")
    spec.act("Bo", "stabilize", ("heal", 20), target="Orc")
    assert (spec.rolled("heal").target, spec.rolled("heal").total) == (23, 22)  # 10 + 13, 20 + 2
    assert not spec["Orc"].has("stabilized")


@rule("HE-SEQ-04", "HE-WP-03")
def test_a_smaller_hit_takes_off_its_own_wound_and_no_newer_one(spec: Spec) -> None:
    blow = hit(duel(spec), 5)
    spec.rule("damage", combatant="Orc", amount=2, type="fire")
    spec.rule("override", event=blow, outcome="a graze", amount=1)
    assert wounds(spec, "Orc") == [("slashing", 1), ("fire", 2)]
    assert spec.hp("Orc", "wound_points") == 7  # 10 − 1 − 2


@rule("HE-SEQ-04", "HE-WP-03")
def test_a_hit_that_did_not_happen_leaves_the_other_wounds(spec: Spec) -> None:
    blow = hit(duel(spec), 2)
    spec.rule("damage", combatant="Orc", amount=5, type="fire")
    spec.rule("override", event=blow, outcome="a feint", stands=False)
    assert wounds(spec, "Orc") == [("fire", 5)]


@rule("HE-SEQ-04")
def test_what_is_settled_twice_is_as_it_was_settled_last(spec: Spec) -> None:
    blow = hit(duel(spec), 8)
    spec.rule("override", event=blow, outcome="less", amount=5)
    spec.rule("override", event=blow, outcome="and less", amount=3)
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([("slashing", 3)], 7)
    spec.rule("override", event=blow, outcome="as it was, after all", amount=8)
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([("slashing", 8)], 2)
    spec.undo()
    spec.rule("override", event=blow, outcome="a feint", stands=False)
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([], 10)
    spec.rule("override", event=blow, outcome="a graze", amount=1)
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([("slashing", 1)], 9)


@rule("HE-SEQ-04", "HE-STRESS-04")
def test_a_bigger_hit_on_stress_goes_on_to_wound_points(spec: Spec) -> None:
    blow = hit(duel(spec, max_stress=6), 4)
    spec.rule("override", event=blow, outcome="harder", amount=8)
    assert (spec.hp("Orc", "stress"), spec.hp("Orc", "wound_points")) == (0, 8)  # 6 and 2 of 8
    assert wounds(spec, "Orc") == [("slashing", 2)]


@rule("HE-SEQ-04", "HE-STRESS-04")
def test_what_stress_cannot_take_is_part_of_the_wound_of_the_same_hit(spec: Spec) -> None:
    hit(duel(spec, max_stress=4), 6)  # 4 by Stress, a wound of 2
    stress = version_of(spec, Damaged, track="stress")
    spec.rule("override", event=stress, outcome="harder", amount=7)
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([("slashing", 5)], 5)


@rule("HE-SEQ-04")
def test_stress_that_was_not_lost_is_there_again(spec: Spec) -> None:
    blow = hit(duel(spec, max_stress=6), 4)
    spec.rule("override", event=blow, outcome="softer", amount=1)
    assert spec.hp("Orc", "stress") == 5
    assert fact(spec, "Orc", "wounds") is None


def end_of_round(spec: Spec) -> Spec:
    """End Ana's turn. The test ends the orc's turn, and scripts the morale dice."""
    return spec.act("Ana", "end-turn")


@rule("HE-SEQ-04", "HE-MOR-02")
def test_a_hit_settled_at_more_than_half_is_a_reason_for_morale(spec: Spec) -> None:
    blow = hit(duel(spec), 3)
    spec.rule("override", event=blow, outcome="deep", amount=6)
    end_of_round(spec).act("Orc", "end-turn", ("morale", 6, 6, 6))
    assert "HE-MOR-02" in spec.rolled("morale").rules


@rule("HE-SEQ-04", "HE-MOR-02")
@pytest.mark.parametrize("instead", [{"amount": 5}, {"stands": False}])
def test_a_hit_settled_at_half_is_none(spec: Spec, instead: dict[str, Any]) -> None:
    blow = hit(duel(spec), 6)
    spec.rule("override", event=blow, outcome="a graze", **instead)
    end_of_round(spec).act("Orc", "end-turn")
    assert spec.events(Rolled) == []


@rule("HE-SEQ-04", "HE-MOR-02")
def test_another_hard_hit_of_the_round_stays_a_reason(spec: Spec) -> None:
    blow = hit(duel(spec, attributes={"strength": 14}), 8)
    spec.rule("damage", combatant="Orc", amount=8, type="fire", hit=True)
    spec.rule("override", event=blow, outcome="a graze", amount=1)
    end_of_round(spec).act("Orc", "end-turn", ("morale", 6, 6, 6))
    assert "HE-MOR-02" in spec.rolled("morale").rules


@rule("HE-SEQ-04", "HE-MOR-02")
def test_what_was_no_hit_does_not_become_one(spec: Spec) -> None:
    duel(spec).rule("damage", combatant="Orc", amount=2, type="poison")
    harm = version_of(spec, Damaged)
    spec.rule("override", event=harm, outcome="a strong one", amount=7)
    end_of_round(spec).act("Orc", "end-turn")
    assert spec.events(Rolled) == []


@rule("HE-SEQ-04", "HE-MOR-02")
def test_a_hit_of_the_round_before_is_no_reason_in_this_one(spec: Spec) -> None:
    blow = hit(duel(spec), 3)
    end_of_round(spec).act("Orc", "end-turn")
    declare(spec, Ana="no-action", Orc="no-action")
    spec.rule("override", event=blow, outcome="deep", amount=6)
    end_of_round(spec).act("Orc", "end-turn")
    assert spec.events(Rolled) == []


@rule("HE-SEQ-04", "HE-STAB-09")
def test_a_wound_that_was_there_before_ends_no_stabilizing(spec: Spec) -> None:
    spec.given(hero("Ana", skills={"heal": 9}), monster("Orc"))
    begun(spec, 1, 12, Ana="stabilize", Orc="no-action")
    spec.rule("damage", combatant="Orc", amount=11, type="fire")
    harm = version_of(spec, Damaged)
    spec.act("Ana", "stabilize", ("heal", 20), target="Orc")
    spec.rule("override", event=harm, outcome="worse", amount=13)
    assert spec["Orc"].has("stabilized")
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([("fire", 13)], -3)


@rule("HE-SEQ-04", "HE-WP-07")
def test_whoever_gave_the_blow_has_killed(spec: Spec) -> None:
    blow = hit(duel(spec), 8)
    spec.rule("override", event=blow, outcome="to the heart", amount=20)
    assert spec.event(Died).by == "Ana"
    assert spec.event(Damaged).source == "Ana"


@rule("HE-SEQ-04", "HE-WP-09")
def test_less_healing_opens_the_wounds_again_that_it_had_closed(spec: Spec) -> None:
    hurt = [{"type": "fire", "amount": 4}, {"type": "cold", "amount": 2}]
    spec.given(hero("Ana"), monster("Orc", wounds=hurt, wound_points=4))
    begun(spec, 1, 12)
    spec.rule("heal", combatant="Orc", wound_points=5)  # all of the fire, 1 of the cold
    healing = version_of(spec, Healed)
    assert wounds(spec, "Orc") == [("cold", 1)]
    spec.rule("override", event=healing, outcome="less", amount=2)
    assert sorted(wounds(spec, "Orc")) == [("cold", 2), ("fire", 2)]
    assert spec.hp("Orc", "wound_points") == 6  # 4 + 2
    spec.rule("override", event=healing, outcome="more", amount=6)
    assert (wounds(spec, "Orc"), spec.hp("Orc", "wound_points")) == ([], 10)


@rule("HE-SEQ-04")
def test_somebody_who_was_not_killed_lives_with_its_wound(spec: Spec) -> None:
    blow = hit(duel(spec), 8)
    spec.rule("damage", combatant="Orc", amount=12, type="fire")
    assert spec["Orc"].has("dead")
    spec.rule("override", event=blow, outcome="a graze", amount=1)
    assert spec.event(ConditionLost, condition="dead")
    assert wounds(spec, "Orc") == [("slashing", 1), ("fire", 12)]
