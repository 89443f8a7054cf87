"""Moments: the facts at each event that its sentence needs later.

These facts are hidden combatants, owners, sides, and wounds after a blow. `Moments` records them
for new events in memory. For older events, it computes them page by page.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from domain.engine.archive import States
from domain.engine.caller import Caller
from domain.engine.redaction import NOTHING, Unspoken, unspoken_of
from domain.engine.session import Session
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import (
    ActionDeclared,
    Answered,
    CombatantChanged,
    CombatantJoined,
    CombatantLeft,
    Damaged,
    Healed,
    PromptChanged,
    Prompted,
    Reverted,
    Stopped,
    TrackChanged,
    TurnBegan,
)
from domain.record.evolve import evolve
from domain.record.recorded import Recorded

PAGES = 4
"""The number of pages of old events whose moments stay in the cache."""

_KEPT: "WeakKeyDictionary[States, _Kept]" = WeakKeyDictionary()


def moments(live: Session) -> "Moments":
    """Return the moments of a combat. All states that grew from one history share them."""
    kept = _KEPT.get(live.states)
    if kept is None:
        kept = _KEPT[live.states] = _Kept()
    return Moments(live, kept)


class Cast(Struct, frozen=True):
    """The names, sides and owners of all combatants at one moment, and the hidden combatants."""

    names: Mapping[Id, str] = {}
    sides: Mapping[Id, str] = {}
    owners: Mapping[Id, str | None] = {}
    hidden: frozenset[Id] = frozenset()

    def plays(self, caller: Caller, who: Id) -> bool:
        """Return true if `caller` played `who`."""
        return caller.plays_of(who, self.owners.get(who))

    def unspoken(self, caller: Caller) -> Unspoken:
        """Return the ids, names and sides that `caller` could not know."""
        unseen = [who for who in self.hidden if not self.plays(caller, who)]
        if not unseen:
            return NOTHING
        hidden: list[str] = []
        known: list[str] = []
        for who, side in self.sides.items():
            (hidden if who in unseen else known).extend((who, self.names[who], side))
        return unspoken_of(hidden, known)

    def allied(self, caller: Caller) -> frozenset[str]:
        """Return the sides of the combatants that `caller` played."""
        return frozenset(side for who, side in self.sides.items() if self.plays(caller, who))


class Points(Struct, frozen=True):
    """A pool before and after an event, its maximum, and the words for the combatant's wounds.

    `looked` is the word before the event, and `wound` is the word after it.
    """

    before: int | None
    after: int
    maximum: int | None
    wound: str
    looked: str


class _Kept:
    """The moments of one history: of its newest events and a few old pages."""

    def __init__(self) -> None:
        self.newest = _Stretch(0)
        self.older: OrderedDict[int, _Stretch] = OrderedDict()
        self.things: dict[Id, tuple[Mapping[str, Json], Mapping[Id, str]]] = {}


class Moments:
    """The facts at each version of one combat's stream."""

    def __init__(self, live: Session, kept: _Kept) -> None:
        """Read the new events of `live`, and discard cached events that were never stored."""
        self._live, self._kept = live, kept
        if kept.newest.after != live.history.left:
            kept.newest = _Stretch(live.history.left)
        kept.newest.refresh(live)

    def cast(self, version: int) -> Cast:
        """Return the combatants at the event, itself included."""
        return self._of(version).cast(version)

    def points(self, version: int) -> Points | None:
        """Return the pool that the event changed."""
        return self._of(version).points.get(version)

    def things(self, combatant: Combatant) -> Mapping[Id, str]:
        """Return the names of the things on a combatant's sheet, by the ids of these things."""
        sheet = combatant.sheet
        kept = self._kept.things.get(combatant.id)
        if kept is None or kept[0] is not sheet:
            kept = self._kept.things[combatant.id] = sheet, dict(_named(sheet))
        return kept[1]

    def changes(self, version: int) -> bool:
        """Return true if the event changes an earlier answer."""
        return version in self._of(version).changes

    def shown(self, version: int) -> Mapping[str, Json]:
        """Return the side, square and conditions of a combatant that the event makes visible."""
        return self._of(version).shown.get(version, {})

    def is_out(self, version: int) -> bool:
        """Return true if `who` of a `turn-began` or `stopped` is out of the fight."""
        return version in self._of(version).out

    def omitted(self, version: int) -> Mapping[str, Json]:
        """Return the inputs that the caller omitted and the rules supplied."""
        return self._of(version).omitted.get(version, {})

    def question(self, prompt: str) -> tuple[str, str, Mapping[str, Json]]:
        """Return the name, the text and the data of a prompt, by its id."""
        question = self._kept.newest.questions.get(prompt)
        if question is not None:
            return question
        asked = self._live.history.asked(prompt)
        if asked is None or not isinstance(asked.event, Prompted):
            return "", "", {}
        return asked.event.name, asked.event.text, asked.event.data

    def _of(self, version: int) -> "_Stretch":
        if version > self._kept.newest.after:
            return self._kept.newest
        page = self._live.history.page_of(version)
        stretch = self._kept.older.get(page.first)
        if stretch is None:
            ((_, events),) = self._live.history.leaves([page])
            stretch = _Stretch(page.first - 1)
            stretch.take(self._live, events)
            stretch.taken.clear()  # the history decides which events stay in memory
            self._kept.older[page.first] = stretch
            if len(self._kept.older) > PAGES:
                self._kept.older.popitem(last=False)
        return stretch


