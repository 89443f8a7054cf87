"""Run the short form of the simulation. `make simulate` runs the long one."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from service import decisions
from service.live.streams import Streams
from service.store.appending import Appending
from service.store.rows import Append
from tests.simulation.model import Tables
from tests.simulation.scenario import Outcome, simulate

SEEDS = 30


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process with a fixed order of sets."""
    command = [sys.executable, "-m", "tests.simulation", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def short() -> str:
    """Return the output of the short form."""
    done = run("--seeds", str(SEEDS))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_seed_finds_a_fault(short: str) -> None:
    assert f"{SEEDS} seeds, 0 failed" in short
    for what in ("acknowledged", "lost_after", "late", "kill", "cut", "back", "messages"):
        assert f" {what}" in short


def test_a_seed_replays_exactly_also_in_another_process(short: str) -> None:
    """With `--seed`, the command runs the seed twice and compares the traces."""
    again = run("--seed", "0")
    assert again.returncode == 0, again.stdout + again.stderr
    assert short.splitlines()[0] == again.stdout.splitlines()[0]


def failing(seeds: range) -> Iterator[Outcome]:
    for seed in seeds:
        outcome = simulate(seed)
        if outcome.fault:
            yield outcome


def test_a_forgotten_key_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "keep", lambda row, key, answer: None)
    failure = next(failing(range(20)), None)
    assert failure is not None
    assert "stored twice" in failure.fault or "nobody asked for" in failure.fault


def test_an_unknown_outcome_that_is_not_looked_up_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def denied(self: Appending, command: Append) -> bool:
        return False

    monkeypatch.setattr(Appending, "_asked_again", denied)
    failure = next(failing(range(40)), None)
    assert failure is not None
    assert "the answer denied it" in failure.fault or "nobody asked for" in failure.fault


def test_a_version_that_is_no_condition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = Tables._fits

    def at_any_version(self: Tables, command: Append) -> bool:
        head = self.heads.get(command.combat)
        if head is not None and command.before is not None:
            before = replace(command.before, version=head.version)
            command = replace(command, before=before)
        return fits(self, command)

    monkeypatch.setattr(Tables, "_fits", at_any_version)
    failure = next(failing(range(40)), None)
    assert failure is not None
    assert "its one place" in failure.fault or "lost" in failure.fault


def test_listeners_that_are_not_polled_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def idle(self: Streams) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Streams, "_poll", idle)
    failure = next(failing(range(40)), None)
    assert failure is not None
    assert "a listener hears no more" in failure.fault
