"""Tree: the branches of a combat's history, each with its first difference."""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.record.events import Reverted
from domain.record.history import History
from domain.record.recorded import Recorded
from projections.diff import Words, what

Lying = tuple[int, int, int]
"""A branch as three versions: its parent, its first event and its last event."""

NOBODY: Final[Mapping[str, str]] = {}


class Left(Struct, frozen=True):
    """The end of a branch: the author of the undo, and the GM's reason.

    - `by`: the role of the author.
    - `label`: the name of the author's token, or empty if the token is no longer valid.
    """

    version: Annotated[int, Meta(description="Version of the event that undid it")]
    at: str
    by: str
    reason: str
    label: Annotated[
        str, Meta(description="Name of the author's token. Empty: no longer valid")
    ] = ""


class Branch(Struct, frozen=True):
    """A series of events in which no other branch begins.

    - `parent`: the version that it continues from.
    - `first`, `last`: the versions of its events.
    - `difference`: the input of its first command.
    - `command`: the first command in plain English.
    - `by`: the role of that command's author.
    - `label`: the name of the author's token, or empty if the token is no longer valid.
    - `round`: the round in which it begins.
    - `reason`: the GM's reason for the undo or goto before it.
    - `present`: true if it leads to the current state. If false, `left` has the time and the reason
      of the undo.
    - `text`: the branch in plain English.
    """

    parent: Annotated[int, Meta(description="The version that it continues from")]
    first: int
    last: int
    at: str
    difference: Annotated[str, Meta(description="Request of its first command")]
    by: str
    round: int
    reason: str
    present: Annotated[bool, Meta(description="Whether it leads to the current state")]
    text: str = ""
    left: Annotated[
        Left | None, Meta(description="The undo that left it. `null`: it is the current path")
    ] = None
    label: Annotated[
        str, Meta(description="Name of the author's token. Empty: no longer valid")
    ] = ""
    command: Annotated[str, Meta(description="Its first command in plain English")] = ""


class Tree(Struct, frozen=True):
    """Every branch, oldest first. `head` is the version of the current state."""

    head: Annotated[int, Meta(description="The version of the current state")]
    branches: Annotated[tuple[Branch, ...], Meta(description="Every branch, oldest first")]


def tree(live: Session, labels: Mapping[str, str] = NOBODY) -> Tree:
    """Return the complete history as branches. Events that an undo records start no branch.

    `labels` are the names of the valid tokens, by id.
    """
    history = live.history
    turns = _turns(history)
    parents, reasons = _origins(history, turns)
    children: dict[int, list[int]] = {}
    for version, parent in parents.items():
        children.setdefault(parent, []).append(version)
    branches: list[Lying] = []
    present = history.present
    starts = [0]
    while starts:
        parent = starts.pop(0)
        for first in children.get(parent, ()):
            last = first
            while len(children.get(last, ())) == 1 and last != present:
                last = children[last][0]
            branches.append((parent, first, last))
            if children.get(last):
                starts.append(last)
    branches.sort(key=itemgetter(1))
    begun = history.gather((first, first) for _, first, _ in branches)
    words = Words(
        {combatant.id: combatant.name for combatant in live.combat.combatants.values()},
        live.ruleset,
    )
    left = _left(history, turns, branches, labels)
    return Tree(
        present,
        tuple(
            _branch(
                history,
                branch,
                recorded,
                reasons.get(branch[1], ""),
                left.get(branch[1]),
                labels,
                words,
            )
            for branch, recorded in zip(branches, begun, strict=True)
        ),
    )


def _branch(
    history: History,
    branch: Lying,
    begun: Recorded,
    reason: str,
    left: Left | None,
    labels: Mapping[str, str],
    words: Words,
) -> Branch:
    parent, first, last = branch
    present, round = history.is_present(first), history.round_after(parent)
    commands = history.commands_within(first, last)
    command = words.command(what(begun))
    return Branch(
        parent,
        first,
        last,
        begun.at,
        what(begun),
        begun.actor[1],
        round,
        reason,
        present,
        _told(command, parent, round, commands, reason, present),
        None if present else left,
        labels.get(begun.actor[0], ""),
        command,
    )


def _left(
    history: History,
    turns: Mapping[int, Recorded],
    branches: Iterable[Lying],
    labels: Mapping[str, str],
) -> Mapping[int, Left]:
    """Return the last undo of each branch, by the branch's first version."""
    ends = {last: first for _, first, last in branches}
    outer = {first: ends.get(parent) for parent, first, _ in branches}
    branch_of: dict[int, int | None] = {}
    left_at: dict[int, Left] = {}
    head = 0
    for version in range(1, history.version + 1):
        recorded = turns.get(version)
        if recorded is not None and isinstance(recorded.event, Reverted):
            to = recorded.event.to
            for first in _line(branch_of.get(head), outer) - _line(branch_of.get(to), outer):
                label = labels.get(recorded.actor[0], "")
                left_at[first] = Left(
                    version, recorded.at, recorded.actor[1], recorded.event.reason, label
                )
            head = to
        else:
            branch_of[version] = version if version in outer else branch_of.get(head)
            head = version
    return left_at


def _line(first: int | None, outer: Mapping[int, int | None]) -> frozenset[int]:
    """Return the first versions of a branch and of all branches that lead to it."""
    firsts = set()
    while first is not None:
        firsts.add(first)
        first = outer[first]
    return frozenset(firsts)


def _told(
    difference: str, parent: int, round: int, commands: int, reason: str, present: bool
) -> str:
    """Return a branch in plain English."""
    origin = f"After version {parent}, in round {round}: " if parent else "From the beginning: "
    more = f", and {commands - 1} more" if commands > 1 else ""
    why = f" (gone back before it: {reason})" if reason else ""
    return f"{origin}{difference}{more}{why}{'' if present else '; undone'}"


def _turns(history: History) -> Mapping[int, Recorded]:
    """Return each undo, redo and goto, by its version."""
    versions = [turn.version for turn in history.turns]
    events = history.gather((version, version) for version in versions)
    return dict(zip(versions, events, strict=True))


def _origins(
    history: History, turns: Mapping[int, Recorded]
) -> tuple[Mapping[int, int], Mapping[int, str]]:
    """Return the parent of each version, and the GM's reason for the undo or goto before it."""
    parents: dict[int, int] = {}
    reasons: dict[int, str] = {}
    skipped: dict[int, int] = {}
    before, why, back = 0, "", 0
    for version in range(1, history.version + 1):
        parent = skipped.get(before, before)
        before = version
        turn = turns.get(version)
        if turn is not None and isinstance(turn.event, Reverted):
            before, why = turn.event.to, turn.event.reason
            back = history.command_of(version)[1]
        elif version <= back:
            skipped[version] = parent
        else:
            parents[version] = parent
            if why:
                reasons[version] = why
            why = ""
    return parents, reasons
