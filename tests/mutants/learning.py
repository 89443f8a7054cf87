"""The tests that touch each line. Every test runs once in a separate coverage context."""

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
"""The folder with stored results, which are valid until a file changes."""

PYTEST = ("-p", "no:cacheprovider", "--timeout=0", "-o", "addopts=")


class Test(Struct, frozen=True):
    """A test with its pytest id and its CPU seconds under coverage.

    `drawn` is true for Hypothesis tests.
    """

    id: str
    seconds: float
    drawn: bool


class Learnt(Struct, frozen=True):
    """The tests, and the lines that they touch.

    `touched[file][line]` holds the numbers of tests. `imported` holds the lines that run at import.
    """

    tests: list[Test]
    touched: dict[str, dict[int, list[int]]]
    imported: dict[str, list[int]]

    def tests_for(self, mutant: Mutant) -> list[Test]:
        """Return the tests that touch the mutant's statement, in the order in which to run them.

        If the statement runs only at import, return the tests that touch its file. If no test
        touches the file, return every test, because any test may depend on a type.

        The order prefers tests of the same folder, then tests named after the file, then fast
        tests. Hypothesis tests come last.
        """
        lines = self.touched.get(mutant.file, {})
        numbers = {test for line in mutant.lines for test in lines.get(line, ())}
        if not numbers and self.at_import(mutant):
            touching = {test for tests in lines.values() for test in tests}
            numbers = touching or set(range(len(self.tests)))
        room = _room(mutant.file)
        chosen = [self.tests[number] for number in numbers]
        name = f"test_{Path(mutant.file).stem}"
        return sorted(
            chosen,
            key=lambda test: (test.drawn, room not in test.id, name not in test.id, test.seconds),
        )

    def at_import(self, mutant: Mutant) -> bool:
        return not set(self.imported.get(mutant.file, ())).isdisjoint(mutant.lines)


def _room(file: str) -> str:
    """Return the folder of the nearest tests: a rulebook's, or `tests/domain`."""
    parts = Path(file).parts
    return f"rulesets/{parts[2]}/" if parts[1] == "rulesets" and len(parts) > 3 else "domain/"


def learn(paths: Sequence[str], drawn: bool) -> Learnt:
    """Run the tests of these paths in a separate process, or load earlier results."""
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
    """A plugin of pytest that gives each test a coverage context and measures its time."""

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
