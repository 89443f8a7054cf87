"""A combat as the eventsourcing library's Repository gives it: an immutable aggregate.

`repository.get(id, version=…, projector_func=project)` is the state that was the present once that
version had been recorded: the same that the service shows.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from domain.record.combat import Combat, Id
from domain.record.events import Reverted
from domain.record.evolve import fold
from domain.record.history import History
from domain.record.marks import CombatDeleted, Mark, TextsErased
from domain.record.recorded import Recorded


class CombatAt(Struct, frozen=True):
    """A combat at a version, with the history that it may go back into."""

    id: Id
    version: int
    combat: Combat
    history: History

    def __deepcopy__(self, memo: dict[int, Any]) -> "CombatAt":
        """Itself: it never changes, so that a cache need not copy it."""
        return self


def project(before: CombatAt | None, events: Iterable[Recorded | Mark]) -> CombatAt | None:
    """Return the combat after these events, or None if it has no events."""
    new = [one for one in events if not isinstance(one, CombatDeleted | TextsErased)]
    if not new:
        return before
    history = History(new) if before is None else before.history.plus(new)
    if before is None or any(isinstance(one.event, Reverted) for one in new):
        state = fold(one.event for one in history.path)
    else:
        state = fold((one.event for one in new), before.combat)
    return CombatAt(new[-1].combat, history.version, state, history)
