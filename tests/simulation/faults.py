"""Faults between a replica and the model of the store, chosen by the seed.

A seed turns some kinds of faults on and others off, so that runs differ more than with one mixture.
This is known as swarm testing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final, TypeVar
from uuid import UUID

from msgspec import Struct

from service.store.port import PATIENCE_S
from service.store.rows import Lost, OutcomeUnknown, Unavailable
from tests.simulation.loop import SimulatedLoop
from tests.simulation.model import Kind, Link, ModelDatabase

T = TypeVar("T")


FAULTS: Final = ("refused", "lost_before", "lost_after", "late", "slow")
"""Faults of a single statement."""


class Plan(Struct, frozen=True):
    """The faults of one seed. Probabilities apply to each statement.

    - `refused`: a statement never reaches the database, or the database rolls it back and reports
      this.
    - `lost_before`, `lost_after`: the connection breaks before or after it takes effect.
    - `late`: the connection breaks, and it takes effect later.
    - `slow`: it takes up to the service's time limit.
    - `held`: another writer is changing the combat.
    - `again`: after a fault, the next statement of the replica has a fault too.
    - `cuts`, `kills`: the number of times that a replica loses its database for a while, or is
      killed.
    - `goes_back`: the database returns to an old copy, once.
    - `quickest_s`, `longest_s`: limits of the delay of a statement.
    """

    refused: float
    lost_before: float
    lost_after: float
    late: float
    slow: float
    held: float
    again: float
    cuts: int
    kills: int
    goes_back: bool
    shuffle: float
    notices: float
    quickest_s: float
    longest_s: float

    @classmethod
    def of(cls, random: Random) -> "Plan":
        """Choose a plan."""

        def sometimes(most: float) -> float:
            return random.choice((0.0, 0.0, most / 4, most))

        return cls(
            sometimes(0.1),
            sometimes(0.1),
            sometimes(0.15),
            sometimes(0.15),
            sometimes(0.05),
            sometimes(0.5),
            sometimes(0.5),
            random.choice((0, 0, 1, 3)),
            random.choice((0, 0, 1, 3)),
            random.random() < 0.15,
            random.choice((0.0, 0.2, 1.0)),
            random.choice((0.0, 0.5, 1.0)),
            0.0001,
            random.choice((0.001, 0.01, 0.1)),
        )

    def healed(self) -> "Plan":
        """Return a plan without faults for the end. Notices can still be lost."""
        quickest_s, longest_s = 0.0001, 0.001
        return Plan(
            *(0, 0, 0, 0, 0, 0, 0, 0, 0, False),
            *(self.shuffle, self.notices, quickest_s, longest_s),
        )


class _GoneBack(Exception):
    """The database returned to an old copy during the statement. This broke the connection."""


class FaultyLink(Link):
    """The connection of one replica. A statement continues even if its caller stops waiting."""

    def __init__(
        self,
        loop: SimulatedLoop,
        random: Random,
        plan: Plan,
        database: ModelDatabase,
        counts: Counter[str],
    ) -> None:
        self.loop, self.random, self.plan, self.database = loop, random, plan, database
        self.counts = counts
        self.down_until = 0.0
        self.severed = False
        self.failed = False  # true if the last statement failed

    async def run(self, kind: Kind, statement: Callable[[], T]) -> T:
        """Let a statement take effect now, later or never. Return or raise its visible outcome."""
        fault = self._chosen()
        self.counts["statements"] += 1
        if fault != "none":
            self.counts[fault] += 1
        self.loop.trace(kind, fault)
        if fault == "down":
            await asyncio.sleep(self.random.uniform(0, 0.3))
            raise Unavailable("no connection")
        if fault == "refused":
            await self._way()
            raise Unavailable("refused")
        if fault == "lost_before":
            await self._way()
            raise _lost(kind, None)
        future = self._on_its_way(statement, fault)
        if fault == "late":
            await self._way()
            answer = None
            if kind == "confirmed" and self.random.random() < 0.5:
                with suppress(_GoneBack):
                    answer = await future
            raise _lost(kind, answer)
        try:
            answer = await future
        except _GoneBack:
            raise _lost(kind, None) from None
        if fault == "lost_after":
            raise _lost(kind, answer)
        await self._way()
        if self.severed:
            raise _lost(kind, answer)
        return answer

    def _on_its_way(self, statement: Callable[[], T], fault: str) -> "asyncio.Future[T]":
        future: asyncio.Future[T] = self.loop.create_future()
        generation = self.database.generation

        def takes_effect() -> None:
            result, failed = None, None
            try:
                if generation != self.database.generation:
                    raise _GoneBack
                result = statement()
            except Exception as error:
                failed = error
            if future.cancelled():
                return
            if failed is None:
                future.set_result(result)  # type: ignore[arg-type]
            else:
                future.set_exception(failed)
                future.exception()  # the caller may no longer wait for the statement

        delay = self.random.uniform(self.plan.quickest_s, self.plan.longest_s)
        if fault == "late":
            delay += self.random.choice((0.01, 0.3, 3.0)) * self.random.random()
        if fault == "slow":
            delay += self.random.uniform(0, 0.8 * PATIENCE_S)
        self.loop.call_later(delay, takes_effect)
        return future

    def held(self, combats: Sequence[UUID]) -> Collection[UUID]:
        return [combat for combat in combats if self.random.random() < self.plan.held]

    async def _way(self) -> None:
        await asyncio.sleep(self.random.uniform(self.plan.quickest_s, self.plan.longest_s))

    def _chosen(self) -> str:
        if self.severed or self.loop.time() < self.down_until:
            return "down"
        chances = {name: getattr(self.plan, name) for name in FAULTS}
        follows = self.failed and self.random.random() < self.plan.again
        drawn = self.random.random() * (sum(chances.values()) if follows else 1)
        for name, chance in chances.items():
            drawn -= chance
            if drawn < 0:
                self.failed = True
                return name
        self.failed = False
        return "none"


def _lost(kind: Kind, answer: Any) -> Exception:
    """Return the error of a broken connection that the port defines."""
    if kind == "statement":
        return Lost("the connection broke")
    if kind == "change" or (kind == "confirmed" and answer is not None):
        return OutcomeUnknown(None)
    return Unavailable("the connection broke")
