"""Eyes: what one audience sees of a combat's events, in a numbering of its own.

A player's first visible event is number 1, whatever happened behind the GM's screen, so that
versions, pages and ETags tell nothing about hidden facts. The GM's numbers are the stream's.

Whether a fact is for a player is decided by who owned which combatant when it was recorded. Going
back over nothing that it could see is nothing to see either.
"""

from bisect import bisect_left, bisect_right

from domain.engine.caller import Caller
from domain.errors import Unknown
from domain.record.events import CombatantChanged, CombatantJoined, Reverted
from domain.record.history import History
from domain.record.recorded import Recorded
from domain.record.shared import Shared


class Eyes:
    """One caller's view of one history. A value: `after` costs only the new events."""

    def __init__(self, history: History, caller: Caller) -> None:
        self.caller = caller
        self._all = caller.role == "gm"
        self._mine = frozenset(caller.combatants if caller.role == "player" else ())
        self._visible = Shared[int]()
        self.history = History()
        self._take_in(history)

    def after(self, history: History) -> "Eyes":
        """The same eyes on a history that has grown."""
        if history is self.history:
            return self
        new = Eyes.__new__(Eyes)
        new.__dict__.update(self.__dict__)
        new._take_in(history)
        return new

    def _take_in(self, history: History) -> None:
        seen = len(self.history.recorded)
        self.history = history
        if self._all:
            return
        visible: list[int] = []
        for one in history.recorded[seen:]:
            self._note_owner(one)
            if one.audience is None or any(who in self._mine for who in one.audience):
                if isinstance(one.event, Reverted):
                    self._visible, visible = self._visible.plus(visible), []
                    if not self._moves(one.parent, one.event.to):
                        continue
                visible.append(one.version)
        self._visible = self._visible.plus(visible)

    def _note_owner(self, one: Recorded) -> None:
        event = one.event
        if self.caller.role != "player" or self.caller.owner is None:
            return
        if isinstance(event, CombatantJoined | CombatantChanged) and event.owner is not None:
            if event.owner == self.caller.owner:
                self._mine |= {event.who}
            elif event.who not in self.caller.combatants:
                self._mine -= {event.who}

    def _moves(self, left: int, right: int) -> bool:
        """Whether anything visible lies between two versions of the tree."""
        recorded = self.history.recorded
        while left != right:
            later = max(left, right)
            if self.sees(later):
                return True
            earlier = recorded[later - 1].parent
            left, right = (earlier, right) if left == later else (left, earlier)
        return False

    @property
    def sequence(self) -> int:
        """How many events this audience sees: its version of the combat."""
        return len(self.history.recorded) if self._all else len(self._visible)

    def to_sequence(self, version: int) -> int:
        """The number of the newest visible event up to a version of the stream."""
        return version if self._all else bisect_right(self._visible, version)

    def to_version(self, sequence: int) -> int:
        """The version of the stream that stands behind a number; raises `Unknown`."""
        if not 0 < sequence <= self.sequence:
            raise Unknown("version", sequence, (f"1 to {self.sequence}",))
        return sequence if self._all else self._visible[sequence - 1]

    def between(self, after: int, limit: int) -> list[Recorded]:
        """The visible events whose numbers follow `after`."""
        recorded = self.history.recorded
        if self._all:
            return recorded[after : after + limit]
        return [recorded[version - 1] for version in self._visible[after : after + limit]]

    def sees(self, version: int) -> bool:
        """Whether an event of the stream is visible."""
        if self._all:
            return True
        at = bisect_left(self._visible, version)
        return at < len(self._visible) and self._visible[at] == version
