"""Listeners: from the commit to the last of a thousand, what they cost commands, and in memory.

A listener here is a socket that counts messages and notes when the last one came.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from service.embedded import EmbeddedServer
from tests.bench.fights import Fight
from tests.bench.load import Wire
from tests.bench.meter import resident_kb
from tests.bench.row import Row
from tests.server import Server

LISTENERS = 1000
PLAYERS = 7
"""At a table with the GM, so that eight screens are listening there."""

TABLES = LISTENERS // (PLAYERS + 1)
PLAYED = 8
"""Tables at which somebody plays while the others only listen."""

COMMANDS = 60
ACROSS = 100
PAIRS = 6
ROUND = 12
"""Commands of each player in a window."""


class Ear(asyncio.Protocol):
    """One listener."""

    def __init__(self, hear: Callable[[], None]) -> None:
        self.hear = hear
        self.messages = 0
        self.at = 0.0

    def data_received(self, data: bytes) -> None:
        found = data.count(b"event: command\n")
        if found:
            self.messages += found
            self.at = time.perf_counter()
            self.hear()

    @classmethod
    async def open(
        cls, port: int, path: str, headers: dict[str, str], hear: Callable[[], None]
    ) -> "Ear":
        """Listen, with the board in hand."""
        loop = asyncio.get_running_loop()
        transport, ear = await loop.create_connection(lambda: cls(hear), "127.0.0.1", port)
        transport.write(Wire.request("GET", f"{path}/stream", headers, b""))
        return ear


class Crowd:
    """Listeners who wait for the same."""

    def __init__(self) -> None:
        self.ears: list[Ear] = []
        self.heard = 0
        self._enough = asyncio.Event()
        self._goal = 0

    def hear(self) -> None:
        self.heard += 1
        if self.heard >= self._goal:
            self._enough.set()

    async def join(self, port: int, path: str, headers: list[dict[str, str]]) -> None:
        for one in headers:
            self.ears.append(await Ear.open(port, path, one, self.hear))

    async def after(self, command: Callable[[], asyncio.Future[float]]) -> list[float]:
        """Milliseconds from the commit, which `command` tells, to each listener."""
        self.heard, self._goal = 0, len(self.ears)
        self._enough.clear()
        committed = await command()
        async with asyncio.timeout(30):
            await self._enough.wait()
        return sorted(max(0.0, one.at - committed) * 1000 for one in self.ears)


def percentiles(times: list[float]) -> tuple[float, float]:
    """p50 and p99."""
    return median(times), quantiles(times, n=100)[98]


async def rows() -> list[Row]:
    """Against a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        embedded = EmbeddedServer(Path(folder) / "data")
        dsn = await embedded.start()
        one, other = await asyncio.gather(*(asyncio.to_thread(Server(dsn).start) for _ in range(2)))
        try:
            return [*await at_one_table(one, other), *await at_many_tables(one)]
        finally:
            for server in (one, other):
                await asyncio.to_thread(server.stop)
            await embedded.stop()


async def at_one_table(one: Server, other: Server) -> list[Row]:
    """A thousand at one table; then some who listen at the other replica."""
    fight = await asyncio.to_thread(Fight, one.url, PLAYERS, PLAYERS)
    readers = [fight.headers, *await asyncio.to_thread(fight.players)]
    assert one.process is not None
    before = resident_kb(one.process.pid)
    crowd, across = Crowd(), Crowd()
    await crowd.join(one.port, fight.path, [readers[n % len(readers)] for n in range(LISTENERS)])
    await asyncio.sleep(2)
    each = (resident_kb(one.process.pid) - before) / LISTENERS
    wire = await Wire.open(one.port)

    async def command() -> float:
        status, body = await wire.send(fight.post("notes", {"text": "The bridge creaks."}))
        assert status == 201, body
        return time.perf_counter()

    async def measured(crowd: Crowd) -> list[list[float]]:
        found = []
        for _ in range(COMMANDS):
            found.append(await crowd.after(lambda: asyncio.ensure_future(command())))
            await asyncio.sleep(0.05)
        return found[5:]  # the first ones are dearer

    last = percentiles([times[-1] for times in await measured(crowd)])
    for ear in crowd.ears:
        ear.hear = lambda: None
    del crowd
    await across.join(other.port, fight.path, [readers[n % len(readers)] for n in range(ACROSS)])
    await asyncio.sleep(1)
    there = percentiles([time for times in await measured(across) for time in times])
    return [
        Row(
            f"commit to the last of {LISTENERS} listeners at one table, p99 / 100 ms",
            last[1] / 100,
            1.0,
            f"p50 {last[0]:.0f} ms, p99 {last[1]:.0f} ms",
        ),
        Row(
            f"commit to {ACROSS} listeners at another replica, p99 / 100 ms",
            there[1] / 100,
            1.0,
            f"p50 {there[0]:.0f} ms, p99 {there[1]:.0f} ms",
        ),
        Row("memory of a listener / 100 kB", each / 100, 1.0, f"{each:.0f} kB"),
    ]


async def at_many_tables(server: Server) -> list[Row]:
    """Commands at tables where eight listen, and as many listen at others, and without any."""
    fights = [
        await asyncio.to_thread(Fight, server.url, PLAYERS, PLAYERS) for _ in range(PLAYED * 2)
    ]
    quiet, loud = fights[:PLAYED], fights[PLAYED:]
    crowd = Crowd()
    rates: list[tuple[float, float]] = []
    without = [await rate(server, quiet) for _ in range(2)][1:]
    for fight in loud:
        readers = [fight.headers, *await asyncio.to_thread(fight.players)]
        await crowd.join(server.port, fight.path, readers)
    for _ in range(TABLES - PLAYED):
        fight = await asyncio.to_thread(Fight, server.url)
        await crowd.join(server.port, fight.path, [fight.headers] * (PLAYERS + 1))
    await rate(server, loud)
    for _ in range(PAIRS):
        pair = await rate(server, loud), await rate(server, quiet)
        rates.append(pair)
    with_them = median(one for one, _ in rates)
    beside = median(one for _, one in rates)
    before = without[0]
    return [
        Row(
            f"attacks at tables with 8 listeners each, {LISTENERS} in all / with nobody listening",
            with_them / before,
            0.8,
            f"{with_them:.0f} / {before:.0f} per s; at tables without listeners meanwhile"
            f" {beside:.0f}",
            least=True,
        )
    ]


async def rate(server: Server, fights: list[Fight]) -> float:
    """Commands a second, a client for each fight."""
    wires = [await Wire.open(server.port) for _ in fights]

    async def play(wire: Wire, fight: Fight) -> None:
        for _ in range(ROUND):
            status, body = await wire.send(fight.post("notes", {"text": "A step."}))
            assert status == 201, body

    began = time.perf_counter()
    await asyncio.gather(*(play(wire, one) for wire, one in zip(wires, fights, strict=True)))
    seconds = time.perf_counter() - began
    for wire in wires:
        wire.close()
    return len(fights) * ROUND / seconds
