"""House rules: what imports what, and what no file may say."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

OUTSIDE = {"asyncio", "asyncpg", "litestar", "os", "random", "time", "datetime", "httpx", "uuid"}


def imports(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [ROOT / name for name in listed.stdout.split("\n") if name]


def test_the_domain_talks_to_nobody() -> None:
    for path in (ROOT / "domain").rglob("*.py"):
        tops = {name.split(".")[0] for name in imports(path)}
        assert tops.isdisjoint(OUTSIDE), path


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("domain", ("projections", "service")), ("projections", ("service",))],
)
def test_arrows_go_one_way(package: str, forbidden: tuple[str, ...]) -> None:
    for path in (ROOT / package).rglob("*.py"):
        assert {name.split(".")[0] for name in imports(path)}.isdisjoint(forbidden), path


def test_the_store_knows_nothing_of_the_web() -> None:
    for path in (ROOT / "service" / "store").rglob("*.py"):
        web = {
            name
            for name in imports(path)
            if name.startswith(("litestar", "service.http", "service.routes"))
        }
        assert web == set(), path


def test_no_ruleset_imports_another() -> None:
    for path in (ROOT / "domain" / "rulesets").glob("*/*.py"):
        own = f"domain.rulesets.{path.parent.name}"
        others = {
            name
            for name in imports(path)
            if name.startswith("domain.rulesets.") and not f"{name}.".startswith(f"{own}.")
        }
        assert others == set(), path


def test_the_engine_knows_no_rulebook() -> None:
    ids = ("free-hit", "free_hit", "sovereign", "hallowed", 'definitions"', "vile-darkness")
    for path in (ROOT / "domain").glob("*.py"):
        text = path.read_text()
        assert not [id for id in ids if id in text], path


def test_no_file_names_a_registry_or_a_machine() -> None:
    parts = [
        ("py", "pi.org"),
        ("python", "hosted.org"),
        ("registry.np", "mjs"),
        ("/wo", "rk/"),
        ("/ro", "ot/"),
    ]
    forbidden = ["".join(pair) for pair in parts]  # so that this file does not name them
    for path in tracked():
        if path.suffix in (".gz",) or not path.exists():
            continue
        text = path.read_text(errors="replace")
        assert not [name for name in forbidden if name in text], path
