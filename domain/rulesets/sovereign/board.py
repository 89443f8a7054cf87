"""The map and what stands on it: solids, rough ground, spaces, distances (SOV-GRID)."""

from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Combat, Combatant, Id, Square, typed
from domain.rulebook import grid
from domain.rulebook.sight import HIGH, Solid
from domain.rulesets.sovereign.rules import rule

Coordinate = Annotated[float, Meta(ge=-10_000, le=10_000)]
Point = Annotated[tuple[Coordinate, ...], Meta(min_length=2, max_length=3)]
Cell = Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)]


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """A solid from `min` to `max`, in squares and fractions; without z it has full height."""

    min: Point
    max: Point


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """Squares [x, y] hold at every height, [x, y, z] at one."""

    solids: Annotated[tuple[Box, ...], Meta(max_length=2000)] = ()
    difficult: Annotated[tuple[Cell, ...], Meta(max_length=20_000)] = ()
    impassable: Annotated[tuple[Cell, ...], Meta(max_length=20_000)] = ()
    limits: Box | None = None


class Extent(Struct, frozen=True):
    """The fields of a sheet that the rules need to place its owner."""

    space: int = 1


def the_map(combat: Combat) -> Map:
    """The combat's map, or the option of that name."""
    raw = combat.map if combat.map is not None else combat.options.get("map")
    return Map() if raw is None else typed(raw, Map)


@rule("SOV-GRID-01", "Squares of 5 ft. An ordinary combatant fills one cube")
def space(combatant: Combatant) -> int:
    """Squares of 5 ft along the edge of its cube (SOV-GRID-01)."""
    return typed(combatant.sheet, Extent).space


@lru_cache(maxsize=4096)
def corners(box: Box) -> Solid:
    """Lowest and highest corner, exact."""
    low, high = exact(box.min), exact(box.max)
    return (
        (low[0], low[1], low[2] if len(low) == 3 else -HIGH),
        (high[0], high[1], high[2] if len(high) == 3 else HIGH),
    )


def exact(point: Point) -> tuple[Fraction, ...]:
    """0.4 as two fifths, not as the nearest binary fraction."""
    return tuple(Fraction(str(part)) for part in point)


def solids(combat: Combat) -> tuple[Solid, ...]:
    """Return the solids that block lines of sight."""
    return tuple(corners(box) for box in the_map(combat).solids)


# ---- distances


def squares_apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Squares between the nearest cubes (SOV-GRID-02); None when one is nowhere."""
    combatant, other = combat[a], combat[b]
    if combatant.position is None or other.position is None:
        return None
    return grid.distance(combatant.position, other.position, space(combatant), space(other))


@rule("SOV-GRID-02", "Adjacent by face, edge or corner. Distance by the longest axis")
def feet_apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Distance in feet (SOV-GRID-02)."""
    squares = squares_apart(combat, a, b)
    return None if squares is None else 5 * squares


def within(combat: Combat, a: Id, b: Id, feet: int) -> bool:
    """Whether `b` is at most so far from `a`."""
    apart = feet_apart(combat, a, b)
    return apart is not None and apart <= feet


def adjacent(combat: Combat, a: Id, b: Id) -> bool:
    """The spaces share a face, an edge or a corner (SOV-GRID-02)."""
    return within(combat, a, b, 5)


@rule("SOV-GRID-08", "A radius covers a square of twice its size around a corner")
def covered(centre: tuple[int, int], radius_ft: int) -> tuple[range, range]:
    """The columns and rows of an effect around a grid corner (SOV-GRID-08)."""
    reach = radius_ft // 5
    x, y = centre
    return range(x - reach, x + reach), range(y - reach, y + reach)


# ---- what a square is like


def listed(squares: tuple[Cell, ...], at: Square) -> bool:
    """Whether a square is in a list of the map's."""
    return any(cell == at or (len(cell) == 2 and cell == at[:2]) for cell in squares)


def impassable(board: Map, at: Square) -> bool:
    """Barred by the map, its limits, or a solid that fills it (SOV-GRID-06)."""
    if listed(board.impassable, at):
        return True
    if board.limits is not None and not fills(board.limits, at):
        return True
    if at[2] < 0:  # the ground
        return True
    return any(fills(box, at) for box in board.solids)


def fills(box: Box, at: Square) -> bool:
    """Whether the box holds the whole cube."""
    return all(
        low <= part and part + 1 <= high
        for part, low, high in zip(at, box.min, box.max, strict=False)
    )
