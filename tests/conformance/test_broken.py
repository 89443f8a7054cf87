"""Each check of the kit notices a broken promise and shows the shortest case."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.conformance import case
from service.conformance.case import Budget
from service.conformance.kit import CHECKS, Subject, load, replay, run, told

AFFRAY = str(Path(sys.executable).parent / "affray")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

BROKEN = [
    ("walk", "STUCK", "the combat runs, and nobody is asked"),
    ("walk", "NOTHING_READY", "there is no ready fight"),
    ("forms", "LENIENT", "a sheet with a wrong 'no-such-field' is accepted"),
    ("forms", "LATE", "is refused when it is sent"),
    ("secrecy", "TELLTALE", "tells what is hidden"),
    ("replay", "UNORDERED", "the same commands, in another process, record other events: Noted"),
    ("undo", "MINDFUL", "records other events after an undo"),
    ("index", "UNLISTED", "the index lacks: SRD-INI-01"),
    ("index", "UNCITED", "no code cites: SRD-FLY-01"),
    ("index", "LOST", "this code does not exist: srd_slice.flow.delay"),
]


def test_every_check_has_a_ruleset_that_it_refuses() -> None:
    assert {check for check, *_ in BROKEN} == {check.id for check in CHECKS}


@pytest.mark.sampled
@pytest.mark.parametrize(("check", "name", "sentence"), BROKEN)
def test_a_broken_promise_is_noticed(check: str, name: str, sentence: str) -> None:
    where = f"tests.conformance.broken:{name}"
    (result,) = run(Subject(load(where), where), Budget(120, 0), [check])
    assert result.broken is not None
    assert sentence in result.broken.said
    assert "what to do: " in told(result)


@pytest.mark.sampled(0)
def test_the_shortest_case_is_short_and_fails_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest case opens and begins a fight, rolls five initiatives and plays five turns."""
    monkeypatch.setattr(case, "SHORTENING_S", 300)  # enough on a busy machine
    ruleset = load("tests.conformance.broken:STUCK")
    (result,) = run(Subject(ruleset), Budget(120, 0), ["walk"])
    assert result.broken is not None
    assert len(result.broken.commands) <= 15
    assert "nobody is asked" in str(replay(ruleset, result.broken.commands))
    assert replay(load("srd_slice:RULESET"), result.broken.commands) is None


@pytest.mark.sampled(0)
def test_the_command_fails_and_its_case_can_be_replayed(tmp_path: Path) -> None:
    name = "tests.conformance.broken:STUCK"
    done = subprocess.run(
        [AFFRAY, "conformance", name, "--check", "walk", "--commands", "60"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("FAIL  walk")
    assert "to replay:" in lines[3]
    path = tmp_path / "case.json"
    path.write_text(json.dumps(json.loads(lines[4])))
    for ruleset, status, text in ((name, 1, "FAIL"), ("srd_slice:RULESET", 0, "nothing fails")):
        again = subprocess.run(
            [AFFRAY, "conformance", ruleset, "--replay", str(path)],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
        )
        assert (again.returncode, again.stdout[: len(text)]) == (status, text), again.stderr
