"""Test failovers under load: the primary dies, freezes or loses its network.

Run it with `make soak SOAK=failover`. It needs root and Debian's packages (`.ci/failover-tools`).
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import httpx
import pytest

from tests.conftest import enterable
from tests.server import Server, started
from tests.service.cluster import Cluster, Node, missing
from tests.service.screens import Screen
from tests.service.test_listeners import Called, all_follow, ended, readers, sent
from tests.service.test_proofs import PATIENT, SIZE, recorded, sized, told
from tests.service.writers import Table, linearizable, table

WRITERS: Final = 8
TABLES: Final = 6
PAUSE_S: Final = 0.15
"""Seconds between two notes of a writer, because the machine also runs three databases."""

STEADY: Final = 30
"""Number of acknowledged notes after which the service counts as recovered."""

AFTER_S: Final = 5.0
"""Seconds before a lost machine returns, while the others continue."""


class Fault:
    """A fault of a node, and its repair.

    `aim` is the target for the median recovery time, in seconds.
    """

    name = ""
    aim = 20
    of_standby = False

    async def harm(self, cluster: Cluster, node: Node) -> None:
        raise NotImplementedError

    async def mend(self, cluster: Cluster, node: Node) -> None:
        """Do nothing, because the fault ends by itself."""


class PostgresqlKilled(Fault):
    name, aim = "PostgreSQL killed", 10

    async def harm(self, cluster: Cluster, node: Node) -> None:
        node.kill_postgresql()


class SwitchedOver(Fault):
    name, aim = "switchover", 10

    async def harm(self, cluster: Cluster, node: Node) -> None:
        await cluster.switch_over(node)


class MachineKilled(Fault):
    name = "machine killed"

    async def harm(self, cluster: Cluster, node: Node) -> None:
        node.kill()

    async def mend(self, cluster: Cluster, node: Node) -> None:
        node.start()


class MachineFrozen(Fault):
    name = "machine frozen"

    async def harm(self, cluster: Cluster, node: Node) -> None:
        node.signal(signal.SIGSTOP)

    async def mend(self, cluster: Cluster, node: Node) -> None:
        node.signal(signal.SIGCONT)


class PatroniKilled(Fault):
    name = "Patroni killed"

    async def harm(self, cluster: Cluster, node: Node) -> None:
        node.kill_patroni()

    async def mend(self, cluster: Cluster, node: Node) -> None:
        node.start()


class CutOff(Fault):
    name = "cut off from all"

    async def harm(self, cluster: Cluster, node: Node) -> None:
        node.plug(on=False)

    async def mend(self, cluster: Cluster, node: Node) -> None:
        node.plug(on=True)


class CutOffFromEtcd(Fault):
    name = "cut off from etcd"

    async def harm(self, cluster: Cluster, node: Node) -> None:
        node.route(cluster.store, on=False)

    async def mend(self, cluster: Cluster, node: Node) -> None:
        node.route(cluster.store, on=True)


class StandbyKilled(MachineKilled):
    name, aim = "synchronous standby killed", 10
    of_standby = True


FAULTS: Final = (
    PostgresqlKilled(),
    MachineFrozen(),
    SwitchedOver(),
    CutOff(),
    MachineKilled(),
    CutOffFromEtcd(),
    PatroniKilled(),
    StandbyKilled(),
)


class Writers:
    """Writers that write until stopped, and record the times of acknowledgements."""

    def __init__(
        self, tables: list[Table], where: Callable[[], str], http: httpx.AsyncClient
    ) -> None:
        self.tables, self.where, self.http = tables, where, http
        self.acknowledged: list[float] = []
        self._going = True
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._write(number)) for number in range(WRITERS)]
        self._tasks += [asyncio.create_task(self._read(at)) for at in self.tables]

    async def stop(self) -> None:
        """Let each writer finish its note."""
        self._going = False
        await asyncio.gather(*self._tasks)

    async def abandon(self) -> None:
        """Cancel all writers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _write(self, number: int) -> None:
        luck, note = Random(number), 0
        while self._going:
            at = luck.choice(self.tables)
            text, note = f"{number}.{note}", note + 1
            if await at.write(self.where, self.http, text, 10**6, yields=note % 3 == 0):
                self.acknowledged.append(time.monotonic())
            await asyncio.sleep(PAUSE_S)

    async def _read(self, at: Table) -> None:
        while self._going:
            await at.read(self.where(), self.http)
            await asyncio.sleep(PAUSE_S)

    async def steady(self) -> None:
        """Wait for more acknowledgements."""
        enough = len(self.acknowledged) + STEADY
        async with asyncio.timeout(120):
            while len(self.acknowledged) < enough:
                for task in self._tasks:
                    if task.done():
                        task.result()
                await asyncio.sleep(0.05)

    def longest(self, since: float) -> float:
        """Return the longest time without an acknowledgement."""
        times = [since, *(at for at in self.acknowledged if at > since)]
        return max(after - before for before, after in pairwise(times))


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    if not SIZE:
        pytest.skip("by make soak SOAK=failover alone")
    if reason := missing():
        pytest.skip(reason)
    with enterable() as folder:
        made = Cluster(folder)
        try:
            yield made
        finally:
            made.stop()
            for log in sorted(folder.glob("**/*log")):  # pytest shows it after a failure
                if log.is_file():
                    print(log, log.read_text()[-4000:], sep="\n")


