"""Old events of a combat, which Affray reads from the log when work needs them.

A combat in memory has only its newest events (`domain.record.pages`). Work that needs older events
stops with `Away`. Affray then reads the missing pages, and starts the work again. This is safe,
because such work has no effect except its result.
"""

from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.record.history import Span
from domain.record.pages import Away, Leaf, Page
from domain.record.recorded import Recorded
from service.store.chain import check_page
from service.store.mapper import Mapper
from service.store.port import Log
from service.store.rows import Unavailable

T = TypeVar("T")

_FURTHER: Final = 64
"""The limit of pages to read on each side of the missing pages."""


async def with_past(
    store: Log, mapper: Mapper, combat: UUID, work: Callable[[], Awaitable[T]]
) -> T:
    """Return the result of `work`, with all old events of the combat that it needs.

    Raises `Unavailable`. The pages that it needed stay in memory until it is done.
    """
    held: list[Leaf] = []
    times = 0
    while True:
        try:
            return await work()
        except Away as away:
            pages = _with_neighbours(away, times)
            held += await _brought(store, mapper, combat, pages, away.around)
            times += 1


def _with_neighbours(away: Away, times: int) -> list[Page]:
    """Return the missing pages and their neighbours. Each further miss adds more neighbours."""
    further = min(2**times - 1, _FURTHER)
    wanted = {page.first: page for page in away.pages}
    for page in away.pages:
        at = bisect_left(away.around, page.first, key=_first_of)
        for other in away.around[max(at - further, 0) : at + further + 1]:
            wanted[other.first] = other
    return [page for _, page in sorted(wanted.items())]


async def _brought(
    store: Log, mapper: Mapper, combat: UUID, pages: list[Page], around: Sequence[Page]
) -> list[Leaf]:
    """Return the current events of the pages. `around` is all pages."""
    missing = [page for page in pages if page.events() is None]
    rows = await store.events_among(combat, _spans(missing))
    stored = {row.originator_version: row for row in rows}
    held: list[Leaf] = []
    following = {page.first: page.previous.hex() for page in around}
    for page in pages:
        leaf = page.events()  # another reader may have loaded it
        if leaf is None:
            versions = range(page.first, page.last + 1)
            own = [stored[version] for version in versions if version in stored]
            leaf = Leaf([None] * len(own), partial(_read, mapper, own))
            if len(own) != len(versions) or leaf[0].previous != page.previous.hex():
                raise Unavailable("the combat is not the one that it was")
            check_page(mapper, own, following.get(page.last + 1, ""))
            page.let_go(leaf)
        held.append(leaf)
    return held


def _read(mapper: Mapper, stored: Sequence[StoredEvent], at: int) -> Recorded:
    return mapper.event(stored[at])


def _spans(pages: Iterable[Page]) -> list[Span]:
    spans: list[Span] = []
    for page in pages:
        if spans and spans[-1][1] == page.first - 1:
            spans[-1] = (spans[-1][0], page.last)
        else:
            spans.append((page.first, page.last))
    return spans


def _first_of(page: Page) -> int:
    return page.first
