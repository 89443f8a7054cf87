"""Read proxy: a proxy for `Combat` that records which fields are read.

Values read the wrapped combat (`Look`). The wrapper records these reads:

- each field
- each key of facts, tracks and budgets
- the conditions that a value looks up
- the fields of these conditions, and of prompts

`once` computes a value once for all readers of the same state, and records its reads for each
reader.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from operator import attrgetter
from types import MethodType
from typing import Any, Final, NamedTuple, cast

from domain.record.combat import Combat, Combatant, Condition, Id, OpenPrompt, Square
from domain.rulebook.reachability import standing
from domain.rulebook.state_cache import Lent

Read = str | tuple[Any, ...]
"""One recorded read:

- "round": a field of the combat
- ("facts", key): a fact of the combat
- ("prompts", field): this field of each prompt
- ("", who): whether the combatant exists, with its `Lasting` fields
- ("", who, "position"): a field of the combatant
- ("", who, "facts", key): a fact of the combatant
- ("", who, "has", ids of conditions): whether it has one of these
- ("", who, "each", (id, field)): this field of each condition `id`, or of all conditions if ""
"""

MORE_THAN_READ: Final = (TypeError, AttributeError)
"""Errors of a value that copies, encodes or reads a watched combat in an unwatched way.

Compute such a value from the combat itself. A fault in the rulebook raises its error there again.
"""

EVERYBODY: Final = "combatants"
"""The read of an iteration over the combatants. Its result is the combatants in their order."""

MISSING: Final = object()

BY_KEY: Final = frozenset(("facts", "tracks", "budget"))
OF_PROMPTS: Final = tuple(("prompts", name) for name in OpenPrompt.__struct_fields__)


class Same:
    """An object that is equal only to itself."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


class Lasting(NamedTuple):
    """Fields of a combatant that rarely change. One read covers them all."""

    id: Id
    name: str
    side: str
    left: bool
    sheet: Same


QUESTIONS: Final[Mapping[str, Callable[[Any], Callable[[Combatant], Any]]]] = {
    "has": lambda ids: lambda combatant: combatant.has(*ids),
    "each": lambda asked: partial(_each, *asked),
}


def _each(id: str, name: str, combatant: Combatant) -> tuple[Any, ...]:
    held = combatant.all(id) if id else combatant.conditions
    return tuple(getattr(condition, name) for condition in held)


def by_whom(reads: Iterable[Read]) -> dict[Id | None, list[Read]]:
    """Group reads by combatant. The key None holds the reads of the combat itself."""
    groups: dict[Id | None, list[Read]] = {}
    for read in reads:
        groups.setdefault(read[1] if read[0] == "" else None, []).append(read)
    return groups


@lru_cache(32_768)
def finder(read: Read) -> Callable[[Any], Any]:
    """Return a function that repeats a read. It returns None for a missing combatant."""
    if isinstance(read, str):
        return _ids if read == EVERYBODY else attrgetter(read)
    if read[0] == "":
        return _finder_of_one(read)
    place, key = read[0], read[1]
    if place == "prompts":
        return lambda combat: tuple(getattr(prompt, key) for prompt in combat.prompts.values())
    return lambda combat: getattr(combat, place).get(key, MISSING)


def _ids(combat: Combat) -> tuple[Id, ...]:
    return tuple(combat.combatants)


def _finder_of_one(read: Read) -> Callable[[Any], Any]:
    if len(read) == 2:
        find: Callable[[Any], Any] = _lasting
    elif len(read) == 3:
        find = attrgetter(read[2])
    elif read[2] in QUESTIONS:
        find = QUESTIONS[read[2]](read[3])
    else:
        name, key = read[2], read[3]
        return lambda combatant: (
            MISSING if combatant is None else getattr(combatant, name).get(key, MISSING)
        )
    return lambda combatant: MISSING if combatant is None else find(combatant)


def _lasting(combatant: Combatant) -> Lasting:
    return Lasting(
        combatant.id, combatant.name, combatant.side, combatant.left, Same(combatant.sheet)
    )


