"""Past: the states of a combat's history, folded once and remembered."""

from collections import OrderedDict

from domain.record.combat import Combat
from domain.record.events import AnyEvent
from domain.record.evolve import fold
from domain.record.history import History
from domain.record.recorded import Recorded

REMEMBERED = 256
"""States of command boundaries that are kept, so that undo need not fold."""


class States:
    """States by the event after which they were so. Shared by all that grows from one history.

    What was decided and never stored does no harm here: a state belongs to one recorded event,
    and another event of the same version is another one.
    """

    __slots__ = ("__weakref__", "_states")

    def __init__(self) -> None:
        self._states: OrderedDict[int, tuple[Recorded, Combat]] = OrderedDict()

    def remember(self, recorded: Recorded, combat: Combat) -> None:
        """Keep the state after an event."""
        self._states[recorded.version] = (recorded, combat)
        if len(self._states) > REMEMBERED:
            self._states.popitem(last=False)

    def after(self, history: History, version: int) -> Combat:
        """The state at a version of the tree, folded from the nearest one that is remembered."""
        later: list[AnyEvent] = []
        state = Combat()
        for one in reversed(history.path_to(version)):
            found = self._states.get(one.version)
            if found is not None and found[0] is one:
                state = found[1]
                break
            later.append(one.event)
        return fold(reversed(later), state)
