"""Test the limit of memory in bytes, and that dropped parts come back unchanged."""

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from weakref import ref

import httpx
import pytest

from domain.engine.commands import SetMap
from domain.engine.session import Session
from domain.record.recorded import decode, encode
from domain.rulesets.free_hit import RULESET
from service.app import Service, create_app
from service.hot_combat import LARGE, Hot
from service.live.table import AUDIENCES, KEPT_BYTES, Table
from service.recent_combats import Recent
from service.settings import Settings
from service.store.rows import Head, TokenRow
from tests.bench.fights import fought
from tests.client import Client
from tests.conftest import RULESETS
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.walks import begin

MIB = 1024 * 1024
ROOM_MB = 4


@pytest.fixture
async def small(dsn: str, tmp_path: Path) -> AsyncIterator[tuple[Service, Client]]:
    """Run a service with little memory, and yield it with a client."""
    async with AsyncExitStack() as stack:
        app = create_app(Settings(dsn, tmp_path, hot_mb=ROOM_MB), RULESETS)
        service: Service = app.state.service
        await stack.enter_async_context(service.running(app))
        transport = httpx.ASGITransport(app=service.asgi)
        http = httpx.AsyncClient(transport=transport, base_url="http://localhost")
        yield service, Client(await stack.enter_async_context(http))


def hot(live: Session, *owners: str) -> Hot:
    """Return a combat in memory, with a GM and players."""
    rows = [TokenRow("gm", b"", "gm", "GM", None, ())]
    rows += [TokenRow(who, b"", "player", "", None, (who,)) for who in owners]
    head = Head(uuid4(), live.version, live.digest, 0, 0)
    return Hot(uuid4(), live.left_to_log(), head, {token.id: token for token in rows})


def measured(make: Callable[[], Any]) -> tuple[Any, int]:
    """Make an object. Return it with the bytes that it takes."""
    gc.collect()
    tracemalloc.start()
    made = make()
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return made, taken


@pytest.mark.sampled
@pytest.mark.parametrize("players", [0, 7])
@pytest.mark.parametrize(("events", "foes"), [(60, 2), (500, 12)])
def test_what_is_weighed_is_about_what_is_taken(events: int, foes: int, players: int) -> None:
    states = [encode(recorded) for recorded in fought(events, 7, foes).live.history.recorded]

    def make() -> Hot:
        loaded = hot(Session.stored(RULESET, [decode(state) for state in states]))
        for name in [f"Ana{number}" for number in range(players)]:
            loaded.board_of(TokenRow(name, b"", "player", "", None, (name,)))
        return loaded

    make()  # shared objects exist already
    loaded, taken = measured(make)
    assert 0.5 * taken < loaded.weigh() < 2 * taken


def test_large_events_stay_in_memory_for_a_short_time_only() -> None:
    spec = begin("sovereign", 0)
    spec.prove = lambda: None  # type: ignore[method-assign]
    for number in range(40):
        spec.do(SetMap({"impassable": [[number, y, 0] for y in range(3_000)]}))
    loaded = hot(spec.live)
    assert len(loaded.live.history.tail) > 40
    weight = loaded.weigh()
    assert weight < LARGE * 2
    assert len(loaded.live.history.tail) < 30
    assert loaded.live.combat == spec.live.combat


