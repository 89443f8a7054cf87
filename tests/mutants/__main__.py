"""Find lines that can change without a failing test.

    python -m tests.mutants domain/rulesets/free_hit/attack.py
    python -m tests.mutants domain/engine --sample 200
    python -m tests.mutants domain/engine --again report.txt

The program first runs every test once, to learn which lines each test touches. A mutant is one
small change of one file. For each mutant, the program runs the tests that touch the change until
one fails. The nearest and fastest tests run first.

A mutant that no test notices has survived. The report gives its file, line and change. A survivor
shows that a test is missing, or that the change does not affect the behaviour. `explained.toml`
lists the survivors of the second kind with reasons. The program counts explained
mutants and does not run them, because each would need every test.

Hypothesis tests prove no single rule and take long. `--drawn` runs them last. `--again` tries only
the survivors of an earlier report.
"""

import argparse
import os
import random
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import hypothesis  # noqa: F401  imported once, for all that fork from here
import psycopg  # noqa: F401

from tests.mutants.changes import ROOT, Mutant, mutants
from tests.mutants.learning import Learnt, learn
from tests.mutants.trying import ELSEWHERE, SURVIVED, Processes, Work, in_place, try_afresh

EXPLAINED = Path(__file__).parent / "explained.toml"
NEAR = ("tests/domain", "tests/rulesets", "tests/projections")


def tests_near(files: Sequence[Path]) -> tuple[str, ...]:
    """Return the tests of the changed rulebooks, or all tests of rules for other changes."""
    folders = set()
    for file in files:
        parts = file.relative_to(ROOT).parts
        if parts[:2] != ("domain", "rulesets") or len(parts) < 4:
            return NEAR
        folders.add(f"tests/rulesets/{parts[2]}")
    return tuple(sorted(folders))


class Report:
    """The result of each mutant."""

    def __init__(self, explained: Sequence[dict[str, str]]) -> None:
        named = ("file", "within", "before", "after")
        self.explained = {
            tuple(mutant[name] for name in named if name in mutant) for mutant in explained
        }
        self.made, self.survived, self.known = Counter[str](), Counter[str](), Counter[str]()

    def unexplained(self, made: Sequence[Mutant]) -> list[Mutant]:
        """Return the mutants to try, and count the explained ones."""
        left = []
        for mutant in made:
            if {_key(mutant), (mutant.file, mutant.within)} & self.explained:
                self.made[mutant.file] += 1
                self.known[mutant.file] += 1
            else:
                left.append(mutant)
        return left

    def told(self, mutant: Mutant, code: int) -> None:
        """Record how the process of a mutant ended."""
        self.made[mutant.file] += 1
        if code == SURVIVED:
            self.survived[mutant.file] += 1
            print(mutant, flush=True)

    def end(self) -> int:
        """Print the results by file. Return 1 if any mutant survived."""
        for file, count in sorted(self.made.items()):
            print(
                f"{file}: {count} mutants, {self.survived[file]} survived, "
                f"{self.known[file]} explained"
            )
        print(
            f"{self.made.total()} mutants, {self.survived.total()} survived, "
            f"{self.known.total()} explained"
        )
        return 1 if self.survived else 0


def _key(mutant: Mutant) -> tuple[str, ...]:
    return mutant.file, mutant.within, mutant.before, mutant.after


def survivors(report: Path) -> set[str]:
    """Return the mutants that a report names, without line numbers, which may have changed."""
    return {_text(line) for line in report.read_text().splitlines()}


def _text(told: object) -> str:
    return re.sub(r"^(\S+):\d+ ", r"\1 ", str(told))


def main() -> int:
    """Run the mutants and report by file. Return 1 if any survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--tests", nargs="*", help="default: those that stand nearest")
    parser.add_argument("--most", type=int, default=400, help="so many tests for one mutant")
    parser.add_argument("--drawn", action="store_true", help="also tests that Hypothesis draws")
    parser.add_argument("--sample", type=int, help="so many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="only the survivors of this report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    files = [
        file.resolve()
        for path in given.paths
        for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])
    ]
    paths = given.tests or tests_near(files)
    began = time.monotonic()
    learnt = learn(paths, given.drawn)
    print(f"{len(learnt.tests)} tests, learnt in {time.monotonic() - began:.0f} s", flush=True)
    every = [mutant for file in files for mutant in mutants(file)]
    if given.again:
        named = survivors(given.again)
        every = [mutant for mutant in every if _text(mutant) in named]
    if given.sample and given.sample < len(every):
        every = random.Random(given.seed).sample(every, given.sample)
    report = Report(tomllib.loads(EXPLAINED.read_text()).get("explained", []))
    work = [
        (mutant, learnt.tests_for(mutant)[: given.most]) for mutant in report.unexplained(every)
    ]
    run(work, learnt, report, paths, given.jobs)
    code = report.end()
    print(f"{time.monotonic() - began:.0f} s")
    return code


def run(
    work: Sequence[Work], learnt: Learnt, report: Report, paths: Sequence[str], jobs: int
) -> None:
    """Try each mutant with its tests, in place or in a new process."""
    inside = [
        sequences for sequences in work if sequences[1] and not learnt.at_import(sequences[0])
    ]
    afresh = [sequences for sequences in work if sequences[1] and learnt.at_import(sequences[0])]
    for mutant, tests in work:
        if not tests:
            report.told(mutant, SURVIVED)
    for sequences, code in in_place(inside, paths, jobs):
        if code == ELSEWHERE:
            afresh.append(sequences)
        else:
            report.told(sequences[0], code)
    processes = Processes(jobs, report.told)
    for mutant, tests in afresh:
        processes.run(mutant, partial(try_afresh, mutant, tests))
    processes.finish()


if __name__ == "__main__":
    sys.exit(main())
