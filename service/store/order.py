"""The order of the log: assigns numbers to events once their transactions have committed.

A reader can safely ask for numbers greater than its last one, because numbers are assigned after
the commit, one batch at a time. Every replica does this soon after it has stored events. If a
replica dies in between, the next one that checks assigns the numbers.
"""

import asyncio
import contextlib
import logging
from typing import Any, Final

import asyncpg

from service.background import Background
from service.store.database import Database, is_outage
from service.store.outage import Outage
from service.store.port import PATIENCE_S

log = logging.getLogger("affray")

CHANNEL: Final = "stored_events"
"""The channel on which the database announces new numbers.

The eventsourcing library expects this name.
"""

BATCH: Final = 2000
BREATH_S: Final = 0.003
LONGEST_BREATH_S: Final = 0.03
"""The shortest and the longest pause between two batches, in seconds.

The pause is five times as long as the last batch took, so that one batch numbers many commands.
"""
AGAIN_S: Final = 1.0
"""Seconds until the next attempt after a fault that is not an outage."""
PATROL_S: Final = 0.25
"""Seconds after which a replica checks for events without a number from other replicas."""


async def place(database: Database) -> int:
    """Assign numbers to committed events, and return how many."""
    placed: int = await database.run(
        lambda connection: connection.fetchval("SELECT place_events($1)", BATCH)
    )
    return placed


class Order:
    """Assigns numbers, and wakes the followers in this replica.

    `stored` is set whenever this replica has stored something.
    """

    def __init__(self, database: Database, dsn: str, stored: asyncio.Event) -> None:
        self.database = database
        self.dsn = dsn
        self.stored = stored
        self.placed = 0
        self._wakers: set[asyncio.Event] = set()
        self._background = Background()

    def start(self) -> None:
        """Assign numbers and listen, in the background."""
        self._background.begin(self._place(), self._listen())

    async def stop(self) -> None:
        """Stop. The next replica assigns the remaining numbers."""
        await self._background.end()

    def waker(self) -> asyncio.Event:
        """Return an asyncio event that is set whenever there may be new numbers."""
        event = asyncio.Event()
        self._wakers.add(event)
        return event

    def forget(self, waker: asyncio.Event) -> None:
        """Stop waking this waker."""
        self._wakers.discard(waker)

    def _wake(self) -> None:
        for event in self._wakers:
            event.set()

    async def place(self) -> int:
        """Assign numbers to committed events, and return how many."""
        placed = await place(self.database)
        if placed:
            self.placed += placed
            self._wake()
        return placed

    async def _place(self) -> None:
        clock = asyncio.get_running_loop().time
        outage = Outage("the order of new events")
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATROL_S):
                    await self.stored.wait()
            self.stored.clear()
            began = clock()
            try:
                with outage.told():
                    while await self.place() >= BATCH:
                        pass
            except Exception:
                log.exception("new events get no numbers")
                await asyncio.sleep(AGAIN_S)
            await asyncio.sleep(min(LONGEST_BREATH_S, max(BREATH_S, 5 * (clock() - began))))

    async def _listen(self) -> None:
        """Listen for numbers that other replicas assign. Followers also check now and then."""
        while True:
            try:
                connection = await asyncpg.connect(
                    self.dsn, timeout=4, target_session_attrs="primary"
                )
            except Exception as error:
                if not is_outage(error):
                    log.exception("new numbers are not heard")
                await asyncio.sleep(1)
                continue
            lost = asyncio.Event()
            connection.add_termination_listener(lambda _, lost=lost: lost.set())
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await connection.add_listener(CHANNEL, self._heard)
                self._wake()
                await lost.wait()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(1)
            finally:
                connection.terminate()

    def _heard(self, *told: Any) -> None:
        self._wake()
