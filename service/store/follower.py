"""Followers: bring projections up to date with the log, one batch in one transaction.

Each projection has a schema, `projection_NAME`, with its tables, its place in the order
(`tracking`), and the combats that it could not process (`set_aside`). Only one replica at a time
follows: the one whose transaction holds the advisory lock.
"""

import logging
import zlib
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import asyncpg
from eventsourcing.persistence import Notification, StoredEvent, Tracking
from msgspec import Struct

from domain.errors import Refused
from domain.record.marks import MARKS, CombatDeleted
from domain.record.recorded import Recorded
from projections.projection import Projection
from service.store.batches import LOG, Batch, Batches, read
from service.store.database import Database, is_outage
from service.store.mapper import Mapper
from service.store.rows import Archived, Unavailable
from service.store.tables import ArchivedTables, Tables

log = logging.getLogger("affray")

BATCH: Final = 1000
"""The limit of events in one transaction."""

TRIES: Final = 3
"""The number of times that one event may take too long. Its combat is then set aside."""

OWN: Final = """
    CREATE TABLE tracking (application_name text PRIMARY KEY, notification_id bigint NOT NULL);
    CREATE TABLE set_aside (
        combat_id uuid PRIMARY KEY, position bigint NOT NULL, version bigint NOT NULL,
        error text NOT NULL, at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE release (number int NOT NULL);
"""

_BEGIN: Final = (
    "SELECT pg_try_advisory_xact_lock($1),"
    " set_config('search_path', quote_ident($2) || ',' || current_setting('search_path'), true)"
)

_HAS_RELEASE: Final = (
    "SELECT true FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE nspname = $1 AND relname = 'release'"
)

_PAST: Final = """
SELECT originator_version, topic, state, notification_id FROM log.stored_events
WHERE originator_id = $1 AND originator_version > 0 AND notification_id <= $2
ORDER BY originator_version
"""


class Status(Struct, frozen=True):
    """The progress of a projection. `lag` counts the numbers that it has not processed yet."""

    name: str
    position: int
    lag: int
    set_aside: int


def schema_of(projection: Projection) -> str:
    """Return the name of the schema that has its tables."""
    return f"projection_{projection.name}"


def lock_of(schema: str) -> int:
    """Return the key of the advisory lock of the schema's writer."""
    return 0x0AFF_0000_0000 + zlib.crc32(schema.encode())


class _Overtaken(Exception):
    """Another replica has already processed these events."""


