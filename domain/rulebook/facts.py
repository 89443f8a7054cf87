"""Facts: what a ruleset remembers beyond the words of the state, declared once.

A declaration has the fact's name, type, lifetime, and who may know it; nobody spells the name
again. Facts with a lifetime are cleared by `until.expire`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

import msgspec

from domain.record.combat import Combat, Combatant, Id, typed
from domain.record.events import FactSet
from domain.record.known import Knowers

T = TypeVar("T")

_PLAIN = (int, str, bool, float)


@dataclass(frozen=True)
class _Declared(Generic[T]):
    name: str
    kind: Any
    default: T
    until: str | None = field(default=None, kw_only=True)
    known_to: Knowers = field(default="gm", kw_only=True)
    about: str = field(kw_only=True)

    def _read(self, raw: Any) -> T:
        if isinstance(raw, _PLAIN):
            return cast(T, raw)
        return cast(T, typed(raw, self.kind))

    def _event(self, who: Id | None, value: T | None, rules: tuple[str, ...]) -> FactSet:
        return FactSet(who, self.name, msgspec.to_builtins(value), rules=rules)


@dataclass(frozen=True)
class Fact(_Declared[T]):
    """Something about one combatant. `until` names the moment at which it is forgotten."""

    def of(self, who: Combatant) -> T:
        """What is remembered, or the default."""
        raw = who.facts.get(self.name)
        return self.default if raw is None else self._read(raw)

    def known(self, who: Combatant) -> bool:
        """Whether anything is remembered."""
        return self.name in who.facts

    def set(self, who: Id, value: T, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Remember it."""
        return self._event(who, value, rules)

    def clear(self, who: Id, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Forget it."""
        return self._event(who, None, rules)

    def lapse(self, one: Combatant, *, rules: tuple[str, ...]) -> Iterator[FactSet]:
        """Forget it, if anything is remembered."""
        if self.known(one):
            yield self.clear(one.id, rules=rules)


@dataclass(frozen=True)
class CombatFact(_Declared[T]):
    """Something about the whole combat."""

    def of(self, combat: Combat) -> T:
        """What is remembered, or the default."""
        raw = combat.facts.get(self.name)
        return self.default if raw is None else self._read(raw)

    def known(self, combat: Combat) -> bool:
        """Whether anything is remembered."""
        return self.name in combat.facts

    def set(self, value: T, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Remember it."""
        return self._event(None, value, rules)

    def clear(self, *, rules: tuple[str, ...] = ()) -> FactSet:
        """Forget it."""
        return self._event(None, None, rules)


fact = Fact
"""Declare a fact about combatants; `kind` is its type as msgspec understands it."""

combat_fact = CombatFact
"""Declare a fact about the combat."""


def declared(names: Mapping[str, object]) -> tuple[Fact[Any] | CombatFact[Any], ...]:
    """Every fact of a module (its `globals()`), in the order of their declarations.

    In that order those are cleared whose moment has come.
    """
    return tuple(one for one in names.values() if isinstance(one, Fact | CombatFact))
