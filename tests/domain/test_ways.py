"""Test that `ways` lists each reachable square once, with its cheapest path, by cost."""

from itertools import pairwise, product
from math import hypot, inf

import pytest

from domain.record.combat import Square
from domain.rulebook.grid import distance, is_step
from domain.rulebook.reachability import MOST, Ways, ways

HERE = (5, 5, 0)
WALL = {(6, y, 0) for y in range(3, 8)}
MUD = {(4, y, 0) for y in range(11)}


def a_space(at: Square, to: Square) -> float | None:
    return 1


def on_rough_ground(at: Square, to: Square) -> float | None:
    """Return the cost of a step: 1, or 1.5 on diagonals, doubled in mud. Walls give `None`."""
    if to in WALL:
        return None
    straight = at[0] == to[0] or at[1] == to[1]
    return (1 if straight else 1.5) * (2 if to in MUD else 1)


def as_the_crow_flies(at: Square, to: Square) -> float | None:
    return hypot(to[0] - at[0], to[1] - at[1])


def cheapest(limit: float) -> dict[Square, float]:
    """Return the lowest cost of each square on rough ground.

    The function lowers costs step by step until no cost drops.
    """
    field = [(x, y, 0) for x, y in product(range(-1, 12), repeat=2)]
    costs = {HERE: 0.0}
    while True:
        better = dict(costs)
        for at, to in product(costs, field):
            cost = on_rough_ground(at, to) if is_step(at, to) else None
            if cost is not None and costs[at] + cost <= limit:
                better[to] = min(better.get(to, inf), costs[at] + cost)
        if better == costs:
            del costs[HERE]
            return costs
        costs = better


def test_on_open_ground_every_square_is_found_once_the_nearest_first() -> None:
    reached = list(ways(Ways(HERE, 2, "spaces", a_space)))
    squares = [way.path[-1] for way in reached]
    assert sorted(squares) == sorted(
        (x, y, 0) for x, y in product(range(3, 8), repeat=2) if (x, y, 0) != HERE
    )
    assert [way.cost for way in reached] == [1] * 8 + [2] * 16
    assert all(way.cost == distance(HERE, way.path[-1]) == len(way.path) for way in reached)


@pytest.mark.parametrize("limit", [1, 2.5, 5])
def test_on_rough_ground_each_square_has_its_cheapest_way(limit: float) -> None:
    reached = list(ways(Ways(HERE, limit, "spaces", on_rough_ground)))
    assert len({way.path[-1] for way in reached}) == len(reached)
    assert {way.path[-1]: way.cost for way in reached} == cheapest(limit)
    for way in reached:
        steps = list(zip((HERE, *way.path), way.path, strict=False))
        assert all(is_step(at, to) for at, to in steps)
        assert sum(on_rough_ground(at, to) or 0 for at, to in steps) == way.cost


def test_straight_lines_cost_what_they_are_long() -> None:
    for way in ways(Ways(HERE, 4, "ft", as_the_crow_flies, straight=True)):
        assert way.cost == as_the_crow_flies(HERE, way.path[-1])


def test_so_many_squares_are_looked_at() -> None:
    reached = list(ways(Ways(HERE, inf, "spaces", a_space)))
    assert len(reached) == MOST - 1  # the limit includes the combatant's own square


def test_of_equal_ways_the_one_with_fewer_reactions() -> None:
    """Of three paths of two steps to `(7, 5)`, Affray lists the path that provokes nobody."""

    def provokes(at: Square, to: Square) -> tuple[str, ...]:
        return ("orc",) if at == (6, 5, 0) else ("orc", "imp") if at == (6, 4, 0) else ()

    reached = {way.path[-1]: way for way in ways(Ways(HERE, 2, "spaces", a_space, provokes))}
    assert reached[7, 5, 0].path == ((6, 6, 0), (7, 5, 0))
    assert reached[7, 5, 0].draws == ()
    assert reached[7, 3, 0].draws == (("orc", (6, 4, 0)), ("imp", (6, 4, 0)))  # no other way


def test_then_the_straight_one() -> None:
    reached = {way.path[-1]: way.path for way in ways(Ways(HERE, 4, "spaces", a_space))}
    assert reached[9, 5, 0] == ((6, 5, 0), (7, 5, 0), (8, 5, 0), (9, 5, 0))
    assert reached[9, 9, 0] == ((6, 6, 0), (7, 7, 0), (8, 8, 0), (9, 9, 0))
    for path in reached.values():
        steps = [(to[0] - at[0], to[1] - at[1]) for at, to in pairwise((HERE, *path))]
        assert sum(step != other for step, other in pairwise(steps)) <= 1
