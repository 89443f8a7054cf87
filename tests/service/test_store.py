"""Test the store and its migrations on a real PostgreSQL."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import asyncpg
import pytest
from eventsourcing.persistence import StoredEvent
from msgspec.structs import replace

from service.embedded import EmbeddedServer
from service.store.log import Store
from service.store.migrations import migrate, steps
from service.store.rows import Append, Conflict, FirstAnswer, Head, TokenRow


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[Store]:
    opened = await Store.open(dsn)
    yield opened
    await opened.close()


def events(combat: UUID, *versions: int) -> list[StoredEvent]:
    return [
        StoredEvent(combat, version, "noted:1", json.dumps(version).encode())
        for version in versions
    ]


def opening(combat: UUID, *versions: int, **more: Any) -> Append:
    """Return the first command of a combat. Its digest is `h` and its last version, as in `h3`."""
    return Append(
        combat, uuid4(), events(combat, *versions), None, uuid4(), f"h{versions[-1]}", **more
    )


def following(before: Append | Head, combat: UUID, *versions: int, **more: Any) -> Append:
    """Return a command after another."""
    head = before.after if isinstance(before, Append) else before
    digest = f"h{versions[-1]}"
    return Append(combat, uuid4(), events(combat, *versions), head, head.life, digest, **more)


async def test_a_command_is_stored_with_all_that_belongs_to_it(store: Store) -> None:
    combat = uuid4()
    answer = FirstAnswer("gm", "key", b"print", 200, "2", b"body")
    token = TokenRow("t1", b"hash", "player", "Anna", "anna", ("Ana", "Bo"))
    command = opening(combat, 1, 2, answer=answer, tokens=[token], seeds=[("c", b"seed")])
    await store.append(command)
    assert await store.events(combat) == events(combat, 1, 2)
    assert await store.events(combat, after=1) == events(combat, 2)
    assert await store.head(combat) == command.after
    kept = await store.answer(combat, "gm", "key")
    assert kept == replace(answer, command=command.command)
    assert await store.tokens(combat) == [token]
    assert await store.token(combat, "t1") == token
    assert await store.seeds(combat) == {"c": b"seed"}
    await store.delete(combat, command.after)
    assert await store.version(combat) == 0


async def test_the_second_at_a_version_conflicts_and_leaves_nothing(store: Store) -> None:
    combat = uuid4()
    first = opening(combat, 1)
    await store.append(first)
    await store.append(following(first, combat, 2))
    late = FirstAnswer("gm", "late", b"p", 200, "1", b"")
    with pytest.raises(Conflict):
        await store.append(following(first, combat, 2, 3, answer=late))
    with pytest.raises(Conflict):
        await store.append(opening(combat, 1, answer=late))
    assert await store.version(combat) == 2
    assert await store.answer(combat, "gm", "late") is None


async def test_versions_that_do_not_follow_one_another_are_refused(store: Store) -> None:
    combat = uuid4()
    first = opening(combat, 1)
    await store.append(first)
    for versions in ((2, 2), (2, 4), (3, 2), (2, 2, 4)):
        with pytest.raises(Conflict):
            await store.append(following(first, combat, *versions))
    assert await store.events(combat) == events(combat, 1)


BELIEVED = {
    "another hash": {"digest": "of something that was never stored"},
    "another version": {"version": 0},
    "tokens of before": {"tokens": 7},
    "texts that were erased": {"texts": 1},
    "a combat that was deleted": {"life": UUID(int=1)},
}


@pytest.mark.parametrize("wrong", BELIEVED.values(), ids=list(BELIEVED))
async def test_the_database_refuses_what_rests_on_anything_but_the_present(
    store: Store, wrong: dict[str, Any]
) -> None:
    combat = uuid4()
    first = opening(combat, 1)
    await store.append(first)
    with pytest.raises(Conflict):
        await store.append(following(replace(first.after, **wrong), combat, 2))
    assert await store.head(combat) == first.after
    await store.append(following(first, combat, 2))


async def test_a_token_that_has_ended_stores_nothing(store: Store) -> None:
    combat = uuid4()
    first = opening(combat, 1)
    await store.append(first)
    now = datetime.now(UTC)
    with pytest.raises(Conflict):
        await store.append(following(first, combat, 2, ends_at=now - timedelta(seconds=1)))
    await store.append(following(first, combat, 2, ends_at=now + timedelta(hours=1)))


async def test_a_command_and_a_deletion_at_once_leave_a_whole_combat_or_none(store: Store) -> None:
    for _ in range(30):
        combat = uuid4()
        first = opening(combat, 1)
        await store.append(first)
        second = following(first, combat, 2, answer=FirstAnswer("gm", "k", b"p", 200, "2", b"{}"))
        await asyncio.gather(
            store.append(second), store.delete(combat, first.after), return_exceptions=True
        )
        assert await store.head(combat) is None
        for table, column in (("stored_events", "originator_id"), ("idempotency", "combat_id")):
            statement = f"SELECT count(*) FROM {table} WHERE {column} = $1"
            assert await store.pool.fetchval(statement, combat) == 0, table


async def test_several_replicas_migrate_at_once(server_dsn: str) -> None:
    name = f"migrating_{uuid4().hex[:8]}"
    connection = await asyncpg.connect(server_dsn)
    await connection.execute(f"CREATE DATABASE {name}")
    url = urlsplit(server_dsn)._replace(path=f"/{name}").geturl()
    replicas = [await asyncpg.connect(url) for _ in range(4)]
    done = await asyncio.gather(*(migrate(replica) for replica in replicas))
    assert sorted(done) == [0, 0, 0, len(steps())]
    for replica in replicas:
        await replica.close()
    await connection.execute(f"DROP DATABASE {name}")
    await connection.close()


async def test_a_stale_pid_of_somebody_else_fools_nobody(folder: Path) -> None:
    first = EmbeddedServer(folder / "data")
    dsn = await first.start()
    connection = await asyncpg.connect(dsn)
    await connection.execute("CREATE TABLE kept (id int)")
    await connection.close()
    await first.stop()
    # After a reboot, another process may have the process id in the pid file.
    lines = ["1", str(folder / "data"), "0", "5432", str(folder / "data"), "", "", "ready"]
    (folder / "data" / "postmaster.pid").write_text("\n".join(lines) + "\n")
    second = EmbeddedServer(folder / "data")
    connection = await asyncpg.connect(await second.start())
    assert await connection.fetchval("SELECT count(*) FROM kept") == 0
    await connection.close()
    await second.stop()
