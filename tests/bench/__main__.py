"""The ratios of docs/performance.md, measured in one run: `make bench`.

Everything is compared with something measured beside it, on the same machine, in the same minute.
"""

import asyncio
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from domain.engine.caller import Caller
from domain.engine.live import Live
from domain.record.evolve import fold
from domain.record.recorded import decode, encode
from domain.rulesets.free_hit import RULESET
from projections.eyes import Eyes
from projections.timeline import Commands, Wanted, page
from service.embedded import EmbeddedServer
from tests.bench.load import Wire, rate
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.server import Server, free_port
from tests.spec import Spec

CLIENTS = 16
SECONDS = 4.0


def sheets() -> list[dict[str, Any]]:
    others = [foe(f"Imp{n}", weapons=[SWORD], max_hp=90_000, at=[n - 1, 1]) for n in range(3)]
    return [unit("Ana", agility=5, weapons=[SWORD], max_hp=90_000, at=[0, 0]), *others]


class Fight:
    """One client's fight: attack, end the turn, attack, …"""

    def __init__(self, url: str) -> None:
        body = {
            "ruleset": "free-hit",
            "options": {"rulings": "default"},
            "combatants": [{"sheet": one} for one in sheets()],
        }
        opened = httpx.post(f"{url}/v1/combats", json=body).json()
        self.path = f"/v1/combats/{opened['combat']}"
        self.headers = {"Authorization": f"Bearer {opened['token']}"}
        for who in ("Ana", "Imp0", "Imp1", "Imp2"):
            orders = {
                "orders": [
                    {"prompt": p, "option": "pass"} for p in ("free-hit", "free-critical-hit")
                ]
            }
            address = f"{url}{self.path}/combatants/{who}/standing-orders"
            httpx.put(address, json=orders, headers=self.headers)
        httpx.post(f"{url}{self.path}/begin", json={}, headers=self.headers)

    def action(self, who: str, action: str, **inputs: str) -> bytes:
        body = {"combatant": who, "action": action, "inputs": inputs}
        return Wire.request("POST", f"{self.path}/actions", self.headers, json.dumps(body).encode())

    def requests(self) -> list[bytes]:
        """One round: everybody attacks and ends its turn."""
        found = []
        for who in ("Ana", "Imp0", "Imp1", "Imp2"):
            target = "Imp0" if who == "Ana" else "Ana"
            found += [
                self.action(who, "attack", target=target),
                self.action(who, "end-turn"),
            ]
        return found


async def over_http(dsn: str) -> dict[str, Any]:
    """Commands, boards and undo against bare handlers."""
    server = await asyncio.to_thread(Server(dsn).start)
    port = free_port()
    bare = subprocess.Popen([sys.executable, "-m", "tests.bench.bare", dsn, str(port)])
    base = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            httpx.get(f"{base}/board")
            break
        except httpx.TransportError:
            await asyncio.sleep(0.05)
    try:
        return await measured(server, port)
    finally:
        bare.terminate()
        server.stop()


async def measured(server: Server, port: int) -> dict[str, Any]:
    """The rates, the median of three."""
    fights = [await asyncio.to_thread(Fight, server.url) for _ in range(CLIENTS)]
    body = (
        fights[0]
        .action("Ana", "attack", target="Imp0")
        .replace(fights[0].path.encode() + b"/actions", b"/commands")
    )
    results: dict[str, Any] = {"attack": [], "bare insert": [], "board": [], "bare bytes": []}
    get = [Wire.request("GET", one.path, one.headers, b"") for one in fights]
    for _ in range(3):
        fresh = [await asyncio.to_thread(Fight, server.url) for _ in range(CLIENTS)]
        plays = [one.requests() for one in fresh]
        results["attack"].append(
            await rate(server.port, plays, SECONDS, lambda: Fight(server.url).requests())
        )
        results["bare insert"].append(await rate(port, [[body]] * CLIENTS, SECONDS))
        results["board"].append(await rate(server.port, [[one] for one in get], SECONDS / 2))
        bytes_ = Wire.request("GET", "/board", {}, b"")
        results["bare bytes"].append(await rate(port, [[bytes_]] * CLIENTS, SECONDS / 2))
    undone = await asyncio.to_thread(Fight, server.url)
    attack = undone.requests()[0]
    undo = Wire.request("POST", f"{undone.path}/undo", undone.headers, b"{}")
    results["undo"] = await alternating(server.port, attack, undo)
    return {
        name: median(value) if isinstance(value, list) else value for name, value in results.items()
    }


