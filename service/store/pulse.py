"""The pulse: where combats stand now, asked for every read; reads that come together share a
question. What is in memory is believed only when the database has just said the same.
"""

import asyncio
from typing import Final
from uuid import UUID

from service.background import Background
from service.store.log import Store
from service.store.rows import Head, Unavailable

AT_ONCE: Final = 2
"""Questions on their way at the same time: one that hangs does not stop the others."""


class Pulse:
    """Asks the store. A question is sent after those who wait for it have begun to wait."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.questions = 0
        self._waiting: dict[UUID, list[asyncio.Future[Head | None]]] = {}
        self._at_work = 0
        self._background = Background()

    async def of(self, combat: UUID) -> Head | None:
        """Where a combat stands; None = it is not there. Raises `Unavailable`."""
        future: asyncio.Future[Head | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(combat, []).append(future)
        if self._at_work < AT_ONCE:
            self._at_work += 1
            self._background.begin(self._ask())
        return await future

    async def _ask(self) -> None:
        try:
            while self._waiting:
                await self._ask_once()
        finally:
            # At once with the last look at `_waiting`: a task that is done but still counted would
            # leave whoever asks next without anybody to ask for it.
            self._at_work -= 1

    async def _ask_once(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self.questions += 1
        try:
            heads = await self.store.heads(list(waiting))
        except asyncio.CancelledError:
            _tell(waiting, Unavailable("the service stops"))
            raise
        except Exception as error:
            _tell(waiting, error)
        else:
            for combat, futures in waiting.items():
                for future in futures:
                    if not future.done():
                        future.set_result(heads.get(combat))


def _tell(waiting: dict[UUID, list[asyncio.Future[Head | None]]], error: Exception) -> None:
    for futures in waiting.values():
        for future in futures:
            if not future.done():
                future.set_exception(error)
