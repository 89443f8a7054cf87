"""A lock that limits how long a caller waits for it."""

import asyncio
from typing import Final

from service.store.port import PATIENCE_S
from service.store.rows import Unavailable


class PatientLock:
    """Use it with `async with`. Raises `Unavailable` if the wait takes too long."""

    def __init__(self) -> None:
        self._lock: Final = asyncio.Lock()
        self._waiting = 0

    async def __aenter__(self) -> None:
        if not self._waiting and not self._lock.locked():
            await self._lock.acquire()  # it is free, so no time limit is needed
            return
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._lock.acquire()
        except TimeoutError:
            raise Unavailable("others wait for the database with this combat") from None
        finally:
            self._waiting -= 1

    async def __aexit__(self, *of: object) -> None:
        self._lock.release()
