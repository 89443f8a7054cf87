"""Measure listeners: the delay of their messages, their cost to commands, and their memory.

A listener is a socket that counts messages and records the time of the newest message. The delay
runs from the commit to the last of a thousand listeners.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median, quantiles

from service.embedded import EmbeddedServer
from tests.bench.fights import Fight
from tests.bench.load import Wire
from tests.bench.meter import cpu_s, resident_kb
from tests.bench.row import Row
from tests.server import Server, started

LISTENERS = 1000
AUDIENCES = 8
"""Number of audiences at a large table: the GM and seven players."""

SCREENS = 8
"""Number of listeners at each table with play."""

PLAYED = 8
"""Number of tables with play, each with one client. The other listeners share one more table."""

COMMANDS = 40
ACROSS = 100
PAIRS = 5
ROUND = 8
"""Number of turns that each client takes in a window. A turn is an attack and its end."""


class Ear(asyncio.Protocol):
    """One listener."""

    def __init__(self, hear: Callable[[], None]) -> None:
        self.hear = hear
        self.at = 0.0
        self.begun = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.leave = transport.close

    def data_received(self, data: bytes) -> None:
        if b"event: board\n" in data:
            self.begun.set()
        if b"event: command\n" in data:
            self.at = time.perf_counter()
            self.hear()

    @classmethod
    async def open(
        cls, port: int, path: str, headers: dict[str, str], hear: Callable[[], None]
    ) -> "Ear":
        """Open a stream. The first board sets `begun`."""
        loop = asyncio.get_running_loop()
        transport, ear = await loop.create_connection(lambda: cls(hear), "127.0.0.1", port)
        transport.write(Wire.request("GET", f"{path}/stream", headers, b""))
        return ear


class Crowd:
    """Listeners that wait for the same message."""

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
        """Add listeners, and wait until each has received the board."""
        self.ears += [await Ear.open(port, path, header, self.hear) for header in headers]
        for ear in self.ears:
            await ear.begun.wait()

    def leave(self) -> None:
        for ear in self.ears:
            ear.leave()

    async def after(self, command: Callable[[], Awaitable[float]]) -> list[float]:
        """Return the ms from the commit to each listener. `command` returns the commit's time."""
        self.heard, self._goal = 0, len(self.ears)
        self._enough.clear()
        committed = await command()
        async with asyncio.timeout(30):
            await self._enough.wait()
        return sorted(max(0.0, ear.at - committed) * 1000 for ear in self.ears)


def percentiles(times: list[float]) -> tuple[float, float]:
    """Return p50 and p99."""
    return median(times), quantiles(times, n=100)[98]


async def rows() -> list[Row]:
    """Measure with a separate database."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        embedded = EmbeddedServer(Path(folder) / "data")
        dsn = await embedded.start()
        first, other = await started(Server(dsn, script=True), Server(dsn, script=True))
        try:
            return [*await at_one_table(first, other), *await at_many_tables(first)]
        finally:
            for server in (first, other):
                await asyncio.to_thread(server.stop)
            await embedded.stop()


async def at_one_table(server: Server, other: Server) -> list[Row]:
    """Measure a thousand listeners at one table, then some at the other replica."""
    fight = await asyncio.to_thread(Fight, server.url, AUDIENCES - 1, 1)
    readers = [fight.headers, *await asyncio.to_thread(fight.players)]
    assert server.process is not None
    before = resident_kb(server.process.pid)
    crowd, across = Crowd(), Crowd()
    await crowd.join(server.port, fight.path, [readers[n % len(readers)] for n in range(LISTENERS)])
    await asyncio.sleep(2)
    kilobytes = (resident_kb(server.process.pid) - before) / LISTENERS
    wire = await Wire.open(server.port)

    async def command() -> float:
        status, body = await wire.send(fight.post("notes", {"text": "The bridge creaks."}))
        assert status == 201, body
        return time.perf_counter()

    async def measured(crowd: Crowd) -> list[list[float]]:
        times = []
        for _ in range(COMMANDS):
            times.append(await crowd.after(command))
            await asyncio.sleep(0.05)
        return times[5:]  # the first commands are slower

    spent = cpu_s([server.process.pid])
    last = percentiles([times[-1] for times in await measured(crowd)])
    micro = (cpu_s([server.process.pid]) - spent) * 1e6 / COMMANDS / LISTENERS
    crowd.leave()
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
            "CPU of the service for each listener and command / 100 µs",
            micro / 100,
            1.0,
            f"{micro:.0f} µs",
        ),
        Row(
            f"commit to {ACROSS} listeners at another replica, p99 / 100 ms",
            there[1] / 100,
            1.0,
            f"p50 {there[0]:.0f} ms, p99 {there[1]:.0f} ms",
        ),
        Row("memory of a listener / 100 kB", kilobytes / 100, 1.0, f"{kilobytes:.0f} kB"),
    ]


async def at_many_tables(server: Server) -> list[Row]:
    """Measure commands at tables with listeners, and the same commands without any listener."""
    assert server.process is not None
    pid = server.process.pid
    fights = [await asyncio.to_thread(Fight, server.url) for _ in range(PLAYED + 1)]
    played, others = fights[:PLAYED], fights[PLAYED]
    rates: list[tuple[float, float]] = []
    costs: list[tuple[float, float]] = []
    for _ in range(PAIRS):
        crowd = Crowd()
        for fight in played:
            await crowd.join(server.port, fight.path, [fight.headers] * SCREENS)
        rest = LISTENERS - PLAYED * SCREENS
        await crowd.join(server.port, others.path, [others.headers] * rest)
        await asyncio.sleep(1)
        with_them = await rate(server.port, pid, played)
        crowd.leave()
        await asyncio.sleep(1)
        without = await rate(server.port, pid, played)
        rates.append((with_them[0], without[0]))
        costs.append((with_them[1], without[1]))
    work = f"attacks with {LISTENERS} listeners, {SCREENS} at each table that plays / with none"
    return [
        Row(
            work,
            median(a / b for a, b in rates),
            0.8,
            f"{median(a for a, _ in rates):.0f} / {median(b for _, b in rates):.0f} per s",
            least=True,
        ),
        Row(
            f"{work}: CPU",
            median(a / b for a, b in costs),
            1.25,
            f"{median(a for a, _ in costs):.0f} / {median(b for _, b in costs):.0f} µs",
        ),
    ]


async def rate(port: int, pid: int, fights: list[Fight]) -> tuple[float, float]:
    """Return commands per second with one client per fight, and the service's µs per command."""
    wires = [await Wire.open(port) for _ in fights]

    async def play(wire: Wire, fight: Fight) -> int:
        done = 0
        for _ in range(ROUND):
            for command in (fight.attack, fight.end_turn):
                status, body = await wire.send(command())
                if status == 200:
                    fight.take_turns(body)  # an attack may also end the turn
                    done += 1
        return done

    began, spent = time.perf_counter(), cpu_s([pid])
    done = sum(
        await asyncio.gather(
            *(play(wire, fight) for wire, fight in zip(wires, fights, strict=True))
        )
    )
    seconds, cost = time.perf_counter() - began, cpu_s([pid]) - spent
    for wire in wires:
        wire.close()
    assert done > 0.9 * len(fights) * ROUND * 2, "fights have ended"
    return done / seconds, cost * 1e6 / done
