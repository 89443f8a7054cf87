"""Notices: a commit on one replica wakes the listeners of all others.

- A replica sends a notice after the commit. Inside the committing statement, a notice would
  serialise every commit of the server.
- Changes within a few milliseconds share a notice.
- A replica sends no notice if no other replica listens.
- A notice is only a hint. A replica that misses it finds the change by polling (`streams`).
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from uuid import UUID, uuid4

import asyncpg

from service.background import Background
from service.store.database import Database, is_outage
from service.store.port import PATIENCE_S
from service.store.rows import Unavailable

log = logging.getLogger("affray")

CHANNEL: Final = "affray_changed"
GATHER_S: Final = 0.005
AT_ONCE: Final = 200
"""The limit of combats in one notice, because a payload has at most 8,000 bytes."""

LISTENER: Final = "affray-notices"
"""Name of a listening connection."""

LOOK_S: Final = 1.0
"""Seconds for which Affray remembers that no other replica listens."""

HEARTBEAT_S: Final = 10.0
"""Seconds between checks of a listening connection, which can die in silence."""


_NOTIFY: Final = """
SELECT pg_notify($1, $2) IS NOT NULL WHERE EXISTS (
    SELECT FROM pg_stat_activity
    WHERE application_name = $3 AND pid <> $4 AND datname = current_database()
)"""
"""Returns no row without another listener."""


class Notices:
    """Notifies other replicas of changed combats, and receives their notices."""

    def __init__(self, database: Database, dsn: str, heard: Callable[[UUID], None]) -> None:
        self.database, self.dsn, self.heard = database, dsn, heard
        self.me = uuid4().hex[:8]
        self._changed: set[UUID] = set()
        self._due = asyncio.Event()
        self._ear = 0  # the process id of our own listening connection
        self._alone_until = 0.0
        self._background = Background()

    def changed(self, combat: UUID) -> None:
        """Record a change of a combat on this replica."""
        self._changed.add(combat)
        self._due.set()

    def start(self) -> None:
        """Start sending and receiving notices."""
        self._background.begin(self._tell(), self._listen())

    async def stop(self) -> None:
        """Stop sending and receiving notices."""
        await self._background.end()

    async def _tell(self) -> None:
        while True:
            await self._due.wait()
            await asyncio.sleep(GATHER_S)
            self._due.clear()
            changed, self._changed = list(self._changed), set()
            for start in range(0, len(changed), AT_ONCE):
                ids = ",".join(uuid.hex for uuid in changed[start : start + AT_ONCE])
                await self._notify(f"{self.me}:{ids}")

    async def _notify(self, payload: str) -> None:
        clock = asyncio.get_running_loop().time
        if clock() < self._alone_until:
            return
        with suppress(Unavailable):  # the other replicas poll
            told = await self.database.run(
                lambda connection: connection.fetchval(
                    _NOTIFY, CHANNEL, payload, LISTENER, self._ear
                )
            )
            if not told:
                self._alone_until = clock() + LOOK_S

    async def _listen(self) -> None:
        while True:
            connection: Any = None
            try:
                connection = await asyncpg.connect(
                    self.dsn,
                    timeout=5,
                    target_session_attrs="primary",
                    server_settings={"application_name": LISTENER},
                )
                async with asyncio.timeout(PATIENCE_S):
                    await connection.add_listener(CHANNEL, self._heard)
                self._ear = connection.get_server_pid()
                while True:
                    await asyncio.sleep(HEARTBEAT_S)
                    await connection.fetchval("SELECT 1", timeout=5)
            except Exception as error:
                if not is_outage(error):
                    log.exception("notices are not heard")
                await asyncio.sleep(1)
            finally:
                if connection is not None:
                    connection.terminate()

    def _heard(self, connection: object, pid: int, channel: str, payload: object) -> None:
        sender, _, ids = str(payload).partition(":")
        if sender == self.me:
            return
        for id in ids.split(","):
            with suppress(ValueError):
                self.heard(UUID(hex=id))
