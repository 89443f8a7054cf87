"""Test the contract of the store's port on a real PostgreSQL and on the model."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Protocol, cast
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import Notification
from msgspec.structs import replace

from service.store.log import DELETED, ERASED, Store
from service.store.notifications import Notifications
from service.store.order import place
from service.store.port import Log, Statements
from service.store.rows import Append, Conflict, FirstAnswer, Head, TokenRow
from tests.service.test_store import events, following, opening
from tests.simulation.model import ModelDatabase, ModelStatements, ModelStore


class Ordered(Protocol):
    """The log in its global order."""

    async def place(self) -> int: ...

    async def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]: ...

    async def max_notification_id(self) -> int | None: ...


class OrderedStore(Notifications):
    """The global order in PostgreSQL."""

    async def place(self) -> int:
        return await place(self.database)


class Case(Protocol):
    """A store, its statements, and its order."""

    log: Log
    statements: Statements
    order: Ordered


class ModelCase:
    def __init__(self, database: ModelDatabase | None = None) -> None:
        store = ModelStore(database or ModelDatabase())
        self.log: Log = store
        self.statements: Statements = ModelStatements(store.database, store.link)
        self.order: Ordered = store


class SqlCase:
    def __init__(self, store: Store) -> None:
        self.log: Log = store
        self.statements: Statements = store.statements
        self.order: Ordered = OrderedStore(store.database)


@pytest.fixture
async def postgresql(dsn: str) -> AsyncIterator[SqlCase]:
    store = await Store.open(dsn)
    yield SqlCase(store)
    await store.close()


@pytest.fixture(params=["model", "postgresql"])
def case(request: pytest.FixtureRequest) -> Case:
    if request.param == "model":
        return ModelCase()
    return cast(Case, request.getfixturevalue("postgresql"))


@pytest.fixture
def log(case: Case) -> Log:
    return case.log


def token(id: str = "t1", *, ends_at: datetime | None = None) -> TokenRow:
    return TokenRow(id, b"hash", "player", "Anna", "anna", ("Ana", "Bo"), ends_at)


def answer(key: str = "key", by: str = "gm") -> FirstAnswer:
    return FirstAnswer(by, key, b"print", 200, "2", b"body")


async def opened(log: Log, **more: Any) -> Append:
    command = opening(uuid4(), 1, **more)
    await log.append(command)
    return command


async def test_a_command_is_stored_with_all_that_belongs_to_it(log: Log) -> None:
    combat = uuid4()
    command = opening(
        combat, 1, 2, answer=answer(), tokens=[token(), token("t0")], seeds=[("c", b"seed")]
    )
    await log.append(command)
    assert await log.events(combat) == events(combat, 1, 2)
    assert await log.head(combat) == command.after == Head(command.life, 2, "h2", 0, 0)
    assert await log.answer(combat, "gm", "key") == replace(answer(), command=command.command)
    assert await log.tokens(combat) == [token("t0"), token()]
    assert await log.token(combat, "t1") == token()
    assert await log.seeds(combat) == {"c": b"seed"}
    assert log.stored.is_set()


async def test_a_missing_combat_has_nothing(log: Log) -> None:
    combat = uuid4()
    assert await log.head(combat) is None
    assert await log.heads([combat]) == {}
    assert await log.events(combat) == []
    assert await log.events_among(combat, [(1, 9)]) == []
    assert await log.answer(combat, "gm", "key") is None
    assert await log.tokens(combat) == []
    assert await log.token(combat, "t1") is None
    assert await log.seeds(combat) == {}
    assert await log.snapshot(combat) == (None, [])
    await log.ping()


async def test_events_are_read_by_versions_and_by_spans(log: Log) -> None:
    combat = uuid4()
    command = opening(combat, 1, 2, 3, 4, 5, 6)
    await log.append(command)
    assert await log.events(combat, 2) == events(combat, 3, 4, 5, 6)
    assert await log.events(combat, 2, 4) == events(combat, 3, 4)
    assert await log.events_among(combat, [(1, 2), (5, 5), (9, 12)]) == events(combat, 1, 2, 5)
    assert await log.snapshot(combat) == (command.after, events(combat, 1, 2, 3, 4, 5, 6))


async def test_combats_follow_one_another_by_their_ids(log: Log) -> None:
    first = uuid4().int & ~3  # so that the next three ids are free
    ids = [UUID(int=first + number) for number in range(3)]
    for combat in ids:
        await log.append(opening(combat, 1))
    assert await log.next_combat(ids[0]) == ids[1]
    assert await log.next_combat(UUID(int=ids[2].int - 1)) == ids[2]
    assert await log.next_combat(UUID(int=2**128 - 1)) is None


@pytest.mark.parametrize("other", ["version", "digest", "tokens", "texts", "life"])
async def test_a_command_on_another_head_conflicts_and_leaves_nothing(log: Log, other: str) -> None:
    first = await opened(log)
    wrong: Any = {"digest": "no", "life": uuid4()}.get(other, 7)
    head = replace(first.after, **{other: wrong})
    late = following(head, first.combat, 2, answer=answer("late"))
    with pytest.raises(Conflict):
        await log.append(late)
    assert await log.head(first.combat) == first.after
    assert await log.events(first.combat) == events(first.combat, 1)
    assert await log.answer(first.combat, "gm", "late") is None


async def test_a_combat_is_opened_once(log: Log) -> None:
    first = await opened(log)
    with pytest.raises(Conflict):
        await log.append(opening(first.combat, 1, tokens=[token("other")]))
    assert await log.head(first.combat) == first.after
    assert await log.tokens(first.combat) == []


async def test_versions_have_no_gap(log: Log) -> None:
    first = await opened(log)
    with pytest.raises(Conflict):
        await log.append(following(first, first.combat, 2, 4))
    assert await log.head(first.combat) == first.after


async def test_a_command_stored_twice_is_the_same_one(case: Case) -> None:
    first = await opened(case.log)
    second = following(first, first.combat, 2)
    assert not await case.statements.has(second)
    assert await case.statements.alone(second)
    assert await case.statements.has(second)
    assert not await case.statements.alone(second)
    assert not await case.statements.has(following(first, first.combat, 2))


async def test_a_key_that_was_answered_conflicts(log: Log) -> None:
    first = await opened(log, answer=answer())
    with pytest.raises(Conflict):
        await log.append(following(first, first.combat, 2, answer=answer()))
    await log.append(following(first, first.combat, 2, answer=answer(by="t1")))
    assert await log.head(first.combat) == replace(first.after, version=2, digest="h2")


@pytest.mark.parametrize("seconds", [-1, 60])
async def test_a_command_needs_a_token_in_force(log: Log, seconds: int) -> None:
    first = await opened(log)
    ends_at = datetime.now(UTC) + timedelta(seconds=seconds)
    command = following(first, first.combat, 2, ends_at=ends_at)
    if seconds > 0:
        await log.append(command)
    else:
        with pytest.raises(Conflict):
            await log.append(command)


async def test_of_several_together_those_that_fit_are_stored(case: Case) -> None:
    firsts = [await opened(case.log) for _ in range(3)]
    missing = opening(uuid4(), 1)
    commands = [following(first, first.combat, 2) for first in [*firsts, missing]]
    commands[1] = following(replace(firsts[1].after, version=5), firsts[1].combat, 6)
    stored, free = await case.statements.together(commands)
    assert stored == {firsts[0].combat, firsts[2].combat}
    assert free == {first.combat for first in firsts}
    heads = await case.log.heads([first.combat for first in firsts])
    assert [heads[first.combat].version for first in firsts] == [2, 1, 2]


async def test_an_answered_key_stores_none_of_several(case: Case) -> None:
    firsts = [await opened(case.log, answer=answer()) for _ in range(2)]
    commands = [
        following(firsts[0], firsts[0].combat, 2),
        following(firsts[1], firsts[1].combat, 2, answer=answer()),
    ]
    with pytest.raises(Conflict):
        await case.statements.together(commands)
    assert await case.log.head(firsts[0].combat) == firsts[0].after


async def test_of_racing_commands_one_wins(log: Log) -> None:
    first = await opened(log)
    commands = [following(first, first.combat, 2) for _ in range(5)]
    answers = await asyncio.gather(*map(log.append, commands), return_exceptions=True)
    assert [type(outcome) for outcome in answers].count(Conflict) == 4
    assert await log.events(first.combat) == events(first.combat, 1, 2)


async def test_a_token_is_issued_and_revoked(log: Log) -> None:
    first = await opened(log, tokens=[token()])
    ends_at = datetime.now(UTC) + timedelta(seconds=60)
    other = token("t2", ends_at=ends_at)
    await log.add_token(first.combat, first.after, other, answer())
    head = replace(first.after, tokens=1)
    assert await log.head(first.combat) == head
    assert await log.token(first.combat, "t2") == other
    kept = await log.answer(first.combat, "gm", "key")
    assert kept == replace(answer(), status=201, etag="")
    await log.revoke(first.combat, head, "t1")
    assert await log.tokens(first.combat) == [other]
    assert await log.token(first.combat, "t1") is None
    assert await log.head(first.combat) == replace(head, tokens=2)


async def test_tokens_change_on_the_head_that_was_seen(log: Log) -> None:
    first = await opened(log, tokens=[token()], answer=answer())
    for head in (replace(first.after, tokens=1), replace(first.after, life=uuid4())):
        with pytest.raises(Conflict):
            await log.add_token(first.combat, head, token("t2"), None)
        with pytest.raises(Conflict):
            await log.revoke(first.combat, head, "t1")
    with pytest.raises(Conflict):
        await log.add_token(first.combat, first.after, token("t2"), answer())
    with pytest.raises(Conflict):
        await log.add_token(first.combat, first.after, token("t1"), None)
    # A newer version does not prevent the erasure.
    await log.revoke(first.combat, replace(first.after, version=9, digest="other"), "t1")
    assert await log.tokens(first.combat) == []


async def test_a_token_ends(log: Log) -> None:
    first = await opened(log)
    ended = token("t2", ends_at=datetime.now(UTC) - timedelta(seconds=1))
    await log.add_token(first.combat, first.after, ended, None)
    assert await log.tokens(first.combat) == []
    assert await log.token(first.combat, "t2") is None


async def test_an_erasure_rewrites_events_and_removes_answers(log: Log) -> None:
    first = await opened(log, answer=answer())
    await log.note(first.combat, answer("noted"))
    await log.rewrite(first.combat, first.after, [(1, b"erased"), (9, b"none")], answer("erasure"))
    assert [row.state for row in await log.events(first.combat)] == [b"erased"]
    assert await log.head(first.combat) == replace(first.after, texts=1)
    gone = await log.answer(first.combat, "gm", "key")
    assert gone == replace(answer(), status=410, etag="", body=b"", command=first.command)
    assert await log.answer(first.combat, "gm", "noted") == answer("noted")
    done = await log.answer(first.combat, "gm", "erasure")
    assert done == replace(answer("erasure"), status=204, etag="", body=b"")
    for head in (first.after, replace(first.after, texts=1, version=2)):
        with pytest.raises(Conflict):
            await log.rewrite(first.combat, head, [(1, b"again")], None)
    with pytest.raises(Conflict):
        await log.rewrite(first.combat, replace(first.after, texts=1), [], answer("erasure"))


async def test_a_deleted_combat_leaves_nothing(log: Log) -> None:
    first = await opened(log, answer=answer(), tokens=[token()], seeds=[("c", b"seed")])
    with pytest.raises(Conflict):
        await log.delete(first.combat, replace(first.after, tokens=1))
    with pytest.raises(Conflict):
        await log.delete(first.combat, replace(first.after, version=2), unchanged=True)
    await log.delete(first.combat, replace(first.after, version=2))
    assert await log.snapshot(first.combat) == (None, [])
    assert await log.answer(first.combat, "gm", "key") is None
    assert await log.tokens(first.combat) == []
    assert await log.seeds(first.combat) == {}
    again = opening(first.combat, 1, tokens=[token()])
    await log.append(again)
    assert await log.head(first.combat) == again.after


async def test_an_answer_is_noted_once(log: Log) -> None:
    combat = uuid4()
    assert await log.note(combat, answer())
    assert not await log.note(combat, answer())
    assert await log.answer(combat, "gm", "key") == answer()
    await log.forget_answers(24)
    assert await log.answer(combat, "gm", "key") == answer()
    await log.forget_answers(0)
    assert await log.answer(combat, "gm", "key") is None


async def all_after(order: Ordered, number: int) -> list[Notification]:
    rows: list[Notification] = []
    while page := await order.select_notifications(number, 3, inclusive_of_start=False):
        rows += page
        number = page[-1].id
    return rows


async def placed(order: Ordered) -> int:
    """Place everything, and return the last number."""
    while await order.place():
        pass
    return await order.max_notification_id() or 0


async def test_each_event_has_its_place_in_one_order(case: Case) -> None:
    start = await placed(case.order)
    first = await opened(case.log)
    second = await opened(case.log)
    await case.log.append(following(first, first.combat, 2, 3))
    assert await all_after(case.order, start) == []
    end = await placed(case.order)
    assert end == start + 4
    rows = await all_after(case.order, start)
    assert [(row.id, row.originator_id, row.originator_version) for row in rows] == [
        (start + 1, first.combat, 1),
        (start + 2, second.combat, 1),
        (start + 3, first.combat, 2),
        (start + 4, first.combat, 3),
    ]
    between = await case.order.select_notifications(start + 2, 9, start + 3)
    assert [row.id for row in between] == [start + 2, start + 3]
    assert await case.order.select_notifications(start + 1, 9, topics=["other:1"]) == []
    assert await case.order.place() == 0


async def test_marks_tell_of_an_erasure_and_of_a_deletion(case: Case) -> None:
    start = await placed(case.order)
    first = await opened(case.log)
    await case.log.rewrite(first.combat, first.after, [(1, b"erased")], None)
    await placed(case.order)
    rows = await all_after(case.order, start)
    assert [(row.topic, bytes(row.state)) for row in rows] == [
        ("noted:1", b"erased"),
        (ERASED, b"{}"),
    ]
    await case.log.delete(first.combat, replace(first.after, texts=1))
    await placed(case.order)
    assert [row.topic for row in await all_after(case.order, start)] == [DELETED]


@pytest.mark.parametrize("seed", range(2))
async def test_random_statements_do_the_same_on_both(postgresql: SqlCase, seed: int) -> None:
    """Run 150 statements, some of them invalid, and compare the global order at the end."""
    random = Random(seed)
    both: tuple[Case, Case] = (ModelCase(), postgresql)
    combats = [UUID(int=random.getrandbits(128), version=4) for _ in range(4)]
    start = await placed(postgresql.order)

    async def same(work: Callable[[Case], Awaitable[Any]]) -> Any:
        results = []
        for case in both:
            try:
                results.append(await work(case))
            except Conflict:
                results.append("conflict")
        assert results[0] == results[1]
        return results[0]

    async def fresh(combat: UUID, head: Head | None) -> Append:
        """Return a command that usually fits."""
        made: dict[str, Any] = {}
        if random.random() < 0.5:
            made["answer"] = answer(f"k{random.randrange(9)}")
        if random.random() < 0.1:
            made["ends_at"] = datetime.now(UTC) + timedelta(seconds=random.choice((-60, 3600)))
        if head is None:
            return opening(combat, *range(1, random.randint(2, 4)), **made)
        first = head.version + 1
        return following(head, combat, *range(first, first + random.randint(1, 3)), **made)

    async def changed(combat: UUID) -> None:
        head: Head | None = await same(lambda case: case.log.head(combat))
        if head is not None and random.random() < 0.2:
            name = random.choice(("version", "tokens", "texts"))
            head = replace(head, **{name: getattr(head, name) + 1})
        kinds = ("append", "together", "add", "revoke", "rewrite", "note", "delete")
        kind = random.choices(kinds, (6, 2, 2, 2, 1, 1, 0.5))[0]
        first = answer(f"k{random.randrange(9)}") if random.random() < 0.5 else None
        if kind == "append" or head is None:
            seeds = [(f"c{random.randrange(5)}", b"s")] if random.random() < 0.2 else []
            command = replace(await fresh(combat, head), seeds=seeds)
            await same(lambda case: case.log.append(command))
            return
        present = head
        if kind == "together":
            commands = [await fresh(combat, present)]
            others = [other for other in combats if other != combat]
            known: dict[UUID, Head] = await same(lambda case: case.log.heads(others))
            commands += [await fresh(other, known[other]) for other in others if other in known]
            await same(lambda case: case.statements.together(commands))
        elif kind == "add":
            row = token(f"t{random.randrange(6)}")
            await same(lambda case: case.log.add_token(combat, present, row, first))
        elif kind == "revoke":
            id = f"t{random.randrange(6)}"
            await same(lambda case: case.log.revoke(combat, present, id))
        elif kind == "rewrite":
            states = [(random.randint(1, 9), random.randbytes(3))]
            await same(lambda case: case.log.rewrite(combat, present, states, first))
        elif kind == "note":
            await same(lambda case: case.log.note(combat, first or answer()))
        else:
            unchanged = random.random() < 0.5
            await same(lambda case: case.log.delete(combat, present, unchanged=unchanged))

    async def compared(combat: UUID) -> None:
        await same(lambda case: case.log.snapshot(combat))
        await same(lambda case: case.log.seeds(combat))
        await same(lambda case: _ids(case.log, combat))
        for number in range(9):
            await same(lambda case: case.log.answer(combat, "gm", f"k{number}"))  # noqa: B023

    for _ in range(150):
        combat = random.choice(combats)
        await changed(combat)
        await compared(combat)
        if random.random() < 0.1:
            await same(lambda case: case.order.place())
    orders = []
    for case, after in zip(both, (0, start), strict=True):
        await placed(case.order)
        stored = await all_after(case.order, after)
        rows = [(row.originator_id, row.originator_version, row.topic, row.state) for row in stored]
        orders.append(sorted(rows, key=lambda row: row[0]))  # commands together have any order
    assert orders[0] == orders[1]


async def _ids(log: Log, combat: UUID) -> set[str]:
    return {row.id for row in await log.tokens(combat)}
