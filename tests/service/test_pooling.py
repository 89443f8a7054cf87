"""The service refuses a standby, a former primary, and a pooler that shares sessions."""

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from service.embedded import EmbeddedServer
from service.resources import stored
from service.settings import BadSetting, Settings
from service.store.log import Store
from service.store.rows import Unavailable
from tests.commands import run
from tests.server import free_port

BOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")

INI = """
[databases]
{database} = host={host} port={port} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
server_round_robin = {rotates}
"""


@contextmanager
def bouncer(dsn: str, folder: Path, mode: str, rotates: int = 0) -> Iterator[str]:
    """Run a PgBouncer before a database. As root, it runs as the owner of the database's socket."""
    parts = urlsplit(dsn)
    host = parse_qs(parts.query).get("host", [parts.hostname or "127.0.0.1"])[0]
    port, listen = parts.port or 5432, free_port()
    database, user = parts.path.strip("/"), parts.username or "postgres"
    path = folder / "pgbouncer.ini"
    path.write_text(
        INI.format(
            database=database,
            host=host,
            port=port,
            user=user,
            listen=listen,
            mode=mode,
            rotates=rotates,
        )
    )
    owner = Path(host).stat().st_uid if host.startswith("/") else 65534
    as_owner = ["setpriv", f"--reuid={owner}", "--clear-groups"] if os.geteuid() == 0 else []
    process = subprocess.Popen([*as_owner, str(BOUNCER), "-q", str(path)])
    try:
        time.sleep(0.5)
        yield f"postgresql://{user}@127.0.0.1:{listen}/{database}"
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.skipif(BOUNCER is None, reason="needs Debian's pgbouncer: .ci/failover-tools")
@pytest.mark.parametrize("rotates", [0, 1])
async def test_transaction_pooling_is_refused_by_name(dsn: str, folder: Path, rotates: int) -> None:
    with bouncer(dsn, folder, "transaction", rotates) as pooled:
        warm = [await asyncpg.connect(pooled, statement_cache_size=0) for _ in range(3)]
        for connection in warm:
            await connection.execute("BEGIN")
        for connection in warm:
            await connection.execute("COMMIT")
        with pytest.raises(BadSetting, match=r"DATABASE_URL.*pool_mode=transaction"):
            async with stored(Settings(pooled, folder), 2):
                pass
        for connection in warm:
            connection.terminate()


@pytest.mark.skipif(BOUNCER is None, reason="needs Debian's pgbouncer: .ci/failover-tools")
async def test_session_pooling_is_not_taken_for_it(dsn: str, folder: Path) -> None:
    with bouncer(dsn, folder, "session") as pooled:
        async with stored(Settings(pooled, folder), 2) as store:
            await store.ping()


async def test_a_standby_is_refused_at_the_start_and_later(folder: Path) -> None:
    """Affray refuses a standby, which may hold old data, at its start and later.

    A proxy may briefly route to a former primary that is now a standby.
    """
    embedded = EmbeddedServer(folder / "data")
    dsn = await embedded.start()
    store = await Store.open(dsn)
    await store.ping()
    await embedded.stop()
    (folder / "data" / "standby.signal").touch()
    assert await embedded.start() == dsn
    try:
        with pytest.raises(Unavailable):
            await store.ping()
        with pytest.raises(BadSetting, match=r"DATABASE_URL.*standby"):
            async with stored(Settings(dsn, folder), 2):
                pass
        environment = {**os.environ, "DATABASE_URL": dsn}
        told = await asyncio.to_thread(run, "verify", "--all", env=environment)
        assert told.returncode == 2
        assert "it is a standby; Affray needs the primary" in told.stderr
    finally:
        await store.close()
        await embedded.stop()


class Relay:
    """A relay to one of several servers."""

    def __init__(self) -> None:
        self.socket = ""
        self._open: list[asyncio.StreamWriter] = []

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def lead_to(self, data: Path) -> None:
        """Cut all connections, and route new ones to another server."""
        self.socket = str(data / ".s.PGSQL.5432")
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    def stop(self) -> None:
        self._server.close()
        self.lead_to(Path())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self.socket)
        self._open += [writer, back]
        await asyncio.gather(_copied(reader, back), _copied(there, writer))


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
        writer.close()


async def test_a_former_primary_is_not_believed_once_its_successor_was_seen(folder: Path) -> None:
    """After the store has seen a new primary, it refuses the former primary.

    A frozen primary may resume, and a proxy may briefly route to it.
    """
    first, second = EmbeddedServer(folder / "first"), EmbeddedServer(folder / "second")
    dsn = await first.start()
    await (await Store.open(dsn)).close()
    await first.stop()
    copying = ["cp", "-a", str(first.data_dir), str(second.data_dir)]
    await asyncio.to_thread(subprocess.run, copying, check=True)
    (second.data_dir / "standby.signal").touch()
    relay, servers = Relay(), (first, second)
    _, dsn_of_second = [await server.start() for server in servers]
    promoting = await asyncpg.connect(dsn_of_second)
    await promoting.execute("SELECT pg_promote()")
    await promoting.close()
    relay.lead_to(first.data_dir)
    parts = urlsplit(dsn)
    store = await Store.open(
        f"postgresql://{parts.username}@127.0.0.1:{await relay.start()}{parts.path}"
    )
    try:
        await store.ping()
        relay.lead_to(second.data_dir)
        await store.ping()
        relay.lead_to(first.data_dir)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await store.ping()
        relay.lead_to(second.data_dir)
        await store.ping()
    finally:
        await store.close()
        relay.stop()
        for server in servers:
            await server.stop()
