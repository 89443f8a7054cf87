"""Facts: values that a ruleset stores in addition to the generic state.

A ruleset declares each fact once, with its name, type, lifetime and readers. Other code uses the
declaration and never the name. `durations.expire` deletes facts when their lifetime ends.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

import msgspec

from domain.record.combat import Combat, Combatant, Id, typed
from domain.record.events import FactSet
from domain.record.readers import Knowers

T = TypeVar("T")
Holder = TypeVar("Holder", Combatant, Combat)

_PLAIN = (int, str, bool, float)


@dataclass(frozen=True)
class _Declared(Generic[T, Holder]):
    """A declared fact. If `until` is set, the fact is deleted at this moment.

    `holds` is a stricter type for a fact whose `kind` is any JSON. Imports must match it.
    """

    name: str
    kind: Any
    default: T
    until: str | None = field(default=None, kw_only=True)
    known_to: Knowers = field(default="gm", kw_only=True)
    holds: Any = field(default=None, kw_only=True)
    about: str = field(kw_only=True)

    def of(self, holder: Holder) -> T:
        """Return the stored value, or the default."""
        raw = holder.facts.get(self.name)
        if raw is None:
            return self.default
        return cast(T, raw if isinstance(raw, _PLAIN) else typed(raw, self.kind))

    def check(self, raw: object) -> object:
        """Return `raw` as a value of this fact. Raise `ValueError` for another type."""
        if self.holds is not None:
            msgspec.convert(raw, self.holds)
        return msgspec.convert(raw, self.kind)

    def known(self, holder: Holder) -> bool:
        """Return true if a value is stored."""
        return self.name in holder.facts

    def _event(self, who: Id | None, value: T | None, rules: tuple[str, ...]) -> FactSet:
        return FactSet(who, self.name, msgspec.to_builtins(value), rules=rules)


class Fact(_Declared[T, Combatant]):
    """A value stored for one combatant."""

    def set(self, who: Id, value: T, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Return the event that stores a value."""
        return self._event(who, value, rules)

    def clear(self, who: Id, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Return the event that deletes the value."""
        return self._event(who, None, rules)

    def lapse(self, combatant: Combatant, *, rules: tuple[str, ...]) -> Iterator[FactSet]:
        """Yield the event that deletes the value, if the combatant has one."""
        if self.known(combatant):
            yield self.clear(combatant.id, rules=rules)


class CombatFact(_Declared[T, Combat]):
    """A value stored for the combat."""

    def set(self, value: T, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Return the event that stores a value."""
        return self._event(None, value, rules)

    def clear(self, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Return the event that deletes the value."""
        return self._event(None, None, rules)


fact = Fact
"""Declare a fact about combatants. `kind` is a type that msgspec can convert."""

combat_fact = CombatFact
"""Declare a fact about the combat."""


def declared(names: Mapping[str, object]) -> tuple[Fact[Any] | CombatFact[Any], ...]:
    """Return every fact of a module (its `globals()`), in the order of declaration.

    Facts that expire at the same moment are deleted in this order.
    """
    return tuple(name for name in names.values() if isinstance(name, Fact | CombatFact))
