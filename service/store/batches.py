"""Batches: the log in its order, read and decoded once for all projections of a process."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any, Final

from eventsourcing.persistence import Notification, Tracking

from domain.record.recorded import Recorded
from service.store.mapper import Mapper

LOG: Final = "affray"
"""The log's name in tracking records."""

_READ: Final = """
SELECT originator_id, originator_version, topic, state, notification_id, position
FROM log.last LEFT JOIN LATERAL (
    SELECT * FROM log.stored_events
    WHERE notification_id > $1 AND (cardinality($3::text[]) = 0 OR topic = ANY($3))
    ORDER BY notification_id LIMIT $2
) AS n ON true
"""
"""Every row has the end of the log. Without new events, there is one row."""


class Batch:
    """The events after the number `after`, up to `upto`.

    If `whole` is true, the batch reaches the end of the log.
    """

    def __init__(self, mapper: Mapper, after: int, rows: Sequence[Any], most: int) -> None:
        self.after = after
        self.events: Sequence[Notification] = [
            Notification(row[0], row[1], row[2], row[3], id=row[4])
            for row in rows
            if row[4] is not None
        ]
        self.whole = len(self.events) < most
        self.upto: int = rows[0][5] if self.whole else self.events[-1].id
        self._mapper = mapper
        self._decoded: dict[int, Recorded] = {}

    def event(self, notification: Notification) -> tuple[Recorded, Tracking]:
        """Return the event of a row, decoded once. Raises the mapper's errors."""
        recorded = self._decoded.get(notification.id)
        if recorded is None:
            recorded = self._mapper.event(notification, str(notification.originator_id))
            self._decoded[notification.id] = recorded
        return recorded, Tracking(LOG, notification.id)


class Batches:
    """Reads batches. Readers that request the same batch at the same time share it.

    A batch may contain texts that were erased after Affray read it. The erasure adds an entry to
    the log, which makes the reader read these events again.
    """

    def __init__(self, mapper: Mapper) -> None:
        self._mapper = mapper
        self._kept: Batch | None = None
        self._reading: dict[int, asyncio.Future[Batch | None]] = {}

    def at_hand(self, after: int) -> Batch | None:
        """Return the batch after a number from memory, or `None`."""
        kept = self._kept
        return kept if kept is not None and kept.after == after else None

    async def after(self, connection: Any, after: int, most: int) -> Batch:
        """Return the batch after a number, with at most `most` events unless it is in memory."""
        batch = self.at_hand(after)
        if batch is not None:
            return batch
        reading = self._reading.get(after)
        batch = None if reading is None else await asyncio.shield(reading)
        if batch is not None:
            return batch
        future: asyncio.Future[Batch | None] = asyncio.get_running_loop().create_future()
        self._reading[after] = future
        try:
            batch = await read(connection, self._mapper, after, most)
        finally:
            future.set_result(batch)  # after `None`, each waiting reader reads by itself
            if self._reading.get(after) is future:
                del self._reading[after]
        self._kept = batch if batch.upto > after else None
        return batch

    def forget(self) -> None:
        """Drop the batch, because all readers have it or it is too old."""
        self._kept = None


async def read(
    connection: Any, mapper: Mapper, after: int, most: int, topics: Collection[str] = ()
) -> Batch:
    """Read a batch for one reader. Empty `topics` select all topics."""
    rows = await connection.fetch(_READ, after, most, list(topics))
    return Batch(mapper, after, rows, most)
