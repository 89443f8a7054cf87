"""Test prompts with a deadline."""

from dataclasses import replace

import pytest

from domain.engine.caller import Caller, Context
from domain.engine.commands import Lapse, Open, SetDeadlines
from domain.engine.session import Session
from domain.errors import Forbidden, Unfitting
from domain.record.combat import Deadlines
from domain.record.events import Answered, DeadlinesSet, Prompted
from domain.record.fork import fork
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Prompt, choices
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import GM, SEED, Spec

EARLY = "2026-01-01T00:00:00.000Z"


def later(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"2026-01-01T00:{minutes:02}:{rest:02}.000Z"


class Clocked(Spec):
    """A fight whose clock shows `now` seconds after the beginning."""

    now = 0

    def context(self, by: Caller = GM) -> Context:
        base = super().context(by)
        start = self.now
        return replace(base, now=later(start), later=lambda seconds: later(start + seconds))


@pytest.fixture
def spec() -> Clocked:
    clocked = Clocked(TOY)
    clocked.given(ANN, BOB, declare=False)
    return clocked


def test_a_turn_ends_when_its_time_has_come(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin()
    (asked,) = spec.events(Prompted)
    assert asked.until == "2026-01-01T00:01:00.000Z"
    spec.now = 59
    with spec.raises(Unfitting):
        spec.do(Lapse())
    spec.now = 60
    spec.do(Lapse())
    answered = spec.event(Answered)
    assert (answered.who, answered.option, answered.by) == ("ann", "end-turn", "lapsed")
    assert answered.because == "time"
    assert spec.open() == [("turn", "turn", "bob")]
    assert spec.event(Prompted, who="bob").until == "2026-01-01T00:02:00.000Z"


def test_a_combatant_may_have_its_own_time_and_other_kinds_none(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(reaction=10, combatants={"bob": 30}))).begin()
    assert spec.event(Prompted).until is None  # a turn has no deadline
    spec.act("ann", "strike", ("attack", 10), target="bob")
    assert spec.event(Prompted, name="parry").until == "2026-01-01T00:00:30.000Z"


def test_a_roll_waits_for_ever(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin()
    spec.act("ann", "strike", target="bob")
    assert spec.open() == [("roll", "attack", "ann")]
    spec.now = 3000
    with spec.raises(Unfitting):
        spec.do(Lapse())


def test_a_question_without_a_default_waits_for_ever() -> None:
    def duel(play: Play) -> Procedure[None]:
        yield from ask(Prompt("choice", "name", "ann", "Which?", choices("so"), ()))

    spec = Clocked(replace(TOY, procedures={**TOY.procedures, "duel": duel}))
    spec.given(ANN, BOB, speak=True).do(SetDeadlines(Deadlines(choice=5))).begin()
    assert spec.event(Prompted).until is None
    spec.do(SetDeadlines(Deadlines(choice=9)))
    assert spec.event(DeadlinesSet).until == {}


def test_the_gm_stops_the_clock_and_lets_it_go_on(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin()
    spec.do(SetDeadlines(Deadlines(turn=60, stopped=True)))
    spec.now = 600
    with spec.raises(Unfitting):
        spec.do(Lapse())
    spec.do(SetDeadlines(Deadlines(turn=60)))
    assert list(spec.event(DeadlinesSet).until.values()) == ["2026-01-01T00:11:00.000Z"]
    spec.now = 660
    spec.do(Lapse())
    assert spec.open() == [("turn", "turn", "bob")]


def test_a_fight_may_open_with_deadlines() -> None:
    spec = Clocked(TOY)
    spec.do(Open("toy", "test", {"declare": False}, deadlines=Deadlines(turn=5)))
    assert spec.combat.deadlines.turn == 5


def test_only_the_gm_sets_them(spec: Clocked) -> None:
    with spec.raises(Forbidden):
        spec.do(SetDeadlines(Deadlines(turn=1)), by=Caller("p", "player", owner="anna"))


def asked(spec: Clocked) -> list[tuple[str | None, str | None]]:
    return [(prompt.who, prompt.until) for prompt in spec.combat.prompts.values()]


def test_a_question_that_a_step_back_has_opened_again_waits_anew(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin().act("ann", "wait")
    spec.now = 100
    spec.undo()
    assert asked(spec) == [("ann", later(160))]
    with spec.raises(Unfitting):
        spec.do(Lapse())
    spec.now = 160
    spec.do(Lapse())
    assert spec.open() == [("turn", "turn", "bob")]


def test_a_time_that_is_not_over_stays_as_it_is_in_a_step_back(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin().act("ann", "wait")
    spec.now = 59
    spec.undo()
    assert asked(spec) == [("ann", later(60))]
    assert not spec.events(DeadlinesSet)


def test_of_a_time_that_begins_anew_those_hear_who_are_asked() -> None:
    spec = Clocked(TOY)
    spec.given(ANN, BOB, {**BOB, "name": "cyd"}, declare=False)
    spec.do(SetDeadlines(Deadlines(turn=60, reaction=5))).begin().act("ann", "dash")
    spec.answer("bob", "pass").answer("bob", "pass")
    spec.now = 20
    spec.do(Lapse()).undo()
    (told,) = [recorded for recorded in spec.last if isinstance(recorded.event, DeadlinesSet)]
    assert told.audience == ("cyd",)
    assert asked(spec) == [("bob", later(5))] * 2 + [("cyd", later(25))] * 2
    spec.do(SetDeadlines(Deadlines(turn=60)))
    assert spec.last[0].audience is None


def test_steps_back_go_on_past_what_came_with_them(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin()
    before = spec.combat
    spec.act("ann", "wait").act("bob", "wait")
    spec.now = 500
    spec.undo().undo()
    assert spec.open() == [("turn", "turn", "ann")]
    spec.redo().redo()
    assert spec.combat.round == before.round + 1
    spec.undo("round")
    assert asked(spec) == [("ann", later(560))]


def test_while_another_question_comes_first_no_time_runs_out(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60, ruling=10))).begin().rule("crown")
    spec.now = 70
    for _ in "honoured", "gift":
        spec.do(Lapse())
        spec.now += 10
    assert asked(spec) == [("ann", later(140))]  # the GM's second prompt lapsed at 80
    spec.rule("crown").answer(None, "all").answer(None, "all")
    assert asked(spec) == [("ann", later(140))]  # not lapsed yet


def test_in_a_fork_what_is_open_waits_for_ever(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin().act("ann", "wait")
    spec.do(SetDeadlines(Deadlines(turn=30)))
    recorded, _ = fork(spec.live.history.path, "another", None, SEED)
    forked = Session(TOY, recorded).combat
    assert forked.deadlines == Deadlines(turn=30)
    assert [(prompt.who, prompt.until) for prompt in forked.prompts.values()] == [("bob", None)]
