"""Test that databases of past releases can be read, verified, exported and continued."""

import hashlib
import json
import lzma
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from domain.record.events import Judged, Rolled
from domain.record.export import export, read
from domain.record.verify import verify
from service.app import Service, create_app
from service.settings import Settings
from service.store.encryption import mapper_of
from service.verification import faults_of_all
from tests.client import Client
from tests.conftest import database
from tests.fuzz.test_walker import HttpWalker

HERE = Path(__file__).parent
DUMPS = sorted(path.stem for path in HERE.glob("*.json"))
STEPS = 12
ABANDONED = ["procedure-abandoned", "procedure-began", "prompted"]


async def restore(dsn: str, name: str) -> None:
    """Restore a dump into an empty database."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(lzma.decompress((HERE / f"{name}.sql.xz").read_bytes()).decode())
    await connection.close()


def fights(name: str) -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = json.loads((HERE / f"{name}.json").read_text())
    return stored


@pytest.fixture(params=DUMPS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def service(name: str, server_dsn: str, tmp_path: Path) -> AsyncIterator[Service]:
    """Run the current service on a past database."""
    async with database(server_dsn) as dsn:
        await restore(dsn, name)
        app = create_app(Settings(dsn, tmp_path))
        running: Service = app.state.service
        async with running.running(app):
            yield running


@pytest.fixture
async def http(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=service.asgi)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


def at(http: httpx.AsyncClient, fight: dict[str, Any]) -> Client:
    client = Client(http)
    client.combat, client.token = fight["combat"], fight["token"]
    return client


async def faults(service: Service) -> list[str]:
    checking = faults_of_all(service.combats.store, mapper_of(), UUID(int=0))
    return [f"{id} {fault}" async for id, faults in checking for fault in faults]


@pytest.mark.sampled
async def test_fights_of_a_past_release_are_read_verified_and_exported_as_they_were(
    service: Service, http: httpx.AsyncClient, name: str
) -> None:
    assert await faults(service) == []
    for fight in fights(name):
        _, rows = await service.combats.store.snapshot(UUID(fight["combat"]))
        read = [mapper_of().event(row, fight["combat"]) for row in rows]
        assert hashlib.sha256(b"".join(export(read))).hexdigest() == fight["export"]
        client = at(http, fight)
        board = (await client.get()).json()
        assert board["ruleset"] == fight["ruleset"]
        events = (await client.get("/events", params={"limit": 500})).json()["events"]
        while board["version"] < len(events):  # the question was added between the two reads
            board = (await client.get()).json()
        assert [event["version"] for event in events] == list(range(1, board["version"] + 1))
        # Rules that no longer match a fight have added a prompt to the GM.
        added = [event["type"] for event in events[fight["version"] :]]
        assert added in ([], ABANDONED), added
        if not added:
            exported = (await client.get("/export")).content
            assert hashlib.sha256(exported).hexdigest() == fight["export"]


@pytest.mark.sampled
async def test_fights_of_a_past_release_go_on(
    service: Service, http: httpx.AsyncClient, name: str
) -> None:
    for fight in fights(name):
        walker = HttpWalker(at(http, fight), fight["ruleset"], Random(5))
        for _ in range(STEPS):
            state = (await walker.client.get()).json()
            if state["status"] != "ended":
                await walker.step(state)
        assert walker.commands
        await walker.agree()
    assert await faults(service) == []


async def test_an_export_of_a_past_release_is_imported_and_exported_as_it_was(
    service: Service, http: httpx.AsyncClient, name: str
) -> None:
    content = lzma.decompress((HERE / f"{name}.jsonl.xz").read_bytes())
    digest = hashlib.sha256(content).hexdigest()
    (fight,) = [fight for fight in fights(name) if fight["export"] == digest]
    assert (await at(http, fight).call("DELETE")).status_code == 204
    headers = {"Content-Type": "application/x-ndjson"}
    taken = await http.post("/v1/combats/import", content=content, headers=headers)
    assert taken.status_code == 201, taken.text
    again = at(http, taken.json())
    assert (await again.get("/export")).content == content


def outcomes(file: bytes) -> set[str]:
    return {
        event.event.outcome
        for event in read(file).recorded
        if isinstance(event.event, Rolled | Judged)
    }


@pytest.mark.sampled
async def test_fights_of_a_past_release_are_forked_and_copied(
    service: Service, http: httpx.AsyncClient, name: str
) -> None:
    headers = {"Content-Type": "application/x-ndjson"}
    for fight in fights(name):
        client = at(http, fight)
        file = (await client.get("/export")).content
        forked = await client.post("/fork", {})
        copied = await http.post("/v1/combats/import?if_here=copy", content=file, headers=headers)
        for made in (forked, copied):
            assert made.status_code == 201, made.text
            again = (await at(http, made.json()).get("/export")).content
            assert verify(again).sound, verify(again).text()
            assert outcomes(again) <= outcomes(file), "words of a past release"
    assert await faults(service) == []


def test_every_rulebook_of_today_has_an_open_fight_of_a_past_release() -> None:
    rulesets = {fight["ruleset"] for name in DUMPS for fight in fights(name)}
    assert rulesets == {"definitions", "free-hit", "hallowed-earth", "sovereign", "vile-darkness"}
