"""History: the tree of a combat's events, and the way through it that is the present.

`Reverted(to=N)` chooses version N as the present; the next event has parent N. The *path* is the
chain of events from the first to the present, without what was undone and without `Reverted`.
"""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Literal

from domain.errors import Unfitting, Unknown
from domain.record.events import CombatBegan, Reverted, RoundBegan, SeedCommitted, TurnBegan
from domain.record.recorded import Recorded


class History:
    """All events of one combat in the order of their versions, and the present path."""

    __slots__ = ("path", "recorded")

    def __init__(self, recorded: Iterable[Recorded] = ()) -> None:
        self.recorded: list[Recorded] = []
        self.path: list[Recorded] = []
        for one in recorded:
            self.append(one)

    @property
    def version(self) -> int:
        """Of the newest event, undone or not; 0 = none."""
        return len(self.recorded)

    @property
    def head(self) -> int:
        """The version whose state is the present."""
        return self.path[-1].version if self.path else 0

    def append(self, recorded: Recorded) -> None:
        """One event more."""
        self.recorded.append(recorded)
        if isinstance(recorded.event, Reverted):
            self.path = self.path_to(recorded.event.to)
        else:
            self.path.append(recorded)

    def forget_after(self, version: int) -> None:
        """Drop the events after `version`, which were never stored."""
        kept = self.recorded[:version]
        present = 0
        if kept:
            last = kept[-1]
            present = last.event.to if isinstance(last.event, Reverted) else last.version
        self.recorded = kept
        self.path = self.path_to(present)

    def resolve(self, version: int) -> int:
        """The version whose state was the present after `version` was recorded."""
        if not 0 < version <= self.version:
            raise Unknown("version", version, (f"1 to {self.version}",))
        event = self.recorded[version - 1].event
        return event.to if isinstance(event, Reverted) else version

    def at_rest(self, version: int) -> int:
        """The version to continue from: the state after the whole command of `version`.

        In the midst of a command a procedure is running; nobody could answer it there.
        """
        self.resolve(version)
        command = self.recorded[version - 1].command
        while version < len(self.recorded) and self.recorded[version].command == command:
            version += 1
        return self.resolve(version)

    def path_to(self, version: int) -> list[Recorded]:
        """The chain of events that leads to the state at `version`."""
        at = bisect_right(self.path, version, key=lambda one: one.version)
        if at and self.path[at - 1].version == version:
            return self.path[:at]
        chain: list[Recorded] = []
        while version:
            one = self.recorded[version - 1]
            chain.append(one)
            version = one.parent
        chain.reverse()
        return chain

    def undo_target(self, over: Literal["command", "turn", "round"]) -> int:
        """The version to go back to: before the last command, or where a turn or round began.

        Raises `Unfitting` nothing-to-undo when only the opening is left.
        """
        if over == "command":
            return self._before_last_command()
        ends = self._ends(self.path)
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
        deed = self._last_deed()
        head = self.path[deed].version if deed >= 0 else 0
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

    def on_path(self, recorded: Recorded) -> bool:
        """Whether an event is part of the present: not undone. `Reverted` itself always is."""
        if isinstance(recorded.event, Reverted):
            return True
        at = bisect_right(self.path, recorded.version, key=lambda one: one.version)
        return at > 0 and self.path[at - 1].version == recorded.version

    def _between(self, after: int, upto: int) -> list[Recorded]:
        low = bisect_right(self.path, after, key=lambda one: one.version)
        high = bisect_right(self.path, upto, key=lambda one: one.version)
        return self.path[low:high]

    @staticmethod
    def _ends(path: list[Recorded]) -> list[int]:
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
