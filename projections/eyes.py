"""Eyes: the events of a combat that one audience sees, with their own numbers.

A player's first visible event has number 1. So versions, pages and ETags reveal nothing about
hidden facts. For the GM, the numbers are the versions of the stream.

The owners at the time of recording decide whether a player may know a fact. An undo of facts that a
player could not see is also invisible. The pages of the history contain all data that this decision
needs, so `Eyes` reads no event.
"""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from domain.engine.caller import Caller
from domain.errors import Unknown
from domain.record.combat import Id
from domain.record.events import CombatantChanged, CombatantJoined, Reverted
from domain.record.history import History, Span
from domain.record.pages import Audience, Page
from domain.record.recorded import Recorded

_COUNTED: Final = 64
"""The number of versions between two stored counts of visible events."""

_NOTHING: Final = History()


class Eyes:
    """The immutable view of one history by one caller. `after` reads only the new events.

    `_seen` has a 1 for each visible version. `_sums` counts the visible versions before each 64th
    version. `Eyes` computes `_sums` only as far as a call needs it.
    """

    def __init__(self, history: History, caller: Caller) -> None:
        self.caller = caller
        self._all = caller.role == "gm"
        self._mine = frozenset(caller.combatants if caller.role == "player" else ())
        self._seen = bytearray()
        self._sums = array("I")
        self._count = 0
        self.history = _NOTHING
        self._take_in(history)

    def after(self, history: History) -> "Eyes":
        """Return the same view of a history that has grown."""
        if history is self.history:
            return self
        new = Eyes.__new__(Eyes)
        new.__dict__.update(self.__dict__)
        new._take_in(history)
        return new

    def _take_in(self, history: History) -> None:
        known, left = self.history.version, history.left
        self.history = history
        if self._all or known == history.version:
            return
        self._seen, self._sums = self._seen[:], self._sums[:]
        if known < left:
            self._take_pages(history.pages_from(known + 1), known + 1)
        ours: dict[Audience, bool] = {}
        for recorded in history.tail[max(known - left, 0) :]:
            event = recorded.event
            if isinstance(event, CombatantJoined | CombatantChanged) and event.owner is not None:
                self._note_owner(event.who, event.owner)
                ours.clear()
            visible = ours.get(recorded.audience)
            if visible is None:
                visible = ours[recorded.audience] = self._is_ours(recorded.audience)
            if visible and isinstance(event, Reverted):
                visible = self._moves(recorded.parent, event.to)
            self._seen.append(visible)
        self._count += self._seen.count(1, known)

    def _take_pages(self, pages: Sequence[Page], first: int) -> None:
        """Add the pages from version `first` on. Join adjacent pages with equal audiences."""
        tables: _Tables = {}
        alike: list[Any] = []
        last = pages[0]
        for page in pages:
            if page.plain and page.audiences is last.audiences and page.first >= first:
                alike.append(page.seen_by)
                continue
            self._take_alike(last, alike, tables)
            alike, last = [], page
            if page.plain and page.first >= first:
                alike = [page.seen_by]
            else:
                self._take_page(page, max(first, page.first), tables)
        self._take_alike(last, alike, tables)

    def _take_alike(self, page: Page, places: list[bytes], tables: "_Tables") -> None:
        if places:
            self._seen += b"".join(places).translate(self._table(page, tables))

    def _table(self, page: Page, tables: "_Tables") -> bytes:
        table = tables.get(page.audiences)
        if table is None:
            ours = bytes(self._is_ours(audience) for audience in page.audiences)
            table = tables[page.audiences] = ours.ljust(256, b"\0")
        return table

    def _take_page(self, page: Page, first: int, tables: "_Tables") -> None:
        """Add the events of a page from version `first` on, most of them in one step."""
        owners = {version: (who, owner) for version, who, owner in page.owners}
        turns = {turn.version: turn for turn in self.history.turns_within(first, page.last)}
        for version in sorted(owners.keys() | turns.keys()):
            if version < first:
                continue
            self._take_plain(page, first, version, tables)
            if version in owners and self._note_owner(*owners[version]):
                tables.clear()
            visible = self._is_ours(page.audience(version))
            if visible and version in turns:
                visible = self._moves(turns[version].left, turns[version].to)
            self._seen.append(visible)
            first = version + 1
        self._take_plain(page, first, page.last + 1, tables)

    def _take_plain(self, page: Page, first: int, end: int, tables: "_Tables") -> None:
        """Add the events from version `first` to before `end`, which have no owners or undos."""
        table = self._table(page, tables)
        self._seen += bytes(
            table[place] for place in page.seen_by[first - page.first : end - page.first]
        )

    def _is_ours(self, audience: Audience) -> bool:
        return audience is None or any(who in self._mine for who in audience)

    def _note_owner(self, who: Id, owner: str) -> bool:
        """Record a new owner. Return true if the combatants of the audience change."""
        if self.caller.role != "player" or self.caller.owner is None:
            return False
        before = self._mine
        if owner == self.caller.owner:
            self._mine |= {who}
        elif who not in self.caller.combatants:
            self._mine -= {who}
        return self._mine != before

    def _moves(self, left: int, right: int) -> bool:
        """Return true if the reader sees an event on the path between two versions of the tree."""
        while left != right:
            later = max(left, right)
            if self.sees(later):
                return True
            earlier = self.history.parent(later)
            left, right = (earlier, right) if left == later else (left, earlier)
        return False

    def _summed(self) -> "array[int]":
        """Return the number of visible versions before each 64th version."""
        seen, sums = self._seen, self._sums
        while len(sums) * _COUNTED <= len(seen):
            end = len(sums) * _COUNTED
            sums.append(sums[-1] + seen.count(1, end - _COUNTED, end) if end else 0)
        return sums

    def _upto(self, version: int) -> int:
        """Return the number of visible versions up to `version`, inclusive."""
        at = version // _COUNTED
        return self._summed()[at] + self._seen.count(1, at * _COUNTED, version)

    @property
    def sequence(self) -> int:
        """Return the number of events that this audience sees: its version of the combat."""
        return self.history.version if self._all else self._count

    def to_sequence(self, version: int) -> int:
        """Return the number of the newest visible event up to a version of the stream."""
        return version if self._all else self._upto(version)

    def to_version(self, sequence: int) -> int:
        """Return the version of the stream for a number of this audience. Raises `Unknown`."""
        if not 0 < sequence <= self.sequence:
            raise Unknown("version", sequence, (f"1 to {self.sequence}",))
        if self._all:
            return sequence
        sums = self._summed()
        at = bisect_left(sums, sequence) - 1
        version = at * _COUNTED
        for _ in range(sequence - sums[at]):
            version = self._next(version)
        return version

    def _next(self, version: int) -> int:
        """Return the next visible version after `version`, or 0."""
        return self._seen.find(1, version) + 1

    def before(self, version: int) -> int:
        """Return the last visible version before `version`, or 0."""
        return version - 1 if self._all else self._seen.rfind(1, 0, version - 1) + 1

    def behind(self, version: int) -> int:
        """Return the next visible version after `version`, or 0."""
        if self._all:
            return version + 1 if version < self.history.version else 0
        return self._next(version)

    def between(self, after: int, limit: int) -> list[Recorded]:
        """Return at most `limit` visible events, from the number `after` + 1 on."""
        if self._all:
            return self.history.gather([(after + 1, after + limit)])
        if after >= self._count:
            return []
        spans: list[Span] = []
        version = self.to_version(after + 1)
        while version and limit > 0:
            if spans and spans[-1][1] == version - 1:
                spans[-1] = (spans[-1][0], version)
            else:
                spans.append((version, version))
            version, limit = self._next(version), limit - 1
        return self.history.gather(spans)

    def sees_any(self, span: Span) -> bool:
        """Return true if a span of the stream contains a visible event."""
        return self._all or self._seen.find(1, span[0] - 1, span[1]) >= 0

    def sees(self, version: int) -> bool:
        """Return true if an event of the stream is visible."""
        return self._all or self._seen[version - 1] == 1


_Tables = dict[tuple[Audience, ...], bytes]
"""For each audience of a page, a byte that is 1 if this reader belongs to the audience."""
