"""The tutorial's ruleset behaves as described, and keeps every promise of the kit."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from domain.record.events import CombatEnded, Prevented, Stopped
from service.conformance.kit import CHECKS
from tests.spec import Spec

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "write-a-ruleset.md"
AFFRAY = str(Path(sys.executable).parent / "affray")

ANN = {"name": "ann", "side": "red"}
BOB = {"name": "bob", "side": "blue"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a reader of the tutorial has at the end."""
    made = tmp_path_factory.mktemp("tutorial")
    *pieces, test = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    (made / "duel.py").write_text("\n\n".join(pieces))
    (made / "test_duel.py").write_text(test)
    return made


@pytest.fixture
def spec(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Spec:
    monkeypatch.syspath_prepend(str(folder))
    from duel import RULESET  # type: ignore[import-not-found]

    return Spec(RULESET).given(ANN, BOB).begin()


def test_the_tutorials_command_passes_every_check(folder: Path) -> None:
    command = [AFFRAY, "conformance", "duel:RULESET", "--commands", "80"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["pass", check.id] for check in CHECKS
    ]
    for check in CHECKS:
        assert f"\npass  {check.id}" in PAGE.read_text()


def test_the_tutorials_own_test_passes(folder: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_duel.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout


def test_a_blow_is_parried_once_a_round(spec: Spec) -> None:
    spec.join(name="cyd", side="red", hp=6)
    spec.act("ann", "strike", target="bob").answer("bob", "parry")
    assert spec.open() == [("turn", "turn", "bob")]
    spec.act("bob", "strike", target="ann").answer("ann", "pass", ("attack", 9))
    spec.act("ann", "strike", target="bob")  # a new round
    spec.answer("bob", "parry")
    spec.answer("bob", "wait").act("cyd", "strike", target="bob")
    with spec.refused("DU-03", "has-parried"):
        spec.answer("bob", "parry")


def test_a_blow_ends_the_duel(spec: Spec) -> None:
    spec.act("ann", "strike", target="bob").answer("bob", "pass", ("attack", 10), ("damage", 6))
    assert spec["bob"].has("down")  # 6 − 6
    assert spec.event(CombatEnded).winners == ("red",)


def test_zero_by_a_ruling_is_zero(spec: Spec) -> None:
    spec.rule("set-track", who="bob", track="hp", value=0)
    assert spec.event(CombatEnded).winners == ("red",)


def test_a_striker_that_is_felled_meanwhile_strikes_no_more(spec: Spec) -> None:
    spec.act("ann", "strike", target="bob")
    spec.rule("damage", who="ann", amount=6)
    stopped = spec.event(Stopped)
    assert (stopped.who, stopped.doing, stopped.rules) == ("ann", "strike", ("DU-01",))
    assert stopped.closes == ("bob:1",)
    assert spec.events(Prevented) == []
    assert spec.event(CombatEnded).winners == ("blue",)
