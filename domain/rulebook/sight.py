"""Lines of sight between cubes past solids, in three dimensions, with exact fractions.

- All numbers are integers, so that every machine gets the same result. Coordinates are scaled by
  their common denominator. Positions along a line are compared as fractions.
- A line that only touches a solid is free. A line inside a solid, or between two solids that touch,
  is blocked.
- This module knows no rulebook.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product, starmap
from math import lcm
from typing import Literal, NamedTuple

from domain.record.combat import Square

Corner = tuple[Fraction, Fraction, Fraction]
Solid = tuple[Corner, Corner]
"""Lowest and highest corner of a box, in squares."""

Point = tuple[int, int, int]

HIGH = Fraction(100_000)
"""The height of the top of a full wall."""

GROUND: Solid = ((-HIGH, -HIGH, -HIGH), (HIGH, HIGH, HIGH * 0))
"""Everything below z = 0."""


class View(NamedTuple):
    """The view from one cube to another: its line of sight, and the number of visible corners."""

    los: bool
    seen: int


def looks(solids: Sequence[Solid], a: Square, size_a: int, b: Square, size_b: int) -> View:
    """Return the view along 27 × 27 lines between two cubes, and along lines to 8 corners."""
    low = [min(a[axis], b[axis]) for axis in range(3)]
    high = [max(a[axis] + size_a, b[axis] + size_b) for axis in range(3)]
    near = in_between(solids, low, high)
    if near == (GROUND,) and low[2] >= 0:
        return View(True, 8)
    return _looks(near, a, size_a, b, size_b)


@lru_cache(maxsize=4096)
def _looks(near: tuple[Solid, ...], a: Square, size_a: int, b: Square, size_b: int) -> View:
    """Return the view. `near` has only the solids in between, so that the cache has more hits."""
    scale = 2 * lcm(*(part.denominator for solid in near for end in solid for part in end))
    boxes = [_scaled(solid, scale) for solid in near]
    eyes = _points(a, size_a, scale, (0, 1, 2))
    seen = sum(
        any(free(eye, corner, boxes) for eye in eyes)
        for corner in _points(b, size_b, scale, (0, 2))
    )
    if seen:
        return View(True, seen)
    body = _points(b, size_b, scale, (0, 1, 2))
    return View(any(free(eye, point, boxes) for eye in eyes for point in body), 0)


def reaches(solids: Sequence[Solid], corner: Square, to: Square, size: int) -> bool:
    """Return true if a free line joins a cube to the vertical edge at a corner of the grid."""
    low = [min(corner[axis], to[axis]) for axis in range(3)]
    high = [max(corner[axis] + 1, to[axis] + size) for axis in range(3)]
    return _reaches(in_between(solids, low, high), corner, to, size)


@lru_cache(maxsize=4096)
def _reaches(near: tuple[Solid, ...], corner: Square, to: Square, size: int) -> bool:
    scale = 2 * lcm(*(part.denominator for solid in near for end in solid for part in end))
    boxes = [_scaled(solid, scale) for solid in near]
    x, y, z = (part * scale for part in corner)
    eyes = [(x, y, z + half * scale // 2) for half in (0, 1, 2)]
    body = _points(to, size, scale, (0, 1, 2))
    return any(free(eye, point, boxes) for eye in eyes for point in body)


def in_between(
    solids: Sequence[Solid], low: Sequence[int], high: Sequence[int]
) -> tuple[Solid, ...]:
    """Return the solids, including the ground, that a line inside these bounds can meet."""
    return tuple(
        solid
        for solid in (*solids, GROUND)
        if all(solid[0][axis] <= high[axis] and solid[1][axis] >= low[axis] for axis in range(3))
    )


def _scaled(solid: Solid, scale: int) -> tuple[Point, Point]:
    low, high = (tuple(int(part * scale) for part in end) for end in solid)
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _points(at: Square, size: int, scale: int, halves: Sequence[int]) -> list[Point]:
    """Return the points of a cube at these halves of its side, on each axis."""
    half = scale // 2
    return [
        (
            at[0] * scale + i * half * size,
            at[1] * scale + j * half * size,
            at[2] * scale + k * half * size,
        )
        for i, j, k in product(halves, repeat=3)
    ]


class Touch(NamedTuple):
    """A line that touches a box, from `start` to `stop` (fractions of the line).

    - `sides`: for each axis whose face the line runs along, +1 or −1 for the side of the box.
    - `enters`, `leaves`: the axes by which the line would enter and leave the box.
    """

    start: tuple[int, int]
    stop: tuple[int, int]
    sides: dict[int, int]
    enters: frozenset[int]
    leaves: frozenset[int]


def free(start: Point, end: Point, boxes: Sequence[tuple[Point, Point]]) -> bool:
    """Return true if no solid blocks the line. A line may touch a solid, but not enter it."""
    touches: list[Touch] = []
    for box in boxes:
        met = meets(start, end, box)
        if met == "inside":
            return False
        if isinstance(met, Touch):
            touches.append(met)
    return len(touches) < 2 or not _between(touches)


def meets(start: Point, end: Point, box: tuple[Point, Point]) -> Touch | Literal["inside"] | None:
    """Return `inside` for a line inside the box, or else its touch, or `None` if it misses."""
    first, last = (0, 1), (1, 1)
    enters: list[int] = []
    leaves: list[int] = []
    sides: dict[int, int] = {}
    for axis in range(3):
        at, step = start[axis], end[axis] - start[axis]
        low, high = box[0][axis], box[1][axis]
        if step == 0:
            if at < low or at > high:
                return None
            if at == low:
                sides[axis] = 1
            elif at == high:
                sides[axis] = -1
            continue
        into, out = (low - at, high - at) if step > 0 else (at - high, at - low)
        length = abs(step)
        if into * first[1] > first[0] * length:
            first, enters = (into, length), [axis]
        elif into * first[1] == first[0] * length:
            enters.append(axis)
        if out * last[1] < last[0] * length:
            last, leaves = (out, length), [axis]
        elif out * last[1] == last[0] * length:
            leaves.append(axis)
    order = first[0] * last[1] - last[0] * first[1]
    if order > 0:
        return None
    if not sides and (order < 0 or start == end):
        return "inside"
    return Touch(first, last, sides, frozenset(enters), frozenset(leaves))


def _between(touches: Sequence[Touch]) -> bool:
    """Return true if the line runs in a common face of solids that touch, or in a crack.

    Every small shift would then move the line into a solid.
    """
    along = [touch for touch in touches if _time(touch.start) < _time(touch.stop)]
    return any(starmap(_is_crack, combinations(touches, 2))) or any(
        _all_around([touch for touch in along if _time(touch.start) <= now <= _time(touch.stop)])
        for now in {_time(touch.start) for touch in along}
    )


def _all_around(touches: Sequence[Touch]) -> bool:
    """Return true if the line runs along boxes that surround it on every side."""
    axes = {axis for touch in touches for axis in touch.sides}
    return all(
        any(touch.sides.items() <= set(beside) for touch in touches)
        for beside in product(*(((axis, 1), (axis, -1)) for axis in axes))
    )


def _is_crack(touch: Touch, other: Touch) -> bool:
    """Return true if the line goes through the edge at which two boxes meet.

    Such a line enters one box along the axis along which it leaves the other box.
    """
    return (
        _time(touch.start) == _time(other.start)
        and not (touch.sides or other.sides)
        and len(touch.enters) == len(touch.leaves) == 1
        and (touch.enters, touch.leaves) == (other.leaves, other.enters)
    )


def _time(moment: tuple[int, int]) -> float:
    return moment[0] / moment[1]
