"""Test commands that share a statement: each is stored or refused as in its own statement."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any, cast
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from service.store import append
from service.store.log import Store
from service.store.rows import Append, Conflict, FirstAnswer, OutcomeUnknown, Stored, Unavailable
from tests.service.test_store import following, opening


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[Store]:
    opened = await Store.open(dsn)
    yield opened
    await opened.close()


async def opened(store: Store, number: int) -> list[Append]:
    """Open combats with one event each."""
    commands = [opening(uuid4(), 1) for _ in range(number)]
    for command in commands:
        await store.append(command)
    return commands


async def versions(store: Store, commands: list[Append]) -> list[int]:
    heads = await store.heads([command.combat for command in commands])
    return [heads[command.combat].version for command in commands]


async def test_commands_that_wait_together_share_statements(store: Store) -> None:
    first = await opened(store, 40)
    before = store.statements.sent
    answers = [FirstAnswer("gm", f"k{n}", b"p", 200, "2", b"{}") for n in range(40)]
    second = [
        following(command, command.combat, 2, 3, answer=answer)
        for command, answer in zip(first, answers, strict=True)
    ]
    await asyncio.gather(*(store.append(command) for command in second))
    assert store.statements.sent - before <= 2
    for command, answer in zip(second, answers, strict=True):
        assert await store.head(command.combat) == command.after
        assert await store.events(command.combat, after=1) == command.events
        kept = await store.answer(command.combat, "gm", answer.key)
        assert kept is not None
        assert kept.command == command.command


async def test_a_loser_has_its_conflict_and_the_others_are_stored(store: Store) -> None:
    first = await opened(store, 8)
    late = first[3]
    await store.append(following(late, late.combat, 2))
    answers = await asyncio.gather(
        *(store.append(following(command, command.combat, 2, 3)) for command in first),
        return_exceptions=True,
    )
    assert [isinstance(outcome, Conflict) for outcome in answers] == [n == 3 for n in range(8)]
    assert await versions(store, first) == [2 if n == 3 else 3 for n in range(8)]
    assert len(await store.events(late.combat)) == 2


async def test_a_deleted_combat_and_a_key_that_was_answered_hold_nobody_up(store: Store) -> None:
    first = await opened(store, 6)
    gone, answered = first[0], first[1]
    key = FirstAnswer("gm", "once", b"p", 200, "2", b"{}")
    await store.delete(gone.combat, gone.after)
    second = following(answered, answered.combat, 2, answer=key)
    await store.append(second)
    commands = [following(command, command.combat, 2) for command in first]
    commands[1] = following(second, answered.combat, 3, answer=key)
    answers = await asyncio.gather(*map(store.append, commands), return_exceptions=True)
    assert [isinstance(outcome, Conflict) for outcome in answers] == [True, True, *[False] * 4]
    assert await versions(store, first[1:]) == [2] * 5


async def test_a_combat_that_another_replica_is_changing_holds_up_only_its_own(
    store: Store,
) -> None:
    first = await opened(store, 5)
    held = first[2]
    connection = await store.pool.acquire()
    holding = connection.transaction()
    await holding.start()
    await connection.execute("SELECT 1 FROM heads WHERE combat_id = $1 FOR UPDATE", held.combat)
    tasks = [
        asyncio.create_task(store.append(following(command, command.combat, 2)))
        for command in first
    ]
    others = [task for n, task in enumerate(tasks) if n != 2]
    async with asyncio.timeout(10):
        await asyncio.gather(*others)
    assert not tasks[2].done()
    await holding.rollback()
    await store.pool.release(connection)
    await tasks[2]
    assert await versions(store, first) == [2] * 5


async def test_nobody_who_comes_while_a_connection_is_given_back_waits_for_ever(
    store: Store,
) -> None:
    random = Random(1)
    last = {command.combat: command for command in await opened(store, 12)}

    async def writes(combat: UUID) -> None:
        for version in range(2, 40):
            last[combat] = following(last[combat], combat, version)
            await store.append(last[combat])
            for _ in range(random.randrange(6)):
                await asyncio.sleep(0)

    async with asyncio.timeout(60):
        await asyncio.gather(*map(writes, list(last)))
    assert await versions(store, list(last.values())) == [39] * 12


async def test_killed_backends_store_nothing_twice_and_lose_nothing(store: Store, dsn: str) -> None:
    """The answer "stored" means stored once. "Unknown" means stored once or not at all."""
    last = {command.combat: command for command in await opened(store, 10)}
    going = True
    told: list[Append] = []
    unknown: list[Append] = []
    commands: dict[UUID, Append] = {}

    async def kills() -> None:
        connection = await asyncpg.connect(dsn)
        while going:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'affray' AND datname = current_database()"
            )
            await asyncio.sleep(0.3)
        await connection.close()

    async def writes(combat: UUID) -> None:
        while asyncio.get_running_loop().time() < end:
            head = last[combat].after
            version = head.version + 1
            key = FirstAnswer("gm", f"k{version}{uuid4()}", b"p", 200, "", b"{}")
            command = following(head, combat, version, version + 1, answer=key)
            commands[command.command] = command
            try:
                await store.append(command)
            except Unavailable:
                continue  # nothing was stored
            except OutcomeUnknown:
                unknown.append(command)
                sent: Append | None = None
                while sent is None:
                    try:
                        present = await store.head(combat)
                    except Unavailable:
                        continue
                    sent = command if present == command.after else last[combat]
                last[combat] = sent
                continue
            told.append(command)
            last[combat] = command

    end = asyncio.get_running_loop().time() + 6
    killing = asyncio.create_task(kills())
    await asyncio.gather(*map(writes, list(last)))
    going = False
    await killing
    rows = await store.pool.fetch(
        "SELECT command_id, count(*) AS events FROM stored_events GROUP BY command_id"
    )
    stored = {row["command_id"]: row["events"] for row in rows}
    assert len(told) > 20
    assert all(stored[command.command] == 2 for command in told)
    firsts = {command.command for command in commands.values()} & stored.keys()
    assert firsts <= {command.command for command in (*told, *unknown)}
    assert await versions(store, list(last.values())) == [
        command.after.version for command in last.values()
    ]


async def test_what_is_large_is_stored_in_steps_whole_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(append, "STEP_EVENTS", 3)
    for number in range(1, 9):
        made = opening(uuid4(), *range(1, number + 1))
        await store.append(made)
        stored_events = await store.events(made.combat)
        assert [row.originator_version for row in stored_events] == list(range(1, number + 1))
        assert [row.state for row in stored_events] == [event.state for event in made.events]
        head = await store.head(made.combat)
        assert head is not None
        assert (head.version, head.digest) == (number, made.digest)
    taken, free = uuid4(), opening(uuid4(), *range(1, 9))
    broken = [*free.events[:7], Stored(8, cast(Any, None), b"8")]
    with pytest.raises(asyncpg.PostgresError):  # the last step fails
        await store.append(replace(free, events=broken))
    assert await store.head(free.combat) is None
    assert await store.events(free.combat) == []
    await store.append(opening(taken, *range(1, 9)))
    with pytest.raises(Conflict):
        await store.append(opening(taken, *range(1, 9)))
