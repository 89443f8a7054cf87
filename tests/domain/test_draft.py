"""Test the events that one command records, with their keys, inputs, salts and audiences."""

from dataclasses import replace
from typing import Any

from domain.engine import archive
from domain.engine.commands import Note
from domain.engine.session import Session
from domain.record.combat import Combat, DiceSettings, Id
from domain.record.events import (
    CombatBegan,
    ConditionGained,
    ConditionLost,
    Noted,
    ProcedureBegan,
    Rolled,
    TurnBegan,
)
from domain.record.evolve import fold
from domain.record.fork import fork
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulebook.ruleset import ConditionInfo
from tests.domain.test_able import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import SEED, Spec

CONDITIONS = {
    **TOY.conditions,
    "bleeding": ConditionInfo("it bleeds", "never", (), stacks=True),
}


def suffering(*events: ConditionGained | ConditionLost) -> Spec:
    """Return a fight in which Ann's action records these events.

    The rulebook does not define the condition `web`.
    """

    def procedure(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from events

    suffer = Action("suffer", procedure=procedure, interjection=True)
    rulebook = replace(TOY, conditions=CONDITIONS, actions={**TOY.actions, "suffer": suffer})
    return Spec(rulebook).given(ANN, BOB, declare=False).begin().act("ann", "suffer")


def keys(*events: ConditionGained | ConditionLost) -> list[tuple[str, Id | None]]:
    return [(condition.key, condition.source) for condition in suffering(*events)["bob"].conditions]


def gained(condition: str, source: Id | None = None, key: str = "") -> ConditionGained:
    return ConditionGained("bob", condition, key, source=source)


def test_instances_that_stand_beside_each_other_are_numbered() -> None:
    bleeding = gained("bleeding")
    assert keys(bleeding, bleeding, bleeding) == [
        ("bleeding#1", None), ("bleeding#2", None), ("bleeding#3", None),
    ]  # fmt: skip
    healed = ConditionLost("bob", "bleeding", "bleeding#1")
    assert keys(bleeding, bleeding, healed, bleeding) == [
        ("bleeding#2", None), ("bleeding#1", None),
    ]  # fmt: skip
    assert keys(gained("bleeding", key="deep"), bleeding) == [("deep", None), ("bleeding#1", None)]


def test_the_others_replace_each_other() -> None:
    assert keys(gained("dazed", "ann"), gained("dazed", "bob")) == [("dazed", "bob")]


def test_of_what_data_alone_name_each_source_has_its_own() -> None:
    web = gained("web", "ann")
    assert keys(web, web) == [("web", "ann")]
    assert keys(web, gained("web", "bob")) == [("web", "ann"), ("web#1", "bob")]
    assert keys(web, gained("web", "bob"), gained("web"), gained("web", "bob")) == [
        ("web", "ann"), ("web#1", "bob"), ("web#2", None),
    ]  # fmt: skip


def test_whoever_is_not_there_bears_nothing() -> None:
    spec = suffering(ConditionGained("eve", "bleeding"))
    assert spec.event(ConditionGained).key == ""


def throwing(dice: DiceSettings) -> Spec:
    def procedure(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
        yield from roll(who, "shout", "1d20", rules=())
        yield from roll(who, "shout", "1d20", rules=())

    throw = Action("throw", procedure=procedure, interjection=True)
    rulebook = replace(TOY, actions={**TOY.actions, "throw": throw})
    return Spec(rulebook).given(ANN, BOB, declare=False, dice=dice).begin()


def dice_of(spec: Spec, who: Id) -> list[tuple[str, int]]:
    return [(rolled.key, rolled.ordinal) for rolled in spec.act(who, "throw").events(Rolled)]


def test_dice_are_those_of_their_command() -> None:
    spec = throwing(DiceSettings())
    key = str(spec.live.version + 1)
    assert dice_of(spec, "ann") == [(key, 1), (key, 2)]
    again = str(spec.undo().live.version + 1)
    assert dice_of(spec, "ann") == [(again, 1), (again, 2)]
    assert again != key


def test_dice_that_are_kept_are_those_of_the_same_command_from_the_same_state() -> None:
    spec = throwing(DiceSettings(after_undo="keep"))
    first = dice_of(spec, "ann")
    assert [ordinal for _, ordinal in first] == [1, 2]
    assert dice_of(spec.undo(), "ann") == first
    assert dice_of(spec.undo(), "bob") != first
    assert dice_of(spec.undo().do(Note("later")), "ann") != first


def test_the_input_stands_with_the_first_event_and_salt_with_all_that_people_wrote() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False)
    assert [recorded.input is not None for recorded in spec.last] == [True, False, False]
    assert [recorded.salt for recorded in spec.last] == ["salt"] * 3  # people write names
    spec.begin()
    assert [bool(recorded.input) for recorded in spec.last] == [
        True,
        *[False] * (len(spec.last) - 1),
    ]
    told = [recorded.salt for recorded in spec.last]
    assert told == ["salt", *[""] * (len(told) - 1)]


def test_what_a_procedure_has_done_is_known_by_it_and_the_rest_by_none() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False)
    assert {recorded.frame for recorded in spec.last} == {0}
    spec.begin()
    frames = {type(recorded.event): recorded.frame for recorded in spec.last}
    turn = spec.combat.frames[0].id
    assert (frames[TurnBegan], frames[ProcedureBegan], frames[CombatBegan]) == (turn, 0, 0)


def test_whom_the_gm_names_is_named_for_all() -> None:
    spec = Spec(TOY).given(ANN, BOB, hidden=("bob",), declare=False).do(Note("bob is near"))
    assert [recorded.audience for recorded in spec.last if isinstance(recorded.event, Noted)] == [
        None
    ]


def test_the_state_behind_each_command_is_at_hand(monkeypatch: Any) -> None:
    folded: list[int] = []

    def counted(events: Any, state: Combat) -> Combat:
        some = list(events)
        folded.append(len(some))
        return fold(some, state)

    spec = Spec(TOY).given(ANN, BOB, declare=False).begin().act("ann", "wait")
    spec.prove = lambda: None  # type: ignore[method-assign]  # it folds too
    monkeypatch.setattr(archive, "fold", counted)
    spec.undo().redo()
    assert set(folded) == {0}


def test_a_fork_remembers_what_it_continues() -> None:
    spec = Spec(TOY).given(ANN, BOB, declare=False).begin()
    recorded, _ = fork(spec.live.history.path, "another", None, SEED)
    origin = ("combat", spec.live.version)
    forked = Session(TOY, recorded)
    assert forked.origin == origin
    decision = forked.decide(Note("on"), spec.context())
    assert decision.live.origin == forked.with_events(decision.recorded).origin == origin
    assert Session(TOY).with_events(recorded).origin == origin
    assert spec.live.origin is None
