"""Test that programs in the documentation run, and that its tables are complete."""

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.http.problems import TITLES
from tests.server import Server

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("clients/*/README.md"))]


def program(page: str, language: str) -> str:
    """Return the code of a page in one language, as one program."""
    text = (DOCS / page).read_text()
    pieces = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert pieces
    return "\n".join(pieces)


async def test_the_tutorial_in_python_plays_a_fight_to_its_end(server: Server) -> None:
    source = program("tutorials/vtt-in-python.md", "python")
    client = str(ROOT / "clients" / "python")
    environment = {**os.environ, "AFFRAY_URL": server.url, "PYTHONPATH": client}
    played = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", source],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert played.returncode == 0, played.stderr
    assert "[ Strike Troll with the sword ]" in played.stdout
    assert "Lin attacks Troll with the sword" in played.stdout
    assert not re.search(r"^! ", played.stdout, re.MULTILINE)  # no fault, no refusal
    assert "The fight ends" in played.stdout


@pytest.mark.sampled(0)
def test_the_tutorial_in_python_has_the_types_of_the_client(tmp_path: Path) -> None:
    (tmp_path / "vtt.py").write_text(program("tutorials/vtt-in-python.md", "python"))
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "vtt.py")],
        cwd=ROOT / "clients" / "python",
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


async def test_the_tutorial_about_amendments_corrects_two_rounds(server: Server) -> None:
    source = program("tutorials/amend-a-fight.md", "python")
    environment = {**os.environ, "AFFRAY_URL": server.url}
    played = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", source],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert played.returncode == 0, played.stderr
    assert "It ends because of a new prompt" in played.stdout
    assert "Troll: Hit points 30 → 22" in played.stdout
    assert played.stdout.endswith("[22]\n")


async def test_the_guide_changes_a_past_roll(server: Server) -> None:
    def fight() -> dict[str, str]:
        weapon = {"id": "sword", "name": "sword", "damage": "1d8"}
        common = {"accuracy": 3, "weapons": [weapon]}
        lin = {"name": "Lin", "side": "heroes", "at": [0, 0], "agility": 4, "max_hp": 18}
        troll = {"name": "Troll", "side": "foes", "at": [1, 0], "agility": 1, "max_hp": 30}
        combatants = [{"sheet": lin | common}, {"sheet": troll | common}]
        dice = {"gm": "manual", "players": "manual"}
        body = {"ruleset": "free-hit", "dice": dice, "combatants": combatants}
        with httpx.Client(base_url=server.url, timeout=30) as http:
            opened = http.post("/v1/combats", json=body).json()
            path = f"/v1/combats/{opened['combat']}"
            http.headers["Authorization"] = f"Bearer {opened['token']}"
            http.post(f"{path}/begin", json={}).raise_for_status()
            act = {"combatant": "Lin", "action": "attack", "inputs": {"target": "Troll"}}
            done = http.post(f"{path}/actions", json=act).json()
            (roll,) = [prompt for prompt in done["prompts"] if prompt["kind"] == "roll"]
            answer = {"inputs": {"faces": [7]}}
            http.post(f"{path}/prompts/{roll['id']}", json=answer).raise_for_status()
        return {"C": server.url + path, "H": f"Authorization: Bearer {opened['token']}"}

    source = program("how-to/change-a-past-roll.md", "bash")
    environment = {**os.environ, **await asyncio.to_thread(fight)}
    played = await asyncio.to_thread(
        subprocess.run,
        ["bash", "-eu", "-c", source],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert played.returncode == 0, played.stderr
    tried, asked, committed, undone = _documents(played.stdout)
    assert [event["type"] for event in tried["events"]] == ["rolled"]
    assert asked["report"]["stored"] is None
    assert asked["report"]["ended"] is None
    assert committed["stored"] > tried["events"][0]["version"]
    assert "takes back the amendment" in undone["result"]["sentence"]


def _documents(text: str) -> list[Any]:
    """Return the consecutive JSON documents of a text."""
    documents: list[Any] = []
    while text := text.strip():
        document, end = json.JSONDecoder().raw_decode(text)
        documents.append(document)
        text = text[end:]
    return documents


def test_every_problem_type_has_its_row() -> None:
    page = (DOCS / "how-to" / "errors.md").read_text()
    rows = dict(re.findall(r"`([a-z-]+)` \| (\d+) \|", page))
    assert rows == {name: str(status) for name, (status, _) in TITLES.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if "://" not in link:
            assert (page.parent / link).exists(), link
