"""tree: the branches of a combat's history, each with its first difference."""

from msgspec import Struct

from domain.engine.live import Live
from domain.record.events import Reverted
from projections.diff import what


class Branch(Struct, frozen=True):
    """A line of events that nothing interrupts but branching.

    `parent` is the version that it continues from, `first` … `last` its own events, `difference`
    what its first command asked for. `present`: it leads to the present.
    """

    parent: int
    first: int
    last: int
    at: str
    difference: str
    present: bool


class Tree(Struct, frozen=True):
    """Every branch, oldest first; `head` is the version whose state is the present."""

    head: int
    branches: tuple[Branch, ...]


def tree(live: Live) -> Tree:
    """The whole history as branches."""
    history = live.history
    children: dict[int, list[int]] = {}
    for one in history.recorded:
        if not isinstance(one.event, Reverted):
            children.setdefault(one.parent, []).append(one.version)
    present = {one.version for one in history.path}
    branches: list[Branch] = []
    starts = [0]
    while starts:
        parent = starts.pop(0)
        for first in children.get(parent, ()):
            last = first
            while len(children.get(last, ())) == 1:
                last = children[last][0]
            begun = history.recorded[first - 1]
            branches.append(Branch(parent, first, last, begun.at, what(begun), first in present))
            if len(children.get(last, ())) > 1:
                starts.append(last)
    return Tree(history.head, tuple(sorted(branches, key=lambda branch: branch.first)))
