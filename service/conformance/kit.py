"""The kit: every check of a ruleset, and the report.

`affray conformance RULESET` runs it. It needs no database, no network and no pytest.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from itertools import zip_longest
from typing import Final

import msgspec

from domain.engine.commands import Act, Command, GmRuling, Goto, Redo, Reply, Undo
from domain.engine.session import Session
from domain.errors import Refused, Unfitting
from domain.record.events import SeedRevealed
from domain.record.export import export, read
from domain.record.recorded import Recorded, encode
from domain.rulebook.ruleset import Ruleset
from domain.rulesets import GROUP, installed
from service.conformance import index
from service.conformance.case import Broken, Budget, broken, said, walks
from service.conformance.secrecy import pairs
from service.conformance.spec import Spec
from service.conformance.walker import Fired, answerable, hold

DEFAULT: Final = Budget(800, 0)
"""The usual budget. A check with it takes about a minute."""

EVERY: Final = 6
"""Commands between two complete checks of a combat."""

Counts = Counter[str]

PROCESSES: Final = 2
"""The number of combats that another process repeats."""


@dataclass(frozen=True)
class Check:
    """One promise: its name, its sentence, advice for a ruleset that breaks it, and its check."""

    id: str
    promise: str
    remedy: str
    run: "Callable[[Subject, Budget], Counts]"


@dataclass(frozen=True)
class Result:
    """The result of a check. `broken` is `None` if the check passed."""

    check: Check
    counts: Counts
    broken: Broken | None = None


def load(name: str) -> Ruleset:
    """Return the ruleset with this id, or the ruleset that `module:NAME` refers to.

    Raises `LookupError` with a sentence.
    """
    if ":" not in name:
        if name not in installed():
            raise LookupError(
                f"no ruleset {name!r} is installed; there are: {', '.join(installed())}. "
                "Name one that is not installed as module:NAME"
            )
        return installed()[name]
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # `python -m` does the same
    try:
        ruleset = EntryPoint("", name, GROUP).load()
    except (ImportError, AttributeError) as error:
        raise LookupError(f"{name!r} cannot be loaded: {error}") from error
    if not isinstance(ruleset, Ruleset):
        raise LookupError(f"{name!r} is a {type(ruleset).__name__}, not a Ruleset")
    return ruleset


@dataclass(frozen=True)
class Subject:
    """A ruleset under test. Another process can load it by `name`, unless `name` is empty."""

    ruleset: Ruleset
    name: str = ""


# ---- the checks


def _nothing(spec: Spec) -> None:
    """Do nothing, because the walker itself checks after every command."""


def _walk(subject: Subject, budget: Budget) -> Counts:
    ruleset, counts, fired = subject.ruleset, Counts(), Fired()
    for _ in walks(ruleset, budget, _nothing, EVERY, fired=fired):
        counts["fights"] += 1
    counts["commands"] = fired.commands
    done = fired.actions.keys() & ruleset.actions.keys()
    counts[f"of {len(ruleset.actions)} actions"] = len(done)
    return counts


def _forms(subject: Subject, budget: Budget) -> Counts:
    try:
        from service.conformance.forms import Forms
    except ImportError as error:
        raise Broken(f"{error}: install affray[conformance]") from error
    forms = Forms(subject.ruleset)
    try:
        forms.publish()
    except AssertionError as error:
        raise Broken(said(error)) from error
    for _ in walks(subject.ruleset, budget.part(2), forms.look, EVERY):
        pass
    return forms.counts


def _secrecy(subject: Subject, budget: Budget) -> Counts:
    counts = Counts()
    for pair in pairs(subject.ruleset, budget.part(6)):
        counts.update({"pairs": 1, "answers": pair.steps, "of the hidden one": pair.asked})
    return counts


def _replay(subject: Subject, budget: Budget) -> Counts:
    counts = Counts()
    for spec in walks(subject.ruleset, budget.part(2), replayed, 20):
        counts["fights"] += 1
        counts["events"] += len(spec.live.history.recorded)
        if subject.name and counts["fights"] <= PROCESSES:
            elsewhere(subject.name, spec)
            counts["other processes"] += 1
    return counts


def replayed(spec: Spec) -> None:
    """Check that the stored file gives the same fight, and that the commands repeat its bytes."""
    file = b"".join(export(spec.live.history.recorded))
    loaded = Session(spec.ruleset, read(file).recorded)
    assert loaded.combat == spec.combat, "the loaded fight has another state"
    waits = list(spec.live.open_prompts())
    assert list(loaded.open_prompts()) == waits, "the loaded fight waits for other prompts"
    _alike(spec, stored(spec.ruleset, spec.commands), "sent again")


def stored(ruleset: Ruleset, commands: Sequence[Command]) -> list[str]:
    """Decide the commands, and return the text of every event."""
    spec = Spec(ruleset)
    spec.proves = False
    for command in commands:
        with suppress(Refused):
            spec.do(command)
    return texts(spec)


def texts(spec: Spec) -> list[str]:
    """Return the bytes of every event, as text."""
    return [encode(recorded).decode() for recorded in spec.live.history.recorded]


def _alike(spec: Spec, others: Sequence[str], when: str) -> None:
    for recorded, text, other in zip_longest(spec.live.history.recorded, texts(spec), others):
        if text != other:
            at = f"version {recorded.version}" if recorded is not None else "the end"
            told = type(recorded.event).__name__ if recorded is not None else "nothing"
            raise AssertionError(f"the same commands, {when}, record other events: {told} at {at}")


def elsewhere(name: str, spec: Spec) -> None:
    """Check that a process with another hash seed records the same events for the commands."""
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "service.conformance.again", name],
        input=msgspec.json.encode(spec.commands),
        env=environment,
        capture_output=True,
    )
    if done.returncode:
        raise Broken(f"another process fails: {done.stderr.decode()[-300:]}", spec.commands)
    try:
        _alike(spec, msgspec.json.decode(done.stdout, type=list[str]), "in another process")
    except AssertionError as error:
        raise Broken(str(error), spec.commands) from error


def _undo(subject: Subject, budget: Budget) -> Counts:
    counts = Counts()

    def look(spec: Spec) -> None:
        counts["laws"] += undone(spec)

    for _ in walks(subject.ruleset, budget.part(2), look, 3, gm=0.05):
        pass
    return counts


def undone(spec: Spec) -> int:
    """Check that undo and redo restore exact states, and that repeated commands have equal results.

    Return the number of checks.
    """
    branch = spec.branch()
    present = spec.combat
    tried = 0
    with suppress(Unfitting):  # nothing can be undone yet
        branch.do(Undo())
        branch.do(Redo())
        assert branch.combat == present, "redo after undo gives another state"
        tried += 1
    decided = _last(spec)
    if decided is None:
        return tried
    command, events = decided
    before = events[0].version - 1
    branch = spec.branch()
    branch.do(Goto(before))
    assert branch.combat == spec.live.at(before), f"version {before} is another state by goto"
    branch.do(command)
    first, again = _told(events), _told(branch.last)
    assert again == first, (
        f"{type(command).__name__} records other events after an undo: {again}, not {first}"
    )
    branch.do(Goto(spec.live.version))
    assert branch.combat == present, "goto gives another state than before"
    return tried + 3


def _told(events: Iterable[Recorded]) -> list[tuple[str, tuple[str, ...]]]:
    """Return types and rules of events, without `SeedRevealed`, which occurs only once."""
    told = (recorded.event for recorded in events if not isinstance(recorded.event, SeedRevealed))
    return [(type(event).__name__, event.rules) for event in told]


def _last(spec: Spec) -> tuple[Command, list[Recorded]] | None:
    """Return the newest command of play that is not undone, with its events."""
    for number in range(len(spec.commands) - 1, 0, -1):
        command = spec.commands[number]
        if isinstance(command, Act | Reply | GmRuling):
            path = [
                recorded
                for recorded in spec.live.history.recorded
                if recorded.command == f"command-{number + 1}"
            ]
            if path and spec.live.told(path[0].version) is not None:
                return command, path
    return None


def _index(subject: Subject, budget: Budget) -> Counts:
    ruleset = subject.ruleset
    if not ruleset.rules:
        raise Broken("`Ruleset.rules` is empty")
    ids = Counter(rule.id for rule in ruleset.rules)
    for what, faults in (
        ("the index has these ids twice", [id for id, number in ids.items() if number > 1]),
        ("this code does not exist", index.code_that_is_missing(ruleset)),
        ("no code cites", index.rules_that_nothing_cites(ruleset)),
        ("the index lacks", index.cited_without_a_rule(ruleset)),
    ):
        if faults:
            raise Broken(f"{what}: {', '.join(faults)}")

    def cited(spec: Spec) -> None:
        rules = {rule for event in spec.told() for rule in event.rules}
        rules |= {rule for prompt in spec.live.open_prompts().values() for rule in prompt.rules}
        missing = sorted(rule for rule in rules - {""} if rule not in ids)
        assert not missing, f"an event or a prompt cites what the index lacks: {', '.join(missing)}"

    fired = Fired()
    for _ in walks(ruleset, budget.part(4), cited, 1, fired=fired):
        pass
    return Counts({"rules": len(ids), "named by events": sum(id in fired.rules for id in ids)})


CHECKS: Final = (
    Check(
        "walk",
        "random fights keep every invariant",
        "Correct the refusal, prompt or consequence that the sentence is about.",
        _walk,
    ),
    Check(
        "forms",
        "examples are valid, offers are accepted, wrong values are refused at their field",
        "Add `forbid_unknown_fields=True`, narrow the field's type, or move a reason into "
        "`refusals`.",
        _forms,
    ),
    Check(
        "secrecy",
        "a player reads the same of two fights that differ in hidden facts",
        "Ask `hidden.knows_of` before a text, prompt or fact speaks of somebody hidden.",
        _secrecy,
    ),
    Check(
        "replay",
        "stored events give the same fight, and the same commands the same events",
        "Let procedures read `play` and answers only: no clock, randomness, global or set order.",
        _replay,
    ),
    Check(
        "undo",
        "undo, redo and goto give the same states and the same decisions",
        "Keep what a rule remembers in facts, conditions or tracks, never in Python objects.",
        _undo,
    ),
    Check(
        "index",
        "every rule of the index is cited, and every cited rule is in the index",
        "Add the rule to `Ruleset.rules`, or its id to the docstring or event of its code.",
        _index,
    ),
)


def run(subject: Subject, budget: Budget = DEFAULT, only: Sequence[str] = ()) -> Iterator[Result]:
    """Run the checks one after the other."""
    for check in CHECKS:
        if not only or check.id in only:
            try:
                yield Result(check, check.run(subject, budget))
            except Broken as broken:
                yield Result(check, Counts(), broken)


def told(result: Result) -> str:
    """Return the lines of the report about one check."""
    check, broken = result.check, result.broken
    if broken is None:
        counts = ", ".join(f"{number} {what}" for what, number in result.counts.items())
        return f"pass  {check.id:8} {counts}"
    lines = [f"FAIL  {check.id:8} {broken.said}", f"      promise: {check.promise}"]
    lines.append(f"      what to do: {check.remedy}")
    if broken.commands:
        lines.append(f"      seed {broken.seed}, {len(broken.commands)} commands, to replay:")
        lines.append(f"      {msgspec.json.encode(broken.commands).decode()}")
    return "\n".join(lines)


def read_commands(text: bytes) -> list[Command]:
    """Return the commands of a report."""
    return msgspec.json.decode(text, type=list[Command])


def replay(ruleset: Ruleset, commands: Sequence[Command]) -> Exception | None:
    """Play the commands of a report again, with every check of the walk. Return the first fault."""

    def look(spec: Spec) -> None:
        hold(spec.live)
        answerable(spec)
        replayed(spec)
        undone(spec)

    return broken(Spec(ruleset), commands, look)