class _Stretch:
    """The facts for a stretch of events, which begins after the version `after`."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.taken: list[Recorded] = []
        self._tail: Sequence[Recorded] | None = None  # `taken` contains all these events
        self.points: dict[int, Points] = {}
        self.questions: dict[str, tuple[str, str, Mapping[str, Json]]] = {}
        self.changes: set[int] = set()
        self.out: set[int] = set()
        self.shown: dict[int, Mapping[str, Json]] = {}
        self.omitted: dict[int, Mapping[str, Json]] = {}
        self._casts: list[Cast] = []
        self._combat = Combat()
        self._head = 0 if after == 0 else -1  # the state is loaded when it is needed

    def refresh(self, live: Session) -> None:
        """Add the new events in memory, and remove events that were never stored."""
        recorded = live.history.tail
        if recorded is self._tail:
            return
        self._tail = None  # a missing page may stop this
        known = len(self.taken)
        if known > len(recorded) or (known and recorded[known - 1] is not self.taken[-1]):
            known = self._common(recorded)
            for event in self.taken[known:]:
                self.points.pop(event.version, None)
                self.changes.discard(event.version)
                self.out.discard(event.version)
                self.shown.pop(event.version, None)
                self.omitted.pop(event.version, None)
            del self.taken[known:], self._casts[known:]
            self._head = -1
        self.take(live, recorded[known:])
        self._tail = recorded

    def take(self, live: Session, events: Sequence[Recorded]) -> None:
        """Record the facts of these events."""
        for recorded in events:
            self._take(live, recorded)

    def _common(self, recorded: Sequence[Recorded]) -> int:
        """Return the number of first events that `recorded` and `taken` share."""
        low, high = 0, min(len(recorded), len(self.taken))
        while low < high:
            middle = (low + high + 1) // 2
            if recorded[middle - 1] is self.taken[middle - 1]:
                low = middle
            else:
                high = middle - 1
        return low

    def cast(self, version: int) -> Cast:
        return self._casts[version - self.after - 1]

    def _take(self, live: Session, recorded: Recorded) -> None:
        event = recorded.event
        if recorded.parent != self._head:
            self._combat, self._head = live.state(recorded.parent), recorded.parent
        before = after = self._combat
        head = recorded.version
        if isinstance(event, Reverted):
            after, head = live.state(event.to), event.to
        else:
            after = evolve(before, event)
        changed = isinstance(event, CombatantJoined | CombatantChanged | CombatantLeft | Reverted)
        cast = self._casts[-1] if self._casts and not changed else _cast(after)
        # All events are now in memory, so the following steps cannot fail.
        self._combat, self._head = after, head
        self.taken.append(recorded)
        self._casts.append(cast)
        if isinstance(event, Prompted):
            self.questions[event.prompt] = (event.name, event.text, event.data)
        if isinstance(event, PromptChanged) and event.prompt in self.questions:
            name = self.questions[event.prompt][0]
            self.questions[event.prompt] = (name, event.text, event.data)
        if isinstance(event, ActionDeclared | Answered):
            asked = before.prompts.get(event.prompt or "")
            if asked is not None:
                self.questions.setdefault(asked.id, (asked.name, asked.text, asked.data))
                if asked.answer is not None:
                    self.changes.add(recorded.version)
            option = event.action if isinstance(event, ActionDeclared) else event.option
            if event.who is not None and event.who in before.combatants:
                omitted = live.ruleset.omitted(before, event.who, asked, option, event.inputs)
                if omitted:
                    self.omitted[recorded.version] = omitted
        if isinstance(event, TurnBegan | Stopped) and not live.ruleset.in_fight(after, event.who):
            self.out.add(recorded.version)
        if isinstance(event, CombatantChanged) and event.hidden is False:
            there = after.combatants[event.who]
            if before.combatants[event.who].hidden:
                self.shown[recorded.version] = {
                    "from_side": there.side,
                    "position": there.position,
                    "conditions": tuple(dict.fromkeys(held.id for held in there.conditions)),
                }
        if isinstance(event, Damaged | Healed | TrackChanged) and event.who in after.combatants:
            was = before.combatants[event.who].tracks.get(event.track)
            now = after.combatants[event.who].tracks[event.track]
            was_at = None if was is None else was.value
            wound = live.ruleset.wound(after, event.who)
            looked = live.ruleset.wound(before, event.who)
            self.points[recorded.version] = Points(was_at, now.value, now.maximum, wound, looked)


def _cast(combat: Combat) -> Cast:
    everybody = combat.combatants.values()
    return Cast(
        {combatant.id: combatant.name for combatant in everybody},
        {combatant.id: combatant.side for combatant in everybody},
        {combatant.id: combatant.owner for combatant in everybody},
        frozenset(combatant.id for combatant in everybody if combatant.hidden),
    )


def _named(value: Json) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of each named thing on a sheet."""
    match value:
        case {"id": str(id), "name": str(name)} if name:
            yield id, name
        case _:
            pass
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(parts, str | None) or not hasattr(parts, "__iter__"):
        return
    for part in parts:
        yield from _named(part)
