"""timeline: the fight in plain English, from events alone, grouped by command.

An index of commands grows with the history, so that a page costs what it shows, however long the
fight. Undone commands stay in it and are marked.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from domain.engine.live import Live
from domain.record.events import RoundBegan
from projections.events import EventView, event_view
from projections.eyes import Eyes
from projections.sentences import sentence

QUIET = frozenset({"procedure-began", "procedure-ended", "fact-set", "prompted", "spent"})
"""Types that tell a reader nothing more than the others do."""


class Line(Struct, frozen=True):
    """One fact in plain English."""

    version: int
    type: str
    text: str
    rules: tuple[str, ...]


class Entry(Struct, frozen=True):
    """What one command led to. `first` and `last` are the versions of its events."""

    first: int
    last: int
    at: str
    by: str
    round: int
    undone: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Wanted:
    """Filters; None = everything."""

    combatant: str | None = None
    type: str | None = None
    round: int | None = None
    rule: str | None = None
    undone: bool | None = None


class Commands:
    """Where each command begins in the stream, and in which round; grows with the history."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.rounds: list[int] = []
        self._round_after: list[int] = [0]  # by version

    def refresh(self, live: Live) -> "Commands":
        """Take in the events that are new."""
        recorded = live.history.recorded
        for index in range(len(self._round_after) - 1, len(recorded)):
            one = recorded[index]
            round = self._round_after[one.parent]
            if index == 0 or recorded[index - 1].command != one.command:
                self.starts.append(one.version)
                self.rounds.append(round)
            if isinstance(one.event, RoundBegan):
                round = self.rounds[-1] = one.event.round
            self._round_after.append(round)
        return self

    def rounds_between(self, first: int, end: int) -> list[int]:
        """The rounds of these events: a round's own beginning belongs to it."""
        return self._round_after[first:end]

    def index_of(self, version: int) -> int:
        """The number of the command that an event belongs to."""
        return bisect_right(self.starts, version) - 1


def page(
    live: Live,
    eyes: Eyes,
    commands: Commands,
    wanted: Wanted,
    *,
    after: int | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> tuple[list[Entry], int | None]:
    """Entries that follow the one whose `first` is `after`; and the `first` to go on from."""
    total = len(commands.starts)
    numbers: Iterator[int]
    start = -1 if after is None else commands.index_of(eyes.to_version(after))
    if newest_first:
        numbers = iter(range(total - 1 if after is None else start - 1, -1, -1))
    else:
        numbers = iter(range(start + 1, total))
    found: list[Entry] = []
    for number in numbers:
        entry = _entry(live, eyes, commands, number, wanted)
        if entry is not None:
            found.append(entry)
            if len(found) == limit:
                more = number > 0 if newest_first else number < total - 1
                return found, entry.first if more else None
    return found, None


def _entry(live: Live, eyes: Eyes, commands: Commands, number: int, wanted: Wanted) -> Entry | None:
    recorded = live.history.recorded
    first = commands.starts[number]
    end = commands.starts[number + 1] if number + 1 < len(commands.starts) else len(recorded) + 1
    views = [
        event_view(live, eyes, one)
        for one in recorded[first - 1 : end - 1]
        if eyes.sees(one.version)
    ]
    rounds = commands.rounds_between(first, end)
    shown = [
        view
        for view in views
        if _fits(view, wanted)
        and wanted.round in (None, rounds[eyes.to_version(view.version) - first])
    ]
    if not shown or (wanted.undone is not None and _undone(views) is not wanted.undone):
        return None
    names = {who: one.name for who, one in live.combat.combatants.items()}
    lines = tuple(
        Line(view.version, view.type, text, view.rules)
        for view in shown
        if (not _quiet(view) or wanted.type is not None)
        and (text := sentence(view.type, view.data, names))
    )
    if not lines:
        return None
    return Entry(
        views[0].version,
        views[-1].version,
        views[0].at,
        views[0].by,
        commands.rounds[number],
        _undone(views),
        lines,
    )


def _undone(views: list[EventView]) -> bool:
    """Whether nothing of a command is left; going back is itself never undone."""
    return all(view.undone for view in views)


def _quiet(view: EventView) -> bool:
    """The faces of a roll by hand are told by the roll."""
    return view.type in QUIET or (view.type == "answered" and view.data.get("option") == "roll")


def _fits(view: EventView, wanted: Wanted) -> bool:
    if wanted.type is not None and view.type != wanted.type:
        return False
    if wanted.combatant is not None:
        data = view.data
        roles = ("who", "by", "source", "against", "target")
        if wanted.combatant not in [data.get(role) for role in roles]:
            return False
    return wanted.rule is None or any(rule.startswith(wanted.rule) for rule in view.rules)


def markdown(name: str, entries: list[Entry]) -> str:
    """For pasting into a session log."""
    lines = [f"# {name}", ""]
    round = -1
    for entry in sorted(entries, key=lambda one: one.first):
        if entry.round != round and entry.round:
            round = entry.round
            lines += [f"## Round {round}", ""]
        for number, line in enumerate(entry.lines):
            text = f"~~{line.text}~~" if entry.undone else line.text
            rules = f" _({', '.join(line.rules)})_" if line.rules else ""
            lines.append(f"{'-' if number == 0 else '  -'} {text}{rules}")
    return "\n".join((*lines, ""))
