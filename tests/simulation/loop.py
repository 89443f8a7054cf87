"""An event loop without sockets or threads: a seed chooses the order, and time is virtual.

asyncio runs ready callbacks in order, but a service must not depend on this order, because real
answers arrive in any order. The loop takes a random ready callback with probability `shuffle`,
otherwise the first one. If none is ready, time jumps to the next timer.
"""

import asyncio
import heapq
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from hashlib import blake2b
from random import Random
from typing import Any, Final, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

STEP_S: Final = 0.00002
"""Virtual seconds that a callback takes, so that an endless loop also reaches its timers."""

SLEEPING: Final = "nothing is ready, and no timer is set"


GOODBYE_S: Final = 10.0


class Stuck(Exception):
    """A simulation does not end: nothing is left to run, or its time is over."""


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The event loop of one simulation."""

    def __init__(self, random: Random, shuffle: float, on_time: Callable[[float], None]) -> None:
        """Create a loop that calls `on_time` with the seconds by which time advances."""
        self.random, self.shuffle, self.on_time = random, shuffle, on_time
        self.steps = 0
        self.faults: list[str] = []  # reports lost exceptions to the loop's handler
        self._now = 0.0
        self._trace = blake2b(digest_size=8)
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._set = 0  # counts timers, so that timers with equal times keep their order
        self._running = self._closed = False

    def trace(self, *told: object) -> None:
        """Add to the trace. Equal runs have equal hashes."""
        self._trace.update(repr((self._now, *told)).encode())

    @property
    def traced(self) -> str:
        """Return the hash of the trace, with the number of callbacks."""
        return f"{self._trace.hexdigest()}-{self.steps}"

    # ---- running

    def run_until_complete(self, future: Any) -> Any:
        """Run until a coroutine has its result. Raises `Stuck`."""
        previous = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(finalizer=self._drop)
        asyncio._set_running_loop(self)
        self._running = True
        try:
            task: asyncio.Future[Any] = asyncio.ensure_future(future, loop=self)
            while not task.done():
                self._step()
            return task.result()
        finally:
            self._running = False
            asyncio._set_running_loop(None)
            sys.set_asyncgen_hooks(*previous)

    def _drop(self, generator: Any) -> None:
        """Close an asynchronous generator without references."""
        if not self._closed:
            self.create_task(generator.aclose())

    def _step(self) -> None:
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        if not self._ready:
            if not self._timers:
                raise Stuck(SLEEPING)
            self._move(self._timers[0][0])
        while self._timers and self._timers[0][0] <= self._now:
            self._ready.append(heapq.heappop(self._timers)[2])
        at = 0
        if len(self._ready) > 1 and self.random.random() < self.shuffle:
            at = self.random.randrange(len(self._ready))
        handle = self._ready.pop(at)
        if handle.cancelled():
            return
        self.steps += 1
        self._move(self._now + STEP_S)
        handle._run()

    def _move(self, now: float) -> None:
        if now > self._now:
            self.on_time(now - self._now)
            self._now = now

    def time(self) -> float:
        return self._now

    # ---- scheduling

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._set += 1
        heapq.heappush(self._timers, (when, self._set, timer))
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Do nothing. Each cancelled timer calls this."""

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Any,
        *,
        name: str | None = None,
        context: Context | None = None,
        **_: Any,
    ) -> "asyncio.Task[Any]":
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, context=context)
        if name is not None:
            task.set_name(name)
        return task

    async def _ran(self, function: Callable[[*Ts], T], *args: *Ts) -> T:
        return function(*args)

    def run_in_executor(
        self, executor: Any, func: Callable[[*Ts], T], *args: *Ts
    ) -> "asyncio.Task[T]":
        """Run a function at once, because there are no threads."""
        return self.create_task(self._ran(func, *args))

    # ---- the other methods that asyncio requires

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True
        self._ready.clear()
        self._timers.clear()

    def get_task_factory(self) -> None:
        """Return `None`: tasks are asyncio's own."""

    def get_debug(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.faults.append(f"{context.get('message')}: {context.get('exception')!r}")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            result: T = self.run_until_complete(work)
            return result
        finally:
            self._end()
            self.close()

    def _end(self) -> None:
        """Cancel tasks that a fault left, so that they do not end in a later simulation."""
        steps = self.steps
        for task in asyncio.all_tasks(self):
            task.cancel()
        with suppress(Exception):
            self.run_until_complete(asyncio.sleep(GOODBYE_S))
        self.steps = steps
