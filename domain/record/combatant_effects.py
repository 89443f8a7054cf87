"""The effect of facts on one combatant: its place, budget, pools and conditions.

The functions are pure and total, like `evolve`, which finds the combatant.
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


def _spent(one: Combatant, event: Spent) -> Combatant:
    left = dict(one.budget)
    for kind, amount in event.what.items():
        left[kind] = left.get(kind, 0) - amount
    return replace(one, budget=left)


def put(facts: Mapping[str, Any], key: str, value: Any) -> Mapping[str, Any]:
    """The facts with another one; None forgets it."""
    if value is None:
        return {name: fact for name, fact in facts.items() if name != key}
    return {**facts, key: value}


def _marker_set(one: Combatant, event: MarkerSet) -> Combatant:
    marker = Marker(event.marker, event.text, event.shown_to)
    return replace(one, markers=(*one.markers, marker))


def _add(one: Combatant, name: str, amount: int) -> Combatant:
    track = one.tracks.get(name, Track(0))
    return _with(one, name, Track(track.value + amount, track.maximum))


def _track_changed(one: Combatant, event: TrackChanged) -> Combatant:
    track = one.tracks.get(event.track, Track(0))
    changed = Track(
        track.value if event.value is None else event.value,
        track.maximum if event.maximum is None else event.maximum,
    )
    return _with(one, event.track, changed)


def _with(one: Combatant, name: str, track: Track) -> Combatant:
    return replace(one, tracks={**one.tracks, name: track})


def _gained(one: Combatant, event: ConditionGained) -> Combatant:
    key = event.key or event.condition
    gained = Condition(event.condition, key, event.data, event.until, event.source, event.rules)
    if any(held.key == key for held in one.conditions):
        held = tuple(gained if held.key == key else held for held in one.conditions)
        return replace(one, conditions=held)
    return replace(one, conditions=(*one.conditions, gained))


def _lost(one: Combatant, event: ConditionLost) -> Combatant:
    held = tuple(
        held
        for held in one.conditions
        if held.id != event.condition or (event.key and held.key != event.key)
    )
    return replace(one, conditions=held)


ON_ONE: Final[Mapping[type[Event], Callable[[Combatant, Any], Combatant]]] = {
    StandingOrdersSet: lambda one, event: replace(one, orders=event.orders),
    Moved: lambda one, event: replace(one, position=event.path[-1] if event.path else None),
    BudgetSet: lambda one, event: replace(one, budget=event.budget),
    Spent: _spent,
    FactSet: lambda one, event: replace(one, facts=put(one.facts, event.key, event.value)),
    MarkerSet: _marker_set,
    MarkerRemoved: lambda one, event: replace(
        one, markers=tuple(held for held in one.markers if held.id != event.marker)
    ),
    Damaged: lambda one, event: _add(one, event.track, -event.amount),
    Healed: lambda one, event: _add(one, event.track, event.amount),
    TrackChanged: _track_changed,
    ConditionGained: _gained,
    ConditionLost: _lost,
}
"""By the event's type."""
