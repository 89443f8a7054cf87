"""Measure amendments of 2,000 later commands: time, memory, and the reads of another client.

The benchmark plays the fight in memory and imports it into a service. A dry run decides the
commands again. A commit decides and stores them. The cost of storing is the difference. Processor
times of the service include the reads of the other client.
"""

import asyncio
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final
from uuid import uuid4

import httpx

from domain.engine.amendment import Amendment
from domain.engine.caller import Caller, Context
from domain.engine.commands import GmRuling
from domain.errors import Refused
from domain.record.export import export
from domain.rulesets import installed
from service.conformance.walker import Walker
from service.embedded import EmbeddedServer
from tests.bench.meter import PROC, cpu_s, postmaster, with_children
from tests.bench.row import Row
from tests.domain.amending import OPTIONS, first_command, walk_of
from tests.server import Server
from tests.spec import GM, Spec
from tests.walks import FIGHTS

LATER: Final = 2_000
RULESETS: Final = ("definitions", "vile-darkness")
DECIDE_S: Final = 5
RUNS: Final = 3
READ_S: Final = 0.02
"""Seconds between two reads of the board."""

MS: Final = 100
"""Aim for the 99th percentile of the reads, in ms."""


def fought(ruleset: str, later: int = LATER) -> Spec:
    """Return a fight with `later` commands after the opening. The GM heals now and then."""
    spec = Spec(installed()[ruleset])
    spec.prove = lambda: None  # type: ignore[method-assign]
    plain, combat = spec.context, str(uuid4())

    def context(by: Caller = GM) -> Context:  # the service only accepts UUIDs
        return replace(plain(by), combat=combat, command=str(uuid4()))

    spec.context = context  # type: ignore[method-assign]
    spec.given(*FIGHTS[ruleset](), rulings="default", **OPTIONS.get(ruleset, {})).begin()
    walker = Walker(spec, Random(1), undo=0, ruling=0, interject=0.02, thorough=10**9)
    full = {combatant.id: dict(combatant.tracks) for combatant in spec.combat}
    while (missing := later - later_commands(spec)) > 0:
        for _ in range(missing):
            if spec.combat.status == "ended" or not walker.step():
                spec.undo("round")
                heal(spec, full)
            if walker.fired.commands % 12 == 0:
                heal(spec, full)
    return spec


def later_commands(spec: Spec) -> int:
    """Return the number of commands of the path after the opening."""
    history = spec.live.history
    first = first_command(spec.live)
    return sum(history.commands_within(max(a, first), b) for a, b in history.runs if b >= first)


def heal(spec: Spec, full: Any) -> None:
    """Set every pool to its value at the beginning."""
    fields = spec.ruleset.rulings["set-track"].inputs.__struct_fields__
    word = "who" if "who" in fields else "combatant"
    for who, tracks in full.items():
        for name, track in tracks.items():
            if who in spec.combat.combatants and spec[who].tracks[name].value != track.value:
                inputs = {word: who, "track": name, "value": track.value}
                try:
                    spec.do(GmRuling("set-track", inputs))
                except Refused:
                    continue


def decided_s(spec: Spec) -> tuple[float, int]:
    """Return the processor seconds of a dry run without a change, and its number of commands."""
    took, commands = [], 0
    for _ in range(RUNS):
        began = time.process_time()
        walk = walk_of(spec.live, Amendment(since=first_command(spec.live)))
        commands = sum(1 for _ in walk)
        took.append(time.process_time() - began)
    return median(took), commands