class Noted:
    """The reads of one value: its own reads, and those of the values that it reuses."""

    __slots__ = ("reads", "through")

    def __init__(self) -> None:
        self.reads = set[Read]()
        self.through = list[Noted]()

    def all(self) -> set[Read]:
        """Return all reads of the value."""
        reads, met, open = set[Read](), {id(self)}, [self]
        while open:
            noted = open.pop()
            reads |= noted.reads
            for other in noted.through:
                if id(other) not in met:
                    met.add(id(other))
                    open.append(other)
        return reads


class Look:
    """One state that several readers use in turn. `reads` holds the reads of the current reader.

    After its turn, a reader must not use objects of the state.
    """

    def __init__(self, combat: Combat) -> None:
        self.noted = Noted()
        self.reads = self.noted.reads
        self._held = combat
        self._combat: Combat | None = None

    def watched(self) -> tuple[Combat, Noted]:
        """Return the combat for the next reader, and the object that records its reads."""
        if self._combat is None:
            self._combat = cast(Combat, _WatchedCombat(self._held, self))
        self.turn_to(Noted())
        return self._combat, self.noted

    def turn_to(self, noted: Noted) -> None:
        """Record the following reads in `noted`."""
        self.noted, self.reads = noted, noted.reads


class _Watched(Lent):
    """A proxy for a Struct that records reads. The Struct's methods also read through it."""

    _kind: type[Any]

    def __init__(self, held: Any, look: Look, at: tuple[str, ...] = ()) -> None:
        self._held, self._look, self._at = held, look, at
        self._found: dict[Hashable, tuple[Noted, Any]] = {}

    def __getattr__(self, name: str) -> Any:
        if name in BY_KEY:  # such a field records its reads itself, so keep it as an attribute
            keys = self.__dict__[name] = _Keys(
                getattr(self._held, name), self._look, (*self._at, name)
            )
            return keys
        return MethodType(getattr(self._kind, name), self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Watched) and self._held is other._held

    __hash__ = None  # type: ignore[assignment]

    def once(self, key: Hashable, make: Callable[[Any], Any]) -> Any:
        look, kept = self._look, self._found.get(key)
        before = look.noted
        if kept is not None:
            before.through.append(kept[0])
            return kept[1]
        noted = Noted()
        before.through.append(noted)  # before `make`, because the reads also count if `make` raises
        look.turn_to(noted)
        try:
            made = make(self)
        finally:
            look.turn_to(before)
        self._found[key] = noted, made
        return made


def _note_fields(kind: type[Any], *names: str) -> None:
    """Make a watched Struct record each read of these fields."""
    for name in names:
        setattr(kind, name, _field(name))


def _field(name: str) -> property:
    find = attrgetter(name)

    def read(watched: _Watched) -> Any:
        watched._look.reads.add((*watched._at, name) if watched._at else name)
        return find(watched._held)

    return property(read)


class _WatchedCombatant(_Watched):
    _kind = Combatant

    def __init__(self, held: Combatant, look: Look, at: tuple[str, ...]) -> None:
        super().__init__(held, look, at)
        self.id, self.name, self.side, self.left = held.id, held.name, held.side, held.left
        self.sheet = held.sheet

    @property
    def conditions(self) -> tuple[Any, ...]:
        return self._each("", cast(Combatant, self._held).conditions)

    def has(self, *ids: str) -> bool:
        self._look.reads.add((*self._at, "has", ids))
        return cast(Combatant, self._held).has(*ids)

    def all(self, id: str) -> tuple[Any, ...]:
        return self._each(id, cast(Combatant, self._held).all(id))

    def _each(self, id: str, held: tuple[Condition, ...]) -> tuple[Any, ...]:
        at, look = self._at, self._look
        look.reads.add((*at, "each", (id, "id")))
        return tuple(
            [_Row(condition, look, lambda name: (*at, "each", (id, name))) for condition in held]
        )


_note_fields(_WatchedCombatant, "owner", "hidden", "position", "orders", "markers")


