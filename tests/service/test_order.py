"""Test that no reader of the log misses or repeats an event, even after a late commit."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any, cast
from uuid import UUID, uuid4

import asyncpg
import pytest
from eventsourcing.persistence import Notification, StoredEvent

from service.store.database import Database
from service.store.log import Store
from service.store.notifications import Notifications
from service.store.order import Order
from service.store.rows import Append


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[Store]:
    opened = await Store.open(dsn)
    yield opened
    await opened.close()


@pytest.fixture
def order(store: Store, dsn: str) -> Order:
    return Order(store.database, dsn, store.stored)


def command(combat: UUID, versions: range = range(1, 2), before: Append | None = None) -> Append:
    events = [StoredEvent(combat, version, "noted:1", b"{}") for version in versions]
    head = None if before is None else before.after
    return Append(combat, uuid4(), events, head, uuid4(), f"h{versions[-1]}")


async def all_after(store: Store, number: int) -> list[Notification]:
    """Return all notifications after `number`, read in pages of 7."""
    notifications: list[Notification] = []
    log = Notifications(store.database)
    while True:
        page = await log.select_notifications(number, 7, inclusive_of_start=False)
        if not page:
            return notifications
        notifications += page
        number = page[-1].id


async def last(store: Store) -> int:
    return await Notifications(store.database).max_notification_id() or 0


async def near_a_digit(connection: asyncpg.Connection) -> None:
    """Use up transaction ids, so that the ids soon get a further digit."""
    now = int(await connection.fetchval("SELECT pg_current_xact_id()::text"))
    goal = 10 ** len(str(now)) - 20
    await connection.execute("CREATE TABLE IF NOT EXISTS used_up (n int)")
    await connection.execute(
        "DO $$ BEGIN FOR n IN 1.." + str(goal - now) + " LOOP BEGIN INSERT INTO used_up VALUES (n);"
        " EXCEPTION WHEN unique_violation THEN END; END LOOP; END $$"
    )


async def test_ids_that_grow_by_a_digit_behind_a_held_transaction(
    store: Store, order: Order, dsn: str
) -> None:
    start = await last(store)
    held = await asyncpg.connect(dsn)
    await near_a_digit(held)
    holding = held.transaction()
    await holding.start()
    await held.execute("INSERT INTO used_up VALUES (0)")  # the held transaction now has its id
    combats = [uuid4() for _ in range(60)]
    for combat in combats:
        await store.append(command(combat))
    while await order.place():
        pass
    seen = [notification.originator_id for notification in await all_after(store, start)]
    assert seen == combats  # although the transaction is still open
    await holding.commit()
    await held.close()
    assert [notification.originator_id for notification in await all_after(store, start)] == combats


async def test_a_late_commit_comes_last(store: Store, order: Order, dsn: str) -> None:
    start = await last(store)
    early, late = command(uuid4()), command(uuid4())
    held = await asyncpg.connect(dsn)
    slow = Store(store.database)
    holding = held.transaction()
    await holding.start()

    class Held:
        async def run(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
            return await work(held)

    slow.statements.database = cast(Database, Held())
    await slow.append(late)  # `late` drew its number first
    await store.append(early)
    await order.place()
    assert [notification.originator_id for notification in await all_after(store, start)] == [
        early.combat
    ]
    number = await last(store)
    await holding.commit()
    await held.close()
    await order.place()
    assert [notification.originator_id for notification in await all_after(store, number)] == [
        late.combat
    ]


async def test_several_place_at_once_and_nothing_is_missed(store: Store, dsn: str) -> None:
    random = Random(1)
    start = await last(store)
    written: list[tuple[UUID, int]] = []

    async def write() -> None:
        for _ in range(8):
            combat, first, before = uuid4(), 1, None
            for _ in range(random.randint(1, 4)):
                upto = first + random.randint(1, 50)
                before = command(combat, range(first, upto), before)
                await store.append(before)
                written.extend((combat, number) for number in range(first, upto))
                first = upto

    seen: list[Notification] = []

    async def follow() -> None:
        after = seen[-1].id if seen else start
        seen.extend(await all_after(store, after))

    orders = [Order(store.database, dsn, store.stored) for _ in range(2)]
    writers = asyncio.gather(*(write() for _ in range(6)))
    while not writers.done():
        await asyncio.gather(*(order.place() for order in orders))
        await follow()
    await writers
    while await orders[0].place():
        pass
    await follow()
    told = [(notification.originator_id, notification.originator_version) for notification in seen]
    assert sorted(told) == sorted(written)
    assert [notification.id for notification in seen] == list(
        range(start + 1, start + 1 + len(written))
    )
    for combat in {combat for combat, _ in written}:
        own = [version for other, version in told if other == combat]
        assert own == sorted(own)


async def test_a_deleted_combat_leaves_a_mark_and_nothing_else(store: Store, order: Order) -> None:
    start = await last(store)
    placed, unplaced = command(uuid4(), range(1, 4)), command(uuid4(), range(1, 3))
    await store.append(placed)
    await order.place()
    await store.append(unplaced)
    for append in (placed, unplaced):
        await store.delete(append.combat, append.after)
    await order.place()
    assert [
        (notification.originator_id, notification.topic)
        for notification in await all_after(store, start)
    ] == [
        (placed.combat, "combat-deleted:1"),
        (unplaced.combat, "combat-deleted:1"),
    ]
    await store.append(command(placed.combat))  # imported again
    await order.place()
    assert [
        (notification.originator_version, notification.topic)
        for notification in await all_after(store, start)
        if notification.originator_id == placed.combat
    ] == [(0, "combat-deleted:1"), (1, "noted:1")]


async def test_it_stops_in_the_instant_in_which_something_is_stored(
    store: Store, order: Order
) -> None:
    order.start()
    await asyncio.sleep(0.05)
    store.stored.set()
    stopping = asyncio.create_task(order.stop())
    done, _ = await asyncio.wait([stopping], timeout=3)
    assert done
