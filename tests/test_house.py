"""Test house rules, such as allowed imports and forbidden texts.

Each rule is a function that returns the faults of a tree, so that a test can apply it to a broken
tree.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.mutants.changes import mutants

ROOT = Path(__file__).parent.parent

PACKAGES = ("domain", "projections", "service")

OUTSIDE = frozenset(
    ("asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil",
     "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid")
)  # fmt: skip
"""Standard modules that do input and output, read a clock or generate random numbers."""

ROOMS = {
    "domain.errors": (),
    "domain.dice": ("domain.errors",),
    "domain.record": ("domain.errors", "domain.dice"),
    "domain.rulebook": ("domain.errors", "domain.dice", "domain.record"),
    "domain.engine": ("domain.errors", "domain.dice", "domain.record", "domain.rulebook"),
    "domain.rulesets": ("domain.errors", "domain.dice", "domain.record", "domain.rulebook"),
    "projections": ("domain",),
    "service": ("domain", "projections"),
}  # fmt: skip
"""For each package, the other packages that it may import."""

IN_STORIES = ("service/cli.py", "service/http/parameters.py", "service/stories.py")
"""Modules that may name rulebooks: the demo plays them all, and examples need one."""


def sources(root: Path, *folders: str) -> Iterator[tuple[str, Path]]:
    """Yield the dotted name and the path of every module below these folders."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            name = ".".join(path.relative_to(root).with_suffix("").parts)
            yield name.removesuffix(".__init__"), path


def imports(name: str, path: Path) -> Iterator[tuple[str, str]]:
    """Yield all imports of a module, also local ones, as (module, name in it or "")."""
    package = name.split(".") if path.stem == "__init__" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, "") for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                up = package[: len(package) + 1 - level] if level else []
                whole = ".".join((*up, *([module] if module else [])))
                yield from ((whole, alias.name) for alias in names)
            case _:
                pass


@cache
def modules(root: Path) -> dict[str, set[str]]:
    """Return every module of the project with the modules of the project that it imports.

    A name imported from a package counts as the package, unless it is a module.
    """
    graph = {name: set(imports(name, path)) for name, path in sources(root, *PACKAGES)}

    def imported(module: str, name: str) -> str:
        return f"{module}.{name}" if f"{module}.{name}" in graph else module

    return {
        name: {other for name in names if (other := imported(*name)) in graph}
        for name, names in graph.items()
    }


