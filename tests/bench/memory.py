"""The time and memory of the service without network and database."""

import gc
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import mean, median
from typing import Any
from uuid import uuid4

import msgspec

from domain.engine.caller import Caller
from domain.engine.commands import Act, Command
from domain.engine.session import Session
from domain.record.evolve import fold
from domain.record.recorded import decode, encode
from domain.rulebook.prompts import Prompt
from domain.rulesets import installed
from domain.rulesets.free_hit import RULESET
from projections.diff import diff
from projections.eyes import Eyes
from projections.offers import offers
from projections.timeline import Wanted, page
from projections.why import why
from service.conformance.walker import Walker
from service.hot_combat import Hot
from service.store.rows import Head, TokenRow
from tests.bench.fights import fought
from tests.bench.row import Row
from tests.client import NEEDED
from tests.log import Log
from tests.spec import Spec
from tests.walks import FIGHTS

GM = Caller("gm", "gm")
SHORT, LONG = 100, 10_000


def clock(work: Callable[[], Any], times: int = 5) -> float:
    """Return the median processor time of `work`, in µs."""
    samples = []
    for _ in range(times):
        began = time.process_time()
        work()
        samples.append((time.process_time() - began) * 1e6)
    return median(samples)


def rows(events: int = LONG) -> list[Row]:
    """Measure everything in memory, in a fight of `events` events."""
    short, long = fought(SHORT), fought(events)
    return [*_loading(long), *_options(), _boards(), *_flat(short, long), *_memory(long)]


def _loading(long: Spec) -> list[Row]:
    states = [encode(recorded) for recorded in long.live.history.recorded]
    half = states[:5000]
    replay = clock(lambda: fold(decode(state).event for state in states))
    load = clock(lambda: Session.stored(RULESET, [decode(line) for line in half]))
    log = Log(long.live.history.recorded)
    old = len(states) * 9 // 10

    def look_back() -> None:
        live = log.live(RULESET)
        log.recall(lambda: live.at(old))

    cold = clock(look_back)
    speed = len(states) / replay * 1e6
    return [
        Row("replay / 200,000 events per s", speed / 200_000, 1, f"{speed:.0f} per s", least=True),
        Row("cold load of 5,000 events / 50 ms", load / 50_000, 1, f"{load / 1000:.0f} ms"),
        Row(
            "state at a version of 10,000, cold / 60 ms", cold / 60_000, 1, f"{cold / 1000:.0f} ms"
        ),
    ]


def _options() -> list[Row]:
    """Return the GM's offers of each rulebook, averaged over random play."""
    return [_options_of(ruleset) for ruleset in sorted(FIGHTS)]


def _options_of(ruleset: str, commands: int = 30) -> Row:
    spec = Spec(installed()[ruleset])
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*FIGHTS[ruleset](), **NEEDED.get(ruleset, {})).begin()
    walker, took = Walker(spec, Random(7), undo=0), list[float]()
    while len(took) < commands and walker.step():
        took.append(clock(partial(_encoded, spec), 3))
    ms = mean(took) / 1000
    return Row(f"a GM's options, {ruleset} / 15 ms", ms / 15, 1, f"{ms:.1f} ms")


def _encoded(spec: Spec) -> bytes:
    return msgspec.json.encode(offers(spec.live, Eyes(spec.live.history, GM)))


def _boards() -> Row:
    """Measure the boards of a GM and seven players after one command among 100 combatants."""
    spec = fought(10, 7, 93)
    tokens = [TokenRow("gm", b"", "gm", "GM", None, ())]
    tokens += [TokenRow(f"p{n}", b"", "player", "", None, (f"Ana{n}",)) for n in range(7)]
    hot = Hot(uuid4(), spec.live, _head(spec.live), {token.id: token for token in tokens})
    took = []
    for _ in range(20):
        who = spec.prompt().who or ""
        decision = spec.live.decide(_command(who), spec.context())
        spec.live = decision.live
        hot = hot.after(decision)
        took.append(clock(partial(_all_boards, hot, tokens), 1))
    ms = median(took) / 1000
    return Row("boards of 8 audiences, 100 combatants / 2 ms", ms / 2, 1, f"{ms:.2f} ms")


def _all_boards(hot: Hot, tokens: Sequence[TokenRow]) -> None:
    for token in tokens:
        hot.board_of(token)


