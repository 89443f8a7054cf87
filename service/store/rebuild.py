"""Rebuild a read model beside the old one, while the service runs."""

from typing import Any

from projections.projection import Projection
from service.store.batches import LOG
from service.store.database import Database
from service.store.follower import Follower, lock_of, schema_of
from service.store.mapper import Mapper


class AlreadyRebuilding(Exception):
    """Another process is rebuilding this read model."""


async def rebuild(database: Database, projection: Projection, mapper: Mapper) -> int:
    """Make it from the first event on, then let it take the place of the old one.

    Returns how many numbers of the log it was made of. Readers see the old one until the new one
    has come as far. Raises `AlreadyRebuilding`.
    """
    schema = f"{schema_of(projection)}_new"
    held = await database.pool.acquire()
    try:
        if not await held.fetchval("SELECT pg_try_advisory_lock($1)", lock_of(f"{schema} held")):
            raise AlreadyRebuilding(projection.name)
        try:
            # of a rebuild that was interrupted
            await held.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
            follower = Follower(database, projection, mapper, schema)
            await follower.ensure()
            whole = False
            while not whole:
                while await follower.advance():
                    pass
                whole = await _change_over(database, follower)
            return (await Follower(database, projection, mapper).status()).position
        finally:
            await held.fetchval("SELECT pg_advisory_unlock($1)", lock_of(f"{schema} held"))
    finally:
        await database.pool.release(held)


async def _change_over(database: Database, new: Follower) -> bool:
    """Replace the old one in one transaction, if the new one has come as far."""
    live = schema_of(new.projection)

    async def work(connection: Any) -> bool:
        async with connection.transaction():
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
            await connection.execute(f'ALTER SCHEMA "{new.schema}" RENAME TO "{live}"')
            return True

    return await database.run(work)
