"""Checks that `DATABASE_URL` leads to the current primary without transaction pooling."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Any, Final

import asyncpg

log = logging.getLogger("affray")

PATIENCE_S: Final = 4.0
"""Seconds for a connection and its queries."""

ROUNDS: Final = 3
"""The number of comparisons. A pooler with several idle connections hands them out in turn."""

STANDBY: Final = "it is a standby; Affray needs the primary"
SHARED: Final = (
    "a pooler in front of it shares connections between transactions (PgBouncer with"
    " pool_mode=transaction, for instance). Affray keeps a pool of its own and listens on its"
    " connections: connect to PostgreSQL itself"
)


_LINE: Final = """
SELECT system_identifier, substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
FROM pg_control_system()"""


class FormerPrimary(ConnectionError):
    """The server is a former primary. Another server is the primary now."""


class Lineage:
    """The newest timeline of each server system. Each failover begins a new timeline.

    A frozen machine may resume as a primary. Until its Patroni has checked its role, a proxy may
    route to it, and reads would be outdated.
    """

    def __init__(self) -> None:
        self._newest: dict[int, str] = {}
        self._told = ""

    async def check(self, connection: Any) -> None:
        """Accept a new connection, or end it. Raises `FormerPrimary`."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._check(connection)
        except BaseException:
            connection.terminate()  # a frozen server would not answer a normal close
            raise

    async def _check(self, connection: Any) -> None:
        try:
            system, timeline = await connection.fetchrow(_LINE)
        except asyncpg.ObjectNotInPrerequisiteStateError as error:
            raise FormerPrimary("it is a standby") from error
        except (asyncpg.UndefinedFunctionError, asyncpg.FeatureNotSupportedError):
            return  # a managed service with its own storage has no timelines
        newest = self._newest.get(system, timeline)
        if timeline < newest:  # both have eight digits, so text order is right
            reason = f"the database is a former primary (timeline {timeline}; {newest} was seen)"
            if reason != self._told:
                self._told = reason
                log.warning("%s: if you set it back to an old copy, restart the service", reason)
            raise FormerPrimary(reason)
        self._newest[system] = timeline


class Unfit(RuntimeError):
    """The database does not meet a requirement, which the message names."""


async def check(dsn: str) -> None:
    """Check that the database meets the requirements. Raise `Unfit`."""
    async with AsyncExitStack() as stack:

        async def connected() -> Any:
            # Behind a pooler, which this check looks for, named statements would fail.
            connection = await asyncpg.connect(dsn, timeout=PATIENCE_S, statement_cache_size=0)
            stack.callback(connection.terminate)
            return connection

        first = await connected()
        backend, standby = await _backend(first)
        if standby:
            raise Unfit(STANDBY)
        # A pooler has process ids of its own.
        if backend != first.get_server_pid() and await _is_shared(first, await connected()):
            raise Unfit(SHARED)


async def _backend(connection: Any) -> tuple[int, bool]:
    """Return the serving process, and whether it belongs to a standby, in one transaction."""
    async with connection.transaction():
        row = await connection.fetchrow("SELECT pg_backend_pid(), pg_is_in_recovery()")
        return row[0], row[1]


async def _is_shared(first: Any, second: Any) -> bool:
    """Return true if one process serves both connections, or several serve one."""
    firsts, seconds = set(), set()
    for _ in range(ROUNDS):
        firsts.add((await _backend(first))[0])
        seconds.add((await _backend(second))[0])
    return bool(firsts & seconds) or len(firsts) > 1 or len(seconds) > 1
