"""Test with the toy rulebook that the engine stops the actions of disabled combatants.

After every step, the kit rebuilds the waiting procedure from the record (`Spec.prove`).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.engine.commands import Change, Note
from domain.engine.session import Session
from domain.record.events import (
    ConditionGained,
    Damaged,
    Downed,
    FactSet,
    Noted,
    Prevented,
    Prompted,
    Rolled,
    Stopped,
    TurnEnded,
)
from domain.record.export import export, read
from tests.domain.toy import DASHING, TOY
from tests.spec import Spec

ANN: dict[str, Any] = {"name": "ann", "side": "heroes"}
BOB: dict[str, Any] = {"name": "bob", "side": "foes"}
CYD: dict[str, Any] = {"name": "cyd", "side": "foes"}
DAN: dict[str, Any] = {"name": "dan", "side": "heroes"}


@pytest.fixture
def spec() -> Spec:
    return Spec(TOY)


def turns(spec: Spec, **options: Any) -> Spec:
    """Begin Ann's turn. Bob, Cyd and Ann's friend Dan have the next turns."""
    return spec.given(ANN, BOB, CYD, DAN, declare=False, **options).begin()


FELLED: dict[str, Callable[[Spec, str], Spec]] = {
    "ruling": lambda spec, who: spec.rule("damage", who=who, amount=10),
    "track": lambda spec, who: spec.rule("set-track", who=who, track="hp", value=0),
    "sheet": lambda spec, who: spec.do(Change(who, sheet={"hp": 0})),
    "condition": lambda spec, who: spec.rule("set-condition", who=who, condition="dazed"),
    "deletion": lambda spec, who: spec.leave(who),
}
"""Ways to disable a combatant."""

SUSPENDED: dict[str, Callable[[Spec], Spec]] = {
    "roll by hand": lambda spec: spec.act("ann", "strike", target="bob"),
    "own choice": lambda spec: spec.act("ann", "ponder"),
    "another's reaction": lambda spec: spec.act("ann", "strike", ("attack", 10), target="bob"),
    "several reactions": lambda spec: spec.act("ann", "dash"),
    "the GM's ruling": lambda spec: spec.act("ann", "plead"),
}
"""Moments at which an action of Ann's can wait."""


@pytest.mark.parametrize("felled", FELLED)
@pytest.mark.parametrize("waiting", SUSPENDED)
def test_who_cannot_go_on_is_stopped_wherever_it_waits(
    spec: Spec, waiting: str, felled: str
) -> None:
    turns(spec)
    SUSPENDED[waiting](spec)
    asked = set(spec.combat.prompts)
    FELLED[felled](spec, "ann")
    stopped = spec.event(Stopped)
    assert stopped.who == "ann"
    assert set(stopped.closes) == asked
    assert not asked & set(spec.combat.prompts)
    assert spec.open() == [("turn", "turn", "bob")]
    assert not spec.events(Rolled)
    assert not spec.events(Noted)
    assert spec.events(Damaged, who="bob") == []


@pytest.mark.parametrize("felled", FELLED)
def test_what_is_done_out_of_turn_ends_with_who_does_it(spec: Spec, felled: str) -> None:
    """The engine itself, not the rulebook, ends an interjection if its actor is disabled."""
    turns(spec).act("bob", "shout")
    (asked,) = spec.live.open_prompts()
    FELLED[felled](spec, "bob")
    stopped = spec.event(Stopped)
    assert (stopped.who, stopped.doing, stopped.closes) == ("bob", "shout", (asked,))
    assert not spec.events(Noted)
    assert spec.open() == [("turn", "turn", "ann")]


def test_who_could_not_act_from_the_beginning_may_still_do_what_the_rules_let_it(
    spec: Spec,
) -> None:
    turns(spec).rule("set-condition", combatant="bob", condition="dazed")
    spec.act("bob", "shout", ("shout", 2))
    assert spec.event(Noted).text == "bob shouts 2"


@pytest.mark.parametrize("felled", FELLED)
def test_whoever_interrupts_finishes_first(spec: Spec, felled: str) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob").answer("bob", "take")
    FELLED[felled](spec, "ann")
    assert spec.events(Stopped) == []
    assert spec.open() == [("roll", "parry", "bob")]
    spec.answer("bob", "roll", faces=(3,))
    assert spec.event(Stopped).who == "ann"
    assert spec.open() == [("turn", "turn", "bob")]


@pytest.mark.parametrize("felled", FELLED)
def test_an_interrupt_stops_and_what_it_interrupted_goes_on(spec: Spec, felled: str) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob").answer("bob", "take")
    FELLED[felled](spec, "bob")
    assert (spec.event(Stopped).who, spec.event(Stopped).doing) == ("bob", "parry")
    assert spec.open() == [("roll", "damage", "ann")]


