"""Test that all rulebooks use the same outcomes of rolls, also for fights of old releases."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from domain.record.events import OUTCOMES, Judged, Rolled
from domain.record.export import export, read
from domain.record.fork import copy, fork
from domain.record.history import History
from domain.record.recorded import Recorded, chain_hash, decode, encode, topic
from service.conformance.walker import Walker
from tests.forms import forms
from tests.walks import FIGHTS, begin

OWN = {
    "definitions": {"threat"},
    "free-hit": {
        *("auto-fail", "tragedy", "killed", "super-critical", "decisive-victory"),
        *("no-further", "16-more", "no-more"),
        *(f"tier-{number}" for number in range(1, 7)),
    },
    "hallowed-earth": {"injury", "none"},
    "sovereign": {"void"},
    "vile-darkness": {"foiled", "HIGH", "LOW"},
}
"""Outcomes outside the shared vocabulary."""


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", sorted(FIGHTS))
@forms("fights", 2, long=[4])
def test_a_rulebook_says_what_all_say(ruleset: str, fights: int) -> None:
    said: set[str] = set()
    for seed in range(fights):
        spec = begin(ruleset, seed)
        spec.prove = lambda: None  # type: ignore[method-assign]
        Walker(spec, Random(seed), undo=0).walk(60)
        for recorded in spec.live.history.recorded:
            if isinstance(recorded.event, Rolled | Judged):
                said.add(recorded.event.outcome)
    assert said - {""} - set(OUTCOMES) <= OWN[ruleset]
    assert said & set(OUTCOMES)


def stored(**fields: str) -> bytes:
    """Return a stored roll of release 0.1.0."""
    roll = Rolled("ann", "save", "1d20", (12,), 12, outcome="success")
    recorded = Recorded(3, 2, "2026-01-01T00:00:00Z", "c", ("gm", "gm"), roll, previous="ab")
    return encode(recorded).replace(b'"success"', f'"{fields["outcome"]}"'.encode())


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("saved", "success"),
        ("failed", "failure"),
        ("made", "success"),
        ("breaks", "failure"),
        ("not stabilized", "failure"),
        ("critical hit", "critical"),
        ("super critical", "super-critical"),
        ("auto-fail", "auto-fail"),
        ("miss", "miss"),
    ],
)
def test_old_words_are_lifted_and_stay_as_they_are_stored(before: str, now: str) -> None:
    state = stored(outcome=before)
    lifted = decode(state, "rolled:1")
    assert isinstance(lifted.event, Rolled)
    assert lifted.event.outcome == now
    assert (topic(lifted), encode(lifted)) == ("rolled:1", state)
    assert chain_hash(lifted) == chain_hash(lifted, state)
    assert topic(decode(stored(outcome=now), "rolled:2")) == "rolled:2"


def test_both_words_of_a_judgement_are_lifted() -> None:
    judged = Judged("ann", "attack", "critical hit", 21, before="failed")
    state = encode(Recorded(3, 2, "2026-01-01T00:00:00Z", "c", ("gm", "gm"), judged))
    lifted = decode(state, "judged:1").event
    assert isinstance(lifted, Judged)
    assert (lifted.outcome, lifted.before) == ("critical", "failure")


@pytest.fixture(scope="module")
def older() -> tuple[Recorded, ...]:
    """Return a fight of release 0.1.0."""
    file = Path(__file__).parent.parent / "corpus" / "0.1.0" / "definitions-1.jsonl"
    recorded = read(file.read_bytes()).recorded
    assert any(event.lifted is not None for event in recorded)
    return recorded


def outcomes(recorded: Sequence[Recorded]) -> list[str]:
    return [event.event.outcome for event in recorded if isinstance(event.event, Rolled)]


def test_a_copy_of_older_events_is_written_in_the_words_of_today(
    older: tuple[Recorded, ...],
) -> None:
    recorded, states = copy(older, "00000000-0000-4000-8000-000000000001")
    again = read(b"".join(export(recorded)))
    assert (again.recorded, again.states) == (recorded, states)
    assert outcomes(recorded) == outcomes(older)
    assert {topic(event) for event in recorded}.isdisjoint({"rolled:1", "judged:1"})


def test_a_fork_of_older_events_has_their_outcomes_and_no_keys(
    older: tuple[Recorded, ...],
) -> None:
    path = list(History(older).path_to(older[-1].version))
    recorded, states = fork(path, "00000000-0000-4000-8000-000000000001", None, bytes(32))
    assert outcomes(recorded) == outcomes(path)
    assert list(read(b"".join(export(recorded))).states) == states
    keys = {event.event.key for event in recorded if isinstance(event.event, Rolled)}
    assert keys == {""}
