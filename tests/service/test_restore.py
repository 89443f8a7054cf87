"""Test a dump and point-in-time recovery under load. `make soak` runs the long form."""

import asyncio
import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import asyncpg
import httpx
import pytest

from service.embedded import EmbeddedServer, plan
from tests import commands
from tests.conftest import database, enterable
from tests.server import Server
from tests.service.test_proofs import PATIENT, sized, told
from tests.service.writers import Table, crowd, table


async def run(*command: str) -> None:
    await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)


def programs(folder: Path) -> Path:
    """Return the folder of the embedded server's programs."""
    return plan(folder / "data").bin


async def verify_all(dsn: str) -> str:
    """Check every chain in place, and return the last line of the report."""
    environment = {**os.environ, "DATABASE_URL": dsn}
    done = await asyncio.to_thread(commands.run, "verify", "--all", env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stderr.strip().splitlines()[-1])


async def goes_on(dsn: str, tables: list[Table], before: list[dict[str, int]]) -> str:
    """Check that the restored database has all acknowledged notes and takes new commands."""
    checked = await verify_all(dsn)
    server = await asyncio.to_thread(Server(dsn).start)
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            for at, acknowledged in zip(tables, before, strict=True):
                restored = Table(at.path, at.headers, dict(acknowledged))
                await restored.check(server.url, http)
                assert await restored.write(lambda: server.url, http, "after the restore")
                await restored.check(server.url, http)
    finally:
        await asyncio.to_thread(server.stop)
    return checked


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    """Wait until the condition holds."""
    for _ in range(round(seconds * 10)):
        if await holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it takes too long")


@pytest.fixture
def other() -> Iterator[Path]:
    """Yield a folder for a second server."""
    with enterable() as made:
        yield made


async def test_restore_of_a_dump_that_was_taken_under_writers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = sized(60, 6000)
    embedded = EmbeddedServer(folder / "data")
    root = await embedded.start()
    async with database(root) as dsn, database(root) as fresh:
        server = await asyncio.to_thread(Server(dsn).start)
        dump = str(folder / "affray.dump")
        try:
            async with httpx.AsyncClient(timeout=PATIENT) as http:
                tables = [await table(server.url, http) for _ in range(3)]
                await crowd(tables, lambda: server.url, http, 4, notes, Random(1), "first ")
                before = [dict(at.acknowledged) for at in tables]
                writing = asyncio.create_task(
                    crowd(tables, lambda: server.url, http, 4, notes, Random(2), "second ")
                )
                began = time.monotonic()
                await run(
                    str(programs(folder) / "pg_dump"), "--format=custom", f"--file={dump}", dsn
                )
                dumped = time.monotonic() - began
                await writing
        finally:
            await asyncio.to_thread(server.stop)
        began = time.monotonic()
        await run(str(programs(folder) / "pg_restore"), "--no-owner", f"--dbname={fresh}", dump)
        restored = time.monotonic() - began
        checked = await goes_on(fresh, tables, before)
    await embedded.stop()
    told(
        f"restore: a dump of {dumped:.1f} s beside 4 writers, restored in {restored:.1f} s;"
        f" {sum(map(len, before))} notes were acknowledged before it, none is missing; {checked}",
        capsys,
    )


async def test_restore_of_a_moment_from_the_archived_wal(
    folder: Path, other: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The steps are those of docs/how-to/backup.md."""
    notes = sized(60, 3000)
    archive = folder / "wal"
    archive.mkdir()
    archive.chmod(0o777)
    embedded = EmbeddedServer(folder / "data")
    dsn = await embedded.start()
    connection = await asyncpg.connect(dsn)
    await connection.execute("ALTER SYSTEM SET archive_mode = on")
    await connection.execute(
        f"ALTER SYSTEM SET archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'"
    )
    await connection.close()
    await embedded.stop()
    await embedded.start()
    server = await asyncio.to_thread(Server(dsn).start)
    base = other / "data"
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            tables = [await table(server.url, http) for _ in range(3)]
            writing = asyncio.create_task(
                crowd(tables, lambda: server.url, http, 4, notes, Random(1), "first ")
            )
            await run(
                *(str(programs(folder) / "pg_basebackup"), "--checkpoint=fast"),
                *(f"--dbname={dsn}", f"--pgdata={base}"),
            )
            await writing
            before = [dict(at.acknowledged) for at in tables]
            connection = await asyncpg.connect(dsn)
            moment = await connection.fetchval("SELECT clock_timestamp()::text")
            await asyncio.sleep(0.1)
            await crowd(tables, lambda: server.url, http, 4, 40, Random(2), "too late ")
            segment = await connection.fetchval("SELECT pg_walfile_name(pg_switch_wal())")
            await connection.close()
            await until(lambda: asyncio.to_thread((archive / segment).exists))
    finally:
        await asyncio.to_thread(server.stop)
        await embedded.stop()
    with (base / "postgresql.auto.conf").open("a") as settings:
        settings.write(
            f"restore_command = 'cp {archive}/%f %p'\n"
            f"recovery_target_time = '{moment}'\n"
            "recovery_target_action = 'promote'\n"
            "archive_mode = off\n"
        )
    (base / "recovery.signal").touch()
    owner = (folder / "data").stat()
    await run("chown", "-R", f"{owner.st_uid}:{owner.st_gid}", str(base))
    restored = EmbeddedServer(base)
    dsn = await restored.start()
    connection = await asyncpg.connect(dsn)
    await until(lambda: connection.fetchval("SELECT NOT pg_is_in_recovery()"))
    late = await connection.fetchval(
        "SELECT count(*) FROM stored_events WHERE encode(state, 'escape') LIKE '%too late%'"
    )
    await connection.close()
    checked = await goes_on(dsn, tables, before)
    await restored.stop()
    assert late == 0
    told(
        f"restore: to {moment} from a base backup and WAL; {sum(map(len, before))} notes were"
        f" acknowledged until then, none is missing, none of later is there; {checked}",
        capsys,
    )