def test_both_stop_when_both_cannot_go_on(spec: Spec) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob").answer("bob", "take")
    spec.rule("damage", who="ann", amount=10).rule("damage", who="bob", amount=10)
    assert [stopped.who for stopped in spec.events(Stopped)] == ["bob", "ann"]
    assert spec.open() == [("turn", "turn", "cyd")]


def test_a_blow_of_another_stops_the_runner(spec: Spec) -> None:
    spec.given({**ANN, "hp": 3}, BOB, CYD, DAN, declare=False).begin().act("ann", "dash")
    for who in ("bob", "bob", "cyd", "cyd"):
        spec.answer(who, "snap" if who == "bob" else "pass")
    spec.answer("bob", "roll", faces=(6,))
    assert spec.event(Downed).who == "ann"
    assert spec.event(Prevented).reason == "snapped-already"
    assert spec.event(Stopped).doing == "dash"
    assert spec.events(Noted) == []


def test_two_reactions_for_one_budget_are_one(spec: Spec) -> None:
    turns(spec).act("ann", "dash")
    for who in ("bob", "bob", "cyd", "cyd"):
        spec.answer(who, "snap" if who == "bob" else "pass")
    spec.answer("bob", "roll", faces=(2,))
    prevented = spec.event(Prevented)
    assert (prevented.who, prevented.action, prevented.rules) == ("bob", "snap", ("TOY-10",))
    assert spec.hp("ann") == 8  # one snap for 2
    assert spec.event(Noted).text == "ann is there"


def test_a_reaction_of_who_cannot_go_on_any_more_is_prevented(spec: Spec) -> None:
    turns(spec).act("ann", "dash").answer("bob", "snap")
    spec.rule("set-condition", who="bob", condition="dazed")
    for who in ("bob", "cyd", "cyd"):
        spec.answer(who, "pass")
    assert spec.event(Prevented).reason == "unable"
    assert spec.hp("ann") == 10


def test_what_is_done_lastly_is_done_when_stopped(spec: Spec) -> None:
    turns(spec).act("ann", "dash")
    assert DASHING.of(spec.combat) == "ann"
    spec.rule("damage", who="ann", amount=10)
    assert DASHING.of(spec.combat) == ""
    order = [
        type(event) for event in spec.told() if isinstance(event, Stopped | FactSet | TurnEnded)
    ]
    assert order == [Stopped, FactSet, TurnEnded]


def test_what_ends_with_the_event_that_stops_it_is_done(spec: Spec) -> None:
    turns(spec).act("ann", "drop")
    assert spec.events(Stopped) == []
    assert spec.open() == [("turn", "turn", "bob")]


def test_the_end_stops_everything(spec: Spec) -> None:
    turns(spec).act("ann", "strike", ("attack", 10), target="bob").end()
    assert spec.combat.status == "ended"
    assert spec.combat.prompts == {}
    assert spec.hp("bob") == 10


ASKED: dict[str, Callable[[Spec], Spec]] = {
    "turn": turns,
    "declare": lambda spec: spec.given(ANN, BOB).begin(),
    "speak": lambda spec: spec.given(ANN, BOB, speak=True).begin(),
    "honoured": lambda spec: turns(spec).rule("crown"),
    "doom": lambda spec: turns(spec, doom=True).rule("damage", who="ann", amount=10),
}


@pytest.mark.parametrize("question", ASKED)
def test_the_end_of_the_combat_ends_every_question(spec: Spec, question: str) -> None:
    """The end of the combat closes every prompt and roll, and their procedures do not continue."""
    ASKED[question](spec)
    assert question in [name for _, name, _ in spec.open()]
    spec.rule("close-the-fight")
    assert (spec.combat.status, spec.combat.prompts) == ("ended", {})


def test_what_is_asked_after_the_end_of_the_combat_is_open(spec: Spec) -> None:
    turns(spec).rule("close-the-fight").rule("crown")
    assert spec.open() == [("ruling", "honoured", None)]
    spec.answer(None, "ann")
    assert spec.open() == [("ruling", "gift", None)]
    spec.rule("set-track", who="bob", track="hp", value=5)  # another rulebook asked this prompt
    assert spec.open() == [("ruling", "gift", None)]


def test_who_falls_before_the_dice_of_a_common_moment_is_stopped(spec: Spec) -> None:
    spec.given(ANN, BOB, CYD).begin().act("ann", "strike", target="bob")
    spec.act("bob", "strike", target="ann").answer("cyd", "hold")
    assert spec.open() == [("roll", "attack", "ann")]
    spec.rule("damage", who="ann", amount=10)
    assert spec.event(Stopped).who == "ann"
    assert spec.open() == [("roll", "attack", "bob")]


# ---- consequences


