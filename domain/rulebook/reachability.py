"""Reachability: the squares that a combatant can reach, their costs, and the reactions.

A rulebook gives the cost of each step, or reports that the step is impossible. The search is the
same for all rulebooks. Its results are only proposals: the refusals of the action decide.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal

from msgspec.structs import replace

from domain.record.combat import Combat, Id, Square
from domain.rulebook.grid import neighbours
from domain.rulebook.state_cache import Lent

MOST = 1000
"""The largest number of squares in a search, nearest first."""

CLOSE = 1e-9
"""The largest difference between equal costs."""


def _nobody(at: Square, to: Square) -> Iterable[Id]:
    return ()


@dataclass(frozen=True)
class Ways:
    """The movement of an action.

    - `start`: the current square.
    - `limit`: the length of the longest path, in `unit`.
    - `cost(at, to)`: returns the cost of a step, or `None` if the step is impossible.
    - `provokes(at, to)`: returns the combatants that may react to the step.
    - `straight`: true if the action moves in straight lines between waypoints. `cost` must then
      also accept squares that are not neighbours.
    """

    start: Square
    limit: float
    unit: Literal["ft", "spaces"]
    cost: Callable[[Square, Square], float | None]
    provokes: Callable[[Square, Square], Iterable[Id]] = _nobody
    straight: bool = False


@dataclass(frozen=True)
class Way:
    """The best path to a square, as the squares to name in the inputs.

    The best path is the cheapest. Of several cheapest paths, it provokes the fewest reactions, and
    then has the fewest turns. `draws` has the combatants that may react, each with the square where
    the provoking step begins.
    """

    path: tuple[Square, ...]
    cost: float
    draws: tuple[tuple[Id, Square], ...] = ()


@dataclass(frozen=True)
class _Best:
    """The best path to a square so far, with its reactions and its number of turns."""

    before: Square | None
    draws: Mapping[Id, Square]
    turns: int = 0
    heading: tuple[int, ...] = ()


def ways(how: Ways) -> Iterator[Way]:
    """Yield the best path to every square within the limit, nearest first."""
    costs: dict[Square, float] = {how.start: 0.0}
    origins: dict[Square, list[Square]] = {how.start: []}
    best: dict[Square, _Best] = {}
    waiting: list[tuple[float, Square]] = [(0.0, how.start)]
    while waiting and len(best) < MOST:
        far, at = heappop(waiting)
        if at in best:
            continue
        best[at] = _best(how, best, origins[at], at)
        if at != how.start:
            yield Way(_path(best, at), far, tuple(best[at].draws.items()))
        before = best[at].before
        near = (at,) if before is None or not how.straight else (before, at)
        for to in neighbours(at):
            for origin in near if to not in best else ():
                cost = None if origin == to else how.cost(origin, to)
                if cost is None or costs[origin] + cost > how.limit + CLOSE:
                    continue
                cost += costs[origin]
                if to in costs and cost > costs[to] + CLOSE:
                    continue
                if to not in costs or cost < costs[to] - CLOSE:
                    costs[to], origins[to] = cost, []
                    heappush(waiting, (cost, to))
                origins[to].append(origin)


def _best(how: Ways, best: Mapping[Square, _Best], origins: Sequence[Square], at: Square) -> _Best:
    """Return the best path to `at`.

    Each of `origins` is the square before `at` on a cheapest path.
    """
    if not origins:
        return _Best(None, {})
    over = [_over(how, best[origin], origin, at) for origin in dict.fromkeys(origins)]
    return min(over, key=lambda way: (len(way.draws), way.turns, way.before))


def _over(how: Ways, before: _Best, origin: Square, at: Square) -> _Best:
    """Return the path to `at` over the square `origin`, which comes just before `at`."""
    draws = dict(before.draws)
    for who in how.provokes(origin, at):
        draws.setdefault(who, origin)
    heading = tuple(there - here for here, there in zip(origin, at, strict=True))
    turns = before.turns + (how.straight or heading != before.heading)
    return _Best(origin, draws, turns, heading)


def _path(best: Mapping[Square, _Best], at: Square) -> tuple[Square, ...]:
    steps = [at]
    while (before := best[steps[-1]].before) is not None:
        steps.append(before)
    return tuple(reversed(steps[:-1]))


def standing(combat: Combat, who: Id, at: Square) -> Combat:
    """Return the combat as if `who` were at `at`, to apply the rules to a later step."""
    if isinstance(combat, Lent):
        there: Combat = combat.standing(who, at)
        return there
    combatant = combat[who]
    if combatant.position == at:
        return combat
    return replace(combat, combatants={**combat.combatants, who: replace(combatant, position=at)})
