"""Verify: check the hash chain, the dice and the sums of an export without a server.

`affray verify` prints the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domain.dice import BadFaces, BadFormula, check_faces, parse_roll
from domain.errors import Malformed
from domain.record import fairness
from domain.record.events import (
    CombatOpened,
    Reverted,
    Rolled,
    SaltAdded,
    SeedCommitted,
    SeedRevealed,
)
from domain.record.export import Imported, read
from domain.record.history import History
from domain.record.recorded import Recorded


@dataclass
class Report:
    """The result of a check: the numbers of checked events and rolls, and the faults."""

    events: int = 0
    server_rolls: int = 0
    manual_rolls: int = 0
    unrevealed_rolls: int = 0
    copied_rolls: int = 0
    kept_rolls: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Return true if there are no faults."""
        return not self.faults

    def text(self) -> str:
        """Return the report as a text for people."""
        lines = [
            f"{self.events} events: versions, parents and chain of hashes",
            f"{self.server_rolls} rolls of the server derived again from the revealed seed",
            f"{self.manual_rolls} rolls by hand or set by the GM: faces and sums",
        ]
        if self.unrevealed_rolls:
            lines.append(f"{self.unrevealed_rolls} rolls whose seed is not revealed: sums only")
        if self.copied_rolls:
            lines.append(
                f"{self.copied_rolls} rolls of the combat that it was forked from: sums only"
            )
        if self.kept_rolls:
            lines.append(
                f"{self.kept_rolls} rolls kept by amendments: the faces of their originals"
            )
        lines += [f"WRONG: {fault}" for fault in self.faults]
        lines.append("sound" if self.sound else "NOT sound")
        return "\n".join(lines)


def verify(file: bytes) -> Report:
    """Check an exported file."""
    try:
        imported = read(file)
    except Malformed as error:
        return Report(faults=[error.detail])
    report = Report(len(imported.recorded))
    _rolls(imported, report)
    return report


class Originals:
    """The rolls of the branch that an amendment left. It may repeat each of them once."""

    def __init__(self, recorded: Sequence[Recorded]) -> None:
        self._recorded = recorded
        self._history = History(recorded)
        self._left: set[int] = set()

    def leave(self, reverted: Recorded, to: int) -> None:
        """Collect the rolls after version `to` on the branch that the amendment leaves."""
        runs = self._history.runs_to(reverted.parent)
        self._left = {
            version
            for first, last in runs
            for version in range(max(first, to + 1), last + 1)
            if isinstance(self._recorded[version - 1].event, Rolled)
        }

    def has(self, recorded: Recorded, event: Rolled) -> bool:
        """Return true if a roll has the dice and faces of the roll that it repeats."""
        if recorded.replays not in self._left:
            return False
        self._left.remove(recorded.replays)
        original = self._recorded[recorded.replays - 1].event
        return isinstance(original, Rolled) and _dice(original) == _dice(event)


def _dice(event: Rolled) -> tuple[object, ...]:
    dice = parse_roll(event.formula).dice
    return (event.who, event.purpose, dice, event.faces, event.by, event.key, event.ordinal)


def _rolls(imported: Imported, report: Report) -> None:
    """Check the faces and sum of every roll, and derive the faces of the service's rolls again."""
    seeds = imported.seeds
    originals = Originals(imported.recorded)
    salts: dict[int, Mapping[str, str]] = {0: {}}
    commitments: dict[int, str] = {0: ""}
    opened = imported.recorded[0].event
    forked = isinstance(opened, CombatOpened) and opened.forked_from is not None
    for recorded in imported.recorded:
        known, commitment = salts[recorded.parent], commitments[recorded.parent]
        event = recorded.event
        if isinstance(event, SaltAdded):
            known = {**known, event.by: event.salt}
        elif isinstance(event, CombatOpened | SeedCommitted):
            commitment = event.commitment
        elif isinstance(event, Reverted) and event.kind == "amend":
            originals.leave(recorded, event.to)
        elif isinstance(event, Rolled):
            kept = originals if recorded.replays and event.by == "server" else None
            _roll(recorded, event, known, seeds.get(commitment), report, forked, kept)
        elif isinstance(event, SeedRevealed) and event.commitment != commitment:
            report.faults.append(f"event {recorded.version} reveals a seed that is not in use")
        salts[recorded.version], commitments[recorded.version] = known, commitment


def _roll(
    recorded: Recorded,
    event: Rolled,
    salts: Mapping[str, str],
    seed: bytes | None,
    report: Report,
    forked: bool,
    kept: Originals | None,
) -> None:
    try:
        formula = parse_roll(event.formula)
        check_faces(formula, event.faces)
    except (BadFormula, BadFaces) as error:
        report.faults.append(f"event {recorded.version}: {error}")
        return
    total = formula.total(event.faces) + sum(term.value for term in event.terms)
    if total != event.total:
        report.faults.append(f"event {recorded.version}: the sum is {total}, not {event.total}")
    if kept is not None:
        report.kept_rolls += 1
        if not kept.has(recorded, event):
            report.faults.append(
                f"event {recorded.version}: the dice are not those of the roll that it repeats"
            )
    elif event.by != "server":
        report.manual_rolls += 1
    elif not event.key and forked:
        report.copied_rolls += 1
    elif seed is None:
        report.unrevealed_rolls += 1
    else:
        report.server_rolls += 1
        key = fairness.Key(event.key, event.purpose, event.ordinal)
        texts = [f"{by}={salt}" for by, salt in salts.items()]
        sides = [abs(die) for die in formula.dice]
        if fairness.faces(seed, texts, key, sides) != event.faces:
            report.faults.append(f"event {recorded.version}: the dice are not those of the seed")
