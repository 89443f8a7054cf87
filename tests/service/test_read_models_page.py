"""Test that each method of docs/read-models.md works as written."""

import asyncio
import re
from pathlib import Path
from typing import Any

from eventsourcing.application import Application

from projections import registry as projections
from service.app import Service
from service.store.follower import Follower
from service.store.mapper import Mapper
from tests.client import Client
from tests.following import caught_up
from tests.rulesets.free_hit.units import SWORD, foe, unit

PAGE = (Path(__file__).parents[2] / "docs" / "read-models.md").read_text()
INSIDE, OUTSIDE, SAVING = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def ran(text: str) -> dict[str, Any]:
    """Return the names that a program of the page defines."""
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(text, "docs/read-models.md", "exec"), names)
    return names


async def somebody_falls(client: Client) -> Client:
    fight = Client(client.http)
    ana = unit("Ana", agility=5, weapons=[SWORD], max_hp=10)
    await fight.open("free-hit", [ana, foe("Imp", max_hp=900)])
    await fight.done("/begin")
    ruling = {"ruling": "damage", "inputs": {"combatant": "Ana", "amount": 300}, "reason": "a rock"}
    await fight.done("/rulings", ruling)
    return fight


async def test_a_projection_in_the_service(
    service: Service, client: Client, monkeypatch: Any
) -> None:
    falls = ran(INSIDE)["Falls"]

    class Point:
        name = "falls"

        def load(self) -> Any:
            return falls

    monkeypatch.setattr(projections, "entry_points", lambda group: [Point()])
    names = projections.installed()
    assert list(names) == ["combats", "deadlines", "statistics", "falls"]
    fight = await somebody_falls(client)
    await caught_up(service)
    database = service.store.database
    follower = Follower(database, names["falls"], Mapper())
    await follower.ensure()
    while await follower.advance():
        pass
    rows = await database.run(
        lambda connection: connection.fetch("SELECT * FROM projection_falls.falls")
    )
    assert [(str(row[0]), row[1]) for row in rows] == [(fight.combat, "Ana")]
    await fight.call("DELETE")
    await caught_up(service)
    while await follower.advance():
        pass
    rows = await database.run(
        lambda connection: connection.fetch("SELECT * FROM projection_falls.falls")
    )
    assert rows == []


async def test_a_runner_outside(service: Service, client: Client, dsn: str) -> None:
    run = ran(OUTSIDE)["run"]
    with await asyncio.to_thread(run, dsn) as runner:
        await somebody_falls(client)
        await caught_up(service)
        end = (await service.followers.status())[0].position
        await asyncio.to_thread(runner.wait, end, 10)
        numbers = runner.projection.view.numbers
    assert numbers["CombatOpened"] == 1
    assert numbers["CombatDeleted"] == 1  # from the test before


async def test_an_offline_tool_saves_a_note(service: Service, client: Client, dsn: str) -> None:
    add_note = ran(SAVING)["add_note"]
    fight = await somebody_falls(client)
    before = (await fight.get()).json()["version"]
    env = {"PERSISTENCE_MODULE": "service.store.persistence", "DATABASE_URL": dsn}

    def save() -> None:
        with Application[Any](env=env) as application:
            add_note(application, fight.combat, "The rock was heavy.")

    await asyncio.to_thread(save)
    (noted,) = (await fight.get(f"/events?after={before}")).json()["events"]
    assert (noted["type"], noted["data"]["text"]) == ("noted", "The rock was heavy.")
