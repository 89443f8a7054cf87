"""Mutations: which line may be changed without a red test?

    python -m tests.mutants domain/rulesets/free_hit/attack.py --tests tests/rulesets/free_hit
    python -m tests.mutants domain/engine --sample 200

Each mutant changes one place of one file in a copy of the project, and runs the tests that stand
nearest; one that no test notices is a survivor, told with file, line and change. A survivor is a
missing test, or the same program in other words.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parent.parent
COPIED = ("domain", "projections", "service", "tests", "openapi", "pyproject.toml")

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.FloorDiv: ast.Mult, ast.Mult: ast.Add,
}  # fmt: skip
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change: in `file` at `line`, what stands there `before` and `after`."""

    file: Path
    line: int
    before: str
    after: str
    source: str


def mutants(file: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    text = file.read_text()
    count = sum(1 for _ in _places(ast.parse(text)))
    for number in range(count):
        tree = ast.parse(text)
        place, change = list(_places(tree))[number]
        before, line = ast.unparse(place), place.lineno
        change()
        after = ast.unparse(place)
        if before != after:
            yield Mutant(file, line, before, after, ast.unparse(tree))


def _places(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, "_Set"]]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[operator, *_]) if type(operator) in COMPARED:
                yield node, _Set(node.ops, 0, COMPARED[type(operator)]())
            case ast.BinOp(op=binary) if type(binary) in COUNTED:
                yield node, _Set(node, "op", COUNTED[type(binary)]())
            case ast.BoolOp(op=joined):
                yield node, _Set(node, "op", ast.Or() if isinstance(joined, ast.And) else ast.And())
            case ast.UnaryOp(op=ast.Not()):
                yield node, _Set(node, "op", ast.UAdd())
            case ast.Constant(value=bool(value)):
                yield node, _Set(node, "value", not value)
            case ast.Constant(value=int(value)):
                yield node, _Set(node, "value", value + 1)
            case ast.Call(func=ast.Name(id=name) as called) if name in NAMED:
                yield node, _Set(called, "id", NAMED[name])
            case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
                yield node, _Set(node, "value", ast.YieldFrom(ast.Tuple([], ast.Load())))
            case ast.Return(value=ast.expr()):
                pass
            case ast.If():
                yield node, _Set(node, "test", ast.Constant(False))
            case _:
                pass


@dataclass(frozen=True)
class _Set:
    """Puts another value at a place of the tree."""

    where: object
    name: str | int
    value: object

    def __call__(self) -> None:
        if isinstance(self.name, int):
            assert isinstance(self.where, list)
            self.where[self.name] = self.value
        else:
            setattr(self.where, self.name, self.value)


def tests_for(file: Path) -> list[str]:
    """The tests that stand nearest to a file of the domain."""
    parts = file.relative_to(ROOT).parts
    if parts[:2] == ("domain", "rulesets") and len(parts) > 3:
        return [f"tests/rulesets/{parts[2]}"]
    return ["tests/domain", "tests/rulesets/free_hit"]


def noticed(mutant: Mutant, folder: Path, tests: list[str]) -> bool:
    """Whether any test is red with the mutant in its place."""
    target = folder / mutant.file.relative_to(ROOT)
    kept = target.read_text()
    target.write_text(mutant.source)
    try:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=300, check=False, env=environment
        )
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        target.write_text(kept)


def main() -> int:
    """Run the mutants and report by file; 1 when any survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--tests", nargs="*", help="default: those that stand nearest")
    parser.add_argument("--sample", type=int, help="so many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    files = [
        file.resolve()
        for path in given.paths
        for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]
    every = [mutant for file in files for mutant in mutants(file)]
    if given.sample and given.sample < len(every):
        every = random.Random(given.seed).sample(every, given.sample)
    folders: SimpleQueue[Path] = SimpleQueue()
    made, survived = Counter[Path](), Counter[Path]()
    with tempfile.TemporaryDirectory() as top:
        for job in range(given.jobs):
            folder = Path(top) / str(job)
            folder.mkdir()
            for name in COPIED:
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, folder / name)
            folders.put(folder)

        def run(mutant: Mutant) -> bool:
            folder = folders.get()
            try:
                return noticed(mutant, folder, given.tests or tests_for(mutant.file))
            finally:
                folders.put(folder)

        with ThreadPoolExecutor(given.jobs) as pool:
            for mutant, seen in zip(every, pool.map(run, every), strict=True):
                file = mutant.file.relative_to(ROOT)
                made[file] += 1
                if not seen:
                    survived[file] += 1
                    print(
                        f"{file}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}", flush=True
                    )
    for file, count in sorted(made.items()):
        print(f"{file}: {count} mutants, {survived[file]} survived")
    print(f"{sum(made.values())} mutants, {sum(survived.values())} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
