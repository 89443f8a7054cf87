"""Rebuild a read model beside the old one, while the service runs."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.errors import Refused
from projections.projection import Projection
from service.store.batches import LOG
from service.store.database import Database
from service.store.follower import Follower, lock_of, schema_of
from service.store.mapper import Mapper
from service.store.rows import Archived, Unavailable


class AlreadyRebuilding(Exception):
    """Another process is rebuilding this read model."""


Past = Callable[[Archived], Awaitable[Sequence[StoredEvent]]]
"""Returns the events of an archived combat. A `Refused` sets the combat aside."""

_ARCHIVED = """
SELECT object, combat_id, state, sha256 FROM archives WHERE state = 'archived'
AND NOT EXISTS (SELECT FROM "{schema}".objects_taken AS taken
    WHERE taken.object = archives.object) LIMIT 100
"""


async def rebuild(
    database: Database, projection: Projection, mapper: Mapper, past: Past | None = None
) -> int:
    """Build the read model from the first event on, then replace the old one.

    The log lacks the events of archived combats, so `past` must return them. Readers see the old
    read model until the new one is up to date. Return the number of log entries that Affray
    processed. Raise `AlreadyRebuilding`.
    """
    schema = f"{schema_of(projection)}_new"
    held = await database.pool.acquire()
    try:
        if not await held.fetchval("SELECT pg_try_advisory_lock($1)", lock_of(f"{schema} held")):
            raise AlreadyRebuilding(projection.name)
        try:
            # an interrupted rebuild may have left it
            await held.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
            follower = Follower(database, projection, mapper, schema)
            await follower.ensure()
            await held.execute(f'CREATE TABLE "{schema}".objects_taken (object text PRIMARY KEY)')
            whole = False
            while not whole:
                while await follower.advance():
                    pass
                await _take_archived(database, follower, past)
                whole = await _change_over(database, follower)
            return (await Follower(database, projection, mapper).status()).position
        finally:
            await held.fetchval("SELECT pg_advisory_unlock($1)", lock_of(f"{schema} held"))
    finally:
        await database.pool.release(held)


async def _take_archived(database: Database, new: Follower, past: Past | None) -> None:
    """Process each archived combat once. Exceptions of `past` propagate."""
    query = _ARCHIVED.format(schema=new.schema)
    while page := await database.ask(lambda connection: connection.fetch(query)):
        if past is None:
            raise Unavailable("there are archived combats, and their events are not at hand")
        for row in page:
            archived = Archived(row[0], UUID(str(row[1])), row[2], row[3])
            events: Sequence[StoredEvent] | Refused
            try:
                events = await past(archived)
            except Refused as error:
                events = error
            await new.take_archived(archived, events)


async def _change_over(database: Database, new: Follower) -> bool:
    """Replace the old one in one transaction, if the new one is up to date."""
    live = schema_of(new.projection)

    async def work(connection: Any) -> bool:
        async with connection.transaction():
            await connection.execute("LOCK TABLE archives IN SHARE MODE")
            if await connection.fetch(_ARCHIVED.format(schema=new.schema)):
                return False
            for schema in (live, new.schema):
                await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_of(schema))
            if await connection.fetchval(
                "SELECT count(*) FROM pg_namespace WHERE nspname = $1", live
            ):
                behind = await connection.fetchval(
                    f'SELECT old.notification_id > new.notification_id FROM "{live}".tracking old'
                    f' JOIN "{new.schema}".tracking new USING (application_name)'
                    " WHERE application_name = $1",
                    LOG,
                )
                if behind:
                    return False
                await connection.execute(f'DROP SCHEMA "{live}" CASCADE')
            await connection.execute(f'DROP TABLE "{new.schema}".objects_taken')
            await connection.execute(f'ALTER SCHEMA "{new.schema}" RENAME TO "{live}"')
            return True

    return await database.run(work)
