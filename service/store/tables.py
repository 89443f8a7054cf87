"""Tables: the reads and writes of a projection while it processes events."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import Notification, StoredEvent

from domain.record.events import Reverted
from domain.record.recorded import Recorded, topic, topics_of
from projections.projection import present
from service.store.mapper import Mapper

_REVERTED: Final = topics_of(Reverted)


class Tables:
    """The `View` of a projection: a connection inside a transaction."""

    def __init__(self, connection: Any, mapper: Mapper) -> None:
        self.connection = connection
        self.mapper = mapper

    async def execute(self, query: str, *values: Any) -> Any:
        """Run a statement."""
        return await self.connection.execute(query, *values)

    async def executemany(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        await self.connection.executemany(query, rows)

    async def fetch(self, query: str, *values: Any) -> Sequence[Any]:
        """Return the rows of a query."""
        rows: Sequence[Any] = await self.connection.fetch(query, *values)
        return rows

    async def history(
        self, combat: str, upto: int, topics: Sequence[str] = ()
    ) -> Sequence[Recorded]:
        """Return a combat's events up to a version. Empty `topics` select all topics."""
        rows = await self.connection.fetch(
            "SELECT originator_version, topic, state FROM log.stored_events"
            " WHERE originator_id = $1 AND originator_version BETWEEN 1 AND $2"
            " AND (cardinality($3::text[]) = 0 OR topic = ANY($3)) ORDER BY originator_version",
            UUID(combat),
            upto,
            list(topics),
        )
        return self._events_of(combat, rows)

    async def present(
        self, combat: str, upto: int, topics: Sequence[str] = ()
    ) -> Sequence[Recorded]:
        """Return a combat's events up to a version, without undone events and without `Reverted`.

        Empty `topics` select all topics.
        """
        reverted = await self.connection.fetch(
            "SELECT originator_version, topic, state FROM log.stored_events"
            " WHERE originator_id = $1 AND originator_version BETWEEN 1 AND $2"
            " AND topic = ANY($3) ORDER BY originator_version",
            UUID(combat),
            upto,
            list(_REVERTED),
        )
        versions = [row[0] for row in reverted]
        spans: list[tuple[int, int]] = []
        end = upto
        while end:
            at = bisect_right(versions, end)
            spans.append((versions[at - 1] + 1 if at else 1, end))
            end = self._target(combat, reverted[at - 1]) if at else 0
        rows = await self.connection.fetch(
            "SELECT originator_version, topic, state"
            " FROM unnest($2::bigint[], $3::bigint[]) AS span(first, last)"
            " JOIN log.stored_events ON originator_id = $1"
            " AND originator_version BETWEEN span.first AND span.last"
            " WHERE cardinality($4::text[]) = 0 OR topic = ANY($4) ORDER BY originator_version",
            UUID(combat),
            [first for first, _ in spans],
            [last for _, last in spans],
            list(topics),
        )
        return self._events_of(combat, rows)

    def _target(self, combat: str, row: Any) -> int:
        (recorded,) = self._events_of(combat, [row])
        assert isinstance(recorded.event, Reverted), recorded.event
        return recorded.event.to

    def _events_of(self, combat: str, rows: Sequence[Any]) -> list[Recorded]:
        id = UUID(combat)
        return [
            self.mapper.event(Notification(id, row[0], row[1], row[2], id=0), combat)
            for row in rows
        ]


class ArchivedTables(Tables):
    """The `View` for the events of one archived combat, which the log does not have."""

    def __init__(self, connection: Any, mapper: Mapper, events: Sequence[StoredEvent]) -> None:
        super().__init__(connection, mapper)
        self._events = events

    async def history(
        self, combat: str, upto: int, topics: Sequence[str] = ()
    ) -> Sequence[Recorded]:
        """Return the combat's events up to a version. Empty `topics` select all topics."""
        return [
            self.mapper.event(row, combat)
            for row in self._events
            if row.originator_version <= upto and (not topics or row.topic in topics)
        ]

    async def present(
        self, combat: str, upto: int, topics: Sequence[str] = ()
    ) -> Sequence[Recorded]:
        """Return the combat's events up to a version, without undone events and without `Reverted`.

        Empty `topics` select all topics.
        """
        wanted = topics and (*topics, *_REVERTED)
        events = present(await self.history(combat, upto, wanted))
        return [recorded for recorded in events if not topics or topic(recorded) in topics]
