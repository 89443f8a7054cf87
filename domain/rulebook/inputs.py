"""Typed inputs: declare the kind of thing that a field of an action's inputs names.

A field declares its kind by a type such as `Enemy` or `OwnWeapon`. The value is plain JSON, and
msgspec parses only the plain type. The type also declares:

- the legal values as proposals
- `x-refers-to` in the schema
- whether the field is required
- whether it harms or helps
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from domain.dice import BadFormula, parse
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook import grid

Polarity = Literal["harm", "help", "none", "either"]
"""The effect of an action on its target. `either` means that the data do not decide."""

Toward = Literal["", "harm", "help", "thing"]
"""The effect on the named combatant. With `thing`, the data of a spell or item decide."""

Chosen = Mapping[str, Json]
"""The fields that already have a value, with their values."""


@dataclass(frozen=True)
class InputKind:
    """The kind of thing that a field names.

    - `refers`: the value of `x-refers-to`.
    - `listed`: the list on the actor's sheet that contains the thing.
    - `acts`: true if the data of the thing decide whether it harms or helps.
    - `required`: true if the rules refuse an action without it.
    - `corner`: true if the value is a corner of the grid, not a square.
    - `stands(combat, who, inputs)`: returns the combatant whose lowest corner is, or will be, on
      the square.
    - `proposes(combat, who)`: returns proposals that replace the usual proposals, best first.
    - `gm_only`: true if the rules refuse it from a player.
    - `matters(actor)`: returns true if the field can make a difference for this actor.
    """

    refers: str = ""
    toward: Toward = ""
    listed: str = ""
    acts: bool = False
    required: bool = False
    corner: bool = False
    stands: Callable[[Combat, Id, Any], Id | None] | None = None
    proposes: Callable[[Combat, Id], Iterable[Json]] | None = None
    gm_only: bool = False
    matters: Callable[[Combatant], bool] | None = None

    @property
    def is_aimed(self) -> bool:
        """Return true if the action affects the combatant that this field names."""
        return bool(self.toward)

    def propose(self, combat: Combat, who: Id, chosen: Chosen) -> Iterator[Json]:
        """Yield values for `who`, best first."""
        if self.proposes is not None:
            yield from self.proposes(combat, who)
        elif self.listed:
            for thing in things(combat[who], self.listed):
                yield thing["id"]
        elif self.refers == "combatant":
            yield from (combatant.id for combatant in _nearest(combat, who, self.toward))


def _nearest(combat: Combat, who: Id, toward: Toward) -> list[Combatant]:
    """Return the likely targets, nearest first. They are enemies for harm, and allies for help."""
    side = combat[who].side
    fitting = [
        combatant
        for combatant in combat
        if not (toward == "harm" and combatant.side == side)
        and not (toward == "help" and combatant.side != side)
    ]
    return sorted(fitting, key=lambda combatant: distance(combat, who, combatant.id))


def is_nowhere(combatant: Combatant) -> bool:
    """Return true if the combatant has no square. Its moves then name a distance, not a path."""
    return combatant.position is None


def distance(combat: Combat, who: Id, other: Id) -> int:
    """Return the distance in squares. It is very large if a combatant has no place."""
    here, there = combat[who].position, combat[other].position
    return 100_000 if here is None or there is None else grid.distance(here, there)


def things(combatant: Combatant, listed: str) -> Iterator[Mapping[str, Json]]:
    """Yield the things in a list of the combatant's sheet that have an id."""
    held: Json = combatant.sheet.get(listed)
    for thing in held if isinstance(held, list | tuple) else ():
        if isinstance(thing, Mapping) and isinstance(thing.get("id"), str):
            yield thing


def thing_of(combatant: Combatant, listed: str, id: Json) -> Mapping[str, Json] | None:
    """Return the thing with this id in a list of the sheet, or `None`."""
    return next((thing for thing in things(combatant, listed) if thing["id"] == id), None)


T = TypeVar("T")


def mover(combat: Combat, who: Id, inputs: Any) -> Id:
    """Return the combatant that a ruling names, or else the combatant that acts."""
    name: Id = getattr(inputs, "who", who)
    return name


