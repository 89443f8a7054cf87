"""Test that every rulebook passes the conformance kit, and that its command reports this."""

import subprocess
from pathlib import Path

import pytest

from domain.rulesets import installed
from service.conformance.case import Budget
from service.conformance.kit import CHECKS, Subject, run, told
from tests import commands
from tests.forms import forms


def conformance(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return commands.run("conformance", *arguments, cwd=cwd)


@pytest.mark.sampled(0)  # the next test checks the same with fewer commands
@forms("ruleset", "free-hit", long=sorted({*installed()} - {"free-hit"}))
def test_every_rulebook_keeps_every_promise(ruleset: str) -> None:
    results = list(run(Subject(installed()[ruleset], ruleset), Budget(48, 1)))
    assert [told(result) for result in results if result.broken] == []
    assert [result.check.id for result in results] == [check.id for check in CHECKS]
    assert all(sum(result.counts.values()) for result in results)


def test_the_command_tells_a_line_for_each_check() -> None:
    done = conformance("free-hit", "--commands", "12", "--seed", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["pass", check.id] for check in CHECKS]
    assert "12 commands" in lines[0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no-such", "no ruleset 'no-such' is installed; there are: definitions"),
        ("no_such:RULESET", "cannot be loaded: No module named 'no_such'"),
        ("domain.rulesets:GROUP", "is a str, not a Ruleset"),
    ],
)
def test_a_name_that_leads_nowhere_is_explained(name: str, sentence: str) -> None:
    done = conformance(name)
    assert done.returncode == 2
    assert sentence in done.stderr
