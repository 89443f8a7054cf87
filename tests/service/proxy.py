"""A TCP proxy that simulates a bad network. It closes connections, and delays or drops data."""

import asyncio
from collections import Counter
from random import Random
from urllib.parse import parse_qs, urlsplit

CUT, DELAY, HALF, SWALLOW = 0.35, 0.45, 0.15, 0.05
"""Shares of the faults: close both directions, delay, close one direction, drop all data."""


class Proxy:
    """A proxy in front of PostgreSQL.

    `rate` is the probability of a fault for each forwarded piece of data.
    """

    def __init__(self, dsn: str, rate: float, seed: int) -> None:
        self.rate = rate
        self.random = Random(seed)
        self.faults: Counter[str] = Counter()
        self._dsn = urlsplit(dsn)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Listen, and return the DSN through the proxy."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        user = self._dsn.username or "postgres"
        password = f":{self._dsn.password}" if self._dsn.password else ""
        return f"postgresql://{user}{password}@127.0.0.1:{port}{self._dsn.path}"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            theirs, ours = await self._connect()
        except OSError:
            writer.close()
            return
        for source, target, other in ((reader, ours, writer), (theirs, writer, ours)):
            task = asyncio.create_task(self._pass(source, target, other))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        folder = parse_qs(self._dsn.query).get("host")
        if folder:
            return await asyncio.open_unix_connection(f"{folder[0]}/.s.PGSQL.5432")
        return await asyncio.open_connection(self._dsn.hostname, self._dsn.port or 5432)

    async def _pass(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        other: asyncio.StreamWriter,
    ) -> None:
        """Forward one direction of a connection. `other` is the writer of the other direction."""
        try:
            while piece := await source.read(65536):
                fault = self._fault()
                if fault == "cut":
                    target.transport.abort()
                    other.transport.abort()
                    return
                if fault == "delay":
                    await asyncio.sleep(self.random.random() * 0.1)
                if fault == "half-close":
                    break
                if fault == "swallow":
                    await asyncio.sleep(30)
                    return
                target.write(piece)
                await target.drain()
            target.write_eof()
        except (OSError, RuntimeError):
            other.transport.abort()

    def _fault(self) -> str | None:
        if self.random.random() >= self.rate:
            return None
        names, weights = ("cut", "delay", "half-close", "swallow"), (CUT, DELAY, HALF, SWALLOW)
        (name,) = self.random.choices(names, weights)
        self.faults[name] += 1
        return name
