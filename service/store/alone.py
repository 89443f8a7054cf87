"""Alone: whether this replica is the only one on its database.

Alone, memory is as good as the database, and reads need no query. The promise is an exclusive
advisory lock on a connection of its own; a newcomer knocks by NOTIFY, and the lock becomes a
shared one before the newcomer serves its first request.
"""

import asyncio
from typing import Any, Final

import asyncpg

LOCK: Final = 0x0AFF_0A12
CHANNEL: Final = "affray_newcomer"


class Alone:
    """`yes` is True while no other replica can be at work."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn
        self.yes = False
        self._connection: Any = None
        self._yielding: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find out; waits until a replica that was alone knows of us."""
        connection = await asyncpg.connect(self.dsn, server_settings={"application_name": "affray"})
        self._connection = connection
        connection.add_termination_listener(self._lost)
        await connection.add_listener(CHANNEL, self._knock)
        self.yes = await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK)
        while not self.yes:
            await connection.execute(f"NOTIFY {CHANNEL}")
            if await connection.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
                return
            await asyncio.sleep(0.02)

    def _lost(self, connection: object) -> None:
        self.yes = False

    def _knock(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        if self.yes and pid != connection.get_server_pid():
            self.yes = False
            self._yielding = asyncio.get_running_loop().create_task(self._yield())

    async def _yield(self) -> None:
        await self._connection.execute("SELECT pg_advisory_lock_shared($1)", LOCK)
        await self._connection.execute("SELECT pg_advisory_unlock($1)", LOCK)

    async def stop(self) -> None:
        """Give the lock back."""
        self.yes = False
        if self._connection is not None and not self._connection.is_closed():
            await self._connection.close(timeout=2)
