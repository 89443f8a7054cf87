"""The pulse: the current version of combats, read before every answer.

Concurrent reads share a query. Memory counts only if the database has just confirmed it.
"""

import asyncio
from typing import Final
from uuid import UUID

from service.store.gatherer import Gathering
from service.store.port import Log
from service.store.rows import Head, Unavailable

SLOW_S: Final = 0.005
"""Seconds after which a second query may run at the same time as the first."""


class Pulse:
    """Reads heads from the store. A query starts only after all its callers have begun to wait."""

    def __init__(self, store: Log) -> None:
        self.store = store
        self.questions = 0
        self._waiting: dict[UUID, list[asyncio.Future[Head | None]]] = {}
        self._asking = Gathering(lambda: self._waiting, self._ask_once, SLOW_S)

    async def of(self, combat: UUID) -> Head | None:
        """Return the head of a combat, or `None` if it does not exist. Raise `Unavailable`."""
        future: asyncio.Future[Head | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(combat, []).append(future)
        self._asking.wake()
        return await future

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
