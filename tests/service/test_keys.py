"""Test keys of applications, their quotas and the combats that they own."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from service.app import create_app
from service.limits import Limits
from service.settings import Settings
from tests.commands import run
from tests.conftest import database
from tests.service.test_play import ANA, IMP

FIGHT = {"ruleset": "free-hit", "combatants": [{"sheet": ANA}, {"sheet": IMP}]}
FILE = "application/x-ndjson"
MASTER = "the-single-key"


class Desk:
    """An operator with the command line, and applications that call the service."""

    def __init__(self, dsn: str, http: httpx.AsyncClient) -> None:
        self.dsn = dsn
        self.http = http

    async def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "DATABASE_URL": self.dsn}
        return await asyncio.to_thread(run, "key", *words, env=environment)

    async def create(self, *words: str) -> str:
        made = await self.run("create", *words)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    async def open(self, key: str, **headers: str) -> httpx.Response:
        return await self.http.post("/v1/combats", json=FIGHT, headers=bearer(key) | headers)

    async def ids(self, key: str) -> set[str]:
        answer = await self.http.get("/v1/combats", headers=bearer(key))
        assert answer.status_code == 200, answer.text
        return {line["id"] for line in answer.json()["combats"]}

    async def listed(self, key: str, *combats: str) -> None:
        """Wait until the list of a key contains exactly these combats."""
        for _ in range(400):
            if await self.ids(key) == set(combats):
                return
            await asyncio.sleep(0.05)
        assert await self.ids(key) == set(combats)


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


@pytest.fixture
async def own_dsn(server_dsn: str) -> AsyncIterator[str]:
    """Yield a database without keys."""
    async with database(server_dsn) as made:
        yield made


@asynccontextmanager
async def running(dsn: str, folder: Path, **settings: Any) -> AsyncIterator[Desk]:
    app = create_app(Settings(dsn, folder, **settings))
    async with app.state.service.running(app):
        transport = httpx.ASGITransport(app=app.state.service.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield Desk(dsn, http)


@pytest.fixture
async def desk(own_dsn: str, tmp_path: Path) -> AsyncIterator[Desk]:
    async with running(own_dsn, tmp_path, service_key=MASTER) as made:
        yield made


async def test_each_key_has_a_list_of_its_own_combats(desk: Desk) -> None:
    dragon, lantern = await desk.create("dragon"), await desk.create("lantern")
    first, second = (await desk.open(dragon)).json(), (await desk.open(lantern)).json()
    own = f"/v1/combats/{first['combat']}"
    headers = bearer(first["token"])
    fork = await desk.http.post(
        f"{own}/fork", json={}, headers=headers | {"Affray-Service-Key": dragon}
    )
    assert fork.status_code == 201
    await desk.listed(dragon, first["combat"], fork.json()["combat"])
    await desk.listed(lantern, second["combat"])
    third = (await desk.open(MASTER)).json()
    everything = [opened["combat"] for opened in (first, second, third, fork.json())]
    await desk.listed(MASTER, *everything)
    exported = await desk.http.get(f"{own}/export", headers=headers | {"Accept": FILE})
    copied = await desk.http.post(
        "/v1/combats/import?if_here=copy",
        content=exported.content,
        headers=bearer(lantern) | {"Content-Type": FILE},
    )
    assert copied.status_code == 201, copied.text
    await desk.listed(lantern, second["combat"], copied.json()["combat"])


async def test_a_quota_counts_the_combats_that_are_there(desk: Desk) -> None:
    key = await desk.create("dragon", "--quota", "2")
    opened = await asyncio.gather(*(desk.open(key) for _ in range(5)))
    assert sorted(answer.status_code for answer in opened) == [201, 201, 409, 409, 409]
    refused = next(answer for answer in opened if answer.status_code == 409).json()
    assert refused["reason"] == "quota-reached"
    assert "2 combats" in refused["detail"]
    combat = next(answer for answer in opened if answer.status_code == 201).json()
    deleted = await desk.http.delete(
        f"/v1/combats/{combat['combat']}", headers=bearer(combat["token"])
    )
    assert deleted.status_code == 204
    again = {"Idempotency-Key": "0123456789abcdef-again"}
    first = await desk.open(key, **again)
    assert first.status_code == 201
    assert (await desk.open(key, **again)).json() == first.json()  # no second combat
    assert (await desk.open(key)).status_code == 409
    assert (await desk.open(MASTER)).status_code == 201


async def test_two_keys_with_one_idempotency_key_open_two_combats(desk: Desk) -> None:
    same = {"Idempotency-Key": "0123456789abcdef-the-same"}
    keys = [await desk.create("dragon"), await desk.create("lantern"), MASTER]
    opened = [(await desk.open(key, **same)).json()["combat"] for key in keys]
    assert len(set(opened)) == 3


async def test_a_revoked_key_is_refused_at_once_and_its_combats_stay(desk: Desk) -> None:
    key = await desk.create("dragon")
    opened = (await desk.open(key)).json()
    assert (await desk.run("revoke", "dragon")).returncode == 0
    assert (await desk.open(key)).status_code == 401
    board = await desk.http.get(f"/v1/combats/{opened['combat']}", headers=bearer(opened["token"]))
    assert board.status_code == 200
    assert "no key 'dragon'" in (await desk.run("revoke", "dragon")).stderr
    renewed = await desk.create("dragon")
    assert await desk.ids(renewed) == set()
    told = (await desk.run("list")).stdout.splitlines()
    assert [line.split()[:2] for line in told[1:]] == [["dragon", "1"], ["dragon", "0"]]
    assert told[1].split()[-1] != "-"
    assert told[2].split()[-1] == "-"


async def test_keys_are_stored_as_hashes(desk: Desk) -> None:
    key = await desk.create("dragon")
    connection = await asyncpg.connect(desk.dsn)
    stored = str(await connection.fetch("SELECT keys::text FROM keys"))
    await connection.close()
    assert key not in stored
    assert key.removeprefix("affray_key_")[8:] not in stored
    for wrong in (key[:-1] + ("A" if key[-1] != "A" else "B"), key[:-1], f"{key}A", "affray_key_"):
        assert (await desk.open(wrong)).status_code == 401
    assert "already" in (await desk.run("create", "dragon")).stderr
    assert (await desk.run("create", "lantern", "--quota", "0")).returncode == 2


async def test_without_any_key_everybody_opens_until_the_first_is_created(
    own_dsn: str, tmp_path: Path
) -> None:
    async with running(own_dsn, tmp_path, limits=Limits(wrong_keys=2)) as desk:
        assert (await desk.open("")).status_code == 201
        key = await desk.create("dragon")
        assert (await desk.open("")).status_code == 401
        assert (await desk.open(key)).status_code == 201
        statuses = [(await desk.open("affray_key_wrong")).status_code for _ in range(3)]
        assert statuses == [401, 401, 429]
