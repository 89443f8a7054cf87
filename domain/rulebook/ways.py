"""Ways: the squares that a combatant can reach, their costs, and the reactions provoked.

A rulebook says how much a step costs and which steps are barred. The search is the same for all
rulebooks. Its results are only proposals: the refusals of the action decide.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal

from msgspec.structs import replace

from domain.record.combat import Combat, Id, Square
from domain.rulebook.grid import neighbours
from domain.rulebook.once import Lent

MOST = 1000
"""Squares that are looked at, the nearest first."""


def _nobody(at: Square, to: Square) -> Iterable[Id]:
    return ()


@dataclass(frozen=True)
class Ways:
    """How an action moves.

    - `start` is the present square.
    - `limit` is the longest way, in `unit`.
    - `cost(at, to)` returns the cost of a step. None: it cannot be made.
    - `provokes(at, to)` returns the combatants whose reaction the step may draw.
    - `straight`: the action moves in straight lines between way points. `cost` is then also called
      for squares that are not neighbours.
    """

    start: Square
    limit: float
    unit: Literal["ft", "spaces"]
    cost: Callable[[Square, Square], float | None]
    provokes: Callable[[Square, Square], Iterable[Id]] = _nobody
    straight: bool = False


@dataclass(frozen=True)
class Way:
    """The cheapest way to its last square: the squares to name in the inputs, in order."""

    path: tuple[Square, ...]
    cost: float


def ways(how: Ways) -> Iterator[Way]:
    """Every square within the limit, the nearest first, each with its cheapest way."""
    best: dict[Square, tuple[float, Square]] = {how.start: (0.0, how.start)}
    waiting: list[tuple[float, Square]] = [(0.0, how.start)]
    done: set[Square] = set()
    while waiting and len(done) < MOST:
        far, at = heappop(waiting)
        if at in done:
            continue
        done.add(at)
        if at != how.start:
            yield Way(_path(best, how.start, at), far)
        origins = (best[at][1], at) if how.straight else (at,)
        for to in neighbours(at):
            found = None if to in done else _cheapest(how, best, origins, to)
            if found is not None and (to not in best or found[0] < best[to][0]):
                best[to] = found
                heappush(waiting, (found[0], to))


def _cheapest(
    how: Ways,
    best: dict[Square, tuple[float, Square]],
    origins: tuple[Square, ...],
    to: Square,
) -> tuple[float, Square] | None:
    """Return the lowest cost of `to` within the limit, and its origin, or None if out of reach."""
    found: list[tuple[float, Square]] = []
    for origin in origins:
        cost = None if origin == to else how.cost(origin, to)
        if cost is not None and best[origin][0] + cost <= how.limit + 1e-9:
            found.append((best[origin][0] + cost, origin))
    return min(found, default=None)


def _path(
    best: dict[Square, tuple[float, Square]], start: Square, at: Square
) -> tuple[Square, ...]:
    steps = [at]
    while (before := best[steps[-1]][1]) != start:
        steps.append(before)
    return tuple(reversed(steps))


def standing(combat: Combat, who: Id, at: Square) -> Combat:
    """The combat as it would be with `who` there: for asking the rules about a step to come."""
    if isinstance(combat, Lent):
        there: Combat = combat.standing(who, at)
        return there
    one = combat[who]
    if one.position == at:
        return combat
    return replace(combat, combatants={**combat.combatants, who: replace(one, position=at)})
