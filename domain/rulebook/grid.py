"""The grid: distances, steps, straight paths and directions between squares of 5 ft.

A footprint is a cube of `size` squares a side above its lowest corner. A diagonal step counts as 1.
All numbers are whole squares. This module knows no rulebook.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Square
from domain.rulebook.fields import Picture

Vector = tuple[int, int]

Extent = Annotated[int, Meta(ge=1, le=10_000)]


Place = Annotated[float, Meta(ge=-10_000, le=10_000)]


class Background(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A picture below the grid. It keeps its proportions."""

    picture: Picture
    left: Annotated[Place, Meta(description="Distance of its left edge from x = 0, in squares")] = 0
    top: Annotated[Place, Meta(description="Distance of its upper edge from y = 0, in squares")] = 0
    columns: Annotated[
        float, Meta(gt=0, le=10_000, description="Width in squares, perhaps a fraction")
    ] = 20


class GroundMap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields that the maps of all rulebooks have."""

    background: Annotated[
        Background | None, Meta(description="Picture below the grid; `null` for none")
    ] = None


class PlainMap(GroundMap, frozen=True, forbid_unknown_fields=True):
    """The map of a rulebook that has no rules about maps."""

    name: Annotated[str, Meta(max_length=120)] = ""
    width: Extent | None = None
    height: Extent | None = None


def square(at: Sequence[int] | None) -> Square | None:
    """Return `[x, y]` or `[x, y, z]` as a square, or `None` for any other value.

    Each coordinate must be within ±10000.
    """
    if at is None or len(at) not in (2, 3) or any(abs(part) > 10_000 for part in at):
        return None
    return (at[0], at[1], at[2] if len(at) == 3 else 0)


def written(at: Sequence[float]) -> str:
    """Return a square as a text for people, such as "(3, −1)". It omits a height of 0."""
    flat = len(at) == 3 and not at[2]
    parts = [f"{part:g}".replace("-", "−") for part in (at[:2] if flat else at)]
    return f"({', '.join(parts)})"


def squares(path: Sequence[Sequence[int]]) -> tuple[Square, ...] | None:
    """Return the squares of a path, or `None` if an element is not a square."""
    entered = tuple(step for at in path if (step := square(at)) is not None)
    return entered if len(entered) == len(path) else None


def distance(a: Square, b: Square, size_a: int = 1, size_b: int = 1) -> int:
    """Return the distance of two footprints in squares: 0 if they overlap, 1 if adjacent."""
    ax, ay, az = a
    bx, by, bz = b
    before, behind = size_a - 1, size_b - 1
    return max(
        bx - ax - before, ax - bx - behind,
        by - ay - before, ay - by - behind,
        bz - az - before, az - bz - behind,
        0,
    )  # fmt: skip


def overlap(a: Square, b: Square, size_a: int, size_b: int) -> bool:
    """Return true if two footprints share a cube."""
    ax, ay, az = a
    bx, by, bz = b
    return -size_b < bx - ax < size_a and -size_b < by - ay < size_a and -size_b < bz - az < size_a


def footprint(at: Square, size: int) -> Iterator[Square]:
    """Yield the cubes of a footprint."""
    for dz in range(size):
        for dy in range(size):
            for dx in range(size):
                yield (at[0] + dx, at[1] + dy, at[2] + dz)


def is_step(a: Square, b: Square) -> bool:
    """Return true if `b` is one of the neighbours of `a`."""
    return a != b and distance(a, b) == 1


def neighbours(at: Square) -> tuple[Square, ...]:
    """Return the eight squares around `at` on its plane, clockwise from the north-west."""
    x, y, z = at
    around = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
    return tuple((x + dx, y + dy, z) for dx, dy in around)


def straight(first: Square, last: Square) -> tuple[Square, ...]:
    """Return the squares that a straight path enters. Round halves away from zero."""
    most = max(abs(last[axis] - first[axis]) for axis in range(3))

    def at(axis: int, i: int) -> int:
        part = first[axis] * most + i * (last[axis] - first[axis])
        sign = -1 if part < 0 else 1
        return sign * ((2 * abs(part) + most) // (2 * most))

    return tuple((at(0, i), at(1, i), at(2, i)) for i in range(1, most + 1))


def is_behind(facing: Vector, target: Square, other: Square, size: int, other_size: int) -> bool:
    """Return true if `other` is 135° or more away from the direction that `target` faces.

    The angle is measured between the centres, in the plane. To use only integers, the test replaces
    cos ≤ −√½ by dot < 0 and 2·dot² ≥ |f|²·|d|².
    """
    dx = 2 * other[0] + other_size - 2 * target[0] - size
    dy = 2 * other[1] + other_size - 2 * target[1] - size
    dot = facing[0] * dx + facing[1] * dy
    lengths = (facing[0] ** 2 + facing[1] ** 2) * (dx * dx + dy * dy)
    return dot < 0 and 2 * dot * dot >= lengths
