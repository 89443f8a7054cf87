"""Measure commands and reads over HTTP, in turn with the same requests to bare handlers."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import asyncpg
import httpx

from service.embedded import EmbeddedServer
from tests.bench.fights import Fight
from tests.bench.load import Answers, Clients, Wire
from tests.bench.meter import cpu_s, postmaster, with_children
from tests.bench.row import Row
from tests.server import Server, free_port

CLIENTS = 16
FIGHTS = 8
"""Number of fights of each client. With fewer, a window is too short to measure."""

PAIRS = 12
TABLES = 8
PLAYERS = 7


@dataclass
class Cost:
    """The cost of one window: requests per second, and processor time per request in µs.

    `after` is the time of PostgreSQL and the service until the read models are up to date.
    """

    rate: float
    service: float
    database: float
    after: float = 0.0


@dataclass
class Pairs:
    """The costs of windows that alternate between the service and the bare handler."""

    ours: list[Cost] = field(default_factory=list)
    bare: list[Cost] = field(default_factory=list)

    def ratio(self, of: Callable[[Cost], float]) -> float:
        """Return the median ratio of the pairs."""
        return median(of(a) / of(b) for a, b in zip(self.ours, self.bare, strict=True))

    def rows(self, work: str, least: float | None, most: float | None) -> list[Row]:
        """Return a row for the rate and one for the cost."""
        rate, cpu = self.ratio(lambda cost: cost.rate), self.ratio(_cpu)
        rates = f"{_median(self.ours, _rate):.0f} / {_median(self.bare, _rate):.0f} per s"
        costs = " / ".join(
            f"{_median(side, lambda c: c.service):.0f} + {_median(side, lambda c: c.database):.0f}"
            for side in (self.ours, self.bare)
        )
        return [
            Row(work, rate, least, rates, least=True),
            Row(f"{work}: CPU, service + PostgreSQL", cpu, most, f"{costs} µs"),
        ]


def _rate(cost: Cost) -> float:
    return cost.rate


def _cpu(cost: Cost) -> float:
    return cost.service + cost.database


def _median(costs: list[Cost], of: Callable[[Cost], float]) -> float:
    return median(map(of, costs))


async def rows() -> list[Row]:
    """Measure everything over HTTP, with a separate database."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        embedded = EmbeddedServer(Path(folder) / "data")
        dsn = await embedded.start()
        server = await asyncio.to_thread(Server(dsn, script=True).start)
        try:
            bench = Bench(server, dsn, postmaster(Path(folder) / "data"))
            return await bench.run()
        finally:
            await asyncio.to_thread(server.stop)
            await embedded.stop()


