"""tree: the branches of a combat's history, each with its first difference."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.live import Live
from domain.record.events import Reverted, RoundBegan, SeedCommitted
from domain.record.recorded import Recorded
from projections.diff import what


class Left(Struct, frozen=True):
    """How a branch came to be undone: by whom, and the GM's words."""

    version: int
    at: str
    by: str
    reason: str


class Branch(Struct, frozen=True):
    """A line of events that nothing interrupts but branching.

    `parent` is the version that it continues from, `first` … `last` its own events, `difference`
    what its first command asked for, `by` the role of whoever asked, `round` the one in which it
    begins, `reason` why the GM had gone back before it. `present`: it leads to the present; else
    `left` says when and why it was given up. `text` says it in plain English.
    """

    parent: int
    first: int
    last: int
    at: str
    difference: str
    by: str
    round: int
    reason: str
    present: bool
    text: str = ""
    left: Left | None = None


class Tree(Struct, frozen=True):
    """Every branch, oldest first; `head` is the version whose state is the present."""

    head: int
    branches: tuple[Branch, ...]


def tree(live: Live) -> Tree:
    """The whole history as branches. New dice after an undo are no difference of their own."""
    history = live.history
    recorded = list(history.recorded)
    parents, rounds, reasons = _origins(recorded)
    children: dict[int, list[int]] = {}
    for version, parent in parents.items():
        children.setdefault(parent, []).append(version)
    branches: list[Branch] = []
    starts = [0]
    while starts:
        parent = starts.pop(0)
        for first in children.get(parent, ()):
            last = first
            while len(children.get(last, ())) == 1 and last != history.present:
                last = children[last][0]
            begun = recorded[first - 1]
            commands = len({one.command for one in recorded[first - 1 : last]})
            round, reason = rounds.get(parent, 0), reasons.get(first, "")
            branches.append(
                Branch(
                    parent,
                    first,
                    last,
                    begun.at,
                    what(begun),
                    begun.actor[1],
                    round,
                    reason,
                    history.is_present(first),
                    _told(what(begun), parent, round, commands, reason, history.is_present(first)),
                )
            )
            if children.get(last):
                starts.append(last)
    left = _left(history.recorded, branches)
    found = sorted(branches, key=lambda branch: branch.first)
    return Tree(
        history.present,
        tuple(one if one.present else replace(one, left=left.get(one.first)) for one in found),
    )


def _left(recorded: Sequence[Recorded], branches: Iterable[Branch]) -> Mapping[int, Left]:
    """How each branch was last given up, by its first version."""
    ends = {one.last: one.first for one in branches}
    outer = {one.first: ends.get(one.parent) for one in branches}
    branch_of: dict[int, int | None] = {}
    found: dict[int, Left] = {}
    head = 0
    for one in recorded:
        event = one.event
        if isinstance(event, Reverted):
            for first in _line(branch_of.get(head), outer) - _line(branch_of.get(event.to), outer):
                found[first] = Left(one.version, one.at, one.actor[1], event.reason)
            head = event.to
        else:
            branch_of[one.version] = one.version if one.version in outer else branch_of.get(head)
            head = one.version
    return found


def _line(first: int | None, outer: Mapping[int, int | None]) -> frozenset[int]:
    """A branch and those that lead to it."""
    found = set()
    while first is not None:
        found.add(first)
        first = outer[first]
    return frozenset(found)


def _told(
    difference: str, parent: int, round: int, commands: int, reason: str, present: bool
) -> str:
    """A branch in plain English."""
    origin = f"After version {parent}, in round {round}: " if parent else "From the beginning: "
    more = f", and {commands - 1} more" if commands > 1 else ""
    why = f" (gone back before it: {reason})" if reason else ""
    return f"{origin}{difference}{more}{why}{'' if present else '; undone'}"


def _origins(
    recorded: Iterable[Recorded],
) -> tuple[Mapping[int, int], Mapping[int, int], Mapping[int, str]]:
    """By version: the event that it continues from, its round, and why the GM had gone back."""
    parents: dict[int, int] = {}
    rounds: dict[int, int] = {0: 0}
    reasons: dict[int, str] = {}
    skipped: dict[int, int] = {}
    why = ""
    for one in recorded:
        event = one.event
        parent = skipped.get(one.parent, one.parent)
        if isinstance(event, Reverted):
            why = event.reason
        elif isinstance(event, SeedCommitted):
            skipped[one.version] = parent
        else:
            parents[one.version] = parent
            rounds[one.version] = event.round if isinstance(event, RoundBegan) else rounds[parent]
            if why:
                reasons[one.version] = why
            why = ""
    return parents, rounds, reasons
