"""Moments: what was so when each event was recorded, for telling it later as it was then.

Who was hidden, whose everybody was and on which side, how somebody looked after a blow. Grows with
the history; costs one fold of it.
"""

from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from domain.engine.caller import Caller
from domain.engine.live import Live
from domain.engine.past import States
from domain.record.combat import Combat, Id
from domain.record.events import (
    CombatantChanged,
    CombatantJoined,
    CombatantLeft,
    Damaged,
    Healed,
    Prompted,
    Reverted,
    TrackChanged,
)
from domain.record.evolve import evolve
from domain.record.recorded import Recorded

_MOMENTS: "WeakKeyDictionary[States, Moments]" = WeakKeyDictionary()


def moments(live: Live) -> "Moments":
    """Those of a combat, up to date; all that has grown from one history shares them."""
    found = _MOMENTS.get(live.states)
    if found is None:
        found = _MOMENTS[live.states] = Moments()
    return found.refresh(live)


class Cast(Struct, frozen=True):
    """Everybody who was in the combat: name, side, owner, and who was hidden."""

    names: Mapping[Id, str] = {}
    sides: Mapping[Id, str] = {}
    owners: Mapping[Id, str | None] = {}
    hidden: frozenset[Id] = frozenset()

    def plays(self, caller: Caller, who: Id) -> bool:
        """Whether `caller` played `who`."""
        return caller.plays_of(who, self.owners.get(who))

    def unspoken(self, caller: Caller) -> frozenset[str]:
        """The ids, names and sides that `caller` could not know."""
        unseen = [who for who in self.hidden if not self.plays(caller, who)]
        if not unseen or caller.role == "gm":
            return frozenset()
        words = {who: (who, self.names[who], side) for who, side in self.sides.items()}
        said = {word for who in words if who not in unseen for word in words[who]}
        return frozenset(word for who in unseen for word in words[who]) - said

    def allied(self, caller: Caller) -> frozenset[str]:
        """The sides of those whom `caller` played."""
        return frozenset(side for who, side in self.sides.items() if self.plays(caller, who))


class Points(Struct, frozen=True):
    """A pool before and after an event, its maximum, and the word for how its owner looks."""

    before: int | None
    after: int
    maximum: int | None
    wound: str


class Moments:
    """What was so at each version of one combat's stream."""

    def __init__(self) -> None:
        self._taken: list[Recorded] = []
        self._casts: list[Cast] = []
        self._points: dict[int, Points] = {}
        self._questions: dict[str, str] = {}
        self._combat = Combat()
        self._head = 0

    def refresh(self, live: Live) -> "Moments":
        """Take in the events that are new, in place of those that were never stored."""
        recorded = live.history.recorded
        known = len(self._taken)
        if known > len(recorded) or (known and recorded[known - 1] is not self._taken[-1]):
            known = self._common(recorded)
            for version in range(known + 1, len(self._taken) + 1):
                self._points.pop(version, None)
            del self._taken[known:], self._casts[known:]
            self._head = -1  # the state is found again when it is needed
        for one in recorded[known:]:
            self._take(live, one)
        return self

    def _common(self, recorded: Sequence[Recorded]) -> int:
        """How many events both have."""
        low, high = 0, min(len(recorded), len(self._taken))
        while low < high:
            middle = (low + high + 1) // 2
            if recorded[middle - 1] is self._taken[middle - 1]:
                low = middle
            else:
                high = middle - 1
        return low

    def cast(self, version: int) -> Cast:
        """Who was there when the event was recorded, itself included."""
        return self._casts[version - 1]

    def points(self, version: int) -> Points | None:
        """The pool that the event changed."""
        return self._points.get(version)

    def question(self, prompt: str) -> str:
        """The text of a prompt, by its id."""
        return self._questions.get(prompt, "")

    def _take(self, live: Live, one: Recorded) -> None:
        event = one.event
        if one.parent != self._head:
            self._combat = live.state(one.parent)
        before = self._combat
        self._taken.append(one)
        if isinstance(event, Prompted):
            self._questions[event.prompt] = event.text
        if isinstance(event, Reverted):
            self._combat, self._head = live.state(event.to), event.to
            self._casts.append(_cast(self._combat))
            return
        after = self._combat = evolve(before, event)
        self._head = one.version
        changed = isinstance(event, CombatantJoined | CombatantChanged | CombatantLeft)
        self._casts.append(self._casts[-1] if self._casts and not changed else _cast(after))
        if isinstance(event, Damaged | Healed | TrackChanged) and event.who in after.combatants:
            was = before.combatants[event.who].tracks.get(event.track)
            now = after.combatants[event.who].tracks[event.track]
            was_at = None if was is None else was.value
            wound = live.ruleset.wound(after, event.who)
            self._points[one.version] = Points(was_at, now.value, now.maximum, wound)


def _cast(combat: Combat) -> Cast:
    everybody = combat.combatants.values()
    return Cast(
        {one.id: one.name for one in everybody},
        {one.id: one.side for one in everybody},
        {one.id: one.owner for one in everybody},
        frozenset(one.id for one in everybody if one.hidden),
    )
