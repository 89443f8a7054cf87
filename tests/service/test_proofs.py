"""Test that no acknowledged note is lost by kills, a bad network or changing replicas.

`make soak` runs the long form.
"""

import asyncio
import json
import os
import signal
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median

import asyncpg
import httpx
import pytest

from tests.commands import Process, start
from tests.server import Server, free_port, started
from tests.service.proxy import Proxy
from tests.service.test_embedded import pid_of
from tests.service.writers import Table, crowd, linearizable, table

SIZE = float(os.environ.get("AFFRAY_SOAK", 0))
"""Size of the run: 1 for the long run, 0.1 for a tenth, 0 for `make test`."""


def sized(short: int, long: int) -> int:
    """Return a number from `short` to `long` that grows with the size of the run."""
    return max(short, round(long * SIZE))


def recorded(name: str, folder: Path) -> Path:
    """Return the path for a run's history. A long run leaves it in `build/histories`."""
    return (Path("build") / "histories" if SIZE else folder) / f"{name}.jsonl"


STOPPED_S = 15.0  # docs/running.md
PATIENT = httpx.Timeout(40, pool=200)


def told(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Print the measurements of a long run."""
    if SIZE:
        with capsys.disabled():
            print(f"\n{line}")


async def test_a_network_that_loses_what_it_likes(
    dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = sized(200, 10_000)
    proxy = Proxy(dsn, rate=0.02, seed=5)
    server = Server(await proxy.start())
    rate, proxy.rate = proxy.rate, 0.0
    await asyncio.to_thread(server.start)
    proxy.rate = rate
    began = time.monotonic()
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            tables = [await table(server.url, http) for _ in range(4)]
            await crowd(tables, lambda: server.url, http, 8, notes, Random(1))
            proxy.rate = 0
            for fight in tables:
                await fight.check(server.url, http)
    finally:
        await asyncio.to_thread(server.stop)
        await proxy.stop()
    assert sum(proxy.faults.values()) > notes / 100
    answers = sum((table.answers for table in tables), Counter())
    seconds = time.monotonic() - began
    whole = linearizable(tables, recorded("network", tmp_path))
    told(
        f"network: {notes} notes in {seconds:.0f} s, {dict(proxy.faults)}, {dict(answers)}\n"
        f"{whole}",
        capsys,
    )


async def test_replicas_race_for_one_combat(
    dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attempts = sized(300, 20_000)
    servers = await started(*[Server(dsn) for _ in range(3)])
    counts: Counter[int] = Counter()
    began = time.monotonic()
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            at = await table(servers[0].url, http)

            async def client(number: int) -> None:
                url = servers[number % 3].url
                tag = ""
                for note in range(attempts // 24):
                    text = f"{number}.{note}"
                    expected = tag if note % 2 else ""
                    headers = {**at.headers, **({"If-Match": expected} if expected else {})}
                    before = at.newest
                    call = at.history.append(str(number), at.path, text, version_in(expected))
                    answer = await http.post(
                        f"{url}{at.path}/notes", json={"text": text}, headers=headers
                    )
                    counts[answer.status_code] += 1
                    tag = answer.headers.get("etag", "")
                    if answer.status_code == 201:
                        version = answer.json()["version"]
                        assert version > before, "older than what was answered before"
                        call.end("stored", version)
                        at.acknowledged[text] = version
                        at.newest = max(at.newest, version)
                    else:
                        assert answer.status_code in (412, 409), answer.text
                        call.end("stale" if answer.status_code == 412 else "denied")
                        reading = at.history.read(str(number), at.path)
                        board = await http.get(f"{url}{at.path}", headers=at.headers)
                        tag = board.headers["etag"]
                        reading.end("read", board.json()["version"])

            await asyncio.gather(*(client(number) for number in range(24)))
            seconds = time.monotonic() - began
            await at.check(servers[1].url, http)
            assert len(at.acknowledged) == counts[201]
    finally:
        for server in servers:
            await asyncio.to_thread(server.stop)
    whole = linearizable([at], recorded("race", tmp_path))
    told(f"race: {dict(counts)} in {seconds:.0f} s\n{whole}", capsys)


def version_in(tag: str) -> int | None:
    """Return the version in an `ETag`."""
    return int(tag.strip('"')) if tag else None


async def test_replicas_that_come_and_go_while_connections_are_cut(
    dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = sized(2, 40)
    random = Random(3)
    servers = await started(*[Server(dsn) for _ in range(2)])
    cutter = await asyncpg.connect(dsn)
    reads: Counter[int] = Counter()
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            at = await table(servers[0].url, http)
            for number in range(rounds):
                await cut(cutter)
                if random.random() < 0.5:
                    fresh = await asyncio.to_thread(Server(dsn).start)
                    gone = servers.pop(random.randrange(len(servers)))
                    await asyncio.to_thread(gone.kill)
                    servers.append(fresh)
                await revoked_everywhere(at, servers, http, reads)
                await crowd(
                    [at],
                    lambda: random.choice(servers).url,
                    http,
                    4,
                    40,
                    Random(number),
                    prefix=f"{number}.",
                )
            await at.check(servers[0].url, http)
    finally:
        await cutter.close()
        for server in servers:
            await asyncio.to_thread(server.stop)
    whole = linearizable([at], recorded("come-and-go", tmp_path))
    told(
        f"replicas: {rounds} rounds, {dict(at.answers)}, revoked tokens {dict(reads)}\n{whole}",
        capsys,
    )


async def cut(connection: asyncpg.Connection) -> None:
    """End all other connections to the database."""
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


async def revoked_everywhere(
    at: Table, servers: list[Server], http: httpx.AsyncClient, reads: Counter[int]
) -> None:
    """Check that all replicas refuse a token as soon as one has revoked it."""
    issued = None
    while issued is None or issued.status_code == 503:
        issued = await http.post(
            f"{servers[0].url}{at.path}/tokens",
            json={"role": "spectator"},
            headers={**at.headers, "Idempotency-Key": f"spectator {time.monotonic()}"},
        )
    spectator = {"Authorization": f"Bearer {issued.json()['token']}"}
    for server in servers:
        await http.get(f"{server.url}{at.path}", headers=spectator)
    gone = None
    while gone is None or gone.status_code == 503:
        gone = await http.delete(
            f"{servers[-1].url}{at.path}/tokens/{issued.json()['id']}", headers=at.headers
        )
    for server in servers:
        answer = await http.get(f"{server.url}{at.path}", headers=spectator)
        reads[answer.status_code] += 1
        assert answer.status_code in (401, 503), answer.text


async def test_sigterm_in_a_stream_of_commands(
    dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stops = sized(2, 100)
    server = Server(dsn, log=tmp_path / "log")
    await asyncio.to_thread(server.start)
    seconds: list[float] = []
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            at = await table(server.url, http)
            for number in range(stops):
                heard: asyncio.Queue[str] = asyncio.Queue()
                listening = [
                    asyncio.create_task(listen(at, server.url, http, heard)) for _ in range(4)
                ]
                for _ in listening:
                    await heard.get()
                writing = asyncio.create_task(
                    crowd([at], lambda: server.url, http, 8, 80, Random(number), f"{number}.")
                )
                await asyncio.sleep(0.1 + 0.1 * (number % 4))
                began = time.monotonic()
                await asyncio.to_thread(server.stop)
                seconds.append(time.monotonic() - began)
                assert server.process is not None
                assert server.process.returncode == 0
                assert set(await asyncio.gather(*listening)) == {"stopping"}
                await asyncio.to_thread(server.start)
                await writing
            await at.check(server.url, http)
    finally:
        await asyncio.to_thread(server.stop)
    assert max(seconds) < STOPPED_S
    assert server.log is not None
    assert server.log.read_text() == ""
    whole = linearizable([at], recorded("sigterm", tmp_path))
    told(
        f"sigterm: {stops} stops, {median(seconds):.2f} s in the median, {max(seconds):.2f} s at"
        f" most, {len(at.acknowledged)} notes, {dict(at.answers)}\n{whole}",
        capsys,
    )


async def listen(at: Table, url: str, http: httpx.AsyncClient, heard: "asyncio.Queue[str]") -> str:
    """Follow the fight, and return the reason of the last message."""
    last = ""
    async with http.stream("GET", f"{url}{at.path}/stream", headers=at.headers) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                last = line.removeprefix("data: ")
                heard.put_nowait(last)
    return str(json.loads(last)["reason"])


def serving(data: Path, port: int) -> Process:
    """Start `affray serve` with its embedded PostgreSQL, without waiting for it."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"AFFRAY_DATA_DIR": str(data), "AFFRAY_PORT": str(port)}
    return start("serve", env=environment)


async def ready(url: str, http: httpx.AsyncClient) -> float:
    """Return the seconds until the service is ready."""
    began = time.monotonic()
    while time.monotonic() - began < 60:
        try:
            if (await http.get(f"{url}/health/ready")).status_code == 200:
                return time.monotonic() - began
        except httpx.HTTPError:
            pass
        await asyncio.sleep(0.02)
    raise AssertionError("the service does not come back")


async def test_kills_of_the_service_and_of_its_database(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = sized(2, 50)
    port = free_port()
    url, data = f"http://127.0.0.1:{port}", folder / "postgresql"
    process = serving(folder, port)
    waits: dict[str, list[float]] = {"service": [], "database": []}
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            await ready(url, http)
            at = await table(url, http)
            for number in range(kills):
                writing = asyncio.create_task(
                    crowd([at], lambda: url, http, 8, 160, Random(number), prefix=f"{number}.")
                )
                await asyncio.sleep(0.2 + 0.2 * (number % 3))
                which = ("service", "database")[number % 2]
                if which == "service":
                    process.kill()
                    process.wait()
                    process = serving(folder, port)
                else:
                    os.kill(pid_of(data), signal.SIGKILL)
                waits[which].append(await ready(url, http))
                await writing
            await at.check(url, http)
    finally:
        process.terminate()
        process.wait(20)
    figures = {which: f"{median(seconds):.2f} s" for which, seconds in waits.items()}
    whole = linearizable([at], recorded("kills", tmp_path))
    told(f"kills: {kills}, {len(at.acknowledged)} notes, ready after {figures},"
         f" {dict(at.answers)}\n{whole}", capsys)  # fmt: skip
