"""The documentation builds without a warning, with a page for everything, and needs no internet."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from domain.rulesets import installed
from service.cli import commands, parser

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors: broken links, pages that no index lists."""
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "trees")]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder / "html")],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    return folder / "html"


def test_every_rulebook_has_a_page_with_all_its_rules(site: Path) -> None:
    for ruleset in installed().values():
        page = (site / "reference" / f"{ruleset.id}.html").read_text()
        assert [rule.id for rule in ruleset.rules if rule.id not in page] == []
        assert [id for id in ruleset.actions if f">{id}<" not in page] == []


def test_every_operation_and_command_has_its_section(site: Path) -> None:
    page = (site / "reference" / "operations.html").read_text()
    assert "openCombat" in page
    assert "declareAction" in page
    told = (site / "reference" / "command-line.html").read_text()
    assert [name for name in commands(parser()) if f"affray {name}" not in told] == []


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loaded = re.compile(
        r"<(?:script|img|iframe)[^>]*src=\"(?:https?:)?//|<link[^>]*href=\"(?:https?:)?//"
    )
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    assert [page.name for page in pages if loaded.search(page.read_text())] == []
