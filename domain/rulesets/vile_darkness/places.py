"""Measure distances, and check paths and squares on the grid (VD-GRID, VD-SPACE).

Distances do not count for a combatant without a position.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import floor, sqrt
from typing import Annotated

from msgspec import Struct

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import AnyEvent, Moved
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.edges import Edges
from domain.rulebook.grid import distance, neighbours, written
from domain.rulebook.inputs import InputKind, PathInput, SquareInput, is_nowhere
from domain.rulebook.reachability import Ways
from domain.rulebook.ruleset import square
from domain.rulebook.secrecy import known_by, knows_of
from domain.rulesets.vile_darkness.facts import GAITS, Gait
from domain.rulesets.vile_darkness.numbers import engaged_with, fallen, map_of, sheet
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Mode

rule("VD-GRID-01", "A square is 5 ft × 5 ft", f"{__name__}.SQUARE_FT")
SQUARE_FT = 5  # VD-GRID-01


def _has_ways(combatant: Combatant) -> bool:
    return len(sheet(combatant).movement) > 1


OwnMode = Annotated[Mode, InputKind(matters=_has_ways)]


class Path(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A path of waypoints, or of the single waypoint `to`.

    Without a position, `distance_ft` replaces both.
    """

    path: PathInput = ()
    to: SquareInput | None = None
    distance_ft: Annotated[float, InputKind(matters=is_nowhere)] = 0


# ---- distance


@rule("VD-GRID-06", "A distance is measured from centre to centre")
def feet(a: Square, b: Square) -> float:
    """Return the straight distance in ft, from centre to centre (VD-GRID-06, GAP-29)."""
    return SQUARE_FT * sqrt(sum((here - there) ** 2 for here, there in zip(a, b, strict=True)))


def apart(combat: Combat, a: Id, b: Id) -> float | None:
    """Return the distance in ft between two combatants, or `None` if a position is missing."""
    here, there = combat[a].position, combat[b].position
    return None if here is None or there is None else feet(here, there)


def beside(here: Square | None, there: Square | None) -> bool:
    """Return true if two squares are equal or neighbours, also diagonally (GAP-30).

    The heights may differ by 1. If a position is missing, return true.
    """
    return here is None or there is None or distance(here, there) <= 1


def adjacent(combat: Combat, a: Id, b: Id) -> bool:
    """Return true if the two combatants are next to each other."""
    return beside(combat[a].position, combat[b].position)


# ---- squares


@rule("VD-GRID-02", "Two or more combatants may share a square")
def occupants(combat: Combat, at: Square) -> Iterator[Combatant]:
    """Return the combatants in a square that have not fallen (GAP-30, VD-GRID-02)."""
    return (combatant for combatant in combat if combatant.position == at and not fallen(combatant))


def edges(combat: Combat) -> Edges | None:
    """Return the edges of the map, from its two opposite corners (GAP-31, GAP-60)."""
    limits = map_of(combat).limits
    if limits is None:
        return None
    (ax, ay, *_), (bx, by, *_) = limits
    return Edges((min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by)), "VD-GRID-04")


def on_map(combat: Combat, at: Square) -> bool:
    """Return true if the square is inside the limits and not blocked (GAP-31, GAP-60)."""
    limits = edges(combat)
    if limits is not None and not limits.hold(at):
        return False
    return all(square(wall) != at for wall in map_of(combat).blocked)


