"""Memo: a cache of values of a combat, each valid until a field that it read changes.

Values read the combat through a proxy. The proxy records each field, each key of facts, tracks and
budgets, and each condition that a value reads. States share unchanged objects, so a value is valid
until one of its inputs is a different object. Rulebooks need not declare the inputs of their
numbers.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

from domain.engine.read_proxy import (
    BY_KEY,
    EVERYBODY,
    MISSING,
    MORE_THAN_READ,
    OF_PROMPTS,
    QUESTIONS,
    Lasting,
    Look,
    Read,
    by_whom,
    finder,
)
from domain.record.combat import Combat, Combatant, Id

Made = TypeVar("Made")

ALIKE: Final = 4
"""The largest number of cached values under one key. Readers with equal reads share a value."""

_PLACES: Final = frozenset(("order", "queue", "acting", "sides", "winners"))
"""Fields with tuples that redaction copies. The cache compares them by value, not by identity."""

_COMBAT: Final = tuple(name for name in Combat.__struct_fields__ if name != EVERYBODY)
_ONE: Final = Combatant.__struct_fields__
_fields_of_combat = attrgetter(*_COMBAT)
_fields_of_one = attrgetter(*_ONE)


class Traces(Generic[Made]):
    """A cache of values and the fields that they read, shared by the readers of one combat.

    A value depends only on its reads, so readers with the same reads share the value.

    - `readers`: for each read, the keys of the values with this read. Some keys may be outdated.
    - `asked`: for each combatant, the conditions that a value has looked up.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[list[_Part], Made]]] = {}
        self._parts: dict[tuple[Id | None, frozenset[Read]], _Part] = {}
        self.readers: dict[Read, set[Hashable]] = {}
        self.asked: dict[Id, set[Read]] = {}

    def find(self, key: Hashable, combat: Combat) -> Made | None:
        """Return a cached value whose reads have the same results in this state, or None."""
        for parts, made in self._known.get(key, ()):
            for part in parts:
                if not part.is_in(combat):
                    break
            else:
                return made
        return None

    def note(self, key: Hashable, combat: Combat, reads: Collection[Read], made: Made) -> None:
        """Cache a value that was computed in this state."""
        for read in reads:
            self.readers.setdefault(read, set()).add(key)
            if len(read) == 4 and read[2] in QUESTIONS:
                self.asked.setdefault(read[1], set()).add(read)
        known = self._known.setdefault(key, [])
        known.insert(0, ([self._part(combat, *part) for part in by_whom(reads).items()], made))
        del known[ALIKE:]

    def _part(self, combat: Combat, who: Id | None, reads: Iterable[Read]) -> "_Part":
        """Return the reads of one combatant. Values with equal reads share one object."""
        shape = who, frozenset(reads)
        part = self._parts.get(shape)
        if part is None or not part.is_in(combat):
            part = self._parts[shape] = _Part(combat, *shape)
        return part


class _Part:
    """Reads of one combatant, and their results. If `who` is `None`, reads of the combat.

    `_like` is the newest combatant object whose reads had these results. It needs no new check.
    """

    __slots__ = ("_found", "_like", "_who")

    def __init__(self, combat: Combat, who: Id | None, reads: Iterable[Read]) -> None:
        self._who = who
        self._like = None if who is None else combat.combatants.get(who)
        held: Any = combat if who is None else self._like
        self._found = tuple([(find, find(held)) for find in map(finder, reads)])

    def is_in(self, combat: Combat) -> bool:
        """Return true if the reads have the same results in this state."""
        held: Any = combat
        if self._who is not None:
            held = combat.combatants.get(self._who)
            if held is self._like:
                return True
        for find, reading in self._found:
            if not _same(find(held), reading):
                return False
        if self._who is not None:
            self._like = held
        return True


class Watch(Generic[Made]):
    """Values for the successive states of one combat, each under its key."""

    def __init__(self, traces: Traces[Made] | None = None) -> None:
        self._combat = Combat()
        self._traces = Traces[Made]() if traces is None else traces
        self._made: dict[Hashable, Made] = {}
        self._unkept: set[Hashable] = set()

    def at(self, combat: Combat) -> set[Any]:
        """Drop values that are not valid in this state.

        Return their keys and the keys of missing values.
        """
        before, self._combat = self._combat, combat
        self._look = Look(combat)
        gone, self._unkept = self._unkept, set()
        if before is not combat and self._made:
            readers = self._traces.readers
            for read in self._changed(before, combat):
                gone |= readers.get(read, _NOBODY)
            for key in gone:
                self._made.pop(key, None)
        return gone

    def get(self, key: Hashable, make: Callable[[Combat], Made]) -> Made:
        """Return the value under `key`. Compute it if the cached value is no longer valid."""
        made = self._made.get(key)
        if made is not None:
            return made
        made = self._traces.find(key, self._combat)
        if made is None:
            seen, noted = self._look.watched()
            try:
                made = make(seen)
            except MORE_THAN_READ:
                self._unkept.add(key)
                return make(self._combat)
            self._traces.note(key, self._combat, noted.all(), made)
        self._made[key] = made
        return made

    def _changed(self, before: Combat, after: Combat) -> Iterator[Read]:
        for name, a, b in zip(
            _COMBAT, _fields_of_combat(before), _fields_of_combat(after), strict=True
        ):
            if a is b or (name in _PLACES and a == b):
                continue
            yield name
            if name in BY_KEY:
                for key in _changed_keys(a, b):
                    yield name, key
            elif name == "prompts":
                yield from OF_PROMPTS
        were, are = before.combatants, after.combatants
        if were is are:
            return
        if list(were) != list(are):
            yield EVERYBODY
            yield from (("", id) for id in were.keys() ^ are.keys())
        for id, combatant in are.items():
            was = were.get(id, combatant)
            if was is not combatant:
                yield from self._changed_of(id, was, combatant)

    def _changed_of(self, id: Id, before: Combatant, after: Combatant) -> Iterator[Read]:
        for name, a, b in zip(_ONE, _fields_of_one(before), _fields_of_one(after), strict=True):
            if a is b:
                continue
            yield ("", id) if name in Lasting._fields else ("", id, name)
            if name in BY_KEY:
                for key in _changed_keys(a, b):
                    yield "", id, name, key
            elif name == "conditions":
                for read in self._traces.asked.get(id, ()):
                    find = finder(read)
                    if not _same(find(before), find(after)):
                        yield read


_NOBODY: Final[set[Hashable]] = set()


def _changed_keys(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    yield from (key for key, held in a.items() if b.get(key, MISSING) is not held)
    yield from (key for key in b if key not in a)


def _same(a: Any, b: Any) -> bool:
    """Return true if two results of a read are equal. JSON objects are equal only if identical."""
    return a is b or (type(a) is type(b) and type(a) in _PLAIN and a == b)


_PLAIN: Final = frozenset((int, str, bool, float, tuple, Lasting))
