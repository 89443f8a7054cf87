"""Test a database that goes back in time, and a log with changed events."""

import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from service.app import Service, create_app
from service.settings import Settings
from tests.client import Client
from tests.service.test_deadlines import SHEETS

TABLES = {"stored_events": "originator_id", "heads": "combat_id", "tokens": "combat_id"}


@dataclass
class Backup:
    """The database's rows of a combat."""

    service: Service
    combat: UUID
    rows: dict[str, list[Any]]

    async def restore(self) -> None:
        """Restore the rows, as a failover to a delayed server does."""
        pool = self.service.store.pool
        async with pool.acquire() as connection, connection.transaction():
            for table, key in TABLES.items():
                await connection.execute(f"DELETE FROM {table} WHERE {key} = $1", self.combat)
                for row in self.rows[table]:
                    places = ", ".join(f"${at}" for at in range(1, len(row) + 1))
                    await connection.execute(f"INSERT INTO {table} VALUES ({places})", *row)


async def backup(service: Service, client: Client) -> Backup:
    pool, combat = service.store.pool, UUID(client.combat)
    rows = {
        table: await pool.fetch(f"SELECT * FROM {table} WHERE {key} = $1", combat)
        for table, key in TABLES.items()
    }
    return Backup(service, combat, rows)


@asynccontextmanager
async def replica(dsn: str, folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(dsn, folder))
    async with app.state.service.running(app):
        transport = httpx.ASGITransport(app=app.state.service.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield http


async def begun(client: Client) -> None:
    await client.open("free-hit", SHEETS)
    await client.done("/begin")


async def note(client: Client, text: str) -> int:
    version: int = (await client.done("/notes", {"text": text}))["version"]
    return version


async def notes(client: Client) -> list[str]:
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    return [event["data"]["text"] for event in events if event["type"] == "noted"]


async def test_a_read_never_shows_a_future_that_the_database_has_lost(
    client: Client, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(client)
    kept = await note(client, "kept")
    before = await backup(service, client)
    await note(client, "lost")
    await before.restore()
    with caplog.at_level(logging.WARNING, "affray"):
        assert (await client.get()).json()["version"] == kept
    assert f"gone back with the combat {client.combat}" in caplog.text
    assert await notes(client) == ["kept"]


async def test_a_command_rests_on_what_the_database_holds(client: Client, service: Service) -> None:
    await begun(client)
    kept = await note(client, "kept")
    before = await backup(service, client)
    for number in range(5):
        await note(client, f"lost {number}")
    await before.restore()
    assert await note(client, "new") == kept + 1
    assert await notes(client) == ["kept", "new"]


async def test_a_token_of_the_lost_future_is_refused(client: Client, service: Service) -> None:
    await begun(client)
    before = await backup(service, client)
    player = await client.player("Ana")
    assert (await client.get(token=player)).status_code == 200
    await before.restore()
    assert (await client.get(token=player)).status_code == 401


@pytest.mark.parametrize("others", [1, 2, 5], ids=["as far", "further", "much further"])
async def test_another_future_replaces_the_one_that_was_lost(
    client: Client, service: Service, dsn: str, tmp_path: Path, others: int
) -> None:
    """Another server continues from the old state, so versions cannot reveal the loss."""
    await begun(client)
    before = await backup(service, client)
    await note(client, "lost")
    await before.restore()
    async with replica(dsn, tmp_path) as http:
        other = Client(http)
        other.combat, other.token = client.combat, client.token
        for number in range(others):
            last = await note(other, f"theirs {number}")
    assert (await client.get()).json()["version"] == last
    assert await notes(client) == [f"theirs {number}" for number in range(others)]
    assert await note(client, "ours") == last + 1


async def test_a_listener_gets_the_board_anew(client: Client, service: Service) -> None:
    await begun(client)
    kept = await note(client, "kept")
    before = await backup(service, client)
    await note(client, "lost")
    seen: list[str] = []
    streams = service.streams
    hot = await service.combats.confirmed(UUID(client.combat))
    row = next(iter(hot.tokens.values()))
    pieces = await streams.listen(hot, row, after=None, full=False, wait_s=5)
    del hot
    async for piece in pieces:
        seen.append(piece.decode())
        if len(seen) == 2:  # the retry, and the board before the loss
            await before.restore()
        if sum("event: board" in text for text in seen) == 2:
            break
    assert f'"version":{kept}' in seen[-1]


async def test_a_listener_hears_nothing_more_of_the_lost_future(
    client: Client, service: Service
) -> None:
    await begun(client)
    await note(client, "kept")
    before = await backup(service, client)
    hot = await service.combats.confirmed(UUID(client.combat))
    row = next(iter(hot.tokens.values()))
    pieces = await service.streams.listen(hot, row, after=None, full=True, wait_s=5)
    del hot
    told: list[str] = []
    ahead = ["lost 1", "lost 2", None, "new 1", "new 2"]
    async for piece in pieces:
        text = piece.decode()
        if "event: command" in text:
            told += re.findall(r'"text":"((?:lost|new) \d)"', text)
        if "event:" not in text:
            continue
        if not ahead:
            break
        match ahead.pop(0):
            case None:
                await before.restore()
            case str(words):
                await note(client, words)
    assert told == ["lost 1", "lost 2", "new 1", "new 2"]


# ---- a broken chain


async def tampered(service: Service, client: Client, version: int, new: str) -> None:
    """Change the text of a note in the log, and make the service read it again."""
    pool = service.store.pool
    state = await pool.fetchval(
        "SELECT state FROM stored_events WHERE originator_id = $1 AND originator_version = $2",
        UUID(client.combat),
        version,
    )
    await pool.execute(
        "UPDATE stored_events SET state = $3 WHERE originator_id = $1 AND originator_version = $2",
        UUID(client.combat),
        version,
        state.replace(b"genuine", new.encode()),
    )


@pytest.mark.sampled
@pytest.mark.parametrize("new", ["altered", 'altered"'], ids=["readable", "unreadable"])
@pytest.mark.parametrize("later", [0, 3, 400])
async def test_no_command_is_played_on_a_broken_chain_and_the_event_is_named(
    client: Client, service: Service, dsn: str, tmp_path: Path, new: str, later: int
) -> None:
    await begun(client)
    version = await note(client, "genuine")
    for number in range(later):
        await note(client, f"more {number}")
    await tampered(service, client, version, new)
    await begun(Client(client.http))  # a start reads the newest event of all
    async with replica(dsn, tmp_path) as http:
        client.http = http
        for answer in (
            await client.post("/notes", {"text": "on top"}),
            await client.post("/undo", {}),
            await client.post("/fork", {}),
        ):
            assert answer.status_code == 409
            assert answer.json()["reason"] == "broken-chain"
            assert f"event {version} " in answer.json()["detail"]
        board = await client.get()
        assert board.status_code == (200 if new == "altered" else 409)
        assert (await client.call("DELETE")).status_code == (204 if new == "altered" else 409)


async def test_old_events_are_checked_when_they_are_read(client: Client, service: Service) -> None:
    """A combat in memory leaves old events in the log, and reads them when a client needs them."""
    await begun(client)
    version = await note(client, "genuine")
    for number in range(400):
        await note(client, f"more {number}")
    await tampered(service, client, version, "altered")
    answer = await client.get("/events", params={"limit": 50})
    assert (answer.status_code, answer.json()["reason"]) == (409, "broken-chain")
    assert f"event {version} " in answer.json()["detail"]


async def test_erased_texts_break_no_chain(
    client: Client, service: Service, dsn: str, tmp_path: Path
) -> None:
    await begun(client)
    version = await note(client, "private")
    await note(client, "public")
    assert (await client.post("/erase", {"version": version})).status_code == 204
    async with replica(dsn, tmp_path) as http:
        client.http = http
        assert await note(client, "later") > version
