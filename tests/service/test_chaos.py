"""SIGKILL in the midst of concurrent commands; two replicas on one combat."""

import asyncio
import os
from typing import Any

import httpx

from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.server import Server

LONG = os.environ.get("AFFRAY_SOAK") == "long"
ROUNDS = 40 if LONG else 3

SHEETS = [
    unit("Ana", agility=5, weapons=[SWORD], max_hp=10_000),
    foe("Imp", weapons=[SWORD], max_hp=10_000),
]


def opened(server: Server) -> tuple[str, dict[str, str]]:
    """A combat that has begun: its address and headers."""
    body = {"ruleset": "free-hit", "combatants": [{"sheet": one} for one in SHEETS]}
    answer = httpx.post(f"{server.url}/v1/combats", json=body).json()
    headers = {"Authorization": f"Bearer {answer['token']}"}
    path = f"/v1/combats/{answer['combat']}"
    assert httpx.post(server.url + path + "/begin", json={}, headers=headers).status_code == 200
    return path, headers


async def notes(url: str, path: str, headers: dict[str, str], name: str, done: list[str]) -> None:
    """Write notes until the service is gone; remember those that were acknowledged."""
    async with httpx.AsyncClient(timeout=10) as http:
        for number in range(100_000):
            text = f"{name} {number}"
            try:
                answer = await http.post(f"{url}{path}/notes", json={"text": text}, headers=headers)
            except httpx.HTTPError:
                return
            if answer.status_code == 201:
                done.append(text)


def events(server: Server, path: str, headers: dict[str, str]) -> list[Any]:
    """The whole history."""
    found: list[Any] = []
    while True:
        after = found[-1]["version"] if found else 0
        page = httpx.get(
            f"{server.url}{path}/events", params={"after": after, "limit": 500}, headers=headers
        ).json()
        found += page["events"]
        if page["next"] is None:
            return found


async def test_nothing_acknowledged_is_lost_and_nothing_is_half_there(server: Server) -> None:
    path, headers = opened(server)
    prompts = httpx.get(f"{server.url}{path}/prompts", headers=headers).json()["prompts"]
    acknowledged: list[str] = []
    for killing in range(ROUNDS):
        writers = [
            asyncio.create_task(notes(server.url, path, headers, f"{killing}.{n}", acknowledged))
            for n in range(8)
        ]
        await asyncio.sleep(0.6)
        server.kill()
        await asyncio.gather(*writers)
        await asyncio.to_thread(server.start)
    history = events(server, path, headers)
    assert [one["version"] for one in history] == list(range(1, len(history) + 1))
    texts = [one["data"]["text"] for one in history if one["type"] == "noted"]
    assert acknowledged
    assert set(acknowledged) <= set(texts)
    assert len(set(texts)) == len(texts)  # each once
    # The combat that waited at a prompt goes on.
    assert httpx.get(f"{server.url}{path}/prompts", headers=headers).json()["prompts"] == prompts
    body = {"combatant": "Ana", "action": "attack", "inputs": {"target": "Imp"}}
    assert httpx.post(f"{server.url}{path}/actions", json=body, headers=headers).is_success


async def test_two_replicas_tell_every_client_the_truth(server: Server) -> None:
    other = await asyncio.to_thread(Server(server.dsn).start)
    try:
        path, headers = opened(server)
        done: dict[str, int] = {}
        async with httpx.AsyncClient(timeout=20, headers=headers) as http:

            async def write(number: int) -> None:
                url = (server.url, other.url)[number % 2]
                text = f"note {number}"
                answer = await http.post(f"{url}{path}/notes", json={"text": text})
                assert answer.status_code == 201, answer.text
                done[text] = answer.json()["version"]
                # Whoever wrote reads its own writing, on the other replica too.
                elsewhere = (other.url, server.url)[number % 2]
                board = (await http.get(f"{elsewhere}{path}")).json()
                assert board["version"] >= done[text]

            await asyncio.gather(*(write(number) for number in range(60)))
        history = events(server, path, headers)
        assert history == events(other, path, headers)
        assert [one["version"] for one in history] == list(range(1, len(history) + 1))
        told = {one["data"]["text"]: one["version"] for one in history if one["type"] == "noted"}
        assert told == done
    finally:
        other.stop()


async def test_a_token_revoked_on_one_replica_is_revoked_on_the_other(server: Server) -> None:
    other = await asyncio.to_thread(Server(server.dsn).start)
    try:
        path, headers = opened(server)
        issued = httpx.post(
            f"{server.url}{path}/tokens", json={"role": "spectator"}, headers=headers
        ).json()
        spectator = {"Authorization": f"Bearer {issued['token']}"}
        assert httpx.get(other.url + path, headers=spectator).status_code == 200
        url = f"{server.url}{path}/tokens/{issued['id']}"
        assert httpx.delete(url, headers=headers).status_code == 204
        assert httpx.get(other.url + path, headers=spectator).status_code == 401
    finally:
        other.stop()
