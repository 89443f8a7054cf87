"""Check at the start that DATABASE_URL leads to a primary and gives whole sessions."""

from contextlib import AsyncExitStack
from typing import Any, Final

import asyncpg

ROUNDS: Final = 3
"""A pooler with several idle connections gives out one after the other."""

STANDBY: Final = "it is a standby; Affray needs the primary"
SHARED: Final = (
    "a pooler in front of it shares connections between transactions (PgBouncer with"
    " pool_mode=transaction, for instance). Affray keeps a pool of its own and listens on its"
    " connections: connect to PostgreSQL itself"
)


class Unfit(RuntimeError):
    """The database cannot be used in this way; the message says why."""


async def check(dsn: str, patience_s: float) -> None:
    """Return if the database fits. Raises `Unfit`."""
    async with AsyncExitStack() as stack:

        async def connected() -> Any:
            # Named statements would fail behind the pooler that is looked for.
            connection = await asyncpg.connect(dsn, timeout=patience_s, statement_cache_size=0)
            stack.callback(connection.terminate)
            return connection

        first = await connected()
        backend, standby = await _backend(first)
        if standby:
            raise Unfit(STANDBY)
        # A pooler hands out process ids of its own.
        if backend != first.get_server_pid() and await _is_shared(first, await connected()):
            raise Unfit(SHARED)


async def _backend(connection: Any) -> tuple[int, bool]:
    """Return which process serves, and whether it is a standby's. A transaction stays in one."""
    async with connection.transaction():
        row = await connection.fetchrow("SELECT pg_backend_pid(), pg_is_in_recovery()")
        return row[0], row[1]


async def _is_shared(first: Any, second: Any) -> bool:
    """Return true if a process serves both connections, or several serve one."""
    firsts, seconds = set(), set()
    for _ in range(ROUNDS):
        firsts.add((await _backend(first))[0])
        seconds.add((await _backend(second))[0])
    return bool(firsts & seconds) or len(firsts) > 1 or len(seconds) > 1