class _WatchedCombat(_Watched):
    _kind = Combat

    def __init__(self, held: Combat, look: Look) -> None:
        super().__init__(held, look)
        self.combatants = _Everybody(held.combatants, look)
        self.prompts = _Prompts(held.prompts, look)

    def __getitem__(self, who: Id) -> Any:
        return Combat.__getitem__(cast(Combat, self), who)

    def __iter__(self) -> Iterator[Any]:
        return Combat.__iter__(cast(Combat, self))

    def standing(self, who: Id, at: Square) -> Any:
        """Return the combat with `who` at another square. It records reads like this combat."""
        self._look.reads.update((("", who), ("", who, "position")))
        return _WatchedCombat(standing(self._held, who, at), self._look)


_note_fields(_WatchedCombat, *(set(Combat.__struct_fields__) - {"combatants", "prompts", *BY_KEY}))


class _Keys(Mapping[str, Any]):
    """A mapping that records each key that a value reads."""

    __slots__ = ("_at", "_held", "_look")

    def __init__(self, held: Mapping[str, Any], look: Look, at: tuple[str, ...]) -> None:
        self._held, self._look, self._at = held, look, at

    def __getitem__(self, key: str) -> Any:
        self._look.reads.add((*self._at, key))
        return self._held[key]

    def get(self, key: str, default: Any = None) -> Any:
        self._look.reads.add((*self._at, key))
        return self._held.get(key, default)

    def __contains__(self, key: object) -> bool:
        self._look.reads.add((*self._at, str(key)))
        return key in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def keys(self) -> Any:
        return self._all().keys()

    def values(self) -> Any:
        return self._all().values()

    def items(self) -> Any:
        return self._all().items()

    def _all(self) -> Mapping[str, Any]:
        self._look.reads.add(self._at if len(self._at) > 1 else self._at[0])
        return self._held


class _Everybody(Mapping[Id, Any]):
    """A mapping of the combatants that records each lookup."""

    __slots__ = ("_held", "_look", "_seen")

    def __init__(self, held: Mapping[Id, Combatant], look: Look) -> None:
        self._held, self._look = held, look
        self._seen: dict[Id, _WatchedCombatant] = {}

    def __getitem__(self, who: Id) -> Any:
        self._look.reads.add(("", who))
        seen = self._seen.get(who)
        if seen is None:
            seen = self._seen[who] = _WatchedCombatant(self._held[who], self._look, ("", who))
        return seen

    def __contains__(self, who: object) -> bool:
        self._look.reads.add(("", str(who)))
        return who in self._held

    def __iter__(self) -> Iterator[Id]:
        self._look.reads.add(EVERYBODY)
        return iter(self._held)

    def __len__(self) -> int:
        self._look.reads.add(EVERYBODY)
        return len(self._held)

    def values(self) -> Any:
        return [self[who] for who in self]


class _Prompts(Mapping[str, Any]):
    """The open prompts.

    `values` records only the fields that a reader reads, because ids differ at each repetition.
    A lookup or an iteration by id records the whole mapping.
    """

    __slots__ = ("_held", "_look")

    def __init__(self, held: Mapping[str, OpenPrompt], look: Look) -> None:
        self._held, self._look = held, look

    def values(self) -> Any:
        self._look.reads.add(("prompts", "who"))
        return [
            _Row(prompt, self._look, lambda name: ("prompts", name))
            for prompt in self._held.values()
        ]

    def __getitem__(self, id: str) -> OpenPrompt:
        self._look.reads.add("prompts")
        return self._held[id]

    def __iter__(self) -> Iterator[str]:
        self._look.reads.add("prompts")
        return iter(self._held)

    def __len__(self) -> int:
        self._look.reads.add(("prompts", "who"))
        return len(self._held)


class _Row:
    """A watched object of a group. A read of its field counts as a read of the whole group."""

    def __init__(self, held: Any, look: Look, read_of: Callable[[str], Read]) -> None:
        self._held, self._look, self._read_of = held, look, read_of

    def __getattr__(self, name: str) -> Any:
        self._look.reads.add(self._read_of(name))
        return getattr(self._held, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Row) and all(
            getattr(self, name) == getattr(other, name) for name in self._held.__struct_fields__
        )

    __hash__ = None  # type: ignore[assignment]
