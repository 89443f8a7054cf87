"""Measure commands at two replicas, if each combat stays at one replica or alternates.

A window of bare inserts follows each measured window.
"""

import asyncio
import tempfile
from pathlib import Path
from statistics import median

from service.embedded import EmbeddedServer
from tests.bench.http import CLIENTS, Bench, Cost, Pairs, bare_command
from tests.bench.load import Clients, Wire
from tests.bench.meter import postmaster
from tests.bench.row import Row
from tests.server import Server

ROUNDS = 6


async def rows() -> list[Row]:
    """Measure with a separate database."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        embedded = EmbeddedServer(Path(folder) / "data")
        dsn = await embedded.start()
        servers = [Server(dsn, script=True), Server(dsn, script=True)]
        try:
            for server in servers:
                await asyncio.to_thread(server.start)
            bench = Bench(servers[0], dsn, postmaster(Path(folder) / "data"))
            await bench.prepared()
            try:
                return await _rows(bench, servers)
            finally:
                bench.bare.terminate()
        finally:
            for server in servers:
                await asyncio.to_thread(server.stop)
            await embedded.stop()


async def _rows(bench: Bench, servers: list[Server]) -> list[Row]:
    pids = [server.process.pid for server in servers if server.process is not None]
    ports = [server.port for server in servers]
    here = Clients([await Wire.open(ports[n % 2]) for n in range(CLIENTS)])
    there = Clients([await Wire.open(ports[(n + 1) % 2]) for n in range(CLIENTS)])
    affine, crossing = Pairs(), Pairs()
    reads: list[tuple[Cost, Cost]] = []
    for _ in range(ROUNDS):
        for clients, pairs in ((here, None), (here, affine), (there, crossing)):
            bench.clients = clients
            requests = bench.attacks()
            cost, answers = await bench.window(pids, clients, requests)
            if pairs is not None:
                pairs.ours.append(cost)
                bare = [[bare_command(command) for command in request] for request in requests]
                cost, _ = await bench.window([bench.bare.pid], bench.bare_clients, bare)
                pairs.bare.append(cost)
            if pairs is affine:
                boards = [[fight.board() for fight in fights] for fights in bench.fights]
                far, _ = await bench.window(pids, there, boards)
                await here.send(boards)
                near, _ = await bench.window(pids, here, boards)
                reads.append((far, near))
            await bench.end_turns(answers)
    ratio = median((a.service + a.database) / (b.service + b.database) for a, b in reads)
    costs = " / ".join(
        f"{median(read[at].service for read in reads):.0f}"
        f" + {median(read[at].database for read in reads):.0f}"
        for at in (0, 1)
    )
    return [
        *affine.rows("attack, two replicas with affinity / bare insert", 1.0, 1.0),
        *crossing.rows("attack, each at another replica than the last / bare insert", None, None),
        Row("GET board after a command elsewhere / ready: CPU", ratio, None, f"{costs} µs"),
    ]
