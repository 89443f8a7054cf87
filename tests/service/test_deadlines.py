"""Test prompts that lapse by the service's clock."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import httpx

from service.app import Service
from tests.client import Client
from tests.following import caught_up
from tests.rulesets.free_hit.units import foe, unit
from tests.server import Server, started

SHEETS: list[Mapping[str, Any]] = [unit("Ana", agility=5), foe("Imp")]


async def board(client: Client) -> Any:
    return (await client.get()).json()


async def lapsed(client: Client, times: int, seconds: float = 8) -> list[Any]:
    """Wait until `times` prompts have lapsed, and return the events of their answers."""
    for _ in range(int(seconds * 10)):
        answer = await client.get("/events", params={"limit": 200})
        events = answer.json()["events"]
        lapses = [event for event in events if event["data"].get("by") == "lapsed"]
        if len(lapses) >= times:
            return lapses
        await asyncio.sleep(0.1)
    raise AssertionError("nothing has lapsed")


async def test_a_turn_ends_by_itself_and_the_board_says_when(client: Client) -> None:
    await client.open("free-hit", SHEETS, deadlines={"turn": 1})
    await client.done("/begin")
    (prompt,) = (await board(client))["prompts"]
    assert datetime.fromisoformat(prompt["until"]) > datetime.now(UTC)
    (first,) = (await lapsed(client, 1))[:1]
    assert first["data"]["option"] == "end-turn"
    assert first["data"]["who"] == "Ana"


async def test_a_stopped_clock_ends_nothing(client: Client, service: Service) -> None:
    await client.open("free-hit", SHEETS, deadlines={"turn": 1})
    await client.done("/begin")
    answer = await client.call("PUT", "/deadlines", {"turn": 1, "stopped": True})
    assert answer.status_code == 200
    await asyncio.sleep(1.6)
    await caught_up(service)
    (prompt,) = (await board(client))["prompts"]
    assert (prompt["who"], prompt["until"]) == ("Ana", None)
    await client.call("PUT", "/deadlines", {"turn": 1})
    assert (await lapsed(client, 1))[0]["data"]["who"] == "Ana"


async def test_a_deadline_must_be_a_time(client: Client) -> None:
    await client.open("free-hit", SHEETS)
    for body in ({"turn": 0}, {"turn": "soon"}, {"nap": 3}, {"combatants": {"Ana": -1}}):
        answer = await client.call("PUT", "/deadlines", body)
        assert answer.status_code == 400, body


async def test_a_deadline_outlives_the_service_and_comes_once(dsn: str) -> None:
    first = Server(dsn).start()
    async with httpx.AsyncClient(base_url=first.url, timeout=10) as http:
        client = Client(http)
        await client.open("free-hit", SHEETS, deadlines={"turn": 2})
        await client.done("/begin")
        first.kill()
    others = await started(Server(dsn), Server(dsn))
    try:
        async with httpx.AsyncClient(base_url=others[0].url, timeout=10) as http:
            client.http = http
            lapses = await lapsed(client, 2, seconds=20)
    finally:
        for server in others:
            server.stop()
    prompts = [event["data"]["prompt"] for event in lapses]
    assert len(prompts) == len(set(prompts))
