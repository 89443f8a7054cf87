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
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
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


ROOMS = {
    "domain.errors": (),
    "domain.dice": ("domain.errors",),
    "domain.record": ("domain.errors", "domain.dice"),
    "domain.rulebook": ("domain.errors", "domain.dice", "domain.record"),
    "domain.engine": ("domain.errors", "domain.dice", "domain.record", "domain.rulebook"),
    "domain.rulesets": ("domain.errors", "domain.dice", "domain.record", "domain.rulebook"),
    "projections": ("domain",),
    "service": ("domain", "projections"),
}
"""Each room, and what may be imported in it beside itself."""


def inside(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_go_one_way(room: str) -> None:
    allowed = (room, *ROOMS[room])
    for path, names in modules().items():
        if inside(path, (room,)):
            ours = {name for name in names if inside(name, ("domain", "projections", "service"))}
            assert {name for name in ours if not inside(name, allowed)} == set(), path


def modules() -> dict[str, set[str]]:
    """Every module with what it imports, wherever in the file it says so."""
    found: dict[str, set[str]] = {}
    for package in ("domain", "projections", "service"):
        for path in (ROOT / package).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = imports(path)
    known = set(found)
    return {
        name: {one for one in names if one in known and one != "domain"}
        for name, names in found.items()
    }


def test_no_circle_of_imports() -> None:
    """Also none that is hidden in a function or behind `TYPE_CHECKING`."""
    graph = modules()
    done: set[str] = set()

    def follow(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail[trail.index(name) :], name))
        if name in done:
            return
        for other in sorted(graph[name] - {name}):
            if not name.startswith(f"{other}."):  # a package is made of its modules
                follow(other, (*trail, name))
        done.add(name)

    for name in sorted(graph):
        follow(name, ())


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
    ids = ("free-hit", "free_hit", "sovereign", "hallowed", 'definitions"', "vile")
    rooms = ("errors.py", "dice.py", "record/*.py", "rulebook/*.py", "engine/*.py")
    for path in [one for room in rooms for one in (ROOT / "domain").glob(room)]:
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
