"""Test that nobody reads an event before it is stored."""

import asyncio

import pytest

from service.app import Service
from service.store.rows import Append, Unavailable
from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit


async def fight(client: Client) -> None:
    await client.open("free-hit", [unit("Ana", agility=5, weapons=[SWORD]), foe("Imp")])
    await client.done("/begin")


async def test_what_is_being_stored_is_not_shown_yet(
    client: Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fight(client)
    before = (await client.get()).json()["version"]
    store = service.combats.store
    really, entered, gate = store.append, asyncio.Event(), asyncio.Event()

    async def slowly(command: Append) -> None:
        entered.set()
        await gate.wait()
        await really(command)

    monkeypatch.setattr(store, "append", slowly)
    writing = asyncio.create_task(client.done("/notes", {"text": "soon"}))
    await asyncio.wait_for(entered.wait(), 30)
    assert (await client.get()).json()["version"] == before
    gate.set()
    await writing
    assert (await client.get()).json()["version"] == before + 1


async def test_after_a_failed_commit_the_next_command_starts_from_what_is_stored(
    client: Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fight(client)
    before = (await client.get()).json()["version"]
    store = service.combats.store
    really, entered = store.append, asyncio.Event()
    calls = 0

    async def failing_once(command: Append) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            entered.set()
            await asyncio.sleep(0.05)
            raise Unavailable("the network is gone")
        await really(command)

    monkeypatch.setattr(store, "append", failing_once)
    first = asyncio.create_task(client.post("/notes", {"text": "lost"}))
    await asyncio.wait_for(entered.wait(), 30)
    second = asyncio.create_task(client.post("/notes", {"text": "kept"}))
    assert (await first).status_code == 503
    assert (await first).headers["retry-after"]
    assert (await second).status_code == 201
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    assert [event["version"] for event in events] == list(range(1, before + 2))
    assert [event["data"]["text"] for event in events if event["type"] == "noted"] == ["kept"]


async def test_a_client_that_goes_away_leaves_a_whole_command(
    client: Client, service: Service
) -> None:
    await fight(client)
    before = (await client.get()).json()["version"]
    for number in range(5):
        request = asyncio.create_task(client.post("/notes", {"text": f"note {number}"}))
        await asyncio.sleep(0.001 * number)
        request.cancel()
        await asyncio.gather(request, return_exceptions=True)
    await asyncio.sleep(0.3)
    version = (await client.get()).json()["version"]
    assert version >= before
    await client.done("/notes", {"text": "after"})
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    assert [event["version"] for event in events] == list(range(1, version + 2))
