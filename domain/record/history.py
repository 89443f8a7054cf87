"""History: the tree of a combat's events, and the current path through it.

`Reverted(to=N)` makes version N the current version. The next event has the parent N. The
*path* is the chain of events from the first to the current version. It has no undone events and no
`Reverted`.

The newest events are in memory. Older events may be only in the log. A function that needs them
raises `Away` (see `pages`). Load the events and call it again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from domain.errors import Unfitting, Unknown
from domain.record.events import (
    AnyEvent,
    CombatBegan,
    ProcedureAbandoned,
    Prompted,
    Requested,
    RequestSettled,
    Reverted,
    RoundBegan,
    SeedCommitted,
    TurnBegan,
)
from domain.record.pages import FEW, KEPT, LEAST, Away, Leaf, Page, numbers_of
from domain.record.recorded import Recorded
from domain.record.shared_list import Shared

Span = tuple[int, int]
"""The first and the last version of a stretch of events."""

_MOST: Final = 256
"""The largest number of events of a page, unless its last command is longer."""

_PASSED: Final = (Reverted, ProcedureAbandoned, Requested, RequestSettled)
"""The events that begin a command which undo skips."""

_NO_STEPS: Final = numbers_of(*_PASSED)
_PROMPTED: Final = numbers_of(Prompted)
_BEGINNINGS: Final = {
    "turn": numbers_of(TurnBegan, RoundBegan, CombatBegan),  # some rulebooks have only rounds
    "round": numbers_of(RoundBegan, CombatBegan),
}


class Turn(NamedTuple):
    """A `Reverted`, with its version and the current version before and after it."""

    version: int
    left: int
    to: int


class Amendment(NamedTuple):
    """An amendment, with its first event, its last event, and the current version before it."""

    first: int
    last: int
    left: int


class History:
    """All events of one combat in the order of their versions, with the current path.

    A history is an immutable value.

    - `pages`: the index of the older events, which are only in the log.
    - `tail`: the later events, which are in memory.
    - `turns`: each `Reverted` event.
    - `amendments`: the changes of past commands.
    - `runs`: the stretches of versions on the current path.
    - `version`: the version of the newest event, undone or not, or 0.
    - `left`: the newest version that is only in the log, or 0.
    """

    __slots__ = (
        "_firsts", "_open", "_with", "amendments", "left", "pages", "runs", "tail", "turns",
        "version",
    )  # fmt: skip

    def __init__(self, recorded: Iterable[Recorded] = ()) -> None:
        self.version = self.left = 0
        self.pages = Shared[Page]()
        self.tail = Shared[Recorded]()
        self.turns: tuple[Turn, ...] = ()
        self.amendments: tuple[Amendment, ...] = ()
        self.runs: tuple[Span, ...] = ()
        self._open: Page | None = None
        self._firsts: tuple[int, ...] = ()  # the first version of each page
        self._with: Mapping[int, int] = {}  # for each type of event, bits of its pages
        self._take(list(recorded))

    def _copy(self) -> "History":
        new = History.__new__(History)
        new.version, new.left = self.version, self.left
        new.pages, new.tail = self.pages, self.tail
        new.turns, new.runs, new._open = self.turns, self.runs, self._open
        new._firsts, new._with, new.amendments = self._firsts, self._with, self.amendments
        return new

    def apart(self) -> "History":
        """Return an independent copy, for events that may never be stored."""
        new = self._copy()
        new.tail = Shared(self.tail)
        return new

    # ---- events and pages

    @property
    def recorded(self) -> list[Recorded]:
        """Return all events in order. Raise `Away` if some are only in the log."""
        return self.gather([(1, self.version)])

    @property
    def path(self) -> list[Recorded]:
        """Return the events of the current path. Raise `Away` if some are only in the log."""
        return self.gather(self.runs)

    @property
    def head(self) -> int:
        """Return the version from which the next event continues."""
        return self.runs[-1][1] if self.runs else 0

    @property
    def present(self) -> int:
        """Return the newest version on the path that is not part of an undo, or 0."""
        version = self.head
        while version and self.came_back(version):
            version = self._before(self.command_of(version)[0])
        return version

    def gather(self, spans: Iterable[Span]) -> list[Recorded]:
        """Return the events of these spans. Raise `Away` with all missing pages."""
        spans, left = [span for span in spans if span[0] <= span[1]], self.left
        older = {
            span: self.pages[self._place(span[0]) : self._place(min(span[1], left)) + 1]
            for span in spans
            if span[0] <= left
        }
        pages = dict.fromkeys(page for some in older.values() for page in some)
        leaves = dict(self.leaves(list(pages)))
        events: list[Recorded] = []
        for first, last in spans:
            for page in older.get((first, last), ()):
                events += leaves[page][max(first - page.first, 0) : last - page.first + 1]
            if last > left:
                events += self.tail[max(first - left - 1, 0) : last - left]
        return events

    def recorded_at(self, version: int) -> Recorded:
        """Return the event with this version. Raise `Away` if it is only in the log."""
        if version > self.left:
            return self.tail[version - self.left - 1]
        return self.gather([(version, version)])[0]

    def leaves(self, pages: Sequence[Page]) -> list[tuple[Page, Leaf]]:
        """Return pages with their events. Raise `Away` with all pages that are only in the log."""
        leaves = [(page, page.events()) for page in pages]
        missing = [page for page, leaf in leaves if leaf is None]
        if missing:
            raise Away(missing, self.pages)
        return [(page, leaf) for page, leaf in leaves if leaf is not None]

    # ---- lookups

    def stretches(self) -> Sequence[Page]:
        """Return the pages of all events, oldest first. The last page has the events in memory."""
        newest = self._newest()
        return self.pages if newest is None else [*self.pages, newest]

    def with_kinds(self, kinds: Sequence[int]) -> list[Page]:
        """Return the pages with an event of one of these types, oldest first."""
        places = 0
        for kind in kinds:
            places |= self._with.get(kind, 0)
        pages: list[Page] = []
        while places:
            lowest = places & -places
            pages.append(self.pages[lowest.bit_length() - 1])
            places ^= lowest
        newest = self._newest()
        if newest is not None and any(kind in newest.kinds for kind in kinds):
            pages.append(newest)
        return pages

    def commands_within(self, first: int, last: int) -> int:
        """Return the number of commands that have an event among these versions."""
        begun = sum(
            bisect_right(page.starts, last) - bisect_left(page.starts, first)
            for page in self.stretches()
        )
        return begun + (self.command_of(first)[0] < first)

    def _newest(self) -> Page | None:
        """Return the page of the events that are in memory."""
        if self._open is None and len(self.tail):
            like = self.pages[-1] if len(self.pages) else None
            events = self.tail[:]
            self._open = Page(events, self.round_after, like)
            self._open.keep(Leaf(events))
        return self._open

    def _place(self, version: int) -> int:
        """Return the index of the page that holds a version in the log."""
        return bisect_right(self._firsts, version) - 1

    def pages_from(self, version: int) -> list[Page]:
        """Return the pages in the log, beginning with the page of a version."""
        return self.pages[self._place(version) :]

    def turns_within(self, first: int, last: int) -> tuple[Turn, ...]:
        """Return each `Reverted` among these versions."""
        low = bisect_left(self.turns, first, key=_version_of)
        return self.turns[low : bisect_right(self.turns, last, key=_version_of)]

    def page_of(self, version: int) -> Page:
        """Return the page of a version."""
        if version <= self.left:
            return self.pages[self._place(version)]
        newest = self._newest()
        assert newest is not None, "there is no such version"
        return newest

    def round_after(self, version: int) -> int:
        """Return the round of the combat after an event."""
        return self.page_of(version).round_after(version) if version else 0

    def round_of(self, command: Span) -> int:
        """Return the round that a command begins, or else the round in which it was given."""
        first, last = command
        began = self.page_of(first).newest(numbers_of(RoundBegan), last + 1)
        return self.round_after(began if began >= first else self.parent(first))

    def asked(self, prompt: str) -> Recorded | None:
        """Return the event that first opened the prompt with this id, or `None`."""
        for page in self.stretches():
            if page.may_ask(prompt):
                ((_, events),) = self.leaves([page])
                for recorded in page.chosen(events, _PROMPTED):
                    assert isinstance(recorded.event, Prompted), recorded.event
                    if recorded.event.prompt == prompt:
                        return recorded
        return None

    def command_of(self, version: int) -> Span:
        """Return the first and the last version of an event's command."""
        left = self.left
        if version <= left:
            return self.page_of(version).command_of(version)
        first = last = version - left - 1
        command = self.tail[first].command
        while first and self.tail[first - 1].command == command:
            first -= 1
        while last + 1 < len(self.tail) and self.tail[last + 1].command == command:
            last += 1
        return left + first + 1, left + last + 1

    def parent(self, version: int) -> int:
        """Return the version that an event continues from."""
        turn = self._turn_before(version)
        return turn.to if turn is not None and turn.version == version - 1 else version - 1

    def _turn_before(self, version: int) -> Turn | None:
        """Return the newest `Reverted` before a version, or `None`."""
        at = bisect_left(self.turns, version, key=_version_of)
        return self.turns[at - 1] if at else None

    def came_back(self, version: int) -> bool:
        """Return true if undo skips the command of an event.

        Undo skips earlier undos with all events that they recorded. It also skips the abandonment
        of procedures and players' requests.
        """
        first, left = self.command_of(version)[0], self.left
        if first <= left:
            return self.page_of(first).kind(first) in _NO_STEPS
        return type(self.tail[first - left - 1].event) in _PASSED

    # ---- new events

    def plus(self, recorded: Sequence[Recorded]) -> "History":
        """Return a history with these events added. This history does not change."""
        new = self._copy()
        new._take(recorded)
        return new

    def _take(self, recorded: Sequence[Recorded]) -> None:
        if not recorded:
            return
        self._open = None
        self.tail = self.tail.plus(recorded)
        self.version += len(recorded)
        first, start = recorded[0].version, 0
        for place, event in enumerate(recorded):
            if type(event.event) is Reverted:
                self._go_on(first + start, first + place - 1)
                self.turns = (*self.turns, Turn(event.version, event.parent, event.event.to))
                self.runs = self.runs_to(event.event.to)
                start = place + 1
                if event.event.kind == "amend":
                    begun = Amendment(event.version, event.version, event.parent)
                    self.amendments = (*self.amendments, begun)
            elif self.amendments and self._is_amended(
                event, recorded[place - 1] if place else None
            ):
                newest = self.amendments[-1]._replace(last=event.version)
                self.amendments = (*self.amendments[:-1], newest)
        self._go_on(first + start, first + len(recorded) - 1)

    def _is_amended(self, recorded: Recorded, before: Recorded | None) -> bool:
        """Return true if an event belongs to the newest amendment."""
        if self.amendments[-1].last != recorded.version - 1:
            return False
        return recorded.replays > 0 or (before is not None and recorded.command == before.command)

    def _go_on(self, first: int, last: int) -> None:
        """Extend the current path by these versions."""
        if first > last:
            return
        if self.runs and self.runs[-1][1] == first - 1:
            self.runs = (*self.runs[:-1], (self.runs[-1][0], last))
        else:
            self.runs = (*self.runs, (first, last))

    def at(self, version: int) -> "History":
        """Return the history with this version as the current version."""
        new = self._copy()
        new.runs = self.runs_to(version)
        return new

    def first_page(self, *, large: bool = False) -> Page | None:
        """Return the next page for the log, or `None` if too few events are in memory.

        A page ends with a command, if possible not with an undo. If the events are `large`, fewer
        events stay in memory.
        """
        least, kept = (FEW, FEW) if large else (LEAST, KEPT)
        if len(self.tail) < least + kept:
            return None
        end = least
        most = min(len(self.tail) - kept, _MOST)
        while end < len(self.tail) and not self._may_end(end, most):
            end += 1
        if len(self.tail) - end < kept:
            return None
        like = self.pages[-1] if len(self.pages) else None
        events = self.tail[:end]
        page = Page(events, self.round_after, like)
        page.keep(Leaf(events))
        return page

    def _may_end(self, end: int, most: int) -> bool:
        last, following = self.tail[end - 1], self.tail[end]
        if last.command == following.command:
            return False
        return end >= most or not isinstance(last.event, Reverted | SeedCommitted)

    def behind(self, page: Page) -> "History":
        """Return this history with the page of `first_page` only in the log."""
        new = self._copy()
        place = 1 << len(self.pages)
        new.pages = self.pages.plus([page])
        new._firsts = (*self._firsts, page.first)
        new._with = {
            **self._with,
            **{kind: self._with.get(kind, 0) | place for kind in frozenset(page.kinds)},
        }
        new.tail = Shared(self.tail[page.last - self.left :])
        new.left = page.last
        new._open = None
        return new

    # ---- undo, redo and goto

    def resolve(self, version: int) -> int:
        """Return the version that was current right after `version` was recorded."""
        if not 0 < version <= self.version:
            raise Unknown("version", version, (f"1 to {self.version}",))
        turn = self._turn_before(version + 1)
        return turn.to if turn is not None and turn.version == version else version

    def told(self, version: int) -> AnyEvent | None:
        """Return the event of this version, or `None` if it is not on the current path."""
        return self.recorded_at(version).event if self.is_present(version) else None

    def at_rest(self, version: int) -> int:
        """Return the version at the end of this version's command, from which play can continue.

        Within a command, a procedure runs and no prompt accepts an answer.
        """
        self.resolve(version)
        return self.resolve(self.command_of(version)[1])

    def path_to(self, version: int) -> list[Recorded]:
        """Return the chain of events that leads to the state at `version`."""
        return self.gather(self.runs_to(version))

    def runs_to(self, version: int) -> tuple[Span, ...]:
        """Return the stretches of the chain that leads to the state at `version`."""
        if self.is_present(version):
            return _upto(self.runs, version)
        runs = list(self.back_from(version))
        runs.reverse()
        return tuple(runs)

    def back_from(self, version: int) -> Iterator[Span]:
        """Yield the stretches of the chain to a version, newest first."""
        while version:
            turn = self._turn_before(version)
            yield (1 if turn is None else turn.version + 1), version
            version = 0 if turn is None else turn.to

    def undo_target(self, over: Literal["command", "turn", "round"]) -> int:
        """Return the version to which an undo of a command, a turn or a round goes back.

        Undo of an amendment goes back to the branch that the amendment left. Raise `Unfitting`
        `nothing-to-undo` if only the opening remains.
        """
        deed = self.head
        while deed and over == "command":
            amendment = self._amended_at(deed)
            if amendment is not None:
                return amendment.left
            if not self.came_back(deed):
                break
            deed = self._before(self.command_of(deed)[0])
        deed = self.present
        before = self._before(self.command_of(deed)[0]) if deed else 0
        if not before:
            raise Unfitting("nothing-to-undo", "the combat has only been opened: nothing to undo")
        if over == "command":
            return before
        begun = self.newest_of(_BEGINNINGS[over], before + 1) or self.runs[0][0]
        return self._end_on_path(begun)

    def amendment_after(self, version: int) -> Amendment | None:
        """Return the first amendment that ends at this version or later, or `None`."""
        at = bisect_left(self.amendments, version, key=_last_of)
        return self.amendments[at] if at < len(self.amendments) else None

    def _amended_at(self, version: int) -> Amendment | None:
        """Return the amendment that ends at a version, or None."""
        amendment = self.amendment_after(version)
        return amendment if amendment is not None and amendment.last == version else None

    def _end_on_path(self, version: int) -> int:
        """Return the last version of the event's command that is on the current path."""
        run = self.runs[bisect_right(self.runs, version, key=_version_of) - 1]
        return min(self.command_of(version)[1], run[1])

    def newest_of(self, kinds: Iterable[int], before: int) -> int:
        """Return the newest version below `before` on the path with one of these types, or 0."""
        for page in reversed(self.stretches()):
            at = before
            while newest := page.newest(kinds, at):
                if self.is_present(newest):
                    return newest
                at = newest
        return 0

    def _before(self, version: int) -> int:
        """Return the version before another version on the path, or 0."""
        at = bisect_left(self.runs, version, key=_version_of)
        return min(self.runs[at - 1][1], version - 1) if at else 0

    def redo_target(self) -> int:
        """Return the version to which a redo goes: one command forward on the newest undone branch.

        Raise `Unfitting` `nothing-to-redo` if no undo left a branch here.
        """
        for turn in reversed(self.turns):
            amendment = self._amended_at(turn.left)
            if amendment is not None and turn.to == amendment.left in (self.head, self.present):
                return turn.left
            ahead = self._ahead(turn.left)
            if ahead:
                return min(self.command_of(ahead[0][0])[1], ahead[0][1])
        raise Unfitting("nothing-to-redo", "nothing was undone from here")

    def _ahead(self, version: int) -> list[Span]:
        """Return the stretches from the current version to an undone version that follows it.

        Return an empty list if the version does not follow the current version.
        """
        head = self.present
        spans: list[Span] = []
        at = version
        for first, last in self.back_from(version):
            if last <= head:
                break
            at = max(first, head + 1)
            spans.append((at, last))
            at = head if first <= head else self.parent(first)
        if at != head:
            return []
        spans.reverse()
        while spans and self.came_back(spans[0][0]):
            first, last = spans.pop(0)
            end = self.command_of(first)[1]
            if end < last:
                spans.insert(0, (end + 1, last))
        return spans

    def since(self, version: int) -> list[Recorded]:
        """Return the events of the current path after a version, in order."""
        return self.between(version + 1, self.version)

    def between(self, first: int, last: int) -> list[Recorded]:
        """Return the events of the current path among these versions."""
        return self.gather(
            (max(run[0], first), min(run[1], last))
            for run in self.runs
            if run[1] >= first and run[0] <= last
        )

    def following(self, version: int) -> Iterator[Recorded]:
        """Yield the events of the current path after a version, page by page."""
        for page in self.stretches():
            for first, last in self.runs:
                span = max(first, page.first, version + 1), min(last, page.last)
                if span[0] <= span[1]:
                    yield from self.gather([span])

    def is_present(self, version: int) -> bool:
        """Return true if a version is on the current path."""
        return self.is_whole((version, version))

    def is_whole(self, span: Span) -> bool:
        """Return true if all these versions are on the current path."""
        at = bisect_right(self.runs, span[0], key=_version_of)
        return at > 0 and span[1] <= self.runs[at - 1][1]

    def on_path(self, recorded: Recorded) -> bool:
        """Return true if an event is not undone. It is always true for `Reverted`."""
        return isinstance(recorded.event, Reverted) or self.is_present(recorded.version)


_version_of = itemgetter(0)
_last_of = itemgetter(1)


def _upto(runs: tuple[Span, ...], version: int) -> tuple[Span, ...]:
    """Return the stretches of a path up to a version on it."""
    at = bisect_right(runs, version, key=_version_of)
    return (*runs[: at - 1], (runs[at - 1][0], version))
