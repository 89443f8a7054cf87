"""Which tests touch which lines: every test runs once under coverage, in a context of its own."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import coverage
import msgspec
import pytest
from msgspec import Struct

from tests.mutants.changes import ROOT, Mutant

KEPT = ROOT / ".mutants"
"""The folder with the learnt data, valid until a file changes."""

PYTEST = ("-p", "no:cacheprovider", "--timeout=0", "-o", "addopts=")


class Test(Struct, frozen=True):
    """A test: its id for pytest, and CPU seconds under coverage.

    `drawn`: Hypothesis draws for it.
    """

    id: str
    seconds: float
    drawn: bool


class Learnt(Struct, frozen=True):
    """`touched[file][line]` are the numbers of tests; `imported` the lines that run at import."""

    tests: list[Test]
    touched: dict[str, dict[int, list[int]]]
    imported: dict[str, list[int]]

    def tests_for(self, mutant: Mutant) -> list[Test]:
        """Those that touch its statement, or its file when only an import does.

        If none does, it is every test, because nobody knows who uses types alone. The nearest and
        fastest come first: tests of its room, and of these the tests named after its file. Tests
        with Hypothesis come last.
        """
        lines = self.touched.get(mutant.file, {})
        numbers = {test for line in mutant.lines for test in lines.get(line, ())}
        if not numbers and self.at_import(mutant):
            touching = {test for tests in lines.values() for test in tests}
            numbers = touching or set(range(len(self.tests)))
        room = _room(mutant.file)
        found = [self.tests[number] for number in numbers]
        name = f"test_{Path(mutant.file).stem}"
        return sorted(
            found,
            key=lambda test: (test.drawn, room not in test.id, name not in test.id, test.seconds),
        )

    def at_import(self, mutant: Mutant) -> bool:
        return not set(self.imported.get(mutant.file, ())).isdisjoint(mutant.lines)


def _room(file: str) -> str:
    """The tests of a rulebook stand nearest to it; those of `tests/domain` to the rest."""
    parts = Path(file).parts
    return f"rulesets/{parts[2]}/" if parts[1] == "rulesets" and len(parts) > 3 else "domain/"


def learn(paths: Sequence[str], drawn: bool) -> Learnt:
    """Run the tests of these paths in a process of their own, or remember."""
    kept = KEPT / f"{_digest(paths, drawn)}.json"
    if not kept.exists():
        child = os.fork()
        if child == 0:
            os._exit(_learn(paths, kept, drawn))
        _, status = os.waitpid(child, 0)
        if status or not kept.exists():
            raise SystemExit("the tests are red without any change")
    return msgspec.json.decode(kept.read_bytes(), type=Learnt)


def _learn(paths: Sequence[str], kept: Path, drawn: bool) -> int:
    measured = coverage.Coverage(data_file=None, config_file=False, source=[str(ROOT / "domain")])
    learner = _Learner(measured, drawn)
    measured.start()
    red = pytest.main([*PYTEST, "-q", "--no-header", "-W", "ignore", *paths], plugins=[learner])
    measured.stop()
    if red:
        return 1
    numbers = {test.id: number for number, test in enumerate(learner.tests)}
    data = measured.get_data()
    touched: dict[str, dict[int, list[int]]] = {}
    imported: dict[str, list[int]] = {}
    for file in data.measured_files():
        name = str(Path(file).relative_to(ROOT))
        lines = data.contexts_by_lineno(file)
        imported[name] = [line for line, contexts in lines.items() if "" in contexts]
        touched[name] = {
            line: [numbers[context] for context in contexts if context]
            for line, contexts in lines.items()
        }
    KEPT.mkdir(exist_ok=True)
    kept.write_bytes(msgspec.json.encode(Learnt(learner.tests, touched, imported)))
    return 0


class _Learner:
    """A plugin of pytest that gives each test its context, and notes how long it takes."""

    def __init__(self, measured: coverage.Coverage, drawn: bool) -> None:
        self.measured, self.drawn = measured, drawn
        self.tests: list[Test] = []

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if self.drawn or not _drawn(item)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        before = os.times().user
        self.measured.switch_context(item.nodeid)
        done = yield
        self.measured.switch_context("")
        self.tests.append(Test(item.nodeid, os.times().user - before, _drawn(item)))
        return done


def _drawn(item: Any) -> bool:
    return hasattr(item.obj, "hypothesis")


def _digest(paths: Sequence[str], drawn: bool) -> str:
    digest = hashlib.sha256(repr((sorted(paths), drawn)).encode())
    for room in ("domain", "projections", "service", "tests"):
        for file in sorted((ROOT / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
