"""Each import is stored and playable, or refused with its first bad line."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import msgspec
import pytest

from domain.errors import Malformed
from domain.record.export import read
from service.app import Service
from service.import_trial import made_of
from tests.client import Client
from tests.conftest import RULESETS
from tests.forms import forms
from tests.hostile import judged
from tests.service.forging import forged_by
from tests.service.mutated import fight, files, sealed
from tests.service.test_deadlines import SHEETS
from tests.service.test_imports import NDJSON
from tests.walks import FIGHTS

FILES = 500 if os.environ.get("AFFRAY_FUZZ") == "long" else 5
"""Number of mutated exports of each rulebook. `python -m tests.hostile` tries any number."""


async def imported(client: Client, file: bytes) -> httpx.Response:
    return await client.http.post("/v1/combats/import", content=file, headers=NDJSON)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", list(FIGHTS))
@forms("count", 3, long=[FILES])
async def test_what_is_imported_is_playable_or_refused_with_a_line(
    client: Client, ruleset: str, count: int
) -> None:
    verdict = await judged(client.http, ruleset, 0, count)
    assert verdict.faults == []
    assert verdict.refused + verdict.taken == count
    assert verdict.played, "most mutations harm nobody"


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", list(FIGHTS))
async def test_what_was_played_is_taken(ruleset: str) -> None:
    recorded = read(fight(ruleset, 1, 40)).recorded
    assert (await made_of(RULESETS[ruleset], recorded)).version == len(recorded)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", list(files("*")))
async def test_what_releases_have_written_is_taken(name: str) -> None:
    recorded = read(files("*")[name]).recorded
    assert (await made_of(RULESETS[name.rpartition("-")[0]], recorded)).version


async def exported(client: Client) -> bytes:
    """Return the export of a deleted fight."""
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


def with_another_side(recorded: dict[str, Any]) -> None:
    """Give Imp a side that is a number in its sheet. The event keeps the correct side."""
    if recorded["event"]["type"] == "combatant-joined" and recorded["event"]["name"] == "Imp":
        recorded["event"]["sheet"]["side"] = 1.5


@pytest.mark.parametrize(
    ("forge", "detail"),
    [
        (without_pools, "has no "),
        (with_another_sheet, ": /agility: a whole number is wanted, not a text"),
        (with_another_side, ": /side: a text is wanted, not a number"),
    ],
)
async def test_a_combatant_that_the_rulebook_cannot_have_is_refused_by_its_line(
    client: Client, forge: Any, detail: str
) -> None:
    file = await exported(client)
    bad = forged_by(file, forge)
    lines = zip(file.splitlines()[1:], bad.splitlines()[1:], strict=True)
    line = next(number for number, (old, new) in enumerate(lines, 2) if old != new)
    answer = await imported(client, bad)
    assert (answer.status_code, answer.json()["pointer"]) == (400, f"/{line}")
    assert detail in answer.json()["detail"]
    unlike = file.replace(b'"parent":0', b'"parent":"x"', 1)
    answer = await imported(client, unlike)
    assert "line 2: /parent: a whole number is wanted, not a text" in answer.json()["detail"]
    assert (await imported(client, file)).status_code == 201


Forge = Callable[[dict[str, Any]], None]


def setting(type: str, *path: str, to: Any) -> Forge:
    """Return a function that sets a value in the first suitable event of a type."""
    done: list[bool] = []

    def forge(recorded: dict[str, Any]) -> None:
        holder = recorded if path[0] == "audience" else recorded["event"]
        if recorded["event"]["type"] != type or done:
            return
        for name in path[:-1]:
            holder = holder.get(name) or {}
        if path[0] == "audience" or path[-1] in holder:
            holder[path[-1]] = to
            done.append(True)

    return forge


def remembering(key: str, value: Any) -> Forge:
    """Return a function that replaces a fact of a combatant."""
    done: list[bool] = []

    def forge(recorded: dict[str, Any]) -> None:
        event = recorded["event"]
        of_combat = key == "ending"
        if event["type"] == "fact-set" and (event["who"] is None) is of_combat and not done:
            event |= {"key": key, "value": value}
            done.append(True)

    return forge


def gaining(condition: str, data: Any) -> Forge:
    """Return a function that replaces a condition and its data."""
    done: list[bool] = []

    def forge(recorded: dict[str, Any]) -> None:
        event = recorded["event"]
        if event["type"] == "condition-gained" and not done:
            event |= {"condition": condition, "data": data}
            done.append(True)

    return forge


SHEET: Any = {"weapons": [{"id": 1}]}
AIM: Any = {"target": 1}

FORGED: tuple[tuple[str, Forge], ...] = (
    ("free-hit", setting("combat-opened", "options", to={"rulings": 3})),
    ("sovereign", setting("combat-opened", "options", "ask_free_actions_after", to=[])),
    ("sovereign", setting("combat-opened", "map", "difficult", to=["wood"])),
    ("sovereign", setting("map-set", "map", to={"walls": 1})),
    ("definitions", setting("combatant-changed", "sheet", to=SHEET)),
    ("definitions", setting("fact-set", "who", to="nobody")),
    ("definitions", setting("initiative-set", "order", to=[{"who": "nobody"}])),
    ("definitions", setting("damaged", "track", to="luck")),
    ("sovereign", setting("healed", "track", to="luck")),
    ("free-hit", setting("answered", "audience", to=None)),
    ("free-hit", setting("answered", "audience", to=["Cal"])),
    ("free-hit", setting("ruled", "audience", to=None)),
    ("definitions", remembering("held", {"attacks": 1, "action": "dance"})),
    ("definitions", remembering("held", {"attacks": 1, "action": "attack", "inputs": AIM})),
    ("definitions", remembering("ending", {"winners": 3})),
    ("vile-darkness", remembering("committed", {"action": "attack", "inputs": AIM})),
    ("vile-darkness", remembering("declared", {"action": "attack", "inputs": {"targets": {}}})),
    ("vile-darkness", remembering("declared", {"activities": [1]})),
    ("vile-darkness", remembering("declared", {"minors": [{"action": "ability", "inputs": {}}]})),
    ("vile-darkness", remembering("complex_activity", {"name": "dig", "with_these": [[]]})),
    ("definitions", gaining("modifier", {"value": "x"})),
    ("definitions", gaining("enchanted", {"cause": 1})),
    ("free-hit", gaining("boosted", {"can_act": []})),
    ("sovereign", gaining("grappled", {"number": "first"})),
    ("vile-darkness", gaining("blessed", {"flags": 1})),
)  # fmt: skip


@pytest.mark.parametrize(("ruleset", "forge"), FORGED)
async def test_json_of_another_type_than_declared_is_refused_by_its_line(
    ruleset: str, forge: Forge
) -> None:
    stored = [file for name, file in files("*").items() if name.startswith(ruleset)]
    for file in (fight(ruleset, 1, 40), *stored, fight(ruleset, 2, 40)):
        bad = forged_by(file, forge)
        lines = zip(file.splitlines()[1:], bad.splitlines()[1:], strict=True)
        line = next((number for number, (old, new) in enumerate(lines, 2) if old != new), None)
        if line is not None:
            break
    else:
        pytest.fail("no fight has such an event")
    with pytest.raises(Malformed) as error:
        await made_of(RULESETS[ruleset], read(bad).recorded)
    assert error.value.pointer == f"/{line}"


NAMED: Any = [{"combatant": "Ana", "inputs": 3}, {"inputs": {}}, 5]


@pytest.mark.parametrize(
    "inputs",
    [
        {"targets": 3},
        {"targets": NAMED, "inputs": []},
        {"targets": [{"combatant": ["Ana"]}]},
        {"amount": {}},
        {"combatant": 7, "amount": True},
    ],
)
async def test_why_reads_any_inputs_that_a_ruling_was_stored_with(
    client: Client, inputs: Any
) -> None:
    await client.open("free-hit", SHEETS)
    who = SHEETS[0]["name"]
    body = {"ruling": "damage", "inputs": {"combatant": who, "amount": 2}}
    await client.done("/rulings", body)
    file = (await client.get("/export")).content
    assert (await client.call("DELETE", "")).status_code in (200, 204)
    answer = await imported(client, forged_by(file, setting("ruled", "inputs", to=inputs)))
    if answer.status_code == 201:
        client.token = answer.json()["token"]
        why = await client.get("/why", params={"combatant": who, "track": "hp"})
        assert why.status_code == 200
    else:
        assert answer.status_code == 400


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
    """Return the file with many notes at the end."""
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
    file = long_fight(await exported(client), 12_000)
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
    done, begun = asyncio.Event(), asyncio.Semaphore(0)

    async def slow() -> AsyncIterator[bytes]:
        yield large
        begun.release()
        await done.wait()

    async def upload() -> httpx.Response:
        return await client.http.post("/v1/combats/import", content=slow(), headers=NDJSON)

    held = [asyncio.create_task(upload()) for _ in range(uploads.most)]
    for _ in held:
        await begun.acquire()
    answer = await imported(client, large)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    assert (await imported(client, b"small")).status_code == 400
    done.set()
    assert {answer.status_code for answer in await asyncio.gather(*held)} == {400}
    assert (await imported(client, large)).status_code == 400
