"""Prove the order of the log: `python -m tests.bench.order [EVENTS [PACE]]`.

The defaults are a million events and 4,000 events per second. A pace of 0 means no limit.

Sixteen writers append batches of 1 to 50 events to different combats. Meanwhile,

- other transactions stay open with events in them
- transaction ids grow by a digit
- followers are killed during a batch.

A follower of Affray and a stock `ProjectionRunner` in a separate process must each receive every
event exactly once, in the order of its combat.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any, ClassVar
from uuid import UUID, uuid4

import asyncpg
from eventsourcing.application import Application
from eventsourcing.persistence import StoredEvent, Tracking
from eventsourcing.popo import POPOTrackingRecorder
from eventsourcing.projection import Projection as StockProjection
from eventsourcing.projection import ProjectionRunner

from domain.record.events import Noted
from domain.record.recorded import Recorded, encode
from projections.projection import Projection, View
from service.embedded import EmbeddedServer
from service.store.database import Database
from service.store.follower import Follower
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.order import Order
from service.store.rows import Append, Unavailable

WRITERS = 16
EVENTS = 1_000_000
PACE = 4_000


class Seen(Projection):
    """A projection that records each event. A repeated event would violate its primary key."""

    name = "seen"
    tables = (
        "CREATE TABLE seen (combat_id uuid, version bigint, position bigint,"
        " PRIMARY KEY (combat_id, version))"
    )
    at: ClassVar[dict[tuple[str, int], float]] = {}

    async def process_events(self, view: View, events: Sequence[tuple[Recorded, Tracking]]) -> None:
        await view.execute(
            "INSERT INTO seen SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[])",
            [UUID(event.combat) for event, _ in events],
            [event.version for event, _ in events],
            [tracking.notification_id for _, tracking in events],
        )
        now = time.monotonic()
        for event, _ in events:
            self.at[event.combat, event.version] = now

    async def forget(self, view: View, combat: str) -> None:
        await view.execute("DELETE FROM seen WHERE combat_id = $1", UUID(combat))


class Run:
    """One run of the proof."""

    def __init__(self, dsn: str, goal: int, pace: int) -> None:
        self.dsn, self.goal, self.pace, self.random = dsn, goal, pace, Random(1)
        self.written = 0
        self.stored: dict[tuple[str, int], float] = {}
        self.released: list[tuple[str, int]] = []
        self.kills = 0

    def events(self, combat: UUID, versions: range) -> list[StoredEvent]:
        return [
            StoredEvent(
                combat,
                version,
                "noted:1",
                encode(
                    Recorded(
                        version, version - 1, "2026-01-01T00:00:00Z", "c", ("t", "gm"), Noted("n")
                    )
                ),
            )
            for version in versions
        ]

    async def write(self) -> None:
        """Write until the run has written the goal."""
        began = time.monotonic()
        written = 0
        while self.written < self.goal:
            combat, first, before = uuid4(), 1, None
            for _ in range(self.random.randint(1, 8)):
                versions = range(first, first + self.random.randint(1, 50))
                append = Append(
                    combat, uuid4(), self.events(combat, versions), before, uuid4(), "h"
                )
                await self.store.append(append)
                self.stored[str(combat), versions[-1]] = time.monotonic()
                self.written += len(versions)
                written += len(versions)
                if self.pace:
                    ahead = written * WRITERS / self.pace - (time.monotonic() - began)
                    await asyncio.sleep(max(0.0, ahead))
                before, first = append.after, versions[-1] + 1

    async def hold(self) -> None:
        """Repeatedly hold a transaction open with an event in it."""
        while self.written < self.goal:
            connection = await asyncpg.connect(self.dsn)
            holding = connection.transaction()
            await holding.start()
            combat = uuid4()
            (event,) = self.events(combat, range(1, 2))
            await connection.execute(
                "INSERT INTO stored_events VALUES ($1, 1, $2, $3, $1)",
                combat,
                event.topic,
                event.state,
            )
            await connection.execute("INSERT INTO unplaced VALUES (DEFAULT, $1, 1, 1)", combat)
            await asyncio.sleep(self.random.uniform(0.5, 3))
            await holding.commit()
            # An event that bypasses the store wakes nobody. The poll finds it.
            self.store.stored.set()
            self.stored[str(combat), 1] = time.monotonic()
            self.released.append((str(combat), 1))
            self.written += 1
            await connection.close()

    async def kill(self) -> None:
        """Kill the follower during its work, and start it again."""
        while True:
            task = asyncio.create_task(self.follow())
            await asyncio.sleep(self.random.uniform(0.5, 4))
            if self.done.is_set():
                await task
                return
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self.kills += 1

    async def follow(self) -> None:
        waker = self.order.waker()
        try:
            while not (self.done.is_set() and (await self.follower.status()).lag == 0):
                waker.clear()
                while await self.follower.advance():
                    pass
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await waker.wait()
        except Unavailable as error:
            print("the follower lost its connection:", error)
        finally:
            self.order.forget(waker)

    async def digits(self) -> int:
        """Let the transaction ids grow by a digit while the writers write."""
        connection = await asyncpg.connect(self.dsn)
        await connection.execute("CREATE TABLE used_up (n int)")
        before = int(await connection.fetchval("SELECT pg_current_xact_id()::text"))
        while len(str(before)) == len(
            str(now := int(await connection.fetchval("SELECT pg_current_xact_id()::text")))
        ):
            left = 10 ** len(str(before)) - now
            await connection.execute(
                f"DO $$ BEGIN FOR n IN 1..{max(1, min(left, 20_000))} LOOP"
                " BEGIN INSERT INTO used_up VALUES (n);"
                " EXCEPTION WHEN unique_violation THEN END; END LOOP; END $$"
            )
            await asyncio.sleep(0.05)
        await connection.close()
        return now

    async def run(self) -> dict[str, Any]:
        self.store = await Store.open(self.dsn, 16)
        background = await Database.open(self.dsn, 4)
        self.order = Order(background, self.dsn, self.store.stored)
        self.order.start()
        self.follower = Follower(background, Seen(), Mapper())
        await self.follower.ensure()
        self.done = asyncio.Event()
        stock = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.order", "--stock", self.dsn,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        killing = asyncio.create_task(self.kill())
        began = time.monotonic()
        *_, digits = await asyncio.gather(
            *(self.write() for _ in range(WRITERS)), self.hold(), self.digits()
        )
        took = time.monotonic() - began
        while await self.order.place():
            pass
        self.done.set()
        await killing
        caught_up = time.monotonic() - began - took
        end = await self.store.pool.fetchval("SELECT position FROM log_end")
        out, _ = await stock.communicate(f"{end}\n".encode())
        row = await self.store.pool.fetchrow(
            "SELECT (SELECT count(*) FROM stored_events),"
            " (SELECT count(*) FROM projection_seen.seen),"
            " (SELECT count(*) FROM projection_seen.set_aside), (SELECT count(*) FROM ("
            "  SELECT version, lag(version) OVER (PARTITION BY combat_id ORDER BY position) AS b"
            "  FROM projection_seen.seen) AS s WHERE version <> coalesce(b, 0) + 1),"
            " (SELECT count(*) FROM positions), (SELECT max(position) FROM positions)"
        )
        lags = sorted(
            (Seen.at[key] - stored) * 1000 for key, stored in self.stored.items() if key in Seen.at
        )
        late = sorted((Seen.at[key] - self.stored[key]) * 1000 for key in self.released)
        await self.order.stop()
        await background.close()
        await self.store.close()
        return {
            "events": row[0],
            "seconds": round(took, 1),
            "pace": self.pace,
            "events_per_second": round(row[0] / took),
            "ours": {"seen": row[1], "set_aside": row[2], "out_of_order": row[3]},
            "stock_runner": json.loads(out),
            "positions": row[4],
            "gaps": row[5] - row[4],
            "followers_killed": self.kills,
            "held_transactions": len(self.released),
            "transaction_ids_reached": digits,
            "lag_ms": {"p50": lags[len(lags) // 2], "p99": quantiles(lags, n=100)[98]},
            "lag_after_release_ms": {"p50": late[len(late) // 2], "max": late[-1]},
            "caught_up_after_s": round(caught_up, 2),
        }


class Kept(POPOTrackingRecorder):
    """A recorder of the notifications that the stock runner delivers."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, int] = {}
        self.taken = self.wrong = 0


class Keep(StockProjection[Kept]):
    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        view = self.view
        view.taken += 1
        combat, version = domain_event.combat, domain_event.version
        view.wrong += version != view.last.get(combat, 0) + 1  # missed, repeated or out of order
        view.last[combat] = version
        view.insert_tracking(tracking)


def stock(dsn: str) -> None:
    """Run the stock runner in this process, up to the number that arrives on its input."""
    env = {
        "PERSISTENCE_MODULE": "service.store.persistence",
        "DATABASE_URL": dsn,
        "KEEP_PERSISTENCE_MODULE": "eventsourcing.popo",
    }
    with ProjectionRunner(
        application_class=Application, projection_class=Keep, view_class=Kept, env=env
    ) as runner:
        end = int(sys.stdin.readline())
        runner.wait(end, timeout=600)
        view = runner.projection.view
        print(json.dumps({"taken": view.taken, "wrong": view.wrong}))


async def main(goal: int = EVENTS, pace: int = PACE) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedServer(Path(folder) / "data")
        dsn = await server.start()
        print(json.dumps(await Run(dsn, goal, pace).run(), indent=2))
        await server.stop()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--stock"]:
        stock(sys.argv[2])
    else:
        asyncio.run(main(*map(int, sys.argv[1:])))
