"""The wire: uvicorn's HTTP protocol, which loses patience with clients that don't go on.

Who does not finish the head of a request, reads no answer, or dribbles a body that nobody wants
any more, is cut off, so that a thousand such clients hold nothing for long.
"""

from asyncio import TimerHandle, Transport
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_S: Final = 10.0
"""For the head of a request; also for what comes after an answer was given."""

READ_S: Final = 30.0
"""For a client that reads nothing of an answer that is waiting for it."""

IDLE_S: Final = 15
"""Between the requests of a connection: longer than clients and proxies mostly keep one, so that
none sends a request into one that is just being closed."""

STOP_S: Final = 5
"""For the requests that are under way when the service is told to stop."""

MAX_HEAD: Final = 32 * 1024
"""Bytes of a request's head."""

_LOOK_S: Final = 2.0


class Wire(HttpToolsProtocol):
    """One connection."""

    _look_again: TimerHandle | None = None
    _head_since: float | None = None
    _stuck_since: float | None = None
    _head_bytes = 0
    _running: RequestResponseCycle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head_since = self.loop.time()
        self._look_again = self.loop.call_later(_LOOK_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look_again is not None:
            self._look_again.cancel()
        if self._running is not None:  # uvicorn only tells the last of several requests in a row
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_message_begin(self) -> None:
        self._head_bytes = 0
        if self._head_since is None:
            self._head_since = self.loop.time()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._weigh(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._weigh(len(name) + len(value) + 4)

    def on_headers_complete(self) -> None:
        self._head_since = None
        super().on_headers_complete()

    def _weigh(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > MAX_HEAD:
            raise ValueError("the head of the request is too large")  # answered with a 400

    def _look(self) -> None:
        now = self.loop.time()
        if self.timeout_keep_alive_task is not None:
            self._head_since = self._stuck_since = None  # idle: uvicorn ends it
        elif self._head_since is None and (self.cycle is None or self.cycle.response_complete):
            self._head_since = now
        stuck = self.flow.write_paused
        self._stuck_since = (self._stuck_since or now) if stuck else None
        slow_head = self._head_since is not None and now - self._head_since > HEAD_S
        if slow_head or (self._stuck_since is not None and now - self._stuck_since > READ_S):
            self.transport.abort()
            return
        self._look_again = self.loop.call_later(_LOOK_S, self._look)