Enemy = Annotated[Id, InputKind("combatant", toward="harm")]
Ally = Annotated[Id, InputKind("combatant", toward="help")]
Recipient = Annotated[Id, InputKind("combatant", toward="thing")]
Creature = Annotated[Id, InputKind("combatant")]
OwnWeapon = Annotated[str, InputKind("weapon", listed="weapons")]
OwnSpell = Annotated[str, InputKind("spell", listed="spells", acts=True)]
OwnItem = Annotated[str, InputKind("item", listed="items", acts=True)]
OwnAbility = Annotated[str, InputKind("ability", listed="abilities", acts=True)]
Carried = Annotated[str, InputKind("item", listed="items")]
SquareInput = Annotated[tuple[int, ...], InputKind("square")]
SpaceInput = Annotated[tuple[int, ...], InputKind("square", stands=mover)]
"""The lowest corner of a combatant's space."""
PathInput = Annotated[tuple[tuple[int, ...], ...], InputKind("path", stands=mover)]

Needed = Annotated[T | None, InputKind(required=True)]
"""A field that the rules always require.

Forms require it. The parser accepts its absence, because the rules give a better reason. Use
`T | None` for a field that is needed only on a grid or in a declaration.
"""


@dataclass(frozen=True)
class Input:
    """A field of inputs.

    - `required`: true if its type or the rules require a value.
    - `legal`: every value of a closed type.
    - `free`: true for a number or a text that a person chooses freely.
    """

    name: str
    kind: InputKind
    required: bool
    legal: tuple[Json, ...] = ()
    free: bool = False

    def is_idle(self, actor: Combatant | None, *, by_gm: bool) -> bool:
        """Return true if no value makes a difference, such as for an empty list of things."""
        kind = self.kind
        if kind.gm_only and not by_gm:
            return True
        if actor is None or self.required:
            return False
        if kind.matters is not None:
            return not kind.matters(actor)
        return bool(kind.listed) and kind.proposes is None and not any(things(actor, kind.listed))

    def propose(self, combat: Combat, who: Id, chosen: Chosen) -> Iterable[Json]:
        """Return the proposals of the kind, or all values of a closed type, best first."""
        if self.kind.proposes is None and self.legal:
            return self.legal
        return self.kind.propose(combat, who, chosen)


@lru_cache(None)
def inputs_of(kind: type[Struct]) -> Mapping[str, Input]:
    """Return the fields of a Struct by their names in JSON."""
    fields = {}
    for field in msgspec.structs.fields(kind):
        named = _kind(field.type)
        required = field.required or named.required
        legal = _legal(field.type)
        free = not legal and named == _PLAIN and _is_plain(field.type)
        fields[field.encode_name] = Input(field.encode_name, named, required, legal, free)
    return fields


def _is_plain(type: Any) -> bool:
    """Return true for a number or a text, with or without bounds and `None`."""
    origin = get_origin(type)
    if origin is Annotated:
        return _is_plain(get_args(type)[0])
    if origin in (Union, UnionType):
        return all(part is NoneType or _is_plain(part) for part in get_args(type))
    return type in (int, float, str)


_PLAIN: Final = InputKind()


def _kind(type: Any) -> InputKind:
    """Return the kind of input that a type or a part of it declares."""
    inner = _PLAIN
    for part in get_args(type) if get_origin(type) is not Literal else ():
        if (input_kind := _kind(part)) != _PLAIN:
            inner = input_kind
            break
    for said in getattr(type, "__metadata__", ()):
        if isinstance(said, InputKind):
            inner = replace(inner, required=True) if said.required else said
    return inner


MOST: Final = 20
"""The largest number of values that a bounded number proposes."""


def _legal(type: Any) -> tuple[Json, ...]:
    """Return every value of a type with few values, or an empty tuple."""
    origin = get_origin(type)
    if origin is Literal:
        return get_args(type)
    if origin is Annotated:
        base, *said = get_args(type)
        meta = next((part for part in said if isinstance(part, Meta)), None)
        if base is int and meta is not None and meta.ge is not None and meta.le is not None:
            low, high = int(meta.ge), int(meta.le)
            return tuple(range(low, high + 1)) if high - low < MOST else ()
        return _legal(base)
    if origin in (Union, UnionType):
        parts = [part for part in get_args(type) if part is not NoneType]
        return _legal(parts[0]) if len(parts) == 1 else ()
    return ()


