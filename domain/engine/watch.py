"""Watch: remembers what was made of a combat for as long as what it read is as it was.

Whoever makes a value gets the combat wrapped: each field that is read is noted, of facts, tracks
and budgets each key, of conditions which were asked for. States share what does not change, so a
value holds until something that it read is another object. No rulebook has to say what its numbers
hang on.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from operator import attrgetter
from types import MethodType
from typing import Any, Final, Generic, TypeVar, cast

from domain.record.combat import Combat, Combatant, Condition, Id

Made = TypeVar("Made")
Read = str | tuple[Any, ...]
"""What can be read: "round", ("facts", key); ("", who) = whether somebody is there, ("", who,
"sheet"), ("", who, "facts", key), ("", who, "has", ids of conditions), ("", who, "all", id)."""

EVERYBODY: Final = "combatants"
"""Read by whoever goes through all of them: who is there, and in which order."""

ALIKE: Final = 4
"""Values of one key that are kept for others whose reading comes to the same."""

_BY_KEY: Final = frozenset(("facts", "tracks", "budget"))
_PLACES: Final = frozenset(("order", "queue", "acting", "sides", "winners"))
"""Tuples that redaction makes anew: the same when they are equal."""

_COMBAT: Final = tuple(name for name in Combat.__struct_fields__ if name != EVERYBODY)
_ONE: Final = Combatant.__struct_fields__
_fields_of_combat = attrgetter(*_COMBAT)
_fields_of_one = attrgetter(*_ONE)
_MISSING: Final = object()


class Traces(Generic[Made]):
    """Values with what each of them read, for several who watch one combat in their own eyes.

    A value is a function of what it read: whoever would read the same has the same value.
    `readers`: the keys of which a value has read something, and perhaps of others; `asked`: which
    conditions of somebody were asked for.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[tuple[Read, ...], tuple[Any, ...], Made]]] = {}
        self._reads: dict[Read, Read] = {}  # each once, for there are thousands of the same
        self.readers: dict[Read, set[Hashable]] = {}
        self.asked: dict[Id, set[Read]] = {}

    def find(self, key: Hashable, combat: Combat) -> Made | None:
        """A value that reads in this state what it has read."""
        for reads, values, made in self._known.get(key, ()):
            if all(
                _same(_value(combat, read), was) for read, was in zip(reads, values, strict=True)
            ):
                return made
        return None

    def note(self, key: Hashable, combat: Combat, reads: Iterable[Read], made: Made) -> None:
        """Keep a value that was made in this state."""
        kept = tuple(self._reads.setdefault(read, read) for read in reads)
        known = self._known.setdefault(key, [])
        known.insert(0, (kept, tuple(_value(combat, read) for read in kept), made))
        del known[ALIKE:]
        for read in kept:
            self.readers.setdefault(read, set()).add(key)
            if isinstance(read, tuple) and len(read) == 4 and read[2] in _QUESTIONS:
                self.asked.setdefault(read[1], set()).add(read)


