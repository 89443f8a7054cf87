"""Test that the benchmark runs, and that each part returns measurements."""

import asyncio
from types import ModuleType

import pytest

from tests.bench import http, live, memory, scaling, store
from tests.bench.fights import Fight
from tests.bench.load import Wire
from tests.server import Server

TURNS = 60


async def test_a_fight_goes_on_for_ever(server: Server) -> None:
    fight = await asyncio.to_thread(Fight, server.url)
    wire = await Wire.open(server.port)
    for turn in range(TURNS):
        over = fight.post("end", {}) if turn % 20 == 19 else fight.attack()
        for command in (over, fight.end_turn()):
            status, body = await wire.send(command)
            assert status in (200, 409), body
            fight.take_turns(body if status == 200 else await asyncio.to_thread(fight.prompts))
    wire.close()


@pytest.mark.long
def test_what_is_measured_in_memory() -> None:
    rows = memory.rows(600)
    assert len({row.work for row in rows}) == len(rows)
    assert all(row.ratio > 0 for row in rows)


PARTS: dict[ModuleType, dict[str, int]] = {
    http: {"CLIENTS": 2, "FIGHTS": 1, "PAIRS": 2, "TABLES": 1, "PLAYERS": 2},
    scaling: {"CLIENTS": 2, "ROUNDS": 1},
    live: {"LISTENERS": 10, "ACROSS": 3, "COMMANDS": 9, "SCREENS": 1, "PLAYED": 2, "PAIRS": 1},
    store: {"ROUNDS": 2},
}
"""The parts that need a database, with small sizes."""


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
async def test_what_is_measured_against_a_database(
    part: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in {http, part}:
        for name, number in PARTS[module].items():
            monkeypatch.setattr(module, name, number)
    rows = await part.rows()
    assert len({row.work for row in rows}) == len(rows)
    assert all(row.ratio > 0 for row in rows)