def _flat(short: Spec, long: Spec) -> list[Row]:
    """Compare the same work with a long history and with a short one."""

    def pair(name: str, aim: float, work: Work, n: int = 15) -> Row:
        shorter, other = work(_again(short)), work(_again(long))
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(n):
            times[0].append(clock(shorter, 1))
            times[1].append(clock(other, 1))
        few, many = map(median, times)
        return Row(
            f"{name} at {LONG:,} events / at {SHORT}", many / few, aim, f"{many:.0f} / {few:.0f} µs"
        )

    return [
        pair("command", 1.1, _command_of, 50),
        pair("catching up with another replica's command", 2, _catching_up),
        pair("goto, a first command there, and back", 2, _goto),
        pair("page of the timeline", 1.1, _timeline(Wanted())),
        pair("page of the timeline, a rare filter", 2, _timeline(Wanted(type="combat-opened"))),
        pair("why", 2, _why),
        pair("undo", 2, _undo),
        pair("diff of the last round", 2, _diff),
        pair("a player's first view", 2, _first_view),
    ]


Work = Callable[["Logged"], Callable[[], Any]]


class Logged(Spec):
    """A fight whose older events are in a log, as the service keeps them in the database."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec.ruleset)
        self.log = Log(spec.live.history.recorded)
        self.live = self.log.live(spec.ruleset)

    def prove(self) -> None:
        """Do nothing: other tests prove fights."""

    def _decide(self, command: Command, by: Caller) -> None:
        self._commands += 1
        context = self.context(by)
        decision = self.log.recall(lambda: self.live.decide(command, context))
        self.log.take(decision.states)
        self.live = decision.live.left_to_log()

    def _roll_prompt(self) -> tuple[str, Prompt] | None:
        return self.log.recall(super()._roll_prompt)


def _again(spec: Spec) -> Logged:
    """Return a warm copy of the fight, so that no row depends on the commands of another row."""
    copy = Logged(spec)
    copy.act(copy.prompt().who or "", "end-turn")
    return copy


def _command(who: str) -> Act:
    return Act(who, "end-turn", {})


def _command_of(spec: Logged) -> Callable[[], Any]:
    return lambda: spec.act(spec.prompt().who or "", "end-turn")


def _catching_up(spec: Logged) -> Callable[[], Any]:
    """Return work that takes over the events of another replica, then decides a command."""
    who = spec.prompt().who or ""
    decision = spec.live.decide(_command(who), spec.context())
    states = decision.states

    def work() -> None:
        live = spec.live.with_events([decode(state) for state in states])
        live.decide(_command(next(iter(live.open_prompts().values())).who or ""), spec.context())

    return work


def _goto(spec: Logged) -> Callable[[], Any]:
    """Return work that goes to the middle of the fight, decides a command there, and returns."""
    middle = spec.live.version // 2

    def work() -> None:
        present = spec.live.version
        spec.goto(middle)
        spec.act(spec.log.recall(spec.prompt).who or "", "end-turn")
        spec.goto(present)

    return work


def _timeline(wanted: Wanted) -> Work:
    def work(spec: Logged) -> Callable[[], Any]:
        def read() -> Any:
            eyes = Eyes(spec.live.history, GM)
            return page(spec.live, eyes, wanted, newest_first=True, limit=20)

        return lambda: spec.log.recall(read)

    return work


def _why(spec: Logged) -> Callable[[], Any]:
    def read() -> Any:
        return why(spec.live, Eyes(spec.live.history, GM), "Ana0", track="hp")

    return lambda: spec.log.recall(read)


def _undo(spec: Logged) -> Callable[[], Any]:
    def work() -> None:
        spec.act(spec.prompt().who or "", "end-turn")
        spec.undo()

    return work


def _diff(spec: Logged) -> Callable[[], Any]:
    return lambda: diff(spec.live, spec.live.version - 30, spec.live.version)


def _first_view(spec: Logged) -> Callable[[], Any]:
    return lambda: Eyes(spec.live.history, Caller("p", "player", ("Ana0",)))


def _memory(long: Spec) -> list[Row]:
    states = [encode(recorded) for recorded in long.live.history.recorded]
    rows = []
    for events, most in ((1_000, 300), (10_000, 1_000)):
        kb = _held(states[:events])
        name = f"a hot combat of {events:,} events / {most} kB"
        rows.append(Row(name, kb / most, 1, f"{kb:.0f} kB"))
    return rows


def _held(states: Sequence[bytes]) -> float:
    """Return the kilobytes of a combat that was loaded from its log."""
    gc.collect()
    tracemalloc.start()
    live = Session.stored(RULESET, [decode(state) for state in states])
    hot = Hot(uuid4(), live, _head(live))
    gc.collect()
    bytes_, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert hot.head is not None
    return bytes_ / 1024


def _head(live: Session) -> Head:
    return Head(uuid4(), live.version, live.digest, 0, 0)
