"""Test that old events in the log give the same answers as events in memory.

The fights have many undos, and many small pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.caller import Caller
from domain.engine.commands import Command, Goto, Redo, Undo
from domain.engine.late_answers import too_late
from domain.engine.session import Session
from domain.errors import Refused, Unfitting
from domain.record import history as record
from domain.record.events import (
    ActionDeclared,
    Damaged,
    Healed,
    ProcedureEnded,
    Prompted,
    Rolled,
    Ruled,
)
from domain.record.evolve import fold
from domain.record.recorded import Recorded
from domain.rulesets.free_hit import RULESET
from projections.diff import diff
from projections.events import event_view
from projections.explain import explain
from projections.eyes import Eyes
from projections.statistics import Count
from projections.timeline import Entry, Wanted, page
from projections.tree import tree
from projections.why import why
from tests.domain.test_history import played
from tests.domain.toy import TOY
from tests.log import Log
from tests.spec import GM, Spec

READERS = (
    GM,
    Caller("p", "player", ("Ana",)),
    Caller("q", "player", (), owner="anna"),
    Caller("s", "spectator"),
)


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "LEAST", 6)
    monkeypatch.setattr(record, "KEPT", 6)


both = pytest.mark.parametrize("ruleset", [TOY, RULESET], ids=lambda entry: entry.id)
some = settings(max_examples=2, deadline=None)
seeds = given(seed=st.integers(0, 2**32))


def told(work: Callable[[], Any]) -> bytes:
    """Return an answer as bytes, or the refusal."""
    try:
        return msgspec.json.encode(work())
    except Refused as refused:
        return repr(refused).encode()


@pytest.mark.parametrize(
    "ruleset", [pytest.param(TOY, marks=pytest.mark.long), RULESET], ids=["toy", "free-hit"]
)
@some
@seeds
def test_every_answer_is_the_same(ruleset: Any, seed: int) -> None:
    spec = played(ruleset, seed, 45)
    whole, log = spec.live, Log(spec.live.history.recorded)
    left = log.live(ruleset)
    assert whole.history.left == 0
    assert len(left.history.pages) > 3
    assert (left.combat, left.digest, left.asked, left.revealed) == (
        whole.combat,
        whole.digest,
        whole.asked,
        whole.revealed,
    )
    for ask in questions(whole, Random(seed)):
        assert told(partial(log.recall, partial(ask, left))) == told(partial(ask, whole))
    assert log.brought


SOMEBODY = {"toy": "ann", "free-hit": "Ana"}

Ask = Callable[[Session, Any], Any]

OF_VERSIONS: tuple[Ask, ...] = (
    lambda live, version: live.at(version),
    lambda live, version: live.history.resolve(version),
    lambda live, version: live.history.at_rest(version),
    lambda live, version: live.history.command_of(version),
    lambda live, version: live.history.round_after(version),
    lambda live, version: live.history.since(version),
    lambda live, version: list(live.as_of(version).open_prompts()),
    lambda live, version: diff(live, version, live.version // 2),
)

OF_READERS: tuple[Ask, ...] = (
    lambda live, by: views(live, Eyes(live.history, by)),
    lambda live, by: Count().after(live, Eyes(live.history, by)).figures,
    lambda live, by: explain(live, Eyes(live.history, by), SOMEBODY[live.ruleset.id]),
    lambda live, by: why(live, Eyes(live.history, by), SOMEBODY[live.ruleset.id], "hp"),
)

WANTED = (
    Wanted(),
    Wanted(detail="full"),
    Wanted(type="damaged"),
    Wanted(type="no-such-type"),
    Wanted(combatant="Ana", undone=True),
    Wanted(rule="FH-D", undone=False),
    Wanted(round=2),
)


def questions(live: Session, luck: Random) -> Iterator[Callable[[Session], Any]]:
    """Yield the queries that readers and commands send to a history."""
    for ask in OF_VERSIONS:
        for _ in range(6):
            yield partial(_with, ask, luck.randint(1, live.version))
    yield tree
    asked = [
        recorded.event for recorded in live.history.recorded if isinstance(recorded.event, Prompted)
    ]
    for event in luck.sample(asked, 6):
        yield partial(_late, event.prompt)
    for reader in READERS:
        for ask in OF_READERS:
            yield partial(_with, ask, reader)
    for wanted in WANTED:
        yield partial(leafed, luck.choice(READERS), wanted, luck.random() < 0.5)


def _with(ask: Ask, what: Any, live: Session) -> Any:
    return ask(live, what)


def _late(prompt: str, live: Session) -> str:
    return repr(too_late(live.history, prompt, lambda audience: True))


def views(live: Session, eyes: Eyes) -> Any:
    """Return all views of a reader, after a check of its sequence numbers."""
    seen = eyes.between(0, eyes.sequence)
    there = [eyes.to_version(number) for number in range(1, eyes.sequence + 1)]
    assert there == [recorded.version for recorded in seen]
    back = [eyes.to_sequence(version) for version in range(1, live.version + 1)]
    return [back, [event_view(live, eyes, recorded) for recorded in seen]]


def leafed(reader: Caller, wanted: Wanted, newest_first: bool, live: Session) -> list[Entry]:
    """Return the complete timeline, page by page."""
    eyes = Eyes(live.history, reader)
    leafed_: list[Entry] = []
    after: int | None = None
    while True:
        entries, after = page(live, eyes, wanted, after=after, newest_first=newest_first, limit=9)
        leafed_ += entries
        if after is None:
            return leafed_


@both
@some
@seeds
def test_eyes_that_grow_see_what_new_ones_see(ruleset: Any, seed: int) -> None:
    spec = played(ruleset, seed, 40)
    recorded = list(spec.live.history.recorded)
    live = Session(ruleset)
    grown = [Eyes(live.history, reader) for reader in READERS]
    log = Log(recorded)
    luck = Random(seed)
    while live.version < len(recorded):
        command = recorded[live.version].command
        new = [event for event in recorded[live.version :] if event.command == command]
        before = live
        live = log.recall(lambda: before.with_events(new))  # noqa: B023
        if luck.random() < 0.5:
            live = live.left_to_log()
        grown = [eyes.after(live.history) for eyes in grown]
        for eyes in grown:
            fresh = Eyes(live.history, eyes.caller)
            assert eyes.sequence == fresh.sequence
            assert [eyes.sees(v) for v in range(1, live.version + 1)] == [
                fresh.sees(v) for v in range(1, live.version + 1)
            ]


@both
@some
@seeds
def test_commands_far_back_do_the_same(ruleset: Any, seed: int) -> None:
    spec = played(ruleset, seed, 50)
    log = Log(spec.live.history.recorded)
    whole, left = spec, Spec(ruleset)
    left.prove = lambda: None  # type: ignore[method-assign]
    left.live, left._commands = log.live(ruleset), spec._commands
    luck = Random(seed)
    for _ in range(12):
        command: Command = luck.choice(
            (
                Goto(luck.randint(1, whole.live.version)),
                Undo(luck.choice(("command", "turn", "round"))),
                Redo(),
            )
        )
        context = whole.context()
        outcome = told(lambda: list(whole.live.decide(command, context).states))  # noqa: B023
        assert outcome == told(
            lambda: log.recall(lambda: list(left.live.decide(command, context).states))  # noqa: B023
        )
        try:
            whole.live = whole.live.decide(command, context).live
        except Refused:
            continue
        decision = log.recall(lambda: left.live.decide(command, context))  # noqa: B023
        log.take(decision.states)
        left.live = decision.live.left_to_log()
        assert left.live.combat == whole.live.combat
        left_now, whole_now = left.live, whole.live
        assert list(log.recall(left_now.open_prompts)) == list(whole_now.open_prompts())


@both
@some
@seeds
def test_undo_goes_where_going_through_the_path_says(ruleset: Any, seed: int) -> None:
    history = played(ruleset, seed, 50).live.history
    ends: list[tuple[int, str]] = []
    for recorded in history.path:
        if ends and ends[-1][1] == recorded.command:
            ends.pop()
        if recorded.version <= history.present:
            ends.append((recorded.version, recorded.command))
    if len(ends) < 2:
        with pytest.raises(Unfitting):
            history.undo_target("command")
        return
    assert history.undo_target("command") == ends[-2][0]
    for over, names in (
        ("turn", {"turn-began", "round-began"}),
        ("round", {"round-began"}),
    ):
        target, expected = history.undo_target(over), ends[0][0]  # type: ignore[arg-type]
        for (end, command), _ in pairwise(ends):
            begun = {
                str(type(recorded.event).__struct_config__.tag)
                for recorded in history.path
                if recorded.command == command
            }
            if begun & (names | {"combat-began"}):
                expected = end
        assert target == expected


@some
@seeds
def test_why_is_what_the_whole_path_says(seed: int) -> None:
    spec = played(RULESET, seed, 50)
    live, eyes = spec.live, Eyes(spec.live.history, GM)
    for who in live.combat.combatants:
        steps = why(live, eyes, who, "hp")
        for step in steps:
            assert step.value == live.at(step.version).combatants[who].tracks["hp"].value
            assert list(step.causes) == causes(live, live.history.recorded_at(step.version))


def causes(live: Session, recorded: Recorded) -> list[int]:
    """Return the causes of an event by a search through all events before it.

    A new declaration in the same frame drops the causes of earlier declarations.
    """
    known: list[Recorded] = []
    for number in live.history.path_to(recorded.version):
        event = number.event
        if isinstance(event, ActionDeclared | ProcedureEnded):
            frame = event.frame if isinstance(event, ProcedureEnded) else number.frame
            known = [it for it in known if it.frame != frame or it.command == number.command]
        if (
            isinstance(event, ActionDeclared | Rolled | Ruled)
            or event.__class__.__name__ == "Judged"
        ):
            known.append(number)
    of_a_frame = [it for it in known if it.frame == recorded.frame]
    of_the_command = [it for it in known if it.command == recorded.command]
    if recorded.frame:
        near = [it for it in known if it in of_a_frame and not isinstance(it.event, Ruled)]
        near += [it for it in of_the_command if isinstance(it.event, Ruled)]
    else:
        near = of_the_command
    effect, concerned = recorded.event, set[str | None]()
    if isinstance(effect, Damaged | Healed):
        concerned = {effect.source, effect.who}
    events = sorted(
        (
            it
            for it in near
            if it is not recorded
            and (
                not concerned
                or None in concerned
                or isinstance(it.event, Ruled)
                or getattr(it.event, "who", None) in concerned
                or getattr(it.event, "against", None)
                in concerned - {getattr(effect, "source", None)}
            )
        ),
        key=lambda it: it.version,
    )
    ruled = [at for at, recorded in enumerate(events) if isinstance(recorded.event, Ruled)]
    return [recorded.version for recorded in (events[ruled[-1] :] if ruled else events)]


def test_a_hot_combat_holds_few_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight of any length keeps two pages and the events of one command in memory."""
    monkeypatch.setattr(record, "LEAST", 16)
    monkeypatch.setattr(record, "KEPT", 16)
    spec = played(RULESET, 7, 120)
    live = Log(spec.live.history.recorded).live(RULESET)
    longest = max(Counter(recorded.command for recorded in spec.live.history.recorded).values())
    assert len(live.history.tail) < 2 * 16 + longest + 1
    assert all(page.events() is None for page in live.history.pages)
    oldest = live.history.pages[0]
    path = spec.live.history.path_to(oldest.marked)
    assert oldest.state == fold(recorded.event for recorded in path)