def test_as_many_stay_as_there_is_room_for() -> None:
    live = fought(30).live
    weight = hot(live).weigh()
    recent = Recent(10, 3 * weight + weight // 2)
    combats = [hot(live) for _ in range(5)]
    for combat in combats:
        recent.used(combat)
    assert (len(recent), recent.weight) == (3, 3 * weight)
    recent.used(combats[2])
    recent.used(hot(live))  # drops the fourth combat, the least recently used
    recent.let_go(combats[3].id)
    assert (len(recent), recent.weight) == (3, 3 * weight)
    recent.let_go(combats[2].id)
    assert (len(recent), recent.weight) == (2, 2 * weight)


def test_the_one_that_is_used_stays_whatever_it_weighs() -> None:
    recent = Recent(10, 1)
    for _ in range(3):
        recent.used(hot(fought(30).live))
    assert len(recent) == 1


async def test_opening_and_forking_for_ever_stays_within_bounds(
    small: tuple[Service, Client],
) -> None:
    service, client = small
    sheets: list[Any] = [unit("Ana", agility=5, weapons=[SWORD], max_hp=900), foe("Imp")]
    await client.open("free-hit", sheets)
    await client.done("/begin")
    for number in range(40):
        await client.done("/notes", {"text": f"note {number} " + "x" * 900})
    first, told = (client.combat, client.token), (await client.get()).content
    events = (await client.get("/events", params={"limit": 500})).content
    version = (await client.get()).json()["version"]
    opened = []

    async def more(times: int) -> None:
        for _ in range(times):
            client.combat, client.token = first
            made = await client.done("/fork", {"version": version})
            client.combat, client.token = made["combat"], made["token"]
            await client.done("/notes", {"text": "mine"})
            await client.get()
            opened.append((client.combat, client.token))

    await more(3)
    gc.collect()
    tracemalloc.start()
    await more(25)
    assert len(service.combats.recent) < 25
    assert service.combats.recent.weight <= ROOM_MB * MIB
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 1.5 * ROOM_MB * MIB, service.combats.recent.weight

    client.combat, client.token = first
    assert (await client.get()).content == told
    assert (await client.get("/events", params={"limit": 500})).content == events
    loads = service.combats.counts["loads"]
    client.combat, client.token = opened[0]
    await client.done("/notes", {"text": "still mine"})
    assert service.combats.counts["loads"] == loads + 1
    texts = [
        event["data"]["text"]
        for event in (await client.get("/events", params={"limit": 500})).json()["events"]
        if event["type"] == "noted"
    ]
    assert texts[-2:] == ["mine", "still mine"]


async def test_who_only_listens_keeps_nothing_in_memory(small: tuple[Service, Client]) -> None:
    service, client = small
    await client.open("free-hit", [unit("Ana", agility=5), foe("Imp")])
    combats, id = service.combats, UUID(client.combat)
    hot = await combats.confirmed(id)
    (row,) = hot.tokens.values()
    pieces = await service.streams.listen(hot, row, after=None, full=False, wait_s=None)
    heard: list[bytes] = []

    async def hear() -> None:
        async for piece in pieces:
            heard.append(piece)

    async def let_go_then_told(text: str) -> None:
        kept = ref(await combats.confirmed(id))
        combats.let_go(id)
        await until(lambda: kept() is None)
        await client.done("/notes", {"text": text})
        await until(lambda: any(text.encode() in piece for piece in heard))

    del hot
    listening = asyncio.create_task(hear())
    await let_go_then_told("one")
    await let_go_then_told("two")
    listening.cancel()


def test_messages_for_listeners_are_kept_up_to_a_size() -> None:
    spec, table = fought(60, 7, 60), Table()
    rows = [TokenRow(f"p{n}", b"", "player", "", None, (f"Ana{n % 7}",)) for n in range(AUDIENCES)]
    loaded = hot(spec.live)
    number = loaded.seen_by(rows[0]).sequence
    for _ in range(20):
        who = spec.prompt().who or ""
        loaded.live = spec.act(who, "end-turn").live
        message = table.read(loaded, rows[0], "mark", number, full=True).messages[-1]
        assert table.at_hand(loaded, rows[0], True, (number, message.number)) == message
        number = message.number
    (kept,) = table.encoded.values()
    size = len(message.body)
    assert size > KEPT_BYTES / 20
    assert sum(len(other.body) for other in kept) <= max(KEPT_BYTES, size)
    for row in rows[1:]:
        table.read(loaded, row, "mark", number - 1, full=False)
    table.read(loaded, rows[0], "mark", number - 1, full=False)
    assert len(table.encoded) == AUDIENCES


async def until(what: Callable[[], bool]) -> None:
    """Wait up to 10 s for a condition."""
    async with asyncio.timeout(10):
        while not what():
            gc.collect()
            await asyncio.sleep(0.02)
