"""Measure the cost of a command to PostgreSQL, alone and beside fifteen other commands."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

from service.embedded import EmbeddedServer
from service.store.log import Store
from service.store.rows import Append
from tests.bench.meter import cpu_s, postmaster, with_children
from tests.bench.row import Row
from tests.service.test_store import following, opening

TOGETHER = 16
EVENTS = 8
"""Number of events of each command, as many as an attack has."""

ROUNDS = 40

Storing = Callable[[list[Append]], Awaitable[None]]


async def rows() -> list[Row]:
    """Measure with a separate database."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        data = Path(folder) / "data"
        embedded = EmbeddedServer(data)
        store = await Store.open(await embedded.start(), 3)
        try:
            return [await _together_and_alone(store, postmaster(data))]
        finally:
            await store.close()
            await embedded.stop()


async def _together_and_alone(store: Store, postgres: int) -> Row:
    async def at_once(commands: list[Append]) -> None:
        await asyncio.gather(*map(store.append, commands))

    async def in_turn(commands: list[Append]) -> None:
        for append in commands:
            await store.append(append)

    present = [opening(uuid4(), *range(1, EVENTS + 1)) for _ in range(TOGETHER)]
    await in_turn(present)
    costs = []
    for storing in (at_once, in_turn, at_once, in_turn):  # the first two make the plans
        cost, present = await _cost(storing, present, postgres)
        costs.append(cost)
    together, alone = costs[2:]
    return Row(
        f"a command stored with {TOGETHER - 1} others / alone: CPU of PostgreSQL",
        together / alone,
        0.5,
        f"{together:.0f} / {alone:.0f} µs",
    )


async def _cost(
    storing: Storing, present: list[Append], postgres: int
) -> tuple[float, list[Append]]:
    everybody = with_children(postgres)
    before = cpu_s(everybody)
    for _ in range(ROUNDS):
        first = present[0].after.version + 1
        present = [
            following(append, append.combat, *range(first, first + EVENTS)) for append in present
        ]
        await storing(present)
    return (cpu_s(everybody) - before) / (ROUNDS * TOGETHER) * 1e6, present