@pytest.mark.timeout(7200)
async def test_failover_loses_nothing_and_doubles_nothing(
    cluster: Cluster,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AFFRAY_WEBHOOK_NETWORKS", "127.0.0.0/8")
    number = sized(3, 3 * len(FAULTS))
    luck = Random(13)
    await cluster.start()
    servers = await started(*[Server(cluster.dsn, log=tmp_path / f"log{n}") for n in range(2)])

    def anywhere() -> str:
        return luck.choice(servers).url

    pauses: dict[str, list[float]] = defaultdict(list)
    following: list[asyncio.Task[None]] = []
    hook = Called(luck)
    began = time.monotonic()
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            tables = [await table(anywhere(), http) for _ in range(TABLES)]
            watched = tables[0]
            tokens = await readers(http, anywhere(), watched)
            await hook.receiver.start()
            master = await http.get(f"{anywhere()}{watched.path}/tokens", headers=watched.headers)
            body = {
                "url": hook.receiver.url,
                "occasions": ["command"],
                "audience": master.json()["tokens"][0]["id"],
            }
            hook.version = (await sent(http, anywhere(), watched, "/webhooks", body))["version"]
            watched.begins(await version(http, anywhere(), watched))
            screens = [Screen(watched.path, token) for token in tokens.values()]
            following = [
                asyncio.create_task(screen.follow(anywhere, http, luck)) for screen in screens
            ]
            writers = Writers(tables, anywhere, http)
            writers.start()
            try:
                for round in range(number):
                    fault = FAULTS[round % len(FAULTS)]
                    pauses[fault.name].append(await suffered(fault, cluster, writers))
                    all_follow(following)
                    told(f"{round + 1} {fault.name}: {pauses[fault.name][-1]:.1f} s", capsys)
                await writers.stop()
            finally:
                await writers.abandon()
            for fight in tables:
                for server in servers:
                    await fight.check(server.url, http)
            for screen in screens:
                await screen.agrees(servers[0].url, http)
            await hook.has_all(await version(http, servers[0].url, watched))
            await ended(following)
        verified = await asyncio.to_thread(verify_all, cluster.dsn)
    finally:
        with suppress(Exception):
            await ended(following)
        for server in servers:
            await asyncio.to_thread(server.stop)
        await hook.receiver.stop()
        for server in servers:
            print(*said(server)[-60:], sep="\n")
    faults = [line for server in servers for line in said(server) if "fault in" in line]
    assert not faults
    answers = sum((fight.answers for fight in tables), Counter())
    refused = sum(len(fight.refused) for fight in tables)
    counts = sum((screen.counts for screen in screens), Counter())
    whole = (
        f"failover: {number} faults in {time.monotonic() - began:.0f} s, load"
        f" {os.getloadavg()[1]:.1f}, {len(writers.acknowledged)} notes acknowledged, none lost or"
        f" doubled; {refused} refused and not stored; {dict(answers)}; streams {dict(counts)},"
        f" {len(hook.receiver.taken)} calls; {verified}"
    )
    by_kind = [
        f"{fault.name}: median {median(pauses[fault.name]):.1f} s (aim {fault.aim} s), longest"
        f" {max(pauses[fault.name]):.1f} s, {len(pauses[fault.name])} times"
        for fault in FAULTS
        if pauses[fault.name]
    ]
    order = linearizable(tables, recorded("failover", tmp_path))
    told("\n".join([whole, order, *by_kind]), capsys)


async def suffered(fault: Fault, cluster: Cluster, writers: Writers) -> float:
    """Cause and repair a fault. Return the longest time without an acknowledgement."""
    primary, standby = await cluster.healthy()
    await writers.steady()
    node = standby if fault.of_standby else primary
    since = time.monotonic()
    await fault.harm(cluster, node)
    if not fault.of_standby:
        await cluster.led_by_another(primary)
    else:
        await asyncio.sleep(AFTER_S)
    await writers.steady()
    pause = writers.longest(since)
    await asyncio.sleep(AFTER_S)
    await fault.mend(cluster, node)
    return pause


async def version(http: httpx.AsyncClient, url: str, at: Table) -> int:
    board = await http.get(f"{url}{at.path}", headers=at.headers)
    number: int = board.json()["version"]
    return number


def verify_all(dsn: str) -> str:
    """Check every chain in place."""
    command = [str(Path(sys.executable).parent / "affray"), "verify", "--all"]
    done = subprocess.run(
        command, env={**os.environ, "DATABASE_URL": dsn}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr.strip().splitlines()[-1]


def said(server: Server) -> list[str]:
    return server.log.read_text().splitlines() if server.log is not None else []
