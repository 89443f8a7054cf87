"""Watch: remembers what was made of a combat for as long as what it read is as it was.

Whoever makes a value gets the combat wrapped: each field that is read is noted, of facts, tracks
and budgets each key. States share what does not change, so a value holds until something that it
read is another object. No rulebook has to say what its numbers hang on.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from operator import attrgetter
from types import MethodType
from typing import Any, Final, Generic, TypeVar, cast

from domain.record.combat import Combat, Combatant, Id

Made = TypeVar("Made")
Read = str | tuple[str, ...]
"""What can be read: "round", ("facts", key); ("", who) = whether somebody is there, ("", who,
"sheet"), ("", who, "facts", key)."""

EVERYBODY: Final = "combatants"
"""Read by whoever goes through all of them: who is there, and in which order."""

_BY_KEY: Final = frozenset(("facts", "tracks", "budget"))
_PLACES: Final = frozenset(("order", "queue", "acting", "sides", "winners"))
"""Tuples that redaction makes anew: the same when they are equal."""

_COMBAT: Final = tuple(name for name in Combat.__struct_fields__ if name != EVERYBODY)
_ONE: Final = Combatant.__struct_fields__
_fields_of_combat = attrgetter(*_COMBAT)
_fields_of_one = attrgetter(*_ONE)


class Watch(Generic[Made]):
    """What was made of one combat after the other, by a key for each value."""

    def __init__(self) -> None:
        self._combat = Combat()
        self._made: dict[Hashable, Made] = {}
        self._readers: dict[Read, set[Hashable]] = {}

    def at(self, combat: Combat) -> None:
        """Forget what does not hold in this state."""
        before, self._combat = self._combat, combat
        if before is not combat and self._made:
            for read in _changed(before, combat):
                for key in self._readers.pop(read, ()):
                    self._made.pop(key, None)

    def get(self, key: Hashable, make: Callable[[Combat], Made]) -> Made:
        """The value under `key`, made unless it still holds."""
        found = self._made.get(key)
        if found is not None:
            return found
        reads: set[Read] = set()
        try:
            made = make(cast(Combat, _WatchedCombat(self._combat, reads)))
        except (TypeError, AttributeError):  # it does more than read: made every time
            return make(self._combat)
        self._made[key] = made
        for read in reads:
            self._readers.setdefault(read, set()).add(key)
        return made


def _changed(before: Combat, after: Combat) -> Iterator[Read]:
    for name, a, b in zip(
        _COMBAT, _fields_of_combat(before), _fields_of_combat(after), strict=True
    ):
        if a is b or (name in _PLACES and a == b):
            continue
        yield name
        if name in _BY_KEY:
            for key in _changed_keys(a, b):
                yield name, key
    if before.combatants is after.combatants:
        return
    if list(before.combatants) != list(after.combatants):
        yield EVERYBODY
        yield from (("", id) for id in before.combatants.keys() ^ after.combatants.keys())
    for id, one in after.combatants.items():
        was = before.combatants.get(id)
        if was is not None and was is not one:
            yield from _changed_of(id, was, one)


def _changed_of(id: Id, before: Combatant, after: Combatant) -> Iterator[Read]:
    for name, a, b in zip(_ONE, _fields_of_one(before), _fields_of_one(after), strict=True):
        if a is b:
            continue
        yield "", id, name
        if name in _BY_KEY:
            for key in _changed_keys(a, b):
                yield "", id, name, key


def _changed_keys(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    missing = object()
    yield from (key for key, value in a.items() if b.get(key, missing) is not value)
    yield from (key for key in b if key not in a)


class _Watched:
    """A Struct whose reading is noted; its methods read through this."""

    __slots__ = ("_at", "_held", "_reads", "_seen")
    _kind: type[Any]

    def __init__(self, held: Any, reads: set[Read], at: tuple[str, ...]) -> None:
        self._held, self._reads, self._at = held, reads, at
        self._seen: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in self._kind.__struct_fields__:
            return MethodType(getattr(self._kind, name), self)
        found = self._seen.get(name)
        if found is None:
            found = self._seen[name] = self._field(name, getattr(self._held, name))
        return found

    def _field(self, name: str, value: Any) -> Any:
        if name in _BY_KEY:
            return _Keys(value, self._reads, (*self._at, name))
        self._reads.add((*self._at, name) if self._at else name)
        return value


class _WatchedCombatant(_Watched):
    __slots__ = ()
    _kind = Combatant


class _WatchedCombat(_Watched):
    __slots__ = ()
    _kind = Combat

    def __init__(self, held: Combat, reads: set[Read]) -> None:
        super().__init__(held, reads, ())

    def _field(self, name: str, value: Any) -> Any:
        return _Everybody(value, self._reads) if name == EVERYBODY else super()._field(name, value)

    def __getitem__(self, who: Id) -> Combatant:
        return Combat.__getitem__(cast(Combat, self), who)

    def __iter__(self) -> Iterator[Combatant]:
        return Combat.__iter__(cast(Combat, self))


class _Keys(Mapping[str, Any]):
    """A mapping of which each key that is read is noted."""

    __slots__ = ("_at", "_held", "_reads")

    def __init__(self, held: Mapping[str, Any], reads: set[Read], at: tuple[str, ...]) -> None:
        self._held, self._reads, self._at = held, reads, at

    def __getitem__(self, key: str) -> Any:
        self._reads.add((*self._at, key))
        return self._held[key]

    def get(self, key: str, default: Any = None) -> Any:
        self._reads.add((*self._at, key))
        return self._held.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._reads.add((*self._at, str(key)))
        return key in self._held

    def __iter__(self) -> Iterator[str]:
        self._note_all()
        return iter(self._held)

    def __len__(self) -> int:
        self._note_all()
        return len(self._held)

    def _note_all(self) -> None:
        self._reads.add(self._at if len(self._at) > 1 else self._at[0])


class _Everybody(Mapping[Id, Any]):
    """The combatants, of whom each that is looked at is noted."""

    __slots__ = ("_held", "_reads", "_seen")

    def __init__(self, held: Mapping[Id, Combatant], reads: set[Read]) -> None:
        self._held, self._reads = held, reads
        self._seen: dict[Id, _WatchedCombatant] = {}

    def __getitem__(self, who: Id) -> Any:
        found = self._seen.get(who)
        if found is None:
            self._reads.add(("", who))
            one = self._held[who]
            found = self._seen[who] = _WatchedCombatant(one, self._reads, ("", who))
        return found

    def __contains__(self, who: object) -> bool:
        self._reads.add(("", str(who)))
        return who in self._held

    def __iter__(self) -> Iterator[Id]:
        self._reads.add(EVERYBODY)
        return iter(self._held)

    def __len__(self) -> int:
        self._reads.add(EVERYBODY)
        return len(self._held)
