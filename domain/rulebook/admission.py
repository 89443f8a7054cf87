"""Admission: check that the rulebook could have recorded the events of an import.

The rulebook declares a type for each of these parts of an event:

- options, map and sheets
- data of conditions, and facts
- the inputs of an action that a fact stores

Each combatant and track that an event names must exist. Only imports need this check, because
Affray has recorded all other events itself.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.errors import Unknown
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import (
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    CombatOpened,
    ConditionGained,
    Damaged,
    FactSet,
    Healed,
    InitiativeSet,
    MapSet,
    Reverted,
    TrackChanged,
)
from domain.record.evolve import evolve
from domain.record.recorded import Recorded
from domain.rulebook.ending import ENDING
from domain.rulebook.facts import Fact
from domain.rulebook.input_reader import read
from domain.rulebook.ruleset import Ruleset


class Admission:
    """A check of the events of one combat, in order.

    It stores the combatants after each event, because a branch can continue from any event.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.facts = {
            (isinstance(fact, Fact), fact.name): fact for fact in (*ruleset.facts, ENDING)
        }
        self._joined = [Combat()]

    def check(self, recorded: Recorded) -> None:
        """Check the next event. Raise `ValueError` or `Refused` if it is invalid."""
        event = recorded.event
        joined = self._joined[recorded.parent]
        if isinstance(event, CombatOpened | CombatantJoined | CombatantChanged):
            joined = evolve(joined, event)
        elif isinstance(event, Reverted):
            joined = self._joined[event.to]
        self._joined.append(joined)
        self._check_named(joined, event)
        match event:
            case CombatOpened(options=options, map=map):
                chosen = read(options, self.ruleset.options)
                for fault in self.ruleset.check_options(chosen):
                    raise fault
                self._check_map(map)
            case MapSet(map=map):
                self._check_map(map)
            case CombatantJoined():
                self._check_newcomer(event)
            case CombatantChanged(who=who):
                self._check_stored(joined[who].sheet)
                read(_called(joined[who]), self.ruleset.sheet)
            case ConditionGained(condition=condition, data=data):
                self._check_condition(condition, data)
            case FactSet(who=who, key=key, value=value) if value is not None:
                self._check_fact(who, key, value)
            case _:
                pass

    def _check_named(self, joined: Combat, event: AnyEvent) -> None:
        """Check that the named combatants have joined and have the track that changes."""
        who: Id | None = getattr(event, "who", None)
        if who is not None:
            joined[who]
        if isinstance(event, InitiativeSet):
            for place in event.order:
                joined[place.who]
        if isinstance(event, Damaged | Healed | TrackChanged):
            tracks = joined[event.who].tracks
            if event.track not in tracks:
                raise Unknown("track", event.track, tuple(tracks))

    def _check_map(self, map: Mapping[str, Any] | None) -> None:
        if map is not None:
            read(map, self.ruleset.map)

    def _check_newcomer(self, joined: CombatantJoined) -> None:
        """Raise an error for a sheet that the rulebook refuses, or for missing tracks."""
        sheet = self.ruleset.read_sheet(
            {**joined.sheet, "name": joined.name, "owner": joined.owner, "side": joined.side}
        )
        self._check_stored(joined.sheet)
        pools = self.ruleset.tracks(sheet)
        if missing := pools.keys() - joined.tracks.keys():
            raise ValueError(f"{joined.who} has no {', '.join(sorted(missing))}")

    def _check_stored(self, sheet: Mapping[str, Any]) -> None:
        """Raise an error for a stored sheet that does not fit the rulebook's type."""
        read(sheet, self.ruleset.sheet)

    def _check_condition(self, id: str, data: Mapping[str, Any]) -> None:
        """Raise an error for data that do not fit the condition.

        A suspended condition stores the data of the original condition.
        """
        known = self.ruleset.conditions.get(id)
        held: Any = read(data, self.ruleset.brought if known is None else known.data)
        if {"condition", "data"} <= set(held.__struct_fields__) and held.condition != id:
            self._check_condition(held.condition, held.data)

    def _check_fact(self, who: Id | None, key: str, raw: Any) -> None:
        """Raise an error for a value that does not fit the fact.

        Facts that the rulebook does not declare come from older releases. This check ignores them.
        """
        fact = self.facts.get((who is not None, key))
        if fact is None:
            return
        for action, inputs in _waiting(fact.check(raw)):
            if action not in self.ruleset.actions:
                raise Unknown("action", action, tuple(self.ruleset.actions))
            read(inputs, self.ruleset.actions[action].inputs)


def _called(combatant: Combatant) -> Mapping[str, Any]:
    """Return a combatant's sheet with its current name, owner and side."""
    return {
        **combatant.sheet,
        "name": combatant.name,
        "owner": combatant.owner,
        "side": combatant.side,
    }


def _waiting(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the actions that a fact stores for later, with their inputs.

    Such a fact has a Struct with the fields `action` and `inputs`.
    """
    match value:
        case Struct():
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            if "inputs" in fields and fields.get("action") is not None:
                yield fields["action"], fields["inputs"]
            yield from _waiting(fields)
        case Mapping():
            for part in value.values():
                yield from _waiting(part)
        case list() | tuple():
            for part in value:
                yield from _waiting(part)
        case _:
            pass
