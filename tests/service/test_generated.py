"""Test clients that generators make from the contract. Each of them plays a fight."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from service.http.contract import FOLDER
from tests.client import Client
from tests.server import Server
from tests.service.test_play import ANA, IMP

GENERATOR = Path(sys.executable).parent / "openapi-python-client"

KNOWN = ("application/x-ndjson", "image/webp")
"""Types that the generator cannot read: bodies that are files."""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield the generated package, importable."""
    folder = tmp_path_factory.mktemp("generated") / "client"
    made = subprocess.run(
        [
            str(GENERATOR),
            "generate",
            "--path",
            str(FOLDER / "openapi.json"),
            "--output-path",
            str(folder),
            "--meta",
            "none",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    complaints = (made.stdout + made.stderr).split("WARNING")[1:]
    assert not [part for part in complaints if not any(name in part for name in KNOWN)], made.stdout
    sys.path.insert(0, str(folder.parent))
    yield folder
    sys.path.remove(str(folder.parent))


@pytest.mark.long
def test_the_generated_client_plays_a_fight_to_its_end(generated: Path, server: Server) -> None:
    def api(name: str) -> Any:
        return importlib.import_module(f"client.api.{name}").sync

    models: Any = importlib.import_module("client.models")
    client_: Any = importlib.import_module("client")
    anybody = client_.AuthenticatedClient(base_url=server.url, token="none")
    body = {
        "ruleset": "free-hit",
        "combatants": [{"sheet": ANA}, {"sheet": IMP}],
        "dice": {"gm": "manual", "players": "manual"},
    }
    opened = api("combats.open_combat")(client=anybody, body=models.OpenFreeHit.from_dict(body))
    combat = opened.combat
    gm = client_.AuthenticatedClient(
        base_url=server.url, token=opened.token, raise_on_unexpected_status=True
    )
    begun = api("combats.begin_combat")(combat, client=gm, body=models.NoFields())
    assert begun.prompts[0].who == "Ana"
    options = api("playing.read_options")(combat, client=gm, combatant="Ana")
    attack = next(option for option in options.options if option.id == "attack")
    assert attack.legal
    declared = api("playing.declare_action")(
        combat,
        client=gm,
        body=models.DeclareAttack(
            combatant="Ana", action="attack", inputs=models.FreeHitPaidAttack(target="Imp")
        ),
    )
    for faces in ([12], [4]):  # 12 + 4 hits; 4 + 1 of 6 points
        (roll,) = [prompt for prompt in declared.prompts if prompt.kind == "roll"]
        declared = api("playing.answer_prompt")(
            combat,
            roll.id,
            client=gm,
            body=models.AnswerRoll(inputs=models.RollFaces(faces=faces)),
        )
    (damaged,) = [event for event in declared.events if isinstance(event, models.DamagedEvent)]
    assert isinstance(damaged.data, models.DamagedData)
    assert (damaged.type_, damaged.data.who, damaged.data.amount) == ("damaged", "Imp", 5)
    assert damaged.at.tzinfo is not None
    page = api("history.read_events")(combat, client=gm)
    assert isinstance(page.events[0], models.CombatOpenedEvent)
    assert page.events[0].data.ruleset == "free-hit"
    file = api("history.export_combat")(combat, client=gm, format_=models.ExportCombatFormat.JSON)
    assert file.header.events == len(file.events) == page.version
    board = api("combats.read_combat")(combat, client=gm)
    (imp,) = [combatant for combatant in board.combatants if combatant.id == "Imp"]
    assert imp.tracks["hp"].value == 1
    api("gm.undo")(combat, client=gm, body=models.UndoWhat.from_dict({"reason": "once more"}))
    timeline = api("history.read_timeline")(combat, client=gm)
    assert timeline.entries
    refused = api("playing.declare_action")(
        combat,
        client=gm,
        body=models.DeclareAttack(
            combatant="Imp", action="attack", inputs=models.FreeHitPaidAttack(target="Ana")
        ),
    )
    assert isinstance(refused, models.Problem)
    assert refused.status == 409

    def declare(who: str, action: str, **inputs: Any) -> Any:
        body = getattr(models, action)
        kind = {"DeclareAttack": "attack", "DeclareEndTurn": "end-turn"}[action]
        given = body(combatant=who, action=kind, **inputs)
        return api("playing.declare_action")(combat, client=gm, body=given)

    for _ in range(100):
        board = api("combats.read_combat")(combat, client=gm)
        if board.status == "ended":
            break
        prompt = board.prompts[0]
        if prompt.kind == "roll":
            faces = prompt.data.to_dict()["dice"]  # each die shows its highest face
            body = models.AnswerRoll(inputs=models.RollFaces(faces=faces))
            api("playing.answer_prompt")(combat, prompt.id, client=gm, body=body)
        elif prompt.kind != "turn":
            body = models.AnswerPlain(option=prompt.default or prompt.options[0])
            api("playing.answer_prompt")(combat, prompt.id, client=gm, body=body)
        elif prompt.who == "Imp" or isinstance(
            declare("Ana", "DeclareAttack", inputs=models.FreeHitPaidAttack(target="Imp")),
            models.Problem,
        ):
            assert not isinstance(declare(prompt.who, "DeclareEndTurn"), models.Problem)
    assert (board.status, board.winners) == ("ended", ["heroes"])


def test_the_document_has_what_generators_need() -> None:
    document = json.loads((FOLDER / "openapi.json").read_text())
    text = json.dumps(document["components"])
    assert "prefixItems" not in text
    assert '"items": false' not in text
    assert "\\\\Z" not in text
    for name, schema in document["components"]["schemas"].items():
        for field, property_schema in schema.get("properties", {}).items():
            assert property_schema.get("description"), (name, field)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (path, method)
            assert "security" in operation, (path, method)
            for parameter in operation["parameters"]:
                assert parameter["description"], (path, method, parameter["name"])


async def test_events_are_what_the_union_says(client: Client) -> None:
    document = json.loads((FOLDER / "openapi.json").read_text())
    union = {"$ref": "#/components/schemas/EventView", "components": document["components"]}
    validator = Draft202012Validator(union)
    await client.open("free-hit", [ANA, {**IMP, "name": "Imp"}], name="Imp")
    player = await client.player("Ana")
    await client.call("PATCH", "/combatants/Imp", {"hidden": True})
    await client.done("/begin")
    await client.done("/rulings", {"ruling": "damage", "inputs": {"combatant": "Ana", "amount": 1}})
    await client.done("/notes", {"text": "Imp"})
    seen = set()
    for token in (client.token, player):
        page = await client.get("/events", token=token, params={"limit": 500})
        for event in page.json()["events"]:
            assert not [error.message for error in validator.iter_errors(event)], event
            seen.add(event["type"])
    assert {"combat-opened", "combatant-joined", "damaged", "noted"} <= seen
    broken = {**event, "type": "noted", "data": {"txt": 1}}
    assert list(validator.iter_errors(broken))
