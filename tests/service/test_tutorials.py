"""The documentation is true: its programs run against a service, and its tables are complete."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.http.problems import TITLES
from tests.server import Server

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("clients/*/README.md"))]


def program(page: str, language: str) -> str:
    """Return the pieces of a page in one language, as one program."""
    text = (DOCS / page).read_text()
    pieces = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert pieces
    return "\n".join(pieces)


async def test_the_tutorial_in_python_plays_a_fight_to_its_end(server: Server) -> None:
    source = program("tutorials/vtt-in-python.md", "python")
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
    assert "Lin attacks Troll with the sword" in played.stdout
    assert "The fight ends" in played.stdout


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


def test_every_problem_type_has_its_row() -> None:
    page = (DOCS / "how-to" / "errors.md").read_text()
    rows = dict(re.findall(r"`([a-z-]+)` \| (\d+) \|", page))
    assert rows == {name: str(status) for name, (status, _) in TITLES.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if "://" not in link:
            assert (page.parent / link).exists(), link
