"""Test the embedded PostgreSQL with wrong pid files, a shared directory and kills."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from eventsourcing.persistence import StoredEvent

from service.embedded import EmbeddedServer, plan
from service.settings import BadSetting
from service.store.log import Store
from service.store.port import PATIENCE_S
from service.store.rows import Append, FirstAnswer, OutcomeUnknown, Unavailable
from tests.commands import Process, start
from tests.forms import forms
from tests.server import free_port

JOIN = """
import asyncio, sys
from pathlib import Path
from service.embedded import EmbeddedServer

async def main():
    server = EmbeddedServer(Path(sys.argv[1]))
    print(await server.start(), flush=True)
    sys.stdin.read()
    await server.stop()

asyncio.run(main())
"""
"""A program that uses the server of a directory until its input ends."""


def pid_of(data: Path) -> int:
    """Return the number in a directory's pid file."""
    return int((data / "postmaster.pid").read_text().split("\n", 1)[0])


async def test_the_postgresql_of_another_directory_fools_nobody_and_lives(folder: Path) -> None:
    other, ours = EmbeddedServer(folder / "other"), EmbeddedServer(folder / "ours")
    others = await other.start()
    await ours.start()
    await ours.stop()
    # After a crash, another PostgreSQL may have the process id in the pid file.
    data = folder / "ours"
    lines = [str(pid_of(folder / "other")), str(data), "0", "5432", str(data), "", "", "ready"]
    (data / "postmaster.pid").write_text("\n".join(lines) + "\n")
    again = EmbeddedServer(data)
    connection = await asyncpg.connect(await asyncio.wait_for(again.start(), 20))
    assert await connection.fetchval("SHOW data_directory") == str(data)
    await connection.close()
    await again.stop()
    connection = await asyncpg.connect(others)
    assert await connection.fetchval("SHOW data_directory") == str(folder / "other")
    await connection.close()
    await other.stop()


async def test_the_settings_that_durability_rests_on(folder: Path) -> None:
    server = EmbeddedServer(folder / "data")
    connection = await asyncpg.connect(await server.start())
    settings = {
        name: await connection.fetchval(f"SHOW {name}")
        for name in ("fsync", "synchronous_commit", "max_wal_size", "log_min_error_statement")
    }
    await connection.close()
    await server.stop()
    assert settings == {
        "fsync": "on",
        "synchronous_commit": "on",
        "max_wal_size": "256MB",
        "log_min_error_statement": "panic",
    }


async def test_processes_share_a_directory_and_the_last_one_stops_it(folder: Path) -> None:
    def join() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", JOIN, str(folder / "data")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    async def told(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return (await asyncio.to_thread(process.stdout.readline)).strip()

    first = join()
    dsn = await told(first)
    second = join()
    assert await told(second) == dsn
    await asyncio.to_thread(first.communicate)
    connection = await asyncpg.connect(dsn)  # the second service still uses PostgreSQL
    assert await connection.fetchval("SELECT 1") == 1
    await connection.close()
    await asyncio.to_thread(second.communicate)
    with pytest.raises(OSError):  # noqa: PT011 - refused, or no socket at all
        await asyncpg.connect(dsn, timeout=5)


def processes_of(folder: Path) -> list[int]:
    """Return the processes of this folder: service, guardian, initdb and servers."""
    ids = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if os.fsencode(folder) in (process / "cmdline").read_bytes():
                ids.append(int(process.name))
    return ids


