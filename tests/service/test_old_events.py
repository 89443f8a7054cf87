"""Test that a replica without old events in memory answers like a replica with them.

The answers agree also during an outage of the database, and after an erasure.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.record import history
from domain.record.verify import verify
from service.store.rows import Unavailable
from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.service.test_memory import Replica, replicas
from tests.service.test_refusals import problem

__all__ = ["replicas"]

IN_MEMORY = 10**6


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(monkeypatch, 8)


def keep(monkeypatch: pytest.MonkeyPatch, events: int) -> None:
    """Set the number of events in memory and in a page."""
    monkeypatch.setattr(history, "LEAST", events)
    monkeypatch.setattr(history, "KEPT", events)


async def fought(client: Client) -> None:
    """Play a fight with undo, a hidden foe, notes, and an answer that came too late."""
    sheets: list[Mapping[str, Any]] = [
        unit("Ana", agility=5, weapons=[SWORD], max_hp=900, owner="anna"),
        unit("Bo", agility=4, weapons=[SWORD], max_hp=900, at=[0, 2]),
        foe("Imp", max_hp=900, at=[1, 0]),
    ]
    await client.open("free-hit", sheets, options={"rulings": "default"})
    await client.done("/combatants", {"sheet": foe("Shade", at=[9, 9]), "hidden": True})
    await client.done("/begin")
    for number in range(6):
        await client.done("/notes", {"text": f"round {number}", "private": number == 3})
        for who in ("Ana", "Bo"):
            for prompt in await client.prompts():
                if prompt["who"] == who and prompt["kind"] == "turn":
                    await client.act(who, "boost-hit")
        await client.done(
            "/rulings", {"ruling": "damage", "inputs": {"combatant": "Imp", "amount": 3}}
        )
        if number % 2:
            await client.done("/undo", {"reason": "not so"})
        prompts = [prompt for prompt in await client.prompts() if prompt["kind"] == "turn"]
        if prompts:
            await client.act(prompts[0]["who"], "end-turn")
    await client.done("/goto", {"version": (await version(client)) // 2})
    await client.done("/rulings", {"ruling": "heal", "inputs": {"combatant": "Imp", "amount": 2}})


async def version(client: Client) -> int:
    return int((await client.get()).json()["version"])


def questions(last: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all reads of the past."""
    for at in (1, last // 3, last // 2, last):
        yield "", {"at": at}
        yield "/prompts", {"at": at}
        yield "/options", {"at": at, "combatant": "Ana"}
        yield "/why", {"combatant": "Ana", "track": "hp", "at": at}
        yield "/diff", {"from": at}
    yield "/events", {"limit": 500}
    yield "/events", {"after": 5, "limit": 7, "type": "noted"}
    for order in ("oldest", "newest"):
        yield "/timeline", {"limit": 400, "order": order}
        yield "/timeline", {"limit": 5, "order": order, "detail": "full"}
        yield "/timeline", {"limit": 5, "order": order, "type": "noted"}
        yield "/timeline", {"order": order, "undone": "yes", "combatant": "Imp"}
    yield "/why", {"combatant": "Imp", "track": "hp"}
    yield "/explain", {"combatant": "Ana"}
    for path in ("/tree", "/export", "/statistics", "/stream"):
        yield path, {"wait": 0} if path == "/stream" else {}


async def answers(client: Client, tokens: list[str]) -> list[tuple[str, int, bytes]]:
    """Return the answers to all tokens as bytes."""
    answered = []
    for token in tokens:
        last = int((await client.get(token=token)).json()["version"])
        for path, query in questions(last):
            answer = await client.get(path, params=query, token=token)
            answered.append((f"{path} {query}", answer.status_code, answer.content))
        missed = await client.get(
            "/stream", params={"wait": 0}, token=token, headers={"Last-Event-ID": "3"}
        )
        answered.append(("missed", missed.status_code, missed.content))
    return answered


async def test_a_replica_without_old_events_answers_the_same(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, two = replicas
    client = replica.client
    await fought(client)
    tokens = [client.token, await client.player("Ana"), await client.player(role="spectator")]
    hot = await replica.service.combats.confirmed(UUID(client.combat))
    assert len(hot.live.history.pages) > 5
    told = await answers(client, tokens)
    assert len({path for path, status, _ in told if status == 200}) > 20
    keep(monkeypatch, IN_MEMORY)
    assert await answers(two.on(replica).client, tokens) == told


async def test_commands_go_far_back(replicas: tuple[Replica, Replica]) -> None:
    replica, two = replicas
    await fought(replica.client)
    other = two.on(replica).client
    for reader in (replica.client, other):
        before = (await reader.get()).json()
        third = (await reader.get("/timeline")).json()["entries"][2]["last"]
        await reader.done("/goto", {"version": third})
        there = (await reader.get()).json()
        then = (await reader.get(params={"at": third})).json()
        assert there["combatants"] == then["combatants"] != before["combatants"]
        await reader.done("/undo")
        await reader.done("/redo")
        assert (await reader.get()).json()["combatants"] == there["combatants"]
        await reader.done("/goto", {"version": before["version"]})
        assert (await reader.get()).json()["combatants"] == before["combatants"]
    first = next(
        event["data"]["prompt"]
        for event in (await other.get("/events", params={"limit": 500})).json()["events"]
        if event["type"] == "prompted"
    )
    late = await other.post(f"/prompts/{first}", {"option": "end-turn"})
    assert problem(late, 409, "unfitting")["closed"]["how"] == "answered"
    assert verify((await other.get("/export")).content).sound
    forked = await replica.client.done("/fork", {"version": 12})
    assert forked["board"]["combatants"]


async def test_an_erased_text_is_not_read_again(replicas: tuple[Replica, Replica]) -> None:
    replica, two = replicas
    await fought(replica.client)
    other = two.on(replica).client
    noted = (await other.get("/events", params={"type": "noted", "limit": 500})).json()["events"]
    assert (
        await replica.client.post("/erase", {"version": noted[0]["version"]})
    ).status_code == 204
    for reader in (replica.client, other):
        for path in ("/events", "/timeline", "/export"):
            answer = await reader.get(path, params={} if path == "/export" else {"limit": 500})
            assert "round 0" not in answer.text
            assert "round 1" in answer.text
    assert verify((await other.get("/export")).content).sound


async def test_without_the_database_old_events_are_not_there(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, _ = replicas
    client = replica.client
    await fought(client)
    present = (await client.get()).content

    async def gone(*of: Any) -> Any:
        raise Unavailable("a bad network")

    with monkeypatch.context() as away:
        away.setattr(replica.store, "events_among", gone)
        assert (await client.get("/events")).status_code == 503
        assert (await client.post("/goto", {"version": 3})).status_code == 503
        assert (await client.get()).content == present
    assert (await client.get("/events")).status_code == 200
    await client.done("/goto", {"version": 3})


async def test_whoever_goes_away_while_the_past_is_read_leaves_nothing_locked(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, _ = replicas
    client = replica.client
    await fought(client)
    really, reading, go_on = replica.store.events_among, asyncio.Event(), asyncio.Event()

    async def slowly(*of: Any) -> Any:
        reading.set()
        await go_on.wait()
        return await really(*of)

    monkeypatch.setattr(replica.store, "events_among", slowly)
    going = asyncio.create_task(client.post("/goto", {"version": 3}))
    looking = asyncio.create_task(client.get("/events"))
    await reading.wait()
    looking.cancel()
    going.cancel()
    await asyncio.gather(going, looking, return_exceptions=True)
    go_on.set()
    monkeypatch.setattr(replica.store, "events_among", really)
    await client.done("/notes", {"text": "and then"})  # the lock is free again
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    assert [event["data"]["text"] for event in events if event["type"] == "noted"][-1] == "and then"
    assert sum(event["type"] == "reverted" for event in events) in (4, 5)


async def test_a_combat_that_was_deleted_meanwhile(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, two = replicas
    await fought(replica.client)
    other = two.on(replica).client
    really = replica.store.events_among

    async def deleted(*of: Any) -> Any:
        monkeypatch.setattr(replica.store, "events_among", really)
        assert (await other.call("DELETE")).status_code == 204
        return await really(*of)

    monkeypatch.setattr(replica.store, "events_among", deleted)
    answer: httpx.Response = await replica.client.get("/events")
    assert answer.status_code == 503
    assert (await replica.client.get("/events")).status_code == 404
