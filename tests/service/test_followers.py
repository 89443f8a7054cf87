"""Test the read models that follow the log, and how they are rebuilt."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
from eventsourcing.persistence import StoredEvent, Tracking

from domain.record.events import Noted, Reverted
from domain.record.recorded import Recorded
from projections.combats import Combats
from projections.projection import View, present
from service.app import Service
from service.store.database import Database
from service.store.follower import Follower, lock_of
from service.store.mapper import Mapper
from service.store.rebuild import AlreadyRebuilding, rebuild
from service.store.rows import Append, Unavailable
from tests.client import Client
from tests.following import caught_up
from tests.rulesets.free_hit.units import SWORD, foe, unit

SHEETS: list[Mapping[str, Any]] = [
    unit("Ana", agility=5, weapons=[SWORD], max_hp=900),
    foe("Imp", max_hp=900),
]


async def listed(client: Client) -> dict[str, Any]:
    lines = (await client.http.get("/v1/combats", params={"limit": 200})).json()["combats"]
    return {line["id"]: line for line in lines}


async def opened(client: Client, name: str = "Bridge") -> Client:
    fight = Client(client.http)
    await fight.open("free-hit", SHEETS, name=name)
    return fight


async def rows(service: Service, schema: str = "projection_combats") -> list[Any]:
    response = await service.store.pool.fetch(f"SELECT * FROM {schema}.combats ORDER BY combat_id")
    return [tuple(row) for row in response]


async def test_the_list_is_made_of_what_was_not_undone(service: Service, client: Client) -> None:
    fight = await opened(client)
    await caught_up(service)
    assert (await listed(client))[fight.combat]["status"] == "opening"
    await fight.done("/begin")
    await caught_up(service)
    assert (await listed(client))[fight.combat]["status"] == "running"
    await fight.done("/undo")
    await caught_up(service)
    line = (await listed(client))[fight.combat]
    assert (line["status"], line["round"], line["name"]) == ("opening", 0, "Bridge")
    await fight.done("/redo")
    await fight.done("/end", {})
    await caught_up(service)
    assert (await listed(client))[fight.combat]["status"] == "ended"


async def test_combats_are_found_by_their_labels(service: Service, client: Client) -> None:
    fight, other = await opened(client), await opened(client)
    labels = {"labels": ["Campaign Zwölf", "session 4", "session 4"]}
    told = await fight.call("PATCH", "", labels)
    assert told.json()["events"][0]["data"] == {"labels": ["Campaign Zwölf", "session 4"]}
    body = {"ruleset": "toy", "labels": ["session 4"], "options": {}}
    at_once = (await client.http.post("/v1/combats", json=body)).json()
    assert at_once["board"]["labels"] == ["session 4"]
    await caught_up(service)

    async def listed_by(**params: str) -> set[str]:
        page = await client.http.get("/v1/combats", params=params)
        return {line["id"] for line in page.json()["combats"]}

    assert await listed_by(label="session 4") == {fight.combat, at_once["combat"]}
    assert await listed_by(label="session") == set()
    assert await listed_by(search="campaign zw") == {fight.combat}
    assert (await listed(client))[other.combat]["labels"] == []
    spectator = await fight.player(role="spectator")
    assert "session 4" not in (await fight.get(token=spectator)).text
    assert (await fight.call("PATCH", "", labels, token=spectator)).status_code == 403
    await fight.done("/undo")
    await caught_up(service)
    assert await listed_by(label="session 4") == {at_once["combat"]}
    wrong = await fight.call("PATCH", "", {"labels": ["x" * 65]})
    assert (wrong.status_code, wrong.json()["pointer"]) == (400, "/labels/0")


async def test_times_are_those_of_the_events(service: Service, client: Client) -> None:
    fight = await opened(client)
    await fight.done("/begin")
    await caught_up(service)
    events = (await fight.get("/events")).json()["events"]
    line = (await listed(client))[fight.combat]
    assert datetime.fromisoformat(line["created_at"]) == datetime.fromisoformat(events[0]["at"])
    assert datetime.fromisoformat(line["updated_at"]) == datetime.fromisoformat(events[-1]["at"])
    assert events[0]["at"] < events[-1]["at"]


async def test_erased_and_deleted_in_every_read_model(service: Service, client: Client) -> None:
    erased, deleted = await opened(client, "Secret name"), await opened(client)
    await caught_up(service)
    assert (await erased.post("/erase", {"version": 1})).status_code == 204
    assert (await deleted.call("DELETE")).status_code == 204
    assert deleted.combat not in await listed(client)  # at once
    await caught_up(service)
    stored = {str(row[0]): row for row in await rows(service)}
    assert deleted.combat not in stored
    assert stored[erased.combat][1].startswith("erased:sha256:")


async def poison(service: Service) -> UUID:
    """Store a combat whose first event has a type that only a newer release would know."""
    combat = uuid4()
    event = StoredEvent(combat, 1, "from-the-future:1", b'{"a": 1}')
    await service.store.append(Append(combat, uuid4(), [event], None, uuid4(), "h"))
    return combat


async def test_what_cannot_be_taken_sets_aside_one_combat_only(
    service: Service, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    before = await opened(client)
    with caplog.at_level(logging.ERROR, "affray"):
        bad = await poison(service)
        after = await opened(client)
        await before.done("/begin")
        await caught_up(service)
    by_id = await listed(client)
    assert (by_id[before.combat]["status"], by_id[after.combat]["status"]) == ("running", "opening")
    assert f"combats cannot take event 1 of combat {bad}" in caplog.text
    assert next(status.set_aside for status in await service.followers.status()) == 1
    metrics = (await client.http.get("/metrics")).text
    assert 'affray_projection_set_aside{projection="combats"} 1.0' in metrics
    assert 'affray_projection_lag{projection="combats"} 0.0' in metrics
    await service.store.delete(bad, (await service.combats.store.heads([bad]))[bad])
    await caught_up(service)
    assert next(status.set_aside for status in await service.followers.status()) == 0


async def test_the_old_one_serves_until_the_new_one_is_whole(
    service: Service, client: Client
) -> None:
    await opened(client)
    await caught_up(service)
    before = len(await rows(service))
    seen: list[int] = []

    class Watched(Combats):
        async def process_events(
            self, view: View, events: Sequence[tuple[Recorded, Tracking]]
        ) -> None:
            await super().process_events(view, events)
            seen.append(len(await rows(service)))
            with pytest.raises(AlreadyRebuilding):
                await rebuild(service.store.database, Combats(), Mapper())

    await rebuild(service.store.database, Watched(), Mapper())
    assert seen
    assert set(seen) == {before}
    assert len(await rows(service)) == before


async def test_a_new_release_of_a_projection_is_made_anew(service: Service, client: Client) -> None:
    class Later(Combats):
        release = Combats.release + 1

    assert not await Follower(service.store.database, Later(), Mapper()).ensure()
    assert await Follower(service.store.database, Combats(), Mapper()).ensure()


async def test_a_batch_is_taken_whole_or_not_at_all(service: Service, client: Client) -> None:
    store = service.store

    class Dies(Combats):
        name = "dies"
        left = 1

        async def process_events(
            self, view: View, events: Sequence[tuple[Recorded, Tracking]]
        ) -> None:
            await super().process_events(view, events)
            if self.left:
                self.left -= 1
                raise asyncpg.ConnectionDoesNotExistError("killed")

    await opened(client)
    await caught_up(service)
    follower = Follower(store.database, Dies(), Mapper())
    await follower.ensure()
    with pytest.raises(Exception, match="killed"):
        await follower.advance()
    assert await rows(service, "projection_dies") == []
    assert (await follower.status()).position == 0
    while await follower.advance():
        pass
    assert await rows(service, "projection_dies") == await rows(service)


async def test_what_takes_too_long_sets_aside_one_combat_only(
    service: Service, client: Client, dsn: str
) -> None:
    """If one combat is slow, the follower sets only this combat aside.

    It first tries smaller batches, and then a single event three times.
    """
    first, slow, last = [await opened(client) for _ in range(3)]
    await caught_up(service)

    class Slow(Combats):
        name = "slow"

        async def process_events(
            self, view: View, events: Sequence[tuple[Recorded, Tracking]]
        ) -> None:
            if any(recorded.combat == slow.combat for recorded, _ in events):
                await view.execute("SELECT pg_sleep(60)")
            await super().process_events(view, events)

    pool = await asyncpg.create_pool(
        dsn, min_size=1, max_size=2, server_settings={"statement_timeout": "200"}
    )
    follower = Follower(Database(pool, dsn), Slow(), Mapper())
    await follower.ensure()
    failed, more = 0, True
    while more:
        try:
            more = await follower.advance()
        except Unavailable:
            failed += 1
    status = await follower.status()
    await pool.close()
    assert failed >= 6  # 1000, 125, 15 events, and one event three times
    assert (status.lag, status.set_aside) == (0, 1)
    names = {str(row[0]) for row in await rows(service, "projection_slow")}
    assert {first.combat, last.combat} <= names
    assert slow.combat not in names


def test_the_present_of_some_events() -> None:
    """The current path contains the events 1, 2, 3 and 8, and not the undone events 5 and 6.

    Event 4 is an undo to version 1. Event 7 is a return to version 3, so event 8 follows event 3.
    """

    def recorded_at(version: int, to: int | None = None) -> Recorded:
        event: Any = Noted("n") if to is None else Reverted(to)
        return Recorded(version, 0, "", "", ("", ""), event)

    log = [
        recorded_at(1),
        recorded_at(2),
        recorded_at(3),
        recorded_at(4, 1),
        recorded_at(5),
        recorded_at(6),
        recorded_at(7, 3),
        recorded_at(8),
    ]
    assert [recorded.version for recorded in present(log)] == [1, 2, 3, 8]
    assert [recorded.version for recorded in present([log[0], *log[3:]])] == [1, 8]
    assert [recorded.version for recorded in present(log[:4])] == [1]
    assert present([]) == []


async def test_a_fight_in_figures_for_each_audience(service: Service, client: Client) -> None:
    fight = await opened(client)
    player = await fight.player("Ana")
    await fight.done("/begin")
    for who, amount in (("Ana", 3), ("Imp", 5)):
        ruling = {
            "ruling": "damage",
            "inputs": {"combatant": who, "amount": amount},
            "reason": "rocks",
        }
        await fight.done("/rulings", ruling)
    await fight.done("/undo")

    async def taken(token: str | None = None) -> dict[str, Any]:
        combatants = (await fight.get("/statistics", token=token)).json()["combatants"]
        points = ((figures["combatant"], figures["taken"]) for figures in combatants)
        return {who: None if taken is None else sum(taken.values()) for who, taken in points}

    assert await taken() == {"Ana": 3, "Imp": 0}
    await fight.done("/redo")
    assert await taken() == {"Ana": 3, "Imp": 5}
    assert await taken(player) == {"Ana": 3, "Imp": None}  # players do not know a foe's points
    blows = (await fight.get("/statistics", token=player)).json()["combatants"]
    assert [blow["blows_taken"] for blow in blows] == [0, 0]  # a GM's ruling is not an attack
    await caught_up(service)
    stored = await service.store.pool.fetch(
        "SELECT combatant, taken FROM projection_statistics.figures WHERE combat_id = $1"
        " ORDER BY combatant",
        UUID(fight.combat),
    )
    assert {row[0]: row[1] for row in stored} == await taken()


async def test_metrics_need_no_database(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone() -> None:
        raise Unavailable("no connection")

    monkeypatch.setattr(service.followers, "status", gone)
    answer = await client.http.get("/metrics")
    assert answer.status_code == 200
    assert "affray_commands_total" in answer.text


async def test_a_start_waits_for_nobody_who_follows(service: Service) -> None:
    follower = service.followers.all["combats"]
    async with service.store.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_of(follower.schema))
        async with asyncio.timeout(1):
            assert await follower.ensure()


async def test_two_replicas_that_start_on_a_new_database_make_each_table_once(
    service: Service,
) -> None:
    class New(Combats):
        name = "new"

    database = service.store.database
    first, second = (Follower(database, New(), Mapper()) for _ in range(2))
    async with database.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", lock_of(first.schema))
        waiting = asyncio.create_task(second.ensure())
        await asyncio.sleep(0.2)  # the second follower waits for the lock
        assert await first._ensure(connection)
    assert await waiting
