"""Test that a replica sends notices only to replicas with listeners."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from service.live import notices
from service.live.notices import CHANNEL, LISTENER, Notices
from service.store.database import Database

LISTENING = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE application_name = $1 AND datname = current_database()"
)


async def test_only_where_somebody_listens(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "LOOK_S", 0.05)
    database = await Database.open(dsn, 2)
    other: Any = await asyncpg.connect(dsn)
    sent: list[str] = []
    await other.add_listener(CHANNEL, lambda *told: sent.append(str(told[-1])))

    async def listening(number: int) -> None:
        count = 0
        while count != number:
            await asyncio.sleep(0.01)
            count = await other.fetchval(LISTENING, LISTENER)

    heard: asyncio.Queue[UUID] = asyncio.Queue()
    replicas = [Notices(database, dsn, lambda _: None), Notices(database, dsn, heard.put_nowait)]
    async with asyncio.timeout(10):
        replicas[0].start()
        await listening(1)
        await asyncio.sleep(0.05)
        replicas[0].changed(uuid4())
        await asyncio.sleep(0.1)
        assert sent == []
        replicas[1].start()
        await listening(2)
        await asyncio.sleep(0.1)  # replica 0 now knows that replica 1 listens
        changed = uuid4()
        replicas[0].changed(changed)
        assert await heard.get() == changed
    for replica in replicas:
        await replica.stop()
    await other.close()
    await database.close()
