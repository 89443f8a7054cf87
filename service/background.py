"""Background tasks, which all end with the service."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final

log = logging.getLogger("affray")

AGAIN_S: Final = 0.1
"""Seconds until a task that is still running is cancelled again.

A library that waits inside the task may swallow the first cancellation.
"""


class Background:
    """Tasks that run until they are ended together."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, *work: Coroutine[Any, Any, None]) -> None:
        """Start a task."""
        for coroutine in work:
            task = asyncio.create_task(coroutine)
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Forget a task. If a fault ended it, log the fault."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("work in the background has ended by a fault", exc_info=error)

    async def end(self) -> None:
        """Cancel tasks until none is running."""
        while self._tasks:
            running = list(self._tasks)
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=AGAIN_S)
