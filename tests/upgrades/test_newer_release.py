"""A newer release works on the same database: what it wrote is not misread, and others go on."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import httpx

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
    """Append an event whose type this release does not know, as another process would."""
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
