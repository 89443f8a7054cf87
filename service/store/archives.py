"""Archives: the objects with the events of archived combats, and the moves to and from them.

Heads, tokens, seeds, webhooks and read models of an archived combat stay in the database. Each move
is one transaction, which begins with a lock on the combat's row in `heads`, like every change.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid4

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from service.store.append import STEP_EVENTS, STEP_S, split
from service.store.batches import LOG
from service.store.database import Database
from service.store.log import DELETED, HEAD, MARK
from service.store.port import PATIENCE_S
from service.store.rows import Archived, Conflict, Head

LONG_S: Final = 60.0
"""Seconds that an archiving or a restore may take."""

INTERRUPTED_H: Final = 1
"""Hours after which Affray assumes that the process of an unfinished upload has died."""

PAGE: Final = 100
"""The limit of rows in one query."""

_ENDED: Final = """
SELECT combat_id FROM projection_combats.combats JOIN heads USING (combat_id)
WHERE status = 'ended' AND updated_at < $1 AND combat_id > $2
  AND NOT EXISTS (SELECT FROM archives WHERE archives.combat_id = heads.combat_id
    AND (state IN ('uploading', 'archived') OR state = 'restored' AND at >= $1))
  AND NOT EXISTS (SELECT FROM webhooks WHERE webhooks.combat_id = heads.combat_id
    AND NOT given_up AND looked < heads.version)
ORDER BY combat_id LIMIT $3
"""

_INSERT: Final = """
INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)
SELECT $1, v, t, s, c FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::uuid[])
    AS n(v, t, s, c)
