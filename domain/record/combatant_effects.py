"""The folds of events that change one combatant. `evolve` calls them.

The functions are pure, and accept every event of their type.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.record.combat import Combatant, Condition, Marker, Track
from domain.record.events import (
    BudgetSet,
    ConditionGained,
    ConditionLost,
    Damaged,
    Event,
    FactSet,
    Healed,
    MarkerRemoved,
    MarkerSet,
    Moved,
    Spent,
    StandingOrdersSet,
    TrackChanged,
)


def _spent(combatant: Combatant, event: Spent) -> Combatant:
    left = dict(combatant.budget)
    for kind, amount in event.what.items():
        left[kind] = left.get(kind, 0) - amount
    return replace(combatant, budget=left)


def put(facts: Mapping[str, Any], key: str, value: Any) -> Mapping[str, Any]:
    """Return the facts with a new value for one fact, or without it if `value` is `None`."""
    if value is None:
        return {name: fact for name, fact in facts.items() if name != key}
    return {**facts, key: value}


def _marker_set(combatant: Combatant, event: MarkerSet) -> Combatant:
    marker = Marker(event.marker, event.text, event.shown_to)
    return replace(combatant, markers=(*combatant.markers, marker))


def _add(combatant: Combatant, name: str, amount: int) -> Combatant:
    track = combatant.tracks.get(name, Track(0))
    return _with(combatant, name, Track(track.value + amount, track.maximum))


def _track_changed(combatant: Combatant, event: TrackChanged) -> Combatant:
    track = combatant.tracks.get(event.track, Track(0))
    changed = Track(
        track.value if event.value is None else event.value,
        track.maximum if event.maximum is None else event.maximum,
    )
    return _with(combatant, event.track, changed)


def _with(combatant: Combatant, name: str, track: Track) -> Combatant:
    return replace(combatant, tracks={**combatant.tracks, name: track})


def _gained(combatant: Combatant, event: ConditionGained) -> Combatant:
    key = event.key or event.condition
    gained = Condition(event.condition, key, event.data, event.until, event.source, event.rules)
    if any(held.key == key for held in combatant.conditions):
        held = tuple(gained if held.key == key else held for held in combatant.conditions)
        return replace(combatant, conditions=held)
    return replace(combatant, conditions=(*combatant.conditions, gained))


def _lost(combatant: Combatant, event: ConditionLost) -> Combatant:
    held = tuple(
        held
        for held in combatant.conditions
        if held.id != event.condition or (event.key and held.key != event.key)
    )
    return replace(combatant, conditions=held)


ON_ONE: Final[Mapping[type[Event], Callable[[Combatant, Any], Combatant]]] = {
    StandingOrdersSet: lambda combatant, event: replace(combatant, orders=event.orders),
    Moved: lambda combatant, event: replace(
        combatant, position=event.path[-1] if event.path else None
    ),
    BudgetSet: lambda combatant, event: replace(combatant, budget=event.budget),
    Spent: _spent,
    FactSet: lambda combatant, event: replace(
        combatant, facts=put(combatant.facts, event.key, event.value)
    ),
    MarkerSet: _marker_set,
    MarkerRemoved: lambda combatant, event: replace(
        combatant, markers=tuple(held for held in combatant.markers if held.id != event.marker)
    ),
    Damaged: lambda combatant, event: _add(combatant, event.track, -event.amount),
    Healed: lambda combatant, event: _add(combatant, event.track, event.amount),
    TrackChanged: _track_changed,
    ConditionGained: _gained,
    ConditionLost: _lost,
}
"""The fold of each type of event that changes one combatant."""
