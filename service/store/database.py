"""The connections. Each use of the database has a time limit, after which it raises an error."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

import asyncpg

from service.store import pooling
from service.store.migrations import migrate
from service.store.port import PATIENCE_S
from service.store.rows import Lost, OutcomeUnknown, Unavailable

GOODBYE_S: Final = 1.0
"""Seconds that the other side may take to close a connection."""

_LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    # A connection that dies while it returns to the pool raises an error of its protocol.
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    # A server that stops, crashes or starts reports this on open connections. The same
    # class contains the statement timeout.
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # the server has become a standby
)
"""Errors of an outage."""

_REFUSED = (
    asyncpg.QueryCanceledError,  # the statement timeout
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,
)
"""Errors by which the server confirms that it rolled the statement back."""

_CONFIRM: Final = "SELECT pg_logical_emit_message(true, 'affray', '')"
"""A small write. Its commit waits for the synchronous standbys, like every other commit."""

Found = TypeVar("Found")


def is_outage(error: BaseException) -> bool:
    """Return true if the database is the cause, and not the statement."""
    # A value of the wrong type is an InterfaceError too, but the caller caused it.
    return isinstance(error, _LOST) and not isinstance(error, ValueError)


async def _as_it_is(connection: Any) -> None:
    """Skip the reset of a connection, because connections keep no settings or locks."""


def _end(connection: Any) -> None:
    """Terminate a busy connection. A server that hangs would keep it and block the service."""
    with suppress(asyncpg.InterfaceError):  # the connection has ended, and the pool knows this
        connection.terminate()


AT_HAND: Final = 2
"""The limit of free connections that do not return to the pool between two uses.

The pool needs twice as much time for a return as a short statement does.
"""

AT_HAND_S: Final = 300.0
"""Seconds after which a connection returns to the pool, which may then replace it."""


def _is_idle(connection: Any) -> bool:
    """Return true if a connection seems to be alive and has no work under way."""
    try:
        return not connection.is_closed() and not connection.is_in_transaction()
    except asyncpg.InterfaceError:  # it has ended, so the pool has taken it back
        return False


class Database:
    """A pool of connections to one PostgreSQL. `dsn` is for connections outside the pool."""

    def __init__(self, pool: "asyncpg.Pool[Any]", dsn: str, at_hand: int = 0) -> None:
        self.pool = pool
        self.dsn = dsn
        self._most_at_hand = at_hand
        self._at_hand: list[Any] = []
        self._since: dict[Any, float] = {}  # when the pool gave each connection
        self._waiting = 0

    @classmethod
    async def open(cls, dsn: str, size: int = 8) -> "Database":
        """Connect and bring the schema up to date. Raises `pooling.Unfit`."""
        await pooling.check(dsn)
        pool = await asyncpg.create_pool(
            dsn,
            # A proxy may lead to a former primary for a moment. Reads there would be outdated.
            target_session_attrs="primary",
            init=pooling.Lineage().check,
            min_size=min(2, size),
            max_size=size,
            timeout=PATIENCE_S,
            reset=_as_it_is,
            server_settings={
                "application_name": "affray",
                "statement_timeout": f"{PATIENCE_S * 900:.0f}",  # the server stops first
                "lock_timeout": "2000",
                "idle_in_transaction_session_timeout": "5000",
            },
        )
        async with pool.acquire() as connection:
            await connection.execute("SET statement_timeout = 60000; SET lock_timeout = 60000")
            await migrate(connection)
            await connection.execute("RESET statement_timeout; RESET lock_timeout")
        return cls(pool, dsn, min(AT_HAND, size - 1))

    async def run(
        self, work: Callable[[Any], Awaitable[Found]], patience_s: float = PATIENCE_S
    ) -> Found:
        """Do work on a connection, within a time limit.

        Raise `Unavailable`, or `Lost` if the work had begun.
        """
        connection = None
        try:
            async with asyncio.timeout(patience_s):
                connection = await self._taken()
                return await work(connection)
        except _LOST as error:
            if not is_outage(error):
                raise
            if connection is None or isinstance(error, _REFUSED):
                raise Unavailable(str(error)) from error
            _end(connection)
            for other in self._at_hand:  # the others may be dead too
                _end(other)
            await self.pool.expire_connections()
            raise Lost(str(error)) from error
        except asyncio.CancelledError:
            if connection is not None:
                _end(connection)
            raise
        finally:
            if connection is not None:
                await self._give_back(connection)

    async def _taken(self) -> Any:
        """Return a connection that seems to be alive."""
        while self._at_hand:
            connection = self._at_hand.pop()
            if _is_idle(connection):
                return connection
            await self._give_back(connection)
        self._waiting += 1
        try:
            connection = await self.pool.acquire()
            self._since[connection] = asyncio.get_running_loop().time()
            return connection
        finally:
            self._waiting -= 1

    async def _give_back(self, connection: Any) -> None:
        """Release the connection: keep it for the next use, or return it to the pool."""
        keeps = not self._waiting and len(self._at_hand) < self._most_at_hand
        age = asyncio.get_running_loop().time() - self._since[connection]
        if keeps and age < AT_HAND_S and _is_idle(connection):
            self._at_hand.append(connection)
            return
        del self._since[connection]
        try:
            await self.pool.release(connection, timeout=GOODBYE_S)
        except Exception as error:
            if not is_outage(error):
                raise

    async def ask(self, work: Callable[[Any], Awaitable[Found]]) -> Found:
        """Do work that only reads. If the connection is dead, try once more on another."""
        try:
            return await self.run(work)
        except Lost as error:
            if isinstance(error.__cause__, TimeoutError):
                raise
            return await self.run(work)

    async def change(self, work: Callable[[Any], Awaitable[Found]]) -> Found:
        """Do work that changes data. Raise `Unavailable`, or `OutcomeUnknown` if it may be done."""
        try:
            return await self.run(work)
        except Lost as error:
            raise OutcomeUnknown(None) from error

    async def confirmed(self, work: Callable[[Any], Awaitable[Found]]) -> Found:
        """Do work that only reads. Its result is on every synchronous standby when this returns.

        If the server restarts, or the connection of a commit ends while the commit waits for a
        standby, the commit becomes visible. A failover would lose it. Raise `OutcomeUnknown` if
        that may be the case.
        """
        results: list[Found] = []

        async def both(connection: Any) -> Found:
            results.append(await work(connection))
            if results[-1] is not None:
                await connection.execute(_CONFIRM)
            return results[-1]

        try:
            return await self.ask(both)
        except Unavailable as error:
            if any(result is not None for result in results):
                raise OutcomeUnknown(None) from error
            raise

    async def close(self) -> None:
        """Close the connections."""
        self._most_at_hand = 0
        try:
            async with asyncio.timeout(2):
                while self._at_hand:
                    await self._give_back(self._at_hand.pop())
                await self.pool.close()
        except TimeoutError:
            self.pool.terminate()
