"""Every import is stored and playable, or refused with its first bad line; others go on."""

import asyncio
import os
import time
from contextlib import ExitStack
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain.errors import Malformed, Refused
from domain.record.export import read
from service.app import Service
from service.playable import commands, context, made_of
from tests.client import Client
from tests.conftest import RULESETS
from tests.service.forging import forged_by
from tests.service.mutated import files, mutated, sealed
from tests.service.test_deadlines import SHEETS
from tests.service.test_imports import NDJSON

MUTATIONS = 1000 if os.environ.get("AFFRAY_FUZZ") == "long" else 15
"""Of the export of each rulebook; `make fuzz FUZZ=tests/service/test_hostile_imports.py`: more."""

EVENTS = 60
"""Events of a mutated export, at most."""

COMMANDS = 6
"""Commands that are played on a mutated export that was stored."""


async def imported(client: Client, file: bytes) -> httpx.Response:
    return await client.http.post("/v1/combats/import", content=file, headers=NDJSON)


@pytest.mark.parametrize("name", [name for name in files() if not name.startswith("toy")])
async def test_a_mutated_export_is_playable_or_refused_with_a_line(name: str) -> None:
    ruleset = RULESETS[name.rpartition("-")[0]]
    random = Random(name)
    stored = 0
    reasons: list[tuple[str, str, int]] = []
    while stored + len(reasons) < MUTATIONS:
        file = mutated(files()[name], random, EVENTS)
        if file is None:
            continue
        try:
            recorded = read(file).recorded
            live = await made_of(ruleset, recorded)
        except Malformed as error:
            reasons.append((error.pointer, error.detail, file.count(b"\n")))
            continue
        stored += 1
        for _ in range(COMMANDS):
            offered = list(commands(live))
            random.shuffle(offered)
            for command in offered[:12]:
                try:
                    live = live.preview(command, context(live.combat)).live
                except Refused:
                    continue
                break
    assert stored, "a mutation of a note or a name harms nobody"
    for pointer, detail, lines in reasons:
        assert detail.startswith(f"line {pointer[1:]}"), detail
        assert 1 <= int(pointer[1:]) <= lines


@pytest.mark.parametrize("name", list(files("*")))
async def test_what_releases_have_written_is_taken(name: str) -> None:
    recorded = read(files("*")[name]).recorded
    assert (await made_of(RULESETS[name.rpartition("-")[0]], recorded)).version


async def exported(client: Client) -> bytes:
    """The export of a fight that is gone."""
    await client.open("free-hit", SHEETS)
    await client.done("/begin")
    file = (await client.get("/export")).content
    assert (await client.call("DELETE")).status_code == 204
    return file


def without_pools(recorded: dict[str, Any]) -> None:
    if recorded["event"]["type"] == "combatant-joined" and recorded["event"]["name"] == "Imp":
        recorded["event"]["tracks"] = {}


def with_another_sheet(recorded: dict[str, Any]) -> None:
    if recorded["event"]["type"] == "combatant-joined" and recorded["event"]["name"] == "Imp":
        recorded["event"]["sheet"]["agility"] = "much"


@pytest.mark.parametrize("forge", [without_pools, with_another_sheet])
async def test_a_combatant_that_the_rulebook_cannot_have_is_refused_by_its_line(
    client: Client, forge: Any
) -> None:
    file = await exported(client)
    bad = forged_by(file, forge)
    lines = zip(file.splitlines()[1:], bad.splitlines()[1:], strict=True)
    line = next(number for number, (old, new) in enumerate(lines, 2) if old != new)
    answer = await imported(client, bad)
    assert (answer.status_code, answer.json()["pointer"]) == (400, f"/{line}")
    assert (await imported(client, file)).status_code == 201


GROUNDS: tuple[Any, ...] = (
    {"sword": 0},
    {"sword": {}},
    {"sword": {"name": "sword", "at": "nowhere"}},
    {"sword": {"name": "sword", "at": [0]}},
    {"sword": {"name": "sword", "weapon": {"id": ["sword"]}}},
    {"sword": {"name": "sword", "weapon": {"id": "sword", "name": "sword", "damage": 1}}},
)


@pytest.mark.parametrize("ground", GROUNDS)
async def test_a_fact_that_no_rule_expects_is_refused_by_its_line(
    client: Client, ground: Any
) -> None:
    await client.open("free-hit", SHEETS)
    await client.done("/begin")
    inputs = {"item": "rope", "name": "rope", "at": [1, 1]}
    await client.done("/rulings", {"ruling": "place-item", "inputs": inputs})
    file = (await client.get("/export")).content
    assert (await client.call("DELETE")).status_code == 204

    def forge(recorded: dict[str, Any]) -> None:
        if recorded["event"].get("key") == "ground":
            recorded["event"]["value"] = ground

    bad = forged_by(file, forge)
    lines = [msgspec.json.decode(line)["event"]["event"] for line in file.splitlines()[1:]]
    line = next(at for at, event in enumerate(lines, 2) if event.get("key") == "ground")
    answer = await imported(client, bad)
    assert (answer.status_code, answer.json()["pointer"]) == (400, f"/{line}")
    assert (await imported(client, file)).status_code == 201


def long_fight(file: bytes, notes: int) -> bytes:
    """The file with many notes behind."""
    header, *lines = [msgspec.json.decode(line) for line in file.splitlines()]
    last = lines[-1]["event"]
    version = last["version"]
    for number in range(notes):
        event = {"type": "noted", "text": f"note {number}"}
        recorded = {
            "version": version + 1,
            "parent": version,
            "at": last["at"],
            "command": f"note-{number}",
            "actor": ["gm", "gm"],
            "event": event,
            "salt": "salt",
        }
        lines.append({"topic": "noted:1", "event": recorded})
        version += 1
    whole = sealed(header, lines)
    assert whole is not None
    return whole


async def test_others_are_served_while_a_large_file_is_imported(client: Client) -> None:
    file = long_fight(await exported(client), 6000)
    task = asyncio.create_task(imported(client, file))
    longest, served = 0.0, 0
    while not task.done():
        began = time.monotonic()
        assert (await client.http.get("/health/live")).status_code == 200
        longest, served = max(longest, time.monotonic() - began), served + 1
        await asyncio.sleep(0.01)
    assert (await task).status_code == 201
    assert served > 10
    assert longest < 0.8, "the event loop stands still"


async def test_short_lines_need_no_memory(client: Client) -> None:
    tracemalloc = pytest.importorskip("tracemalloc")
    file = b"\n" * 16 * 1024 * 1024
    tracemalloc.start()
    try:
        with pytest.raises(Malformed, match="line 1"):
            read(file)
        header = (await exported(client)).splitlines()[0]
        many = msgspec.json.decode(header) | {"events": 1_000_000}
        with pytest.raises(Malformed, match="line 2"):
            read(msgspec.json.encode(many) + b"\n" + b"{}\n" * 1_000_000)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 32 * 1024 * 1024


async def test_so_many_uploads_are_held_at_once(client: Client, service: Service) -> None:
    uploads = service.limiter.uploads
    large = b"x" * (1024 * 1024 + 1)
    answer = await imported(client, large)
    assert answer.status_code == 400
    with ExitStack() as held:
        for _ in range(uploads.most):
            held.enter_context(uploads.taken(""))
        answer = await imported(client, large)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        assert (await imported(client, b"small")).status_code == 400
    assert (await imported(client, large)).status_code == 400