@rule(
    "VD-GRID-03",
    "In a shared square, only combatants that are very small or able to share can fight",
)
def squeezed(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse to fight in a shared square, unless the combatants are very small or able to share.

    VD-GRID-03. Hidden combatants do not count, because a refusal would reveal them.
    """
    combatant = combat[who]
    if combatant.position is None:
        return
    known = known_by(combat, who)
    others = [other for other in occupants(known, combatant.position) if other.id != who]
    if others and not _shares(combatant) and not all(_shares(other) for other in others):
        detail = f"{combatant.name} shares its square with {others[0].name}"
        yield refuse("VD-GRID-03", "square-shared", detail, NO_FIELD)


def _shares(combatant: Combatant) -> bool:
    return sheet(combatant).very_small or sheet(combatant).can_share_square


@rule(
    "VD-SPACE-02",
    "A surrounded combatant cannot use a weapon of more than 4 ft, and allies also fill squares",
)
def has_room(combat: Combat, who: Id) -> bool:
    """Return true if a neighbouring square is open. Allies also fill squares (VD-SPACE-02).

    Combatants that are hidden from `who` do not count, because the answer would reveal them.
    """
    at = combat[who].position
    if at is None:
        return True
    combat = known_by(combat, who)
    return any(
        on_map(combat, near) and next(occupants(combat, near), None) is None
        for near in neighbours(at)
    )


# ---- paths


def way(combatant: Combatant, path: Path) -> tuple[Square, ...]:
    """Return the current square and the waypoints, or nothing without a position."""
    if combatant.position is None:
        return ()
    if path.path and path.to is not None:
        raise Malformed("/inputs/to", "give a path or the square where it ends, not both")
    points = [square(point, "/inputs/path") for point in path.path]
    if not points:
        points = [square(path.to, "/inputs/to")]
    return (combatant.position, *(point for point in points if point is not None))


def length(combatant: Combatant, path: Path) -> float:
    """Return the length of the path in ft, as the unrounded sum of its straight pieces (GAP-60)."""
    if combatant.position is None:
        return path.distance_ft
    points = way(combatant, path)
    return sum(feet(a, b) for a, b in itertools.pairwise(points))


def crossed(points: Sequence[Square]) -> list[Square]:
    """Return the squares that the path enters, in order."""
    squares: list[Square] = []
    for a, b in itertools.pairwise(points):
        squares += [step for step in _piece(a, b) if not squares or step != squares[-1]]
    return squares[1:] if squares and points and squares[0] == points[0] else squares


def _piece(a: Square, b: Square) -> tuple[Square, ...]:
    """Return the squares that a straight line crosses, in order."""
    (x, y, z), (bx, by, bz) = a, b
    steps = _line((bx - x, by - y, bz - z))
    return tuple((x + dx, y + dy, z + dz) for dx, dy, dz in steps)


@lru_cache(maxsize=4096)
def _line(end: Square) -> tuple[Square, ...]:
    """Return the squares that a straight line from the origin to `end` crosses, in order."""
    cuts = {Fraction(0), Fraction(1)}
    for far in end:
        for line in range(min(0, far) + 1, max(0, far) + 1):
            cuts.add((line - Fraction(1, 2)) / far)
    squares: list[Square] = []
    for first, last in itertools.pairwise(sorted(cuts)):
        at = (first + last) / 2
        x, y, z = (floor(Fraction(1, 2) + at * far) for far in end)
        squares.append((x, y, z))
    return tuple(squares)


def too_far(combatant: Combatant, path: Path, limit: float, rule: str) -> Iterator[Illegal]:
    """Refuse a path that is longer than `limit` in ft (`too-far`)."""
    far = length(combatant, path)
    if far > limit + 1e-9:
        detail = f"{far:g} ft is more than {limit:g} ft"
        yield Impossible(rule, "too-far", detail, pointer=f"/inputs/{said(combatant, path)}")


def said(combatant: Combatant, path: Path) -> str:
    """Return the input field that gives the distance."""
    if combatant.position is None:
        return "distance_ft"
    return "path" if path.path or path.to is None else "to"


@rule("VD-GRID-04", "Allies may pass each other's squares")
def in_the_way(combat: Combat, who: Id, path: Path) -> Iterator[Illegal]:
    """Refuse a path through a wall or a standing opponent.

    Allies do not bar the path (VD-GRID-04, GAP-60).
    """
    combatant = combat[who]
    for at in crossed(way(combatant, path)):
        blocked = next(not_passable(combat, combatant, at), None)
        if blocked is not None:
            if path.path or path.to is not None:  # without these inputs, no field is at fault
                blocked.pointer = f"/inputs/{said(combatant, path)}"
            yield blocked
            return


def not_passable(combat: Combat, combatant: Combatant, at: Square) -> Iterator[Illegal]:
    """Refuse a wall, or the square of an opponent that `combatant` knows of."""
    if not on_map(combat, at):
        yield refuse("VD-GRID-04", "path-blocked", f"nobody enters {written(at)}", NO_FIELD)
    for other in occupants(combat, at):
        if other.side != combatant.side and knows_of(combat, combatant.id, other.id):
            yield refuse("VD-GRID-04", "path-blocked", f"{other.name} stands in the way", NO_FIELD)


def until_somebody_hidden(
    combat: Combat, who: Id, squares: Sequence[Square]
) -> tuple[Sequence[Square], Combatant | None]:
    """Return the squares before the first hidden opponent, and that opponent or `None`."""
    combatant = combat[who]
    for number, at in enumerate(squares):
        for other in occupants(combat, at):
            if other.side != combatant.side and not knows_of(combat, who, other.id):
                return squares[:number], other
    return squares, None


def rate(combatant: Combatant, mode: Mode) -> int:
    """Return the rate in ft per round, or 0 for a mode that the sheet does not have (GAP-60)."""
    listed = sheet(combatant).movement.get(mode)
    return 0 if listed is None else listed.rate


def jostled(combat: Combat, who: Id, squares: Sequence[Square]) -> list[Id]:
    """Return the allies whose squares the path enters (VD-GRID-05)."""
    combatant = combat[who]
    return [
        other.id
        for at in squares
        for other in occupants(combat, at)
        if other.id != who and other.side == combatant.side
    ]


def moved(
    combatant: Combatant, squares: Sequence[Square], ft: float, mode: Mode, rule: str
) -> Iterator[AnyEvent]:
    """Yield the events that move the combatant and add the distance to this round (VD-CONC-05)."""
    if squares:
        yield Moved(combatant.id, tuple(squares), mode=mode, rules=(rule,))
    if ft:
        gaits = (*GAITS.of(combatant), Gait(mode, ft))
        yield GAITS.set(combatant.id, gaits, rules=("VD-CONC-05",))


@rule(
    "VD-CONC-05",
    "A combatant that maintains an ability walks at half rate, or flies or swims natively in full",
)
def too_much_to_maintain(combatant: Combatant) -> bool:
    """Return true if the combatant has moved too far in this round to maintain an ability.

    The limit is half the rate, or the full rate for native flying or swimming (VD-CONC-05).
    """
    share = 0.0
    for gait in GAITS.of(combatant):
        listed = sheet(combatant).movement.get(gait.mode)  # type: ignore[call-overload]
        if listed is None or listed.rate == 0:
            return True  # the sheet no longer has this mode
        whole = listed.native and gait.mode != "walk"
        share += gait.ft / (listed.rate if whole else listed.rate / 2)
    return share > 1 + 1e-9


def ways(combat: Combat, who: Id, limit: float) -> Ways | None:
    """Return the search for straight paths around walls and opponents (VD-GRID-04, VD-GRID-06).

    Opponents in melee with the combatant may strike when it leaves.
    """
    combatant = combat[who]
    if combatant.position is None:
        return None

    @cache
    def barred(at: Square) -> bool:
        return next(not_passable(combat, combatant, at), None) is not None

    def cost(at: Square, to: Square) -> float | None:
        return None if any(map(barred, crossed((at, to)))) else feet(at, to)

    def provokes(at: Square, to: Square) -> tuple[Id, ...]:
        return engaged_with(combatant) if at == combatant.position else ()

    return Ways(combatant.position, limit, "ft", cost, provokes, straight=True)


def candidates(combat: Combat, who: Id, limit: float) -> Iterator[Mapping[str, Json]]:
    """Propose a step in each direction and some longer moves.

    Without a position, propose a distance of 5 ft.
    """
    at = combat[who].position
    if at is None:
        yield {"distance_ft": min(5, limit)}
        return
    goals = [near for near in neighbours(at) if feet(at, near) <= limit]
    if limit >= 20:
        goals += [(at[0] + dx, at[1] + dy, at[2]) for dx, dy in ((3, 0), (0, 3), (-3, 0), (0, -3))]
    yield from to_free_squares(combat, who, goals)


def to_free_squares(
    combat: Combat, who: Id, goals: Iterable[Square]
) -> Iterator[Mapping[str, Json]]:
    """Propose a straight path to each of these squares in which `who` knows of no combatant.

    A shared square is legal but no place to fight (VD-GRID-02, VD-GRID-03).
    """
    known = known_by(combat, who)
    for goal in goals:
        if next(occupants(known, goal), None) is None:
            yield {"path": [list(goal)]}