class Watch(Generic[Made]):
    """What was made of one combat after the other, by a key for each value."""

    def __init__(self, traces: Traces[Made] | None = None) -> None:
        self._combat = Combat()
        self._traces = Traces[Made]() if traces is None else traces
        self._made: dict[Hashable, Made] = {}
        self._unkept: set[Hashable] = set()

    def at(self, combat: Combat) -> set[Any]:
        """Forget what does not hold in this state; the keys of that, and of what is not kept."""
        before, self._combat = self._combat, combat
        gone, self._unkept = self._unkept, set()
        if before is not combat and self._made:
            readers = self._traces.readers
            for read in self._changed(before, combat):
                gone |= readers.get(read, _NOBODY)
            for key in gone:
                self._made.pop(key, None)
        return gone

    def get(self, key: Hashable, make: Callable[[Combat], Made]) -> Made:
        """The value under `key`, made unless it still holds."""
        made = self._made.get(key)
        if made is not None:
            return made
        made = self._traces.find(key, self._combat)
        if made is None:
            reads = set[Read]()
            try:
                made = make(cast(Combat, _WatchedCombat(self._combat, reads)))
            except (TypeError, AttributeError):  # it does more than read: made every time
                self._unkept.add(key)
                return make(self._combat)
            self._traces.note(key, self._combat, reads, made)
        self._made[key] = made
        return made

    def _changed(self, before: Combat, after: Combat) -> Iterator[Read]:
        for name, a, b in zip(
            _COMBAT, _fields_of_combat(before), _fields_of_combat(after), strict=True
        ):
            if a is b or (name in _PLACES and a == b):
                continue
            yield name
            if name in _BY_KEY:
                for key in _changed_keys(a, b):
                    yield name, key
        were, are = before.combatants, after.combatants
        if were is are:
            return
        if list(were) == list(are):
            for was, one in zip(were.values(), are.values(), strict=True):
                if was is not one:
                    yield from self._changed_of(one.id, was, one)
            return
        yield EVERYBODY
        yield from (("", id) for id in were.keys() ^ are.keys())
        for id in were.keys() & are.keys():
            yield from self._changed_of(id, were[id], are[id])

    def _changed_of(self, id: Id, before: Combatant, after: Combatant) -> Iterator[Read]:
        for name, a, b in zip(_ONE, _fields_of_one(before), _fields_of_one(after), strict=True):
            if a is b:
                continue
            yield "", id, name
            if name in _BY_KEY:
                for key in _changed_keys(a, b):
                    yield "", id, name, key
            elif name == "conditions":
                for read in self._traces.asked.get(id, ()):
                    if not _same(_of_one(before, read), _of_one(after, read)):
                        yield read


_NOBODY: Final[set[Hashable]] = set()


def _changed_keys(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    yield from (key for key, value in a.items() if b.get(key, _MISSING) is not value)
    yield from (key for key in b if key not in a)


# ---- what is read


_QUESTIONS: Final[Mapping[str, Callable[[Combatant, Any], Any]]] = {
    "has": lambda one, ids: one.has(*ids),
    "all": lambda one, id: one.all(id),
}


def _value(combat: Combat, read: Read) -> Any:
    """What is found where something was read."""
    if isinstance(read, str):
        return tuple(combat.combatants) if read == EVERYBODY else getattr(combat, read)
    if read[0]:
        return getattr(combat, read[0]).get(read[1], _MISSING)
    one = combat.combatants.get(read[1])
    if len(read) == 2:
        return one is not None
    return _MISSING if one is None else _of_one(one, read)


def _of_one(one: Combatant, read: Read) -> Any:
    name = read[2]
    if len(read) == 3:
        return getattr(one, name)
    ask = _QUESTIONS.get(name)
    return getattr(one, name).get(read[3], _MISSING) if ask is None else ask(one, read[3])


def _same(a: Any, b: Any) -> bool:
    """Whether two readings come to the same; objects of JSON are only the same as themselves."""
    return a is b or (type(a) is type(b) and type(a) in _PLAIN and a == b)


_PLAIN: Final = frozenset((int, str, bool, float, tuple))


# ---- reading, noted


class _Watched:
    """A Struct whose reading is noted, each field once; its methods read through this."""

    _kind: type[Any]

    def __init__(self, held: Any, reads: set[Read], at: tuple[str, ...]) -> None:
        self._held, self._reads, self._at = held, reads, at

    def __getattr__(self, name: str) -> Any:
        """Only for what was not read before: it is an attribute from now on."""
        if name not in self._kind.__struct_fields__:
            return MethodType(getattr(self._kind, name), self)
        found = self.__dict__[name] = self._field(name, getattr(self._held, name))
        return found

    def _field(self, name: str, value: Any) -> Any:
        if name in _BY_KEY:
            return _Keys(value, self._reads, (*self._at, name))
        self._reads.add((*self._at, name) if self._at else name)
        return value


class _WatchedCombatant(_Watched):
    _kind = Combatant

    def has(self, *ids: str) -> bool:
        self._reads.add((*self._at, "has", ids))
        return cast(Combatant, self._held).has(*ids)

    def all(self, id: str) -> tuple[Condition, ...]:
        self._reads.add((*self._at, "all", id))
        return cast(Combatant, self._held).all(id)


class _WatchedCombat(_Watched):
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
