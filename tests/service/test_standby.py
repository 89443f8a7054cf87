"""Test a primary that has lost its synchronous standby."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from service.embedded import EmbeddedServer
from service.store.log import Store
from service.store.rows import FirstAnswer, OutcomeUnknown, TokenRow
from tests.service.test_store import following, opening


@pytest.fixture
async def alone(folder: Path) -> AsyncIterator[str]:
    """Run a separate server, whose settings a test may change."""
    embedded = EmbeddedServer(folder / "data")
    yield await embedded.start()
    await embedded.stop()


async def standby(dsn: str, name: str) -> None:
    """Make commits wait for this standby. With "", they wait for none."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("SET synchronous_commit = local")
    await connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()
    await asyncio.sleep(0.3)


@pytest.fixture
async def store(alone: str) -> AsyncIterator[Store]:
    opened = await Store.open(alone)
    yield opened
    await opened.close()


async def end_waiting(dsn: str) -> None:
    """End the connections that wait for the standby, which makes their commits visible."""
    connection = await asyncpg.connect(dsn)
    for _ in range(100):
        if await connection.fetch(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        ):
            break
        await asyncio.sleep(0.05)
    await connection.close()


async def test_a_command_that_waits_for_the_standby_is_not_called_unstored(
    alone: str, store: Store
) -> None:
    first = opening(uuid4(), 1)
    await store.append(first)
    await standby(alone, "gone")
    second = following(first, first.combat, 2)
    with pytest.raises(OutcomeUnknown) as told:
        await store.append(second)
    assert told.value.command == second.command
    assert await store.head(first.combat) == first.after
    await standby(alone, "")
    await store.append(following(second, first.combat, 3))  # waits for the second event


async def test_a_command_that_only_the_primary_has_is_not_acknowledged(
    alone: str, store: Store
) -> None:
    """The commit is visible, but a failover would lose it. The caller gets `OutcomeUnknown`."""
    first = opening(uuid4(), 1)
    await store.append(first)
    await standby(alone, "gone")
    answer = FirstAnswer("gm", "key", b"p", 200, "2", b"{}")
    second = following(first, first.combat, 2, answer=answer)
    storing = asyncio.create_task(store.append(second))
    await end_waiting(alone)
    with pytest.raises(OutcomeUnknown):
        await storing
    assert await store.head(first.combat) == second.after
    with pytest.raises(OutcomeUnknown):
        await store.answer(first.combat, "gm", "key")
    assert await store.answer(first.combat, "gm", "another") is None
    await standby(alone, "")
    kept = await store.answer(first.combat, "gm", "key")
    assert kept is not None
    assert kept.command == second.command


async def test_a_token_that_waits_for_the_standby_is_not_called_unstored(
    alone: str, store: Store
) -> None:
    first = opening(uuid4(), 1)
    await store.append(first)
    await standby(alone, "gone")
    token = TokenRow("t1", b"hash", "player", "Anna", "anna", ("Ana",))
    with pytest.raises(OutcomeUnknown):
        await store.add_token(first.combat, first.after, token, None)
    await standby(alone, "")
    assert await store.tokens(first.combat) == [token]
