"""Questions that come to their end by themselves."""

from dataclasses import replace

import pytest

from domain.engine.caller import Caller, Context
from domain.engine.commands import Lapse, Open, SetDeadlines
from domain.errors import Forbidden, Unfitting
from domain.record.combat import Deadlines
from domain.record.events import Answered, DeadlinesSet, Prompted
from tests.domain.test_engine import ANN, BOB
from tests.domain.toy import TOY
from tests.spec import GM, Spec

EARLY = "2026-01-01T00:00:00.000Z"


def later(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"2026-01-01T00:{minutes:02}:{rest:02}.000Z"


class Clocked(Spec):
    """A fight with a clock: `now` seconds after the beginning."""

    now = 0

    def context(self, by: Caller = GM) -> Context:
        base = super().context(by)
        start = self.now
        return replace(base, now=later(start), later=lambda seconds: later(start + seconds))


@pytest.fixture
def spec() -> Clocked:
    found = Clocked(TOY)
    found.given(ANN, BOB, declare=False)
    return found


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
    assert spec.open() == [("turn", "turn", "bob")]
    assert spec.event(Prompted, who="bob").until == "2026-01-01T00:02:00.000Z"


def test_a_combatant_may_have_its_own_time_and_other_kinds_none(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(reaction=10, combatants={"bob": 30}))).begin()
    assert spec.event(Prompted).until is None  # a turn has no end
    spec.act("ann", "strike", ("attack", 10), target="bob")
    assert spec.event(Prompted, name="parry").until == "2026-01-01T00:00:30.000Z"


def test_a_roll_waits_for_ever(spec: Clocked) -> None:
    spec.do(SetDeadlines(Deadlines(turn=60))).begin()
    spec.act("ann", "strike", target="bob")
    assert spec.open() == [("roll", "attack", "ann")]
    spec.now = 3000
    with spec.raises(Unfitting):
        spec.do(Lapse())


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
