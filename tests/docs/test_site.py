"""The documentation builds without warnings, lists every page, and needs no internet."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.reference import ROUNDS, pages
from domain.rulesets import installed
from service.cli import commands, parser
from service.http import site as served
from service.http.problems import TITLES
from tests.client import Client

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site with warnings as errors, such as broken or unlisted pages."""
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "trees")]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder / "html")],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return folder / "html"


@pytest.mark.long
def test_every_rulebook_has_a_page_with_all_its_rules(site: Path) -> None:
    for ruleset in installed().values():
        page = (site / "reference" / f"{ruleset.id}.html").read_text()
        assert [rule.id for rule in ruleset.rules if rule.id not in page] == []
        assert [id for id in ruleset.actions if f">{id}<" not in page] == []


def test_the_steps_of_a_round_name_prompts_of_the_rulebook() -> None:
    assert ROUNDS.keys() == installed().keys()
    for id, steps in ROUNDS.items():
        prompts = [question.name for question in installed()[id].catalogue.questions]
        named = re.findall(r"`([^`]+)`", " ".join(steps))
        assert [name for name in named if name not in prompts] == [], id
        assert any(step in pages()[id] for step in steps)


def test_fields_on_a_rulebooks_page_have_limits_and_defaults() -> None:
    page = pages()["sovereign"]
    (party,) = (line for line in page.splitlines() if line.startswith("| `party_side` |"))
    assert 'default `"party"`' in party


@pytest.mark.long
def test_every_operation_and_command_has_its_section(site: Path) -> None:
    page = (site / "reference" / "operations.html").read_text()
    assert "openCombat" in page
    assert "declareAction" in page
    told = (site / "reference" / "command-line.html").read_text()
    assert [name for name in commands(parser()) if f"affray {name}" not in told] == []


@pytest.mark.long
def test_an_operation_lists_the_fields_of_its_body_and_answer(site: Path) -> None:
    page = (site / "reference" / "operations.html").read_text()
    sections = dict(re.findall(r'<section id="([^"]+)">(.*?)</section>', page, re.DOTALL))
    declare = sections["declare-an-action"]
    fields = ("combatant", "action", "inputs", "events", "prompts", "result")
    assert [name for name in fields if f">{name}<" not in declare] == []
    preview = sections["try-a-command"]
    assert [kind for kind in ("act", "answer", "rule") if f">{kind}<" not in preview] == []


@pytest.mark.long
def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loaded = re.compile(
        r"<(?:script|img|iframe)[^>]*src=\"(?:https?:)?//|<link[^>]*href=\"(?:https?:)?//"
    )
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    assert [page.name for page in pages if loaded.search(page.read_text())] == []


@pytest.fixture
def shown(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the service find the site."""
    monkeypatch.setattr(served, "FOLDER", site)
    return site


@pytest.mark.long
@pytest.mark.usefixtures("shown")
async def test_the_service_shows_it(client: Client) -> None:
    front = await client.http.get("/docs", follow_redirects=True)
    assert front.url.path == "/docs/index.html"
    assert "default-src 'none'" in front.headers["content-security-policy"]
    for name in re.findall(r'(?:src|href)="(_static/[^"?]+)', front.text):
        assert (await client.http.get(f"/docs/{name}")).status_code == 200
    missing = await client.http.get("/docs/../../../pyproject.toml")
    assert missing.status_code == 404
    assert (await client.http.get("/docs/%2e%2e/cli.py")).status_code == 404


@pytest.mark.long
@pytest.mark.usefixtures("shown")
async def test_every_problem_type_leads_to_its_row(client: Client) -> None:
    for name in TITLES:
        answer = await client.http.get(f"/problems/{name}", follow_redirects=True)
        assert answer.url.path == "/docs/how-to/errors.html"
        assert f'id="{name}"' in answer.text
    assert (await client.http.get("/problems/no-such")).status_code == 404


async def test_without_a_built_site_a_type_still_has_its_title(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "FOLDER", tmp_path)
    assert (await client.http.get("/docs")).headers["location"] == "/schema"
    answer = await client.http.get("/problems/stale")
    assert (answer.status_code, answer.text) == (200, f"412 {TITLES['stale'][1]}\n")


def test_the_rule_in_the_readme_stands_in_the_code_like_that() -> None:
    [shown] = re.findall(r"^```python\n(.*?)\n^```", (ROOT / "README.md").read_text(), re.S | re.M)
    code = "\n".join(path.read_text() for path in (ROOT / "domain" / "rulesets").rglob("*.py"))
    pieces = re.split(r"\n\n+", shown)
    assert len(pieces) > 1
    assert [piece for piece in pieces if piece not in code] == []