class Bench:
    """A running service and the bare handlers."""

    def __init__(self, server: Server, dsn: str, postgres: int) -> None:
        self.server, self.dsn, self.postgres = server, dsn, postgres
        assert server.process is not None
        self.pid = server.process.pid

    async def run(self) -> list[Row]:
        await self.prepared()
        try:
            attacks, boards, stock = await self._measured()
            table = await self._table()
            undo = await self._undo()
        finally:
            self.bare.terminate()
            self.stock.terminate()
        return [
            *attacks.rows("attack / bare insert of the same events", 0.8, 1.0),
            Row(
                "the same with the read models that follow: CPU",
                attacks.ratio(lambda cost: cost.after),
                None,
                f"{_median(attacks.ours, lambda cost: cost.after):.0f}"
                f" / {_median(attacks.bare, lambda cost: cost.after):.0f} µs",
            ),
            stock,
            *boards.rows("GET board / the same bytes from memory", 1.3, 1.0),
            *table.rows(
                "a GM and seven players: command and 8 boards / bare insert and 8 GET", 0.8, 1.0
            ),
            undo,
        ]

    async def prepared(self) -> None:
        """Open the fights, and start the bare handlers with the stored events of an attack."""
        self.fights = [
            await asyncio.gather(
                *(asyncio.to_thread(Fight, self.server.url) for _ in range(FIGHTS))
            )
            for _ in range(CLIENTS)
        ]
        self.clients = await Clients.open(self.server.port, CLIENTS)
        # the bare handler will insert these events
        _, answers = await self.clients.send(self.attacks())
        await self.end_turns(answers)
        await self._bare()

    async def _bare(self) -> None:
        port = free_port()
        command = [sys.executable, "-m", "tests.bench.bare", self.dsn, str(port)]
        self.bare = subprocess.Popen(command, stdin=subprocess.PIPE)
        fight = self.fights[0][0]
        board = await asyncio.to_thread(httpx.get, fight.url + fight.path, headers=fight.headers)
        assert self.bare.stdin is not None
        self.bare.stdin.write(board.content)
        self.bare.stdin.close()
        for _ in range(400):
            try:
                httpx.get(f"http://127.0.0.1:{port}/board")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.05)
        self.bare_port = port
        self.bare_clients = await Clients.open(port, CLIENTS)

    async def _stock(self) -> list[list[bytes]]:
        """Start the stock application, and return an attack for each of its fights."""
        port = free_port()
        command = [sys.executable, "-m", "tests.bench.stock", self.dsn, str(port)]
        self.stock = subprocess.Popen(command)
        url = f"http://127.0.0.1:{port}/fights"
        for _ in range(400):
            try:
                await asyncio.to_thread(httpx.post, url)
                break
            except httpx.TransportError:
                await asyncio.sleep(0.05)
        self.stock_clients = await Clients.open(port, CLIENTS)
        body = b'{"attacker": "Ana0", "target": "Imp0"}'
        with httpx.Client() as client:
            ids = [client.post(url).json()["id"] for _ in range(CLIENTS * FIGHTS)]
        sent = [Wire.request("POST", f"/fights/{id}/attacks", {}, body) for id in ids]
        return [sent[n::CLIENTS] for n in range(CLIENTS)]

    async def _measured(self) -> tuple[Pairs, Pairs, Row]:
        attacks, boards = Pairs(), Pairs()
        stock: list[Cost] = []
        strikes = await self._stock()
        read = Wire.request("GET", "/board", {}, b"")
        for _ in range(PAIRS):
            requests = self.attacks()
            bare = [[bare_command(command) for command in request] for request in requests]
            boards_ = [[fight.board() for fight in fights] for fights in self.fights]
            cost, answers = await self.window([self.pid], self.clients, requests)
            attacks.ours.append(cost)
            cost, _ = await self.window([self.bare.pid], self.bare_clients, bare)
            attacks.bare.append(cost)
            cost, _ = await self.window([self.stock.pid], self.stock_clients, strikes)
            stock.append(cost)
            await self.end_turns(answers)
            await self.clients.send(boards_)  # the first read makes the board
            gets = [board * 3 for board in boards_]
            cost, _ = await self.window([self.pid], self.clients, gets)
            boards.ours.append(cost)
            bytes_ = [[read] * len(get) for get in gets]
            cost, _ = await self.window([self.bare.pid], self.bare_clients, bytes_)
            boards.bare.append(cost)
        pairs = zip(attacks.ours, stock, strict=True)
        ratio = median(_cpu(theirs) / _cpu(ours) for ours, theirs in pairs)
        costs = f"{_median(attacks.ours, _cpu):.0f} / {_median(stock, _cpu):.0f} µs"
        work = "attacks per CPU second / of a stock eventsourcing application"
        return attacks, boards, Row(work, ratio, 3.0, costs, least=True)

    async def window(
        self, pids: Sequence[int], clients: Clients, requests: list[list[bytes]]
    ) -> tuple[Cost, list[Answers]]:
        """Send requests. Return their cost to `pids` and PostgreSQL, and the answers."""
        everybody = with_children(self.postgres)
        before = cpu_s(pids), cpu_s(everybody)
        seconds, answers = await clients.send(requests)
        after = cpu_s(pids), cpu_s(everybody)
        await self.quiet()
        at_last = cpu_s([*pids, *everybody])
        done = _done(answers)
        micro = 1e6 / done
        cost = Cost(
            done / seconds,
            (after[0] - before[0]) * micro,
            (after[1] - before[1]) * micro,
            (at_last - sum(before)) * micro,
        )
        return cost, answers

    async def quiet(self) -> None:
        """Wait until all events have a position, and the read models are up to date."""
        connection = await asyncpg.connect(self.dsn)
        try:
            while await connection.fetchval("SELECT count(*) FROM unplaced"):
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
        finally:
            await connection.close()

    def attacks(self) -> list[list[bytes]]:
        """Return one attack in each fight."""
        return [[fight.attack() for fight in fights] for fights in self.fights]

    async def end_turns(self, attacks: list[Answers]) -> None:
        """End everybody's turn. Open a new fight if a combatant was killed."""
        attacked = [request for attack in attacks for request in attack]
        turns = [[fight.end_turn() for fight in fights] for fights in self.fights]
        _, answers = await self.clients.send(turns)
        for fights, answer in zip(self.fights, answers, strict=True):
            for number, (status, body) in enumerate(answer):
                if not _has_ended(attacked.pop(0)) and status == 200:
                    fights[number].take_turns(body)
                else:
                    fights[number] = await asyncio.to_thread(Fight, self.server.url)
        await self.quiet()

    async def _table(self) -> Pairs:
        """Measure tables of a GM and seven players, who all read the board after each command."""
        fights = [
            await asyncio.to_thread(Fight, self.server.url, PLAYERS, PLAYERS) for _ in range(TABLES)
        ]
        readers = [[fight.headers, *await asyncio.to_thread(fight.players)] for fight in fights]
        wires = await Clients.open(self.server.port, TABLES * (PLAYERS + 1))
        bare = await Clients.open(self.bare_port, TABLES * (PLAYERS + 1))
        read = Wire.request("GET", "/board", {}, b"")
        pairs = Pairs()
        for _ in range(PAIRS * 2):
            ours: list[Round] = []
            theirs: list[Round] = []
            for fight, headers in zip(fights, readers, strict=True):
                command = fight.attack()
                ours.append((command, [fight.board(header) for header in headers]))
                theirs.append((bare_command(command), [read] * len(headers)))
            pairs.ours.append(await self._rounds(self.pid, wires, ours))
            pairs.bare.append(await self._rounds(self.bare.pid, bare, theirs))
            for number, fight in enumerate(fights):
                status, body = await wires.wires[number].send(fight.end_turn())
                fight.take_turns(body if status == 200 else await asyncio.to_thread(fight.prompts))
        wires.close()
        bare.close()
        return pairs

    async def _rounds(self, pid: int, clients: Clients, rounds: "list[Round]") -> Cost:
        await clients.connect()
        everybody = with_children(self.postgres)
        before = cpu_s([pid]), cpu_s(everybody)
        began = time.perf_counter()
        size = PLAYERS + 1
        await asyncio.gather(
            *(
                _round(clients.wires[number * size : (number + 1) * size], requests)
                for number, requests in enumerate(rounds)
            )
        )
        seconds = time.perf_counter() - began
        micro = 1e6 / len(rounds)
        service, database = cpu_s([pid]) - before[0], cpu_s(everybody) - before[1]
        await self.quiet()
        return Cost(len(rounds) / seconds, service * micro, database * micro)

    async def _undo(self) -> Row:
        """Measure an undo against the attack that it undoes, with one client."""
        fight = await asyncio.to_thread(Fight, self.server.url)
        wire = await Wire.open(self.server.port)
        attacks: list[float] = []
        undos: list[float] = []
        for _ in range(200):
            for times, request in ((attacks, fight.attack()), (undos, fight.post("undo", {}))):
                began = time.perf_counter()
                await wire.send(request)
                times.append((time.perf_counter() - began) * 1000)
        wire.close()
        undo, attack = median(undos), median(attacks)
        ratio = median(a / b for a, b in zip(undos, attacks, strict=True))
        return Row("undo / attack, one client", ratio, 1.0, f"{undo:.2f} / {attack:.2f} ms")


Round = tuple[bytes, list[bytes]]
"""A command, and the reads after it."""


async def _round(wires: Sequence[Wire], round: Round) -> None:
    command, reads = round
    status, body = await wires[0].send(command)
    assert status in (200, 409), body
    answers = await asyncio.gather(
        *(wire.send(request) for wire, request in zip(wires, reads, strict=True))
    )
    assert all(status == 200 for status, _ in answers)


def bare_command(request: bytes) -> bytes:
    """Return the same body as a request to the bare handler."""
    path = request[5 : request.index(b" ", 5)]
    return request.replace(path, b"/commands", 1)


def _has_ended(answer: tuple[int, bytes]) -> bool:
    """Return true if no attack can follow: this one was refused, or it killed the target."""
    status, body = answer
    return status != 200 or b'"died"' in body


def _done(answers: list[Answers]) -> int:
    """Return the number of good answers. Fail if more than a few are refusals."""
    statuses = [status for answer in answers for status, _ in answer]
    good = statuses.count(200)
    assert good > 0.9 * len(statuses), set(statuses)
    return good