@pytest.mark.parametrize("felled", ["ruling", "track", "sheet"])
def test_every_way_to_reach_0(spec: Spec, felled: str) -> None:
    FELLED[felled](turns(spec), "cyd")
    assert spec.event(ConditionGained).condition == "down"
    assert spec.event(Downed).who == "cyd"
    assert spec.open() == [("turn", "turn", "ann")]
    spec.do(Change("cyd", sheet={"hp": 9})).rule("set-track", who="cyd", track="hp", value=4)
    assert not spec["cyd"].has("down")


def test_a_blow_names_its_source(spec: Spec) -> None:
    spec.given(ANN, {**BOB, "hp": 1}, CYD, declare=False).begin()
    spec.act("ann", "strike", ("attack", 10), target="bob").answer("bob", "pass", ("damage", 5))
    assert spec.event(Downed).by == "ann"


def test_who_joins_with_0_is_down(spec: Spec) -> None:
    turns(spec).join(name="eve", side="foes", hp=0)
    assert spec["eve"].has("down")


def test_a_combat_of_an_older_release_catches_up(spec: Spec) -> None:
    old = Spec(replace(TOY, consequences=lambda combat, cause, before: iter(())))
    turns(old).rule("damage", who="cyd", amount=10)
    assert not old["cyd"].has("down")
    imported = read(b"".join(export(old.live.history.recorded)))
    spec.live = Session(TOY, imported.recorded)
    spec._commands = 50
    spec.do(Note("it goes on"))
    assert spec["cyd"].has("down")
    assert spec.open() == [("turn", "turn", "ann")]


def test_steps_back_in_a_combat_of_an_older_release_lead_on(spec: Spec) -> None:
    """An undo applies the consequences of newer rules, which are no undo steps themselves."""
    old = Spec(replace(TOY, consequences=lambda combat, cause, before: iter(())))
    turns(old).do(Note("before")).rule("damage", who="cyd", amount=10)
    old.do(Note("one")).do(Note("two"))
    imported = read(b"".join(export(old.live.history.recorded)))
    spec.live = Session(TOY, imported.recorded)
    spec._commands = 50
    spec.undo().undo()
    assert spec["cyd"].has("down")
    spec.undo()
    assert spec.hp("cyd") == 10
    spec.redo().redo()
    assert spec.hp("cyd") == 0


def test_what_an_older_procedure_did_itself_still_replays(spec: Spec) -> None:
    spec.given(ANN, {**BOB, "hp": 3}, CYD).begin().act("ann", "strike", target="bob")
    spec.act("bob", "strike", target="ann")
    spec.answer("cyd", "hold", ("attack", 15), ("attack", 12))
    spec.answer("bob", "pass", ("damage", 5))
    assert spec["bob"].has("down")
    assert spec.open() == [("reaction", "parry", "ann")]
    own = (ConditionGained, Downed)  # as if the blow had recorded them
    frame = next(recorded.frame for recorded in spec.last if isinstance(recorded.event, Damaged))
    older = [
        changed(recorded, frame=frame) if isinstance(recorded.event, own) else recorded
        for recorded in spec.live.history.recorded
    ]
    again = Session(TOY, older)
    assert list(again.open_prompts()) == list(spec.live.open_prompts())
    assert again.open_prompts()


def test_a_fall_is_rolled_for_at_once_and_only_once(spec: Spec) -> None:
    turns(spec, doom=True).act("ann", "strike", ("attack", 10), target="bob")
    spec.rule("damage", who="cyd", amount=10)
    assert spec.open() == [("roll", "doom", "cyd")]
    spec.answer("cyd", "roll", faces=(2,))
    assert spec.event(Noted).text == "cyd's fate: 2"
    assert spec.open() == [("reaction", "parry", "bob")]
    spec.rule("damage", who="cyd", amount=1)
    assert spec.open() == [("reaction", "parry", "bob")]


def test_a_fall_in_the_midst_of_an_action_is_rolled_for_before_it_goes_on(spec: Spec) -> None:
    spec.given(ANN, {**BOB, "hp": 1}, CYD, declare=False, doom=True).begin()
    spec.act("ann", "strike", ("attack", 10), target="bob").answer("bob", "pass", ("damage", 5))
    assert spec.open() == [("roll", "doom", "bob")]
    spec.answer("bob", "roll", faces=(4,))
    assert spec.open() == [("turn", "turn", "cyd")]


def test_a_lapsed_question_of_a_leaver_does_not_hold_the_others_up(spec: Spec) -> None:
    turns(spec).act("ann", "dash").leave("bob")
    for _ in range(2):
        spec.answer("cyd", "pass")
    assert spec.event(Noted).text == "ann is there"


def test_whoever_reacts_is_seen_by_all_unless_a_rule_says_otherwise(spec: Spec) -> None:
    turns(spec).act("ann", "dash")
    assert {prompted.sealed for prompted in spec.events(Prompted)} == {False}
