"""The comparison of two branches in plain English, from their last common version."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated

from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.record.recorded import Recorded
from projections.diff import EndsDiff, behind, ends, parting
from projections.events import event_views
from projections.eyes import Eyes
from projections.narration import Teller
from projections.results import Result, result

MOST = 500
"""The largest number of commands of a branch in a comparison. It leaves out later commands."""


class BranchCommand(Struct, frozen=True):
    """A command of one branch, and its result.

    `replays` is the original command, if an amendment repeats it. Otherwise, it is `null`.
    """

    first: int
    last: int
    at: str
    by: str
    lines: tuple[str, ...]
    result: Result
    replays: Annotated[
        int | None,
        Meta(description="Version of the original, if an amendment repeated it as this command"),
    ]


class Comparison(Struct, frozen=True):
    """The commands of two branches after `common`, the last version that both branches share.

    - `a`, `b`: the commands of each branch, at most 500.
    - `end`: the difference between the ends of the branches.
    """

    common: int
    a: Annotated[
        tuple[BranchCommand, ...],
        Meta(description="Commands of branch `a` after the common version"),
    ]
    b: Annotated[
        tuple[BranchCommand, ...],
        Meta(description="Commands of branch `b` after the common version"),
    ]
    end: Annotated[EndsDiff, Meta(description="Differences between the two ends")]


def compare(live: Session, eyes: Eyes, first: int, second: int) -> Comparison:
    """Return the comparison of the branches that lead to two versions, for the GM.

    Raises `Unknown`.
    """
    history = live.history
    left = history.runs_to(history.resolve(first))
    right = history.runs_to(history.resolve(second))
    common = parting(left, right)
    spans = behind(left, common), behind(right, common)
    history.gather((*spans[0], *spans[1]))  # load all missing events at once
    teller = Teller(live, eyes)
    a, b = (tuple(_commands(teller, history.gather(some))) for some in spans)
    return Comparison(common, a, b, ends(live, live.at(first), live.at(second)))


def _commands(teller: Teller, path: Sequence[Recorded]) -> Iterator[BranchCommand]:
    for number, (_, group) in enumerate(groupby(path, key=lambda recorded: recorded.command)):
        if number == MOST:
            return
        events = list(group)
        views = event_views(teller.live, teller.eyes, events)
        lines = teller.lines(teller.story(views), {})
        yield BranchCommand(
            events[0].version,
            events[-1].version,
            events[0].at,
            events[0].actor[1],
            tuple(line.text for line in lines),
            result(teller, views),
            events[0].replays or None,
        )