class Follower:
    """One projection in one schema. It shares its `batches` with other followers."""

    def __init__(
        self,
        database: Database,
        projection: Projection,
        mapper: Mapper,
        schema: str | None = None,
        batches: Batches | None = None,
    ) -> None:
        self.database = database
        self.projection = projection
        self.mapper = mapper
        self.schema = schema or schema_of(projection)
        self.batches = batches
        self._most = BATCH
        self._failed = 0  # how often the database was too busy to process one event
        topics = (*projection.topics, *MARKS) if projection.topics else ()
        self._topics = frozenset(topics)
        self._asked = () if projection.newest else topics
        self._begin = (
            f"SELECT pg_try_advisory_xact_lock($1), notification_id,"
            f' ARRAY(SELECT combat_id FROM "{self.schema}".set_aside),'
            " set_config('search_path', quote_ident($2) || ',' || current_setting('search_path'),"
            f' true) FROM "{self.schema}".tracking WHERE application_name = $3'
        )

    async def ensure(self) -> bool:
        """Make the schema if it is missing. Return true if this release made it."""
        return await self.database.run(self._ensure)

    async def _ensure(self, connection: Any) -> bool:
        # The schema usually exists. Checking first avoids a wait for another follower's lock.
        release = await self._release(connection)
        if release is not None:
            return release == self.projection.release
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_of(self.schema))
            release = await self._release(connection)
            if release is not None:
                return release == self.projection.release
            await connection.execute(f'CREATE SCHEMA "{self.schema}"')
            await connection.fetchrow(_BEGIN, lock_of(self.schema), self.schema)
            await connection.execute(OWN)
            await connection.execute(self.projection.tables)
            await connection.execute("INSERT INTO tracking VALUES ($1, 0)", LOG)
            await connection.execute("INSERT INTO release VALUES ($1)", self.projection.release)
            return True

    async def _release(self, connection: Any) -> int | None:
        """Return the release that made the schema, or `None` if there is no schema."""
        # `to_regclass` does not work here. After one negative answer, it repeats that answer in the
        # same transaction, even if another replica has made the table meanwhile.
        if not await connection.fetchval(_HAS_RELEASE, self.schema):
            return None
        number: int = await connection.fetchval(f'SELECT number FROM "{self.schema}".release')
        return number

    async def advance(self) -> bool:
        """Process a batch. Return true if there may be more. Raise `Unavailable`."""
        try:
            try:
                more = await self.database.run(
                    lambda connection: self._advance(connection, careful=False)
                )
            except Exception as error:
                if isinstance(error, Unavailable | _Overtaken) or is_outage(error):
                    raise
                log.warning("%s: a batch event by event, for %r", self.projection.name, error)
                more = await self.database.run(
                    lambda connection: self._advance(connection, careful=True)
                )
        except _Overtaken:
            return True
        except Unavailable as error:
            if self.batches is not None:
                self.batches.forget()  # the next answer may come from a server that is behind
            await self._took_too_long(error)
            raise
        self._most, self._failed = min(2 * self._most, BATCH), 0
        return more

    async def _took_too_long(self, error: Unavailable) -> None:
        """Reduce the number of events. If one event alone takes too long, set its combat aside."""
        if not isinstance(error.__cause__, TimeoutError | asyncpg.QueryCanceledError):
            return
        if self._most > 1:
            self._most = max(1, self._most // 8)
            return
        await self.database.run(
            lambda connection: connection.execute("SELECT 1")
        )  # if this fails too, the event is not the cause
        self._failed += 1
        if self._failed >= TRIES:
            self._failed = 0
            await self.database.run(lambda connection: self._pass_over(connection, error))

    async def _pass_over(self, connection: Any, error: Exception) -> None:
        """Set the combat of the next event aside without trying the event again."""
        async with connection.transaction():
            start, aside = await self._begun(connection)
            if start is None:
                return
            batch = await read(connection, self.mapper, start, 1, self._asked)
            for notification in batch.events:
                if notification.originator_id not in aside:
                    await self._set_aside(connection, notification, error)
            await self._end(connection, start, batch.upto)

    async def _begun(self, connection: Any) -> tuple[int | None, set[UUID | str]]:
        """Return the position and the combats that were set aside.

        The position is `None` if another process follows now.
        """
        free, start, aside, _ = await connection.fetchrow(
            self._begin, lock_of(self.schema), self.schema, LOG
        )
        return (start if free else None), set(aside)

    async def _end(self, connection: Any, start: int, upto: int) -> None:
        moved = await connection.fetchval(
            "UPDATE tracking SET notification_id = $2"
            " WHERE application_name = $1 AND notification_id = $3 RETURNING true",
            LOG,
            upto,
            start,
        )
        if not moved:  # another follower held the lock when it was read
            raise _Overtaken

    async def _advance(self, connection: Any, *, careful: bool) -> bool:
        async with connection.transaction():
            start, aside = await self._begun(connection)
            if start is None:
                return False
            batch = await self._read(connection, start)
            if batch.upto == start:
                return False
            wanted = self._wanted(batch.events)
            if wanted:
                await self._take(connection, batch, wanted, aside, careful=careful)
            await self._end(connection, start, batch.upto)
            return not batch.whole

    async def _read(self, connection: Any, start: int) -> Batch:
        if self.batches is not None and self._most == BATCH:
            return await self.batches.after(connection, start, BATCH)
        return await read(connection, self.mapper, start, self._most, self._asked)

    def _wanted(self, notifications: Sequence[Notification]) -> Sequence[Notification]:
        """Return the events that the projection uses. Most events need not be decoded."""
        if not self._topics:
            return notifications
        newest = (
            {notification.originator_id: notification.id for notification in notifications}
            if self.projection.newest
            else {}
        )
        return [
            notification
            for notification in notifications
            if notification.topic in self._topics
            or newest.get(notification.originator_id) == notification.id
        ]

    async def _take(
        self,
        connection: Any,
        batch: Batch,
        wanted: Sequence[Notification],
        aside: set[UUID | str],
        *,
        careful: bool,
    ) -> None:
        """Give events to the projection, except events of combats that are set aside.

        With `careful`, give the events one by one, so that a fault sets aside only one combat.
        """
        view = Tables(connection, self.mapper)
        waiting: list[tuple[Recorded, Tracking]] = []
        for notification in wanted:
            mark = notification.topic in MARKS
            if notification.originator_id in aside and not mark:
                continue
            if not careful and not mark:
                waiting.append(batch.event(notification))
                continue
            if waiting:
                await self.projection.process_events(view, waiting)
                waiting = []
            try:
                async with connection.transaction():  # a savepoint
                    if mark:
                        await self._marked(view, notification)
                    else:
                        await self.projection.process_events(view, [batch.event(notification)])
                aside -= {notification.originator_id} if mark else set()
            except Exception as error:
                if is_outage(error) or not careful:
                    raise
                aside.add(notification.originator_id)
                await self._set_aside(connection, notification, error)
        if waiting:
            await self.projection.process_events(view, waiting)

    def _event(self, notification: Notification) -> tuple[Recorded, Tracking]:
        return self.mapper.event(notification, str(notification.originator_id)), Tracking(
            LOG, notification.id
        )

    async def _marked(self, view: Tables, mark: Notification) -> None:
        """Delete the combat's rows, and process its events again unless it was deleted."""
        combat = UUID(str(mark.originator_id))
        deleted = mark.topic == CombatDeleted.topic
        rows = [] if deleted else await view.fetch(_PAST, combat, mark.id)
        await self._anew(
            view, combat, [Notification(combat, row[0], row[1], row[2], id=row[3]) for row in rows]
        )

    async def _anew(self, view: Tables, combat: UUID, rows: Sequence[Notification]) -> None:
        """Delete the rows of a combat, and process these events of it."""
        await self.projection.forget(view, str(combat))
        await view.execute("DELETE FROM set_aside WHERE combat_id = $1", combat)
        topics = self.projection.topics
        newest = rows[-1].originator_version if rows and self.projection.newest else 0
        events = [
            self._event(row)
            for row in rows
            if not topics or row.topic in topics or row.originator_version == newest
        ]
        if events:
            await self.projection.process_events(view, events)

    async def _set_aside(
        self, connection: Any, notification: Notification, error: Exception
    ) -> None:
        log.error(
            "%s cannot take event %s of combat %s (%s) and sets that combat aside: %r",
            self.projection.name,
            notification.originator_version,
            notification.originator_id,
            notification.topic,
            error,
        )
        await connection.execute(
            "INSERT INTO set_aside (combat_id, position, version, error) VALUES ($1, $2, $3, $4)"
            " ON CONFLICT (combat_id) DO NOTHING",
            notification.originator_id,
            notification.id,
            notification.originator_version,
            repr(error).replace("\x00", "\\0")[:1000],
        )

    async def take_archived(
        self, archived: Archived, events: Sequence[StoredEvent] | Refused
    ) -> None:
        """Process a combat whose events are not in the log, or set it aside for a `Refused`.

        If the combat is no longer archived, the log contains its events, so do nothing.
        """
        await self.database.run(
            lambda connection: self._take_archived(connection, archived, events)
        )

    async def _take_archived(
        self, connection: Any, archived: Archived, events: Sequence[StoredEvent] | Refused
    ) -> None:
        combat = archived.combat
        async with connection.transaction():
            start, _ = await self._begun(connection)
            if start is None or not await connection.fetchval(
                "SELECT true FROM archives WHERE object = $1 AND state = 'archived' FOR SHARE",
                archived.object,
            ):
                return
            at = max(start, 1)
            try:
                async with connection.transaction():  # a savepoint
                    if isinstance(events, Refused):
                        raise events
                    view = ArchivedTables(connection, self.mapper, events)
                    rows = [
                        Notification(combat, event.originator_version, event.topic, event.state, at)
                        for event in events
                    ]
                    await self._anew(view, combat, rows)
            except Exception as error:
                if is_outage(error):
                    raise
                await self._set_aside(
                    connection, Notification(combat, 1, "archived", b"", id=at), error
                )
            await connection.execute("INSERT INTO objects_taken VALUES ($1)", archived.object)

    async def is_behind(self) -> bool:
        """Return true if there may be something to process, even after a fault."""
        try:
            behind = await self.database.run(
                lambda connection: connection.fetchval(
                    "SELECT notification_id <> (SELECT position FROM log.last)"
                    f' FROM "{self.schema}".tracking WHERE application_name = $1',
                    LOG,
                )
            )
        except Exception:  # the follower that processes the events reports the fault
            return True
        return bool(behind)

    async def status(self) -> Status:
        """Return the status of the projection."""
        row = await self.database.run(
            lambda connection: connection.fetchrow(
                f"SELECT notification_id, (SELECT position FROM log.last) - notification_id,"
                f' (SELECT count(*) FROM "{self.schema}".set_aside)'
                f' FROM "{self.schema}".tracking WHERE application_name = $1',
                LOG,
            )
        )
        return Status(self.projection.name, *row)

    async def aside(self, most: int | None = None) -> list[tuple[UUID, int, str]]:
        """Return the combats set aside, each with the event and the fault."""
        rows = await self.database.run(
            lambda connection: connection.fetch(
                f'SELECT combat_id, version, error FROM "{self.schema}".set_aside'
                " ORDER BY at LIMIT $1",
                most,
            )
        )
        return [(row[0], row[1], row[2]) for row in rows]