async def alternating(port: int, attack: bytes, undo: bytes) -> tuple[float, float]:
    """Median milliseconds of an attack and of undoing it, one client."""
    wire = await Wire.open(port)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(300):
        for which, request in enumerate((attack, undo)):
            began = time.perf_counter()
            await wire.send(request)
            times[which].append((time.perf_counter() - began) * 1000)
    wire.close()
    return median(times[0]), median(times[1])


def fought(events: int) -> Spec:
    """A fight with at least this many events."""
    spec = Spec(RULESET)
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*sheets(), rulings="default").begin()
    while spec.live.version < events:
        who = spec.prompt().who or ""
        spec.act(who, "boost-hit").act(who, "boost-dodge").act(who, "end-turn")
    return spec


def clock(work: Callable[[], Any], times: int = 5) -> float:
    """Median seconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return median(found)


def in_memory() -> dict[str, float]:
    """Replay, cold load, a command at a long history."""
    long = fought(10_000)
    states = [encode(one) for one in long.live.history.recorded]
    half = states[:5000]
    replay = clock(lambda: fold(decode(one).event for one in states))
    load = clock(lambda: Live(RULESET, [decode(one) for one in half]))
    cold = clock(lambda: Live(RULESET, [decode(one) for one in states]).at(9_000))

    def command(spec: Spec) -> float:
        def one() -> None:
            who = spec.prompt().who or ""
            spec.act(who, "end-turn")

        return clock(one, 400)

    short = fought(10)

    def told(spec: Spec) -> float:
        eyes = Eyes(spec.live.history, Caller("gm", "gm"))
        index = Commands().refresh(spec.live)
        return clock(
            lambda: page(spec.live, eyes, index, Wanted(), newest_first=True, limit=20), 50
        )

    middle = fought(300)
    return {
        "replay events/s": len(states) / replay,
        "cold load of 5,000 events ms": load * 1000,
        "state at a version of 10,000, cold ms": cold * 1000,
        "timeline page at 300 events µs": told(middle) * 1e6,
        "timeline page at 10,000 events µs": told(long) * 1e6,
        "command at 10 events µs": command(short) * 1e6,
        "command at 10,000 events µs": command(long) * 1e6,
    }


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        embedded = EmbeddedServer(Path(folder) / "data")
        dsn = await embedded.start()
        http = await over_http(dsn)
        await embedded.stop()
    memory = in_memory()
    attack, undo = http["undo"]
    rows = [
        ("attack commands / bare insert handler", http["attack"] / http["bare insert"], "≥ 1.0",
         f"{http['attack']:.0f} / {http['bare insert']:.0f} per s"),
        ("GET board / same bytes from memory", http["board"] / http["bare bytes"], "≥ 0.8",
         f"{http['board']:.0f} / {http['bare bytes']:.0f} per s"),
        ("replay / 200,000 events per s", memory["replay events/s"] / 200_000, "≥ 1.0",
         f"{memory['replay events/s']:.0f} per s"),
        ("command at 10,000 events / at 10", memory["command at 10,000 events µs"]
         / memory["command at 10 events µs"], "≤ 1.1",
         "{:.0f} / {:.0f} µs".format(
            memory["command at 10,000 events µs"], memory["command at 10 events µs"])),
        ("cold load of 5,000 events / 50 ms", memory["cold load of 5,000 events ms"] / 50, "≤ 1.0",
         f"{memory['cold load of 5,000 events ms']:.0f} ms"),
        ("state at a version of 10,000 / 60 ms",
         memory["state at a version of 10,000, cold ms"] / 60, "≤ 1.0",
         f"{memory['state at a version of 10,000, cold ms']:.0f} ms"),
        ("timeline page at 10,000 events / at 300",
         memory["timeline page at 10,000 events µs"] / memory["timeline page at 300 events µs"],
         "≤ 1.1", "{:.0f} / {:.0f} µs".format(
            memory["timeline page at 10,000 events µs"],
            memory["timeline page at 300 events µs"])),
        ("undo / attack, one client", undo / attack, "≤ 1.0", f"{undo:.2f} / {attack:.2f} ms"),
    ]  # fmt: skip
    print(f"{platform.machine()}, Python {platform.python_version()}, {CLIENTS} clients\n")
    print(f"| {'work':42} | ratio | aim   | measured |\n|{'-' * 44}|-------|-------|----------|")
    for name, ratio, aim, measured in rows:
        print(f"| {name:42} | {ratio:5.2f} | {aim} | {measured} |")


asyncio.run(main())
