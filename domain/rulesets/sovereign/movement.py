"""Check paths, compute the cost of each step, and walk (SOV-GRID, SOV-RUN)."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Square, Until
from domain.record.events import Moved
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind, mover
from domain.rulebook.play import Play
from domain.rulebook.state_cache import once
from domain.rulesets.sovereign import arms, board, costs, opportunity, windows
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.numbers import FALLEN, enemies, size_ft
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.windows import Batch

Path = Annotated[list[tuple[int, ...]], Meta(max_length=400), InputKind("path", stands=mover)]
ROUND_END = (Until("round-end"),)


# ---- costs and obstacles of a step


@rule("SOV-GRID-05", "Standing enemies bar the way, but fallen and tiny ones do not")
@once
def bars(combat: Combat, who: Id, id: Id) -> bool:
    """Return true if a standing enemy prevents `who` from entering its square (SOV-GRID-05)."""
    other = combat[id]
    if other.side == combat[who].side or other.position is None or other.has(*FALLEN):
        return False
    return size_ft(combat[who]) < 8 * size_ft(other)


@rule("SOV-GRID-03", "A step of 5 ft goes to an adjacent square, and a diagonal costs the same")
@once
def step_cost(combat: Combat, who: Id, to: Square) -> int:
    """Return the cost of a step in feet.

    A step costs 5 ft, or 10 ft in a difficult square or over a tiny enemy (SOV-GRID-03,
    SOV-GRID-05, SOV-GRID-06).
    """
    combatant, map = combat[who], board.the_map(combat)
    size = board.space(combatant)
    if any(board.listed(map.difficult, cube) for cube in grid.footprint(to, size)):
        return 10
    over = any(
        other.side != combatant.side and not other.has(*FALLEN) for other in there(combat, who, to)
    )
    return 10 if over else 5


def there(combat: Combat, who: Id, to: Square) -> Iterator[Combatant]:
    """Yield the other combatants whose space overlaps that of `who` at `to`."""
    size = board.space(combat[who])
    for other in combat:
        if other.id == who or other.position is None:
            continue
        if grid.overlap(to, other.position, size, board.space(other)):
            yield other


@rule("SOV-GRID-06", "A rough square costs 10 ft, and a barred one cannot be entered")
@rule("SOV-GRID-07", "A diagonal step cannot cut the corner of a wall or a standing enemy")
@once
def blocked(combat: Combat, who: Id, at: Square, to: Square) -> Illegal | None:
    """Return the reason why a step is impossible, or `None`.

    SOV-GRID-03, SOV-GRID-05, SOV-GRID-06, SOV-GRID-07.
    """
    if not grid.is_step(at, to):
        detail = f"{grid.written(to)} is not next to {grid.written(at)}"
        return refuse("SOV-GRID-03", "path-blocked", detail, "path")
    refusal = barred(combat, who, to)
    if refusal is not None:
        return refusal
    dx, dy = to[0] - at[0], to[1] - at[1]
    if dx and dy:
        for beside in ((at[0] + dx, at[1], at[2]), (at[0], at[1] + dy, at[2])):
            if barred(combat, who, beside) is not None:
                detail = f"the step to {grid.written(to)} cuts the corner at {grid.written(beside)}"
                return refuse("SOV-GRID-07", "path-blocked", detail, "path")
    return None


@once
def barred(combat: Combat, who: Id, to: Square) -> Illegal | None:
    """Return the reason why the map or an enemy bars a square, or `None`.

    SOV-GRID-05, SOV-GRID-06.
    """
    for cube in closed(combat, who, to):
        detail = f"{grid.written(cube)} cannot be entered"
        return refuse("SOV-GRID-06", "path-blocked", detail, "path")
    for other in there(combat, who, to):
        if bars(combat, who, other.id):
            detail = f"{other.name}, an enemy, stands at {grid.written(to)}"
            return refuse("SOV-GRID-05", "path-blocked", detail, "path")
    return None


def closed(combat: Combat, who: Id, to: Square) -> list[Square]:
    """Return the squares at `to` that the map bars for `who` (SOV-GRID-06)."""
    cubes, map = grid.footprint(to, board.space(combat[who])), board.the_map(combat)
    return [cube for cube in cubes if board.impassable(map, cube)]


@rule("SOV-GRID-04", "A combatant can pass allies, but no move ends in an occupied square")
@once
def occupied(combat: Combat, who: Id, to: Square, but: tuple[Id, ...] = ()) -> Id | None:
    """Return a combatant that occupies the square and is not dead, or `None` (SOV-GRID-04)."""
    living = (other.id for other in there(combat, who, to) if not other.has("dead"))
    return next((id for id in living if id not in but), None)


@once
def free_square(combat: Combat, who: Id, to: Square, but: tuple[Id, ...] = ()) -> bool:
    """Return true if the map allows `who` at `to`, and nobody else is there."""
    return not closed(combat, who, to) and occupied(combat, who, to, but) is None


def path_refusals(
    combat: Combat, who: Id, path: Sequence[tuple[int, ...]], feet: int, rule: str
) -> Iterator[Illegal]:
    """Refuse a path that is too long, is blocked, or ends in an occupied square."""
    steps = grid.squares(path)
    at = combat[who].position
    if steps is None or at is None:
        detail = "a path is made of squares [x, y]"
        yield refuse("SOV-GRID-03", "path-blocked", detail, "path")
        return
    cost = 0
    why: Illegal | None = None
    for step in steps:
        why = why or blocked(combat, who, at, step)
        cost += step_cost(combat, who, step)
        at = step
    if cost > feet:
        detail = f"the path takes {cost} ft, {combat[who].name} may move {feet}"
        yield refuse(rule, "too-far", detail, "path")
    if why is not None:
        yield why
    elif steps:
        there = occupied(combat, who, steps[-1])
        if there is not None:
            detail = f"{there} is at {grid.written(steps[-1])}"
            yield refuse("SOV-GRID-04", "square-occupied", detail, "path")


@rule("SOV-GRAP-03", "In a grapple, nobody moves or uses weapons")
def grapple_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse to move in a grapple (SOV-GRAP-03)."""
    if arms.in_grapple(combat[who]):
        detail = f"{combat[who].name} is in a grapple"
        yield refuse("SOV-GRAP-03", "grappled", detail, NO_FIELD)


