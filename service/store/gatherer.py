"""Gatherer: work that arrives during a round trip to the database shares the next round trip.

Usually, one round trip runs at a time, so that more work shares it. If it takes long, a second one
starts in parallel, so that a hanging round trip does not block later work.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sized
from typing import Final

from service.background import Background

AT_ONCE: Final = 2


class Gathering:
    """Calls `send` as long as `waiting` has entries. `send` removes them.

    `slow_s`: if a round trip takes longer, another one starts in parallel.
    """

    def __init__(
        self, waiting: Callable[[], Sized], send: Callable[[], Awaitable[None]], slow_s: float
    ) -> None:
        self._waiting, self._send, self.slow_s = waiting, send, slow_s
        self._out: dict[object, float] = {}  # each worker, with the start of its current work
        self._looks: asyncio.TimerHandle | None = None
        self._background = Background()

    def wake(self) -> None:
        """Send the waiting work."""
        if not self._out:
            self._begin()
        elif len(self._out) < AT_ONCE and self._looks is None:
            self._looks = asyncio.get_running_loop().call_later(self.slow_s, self._look)

    async def close(self) -> None:
        """Stop sending."""
        if self._looks is not None:
            self._looks.cancel()
        await self._background.end()

    def _begin(self) -> None:
        me = object()
        self._out[me] = asyncio.get_running_loop().time()
        self._background.begin(self._work(me))

    def _look(self) -> None:
        self._looks = None
        if self._waiting() and not self._is_in_hand(None):
            self._begin()
        elif self._waiting():
            self.wake()

    async def _work(self, me: object) -> None:
        try:
            while self._waiting() and not self._is_in_hand(me):
                self._out[me] = asyncio.get_running_loop().time()
                await self._send()
        finally:
            # Do this together with the last check for work. If a finished task still counted,
            # new work would have no sender.
            del self._out[me]
        if self._waiting():  # another task sends it, and this one notices if that task hangs
            self.wake()

    def _is_in_hand(self, me: object) -> bool:
        """Return true if another task is about to check for work."""
        now = asyncio.get_running_loop().time()
        others = [since for key, since in self._out.items() if key is not me]
        return any(now - since < self.slow_s for since in others)
