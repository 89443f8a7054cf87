"""Test that every caller of the pulse gets an answer."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from service.store.gatherer import AT_ONCE
from service.store.pulse import SLOW_S, Pulse
from service.store.rows import Head

HEAD = Head(uuid4(), 1, "", 0, 0)


class AtOnce:
    """A store whose queries all return at the same moment."""

    def __init__(self) -> None:
        self.gates: list[asyncio.Event] = []

    async def heads(self, combats: Sequence[UUID]) -> dict[UUID, Head]:
        gate = asyncio.Event()
        self.gates.append(gate)
        await gate.wait()
        return dict.fromkeys(combats, HEAD)

    def answer(self) -> None:
        for gate in self.gates:
            gate.set()


async def test_who_asks_again_when_all_questions_come_back_is_answered() -> None:
    store: Any = AtOnce()
    pulse = Pulse(store)
    combat = uuid4()

    async def asks(times: int) -> None:
        for _ in range(times):
            await pulse.of(combat)

    readers = []
    for number in range(AT_ONCE):
        readers.append(asyncio.create_task(asks(2 if number == 0 else 1)))
        await asyncio.sleep(SLOW_S * 1.5)
    assert len(store.gates) == AT_ONCE
    for _ in range(10):
        store.answer()
        await asyncio.sleep(0.001)
    await asyncio.wait_for(asyncio.gather(*readers), 2)