def not_in_a_grapple(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse to move in a grapple."""
    return grapple_refusals(act.combat, act.who)


# ---- walking


@rule("SOV-AOO-04", "The opportunity comes before the action takes effect")
def walk(
    play: Play, who: Id, moment: Moment, batch: Batch, *, leaving: bool, crawls: bool = False
) -> Procedure[bool]:
    """Walk step by step, and return true if the combatant reaches the end.

    - `leaving`: enemies may strike before the combatant leaves their reach (SOV-AOO-04).
    - `crawls`: the combatant was prone at the start.
    """
    asked: list[Id] = []
    for number, step in enumerate(moment.path):
        if leaving:
            left = [foe for foe in leaves(play.combat, who, step) if foe not in asked]
            asked += yield from opportunity.drawn(play, who, left, moment.action)
        barred = step_refusals(play.combat, who, moment.path[number:], crawls=crawls)
        if not (yield from costs.still(who, moment.action, barred)):
            return False
        yield Moved(who, (step,), rules=("SOV-GRID-03",))
        yield from windows.entered(play, moment, batch, step)
    return True


def step_refusals(
    combat: Combat, who: Id, rest: Sequence[Square], *, crawls: bool
) -> Iterator[Illegal]:
    """Refuse the next step if it is no longer possible (SOV-INST-07)."""
    combatant = combat[who]
    yield from grapple_refusals(combat, who)
    if combatant.has("prone") and not crawls:
        detail = f"{combatant.name} has been knocked down"
        yield refuse("SOV-PRONE-02", "prone", detail, NO_FIELD)
    if combatant.position is None:
        yield refuse("SOV-GRID-03", "path-blocked", "it is nowhere", NO_FIELD)
        return
    at = combatant.position
    for step in rest:  # up to the first square in which the combatant can stop (SOV-GRID-04)
        barred = blocked(combat, who, at, step)
        if barred is not None:
            yield barred
            return
        if occupied(combat, who, step) is None:
            return
        at = step
    yield refuse("SOV-GRID-04", "square-occupied", f"somebody is at {grid.written(at)}", "path")


@rule("SOV-RUN-02", "Leaving an armed enemy's reach provokes")
def leaves(combat: Combat, who: Id, step: Square) -> list[Id]:
    """Return the enemies whose reach this step leaves (SOV-RUN-02)."""
    combatant = combat[who]
    if combatant.position is None:
        return []
    size = board.space(combatant)
    left = []
    for foe in enemies(combat, who):
        if foe.position is None:
            continue
        reach = max((weapon.reach_ft for weapon in arms.blades(foe)), default=0)
        before = 5 * grid.distance(foe.position, combatant.position, board.space(foe), size)
        after = 5 * grid.distance(foe.position, step, board.space(foe), size)
        if before <= reach < after:
            left.append(foe.id)
    return left
