"""Test an earlier commit of the service and the current code on the same database.

Run it with `make soak SOAK=releases`. It needs the history of the repository.
"""

import asyncio
import subprocess
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.server import Server, free_port
from tests.service.test_proofs import PATIENT, SIZE, recorded, sized, told
from tests.service.writers import crowd, linearizable, table
from tests.upgrades.write import announce, serve

OLD = "bd9ca68"
ROOT = Path(__file__).parent.parent.parent


async def checked_out(folder: Path) -> None:
    """Write the earlier code into a folder, or skip the test."""
    archive = folder / "code.tar"
    command = ["git", "archive", f"--output={archive}", OLD]
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True)
    if done.returncode:
        pytest.skip(f"the commit {OLD} is not in this repository's history")
    command = ["tar", "-xf", str(archive), "-C", str(folder)]
    await asyncio.to_thread(subprocess.run, command, check=True)
    announce(folder)


async def test_two_releases_share_a_database(
    dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not SIZE:
        pytest.skip("by make soak SOAK=releases alone")
    notes = sized(100, 4000)
    await checked_out(tmp_path)
    port = free_port()
    old = await asyncio.to_thread(serve, tmp_path, dsn, port)
    before = f"http://127.0.0.1:{port}"
    luck = Random(3)
    servers: list[Server] = []
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            tables = [await table(before, http) for _ in range(3)]
            await crowd(tables, lambda: before, http, 4, notes // 4, Random(1), "old ")
            servers.append(await asyncio.to_thread(Server(dsn).start))
            now = servers[0].url
            tables += [await table(now, http) for _ in range(3)]

            def either() -> str:
                return luck.choice((before, now))

            await crowd(tables, either, http, 8, notes, Random(2), "both ")
            for at in tables:
                await at.check(before, http)
                await at.check(now, http)
            old.terminate()
            await asyncio.to_thread(old.wait, 30)
            await crowd(tables, lambda: now, http, 4, notes // 4, Random(3), "new ")
            for at in tables:
                await at.check(now, http)
            listed = (await http.get(f"{now}/v1/combats")).json()["combats"]
            paths = {f"/v1/combats/{combat['id']}" for combat in listed}
            assert paths == {at.path for at in tables}
    finally:
        old.kill()
        for server in servers:
            await asyncio.to_thread(server.stop)
    stored = sum(len(at.acknowledged) for at in tables)
    whole = linearizable(tables, recorded("releases", tmp_path))
    told(f"releases: {OLD} and this one, {stored} notes, none lost or doubled\n{whole}", capsys)
