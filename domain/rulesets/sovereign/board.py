"""Measure distances (SOV-GRID), and find lines of sight and cover (SOV-LOS) on the map."""

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Literal

from msgspec import Struct

from domain.record.combat import Combat, Combatant, Id, Square, typed
from domain.rulebook import grid
from domain.rulebook.edges import Edges
from domain.rulebook.sight import HIGH, Solid, View, looks
from domain.rulebook.state_cache import once
from domain.rulesets.sovereign.facts import COVER, SIGHT, Said, Seen
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Box, Cell, Map, Point


class Extent(Struct, frozen=True):
    """The fields of a sheet that the map needs."""

    space: int = 1


def the_map(combat: Combat) -> Map:
    """Return the combat's map, or the map of its options."""
    raw = combat.map if combat.map is not None else combat.options.get("map")
    return Map() if raw is None else typed(raw, Map)


@rule("SOV-GRID-01", "A square is 5 ft, and an ordinary combatant fills one cube")
def space(combatant: Combatant) -> int:
    """Return the edge length of the combatant's cube, in squares of 5 ft (SOV-GRID-01)."""
    return typed(combatant.sheet, Extent).space


@lru_cache(maxsize=4096)
def corners(box: Box) -> Solid:
    """Return the lowest and the highest corner of a box, as exact fractions."""
    low, high = exact(box.min), exact(box.max)
    return (
        (low[0], low[1], low[2] if len(low) == 3 else -HIGH),
        (high[0], high[1], high[2] if len(high) == 3 else HIGH),
    )


def exact(point: Point) -> tuple[Fraction, ...]:
    """Return the coordinates as exact fractions, so that 0.4 is two fifths."""
    return tuple(Fraction(str(part)) for part in point)


def solids(combat: Combat) -> tuple[Solid, ...]:
    """Return the solids that block lines of sight."""
    return tuple(corners(box) for box in the_map(combat).solids)


# ---- distances


def squares_apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Return the distance in squares between two spaces, or `None` if a position is missing.

    SOV-GRID-02.
    """
    combatant, other = combat[a], combat[b]
    if combatant.position is None or other.position is None:
        return None
    return grid.distance(combatant.position, other.position, space(combatant), space(other))


@rule(
    "SOV-GRID-02", "Cubes are adjacent by face, edge or corner. The longest axis gives the distance"
)
def feet_apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Return the distance in feet (SOV-GRID-02)."""
    squares = squares_apart(combat, a, b)
    return None if squares is None else 5 * squares


def within(combat: Combat, a: Id, b: Id, feet: int) -> bool:
    """Return true if `b` is at most `feet` away from `a`."""
    apart = feet_apart(combat, a, b)
    return apart is not None and apart <= feet


def adjacent(combat: Combat, a: Id, b: Id) -> bool:
    """Return true if the spaces share a face, an edge or a corner (SOV-GRID-02)."""
    return within(combat, a, b, 5)


@rule("SOV-GRID-08", "A radius covers a square of twice its size around a corner")
def covered(centre: tuple[int, int], radius_ft: int) -> tuple[range, range]:
    """Return the columns and rows of an effect around a grid corner (SOV-GRID-08)."""
    reach = radius_ft // 5
    x, y = centre
    return range(x - reach, x + reach), range(y - reach, y + reach)


# ---- properties of a square


def listed(squares: tuple[Cell, ...], at: Square) -> bool:
    """Return true if this list of the map contains the square."""
    return any(cell == at or (len(cell) == 2 and cell == at[:2]) for cell in squares)


def impassable(board: Map, at: Square) -> bool:
    """Return true if nobody can enter the square (SOV-GRID-06).

    Such a square is listed as impassable, outside the limits, below the ground or inside a solid.
    """
    if listed(board.impassable, at):
        return True
    if board.limits is not None and not fills(board.limits, at):
        return True
    if at[2] < 0:  # below the ground
        return True
    return any(fills(box, at) for box in board.solids)


def edges(combat: Combat) -> Edges | None:
    """Return the lowest and the highest square inside the limits of the map (SOV-GRID-06)."""
    limits = the_map(combat).limits
    if limits is None:
        return None
    low = tuple(ceil(part) for part in limits.min)
    return Edges(low, tuple(floor(part) - 1 for part in limits.max), "SOV-GRID-06")


def fills(box: Box, at: Square) -> bool:
    """Return true if the box contains the whole cube."""
    return all(
        low <= part and part + 1 <= high
        for part, low, high in zip(at, box.min, box.max, strict=False)
    )


# ---- sight and cover: geometry, and the GM's rulings (SOV-LOS, SOV-ATK-07)


Cover = Literal["none", "half", "full"]


@rule("SOV-LOS-01", "One free line between two cubes is enough for sight, in both directions")
@once
def los(combat: Combat, a: Id, b: Id) -> bool:
    """Return true if a free line of sight joins `a` and `b` (SOV-LOS-01).

    A ruling of the GM overrides geometry.
    """
    for pair in (f"{a}>{b}", f"{b}>{a}"):
        said = COVER.of(combat).get(pair, Said()).los
        if said is not None:
            return said
    line = view(combat, a, b)
    return line is not None and line.los


@rule("SOV-LOS-04", "A target has half cover if some of its corners are hidden")
@rule(
    "SOV-LOS-05",
    "A target has full cover if the attacker has a line of sight but sees no corner of it",
)
@rule("SOV-LOS-06", "A target has no cover if the attacker sees every corner from some point")
@rule("SOV-LOS-07", "Cover depends on the attacker and the target")
@once
def cover(combat: Combat, attacker: Id, target: Id) -> Cover:
    """Return the target's cover from the attacker.

    SOV-LOS-04, SOV-LOS-05, SOV-LOS-06, SOV-LOS-07.
    """
    said = COVER.of(combat).get(f"{attacker}>{target}", Said()).cover
    if said is not None:
        return said
    line = view(combat, attacker, target)
    if line is None or not line.los or line.seen == 8:
        return "none"
    return "half" if line.seen else "full"


@rule("SOV-LOS-02", "Combatants are not solid and give no cover")
@rule("SOV-LOS-03", "Sight is tested between cubes in three dimensions")
@rule("SOV-LOS-08", "A line may touch a solid, but not run inside it or between two")
def view(combat: Combat, a: Id, b: Id) -> View | None:
    """Return the view from `a` to `b` by geometry alone (SOV-LOS-03, SOV-LOS-08).

    Combatants do not block the view (SOV-LOS-02). Return `None` if a position is missing.
    """
    combatant, other = combat[a], combat[b]
    if combatant.position is None or other.position is None:
        return None
    return looks(solids(combat), combatant.position, space(combatant), other.position, space(other))


# ---- seeing in the dark


@rule(
    "SOV-ATK-07",
    "A shot at an unseen target has −4, and a target that is not located cannot be shot at",
)
def sees(combat: Combat, viewer: Id, target: Id) -> bool:
    """Return true if `viewer` sees the target (SOV-ATK-07).

    The GM's ruling about darkness or invisibility decides. Without a ruling, the viewer sees every
    target unless a condition blinds it.
    """
    said = SIGHT.of(combat).get(f"{viewer}>{target}", Seen()).sees
    if said is not None:
        return said
    return not any(held.data.get("blinded") for held in combat[viewer].conditions)


def located(combat: Combat, viewer: Id, target: Id) -> bool:
    """Return true if `viewer` knows the target's exact place."""
    said = SIGHT.of(combat).get(f"{viewer}>{target}", Seen()).located
    return True if said is None else said
