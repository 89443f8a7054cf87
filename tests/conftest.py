"""Fixtures and the order of tests. Each process uses one real PostgreSQL.

The database is the embedded one, unless `DATABASE_URL` is set.
"""

import asyncio
import gc
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4
from zlib import crc32

import asyncpg
import httpx
import pytest
from hypothesis import settings as hypothesis

from domain.rulesets import installed
from service.app import Service, create_app
from service.embedded import EmbeddedServer
from service.serve import GARBAGE
from service.settings import Settings
from tests.client import Client
from tests.domain.toy import TOY
from tests.server import Server

# Let processes that tests start write bytecode, so that they start as fast as installed ones.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

RULESETS = {**installed(), "toy": TOY}

# `make test` plays the same fights in every run. `make fuzz` plays new ones.
hypothesis.register_profile("same", derandomize=True, deadline=None)
hypothesis.register_profile("new", deadline=None, print_blob=True)
hypothesis.load_profile("new" if os.environ.get("AFFRAY_FUZZ") == "long" else "same")


SLOW = ("tests/console", "tests/clients", "tests/upgrades", "tests/service", "tests/simulation")
"""Folders with long tests. They run first, so that no process is left alone with one at the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of a sampled test to `make test-others`, and run long tests first.

    The name of the test selects the cases, so different tests keep different cases.
    """
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("long"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for name, sampled in cases.items():
        mark = sampled[0].get_closest_marker("sampled")
        most = mark.args[0] if mark and mark.args else 1
        step = -(-len(sampled) // most) if most else 0
        for place, item in enumerate(sampled):
            if not step or place % step != crc32(name.encode()) % step:
                item.add_marker("long")
                item.add_marker("other")
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))


def pytest_collection_finish() -> None:
    """Set the garbage collection of the service, and exclude the tests from it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@contextmanager
def enterable() -> Iterator[Path]:
    """Yield a folder for a database server, which runs as another user if the tests run as root.

    A pytest folder does not work. Each run of pytest closes all pytest folders to other users, also
    those of a parallel run. A server that can no longer read its data dies.
    """
    with TemporaryDirectory(prefix="affray-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder for a database server."""
    with enterable() as made:
        yield made


@pytest.fixture(scope="session")
def server_dsn() -> Iterator[str]:
    """Yield the address of a server on which tests can create databases."""
    given = os.environ.get("DATABASE_URL")
    if given:
        yield given
        return
    with enterable() as folder:
        embedded = EmbeddedServer(folder / "data")
        dsn = asyncio.run(embedded.start())
        asyncio.run(_spare_the_disk(dsn))
        yield dsn
        asyncio.run(embedded.stop())


async def _spare_the_disk(dsn: str) -> None:
    """Turn `fsync` off. Tests of crashes start separate servers."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("ALTER SYSTEM SET fsync = off")
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()


@asynccontextmanager
async def database(server_dsn: str) -> AsyncIterator[str]:
    """Create a database, and drop it afterwards."""
    name = f"affray_{uuid4().hex[:12]}"
    connection = await asyncpg.connect(server_dsn)
    await connection.execute(f"CREATE DATABASE {name}")
    parts = urlsplit(server_dsn)
    yield urlunsplit(parts._replace(path=f"/{name}"))
    await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


@pytest.fixture(scope="module")
async def dsn(server_dsn: str) -> AsyncIterator[str]:
    """Yield the address of a new database for each test module."""
    async with database(server_dsn) as made:
        yield made


@pytest.fixture(scope="module")
async def service(dsn: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """Run the service in this process."""
    settings = Settings(dsn, tmp_path_factory.mktemp("data"))
    app = create_app(settings, RULESETS)
    running: Service = app.state.service
    async with running.running(app):
        yield running


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    transport = httpx.ASGITransport(app=service.asgi)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield Client(http)


@pytest.fixture(scope="module")
def server(dsn: str) -> Iterator[Server]:
    """Run the service in a separate process."""
    running = Server(dsn).start()
    yield running
    running.stop()
