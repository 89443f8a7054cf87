"""Projection: a read model with tables of its own, made by following the log.

A projection processes events in the order of the log. It stores its results and its position in one
transaction. Its tables have a separate schema, so that a new version can be built beside the old
one and replace it when complete. `docs/read-models.md` shows how to write a projection.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol

from eventsourcing.persistence import Tracking

from domain.record.events import Reverted
from domain.record.recorded import Recorded


class View(Protocol):
    """The projection's tables, in a transaction that also stores its position."""

    async def execute(self, query: str, *values: Any) -> Any:
        """Run a statement."""

    async def executemany(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row."""

    async def fetch(self, query: str, *values: Any) -> Sequence[Any]:
        """Return the rows of a query."""

    async def history(
        self, combat: str, upto: int, topics: Sequence[str] = ()
    ) -> Sequence[Recorded]:
        """Return a combat's events up to a version. Empty `topics` select all topics."""

    async def present(
        self, combat: str, upto: int, topics: Sequence[str] = ()
    ) -> Sequence[Recorded]:
        """Return a combat's events up to a version, without undone events and without `Reverted`.

        Empty `topics` select all topics.
        """


class Projection:
    """A read model. Subclasses have a `name`, `tables` and `process_event`."""

    name: ClassVar[str]
    """The name in lower case. The tables live in the schema `projection_NAME`."""

    tables: ClassVar[str]
    """The SQL statements that create its tables."""

    release: ClassVar[int] = 1
    """Increase it when tables or meaning change.

    The service then rebuilds the tables beside the old ones.
    """

    topics: ClassVar[tuple[str, ...]] = ()
    """The topics that it processes. An empty tuple selects all topics."""

    newest: ClassVar[bool] = False
    """If true, it also gets the newest event of each combat in a batch, whatever its topic."""

    async def process_event(self, view: View, event: Recorded, tracking: Tracking) -> None:
        """Process one event."""
        raise NotImplementedError

    async def process_events(self, view: View, events: Sequence[tuple[Recorded, Tracking]]) -> None:
        """Process several events. The result must equal that of one call for each event."""
        for event, tracking in events:
            await self.process_event(view, event, tracking)

    async def forget(self, view: View, combat: str) -> None:
        """Delete all rows of a combat that was deleted, or whose events follow again."""
        raise NotImplementedError


def present(events: Sequence[Recorded]) -> list[Recorded]:
    """Return the events that were not undone.

    `events` belong to one combat, in order. They must include every `Reverted`, and may lack events
    of other types.
    """
    if not events:
        return []
    reverted = [
        (recorded.version, recorded.event.to)
        for recorded in events
        if isinstance(recorded.event, Reverted)
    ]
    versions = [recorded.version for recorded in events]
    pieces: list[list[Recorded]] = []
    end = versions[-1]
    while end:
        at = bisect_right(reverted, (end, end)) - 1
        start, before = reverted[at] if at >= 0 else (0, 0)
        pieces.append(list(events[bisect_right(versions, start) : bisect_right(versions, end)]))
        end = before
    return [recorded for piece in reversed(pieces) for recorded in piece]
