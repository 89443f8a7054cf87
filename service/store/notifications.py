"""The log in its order, with the operations and the names of the eventsourcing library."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import Notification, StoredEvent

from service.store.database import Database


class Notifications:
    """The reads of the library's application recorder, for asyncio."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def select_events(
        self,
        originator_id: UUID,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the events of one combat, including events without a number yet."""
        rows = await self.database.run(
            lambda connection: connection.fetch(
                "SELECT originator_version, topic, state FROM stored_events"
                " WHERE originator_id = $1 AND originator_version > coalesce($2, -1)"
                " AND ($3::bigint IS NULL OR originator_version <= $3)"
                f" ORDER BY originator_version {'DESC' if desc else 'ASC'} LIMIT $4",
                originator_id,
                gt,
                lte,
                limit,
            )
        )
        return [StoredEvent(originator_id, row[0], row[1], row[2]) for row in rows]

    async def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return the entries of the log with numbers from `start` to `stop`."""
        after = -1 if start is None else start - inclusive_of_start
        return await self.database.run(
            lambda connection: select(connection, after, limit, stop, topics)
        )

    async def max_notification_id(self) -> int | None:
        """Return the highest number in the log, or `None` for an empty log."""
        newest: int | None = await self.database.run(
            lambda connection: connection.fetchval("SELECT max(position) FROM positions")
        )
        return newest


async def select(
    connection: Any, after: int, limit: int, stop: int | None = None, topics: Sequence[str] = ()
) -> list[Notification]:
    """Return the notifications after the number `after`, on a connection."""
    rows = await connection.fetch(
        "SELECT originator_id, originator_version, topic, state, notification_id"
        " FROM log.stored_events WHERE notification_id > $1"
        " AND ($3::bigint IS NULL OR notification_id <= $3)"
        " AND (cardinality($4::text[]) = 0 OR topic = ANY($4))"
        " ORDER BY notification_id LIMIT $2",
        after,
        limit,
        stop,
        list(topics),
    )
    return [Notification(row[0], row[1], row[2], row[3], id=row[4]) for row in rows]