class Reader:
    """A client that reads the board continuously and records the time of each answer."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        self.url, self.headers = url, headers
        self.took: list[float] = []
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async with httpx.AsyncClient() as client:
            while True:
                began = time.perf_counter()
                (await client.get(self.url, headers=self.headers)).raise_for_status()
                self.took.append((time.perf_counter() - began) * 1000)
                await asyncio.sleep(READ_S)

    def done(self) -> tuple[float, float, float]:
        """Return the median, the 99th percentile and the maximum, in ms."""
        self._task.cancel()
        times = sorted(self.took)
        return median(times), times[len(times) * 99 // 100], times[-1]


async def rows(later: int = LATER) -> list[Row]:
    """Return every row. A separate service and database serve this part."""
    measured: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        embedded = EmbeddedServer(Path(folder) / "data")
        server = Server(await embedded.start(), script=True)
        try:
            await asyncio.to_thread(server.start)
            for ruleset in RULESETS:
                spec = await asyncio.to_thread(fought, ruleset, later)
                measured += await amended(spec, server, postmaster(Path(folder) / "data"))
        finally:
            await asyncio.to_thread(server.stop)
            await embedded.stop()
    return measured


async def amended(spec: Spec, server: Server, database: int) -> list[Row]:
    """Amend all of a fight over HTTP, first as a dry run."""
    assert server.process is not None
    pid = server.process.pid
    took, commands = await asyncio.to_thread(decided_s, spec)
    name = f"{commands:,} later commands, {spec.ruleset.id}"
    file = b"".join(export(spec.live.history.recorded))
    async with httpx.AsyncClient(base_url=server.url, timeout=300) as client:
        opened = await client.post(
            "/v1/combats/import", content=file, headers={"Content-Type": "application/x-ndjson"}
        )
        body = opened.raise_for_status().json()
        path, headers = f"/v1/combats/{body['combat']}", auth(body["token"])
        (await client.get(path, headers=headers)).raise_for_status()
        await quiet(pid)  # wait for the read models
        reader = Reader(server.url + path, headers)
        before, memory = cpu_s([pid]), resident_peak_kb(pid)
        amendment = {"since": first_command(spec.live), "reason": "measured"}
        answer = await client.post(f"{path}/amend", json=amendment, headers=headers)
        report = answer.raise_for_status().json()
        assert report["commands"] == commands, (report["commands"], commands)
        dry = cpu_s([pid]) - before
        middle, hundredth, slowest = reader.done()
        whole = {**amendment, "commit": True, "digest": report["digest"]}
        match = {**headers, "If-Match": f'"{report["version"]}"'}
        before, stored = cpu_s([pid]), cpu_s(with_children(database))
        began = time.perf_counter()
        (await client.post(f"{path}/amend", json=whole, headers=match)).raise_for_status()
        wall = time.perf_counter() - began
        commit, stored = cpu_s([pid]) - before, cpu_s(with_children(database)) - stored
        grown = (resident_peak_kb(pid) - memory) / 1024
    events = spec.live.version
    return [
        Row(f"deciding {name} / {DECIDE_S} s of CPU", took / DECIDE_S, 1, f"{took:.1f} s"),
        Row(f"the dry run of {name} over HTTP with its report / {DECIDE_S} s of CPU",
            dry / DECIDE_S, None, f"{dry:.1f} s"),
        Row(f"storing {name}: commit / dry run, CPU", commit / dry, None,
            f"{commit:.1f} + {stored:.1f} / {dry:.1f} s; {events:,} events, {wall:.1f} s in all"),
        Row(f"memory of {name} / 200 MB", grown / 200, 1, f"{grown:.0f} MB more at its peak"),
        Row(f"GET board meanwhile, the slowest hundredth / {MS} ms", hundredth / MS, 1,
            f"{middle:.0f}, {hundredth:.0f}, {slowest:.0f} ms: median, hundredth, slowest"),
    ]  # fmt: skip


async def quiet(pid: int) -> None:
    """Wait until a process is idle."""
    while True:
        before = cpu_s([pid])
        await asyncio.sleep(1)
        if cpu_s([pid]) - before < 0.05:
            return


def auth(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def resident_peak_kb(pid: int) -> float:
    """Return the peak resident memory of a process, in kB."""
    status = (PROC / str(pid) / "status").read_text()
    line = next(splitline for splitline in status.splitlines() if splitline.startswith("VmHWM:"))
    return float(line.split()[1])
