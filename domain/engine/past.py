"""Past: the states of a combat's history, folded once and remembered."""

from collections import OrderedDict
from collections.abc import Sequence

from domain.record.combat import Combat
from domain.record.events import AnyEvent
from domain.record.evolve import evolve, fold
from domain.record.history import History
from domain.record.recorded import Recorded

REMEMBERED = 256
"""States of command boundaries that are kept, so that undo need not fold."""

MARK = 256
"""Events between two states that are kept for good, so that no way back is longer."""


class States:
    """States by the event after which they were so. Shared by all that grows from one history.

    What was decided and never stored does no harm here: a state belongs to one recorded event,
    and another event of the same version is another one.
    """

    __slots__ = ("__weakref__", "_marks", "_states")

    def __init__(self) -> None:
        self._states: OrderedDict[int, tuple[Recorded, Combat]] = OrderedDict()
        self._marks: dict[int, tuple[Recorded, Combat]] = {}

    def remember(self, recorded: Recorded, combat: Combat) -> None:
        """Keep the state after an event."""
        self._states[recorded.version] = (recorded, combat)
        if len(self._states) > REMEMBERED:
            self._states.popitem(last=False)
        if recorded.version >= next(reversed(self._marks), 0) + MARK:
            self._marks[recorded.version] = (recorded, combat)

    def fold(self, path: Sequence[Recorded]) -> Combat:
        """The state at the end of a path from the beginning, with marks on the way."""
        state = Combat()
        for number, one in enumerate(path, 1):
            state = evolve(state, one.event)
            if number % MARK == 0:
                self._marks[one.version] = (one, state)
        return state

    def after(self, history: History, version: int) -> Combat:
        """The state at a version of the tree, folded from the nearest one that is remembered."""
        later: list[AnyEvent] = []
        state = Combat()
        while version:
            one = history.recorded[version - 1]
            found = self._states.get(version) or self._marks.get(version)
            if found is not None and found[0] is one:
                state = found[1]
                break
            later.append(one.event)
            version = one.parent
        return fold(reversed(later), state)
