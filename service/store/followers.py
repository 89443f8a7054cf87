"""All projections of a service, followed in the background."""

import asyncio
import logging
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from projections.projection import Projection
from service.background import Background
from service.quarantine import MOST
from service.store.batches import Batches
from service.store.database import Database
from service.store.follower import Follower, Status
from service.store.mapper import Mapper
from service.store.order import Order
from service.store.outage import Outage
from service.store.rebuild import AlreadyRebuilding, Past, rebuild
from service.store.rows import Unavailable

log = logging.getLogger("affray")

START_TRIES: Final = 10
"""The number of times that a start waits for a replica that processes the log."""

BREATH_S: Final = 0.03
LONGEST_BREATH_S: Final = 0.25
"""The shortest and the longest pause between two batches, in seconds.

The pause is ten times as long as the slowest batch took, so that one transaction processes many
commands. All followers pause equally long, so that they share their batches.
"""

PATROL_S: Final = 0.5
"""Seconds until a follower checks for new events if nothing wakes it."""


class Followers:
    """All projections of a service, each followed in the background."""

    def __init__(
        self,
        database: Database,
        projections: Iterable[Projection],
        mapper: Mapper,
        order: Order,
        past: Past | None = None,
    ) -> None:
        """`past` returns the events of archived combats, for a read model that is rebuilt."""
        self.order, self.past = order, past
        self.batches = Batches(mapper)
        self.all = {
            projection.name: Follower(database, projection, mapper, batches=self.batches)
            for projection in projections
        }
        self._rest_until = 0.0
        self._background = Background()

    async def start(self) -> None:
        """Create missing tables, and follow."""
        for follower in self.all.values():
            current = await _ensured(follower)
            self._background.begin(self._follow(follower, current))

    async def stop(self) -> None:
        """Stop following."""
        await self._background.end()

    async def _follow(self, follower: Follower, current: bool) -> None:
        if not current:
            await self._renew(follower)
        waker = self.order.waker()
        outage = Outage(f"the read model {follower.projection.name}")
        clock = asyncio.get_running_loop().time
        while True:
            waker.clear()
            began = clock()
            try:
                with outage.told():
                    while await follower.advance():
                        pass
            except Exception:  # no event is the cause, for example if a table is missing
                log.exception("%s cannot go on", follower.projection.name)
                await asyncio.sleep(PATROL_S)
            rest = min(LONGEST_BREATH_S, max(BREATH_S, 10 * (clock() - began)))
            self._rest_until = max(self._rest_until, clock() + rest)
            await asyncio.sleep(self._rest_until - clock())
            while not await self._is_woken(waker, follower):
                self.batches.forget()

    async def _is_woken(self, waker: asyncio.Event, follower: Follower) -> bool:
        """Wait for news, and return true if there is any.

        The wait ends after `PATROL_S`, because the sender of the news may have died.
        """
        try:
            async with asyncio.timeout(PATROL_S):
                await waker.wait()
            return True
        except TimeoutError:
            return await follower.is_behind()

    async def _renew(self, follower: Follower) -> None:
        """Replace another release's schemas. Readers see the old ones until then."""
        name = follower.projection.name
        log.info("%s is of another release and is made anew", name)
        while not await follower.ensure():
            try:
                await rebuild(follower.database, follower.projection, follower.mapper, self.past)
            except AlreadyRebuilding:
                await asyncio.sleep(PATROL_S)
            except Exception:
                log.exception("%s cannot be made anew", name)
                await asyncio.sleep(10)

    async def status(self) -> list[Status]:
        """Return the status of each projection."""
        return [await follower.status() for follower in self.all.values()]

    async def aside(self) -> list[tuple[str, UUID]]:
        """Return the combats that were set aside, each with the name of the read model."""
        held = []
        for name, follower in self.all.items():
            held += [(name, combat) for combat, _, _ in await follower.aside(MOST)]
        return held


async def _ensured(follower: Follower) -> bool:
    """Return true if this release made the projection. Another replica may be making it."""
    for _ in range(START_TRIES - 1):
        try:
            return await follower.ensure()
        except Unavailable:
            await asyncio.sleep(PATROL_S)
    return await follower.ensure()
