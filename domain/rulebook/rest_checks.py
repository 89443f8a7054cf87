"""Rest checks: check a combatant at rest again only if something that it depends on has changed.

The engine calls `Ruleset.consequences` after every change, and most changes are about one
combatant. Each check of a combatant notes the other combatants and the fields of the combat that it
reads. Until one of these is another object, the combatant has no consequences.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, Final, NamedTuple, cast

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent
from domain.rulebook.ruleset import Follows

Look = Callable[[Combat, Combatant, AnyEvent | None], Iterator[Follows]]
"""The consequences for one combatant, as a function of the state that it reads.

A cause about another combatant only names sources and rules.
"""

MOST: Final = 4096
"""Findings that are kept, of all combats."""

_FIELDS: Final = frozenset(Combat.__struct_fields__)
_EVERYBODY: Final = "combatants"
_NOTHING: Final[Iterator[Follows]] = iter(())


class Resting(NamedTuple):
    """That nothing follows for a combatant, where these combatants and fields of the combat are the
    same."""

    combatant: Combatant
    others: Mapping[Id, Combatant | None]
    fields: Mapping[str, Any]

    def holds(self, combat: Combat) -> bool:
        """Whether all reads still have the same values."""
        others, fields = self.others, self.fields
        return not (others or fields) or (
            all(combat.combatants.get(who) is was for who, was in others.items())
            and all(getattr(combat, name) is was for name, was in fields.items())
        )


results: Final[OrderedDict[tuple[Look, int], Resting]] = OrderedDict()
"""Results by check and by identity of the combatant.

The entry holds the combatant, so its identity is not reused.
"""


def forget() -> None:
    """Drop all results, because each holds its combatant, and one must be forgotten."""
    results.clear()


def unless_at_rest(look: Look) -> Look:
    """Nothing where it is known that the look would find nothing."""

    @wraps(look)
    def looked(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
        key = look, id(combatant)
        known = results.get(key)
        if (
            known is not None
            and known.holds(combat)
            and getattr(cause, "who", None) != combatant.id
        ):
            return _NOTHING
        seen = _Seen(combat)
        if next(look(cast(Combat, seen), combatant, cause), None) is not None:
            return look(combat, combatant, cause)
        others = seen.combatants.read
        others.pop(combatant.id, None)
        results[key] = Resting(combatant, others, seen.read)
        if len(results) > MOST:
            results.popitem(last=False)
        return _NOTHING

    return looked


class _Seen:
    """A combat that notes its reads."""

    def __init__(self, held: Combat) -> None:
        self._held = held
        self.read: dict[str, Any] = {}
        self.combatants = _Everybody(held.combatants, self.read)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._held, name)
        if name not in _FIELDS:
            raise TypeError(f"{name} does more with a combat than to read it")
        self.read[name] = value
        return value

    def __getitem__(self, who: Id) -> Combatant:
        return Combat.__getitem__(cast(Combat, self), who)

    def __iter__(self) -> Iterator[Combatant]:
        return Combat.__iter__(cast(Combat, self))


class _Everybody(Mapping[Id, Combatant]):
    """The combatants. A lookup notes the combatant, and an iteration notes all of them."""

    def __init__(self, held: Mapping[Id, Combatant], of_combat: dict[str, Any]) -> None:
        self._held, self._of_combat = held, of_combat
        self.read: dict[Id, Combatant | None] = {}

    def __getitem__(self, who: Id) -> Combatant:
        self.read[who] = self._held.get(who)
        return self._held[who]

    def __iter__(self) -> Iterator[Id]:
        self._of_combat[_EVERYBODY] = self._held
        return iter(self._held)

    def __len__(self) -> int:
        self._of_combat[_EVERYBODY] = self._held
        return len(self._held)
