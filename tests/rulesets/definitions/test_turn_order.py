"""Test places in the order, for instance between two turns."""

import pytest

from domain.record.events import Spent
from tests.rulesets.definitions.units import (
    end,
    fight,
    fighter,
    foe,
    hold,
    left,
    order_of,
    turn_of,
)
from tests.spec import Spec, rule


@rule("DEF-HLD-08", "DEF-INI-08")
def test_last_in_the_order_it_stands_at_the_number_of_who_was_last(spec: Spec) -> None:
    """If C, last in the order, triggers A's held action and leaves, A comes last.

    A then has the total of D, who comes before A.
    """
    spec.given(
        fighter("A"), foe("B", at=[5, 5]), fighter("D", at=[7, 7]), foe("C", at=[9, 9]),
        death_roll="all-equal",
    )  # fmt: skip
    spec.begin(*(("initiative", face) for face in (20, 10, 8, 5)))
    hold(spec, "A", "drop-prone", {"event": "speaks", "who": "C"}, slot="move")
    end(spec, "A", "B", "D")
    spec.act("C", "speak", text="ho")
    spec.leave("C")
    spec.answer("A", "resolve")
    assert order_of(spec) == ["B", "D", "A"]
    spec.join(("initiative", 8), **foe("E", at=[3, 3]))  # A and D share 8, so E makes no tie roll
    assert order_of(spec) == ["B", "D", "A", "E"]


@rule("DEF-HLD-08", "DEF-DLY-05")
@pytest.mark.parametrize(
    ("delays", "order"),
    [(False, ["A", "E", "B", "G", "C"]), (True, ["E", "B", "A", "G", "C"])],
)
def test_between_two_turns_it_stands_after_whoever_acted_last(
    spec: Spec, delays: bool, order: list[str]
) -> None:
    """If a trigger comes between two turns, G moves after the combatant that acted last.

    This is also true if that combatant acted in a delayed turn.
    """
    fight(
        spec, fighter("G", at=[9, 9]), fighter("A"), fighter("E", at=[2, 2]),
        foe("B", at=[5, 5]), foe("C", at=[7, 7]),
    )  # fmt: skip
    hold(spec, "G", "drop-prone", {"text": "thunder"}, slot="move")
    end(spec, "G")
    if delays:
        spec.act("A", "delay")
    else:
        end(spec, "A")
    spec.act("E", "delay")
    if delays:
        spec.answer("A", "wait")
    end(spec, "B")
    if delays:
        spec.answer("A", "act-now")
        assert "boundary" not in spec.combat.facts
        end(spec, "A")
    assert spec.open() == [("choice", "resume", "E")]
    spec.act("G", "report-trigger")
    spec.answer("G", "resolve")
    assert order_of(spec) == order


@rule("DEF-DLY-04")
def test_a_delayed_turn_is_declared_while_a_report_is_looked_at(spec: Spec) -> None:
    fight(
        spec, fighter("G", at=[9, 9]), fighter("A"), foe("B", at=[5, 5]), foe("C", at=[7, 7]),
        rulings="ask",
    )  # fmt: skip
    hold(spec, "G", "drop-prone", {"text": "thunder"}, slot="move")
    end(spec, "G")
    spec.act("A", "delay")
    end(spec, "B")
    assert spec.open() == [("choice", "resume", "A")]
    spec.act("A", "resume-from-delay")
    assert turn_of(spec) == "A"
    assert "resumes" not in spec["A"].facts


@rule("DEF-DLY-04")
@pytest.mark.parametrize("condition", ["cannot-act", "unconscious"])
def test_who_cannot_act_is_not_asked_for_its_delayed_turn(spec: Spec, condition: str) -> None:
    fight(spec, fighter("A"), foe("B", at=[5, 5]), fighter("C", at=[7, 7]))
    spec.act("A", "delay")
    end(spec, "B")
    spec.rule("set-condition", who="A", condition=condition)
    assert spec.open() == [("turn", "turn", "C")]