def first_start(data: Path, seconds: float | None = None) -> bool:
    """Start a service and kill all its processes after `seconds`. Return true if it served."""
    process = subprocess.Popen(
        [sys.executable, "-c", JOIN, str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    if seconds is None:
        said = process.communicate("")[0]
        return said.startswith("postgresql://")
    time.sleep(seconds)
    for _ in range(3):  # a process may start another before its end
        for pid in processes_of(data):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    process.communicate()
    return False


@pytest.mark.sampled(0)
@pytest.mark.skipif(sys.platform != "linux", reason="the processes are found in /proc")
@forms("parts", (2, 6), long=[range(1, 8)])
def test_a_first_start_that_is_killed_at_any_moment_leaves_a_folder_that_starts(
    folder: Path, parts: Iterable[int]
) -> None:
    began = time.monotonic()
    assert first_start(folder / "whole")
    whole = time.monotonic() - began
    for part in parts:
        data = folder / f"part-{part}"
        first_start(data, whole * part / 9)
        assert first_start(data), f"killed after {part}/9 of {whole:.1f} s"
        assert not list(folder.glob(f"part-{part}.new-*"))


async def test_sigkill_of_the_database_under_load_loses_nothing_acknowledged(folder: Path) -> None:
    server = EmbeddedServer(folder / "data")
    store = await Store.open(await server.start())
    acknowledged: set[UUID] = set()
    going = True

    async def write() -> None:
        while going:
            combat, command = uuid4(), uuid4()
            events = [StoredEvent(combat, version, "t:1", b"{}") for version in (1, 2, 3)]
            answer = FirstAnswer("gm", "key", b"print", 200, "3", b"body")
            try:
                await store.append(Append(combat, command, events, None, uuid4(), "h", answer))
            except (Unavailable, OutcomeUnknown):
                await asyncio.sleep(0.02)  # errors that an outage may cause
            else:
                acknowledged.add(combat)

    writers = [asyncio.create_task(write()) for _ in range(8)]
    counts = []
    for _ in range(3):
        await asyncio.sleep(0.5)
        os.kill(pid_of(folder / "data"), signal.SIGKILL)
        await server.start()
        counts.append(len(acknowledged))
    await asyncio.sleep(0.3)
    going = False
    await asyncio.gather(*writers)
    assert 0 < counts[0] < counts[1] < counts[2] < len(acknowledged)  # writes after each kill
    rows = await store.pool.fetch(
        "SELECT originator_id, count(*) AS events,"
        " (SELECT count(*) FROM idempotency WHERE combat_id = originator_id) AS answers"
        " FROM stored_events GROUP BY originator_id"
    )
    assert {tuple(row)[1:] for row in rows} == {(3, 1)}  # each command has all events
    assert acknowledged <= {row["originator_id"] for row in rows}
    await store.close()
    await server.stop()


def serving(data: Path, port: int) -> Process:
    """Run `affray serve` on a data directory, and return when it answers. `data` has its log."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
        "AFFRAY_DATA_DIR": str(data),
        "AFFRAY_PORT": str(port),
    }
    data.mkdir(exist_ok=True)
    with (data / "log").open("ab") as log:
        process = start("serve", env=environment, stdout=subprocess.PIPE, stderr=log)
    assert process.stdout is not None
    said = process.stdout.readline().decode()
    assert said.startswith(f"Affray on http://127.0.0.1:{port} with data in")
    return process


def stopped_within(pid: int, seconds: float) -> bool:
    """Return true if a process ends in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.05)
    return False


def answered_within(url: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if httpx.get(url).status_code == 200:
            return True
        time.sleep(0.05)
    return False


def test_the_service_has_its_database_back_and_takes_it_along(folder: Path) -> None:
    port = free_port()
    process = serving(folder, port)
    ready, data = f"http://127.0.0.1:{port}/health/ready", folder / "postgresql"
    assert httpx.get(ready).status_code == 200
    os.kill(pid_of(data), signal.SIGKILL)
    assert answered_within(ready, 20)
    database = pid_of(data)
    process.kill()  # no goodbye
    process.wait()
    assert stopped_within(database, 10)
    process = serving(folder, port)
    assert answered_within(ready, 20)
    database = pid_of(data)
    process.terminate()
    assert process.wait(20) == 0
    assert stopped_within(database, 1)


FOLLOWERS = ("combats", "deadlines", "statistics")


@pytest.mark.sampled(0)
def test_a_frozen_database_gives_503_in_time_and_comes_back(folder: Path) -> None:
    port = free_port()
    process = serving(folder, port)
    base, data = f"http://127.0.0.1:{port}", folder / "postgresql"
    body = {"ruleset": "free-hit", "combatants": []}
    opened = httpx.post(f"{base}/v1/combats", json=body).json()
    headers = {"Authorization": f"Bearer {opened['token']}"}
    url = f"{base}/v1/combats/{opened['combat']}"
    family = [pid_of(data), *children_of(pid_of(data))]

    def said(name: str) -> int:
        return (folder / "log").read_text().count(f"the read model {name} waits for the database")

    for pid in family:
        os.kill(pid, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(20) as threads:
            began = time.monotonic()
            requests = [
                threads.submit(httpx.get, url, headers=headers, timeout=30) for _ in range(10)
            ] + [
                threads.submit(
                    httpx.post, f"{url}/notes", json={"text": "x"}, headers=headers, timeout=30
                )
                for _ in range(4)
            ]
            assert {future.result().status_code for future in requests} == {503}
            assert time.monotonic() - began < 3 * PATIENCE_S + 3
        while not all(said(name) for name in FOLLOWERS):  # idle connections notice late
            assert time.monotonic() - began < 120
            time.sleep(0.1)
    finally:
        for pid in family:
            os.kill(pid, signal.SIGCONT)
    assert answered_within(f"{base}/health/ready", 10)
    assert httpx.get(url, headers=headers, timeout=30).status_code == 200
    process.terminate()
    assert process.wait(20) == 0
    assert {said(name) for name in FOLLOWERS} == {1}  # one line for many failed waits


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(part) for part in text.split()]


@pytest.mark.skipif(os.geteuid() != 0, reason="about running as root")
def test_as_root_nothing_of_the_user_s_is_changed(folder: Path) -> None:
    closed = folder / "home"
    closed.mkdir(mode=0o700)
    users = Path("/etc/passwd").read_bytes()
    with pytest.raises(BadSetting, match="may not enter"):
        plan(closed / "affray")
    assert closed.stat().st_mode & 0o777 == 0o700
    before = {above: above.stat().st_mode for above in (folder / "data").parents}
    made = plan(folder / "data")
    assert {above: above.stat().st_mode for above in before} == before
    assert made.user not in (None, 0)
    assert Path("/etc/passwd").read_bytes() == users


async def test_a_long_path(folder: Path) -> None:
    data = folder / ("x" * 120)
    server = EmbeddedServer(data)
    connection = await asyncpg.connect(await server.start())
    assert await connection.fetchval("SHOW data_directory") == str(data)
    await connection.close()
    await server.stop()
