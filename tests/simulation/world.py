"""World: replicas of the service in one simulated loop, on one model of the store.

Clients call the applications by ASGI, without sockets. During a run, the seed controls the clock
and the randomness of the process.
"""

import asyncio
import gc
import json
import os
import random as randomness
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, cast
from unittest.mock import patch
from uuid import UUID

import time_machine
from msgspec import Struct

from domain.record.export import ExportPicture
from domain.rulesets import installed
from service.app import Service, create_app
from service.limits import Limiter, Limits
from service.quarantine import Aside
from service.settings import Settings
from service.store.mapper import Mapper
from service.store.pictures import Pictures
from tests.simulation.faults import FaultyLink, Plan
from tests.simulation.loop import SimulatedLoop
from tests.simulation.model import ModelDatabase, ModelStore

KEY: Final = "the key of the simulation"
LIMITS: Final = Limits(0, 0, 0, 0, 0, 0)
BEGAN: Final = datetime(2030, 1, 1, tzinfo=UTC)

REPLICAS: Final = 3
"""Maximum number of replicas."""

PATIENCE_S: Final = 60.0
"""Seconds after which a request counts as hanging."""


@cache
def applications() -> list[Any]:
    """Return the applications of the replicas. All seeds share them, because they are expensive."""
    settings = Settings(None, Path("nowhere"), service_key=KEY, limits=LIMITS)
    made = [create_app(settings, installed()) for _ in range(REPLICAS)]
    gc.collect()
    gc.freeze()  # excludes existing objects from later collections
    return made


class Broken(Exception):
    """An error: the replica was killed, so the outcome of the request is unknown."""


class Answer(Struct, frozen=True):
    """An answer, or the head of one with a piece of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def problem(self) -> str:
        """Return the problem's type, or "" for a success."""
        return "" if self.status < 400 else self.json["type"].removeprefix("/problems/")


class NoPictures:
    """A store of pictures that is always empty, because the real one uses SQL."""

    async def all(self, combat: UUID) -> tuple[ExportPicture, ...]:
        return ()


class Replica:
    """One replica. A kill empties its memory."""

    def __init__(self, world: "World", number: int) -> None:
        self.world, self.number = world, number
        self.app = applications()[number]
        self.service: Service = self.app.state.service
        self.requests: dict[asyncio.Task[None], asyncio.Queue[dict[str, Any] | None]] = {}
        self.start()

    def start(self) -> None:
        """Start with an empty memory."""
        world = self.world
        self.link = FaultyLink(world.loop, world.random, world.plan, world.database, world.counts)
        self.store = ModelStore(world.database, self.link)
        self.service.limiter, self.service.aside = Limiter(LIMITS), Aside()
        self.service.connect(self.store, Mapper(), lambda combat: world.tell(self, combat))
        self.service.pictures = cast(Pictures, NoPictures())
        self.service.streams.start()

    def hear(self, combat: UUID) -> None:
        """Receive a notice."""
        self.service.streams.touched(combat)

    async def stop(self) -> None:
        """End its streams and its statements, as at a stop."""
        await self.service.streams.stop()
        await self.store.close()

    def kill(self) -> None:
        """Kill the replica with all its requests. Its statements may still take effect."""
        self.link.severed = True
        dying, store = self.service.streams, self.store
        for task in sorted(self.requests, key=asyncio.Task.get_name):
            task.cancel()
            self.requests[task].put_nowait(None)  # breaks the client's connection
        self.start()
        self.world.begin(_ended(dying.stop(), store.close()))


async def _ended(*work: Any) -> None:
    for task in work:
        await task


