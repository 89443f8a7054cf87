"""Test a database in which a newer release has stored events."""

import asyncio
import hashlib
import json
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from domain.record.events import Noted
from domain.record.recorded import Recorded, chain_hash, encode
from service.app import Service
from tests.client import Client
from tests.service.writers import SHEETS

TOPIC = "shape-shifted:1"


async def opened(http: httpx.AsyncClient) -> Client:
    client = Client(http)
    await client.open("free-hit", SHEETS)
    await client.done("/begin")
    return client


async def shift(dsn: str, client: Client) -> None:
    """Append an event of an unknown type, as a newer release would."""
    connection = await asyncpg.connect(dsn)
    async with connection.transaction():
        version = await connection.fetchval(
            "UPDATE heads SET version = version + 1, digest = 'newer' WHERE combat_id = $1"
            " RETURNING version",
            UUID(client.combat),
        )
        await connection.execute(
            "INSERT INTO stored_events"
            " (originator_id, originator_version, topic, state, command_id)"
            " VALUES ($1, $2, $3, '{}', $4)",
            UUID(client.combat),
            version,
            TOPIC,
            uuid4(),
        )
        await connection.execute(
            "INSERT INTO unplaced (combat_id, first, last) VALUES ($1, $2, $2)",
            UUID(client.combat),
            version,
        )
    await connection.close()


async def test_a_newer_event_stops_this_process_for_its_combat_alone(
    service: Service, client: Client, dsn: str
) -> None:
    newer, other = await opened(client.http), await opened(client.http)
    for memory in ("grown", "read from the log"):
        if memory == "grown":
            await shift(dsn, newer)
        else:
            service.combats.let_go(UUID(newer.combat))
        for answer in (
            await newer.get(),
            await newer.get("/events"),
            await newer.get("/export"),
            await newer.post("/notes", {"text": "who am I"}),
            await newer.post("/undo", {}),
        ):
            assert answer.status_code == 503, (memory, answer.text)
            assert answer.json()["type"] == "/problems/newer-release"
            assert answer.headers["retry-after"]
    labelled = await other.call("PATCH", "", {"labels": ["here"]})
    assert labelled.status_code == 200, labelled.text
    async with asyncio.timeout(20):  # its read models too
        while True:
            listed = (await client.http.get("/v1/combats")).json()["combats"]
            if [c["labels"] for c in listed if c["id"] == other.combat] == [["here"]]:
                break
            await asyncio.sleep(0.1)


CHANGES: dict[str, Any] = {
    "a new field": lambda event: {**event, "mood": "grim"},
    "a value that cannot be read": lambda event: {**event, "text": {"en": "?", "de": "?"}},
}


async def extend(dsn: str, client: Client, event: dict[str, Any], salt: str) -> None:
    """Append an event with a correct hash that this release would not write."""
    connection = await asyncpg.connect(dsn)
    combat = UUID(client.combat)
    async with connection.transaction():
        version, digest = await connection.fetchrow(
            "SELECT version + 1, digest FROM heads WHERE combat_id = $1 FOR UPDATE", combat
        )
        last = await connection.fetchval(
            "SELECT state FROM stored_events WHERE originator_id = $1 AND originator_version = $2",
            combat,
            version - 1,
        )
        known = {
            key: value
            for key, value in json.loads(last).items()
            if key in ("at", "command", "actor", "parent")
        }
        whole = {
            "version": version,
            "parent": version - 1,
            "at": known["at"],
            "command": known["command"],
            "actor": known["actor"],
            "event": {"type": "noted", **event},
            "previous": digest,
            **({"salt": salt} if salt else {}),
        }
        hashed: dict[str, Any] = {key: value for key, value in whole.items() if key != "salt"}
        if salt and isinstance(event["text"], str):  # as the chapter on hashes describes
            text = hashlib.sha256(f"{salt}\x00{event['text']}".encode()).hexdigest()
            hashed["event"] = {**whole["event"], "text": f"erased:sha256:{text}"}
        await connection.execute(
            "INSERT INTO stored_events VALUES ($1, $2, 'noted:1', $3, $4)",
            combat,
            version,
            compact(whole),
            uuid4(),
        )
        await connection.execute(
            "UPDATE heads SET version = $2, digest = $3 WHERE combat_id = $1",
            combat,
            version,
            hashlib.sha256(compact(hashed)).hexdigest(),
        )
    await connection.close()


def compact(whole: dict[str, Any]) -> bytes:
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_event_is_hashed_here_as_the_service_hashes_its_own() -> None:
    """The other tests depend on this hash."""
    note = Noted("Who was that?")
    recorded = Recorded(7, 6, "2026-01-01T00:00:00.000Z", "c", ("t", "gm"), note, "p", salt="s")
    text = hashlib.sha256(b"s\x00Who was that?").hexdigest()
    kept = json.loads(encode(recorded))
    del kept["salt"]
    kept["event"]["text"] = f"erased:sha256:{text}"
    assert hashlib.sha256(compact(kept)).hexdigest() == chain_hash(recorded)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("salt", ["", "0123456789abcdef"])
async def test_a_new_field_of_a_known_event_is_not_taken_for_a_broken_chain(
    service: Service, client: Client, dsn: str, change: str, salt: str
) -> None:
    newer, other = await opened(client.http), await opened(client.http)
    await extend(dsn, newer, CHANGES[change]({"text": "Who was that?"}), salt)
    for memory in ("grown", "read from the log"):
        if memory != "grown":
            service.combats.let_go(UUID(newer.combat))
        for answer in (
            await newer.get(),
            await newer.get("/export"),
            await newer.post("/notes", {"text": "who am I"}),
            await newer.post("/erase", {"version": 1}),
            await newer.post("/undo", {}),
        ):
            assert answer.status_code == 503, (memory, answer.text)
            assert answer.json()["type"] == "/problems/newer-release"
    assert (await other.post("/notes", {"text": "here"})).status_code == 201


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("place", ["last", "in the middle"])
async def test_a_field_that_somebody_added_is_a_broken_chain(
    service: Service, client: Client, dsn: str, change: str, place: str
) -> None:
    """An added field breaks the chain. A newer release would also store the new hash."""
    fight = await opened(client.http)
    await fight.done("/notes", {"text": "Who was that?"})
    if place != "last":
        await fight.done("/notes", {"text": "Nobody."})
    connection = await asyncpg.connect(dsn)
    version, state = await connection.fetchrow(
        "SELECT originator_version, state FROM stored_events WHERE originator_id = $1"
        " AND topic = 'noted:1' ORDER BY 1 LIMIT 1",
        UUID(fight.combat),
    )
    whole = json.loads(state)
    whole["event"] = CHANGES[change](whole["event"])
    await connection.execute(
        "UPDATE stored_events SET state = $3 WHERE originator_id = $1 AND originator_version = $2",
        UUID(fight.combat),
        version,
        compact(whole),
    )
    await connection.close()
    service.combats.let_go(UUID(fight.combat))
    service.combats.recent.clear()
    answer = await fight.post("/undo", {})
    assert answer.status_code == 409, answer.text
    assert answer.json()["reason"] == "broken-chain"
