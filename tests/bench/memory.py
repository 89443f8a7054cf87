"""What costs time and memory within the service: no network, no database."""

import gc
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any
from uuid import uuid4

import msgspec

from domain.engine.caller import Caller
from domain.engine.commands import Act
from domain.engine.live import Live
from domain.record.evolve import fold
from domain.record.recorded import decode, encode
from domain.rulesets.free_hit import RULESET
from projections.diff import diff
from projections.eyes import Eyes
from projections.offers import offers
from projections.timeline import Commands, Wanted, page
from projections.why import why
from service.hot import Hot
from service.store.rows import Head, TokenRow
from tests.bench.fights import fought
from tests.bench.row import Row
from tests.spec import Spec

GM = Caller("gm", "gm")
SHORT, LONG = 100, 10_000


def clock(work: Callable[[], Any], times: int = 5) -> float:
    """Median microseconds of a core."""
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append((time.process_time() - began) * 1e6)
    return median(found)


def rows() -> list[Row]:
    """Everything in memory."""
    short, long = fought(SHORT), fought(LONG)
    return [*_loading(long), _options(short), _boards(), *_flat(short, long), *_memory(long)]


def _loading(long: Spec) -> list[Row]:
    states = [encode(one) for one in long.live.history.recorded]
    half = states[:5000]
    replay = clock(lambda: fold(decode(one).event for one in states))
    load = clock(lambda: Live(RULESET, [decode(one) for one in half]))
    cold = clock(lambda: Live(RULESET, [decode(one) for one in states]).at(9_000))
    speed = len(states) / replay * 1e6
    return [
        Row("replay / 200,000 events per s", speed / 200_000, 1, f"{speed:.0f} per s", least=True),
        Row("cold load of 5,000 events / 50 ms", load / 50_000, 1, f"{load / 1000:.0f} ms"),
        Row(
            "state at a version of 10,000, cold / 60 ms", cold / 60_000, 1, f"{cold / 1000:.0f} ms"
        ),
    ]


def _options(spec: Spec) -> Row:
    who = spec.prompt().who
    eyes = Eyes(spec.live.history, GM)
    took = clock(lambda: msgspec.json.encode(offers(spec.live, eyes, who)), 200)
    return Row("options of a combatant / 150 µs", took / 150, 1, f"{took:.0f} µs")


def _boards() -> Row:
    """Boards of a GM and seven players after one command among 100 combatants."""
    spec = fought(10, 7, 93)
    tokens = [TokenRow("gm", b"", "gm", "GM", None, ())]
    tokens += [TokenRow(f"p{n}", b"", "player", "", None, (f"Ana{n}",)) for n in range(7)]
    hot = Hot(uuid4(), spec.live, _head(spec.live), {one.id: one for one in tokens})
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
    for one in tokens:
        hot.board_of(one)


def _flat(short: Spec, long: Spec) -> list[Row]:
    """The same work at a long history and at a short one."""

    def pair(name: str, aim: float, work: Callable[[Spec], Callable[[], Any]], n: int = 15) -> Row:
        one, other = work(_again(short)), work(_again(long))
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(n):
            times[0].append(clock(one, 1))
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


def _again(spec: Spec) -> Spec:
    """The fight in a memory of its own, warm, so that one row's commands are not the next one's."""
    copy = Spec(spec.ruleset)
    copy.prove = lambda: None  # type: ignore[method-assign]
    copy.live = Live(spec.ruleset, spec.live.history.recorded)
    return copy.act(copy.prompt().who or "", "end-turn")


def _command(who: str) -> Act:
    return Act(who, "end-turn", {})


def _command_of(spec: Spec) -> Callable[[], Any]:
    return lambda: spec.act(spec.prompt().who or "", "end-turn")


def _catching_up(spec: Spec) -> Callable[[], Any]:
    """What another replica has stored, and a command on it."""
    who = spec.prompt().who or ""
    decision = spec.live.decide(_command(who), spec.context())
    states = decision.states

    def work() -> None:
        live = spec.live.with_events([decode(one) for one in states])
        live.decide(_command(next(iter(live.open_prompts().values())).who or ""), spec.context())

    return work


def _goto(spec: Spec) -> Callable[[], Any]:
    """To the middle of the fight, a command from there, and back."""
    path = spec.live.history.path
    middle = path[len(path) // 2].version

    def work() -> None:
        present = spec.live.version
        spec.goto(middle)
        spec.act(spec.prompt().who or "", "end-turn")
        spec.goto(present)

    return work


def _timeline(wanted: Wanted) -> Callable[[Spec], Callable[[], Any]]:
    def work(spec: Spec) -> Callable[[], Any]:
        index = Commands()

        def read() -> None:
            eyes = Eyes(spec.live.history, GM)
            page(spec.live, eyes, index.refresh(spec.live), wanted, newest_first=True, limit=20)

        return read

    return work


def _why(spec: Spec) -> Callable[[], Any]:
    return lambda: why(spec.live, Eyes(spec.live.history, GM), "Ana0", track="hp")


def _undo(spec: Spec) -> Callable[[], Any]:
    def work() -> None:
        spec.act(spec.prompt().who or "", "end-turn")
        spec.undo()

    return work


def _diff(spec: Spec) -> Callable[[], Any]:
    return lambda: diff(spec.live, spec.live.version - 30, spec.live.version)


def _first_view(spec: Spec) -> Callable[[], Any]:
    return lambda: Eyes(spec.live.history, Caller("p", "player", ("Ana0",)))


def _memory(long: Spec) -> list[Row]:
    states = [encode(one) for one in long.live.history.recorded]
    found = []
    for events, most in ((1_000, 300), (10_000, 1_000)):
        kb = _held(states[:events])
        name = f"a hot combat of {events:,} events / {most} kB"
        found.append(Row(name, kb / most, 1, f"{kb:.0f} kB"))
    return found


def _held(states: Sequence[bytes]) -> float:
    """Kilobytes of a combat that was read from the log."""
    gc.collect()
    tracemalloc.start()
    live = Live(RULESET, [decode(one) for one in states])
    hot = Hot(uuid4(), live, _head(live))
    gc.collect()
    bytes_, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert hot.head is not None
    return bytes_ / 1024


def _head(live: Live) -> Head:
    return Head(uuid4(), live.version, live.digest, 0, 0)
