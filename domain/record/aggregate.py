"""The combat as an immutable aggregate of the eventsourcing library.

The service and `Repository.get` both load combats with `project`. They therefore have the same
state at each version.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.record.combat import Combat, Id
from domain.record.events import Reverted
from domain.record.evolve import fold
from domain.record.history import History
from domain.record.marks import CombatDeleted, Mark, TextsErased
from domain.record.recorded import Recorded, chain_hash


class CombatAggregate(Struct, frozen=True):
    """A combat at the newest version of its history.

    - `combat`: the current state, without undone events.
    - `digest`: the hash of the newest event, or empty without events.
    - `pending`: the events of the newest decision, which `Application.save` stores.
    """

    id: Id
    combat: Combat
    history: History
    digest: str = ""
    pending: tuple[Recorded, ...] = ()

    @property
    def version(self) -> int:
        """Return the version of the newest event, undone or not."""
        return self.history.version

    def collect_events(self) -> Sequence[Recorded]:
        """Return the events that are not stored yet. Each event has the id of its combat."""
        return [replace(event, combat=self.id) for event in self.pending]

    def decided(
        self, recorded: Sequence[Recorded], combat: Combat, digest: str
    ) -> "CombatAggregate":
        """Return the aggregate after a decision. Its events are pending until they are stored."""
        history = self.history.plus(recorded)
        return CombatAggregate(_id(self.id, recorded), combat, history, digest, tuple(recorded))

    def __deepcopy__(self, memo: dict[int, Any]) -> "CombatAggregate":
        """Return the aggregate itself. It never changes, so a cache need not copy it."""
        return self


NOTHING = CombatAggregate("", Combat(), History())
"""The aggregate of a combat before its opening."""


def _present(history: History, version: int) -> Combat:
    """Return the state at a version, folded from the first event."""
    return fold(recorded.event for recorded in history.path_to(version))


def project(
    before: CombatAggregate | None,
    events: Iterable[Recorded | Mark],
    state_at: Callable[[History, int], Combat] = _present,
) -> CombatAggregate | None:
    """Return the combat after these events, or `before` if there are none.

    `state_at` returns the state at a version of the tree. The function needs it
    for the first events and for undo.
    """
    new = [event for event in events if not isinstance(event, CombatDeleted | TextsErased)]
    if not new:
        return before
    aggregate = NOTHING if before is None else before
    history = aggregate.history.plus(new)
    if before is None or any(isinstance(recorded.event, Reverted) for recorded in new):
        combat = state_at(history, history.head)
    else:
        combat = fold((recorded.event for recorded in new), aggregate.combat)
    return CombatAggregate(_id(aggregate.id, new), combat, history, chain_hash(new[-1]))


def _id(known: Id, events: Sequence[Recorded]) -> Id:
    """Return the combat's id, or read it from the first event."""
    first = events[0] if events else None
    return known or (first.combat or getattr(first.event, "combat", "") if first else "")