def inside(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


# ---- the rules: each returns the faults of a tree


def against_the_arrows(root: Path) -> list[str]:
    return [
        f"{name} imports {other}"
        for name, others in modules(root).items()
        for room, beside in ROOMS.items()
        if inside(name, (room,))
        for other in others
        if not inside(other, (room, *beside))
    ]


def circles(root: Path) -> list[str]:
    """Return import cycles, also those in a function or behind `TYPE_CHECKING`."""
    graph = modules(root)
    done: set[str] = set()
    rings: list[str] = []

    def follow(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            rings.append(" -> ".join((*trail[trail.index(name) :], name)))
        elif name not in done:
            for other in sorted(graph[name] - {name}):
                follow(other, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        follow(name, ())
    return rings


def by_a_string(root: Path) -> list[str]:
    """Return modules that import by a string, which hides the import from the other rules."""
    hidden = re.compile(r"__import__|import_module|sys\.modules")
    return [name for name, path in sources(root, *PACKAGES) if hidden.search(path.read_text())]


def rulebooks_of_others(root: Path) -> list[str]:
    """Return imports of a rulebook by another rulebook or by any other module."""
    faults = []
    for name, others in modules(root).items():
        own = ".".join(name.split(".")[:3]) if inside(name, ("domain.rulesets",)) else ""
        for other in others:
            if other.startswith("domain.rulesets.") and (not own or not inside(other, (own,))):
                faults.append(f"{name} imports {other}")
    return faults


def rulebooks_by_name(root: Path) -> list[str]:
    """Return modules outside a rulebook that name it."""
    folders = [path.name for path in (root / "domain" / "rulesets").iterdir() if path.is_dir()]
    ids = [folder.replace("_", "[-_]") for folder in folders if not folder.startswith("_")]
    said = re.compile(rf"""["'](?:{"|".join(ids)})["']""")
    return [
        f"{name} names {match[0]}"
        for name, path in sources(root, *PACKAGES)
        if not name.startswith("domain.rulesets.")
        and path.relative_to(root).as_posix() not in IN_STORIES
        and (match := said.search(path.read_text()))
    ]


def talks(root: Path) -> list[str]:
    """Return imports of the domain other than itself, msgspec, eventsourcing and pure Python."""
    pure = (sys.stdlib_module_names - OUTSIDE) | {"domain", "eventsourcing", "msgspec"}
    return [
        f"{name} imports {module}"
        for name, path in sources(root, "domain")
        for module, _ in imports(name, path)
        if module.split(".")[0] not in pure
    ]


def webs_in_the_store(root: Path) -> list[str]:
    return [
        f"{name} imports {module}"
        for name, path in sources(root, "service/store")
        for module, _ in imports(name, path)
        if module.startswith(("litestar", "service.http", "service.routes"))
    ]


NAMELESS = frozenset(("one", "each", "found", "mine"))
"""Names that do not describe the value of a variable."""

NAMED = (
    "domain",
    "projections",
    "service",
    "tests",
    "clients",
    "docs",
    "examples",
)


PUBLISHED = (
    "domain.rulebook.catalogue",
    "projections.catalogue",
    "clients.python.affray_client.shapes",
)
"""Modules with the published field `each`."""


def nameless(root: Path) -> list[str]:
    """Return variables whose names do not describe their values."""
    return [
        f"{name}:{node.lineno} {node.id if isinstance(node, ast.Name) else node.arg}"
        for name, path in sources(root, *NAMED)
        if not NAMELESS.isdisjoint(re.findall(r"\w+", text := path.read_text()))
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Name) and node.id in NAMELESS)
        or (isinstance(node, ast.arg) and node.arg in NAMELESS)
        if name not in PUBLISHED and "node_modules" not in path.parts
    ]


RULES = (
    nameless,
    against_the_arrows,
    circles,
    by_a_string,
    rulebooks_of_others,
    rulebooks_by_name,
    talks,
    webs_in_the_store,
)


@pytest.mark.parametrize("rule", RULES)
def test_the_house_is_as_it_should_be(rule: Callable[[Path], list[str]]) -> None:
    assert rule(ROOT) == []


HOUSE = {
    "domain/errors.py": "",
    "domain/record/__init__.py": "",
    "domain/record/combat.py": "from domain.errors import Refused\nimport msgspec",
    "domain/rulebook/play.py": "from domain.record.combat import Combat",
    "domain/engine/session.py": "from domain.rulebook import play\nfrom collections import deque",
    "domain/rulesets/__init__.py": "from importlib.metadata import entry_points",
    "domain/rulesets/duel/__init__.py": "from domain.rulesets.duel import flow",
    "domain/rulesets/duel/flow.py": "from domain.rulebook.play import Play",
    "domain/rulesets/duel/actions/strike.py": "from domain.rulesets.duel.flow import flow",
    "domain/rulesets/go/__init__.py": "from domain.rulesets.go import flow",
    "domain/rulesets/go/flow.py": "",
    "projections/board.py": "from domain.engine.session import Session",
    "service/app.py": "from domain.rulesets import installed\nfrom projections import board",
    "service/store/log.py": "import asyncpg",
}
"""A small tree without faults."""

HIDDEN = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "
LATE = "def late():\n    "

BROKEN: tuple[tuple[Callable[[Path], list[str]], str, str], ...] = (
    (against_the_arrows, "domain/record/combat.py", "from domain.rulebook import play"),
    (against_the_arrows, "domain/record/combat.py", "from ..rulebook.play import Play"),
    (against_the_arrows, "domain/rulebook/play.py", "import domain.engine.session"),
    (against_the_arrows, "domain/rulebook/play.py", f"{LATE}from domain.engine import session"),
    (against_the_arrows, "domain/engine/session.py", "from domain.rulesets import installed"),
    (against_the_arrows, "domain/rulesets/go/flow.py", "from domain.engine.session import Session"),
    (against_the_arrows, "domain/rulesets/go/flow.py", f"{HIDDEN}import domain.engine.session"),
    (against_the_arrows, "projections/board.py", "from service.app import app"),
    (circles, "domain/rulesets/duel/flow.py", "from domain.rulesets.duel.actions import strike"),
    (circles, "domain/rulesets/duel/flow.py", f"{HIDDEN}from .actions.strike import strike"),
    (circles, "domain/rulesets/duel/flow.py", f"{LATE}from domain.rulesets.duel import RULESET"),
    (by_a_string, "domain/rulebook/play.py", f'{LATE}__import__("domain.engine.session")'),
    (by_a_string, "domain/record/combat.py", "from importlib import import_module"),
    (rulebooks_of_others, "domain/rulesets/duel/flow.py", "from domain.rulesets.go import flow"),
    (rulebooks_of_others, "domain/rulesets/duel/actions/strike.py", "import domain.rulesets.go"),
    (rulebooks_of_others, "service/app.py", "from domain.rulesets.go import flow"),
    (rulebooks_by_name, "domain/engine/session.py", 'special = "duel"'),
    (rulebooks_by_name, "service/app.py", "special = 'go'"),
    (talks, "domain/record/combat.py", "from time import monotonic"),
    (talks, "domain/rulesets/duel/actions/strike.py", "import random"),
    (talks, "domain/engine/session.py", "import httpx"),
    (talks, "domain/engine/session.py", f"{LATE}from os import environ"),
    (nameless, "domain/rulebook/play.py", "found = 1"),
    (nameless, "projections/board.py", "def told(mine): ..."),
    (webs_in_the_store, "service/store/log.py", "from service.http import wire"),
)  # fmt: skip
"""For each rule, a module and a faulty line to append to it."""


def build(root: Path) -> None:
    for name, text in HOUSE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")


def test_nothing_is_wrong_in_a_sound_house(tmp_path: Path) -> None:
    build(tmp_path)
    assert {rule: rule(tmp_path) for rule in RULES} == {rule: [] for rule in RULES}


@pytest.mark.parametrize(("rule", "place", "text"), BROKEN)
def test_a_broken_rule_is_noticed(
    rule: Callable[[Path], list[str]], place: str, text: str, tmp_path: Path
) -> None:
    build(tmp_path)
    with (tmp_path / place).open("a") as file:
        file.write(f"{text}\n")
    assert len(rule(tmp_path)) == 1


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [ROOT / name for name in listed.stdout.split("\n") if name]


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


def test_only_mutants_that_are_made_are_explained() -> None:
    told = (ROOT / "tests/mutants/explained.toml").read_text()
    explained = tomllib.loads(told)["explained"]
    made = {
        (mutant.file, mutant.within, *change)
        for file in sorted({entry["file"] for entry in explained})
        for mutant in mutants(ROOT / file)
        for change in ((), (mutant.before, mutant.after))
    }
    for entry in explained:
        parts = ("file", "within", "before", "after")
        assert tuple(entry[part] for part in parts if part in entry) in made
