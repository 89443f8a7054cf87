"""A combat that a background worker cannot process stops no other combat."""

import asyncio
import logging
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.record import export
from service.app import Service, create_app
from service.settings import Settings
from tests.client import Client
from tests.conftest import database
from tests.following import caught_up
from tests.service.forging import forged_by
from tests.service.receiver import Receiver
from tests.service.test_deadlines import SHEETS, lapsed
from tests.service.test_followers import poison
from tests.service.test_imports import NDJSON

OPEN = {"deadlines": {"turn": 60}}
BAD_TIMES = ("2026-01-01T00:00:00", "soon", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00+01:00")


async def file_of(client: Client) -> bytes:
    """Return the export of a deleted fight whose first turn has a deadline."""
    await client.open("free-hit", SHEETS, **OPEN)
    await client.done("/begin")
    assert (await client.call("PUT", "/deadlines", {"turn": 90})).status_code == 200
    file = (await client.get("/export")).content
    assert (await client.call("DELETE")).status_code == 204
    return file


async def imported(client: Client, file: bytes) -> httpx.Response:
    return await client.http.post("/v1/combats/import", content=file, headers=NDJSON)


def with_prompts_until(file: bytes, time: str) -> bytes:
    """Return the file with this deadline in every prompt."""

    def change(recorded: dict[str, Any]) -> None:
        if recorded["event"].get("until") and recorded["event"]["type"] == "prompted":
            recorded["event"]["until"] = time

    return forged_by(file, change)


def with_deadlines_until(file: bytes, time: str) -> bytes:
    """Return the file with this time in all deadlines."""

    def change(recorded: dict[str, Any]) -> None:
        if recorded["event"].get("until") and recorded["event"]["type"] == "deadlines-set":
            ends = recorded["event"]["until"]
            recorded["event"]["until"] = dict.fromkeys(ends, time)

    return forged_by(file, change)


@pytest.mark.parametrize("time", BAD_TIMES)
@pytest.mark.parametrize("forge", [with_prompts_until, with_deadlines_until])
async def test_an_import_names_the_line_whose_time_is_none(
    client: Client, forge: Any, time: str
) -> None:
    file = await file_of(client)
    bad = forge(file, time)
    line = next(
        number
        for number, (old, new) in enumerate(
            zip(file.splitlines()[1:], bad.splitlines()[1:], strict=True), 2
        )
        if old != new
    )
    answer = await imported(client, bad)
    assert (answer.status_code, answer.json()["pointer"]) == (400, f"/{line}")
    assert time in answer.json()["detail"]
    assert (await imported(client, file)).status_code == 201


async def test_the_clock_sets_one_combat_aside(
    client: Client,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    file = await file_of(client)
    with monkeypatch.context() as patch:
        patch.setattr(export, "_is_time", lambda text: True)  # as earlier releases did
        answer = await imported(client, with_deadlines_until(file, "2999-01-01T00:00:00"))
    bad = answer.json()["combat"]
    await caught_up(service)
    with caplog.at_level(logging.ERROR, "affray"):
        await service.store.pool.execute(
            "UPDATE projection_deadlines.deadlines SET due = now() WHERE combat_id = $1", UUID(bad)
        )
        await client.open("free-hit", SHEETS, deadlines={"turn": 1})
        await client.done("/begin")
        assert (await lapsed(client, 1))[0]["data"]["who"] == "Ana"
    assert f"clock sets the combat {bad} aside" in caplog.text
    metrics = (await client.http.get("/metrics")).text
    assert f'affray_combat_set_aside{{combat="{bad}",worker="clock"}} 1.0' in metrics
    due = await service.store.pool.fetchval(
        "SELECT due > now() + interval '1 minute' FROM projection_deadlines.deadlines"
        " WHERE combat_id = $1",
        UUID(bad),
    )
    assert due, "the clock looks at it again before a minute has passed"


async def test_the_metrics_name_the_combats_that_read_models_set_aside(
    client: Client, service: Service
) -> None:
    bad = await poison(service)
    await caught_up(service)
    metrics = (await client.http.get("/metrics")).text
    assert f'affray_combat_set_aside{{combat="{bad}",worker="combats"}} 1.0' in metrics


@pytest.fixture
async def calling(server_dsn: str, tmp_path: Path) -> AsyncIterator[Service]:
    """Run a service with a separate database. Its webhooks may call this machine."""
    here = (ip_network("127.0.0.0/8"),)
    async with database(server_dsn) as dsn:
        app = create_app(Settings(dsn, tmp_path, webhook_networks=here))
        running: Service = app.state.service
        async with running.running(app):
            yield running


async def test_webhooks_of_one_combat_are_set_aside(
    calling: Service, caplog: pytest.LogCaptureFixture
) -> None:
    receiver = await Receiver().start()
    transport = httpx.ASGITransport(app=calling.asgi)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        bad, good = Client(http), Client(http)
        for client in (bad, good):
            await client.open("free-hit", SHEETS)
            body = {"url": receiver.url, "occasions": ["command"]}
            await client.done("/webhooks", body)
        confirmed = calling.combats.confirmed

        async def failing(id: UUID) -> Any:
            if str(id) == bad.combat:
                raise KeyError("a fault of this combat")
            return await confirmed(id)

        calling.combats.confirmed = failing  # type: ignore[method-assign]
        with caplog.at_level(logging.ERROR, "affray"):
            await bad.done("/begin")
            await good.done("/begin")
            calls = await receiver.calls(1)
            assert calls[0]["combat"] == good.combat
            for _ in range(100):
                await asyncio.sleep(0.05)
                if "webhooks sets" in caplog.text:
                    break
        metrics = (await http.get("/metrics")).text
        assert f'affray_combat_set_aside{{combat="{bad.combat}",worker="webhooks"}} 1.0' in metrics
        rows = await calling.webhooks.of(UUID(bad.combat))
        assert (rows[0].failures, rows[0].given_up) == (0, False)
    await receiver.stop()
