"""History: the tree of a combat's events, and the way through it that is the present.

`Reverted(to=N)` chooses version N as the present; the next event has parent N. The *path* is the
chain of events from the first to the present, without what was undone and without `Reverted`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal

from domain.errors import Unfitting, Unknown
from domain.record.events import (
    AnyEvent,
    CombatBegan,
    Reverted,
    RoundBegan,
    SeedCommitted,
    TurnBegan,
)
from domain.record.recorded import Recorded
from domain.record.shared import Shared


def _version(one: Recorded) -> int:
    return one.version


class History:
    """All events of one combat in the order of their versions, and the present path. A value."""

    __slots__ = ("path", "recorded")

    def __init__(self, recorded: Iterable[Recorded] = ()) -> None:
        self.recorded = Shared[Recorded]()
        self.path = Shared[Recorded]()
        events = list(recorded)
        start = 0
        for index, one in enumerate(events):
            if isinstance(one.event, Reverted):
                self._extend(events[start : index + 1])
                start = index + 1
        self._extend(events[start:])

    @property
    def version(self) -> int:
        """Of the newest event, undone or not; 0 = none."""
        return len(self.recorded)

    @property
    def head(self) -> int:
        """The version from which the next event continues."""
        return self.path[-1].version if len(self.path) else 0

    @property
    def present(self) -> int:
        """The newest version on the path but dice that an undo has replaced."""
        deed = self._last_deed()
        return self.path[deed].version if deed >= 0 else 0

    def plus(self, recorded: Sequence[Recorded]) -> "History":
        """With these events behind; this history stays as it is."""
        new = History.__new__(History)
        new.recorded, new.path = self.recorded, self.path
        start = 0
        for index, one in enumerate(recorded):
            if isinstance(one.event, Reverted):
                new._extend(recorded[start : index + 1])
                start = index + 1
        new._extend(recorded[start:])
        return new

    def at(self, version: int) -> "History":
        """As if this version were the present; nothing else is forgotten."""
        new = History.__new__(History)
        new.recorded, new.path = self.recorded, self.path_to(version)
        return new

    def _extend(self, recorded: Sequence[Recorded]) -> None:
        """Take in events of which at most the last one is a `Reverted`."""
        if not recorded:
            return
        self.recorded = self.recorded.plus(recorded)
        last = recorded[-1].event
        if isinstance(last, Reverted):
            self.path = self.path.plus(recorded[:-1])
            self.path = self.path_to(last.to)
        else:
            self.path = self.path.plus(recorded)

    def resolve(self, version: int) -> int:
        """The version whose state was the present after `version` was recorded."""
        if not 0 < version <= self.version:
            raise Unknown("version", version, (f"1 to {self.version}",))
        event = self.recorded[version - 1].event
        return event.to if isinstance(event, Reverted) else version

    def told(self, version: int) -> AnyEvent | None:
        """What this version of the present path recorded; None = it is not on it."""
        at = bisect_right(self.path, version, key=_version)
        one = self.path[at - 1] if at else None
        return one.event if one is not None and one.version == version else None

    def at_rest(self, version: int) -> int:
        """The version to continue from: the state after the whole command of `version`.

        In the midst of a command a procedure is running; nobody could answer it there.
        """
        self.resolve(version)
        command = self.recorded[version - 1].command
        while version < len(self.recorded) and self.recorded[version].command == command:
            version += 1
        return self.resolve(version)

    def path_to(self, version: int) -> Shared[Recorded]:
        """The chain of events that leads to the state at `version`."""
        at = bisect_right(self.path, version, key=_version)
        if at and self.path[at - 1].version == version:
            return self.path.upto(at)
        chain: list[Recorded] = []
        while version:
            one = self.recorded[version - 1]
            chain.append(one)
            version = one.parent
        chain.reverse()
        return Shared(chain)

    def undo_target(self, over: Literal["command", "turn", "round"]) -> int:
        """The version to go back to: before the last command, or where a turn or round began.

        Raises `Unfitting` nothing-to-undo when only the opening is left.
        """
        if over == "command":
            return self._before_last_command()
        ends = self._ends(self.path.upto(self._last_deed() + 1))
        started = {"turn": (TurnBegan, CombatBegan), "round": (RoundBegan, CombatBegan)}
        for index in range(len(ends) - 2, -1, -1):
            first = ends[index - 1] if index else 0
            group = self._between(first, ends[index])
            if any(isinstance(one.event, started[over]) for one in group):
                return ends[index]
        if len(ends) > 1:
            return ends[0]
        raise Unfitting("nothing-to-undo", "the combat has only been opened: nothing to undo")

    def _before_last_command(self) -> int:
        index = self._last_deed()
        command = self.path[index].command if index >= 0 else ""
        while index >= 0 and self.path[index].command == command:
            index -= 1
        if index < 0:
            raise Unfitting("nothing-to-undo", "the combat has only been opened: nothing to undo")
        return self.path[index].version

    def _last_deed(self) -> int:
        """The index on the path of the newest event but dice that an undo has replaced."""
        index = len(self.path) - 1
        while index >= 0 and isinstance(self.path[index].event, SeedCommitted):
            index -= 1
        return index

    def redo_target(self) -> int:
        """One command forward on the branch from here that was left last.

        Raises `Unfitting` nothing-to-redo when nothing was undone from here.
        """
        chain = self._abandoned()
        if not chain:
            raise Unfitting("nothing-to-redo", "nothing was undone from here")
        return self._ends(chain)[0]

    def _abandoned(self) -> list[Recorded]:
        """The events after the present on the branch through here that was left last."""
        head = self.present
        for one in reversed(self.recorded):
            if not isinstance(one.event, Reverted):
                continue
            chain: list[Recorded] = []
            version = one.parent  # the present when it was left
            while version > head:
                chain.append(self.recorded[version - 1])
                version = chain[-1].parent
            chain.reverse()
            while chain and isinstance(chain[0].event, SeedCommitted):
                chain.pop(0)
            if chain and version == head:
                return chain
        return []

    def since(self, version: int) -> list[Recorded]:
        """The events of the present path after a version, in order."""
        return self.path[bisect_right(self.path, version, key=_version) :]

    def on_path(self, recorded: Recorded) -> bool:
        """Whether an event is part of the present: not undone. `Reverted` itself always is."""
        if isinstance(recorded.event, Reverted):
            return True
        at = bisect_right(self.path, recorded.version, key=_version)
        return at > 0 and self.path[at - 1].version == recorded.version

    def _between(self, after: int, upto: int) -> list[Recorded]:
        low = bisect_right(self.path, after, key=_version)
        high = bisect_right(self.path, upto, key=_version)
        return self.path[low:high]

    @staticmethod
    def _ends(path: Iterable[Recorded]) -> list[int]:
        """The last version of each command on the path."""
        ends: list[int] = []
        command = ""
        for one in path:
            if one.command == command and ends:
                ends[-1] = one.version
            else:
                ends.append(one.version)
                command = one.command
        return ends
