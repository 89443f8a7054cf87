"""Test lines of sight between solids against an exhaustive check of points and cubes.

The check computes every point, line and cube in fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest

from domain.record.combat import Square
from domain.rulebook.grid import (
    distance,
    footprint,
    is_behind,
    is_step,
    neighbours,
    overlap,
    straight,
)
from domain.rulebook.sight import (
    GROUND,
    HIGH,
    Point,
    Solid,
    Touch,
    View,
    free,
    looks,
    meets,
    reaches,
)

Box = tuple[Point, Point]


# ---- one line and one box


def moments(start: Point, end: Point, box: Box) -> tuple[list[Fraction], list[Fraction]]:
    """Return where the line enters and leaves the box on each axis, as parts of its length."""
    into, out = [], []
    for axis in range(3):
        step = end[axis] - start[axis]
        if step:
            at = sorted(Fraction(box[side][axis] - start[axis], step) for side in (0, 1))
            into.append(at[0])
            out.append(at[1])
    return into, out


def met(start: Point, end: Point, box: Box) -> str:
    """Return how the line meets the box: "inside", "touch" or "not at all"."""
    into, out = moments(start, end, box)
    first, last = max([Fraction(0), *into]), min([Fraction(1), *out])
    still = [axis for axis in range(3) if start[axis] == end[axis]]
    if first > last or any(not box[0][a] <= start[a] <= box[1][a] for a in still):
        return "not at all"
    within = all(box[0][a] < start[a] < box[1][a] for a in still)
    return "inside" if within and (first < last or start == end) else "touch"


def lines(number: int) -> Iterator[tuple[Point, Point, Box]]:
    random = Random(number)

    def point() -> Point:
        return random.randint(-3, 3), random.randint(-3, 3), random.randint(-3, 3)

    while True:
        low, size = point(), [random.randint(1, 3) for _ in range(3)]
        yield point(), point(), (low, (low[0] + size[0], low[1] + size[1], low[2] + size[2]))


def test_a_line_is_inside_a_box_or_touches_it_or_misses_it() -> None:
    counts = {"inside": 0, "touch": 0, "not at all": 0}
    for _, (start, end, box) in zip(range(3000), lines(1), strict=False):
        how = met(start, end, box)
        counts[how] += 1
        result = meets(start, end, box)
        if how != "touch":
            assert result == ("inside" if how == "inside" else None), (start, end, box)
            continue
        assert isinstance(result, Touch), (start, end, box)
        into, out = moments(start, end, box)
        first, last = max([Fraction(0), *into]), min([Fraction(1), *out])
        assert (Fraction(*result.start), Fraction(*result.stop)) == (first, last)
        for axis in range(3):
            if start[axis] == end[axis]:
                side = (start[axis] == box[0][axis]) - (start[axis] == box[1][axis])
                assert result.sides.get(axis, 0) == side
            else:
                at = sorted(
                    Fraction(box[side][axis] - start[axis], end[axis] - start[axis])
                    for side in (0, 1)
                )
                assert (axis in result.enters) == (at[0] == first)
                assert (axis in result.leaves) == (at[1] == last)
    assert min(counts.values()) > 100


# ---- between two boxes that touch

WEST: Box = ((-4, -4, -4), (0, 4, 4))
EAST: Box = ((0, -4, -4), (4, 4, 4))


@pytest.mark.parametrize(
    ("start", "end", "other", "is_free"),
    [
        ((0, -9, 0), (0, 9, 0), EAST, False),  # along their common face
        ((0, -9, 0), (0, -5, 0), EAST, True),  # it ends before
        ((0, -9, 4), (0, 9, 4), EAST, True),  # over both roofs
        # a crack between an upper and a lower box
        ((0, -9, 4), (0, 9, 4), ((0, -4, 4), (4, 4, 8)), True),
        ((0, -9, 0), (0, 9, 0), ((0, 4, -4), (4, 8, 4)), False),  # corner to corner
        ((0, -9, 0), (0, 9, 0), ((0, 5, -4), (4, 8, 4)), True),  # past one box, then past the other
        ((0, -9, 0), (0, 9, 0), ((0, 3, -4), (4, 8, 4)), False),  # past both at once
        ((0, -9, 0), (0, 9, 0), ((-4, 4, -4), (0, 8, 4)), True),  # both on the same side
        ((0, -9, 0), (0, 9, 0), ((0, -4, -4), (4, 4, 0)), True),  # on a step before a wall
        ((0, -9, 0), (0, 9, 0), ((0, -9, -9), (4, 9, 9)), False),  # past a longer box
    ],
)
def test_along_the_face_of_two_boxes(start: Point, end: Point, other: Box, is_free: bool) -> None:
    for way in ((start, end), (end, start)):
        for boxes in ([WEST, other], [other, WEST]):
            assert free(*way, boxes) is is_free


def test_through_the_edge_at_which_two_boxes_meet() -> None:
    """No line passes between boxes that meet at an edge, from any side."""
    south_west: Box = ((-4, -4, -4), (0, 0, 4))
    north_east: Box = ((0, 0, -4), (4, 4, 4))
    through: tuple[Point, Point] = ((-4, 4, 0), (4, -4, 0))
    for start, end in (through, through[::-1]):
        assert free(start, end, [south_west])
        assert free(start, end, [north_east])
        assert not free(start, end, [south_west, north_east])
        assert not free(start, end, [north_east, south_west])
        beside: Box = ((-4, -4, -4), (-1, -1, 4))
        assert free(start, end, [beside, north_east])
    # over the tops of both boxes, which meet in a point
    assert free((-4, 4, 3), (4, -4, 5), [south_west, north_east])
    assert free((-4, 4, 3), (4, -4, 5), [south_west, ((0, 0, 4), (4, 4, 8))])
    assert free((-4, 4, 4), (4, -4, 4), [south_west, north_east])
    # through one edge, then through another
    assert free((-4, 4, 0), (6, -6, 0), [south_west, ((2, -2, -4), (4, 4, 4))])


def test_where_four_boxes_meet() -> None:
    """No line passes along the edge that four boxes share, whatever their order."""
    four: list[Box] = [((x, y, -4), (x + 4, y + 4, 4)) for x, y in product((-4, 0), repeat=2)]
    for some in permutations(four):
        assert not free((0, 0, -9), (0, 0, 9), some)
        assert free((0, 0, -9), (0, 0, 9), some[:3])  # along the fourth
    assert not free((0, 0, -9), (0, 0, 9), [*four[:3], ((0, 0, 4), (4, 4, 8))])  # a bend in a shaft
    assert free((0, 0, -9), (0, 0, 9), [*four[:3], ((0, 0, 5), (4, 4, 8))])  # a wider bend


def test_nothing_or_one_box_stands_in_between() -> None:
    assert free((0, -9, 0), (0, 9, 0), [])
    assert free((0, -9, 0), (0, 9, 0), [WEST])
    assert not free((-9, 0, 0), (9, 0, 0), [EAST])
    assert not free((-9, 0, 0), (9, 0, 0), [((20, 0, 0), (21, 1, 1)), EAST])


# ---- from cube to cube

FINE = 840
"""A scale at which every coordinate of these tests is an integer."""


def points(at: Square, size: Fraction | int, steps: Sequence[int]) -> list[Point]:
    corners = []
    for i, j, k in product(steps, repeat=3):
        x, y, z = (FINE * at[axis] + FINE * size * part / 2 for axis, part in enumerate((i, j, k)))
        corners.append((int(x), int(y), int(z)))
    return corners


def boxes(solids: Sequence[Solid]) -> list[Box]:
    return [
        tuple(tuple(int(part * FINE) for part in end) for end in solid)  # type: ignore[misc]
        for solid in (*solids, GROUND)
    ]


def seen(solids: Sequence[Solid], a: Square, size_a: int, b: Square, size_b: int) -> View:
    """Return the view by checking each line."""
    every, eyes = boxes(solids), points(a, size_a, (0, 1, 2))
    corners = sum(
        any(free(eye, corner, every) for eye in eyes) for corner in points(b, size_b, (0, 2))
    )
    body = points(b, size_b, (0, 1, 2))
    return View(any(free(eye, point, every) for eye in eyes for point in body), corners)


def solid(*bounds: Fraction | float) -> Solid:
    x, y, z, to_x, to_y, to_z = (Fraction(bound) for bound in bounds)
    return (x, y, z), (to_x, to_y, to_z)


THIRD = Fraction(1, 3)

SCENES: dict[str, tuple[list[Solid], Square, int, Square, int]] = {
    "nothing": ([], (0, 0, 0), 1, (3, 1, 0), 1),
    "a wall": ([solid(2, -9, 0, 3, 9, HIGH)], (0, 0, 0), 1, (4, 0, 0), 1),
    "half a wall": ([solid(2, -9, 0, 3, Fraction(1, 2), HIGH)], (0, 0, 0), 1, (4, 0, 0), 1),
    "a low wall": ([solid(2, -9, 0, 2 + THIRD, 9, THIRD)], (0, 0, 0), 1, (4, 0, 0), 1),
    "a low wall before a giant": ([solid(2, -9, 0, 3, 9, 1)], (0, 0, 0), 1, (4, -1, 0), 3),
    "from a giant": ([solid(3, -9, 0, 4, 9, 1)], (0, -1, 0), 3, (4, 0, 0), 1),
    "a slit": (
        [solid(2, -9, 0, 3, THIRD, HIGH), solid(2, 2 * THIRD, 0, 3, 9, HIGH)],
        (0, 0, 0), 1, (9, 0, 0), 1,
    ),
    "a slit between, in the middle": (
        [solid(1, -9, 0, 8, THIRD, HIGH), solid(1, 2 * THIRD, 0, 8, 9, HIGH)],
        (0, 0, 0), 1, (9, 0, 0), 1,
    ),
    "two that touch, at the side": (
        [solid(1, -2, 0, 3, 0, HIGH), solid(1, 0, 0, 3, 1, HIGH)],
        (0, 0, 0), 1, (4, 0, 0), 1,
    ),
    "above one another": ([solid(0, 0, 1, 1, 1, 2)], (0, 0, 0), 1, (0, 0, 3), 1),
    "from the roof": ([solid(-1, -1, 0, 1, 1, 2)], (0, 0, 2), 1, (2, 0, 0), 1),
    "behind, to the south": ([solid(-9, -2, 0, 9, -1, HIGH)], (0, 0, 0), 1, (1, -3, 0), 1),
    "below the ground": ([], (0, 0, -2), 1, (2, 0, 0), 1),
    "half in the ground": ([], (0, 0, -1), 2, (2, 0, 0), 1),
    "in a pit, one beside the other": ([], (0, 0, -1), 1, (2, 0, -1), 1),
    "a ledge overhead": ([solid(-9, -9, 1, 9, 9, 2)], (0, 0, 0), 1, (2, 0, 1), 2),
}  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
def test_what_one_cube_sees_of_another(scene: str) -> None:
    solids, a, size_a, b, size_b = SCENES[scene]
    assert looks(solids, a, size_a, b, size_b) == seen(solids, a, size_a, b, size_b)
    assert looks(solids, b, size_b, a, size_a) == seen(solids, b, size_b, a, size_a)


def test_what_is_seen_by_hand() -> None:
    """The view counts the visible corners of a cube.

    All eight are visible in the open, and none behind a wall.
    """
    views = {scene: looks(*expected) for scene, expected in SCENES.items()}
    assert views["nothing"] == (True, 8)
    assert views["a wall"] == (False, 0)
    assert views["below the ground"] == (False, 0)
    assert views["a slit between, in the middle"].seen == 0
    assert views["a slit between, in the middle"].los  # to the middle of a face


@pytest.mark.parametrize("scene", SCENES)
def test_an_edge_of_the_grid_and_a_cube(scene: str) -> None:
    solids, corner, _, to, size = SCENES[scene]
    for at in (corner, (corner[0], corner[1] + 1, corner[2]), (corner[0] + 1, *corner[1:])):
        every, body = boxes(solids), points(to, size, (0, 1, 2))
        x, y, z = (FINE * part for part in at)
        edge = [(x, y, z + half * FINE // 2) for half in (0, 1, 2)]
        reached = any(free(eye, point, every) for eye in edge for point in body)
        assert reaches(solids, at, to, size) == reached


# ---- the grid


def cubes(at: Square, size: int) -> set[Square]:
    return {(at[0] + x, at[1] + y, at[2] + z) for x, y, z in product(range(size), repeat=3)}


def test_a_footprint_is_its_cubes() -> None:
    for size in (1, 2, 3):
        covered = list(footprint((4, -1, 7), size))
        assert set(covered) == cubes((4, -1, 7), size)
        assert len(covered) == size**3


def test_how_far_footprints_are_apart() -> None:
    for size_a, size_b in product((1, 2, 3), repeat=2):
        for b in product(range(-4, 5, 2), range(-4, 5, 3), (-3, 0, 1, 3)):
            a = (1, -1, 2)
            ours, theirs = cubes(a, size_a), cubes(b, size_b)
            near = min(
                max(abs(our[axis] - other[axis]) for axis in range(3))
                for our in ours
                for other in theirs
            )
            assert distance(a, b, size_a, size_b) == near
            assert overlap(a, b, size_a, size_b) == bool(ours & theirs)


def test_a_step_leads_to_a_neighbour() -> None:
    around = neighbours((5, 5, 2))
    assert around == (
        (4, 4, 2), (5, 4, 2), (6, 4, 2), (6, 5, 2), (6, 6, 2), (5, 6, 2), (4, 6, 2), (4, 5, 2),
    )  # fmt: skip
    assert all(is_step((5, 5, 2), square) for square in around)
    assert is_step((5, 5, 2), (5, 5, 3))
    assert not is_step((5, 5, 2), (5, 5, 2))
    assert not is_step((5, 5, 2), (7, 5, 2))


def test_a_straight_way_rounds_halves_away_from_zero() -> None:
    for last in product((-5, -2, 0, 1, 4), (-3, 0, 2, 5), (-1, 0, 2)):
        for first in ((0, 0, 0), (-3, 2, 1)):
            most = max(abs(last[axis] - first[axis]) for axis in range(3))
            way = []
            for i in range(1, most + 1):
                exact = [first[a] + Fraction(i * (last[a] - first[a]), most) for a in range(3)]
                way.append(
                    tuple(int(abs(part) + Fraction(1, 2)) * (-1) ** (part < 0) for part in exact)
                )
            assert straight(first, last) == tuple(way)


@pytest.mark.parametrize(
    ("facing", "behind"),
    [
        # facing north (0, -1), three squares are behind at a distance of 1, and five at 2
        ((0, -1), {(-1, 1), (0, 1), (1, 1), (-2, 2), (-1, 2), (0, 2), (1, 2), (2, 2)}),
        ((1, 1), {(-1, 0), (-1, -1), (0, -1), (-2, -2), (-2, -1), (-2, 0), (-1, -2), (0, -2)}),
        ((-1, 0), {(1, -1), (1, 0), (1, 1), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)}),
    ],
)
def test_who_stands_behind(facing: tuple[int, int], behind: set[tuple[int, int]]) -> None:
    around = {
        (x, y)
        for x, y in product(range(-2, 3), repeat=2)
        if is_behind(facing, (3, 5, 0), (3 + x, 5 + y, 0), 1, 1)
    }
    assert around == behind


def test_behind_begins_at_135_degrees() -> None:
    assert is_behind((0, -1), (0, 0, 0), (4, 4, 0), 1, 1)
    assert not is_behind((0, -1), (0, 0, 0), (4, 3, 0), 1, 1)  # 127°
    assert not is_behind((0, -1), (0, 0, 0), (0, 0, 1), 1, 1)  # above it


def test_behind_is_measured_from_centre_to_centre() -> None:
    """The angle is measured from the giant's centre to the centre of the other square.

    A giant of 2 × 2 squares at `[0, 0]` has its centre at `[1, 1]`. The centre of the square
    `[0, 2]` is half a square west and one and a half squares south of that point.
    """
    assert is_behind((0, -1), (0, 0, 0), (0, 2, 0), 2, 1)
    assert is_behind((0, -1), (0, 0, 0), (2, 2, 0), 2, 1)  # 1½ east, 1½ south: exactly 135°
    assert not is_behind((0, -1), (0, 0, 0), (3, 2, 0), 2, 1)  # 2½ east
    assert not is_behind((0, -1), (0, 0, 0), (1, 0, 0), 1, 2)  # 1½ east, ½ south
    assert is_behind((0, -1), (0, 0, 0), (-1, 1, 0), 1, 2)  # ½ west, 1½ south