class World:
    """All objects of one seed."""

    def __init__(
        self, loop: SimulatedLoop, random: Random, plan: Plan, counts: Counter[str]
    ) -> None:
        self.loop, self.random, self.plan, self.counts = loop, random, plan, counts
        self.database = ModelDatabase()
        self.replicas = [Replica(self, number) for number in range(random.choice((2, 2, REPLICAS)))]
        self.tasks: list[asyncio.Task[Any]] = []
        self.asked = 0

    def begin(self, work: Any) -> "asyncio.Task[Any]":
        """Start a task that must end before the simulation does."""
        task = self.loop.create_task(work)
        self.tasks.append(task)
        return task

    def tell(self, teller: Replica, combat: UUID) -> None:
        """Send a notice to the other replicas. Some notices are lost."""
        for replica in self.replicas:
            if replica is not teller and self.random.random() < self.plan.notices:
                self.loop.call_later(self.random.uniform(0.001, 0.05), replica.hear, combat)

    def heal(self) -> None:
        """End all faults."""
        self.plan = self.plan.healed()
        for replica in self.replicas:
            replica.link.plan, replica.link.down_until = self.plan, 0.0

    async def request(
        self,
        replica: Replica,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Call a replica. Raises `Broken` if the replica is killed meanwhile."""
        pieces: list[bytes] = []
        async for answer in self.pieces(replica, method, path, body, token=token, headers=headers):
            pieces.append(answer.body)
            last = answer
        response = Answer(last.status, last.headers, b"".join(pieces))
        self.loop.trace(method, path, response.status, response.body)
        assert response.status != 500, f"{method} {path}: {response.body!r}"
        return response

    async def pieces(
        self,
        replica: Replica,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str,
        headers: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> AsyncIterator[Answer]:
        """Yield each piece of an answer, with its head. Raises `Broken`."""
        raw = b"" if body is None else json.dumps(body).encode()
        path, _, query = path.partition("?")
        sent = {
            "host": "localhost",
            "authorization": f"Bearer {token}",
            "content-length": str(len(raw)),
            **({"content-type": "application/json"} if body is not None else {}),
            **(headers or {}),
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), text.encode()) for name, text in sent.items()],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
            "state": {},
        }
        said: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        unread, left = [raw], asyncio.Event()

        async def receive() -> dict[str, Any]:
            if unread:
                return {"type": "http.request", "body": unread.pop(), "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            said.put_nowait(message)

        async def call() -> None:
            try:
                await replica.app(scope, receive, send)
            except Exception as error:
                self.loop.faults.append(f"{method} {path}: {error!r}")
            finally:
                said.put_nowait(None)

        self.asked += 1
        task = self.loop.create_task(call(), name=f"request {self.asked:06}")
        replica.requests[task] = said
        status, head = 0, {}
        whole = False
        try:
            while True:
                async with asyncio.timeout(patience_s):
                    message = await said.get()
                if message is None:
                    if not whole:
                        raise Broken
                    return
                if message["type"] == "http.response.start":
                    status = message["status"]
                    head = {name.decode(): text.decode() for name, text in message["headers"]}
                else:
                    whole = not message.get("more_body", False)
                    yield Answer(status, head, message.get("body", b""))
        finally:
            left.set()
            replica.requests.pop(task, None)
            self.tasks.append(task)


@contextmanager
def deterministic(seed: int) -> Iterator[tuple[Random, Callable[[float], None]]]:
    """Let the seed control the clock and the randomness. Yield a function that moves the clock."""
    random, bytes_ = Random(seed), Random(f"bytes {seed}")
    gc.collect()
    gc.disable()  # a collection would close generators at random times
    randomness.seed(seed)
    passed, began = 0.0, BEGAN.timestamp()
    with time_machine.travel(BEGAN, tick=False) as traveller:

        def move(seconds: float) -> None:
            nonlocal passed
            before, passed = passed, passed + seconds
            if int(passed * 1000) > int(before * 1000):  # no code needs a finer wall clock
                traveller.move_to(began + passed)

        with (
            patch.object(os, "urandom", bytes_.randbytes),
            patch.object(time, "monotonic", lambda: passed),
        ):
            try:
                yield random, move
            finally:
                gc.enable()