def proposals(
    inputs: type[Struct], fields: tuple[str, ...], combat: Combat, who: Id
) -> Iterator[Mapping[str, Json]]:
    """Yield inputs for every combination of proposed values. The last field varies fastest."""

    def further(chosen: dict[str, Json], rest: tuple[str, ...]) -> Iterator[Mapping[str, Json]]:
        if not rest:
            yield chosen
            return
        field = inputs_of(inputs)[rest[0]]
        empty = True
        for value in field.propose(combat, who, chosen):
            empty = False
            yield from further({**chosen, field.name: value}, rest[1:])
        if empty and not field.required:
            yield from further(chosen, rest[1:])

    yield from further({}, fields)


# ---- harm and help


def named(value: Json) -> tuple[Id, ...]:
    """Return the ids of combatants in the value of a field."""
    match value:
        case str():
            return (value,)
        case list() | tuple():
            return tuple(id for part in value for id in named(part))
        case Mapping():
            return named(value.get("combatant"))
        case _:
            return ()


def told_by(data: Mapping[str, Json]) -> Polarity:
    """Return the effect of a spell, item or ability on its target, judged by its data."""
    parts = tuple(_parts(data))
    harms, helps = any(map(_harms, parts)), any(map(_helps, parts))
    if not (harms or helps):  # a save implies harm
        harms = any(part.get("save") for part in parts)
    if harms == helps:
        return "either"
    return "harm" if harms else "help"


def pools_healed(data: Mapping[str, Json]) -> frozenset[str]:
    """Return the tracks that an entry heals, or none if it also has other effects.

    The name "" means hit points.
    """
    pools: set[str] = set()
    for part in _parts(data):
        heals = part.get("heals")
        if isinstance(heals, Mapping):
            pools |= {pool for pool, formula in heals.items() if formula}
        if part.get("type") == "heal" or part.get("heal") or part.get("healing"):
            pools.add("")
        others = (part.get(name) for name in ("removes_wound", "grants_disengage", "conditions"))
        if any(others) or _harms(part) or any(_modifiers(part)):
            return frozenset()
    return frozenset(pools)


def usual_damage(data: Mapping[str, Json]) -> float:
    """Return the average damage of an entry's dice, before any defence."""
    parts = [
        part
        for held in (data, data.get("attack"))
        if isinstance(held, Mapping)
        for part in _parts(held)
    ]
    return sum(map(_average, parts))


def _average(part: Mapping[str, Json]) -> float:
    """Return the average damage of one part of an entry."""
    held = part.get("dice") if part.get("type") == "damage" else part.get("damage")
    text = held.get("formula") if isinstance(held, Mapping) else held
    bonus = part.get("damage_bonus") or part.get("damage_modifier")
    try:
        formula = parse(text) if isinstance(text, str) else None
    except BadFormula:
        formula = None
    if formula is None:
        return 0
    added = bonus if isinstance(bonus, int | float) else 0
    return (formula.minimum + formula.maximum) / 2 + added


def _parts(data: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Yield the entry and all effects inside it."""
    yield data
    for name in ("effect", "effects"):
        held = data.get(name)
        for part in held if isinstance(held, list | tuple) else (held,):
            if isinstance(part, Mapping):
                yield from _parts(part)


HARMFUL: Final = ("damage", "nld", "extra_damage", "ongoing", "flags", "throw")
HELPFUL: Final = ("heal", "healing", "removes_wound", "grants_disengage")


def _harms(data: Mapping[str, Json]) -> bool:
    if data.get("type") == "damage" or any(data.get(name) for name in HARMFUL):
        return True
    attacks = data.get("attack") not in (None, False, "none", 0) and "value" not in data
    return attacks or any(value < 0 for value in _modifiers(data))


def _helps(data: Mapping[str, Json]) -> bool:
    if data.get("type") == "heal" or any(data.get(name) for name in HELPFUL):
        return True
    return isinstance(data.get("heals"), Mapping) or any(value > 0 for value in _modifiers(data))


def _modifiers(data: Mapping[str, Json]) -> Iterator[int]:
    """Yield the modifiers in the entry."""
    held = data.get("modifiers")
    if isinstance(held, Mapping):
        yield from (value for value in held.values() if isinstance(value, int))
    for part in held if isinstance(held, list | tuple) else ():
        if isinstance(part, Mapping) and isinstance(part.get("value"), int):
            yield part["value"]
    if data.get("type") == "modifier" and isinstance(data.get("value"), int):
        yield data["value"]