"""


_COMPLETE: Final = (
    "UPDATE archives SET state = 'archived', sha256 = $2, at = now()"
    " WHERE object = $1 AND state = 'uploading' RETURNING true"
)


class Kept(Struct, frozen=True):
    """A stored event with the id of its command."""

    event: StoredEvent
    command: UUID


class Archives:
    """Reads and writes of the table `archives`, and of the events in the objects."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # ---- into an object

    async def ended(self, before: datetime, after: UUID) -> list[UUID]:
        """Return a page of combats after `after` that may be archived.

        They have ended, have no waiting webhook call, and did not change since `before`. Restoring
        counts as a change.
        """
        rows = await self.database.run(
            lambda connection: connection.fetch(_ENDED, before, after, PAGE), LONG_S
        )
        return [UUID(str(row[0])) for row in rows]

    async def events(self, combat: UUID) -> tuple[Head | None, list[Kept]]:
        """Return the head and all events of a combat at one moment."""

        async def work(connection: Any) -> tuple[Any, list[Any]]:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await _take_time(connection)
                head = await connection.fetchrow(f"{HEAD} WHERE combat_id = $1", combat)
                return head, await connection.fetch(
                    "SELECT originator_version, topic, state, command_id FROM stored_events"
                    " WHERE originator_id = $1 ORDER BY originator_version",
                    combat,
                )

        head, rows = await self.database.run(work, LONG_S)
        return None if head is None else Head(*head[1:]), [
            Kept(StoredEvent(combat, *event), UUID(str(command))) for *event, command in rows
        ]

    async def begin(self, combat: UUID, suffix: str) -> str:
        """Record an upload, and return the name of its object.

        Raise `Conflict` if another upload of the combat is under way.
        """
        name = f"{combat}-{uuid4().hex[:12]}{suffix}"
        noted = await self.database.change(
            lambda connection: connection.fetchval(
                "INSERT INTO archives (object, combat_id, state) VALUES ($1, $2, 'uploading')"
                " ON CONFLICT DO NOTHING RETURNING true",
                name,
                combat,
            )
        )
        if not noted:
            raise Conflict
        return name

    async def finish(
        self, name: str, combat: UUID, before: Head, sha256: bytes, schemas: Iterable[str]
    ) -> None:
        """Delete the events of a combat, which the object holds. Raise `Conflict`.

        The read models in `schemas` must have processed all events. The combat gets a new `life`,
        so that every copy in memory is outdated.
        """

        async def work(connection: Any) -> None:
            async with connection.transaction():
                await _take_time(connection)
                moved = await connection.fetchval(
                    "UPDATE heads SET life = gen_random_uuid() WHERE combat_id = $1 AND life = $2"
                    " AND version = $3 AND digest = $4 AND texts = $5 RETURNING true",
                    combat,
                    before.life,
                    before.version,
                    before.digest,
                    before.texts,
                )
                noted = moved and await connection.fetchval(_COMPLETE, name, sha256)
                if not noted or not await _is_followed(connection, combat, schemas):
                    raise Conflict
                await connection.execute(
                    "UPDATE archives SET state = 'discarded', at = now()"
                    " WHERE combat_id = $1 AND state = 'restored'",
                    combat,
                )
                for table in ("positions", "stored_events"):
                    await connection.execute(
                        f"DELETE FROM {table} WHERE originator_id = $1", combat
                    )

        await self.database.run(work, LONG_S)

    # ---- out of an object

    async def any(self) -> bool:
        """Return true if any combat is archived."""
        exists = await self.database.ask(
            lambda connection: connection.fetchval(
                "SELECT true FROM archives WHERE state = 'archived' LIMIT 1"
            )
        )
        return bool(exists)

    async def of(self, combat: UUID) -> Archived | None:
        """Return the newest archive object of a combat, or `None` if it was never archived."""
        row = await self.database.ask(
            lambda connection: connection.fetchrow(
                "SELECT object, combat_id, state, sha256 FROM archives WHERE combat_id = $1"
                " AND state IN ('archived', 'restored') ORDER BY state, at DESC LIMIT 1",
                combat,
            )
        )
        return None if row is None else _archived(row)

    async def page(self, after: str) -> list[Archived]:
        """Return a page of archived combats by the names of their objects."""
        rows = await self.database.run(
            lambda connection: connection.fetch(
                "SELECT object, combat_id, state, sha256 FROM archives"
                " WHERE state = 'archived' AND object > $1 ORDER BY object LIMIT $2",
                after,
                PAGE,
            )
        )
        return [_archived(row) for row in rows]

    async def restore(self, archived: Archived, events: Sequence[Kept], digest: str) -> bool:
        """Put all events back. Return false if this object no longer archives the combat.

        Raise `Conflict` if its head does not match these events, which have the hash `digest`.
        """

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                await _take_time(connection)
                head = await connection.fetchrow(
                    "SELECT version, digest FROM heads WHERE combat_id = $1 FOR UPDATE",
                    archived.combat,
                )
                if head is None or not await connection.fetchval(
                    "UPDATE archives SET state = 'restored', at = now()"
                    " WHERE object = $1 AND state = 'archived' RETURNING true",
                    archived.object,
                ):
                    return False
                if head[0] != len(events) or head[1] not in ("", digest):
                    raise Conflict
                for step in split(events, lambda kept: kept.event.state):
                    await connection.execute(
                        _INSERT,
                        archived.combat,
                        [kept.event.originator_version for kept in step],
                        [kept.event.topic for kept in step],
                        [kept.event.state for kept in step],
                        [kept.command for kept in step],
                    )
                # Read models delete the combat, and process its events at their new places.
                await connection.execute(MARK, archived.combat, DELETED)
                await connection.execute(
                    "INSERT INTO unplaced (combat_id, first, last) VALUES ($1, 1, $2)",
                    archived.combat,
                    len(events),
                )
                return True

        patience_s = PATIENCE_S + STEP_S * (1 + len(events) // STEP_EVENTS)
        return await self.database.run(work, max(patience_s, LONG_S))

    async def replace(self, archived: Archived, name: str, sha256: bytes) -> bool:
        """Replace an object by an upload with the same events."""

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                if not await connection.fetchval(
                    "UPDATE archives SET state = 'discarded', at = now()"
                    " WHERE object = $1 AND state = 'archived' RETURNING true",
                    archived.object,
                ):
                    return False
                await connection.execute(_COMPLETE, name, sha256)
                return True

        return bool(await self.database.change(work))

    # ---- objects that are not needed

    async def discard(self, name: str) -> None:
        """Record that an upload must be deleted."""
        await self.database.run(
            lambda connection: connection.execute(
                "UPDATE archives SET state = 'discarded', at = now()"
                " WHERE object = $1 AND state = 'uploading'",
                name,
            )
        )

    async def discarded(self) -> list[str]:
        """Return a page of objects to delete. Interrupted uploads are among them."""
        rows = await self.database.run(
            lambda connection: connection.fetch(
                "WITH i AS (UPDATE archives SET state = 'discarded', at = now()"
                " WHERE state = 'uploading' AND at < now() - make_interval(hours => $1))"
                " SELECT object FROM archives WHERE state = 'discarded' ORDER BY at LIMIT $2",
                INTERRUPTED_H,
                PAGE,
            )
        )
        return [row[0] for row in rows]

    async def drop(self, name: str) -> None:
        """Forget an object that was deleted."""
        await self.database.run(
            lambda connection: connection.execute(
                "DELETE FROM archives WHERE object = $1 AND state = 'discarded'", name
            )
        )


async def _take_time(connection: Any) -> None:
    await connection.execute(f"SET LOCAL statement_timeout = {LONG_S * 900:.0f}")


async def _is_followed(connection: Any, combat: UUID, schemas: Iterable[str]) -> bool:
    """Return true if all read models have processed every event of the combat."""
    if await connection.fetchval("SELECT true FROM unplaced WHERE combat_id = $1 LIMIT 1", combat):
        return False
    last = await connection.fetchval(
        "SELECT max(position) FROM positions WHERE originator_id = $1", combat
    )
    for schema in schemas:
        if not await connection.fetchval(
            f'SELECT notification_id >= $2 FROM "{schema}".tracking WHERE application_name = $1',
            LOG,
            last or 0,
        ):
            return False
    return True


def _archived(row: Any) -> Archived:
    return Archived(row[0], UUID(str(row[1])), row[2], row[3])
