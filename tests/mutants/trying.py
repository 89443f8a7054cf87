"""Run the tests of each mutant in a process forked from a prepared one.

`in_place` replaces the code of existing functions. If the changed code runs at import, the mutant
needs a process that has imported nothing of the project.
"""

import gc
import importlib.util
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TextIO

import pytest

from tests.mutants.changes import ROOT, Mutant
from tests.mutants.learning import PYTEST, Test

SURVIVED, NOTICED, ELSEWHERE = 0, 1, 42
"""Exit statuses of a mutant's process.

A signal means `NOTICED`. `ELSEWHERE` asks for a new process.
"""

SILENT = (*PYTEST, "-p", "no:terminal")

MEMORY = 4 << 30  # bytes: the limit stops a mutant that grows forever
IMPORTING = 60.0  # CPU seconds: the limit stops an endless import


Work = tuple[Mutant, Sequence[Test]]


def _patience(test: Test) -> float:
    """Return the limit of a test, in CPU seconds."""
    return 4 + 10 * test.seconds


class Processes:
    """Up to `jobs` processes. They call `told` with each mutant and its exit status."""

    def __init__(self, jobs: int, told: Callable[[Mutant, int], None]) -> None:
        self.jobs, self.told = jobs, told
        self.running: dict[int, Mutant] = {}

    def run(self, mutant: Mutant, work: Callable[[], int]) -> None:
        """Wait for a free process, and fork."""
        while len(self.running) >= self.jobs:
            self.wait()
        child = os.fork()
        if child == 0:
            code = NOTICED
            try:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                null = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(null, stream)
                code = work()
            finally:
                os._exit(code)
        self.running[child] = mutant

    def wait(self) -> None:
        """Wait until one process has ended."""
        child, status = os.wait()
        if child in self.running:
            code = NOTICED if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
            self.told(self.running.pop(child), code)

    def finish(self) -> None:
        while self.running:
            self.wait()


class _Limits:
    """A plugin of pytest that limits the time of each test and stops at the first failure."""

    def __init__(self, tests: Sequence[Test]) -> None:
        self.tests = {test.id: test for test in tests}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_VIRTUAL, _patience(self.tests[item.nodeid]))
        return (yield)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            os._exit(NOTICED)


# ---- in a process that has imported nothing of the project


def try_afresh(mutant: Mutant, tests: Sequence[Test]) -> int:
    """Import the project with the mutant in it, and run the tests."""
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Changed(mutant))
    signal.setitimer(signal.ITIMER_VIRTUAL, IMPORTING)
    red = pytest.main([*SILENT, *(test.id for test in tests)], plugins=[_Limits(tests)])
    return NOTICED if red else SURVIVED


class _Changed(PathFinder):
    """A finder that returns the changed module of the mutant."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        name = ".".join(Path(mutant.file).with_suffix("").parts)
        self.module = name.removesuffix(".__init__")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # type: ignore[override]
        if name != self.module:
            return None
        file = str(ROOT / self.mutant.file)
        return importlib.util.spec_from_file_location(name, file, loader=_Loader(self.mutant, file))


class _Loader(SourceFileLoader):
    def __init__(self, mutant: Mutant, file: str) -> None:
        name = ".".join(Path(mutant.file).with_suffix("").parts)
        super().__init__(name.removesuffix(".__init__"), file)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.mutant.tree(), self.path, "exec")


# ---- in a process that has collected all tests


def in_place(work: Sequence[Work], paths: Sequence[str], jobs: int) -> Iterator[tuple[Work, int]]:
    """Yield each mutant with its exit status."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as told:
            pytest.main([*SILENT, *paths], plugins=[_InPlace(work, told, jobs)])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as heard:
        for line in heard:
            number, code = line.split()
            yield work[int(number)], int(code)
    os.waitpid(child, 0)


class _InPlace:
    """A plugin of pytest that runs, for each mutant, only the tests that touch it."""

    def __init__(self, work: Sequence[Work], told: TextIO, jobs: int) -> None:
        self.work, self.heard = work, told
        self.numbers = {mutant: number for number, (mutant, _) in enumerate(work)}
        self.processes = Processes(jobs, self.told)

    def told(self, mutant: Mutant, code: int) -> None:
        print(self.numbers[mutant], code, file=self.heard, flush=True)

    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = _functions({str(ROOT / mutant.file) for mutant, _ in self.work})
        gc.collect()
        gc.freeze()
        for mutant, tests in self.work:
            self.processes.run(mutant, partial(_try, mutant, tests, items, functions))
        self.processes.finish()
        return True


def _try(
    mutant: Mutant,
    tests: Sequence[Test],
    items: dict[str, Any],
    functions: dict[str, list[FunctionType]],
) -> int:
    if not _put(mutant, functions[str(ROOT / mutant.file)]):
        return ELSEWHERE
    config = next(iter(items.values())).config
    config.pluginmanager.register(_Limits(tests))
    chosen = [items[test.id] for test in tests]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return SURVIVED


def _functions(files: set[str]) -> dict[str, list[FunctionType]]:
    """Return every existing function by the file that defines it."""
    functions: dict[str, list[FunctionType]] = {file: [] for file in files}
    for get_object in gc.get_objects():
        if isinstance(get_object, FunctionType) and get_object.__code__.co_filename in functions:
            functions[get_object.__code__.co_filename].append(get_object)
    return functions


Key = tuple[str, int, int]


def _codes(code: CodeType) -> dict[Key, CodeType]:
    """Return each code object of a file by name, first line, and number within that line."""
    codes: dict[Key, CodeType] = {}
    count = Counter[tuple[str, int]]()

    def visit(code_type: CodeType) -> None:
        for inner in code_type.co_consts:
            if isinstance(inner, CodeType):
                place = (inner.co_qualname, inner.co_firstlineno)
                codes[(*place, count[place])] = inner
                count[place] += 1
                visit(inner)

    visit(code)
    return codes


def _put(mutant: Mutant, functions: Sequence[FunctionType]) -> bool:
    """Replace the code of existing functions. Return true if there were any."""
    file = str(ROOT / mutant.file)
    before = _codes(compile((ROOT / mutant.file).read_text(), file, "exec"))
    after = _codes(compile(mutant.tree(), file, "exec"))
    changed = [(code, after.get(key)) for key, code in before.items() if after.get(key) != code]
    done = False
    for function in functions:
        for old, new in changed:
            if function.__code__ == old:
                if new is None or len(new.co_freevars) != len(old.co_freevars):
                    return False
                function.__code__ = new
                done = True
                break
    return done
