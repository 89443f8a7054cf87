"""Test `affray verify --all`, which checks every combat while the service runs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from eventsourcing.cryptography import AESCipher
from msgspec.structs import replace

from domain.record.events import Rolled
from domain.record.recorded import chain_hash, encode
from service import cli
from service.app import Service, create_app
from service.embedded import EmbeddedServer
from service.quarantine import Aside
from service.settings import Settings
from service.verification import faults_of_all, patrol
from tests.client import Client
from tests.commands import run
from tests.service.test_play import ANA, IMP


@pytest.fixture
async def fights(
    client: Client, service: Service, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[list[str]]:
    """Yield the ids of two ended fights with dice and an erased text."""
    monkeypatch.setenv("DATABASE_URL", dsn)
    combats = []
    for _ in range(2):
        await client.open("free-hit", [ANA, IMP])
        await client.done("/begin")
        noted = await client.done("/notes", {"text": "Rumpelstiltskin"})
        assert (await client.post("/erase", {"version": noted["version"]})).status_code == 204
        for who, target in (("Ana", "Imp"), ("Imp", "Ana")):  # one of the two is on turn
            inputs = {"target": target}
            await client.post("/actions", {"combatant": who, "action": "attack", "inputs": inputs})
        await client.post("/end", {})  # does nothing if the hit has ended the fight
        assert (await client.get()).json()["status"] == "ended"
        combats.append(client.combat)
    yield sorted(combats)
    for fight in combats:
        for table, id in (("heads", "combat_id"), ("stored_events", "originator_id")):
            await service.store.pool.execute(f"DELETE FROM {table} WHERE {id} = $1", UUID(fight))


async def verified(*arguments: str) -> tuple[int, list[str], list[str]]:
    """Return the exit status, the faults and the progress."""
    told = await asyncio.to_thread(run, "verify", *arguments)
    return told.returncode, told.stdout.splitlines(), told.stderr.splitlines()


async def test_a_sound_database(fights: list[str]) -> None:
    status, faults, progress = await verified("--all")
    assert (status, faults) == (0, [])
    assert progress == [f"affray: 2 combats checked, 0 faulty; last: {fights[1]}; done"]


TAMPERED = {
    "an event is altered": (
        (
            "UPDATE stored_events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
            " '\"at\":\"2', '\"at\":\"1'), 'UTF8')"
            " WHERE originator_id = $1 AND originator_version = 2"
        ),
        "event 2 is not what was recorded",
    ),
    "an event is unreadable": (
        "UPDATE stored_events SET state = '?' WHERE originator_id = $1 AND originator_version = 3",
        "cannot be read with this CIPHER_KEY and COMPRESSOR_TOPIC: event 3 ",
    ),
    "an event has another topic": (
        (
            "UPDATE stored_events SET topic = 'noted:1'"
            " WHERE originator_id = $1 AND originator_version = 1"
        ),
        "event 1 is stored as 'noted:1'",
    ),
    "an event is gone": (
        "DELETE FROM stored_events WHERE originator_id = $1 AND originator_version = 2",
        "event 2 is missing",
    ),
    "the last event is gone": (
        (
            "DELETE FROM stored_events WHERE originator_id = $1 AND originator_version ="
            " (SELECT version FROM heads WHERE combat_id = $1)"
        ),
        "is the last in heads",
    ),
    "the head is gone": (
        "DELETE FROM heads WHERE combat_id = $1",
        "has events, but no row in heads",
    ),
    "the events are gone": (
        "DELETE FROM stored_events WHERE originator_id = $1",
        "is the last in heads, but 0 in stored_events",
    ),
}


@pytest.mark.parametrize("change", TAMPERED)
async def test_a_changed_row_is_named_and_the_others_are_checked(
    fights: list[str], service: Service, change: str
) -> None:
    statement, fault = TAMPERED[change]
    done = await service.store.pool.execute(statement, UUID(fights[0]))
    assert done.split()[-1] != "0"
    status, faults, progress = await verified("--all")
    assert status == 1
    assert len(faults) == 1
    assert faults[0].startswith(fights[0])
    assert fault in faults[0]
    assert progress == [f"affray: 2 combats checked, 1 faulty; last: {fights[1]}; done"]


def with_another_sum(event: Rolled) -> Rolled:
    return replace(event, total=event.total + 1)


def with_another_face(event: Rolled) -> Rolled:
    first, *others = event.faces
    other = 2 if first == 1 else 1
    return replace(event, faces=(other, *others), total=event.total + other - first)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (with_another_sum, "the sum is "),
        (with_another_face, "the dice are not those of the seed"),
    ],
)
async def test_a_roll_that_the_hashes_fit_is_found(
    fights: list[str], service: Service, change: Callable[[Rolled], Rolled], fault: str
) -> None:
    store, mapper, id = service.store, service.combats.mapper, UUID(fights[1])
    previous, place = "", 0
    for row in await store.events(id):
        recorded = replace(mapper.event(row), previous=previous)
        if isinstance(recorded.event, Rolled) and not place:
            place = recorded.version
            recorded = replace(recorded, event=change(recorded.event))
        state = encode(recorded)
        previous = chain_hash(recorded, state)
        await store.pool.execute(
            "UPDATE stored_events SET state = $3"
            " WHERE originator_id = $1 AND originator_version = $2",
            id,
            recorded.version,
            state,
        )
    await store.pool.execute("UPDATE heads SET digest = $2 WHERE combat_id = $1", id, previous)
    status, faults, _ = await verified("--all")
    assert (status, len(faults)) == (1, 1)
    assert faults[0].startswith(f"{fights[1]} event {place}: {fault}")


async def test_a_combat_that_grows_meanwhile_is_sound(
    fights: list[str], client: Client, service: Service
) -> None:
    assert client.combat in fights

    async def write() -> None:
        for number in range(60):
            await client.done("/notes", {"text": f"{number}"})

    writing = asyncio.create_task(write())
    checks = 0
    while not writing.done():
        combats = service.combats
        async for _, faults in faults_of_all(combats.store, combats.mapper, UUID(int=0)):
            assert faults == []
            checks += 1
            await asyncio.sleep(0)
    await writing
    assert checks > 2


async def test_progress_names_the_last_combat(
    fights: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "PROGRESS", 1)
    assert await asyncio.to_thread(cli.main, ["verify", "--all"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"affray: 1 combats checked, 0 faulty; last: {fights[0]}",
        f"affray: 2 combats checked, 0 faulty; last: {fights[1]}",
        f"affray: 2 combats checked, 0 faulty; last: {fights[1]}; done",
    ]


async def test_it_resumes_behind_an_id(fights: list[str], service: Service) -> None:
    await service.store.pool.execute(
        "UPDATE stored_events SET state = '?' WHERE originator_id = $1", UUID(fights[0])
    )
    status, faults, progress = await verified("--all", "--after", fights[0])
    assert (status, faults) == (0, [])
    assert progress == [f"affray: 1 combats checked, 0 faulty; last: {fights[1]}; done"]
    status, faults, progress = await verified("--all", "--after", fights[1])
    assert (status, faults) == (0, [])
    assert progress == [f"affray: 0 combats checked, 0 faulty; last: {fights[1]}; done"]


async def test_another_key_is_said(fights: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIPHER_KEY", AESCipher.create_key(32))
    status, faults, _ = await verified("--all")
    assert status == 1
    assert [fault.split(": ")[0] for fault in faults] == [
        f"{fight} cannot be read with this CIPHER_KEY and COMPRESSOR_TOPIC" for fight in fights
    ]


async def test_a_database_that_goes_away_is_said_with_where_to_go_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    embedded = EmbeddedServer(folder / "data")
    dsn = await embedded.start()
    monkeypatch.setenv("DATABASE_URL", dsn)
    app = create_app(Settings(dsn, folder))
    async with app.state.service.running(app):
        transport = httpx.ASGITransport(app=app.state.service.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            client = Client(http)
            fights = []
            for _ in range(2):
                await client.open("free-hit", [ANA, IMP])
                fights.append(client.combat)
    first, second = sorted(fights)

    async def stops(*arguments: Any) -> AsyncIterator[tuple[UUID, Sequence[str]]]:
        async for checked in faults_of_all(*arguments):
            yield checked
            await embedded.stop()

    monkeypatch.setattr(cli, "faults_of_all", stops)
    assert await cli._verify_all(UUID(int=0)) == 2
    said = capsys.readouterr().err
    assert "the database fails" in said
    assert said.rstrip().endswith(f"go on with --after {first}")

    monkeypatch.undo()
    monkeypatch.setenv("DATABASE_URL", await embedded.start())
    status, faults, progress = await verified("--all", "--after", first)
    await embedded.stop()
    assert (status, faults) == (0, [])
    assert progress[-1].endswith(f"1 combats checked, 0 faulty; last: {second}; done")


@pytest.mark.parametrize(
    "arguments", [[], ["--all", "x"], ["x", "--after", "00000000-0000-0000-0000-000000000000"]]
)
async def test_a_file_or_all(arguments: list[str]) -> None:
    assert (await verified(*arguments))[0] == 2


async def test_the_service_verifies_in_the_background(
    fights: list[str], service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    store, aside = service.store, Aside()
    checking = asyncio.create_task(patrol(store, service.combats.mapper, 0.01, aside))
    bad = UUID(fights[0])
    whole = await store.pool.fetchval(
        "SELECT state FROM stored_events WHERE originator_id = $1 AND originator_version = 2", bad
    )
    change = (
        "UPDATE stored_events SET state = $2 WHERE originator_id = $1 AND originator_version = 2"
    )
    await store.pool.execute(change, bad, whole.replace(b'"at":"2', b'"at":"1'))
    assert await until(lambda: list(aside) == [("verification", bad)])
    assert [line for line in caplog.messages if "event 2 is not what was recorded" in line]
    await store.pool.execute(change, bad, whole)
    assert await until(lambda: not list(aside))
    checking.cancel()


async def until(holds: Callable[[], bool]) -> bool:
    for _ in range(200):
        if holds():
            return True
        await asyncio.sleep(0.05)
    return False
