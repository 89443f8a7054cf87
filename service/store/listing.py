"""combats: the list of all fights, a read model that follows the log.

Made from the GM's boards of the combats that have new events. The follower reads behind the
oldest running transaction, so that no late commit is skipped; its place is kept in the same
transaction as what it wrote.
"""

import asyncio
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.errors import Malformed
from service.store.log import Store
from service.store.rows import Unavailable

log = logging.getLogger("affray")

NAME: Final = "combats"
BATCH: Final = 300
LOCK: Final = 0x0AFF_0A13

READ: Final = """
SELECT originator_id, xact::text AS xact, notification_id FROM stored_events
WHERE (xact, notification_id) > ($1::text::xid8, $2)
  AND xact < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY xact, notification_id LIMIT $3
"""

WRITE: Final = """
INSERT INTO combats
    (combat_id, name, ruleset, status, round, version, created_at, updated_at)
SELECT b.combat_id, d ->> 'name', d ->> 'ruleset', d ->> 'status', (d ->> 'round')::int,
       b.version, now(), now()
FROM heads h JOIN board b USING (combat_id)
CROSS JOIN LATERAL (SELECT convert_from(b.body, 'UTF8')::jsonb AS d) AS j
WHERE b.audience = 'gm' AND h.combat_id = ANY($1::uuid[])
FOR KEY SHARE OF h  -- whoever deletes a combat waits, and then sees its line here
ON CONFLICT (combat_id) DO UPDATE SET
    name = excluded.name, status = excluded.status, round = excluded.round,
    version = excluded.version, updated_at = now()
WHERE combats.version < excluded.version
"""


class CombatLine(Struct, frozen=True):
    """One combat in the list."""

    id: str
    name: str
    ruleset: str
    status: str
    round: int
    created_at: str
    updated_at: str


class Page(Struct, frozen=True):
    """A page of the list; `next` is the cursor of the page after it."""

    combats: tuple[CombatLine, ...]
    next: str | None = None


class Listing:
    """The read model and its follower."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Follow the log in the background."""
        self._task = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while True:
            try:
                more = await self.advance()
            except Unavailable:
                log.warning("the list of combats waits for the database")
                more = False
            await asyncio.sleep(0 if more else 0.5)

    async def advance(self) -> bool:
        """Take in a batch; whether there may be more."""
        return await self.store.database.run(self._advance)

    @staticmethod
    async def _advance(connection: Any) -> bool:
        async with connection.transaction():
            if not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", LOCK):
                return False
            row = await connection.fetchrow(
                "SELECT xact::text, position FROM followers WHERE name = $1", NAME
            )
            xact, position = ("0", 0) if row is None else (row[0], row[1])
            rows = await connection.fetch(READ, xact, position, BATCH)
            if not rows:
                return False
            await connection.execute(WRITE, list({one["originator_id"] for one in rows}))
            await connection.execute(
                "INSERT INTO followers (name, xact, position) VALUES ($1, $2::text::xid8, $3)"
                " ON CONFLICT (name) DO UPDATE SET xact = excluded.xact,"
                " position = excluded.position",
                NAME,
                rows[-1]["xact"],
                rows[-1]["notification_id"],
            )
            return len(rows) == BATCH

    async def rebuild(self) -> int:
        """Make the list anew from the log, while the service runs; returns how many combats."""
        async with self.store.pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            await connection.execute("DELETE FROM combats")
            await connection.execute("DELETE FROM followers WHERE name = $1", NAME)
        while await self.advance():
            pass
        return int(await self.store.pool.fetchval("SELECT count(*) FROM combats"))

    async def page(
        self,
        ruleset: str | None,
        status: str | None,
        search: str | None,
        cursor: str | None,
        limit: int,
    ) -> Page:
        """The most recently changed combats; raises `Malformed` for a cursor that is none."""
        after, id = _read(cursor)
        rows = await self.store.database.run(
            lambda one: one.fetch(
                "SELECT combat_id, name, ruleset, status, round, created_at, updated_at"
                " FROM combats"
                " WHERE ($1::text IS NULL OR ruleset = $1) AND ($2::text IS NULL OR status = $2)"
                " AND ($3::text IS NULL OR position(lower($3) IN lower(name)) > 0)"
                " AND ($4::timestamptz IS NULL OR (updated_at, combat_id) < ($4, $5))"
                " ORDER BY updated_at DESC, combat_id DESC LIMIT $6",
                ruleset,
                status,
                search,
                after,
                id,
                limit,
            )
        )
        lines = tuple(
            CombatLine(
                str(row[0]), row[1], row[2], row[3], row[4], row[5].isoformat(), row[6].isoformat()
            )
            for row in rows
        )
        following = _write(rows[-1]) if len(rows) == limit else None
        return Page(lines, following)


def _write(row: Any) -> str:
    text = f"{row[6].isoformat()} {row[0]}"
    return urlsafe_b64encode(text.encode()).decode()


def _read(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    if cursor is None:
        return None, None
    try:
        at, _, id = urlsafe_b64decode(cursor.encode()).decode().partition(" ")
        found = datetime.fromisoformat(at)
        if found.tzinfo is None or not 1970 < found.year < 9000:  # as PostgreSQL and we write it
            raise ValueError(at)
        return found, UUID(id)
    except ValueError:
        raise Malformed("/query/cursor", "this is no cursor of a page of combats") from None