@rule("DEF-DLY-06")
def test_of_a_lost_turn_nothing_is_left(spec: Spec) -> None:
    fight(spec, fighter("A"), foe("B", at=[5, 5]))
    end(spec, "A")
    spec.act("B", "delay")
    assert turn_of(spec) == "A"
    assert (left(spec, "B")["standard"], left(spec, "B")["move"]) == (0, 0)


@rule("DEF-GEN-04")
def test_a_turn_goes_on_when_the_fight_does(spec: Spec) -> None:
    """If the GM answers the prompt to end the fight with `go-on`, A's turn continues."""
    fight(spec, fighter("A"), foe("B", at=[5, 5]), rulings="ask")
    spec.rule("damage", who="B", amount=20, track="nld")
    spec.answer(None, "go-on", name="end-combat")
    assert spec.open() == [("turn", "turn", "A")]
    assert left(spec, "A")["standard"] == 1
    assert "turn_over" not in spec["A"].facts


@rule("DEF-SWL-06", "DEF-HLD-05")
def test_who_faints_without_air_has_fallen(spec: Spec) -> None:
    fight(spec, foe("Maw"), fighter("Tim", at=[1, 0]), fighter("Bo", at=[9, 9]))
    spec.rule("set-condition", who="Tim", condition="swallowed", data={"with": "Maw"})
    spec.rule("set-fact", combatant="Tim", key="inside",
              value={"by": "Maw", "rounds": 2, "damage": 0})  # fmt: skip
    end(spec, "Maw", "Tim")
    hold(spec, "Bo", "drop-prone", {"event": "falls", "who": "Tim"}, slot="move")
    end(spec, "Bo")
    assert spec["Tim"].has("unconscious")
    assert spec.prompt().who == "Bo"


@rule("DEF-TRN-03")
@pytest.mark.parametrize(
    ("action", "inputs", "rules"),
    [
        ("move", {"path": [[0, 1]]}, ("DEF-MOV-01",)),
        ("move", {"path": [[0, 1]], "pay": "standard"}, ("DEF-MOV-01", "DEF-TRN-05")),
        ("feigned-strike", {"target": "B"}, ("DEF-FEI-01",)),
        ("full-defense", {}, ("DEF-FUL-01", "DEF-FDF-01")),
    ],
)
def test_by_which_rule_a_cost_is_paid(
    spec: Spec, action: str, inputs: dict[str, object], rules: tuple[str, ...]
) -> None:
    bite = {"id": "bite", "name": "bite", "kind": "natural", "damage": "1d6"}
    fight(spec, fighter("A", weapons=[bite]), foe("B", at=[1, 0]))
    spec.act("A", action, **inputs)
    assert spec.event(Spent).rules == rules


@rule("DEF-INI-08", "DEF-INI-03")
@pytest.mark.parametrize("how", ["left", "dead"])
def test_a_newcomer_who_goes_while_it_is_tied_has_no_place(spec: Spec, how: str) -> None:
    fight(spec, fighter("A"), foe("B", at=[5, 5]))
    spec.join(("initiative", 19), **foe("D", at=[9, 9]))
    assert spec.open() == [("roll", "initiative-tie", "B")]
    if how == "left":
        spec.leave("D")
    else:
        spec.rule("set-condition", who="D", condition="dead")
    assert order_of(spec) == ["A", "B"]
    assert turn_of(end(spec, "A")) == "B"


@rule("DEF-INI-08")
def test_a_newcomer_between_two_turns_whose_place_has_passed(spec: Spec) -> None:
    """If N joins after B's turn with a place before B, N acts only in the next round."""
    spec.given(fighter("A"), foe("B", at=[5, 5]), fighter("C", at=[7, 7]), death_roll="all-equal")
    spec.begin(("initiative", 20), ("initiative", 10), ("initiative", 5))
    spec.act("A", "delay")
    end(spec, "B")
    spec.join(("initiative", 15), **foe("N", at=[9, 9]))
    spec.answer("A", "wait")
    assert turn_of(spec) == "C"
    spec.act("C", "end-turn")
    spec.answer("A", "act-now")
    end(spec, "A")
    assert turn_of(spec) == "N"  # in the next round, before B
