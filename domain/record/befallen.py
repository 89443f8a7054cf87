"""What facts do to one combatant: its place, what it has left, its pools and conditions.

Pure and total, as `evolve` is, which finds the combatant.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

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

E = TypeVar("E", bound=Event)
ON_ONE: dict[type[Event], Callable[[Combatant, Any], Combatant]] = {}
"""By the event's type."""


def _on_one(
    kind: type[E],
) -> Callable[[Callable[[Combatant, E], Combatant]], Callable[[Combatant, E], Combatant]]:
    def register(function: Callable[[Combatant, E], Combatant]) -> Any:
        ON_ONE[kind] = function
        return function

    return register


@_on_one(StandingOrdersSet)
def _orders_set(one: Combatant, event: StandingOrdersSet) -> Combatant:
    return replace(one, orders=event.orders)


@_on_one(Moved)
def _moved(one: Combatant, event: Moved) -> Combatant:
    return replace(one, position=event.path[-1] if event.path else None)


@_on_one(BudgetSet)
def _budget_set(one: Combatant, event: BudgetSet) -> Combatant:
    return replace(one, budget=event.budget)


@_on_one(Spent)
def _spent(one: Combatant, event: Spent) -> Combatant:
    left = dict(one.budget)
    for kind, amount in event.what.items():
        left[kind] = left.get(kind, 0) - amount
    return replace(one, budget=left)


@_on_one(FactSet)
def _fact_set(one: Combatant, event: FactSet) -> Combatant:
    return replace(one, facts=put(one.facts, event.key, event.value))


def put(facts: Mapping[str, Any], key: str, value: Any) -> Mapping[str, Any]:
    """The facts with another one; None forgets it."""
    if value is None:
        return {name: fact for name, fact in facts.items() if name != key}
    return {**facts, key: value}


@_on_one(MarkerSet)
def _marker_set(one: Combatant, event: MarkerSet) -> Combatant:
    marker = Marker(event.marker, event.text, event.shown_to)
    return replace(one, markers=(*one.markers, marker))


@_on_one(MarkerRemoved)
def _marker_removed(one: Combatant, event: MarkerRemoved) -> Combatant:
    return replace(one, markers=tuple(held for held in one.markers if held.id != event.marker))


# ---- harm


@_on_one(Damaged)
def _damaged(one: Combatant, event: Damaged) -> Combatant:
    return _add(one, event.track, -event.amount)


@_on_one(Healed)
def _healed(one: Combatant, event: Healed) -> Combatant:
    return _add(one, event.track, event.amount)


def _add(one: Combatant, name: str, amount: int) -> Combatant:
    track = one.tracks.get(name, Track(0))
    return _with(one, name, Track(track.value + amount, track.maximum))


@_on_one(TrackChanged)
def _track_changed(one: Combatant, event: TrackChanged) -> Combatant:
    track = one.tracks.get(event.track, Track(0))
    changed = Track(
        track.value if event.value is None else event.value,
        track.maximum if event.maximum is None else event.maximum,
    )
    return _with(one, event.track, changed)


def _with(one: Combatant, name: str, track: Track) -> Combatant:
    return replace(one, tracks={**one.tracks, name: track})


@_on_one(ConditionGained)
def _gained(one: Combatant, event: ConditionGained) -> Combatant:
    key = event.key or event.condition
    gained = Condition(event.condition, key, event.data, event.until, event.source, event.rules)
    if any(held.key == key for held in one.conditions):
        held = tuple(gained if held.key == key else held for held in one.conditions)
        return replace(one, conditions=held)
    return replace(one, conditions=(*one.conditions, gained))


@_on_one(ConditionLost)
def _lost(one: Combatant, event: ConditionLost) -> Combatant:
    held = tuple(
        held
        for held in one.conditions
        if held.id != event.condition or (event.key and held.key != event.key)
    )
    return replace(one, conditions=held)
