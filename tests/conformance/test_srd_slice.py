"""Test that the example rulebook keeps every promise, and that the service can play it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.rulebook.ruleset import Ruleset
from service.conformance.case import Budget
from service.conformance.kit import Subject, load, run, told
from tests.forms import forms
from tests.server import Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "srd-slice"


@pytest.fixture
def ruleset() -> Ruleset:
    return load("srd_slice:RULESET")


@forms("commands", 25, long=[150])
def test_it_keeps_every_promise(ruleset: Ruleset, commands: int) -> None:
    results = list(run(Subject(ruleset, "srd_slice:RULESET"), Budget(commands, 7)))
    assert [told(result) for result in results if result.broken] == []


def test_it_says_whose_rules_they_are() -> None:
    for path in (EXAMPLE / "README.md", EXAMPLE / "srd_slice" / "__init__.py"):
        text = " ".join(path.read_text().split())
        assert "Wizards of the Coast LLC and available at" in text
        assert "https://creativecommons.org/licenses/by/4.0/legalcode." in text


def test_it_uses_what_authors_may_use() -> None:
    """An author uses only the packages that `docs/adding-a-ruleset.md` names."""
    allowed = ("domain.rulebook", "domain.record", "domain.errors", "domain.dice", "srd_slice")
    for path in (EXAMPLE / "srd_slice").glob("*.py"):
        for line in path.read_text().splitlines():
            if line.startswith("from ") and line.split()[1].split(".")[0] in ("domain", "service"):
                assert line.split()[1].startswith(allowed), line


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package as pip does: its code, and metadata with the entry point."""
    shutil.copytree(EXAMPLE / "srd_slice", tmp_path / "srd_slice")
    metadata = tmp_path / "srd_slice-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: srd-slice\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[affray.rulesets]\nsrd-slice = srd_slice:RULESET\n")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))


@pytest.fixture
def served(installed: None, dsn: str) -> Iterator[httpx.Client]:
    server = Server(dsn).start()
    with httpx.Client(base_url=server.url, timeout=30) as http:
        yield http
    server.stop()


def test_the_service_plays_it(served: httpx.Client) -> None:
    listed = served.get("/v1/rulesets").json()["rulesets"]
    assert "srd-slice" in [entry["id"] for entry in listed]
    (party,) = served.get("/v1/rulesets/srd-slice").json()["parties"]
    combatants = [{"sheet": sheet} for sheet in party["sheets"]]
    dice = {"gm": "manual", "players": "manual"}
    body = {"ruleset": "srd-slice", "dice": dice, "combatants": combatants}
    opened = served.post("/v1/combats", json=body).json()
    served.headers["Authorization"] = f"Bearer {opened['token']}"
    path = f"/v1/combats/{opened['combat']}"
    served.post(f"{path}/begin", json={}).raise_for_status()
    for face in (20, 2, 3, 4, 5):
        throw(served, path, face)
    act(served, path, "move", path=[[1, 0]])
    act(served, path, "attack", target="Snag", weapon="longsword")
    throw(served, path, 12)  # 12 + 5 = 17 against 15
    done = throw(served, path, 5)  # 5 + 3 = 8 of 7 hp
    kinds = [event["type"] for event in done["events"]]
    assert {"damaged", "died"} <= set(kinds)
    log = served.get(f"{path}/timeline", headers={"Accept": "text/markdown"}).text
    assert "Mira attacks Snag with the longsword" in log


def throw(http: httpx.Client, combat: str, *faces: int) -> Any:
    prompts = http.get(f"{combat}/prompts").json()["prompts"]
    (roll,) = [prompt for prompt in prompts if prompt["kind"] == "roll"]
    answer = {"inputs": {"faces": list(faces)}}
    answered = http.post(f"{combat}/prompts/{roll['id']}", json=answer)
    assert answered.is_success, answered.text
    return answered.json()


def act(http: httpx.Client, combat: str, action: str, **inputs: Any) -> Any:
    body = {"combatant": "Mira", "action": action, "inputs": inputs}
    done = http.post(f"{combat}/actions", json=body)
    assert done.is_success, done.text
    return done.json()
