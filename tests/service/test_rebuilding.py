"""A rebuilt read model equals the one that has followed the log.

The tests use random play of every rulebook, with undo, forks, erasure, deletion and import.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from projections.registry import installed
from service.app import Service
from service.live.clock import Clock
from service.quarantine import Aside
from service.store.mapper import Mapper
from service.store.rebuild import rebuild
from tests.client import Client
from tests.following import caught_up
from tests.fuzz.test_walker import LONG, HttpWalker
from tests.walks import FIGHTS

COMMANDS = 400 if LONG else 30
DEADLINES = {"turn": 900, "declare": 800, "reaction": 700, "choice": 600, "ruling": 500}

TABLES: Mapping[str, tuple[str, ...]] = {
    "combats": ("combats",),
    "statistics": ("fights", "figures"),
    "deadlines": ("deadlines",),
}
"""The tables of each read model."""


async def written(service: Service) -> dict[str, list[Any]]:
    """Return the rows of all read models, after the clock has processed all deadlines.

    Before that, the rows of `deadlines` may differ, because `due` only tells the clock when to
    check.
    """
    pool = service.store.pool
    await pool.execute("UPDATE projection_deadlines.deadlines SET due = now()")
    clock = Clock(service.combats, service.store.database, Aside())
    while await pool.fetchval(
        "SELECT count(*) FROM projection_deadlines.deadlines WHERE due <= now()"
    ):
        await clock.look()
    contents = {}
    for name, tables in TABLES.items():
        for table in tables:
            rows = await pool.fetch(f"SELECT * FROM projection_{name}.{table} ORDER BY 1, 2")
            contents[f"{name}.{table}"] = [tuple(row) for row in rows]
    return contents


async def meddle(walker: HttpWalker, random: Random, all: list[Client]) -> None:
    """Send a random command of the GM. If it is a fork, the walker continues in the fork."""
    client = walker.client
    version = (await client.get()).json()["version"]
    move, body = random.choice(
        [
            ("/undo", {}),
            ("/redo", {}),
            ("/goto", {"version": random.randint(1, version)}),
            ("/notes", {"text": "n"}),
            ("/fork", {}),
            ("/erase", {"version": 1}),
        ]
    )
    answer = await client.post(move, body)
    assert answer.status_code in (200, 201, 204, 404, 409), (move, answer.text)
    if move == "/fork" and answer.status_code == 201:
        walker.client = Client(client.http)
        walker.client.combat, walker.client.token = (
            answer.json()["combat"],
            answer.json()["token"],
        )
        all.append(walker.client)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
async def test_made_anew_it_is_the_same(service: Service, client: Client, ruleset: str) -> None:
    random = Random(f"{ruleset} 5")
    waiting = Client(client.http)
    await waiting.open(ruleset, list(FIGHTS[ruleset]()), deadlines=DEADLINES)
    await waiting.done("/begin")
    walker = HttpWalker(Client(client.http), ruleset, random)
    await walker.fight()
    fights = [walker.client]
    assert (await walker.client.call("PUT", "/deadlines", DEADLINES)).status_code == 200
    for number in range(COMMANDS):
        state = (await walker.client.get()).json()
        if state["status"] == "ended" or number == COMMANDS // 2:
            walker.client = Client(client.http)
            await walker.fight()
            fights.append(walker.client)
        elif number % 5 == 4:
            await meddle(walker, random, fights)
        else:
            await walker.step(state)
    file = (await fights[0].get("/export")).content
    assert (await fights[0].call("DELETE")).status_code == 204
    headers = {"Content-Type": "application/x-ndjson"}
    back = await client.http.post("/v1/combats/import", content=file, headers=headers)
    assert back.status_code == 201, back.text
    assert (await fights[-1].post("/erase", {"version": 1})).status_code == 204
    if len(fights) > 2:
        assert (await fights[1].call("DELETE")).status_code == 204

    await caught_up(service)
    assert set(TABLES) == set(installed())
    followed = await written(service)
    assert all(followed[f"{name}.{tables[0]}"] for name, tables in TABLES.items()), followed
    assert any(row[-1] for row in followed["statistics.figures"])  # dice fell
    for projection in installed().values():
        await rebuild(service.store.database, projection, Mapper())
    assert await written(service) == followed
