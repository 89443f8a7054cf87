"""Paths and walking: what may be entered, what it costs, whom it passes (SOV-GRID, SOV-RUN)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square, Until
from domain.record.events import ConditionGained, Moved
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, board, opportunity, paying, ties, windows
from domain.rulesets.sovereign.numbers import FALLEN, able, enemies, rate_ft, size_ft
from domain.rulesets.sovereign.windows import Batch, Moment

Path = Annotated[list[tuple[int, ...]], Meta(max_length=400)]
ROUND_END = (Until("round-end"),)


class Run(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The squares to enter, in order."""

    path: Path
    pay: paying.Pay = "move"


def squares(path: Sequence[tuple[int, ...]]) -> list[Square] | None:
    """The path's squares; None when one of them is none."""
    found = [board.square_of(step) for step in path]
    return None if None in found else [step for step in found if step is not None]


# ---- what a step costs, and what bars it


def bars(combat: Combat, who: Id, other: Combatant) -> bool:
    """Whether a standing enemy's square cannot be passed (SOV-GRID-05)."""
    if other.side == combat[who].side or other.position is None or other.has(*FALLEN):
        return False
    return size_ft(combat[who]) < 8 * size_ft(other)


def step_cost(combat: Combat, who: Id, to: Square) -> int:
    """5 ft, 10 in a difficult square or over a tiny enemy (SOV-GRID-03, -05, -06)."""
    one, found = combat[who], board.the_map(combat)
    size = board.space(one)
    if any(board.listed(found.difficult, cube) for cube in board.footprint(to, size)):
        return 10
    over = any(
        other.side != one.side
        and other.position is not None
        and not other.has(*FALLEN)
        and grid.overlap(to, other.position, size, board.space(other))
        for other in combat
    )
    return 10 if over else 5


def blocked(combat: Combat, who: Id, at: Square, to: Square) -> str | None:
    """Why a step cannot be made; None = it can (SOV-GRID-05 to -07)."""
    one = combat[who]
    if not grid.is_step(at, to):
        return f"{list(to)} is not next to {list(at)}"
    found = barred(combat, one, to)
    if found is not None:
        return found
    dx, dy = to[0] - at[0], to[1] - at[1]
    if dx and dy:  # SOV-GRID-07
        for beside in ((at[0] + dx, at[1], at[2]), (at[0], at[1] + dy, at[2])):
            if barred(combat, one, beside) is not None:
                return f"the step to {list(to)} cuts the corner at {list(beside)}"
    return None


def barred(combat: Combat, one: Combatant, to: Square) -> str | None:
    """What stands in a square: the map, or an enemy."""
    found, size = board.the_map(combat), board.space(one)
    for cube in board.footprint(to, size):
        if board.impassable(found, cube):
            return f"{list(cube)} cannot be entered"
    for other in combat:
        if other.position is None or other.id == one.id or not bars(combat, one.id, other):
            continue
        if grid.overlap(to, other.position, size, board.space(other)):
            return f"{other.name}, an enemy, stands at {list(to)}"
    return None


def occupied(combat: Combat, who: Id, to: Square, but: Sequence[Id] = ()) -> Id | None:
    """Who is there already; the dead are in nobody's way (SOV-GRID-04)."""
    size = board.space(combat[who])
    for other in combat:
        if other.id in (who, *but) or other.position is None or other.has("dead"):
            continue
        if grid.overlap(to, other.position, size, board.space(other)):
            return other.id
    return None


def free_square(combat: Combat, who: Id, to: Square, but: Sequence[Id] = ()) -> bool:
    """Whether `who` could be put there: enterable, nobody in it."""
    cubes = board.footprint(to, board.space(combat[who]))
    found = board.the_map(combat)
    if any(board.impassable(found, cube) for cube in cubes):
        return False
    return occupied(combat, who, to, but) is None


def path_refusals(
    combat: Combat, who: Id, path: Sequence[tuple[int, ...]], feet: int, rule: str
) -> Iterator[Illegal]:
    """Too far, blocked, occupied at the end."""
    steps = squares(path)
    at = combat[who].position
    if steps is None or at is None:
        yield Illegal("SOV-GRID-03", "path-blocked", "a path is made of squares [x, y]")
        return
    cost = 0
    why = None
    for step in steps:
        why = why or blocked(combat, who, at, step)
        cost += step_cost(combat, who, step)
        at = step
    if cost > feet:
        detail = f"the path takes {cost} ft, {combat[who].name} may move {feet}"
        yield Illegal(rule, "too-far", detail)
    if why is not None:
        yield Illegal("SOV-GRID-06", "path-blocked", why)
    elif steps:
        there = occupied(combat, who, steps[-1])
        if there is not None:
            yield Illegal("SOV-GRID-04", "square-occupied", f"{there} is at {list(steps[-1])}")


def grapple_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Nobody in a grapple moves from the place (SOV-GRAP-03)."""
    if arms.in_grapple(combat[who]):
        yield Illegal("SOV-GRAP-03", "grappled", f"{combat[who].name} is in a grapple")


# ---- run


def run_refusals(play: Play, who: Id, inputs: Run) -> Iterator[Illegal]:
    combat = play.combat
    yield from paying.turn_refusals(combat, who)
    yield from paying.move_refusals(combat, who, inputs.pay)
    yield from grapple_refusals(combat, who)
    if not inputs.path:
        yield Illegal("SOV-RUN-01", "path-blocked", "a run enters at least one square")
    yield from path_refusals(combat, who, inputs.path, rate_ft(combat[who]), "SOV-RUN-01")


def run_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Straight paths in eight directions, short and full."""
    one = play.combat[who]
    if one.position is None:
        return
    most = rate_ft(one) // 5
    for dx, dy, _ in grid.neighbours((0, 0, 0)):
        for length in sorted({1, min(3, most), most} - {0}):
            x, y, z = one.position
            path = [[x + dx * n, y + dy * n, z] for n in range(1, length + 1)]
            yield {"path": path}
            if length == 1:
                yield {"path": path, "pay": "main"}


def run(play: Play, who: Id, inputs: Run) -> Procedure[None]:
    """One unbroken path; leaving an armed enemy's reach draws its blow (SOV-RUN-01, -02)."""
    yield paying.pay_move(who, inputs.pay, "SOV-RUN-01")
    path = tuple(squares(inputs.path) or ())
    moment, batch = yield from windows.declared(play, who, "run", path=path)
    yield from walk(play, who, moment, batch, leaving=True)


def walk(play: Play, who: Id, moment: Moment, batch: Batch, *, leaving: bool) -> Procedure[bool]:
    """Step by step, as long as the mover can; whether it got to the end."""
    asked: list[Id] = []
    for step in moment.path:
        if leaving:
            left = [foe for foe in leaves(play.combat, who, step) if foe not in asked]
            asked += yield from opportunity.drawn(play, who, left, moment.action)
        if not can_step(play.combat, who, step, moment.path[-1]):
            return False
        yield Moved(who, (step,), rules=("SOV-GRID-03",))
        yield from ties.part(play)
        yield from windows.entered(play, moment, batch, step)
    return able(play.combat, who) and not arms.in_grapple(play.combat[who])


def can_step(combat: Combat, who: Id, step: Square, last: Square) -> bool:
    """Able, free, and the way still open: Instants may have changed it (SOV-INST-07)."""
    one = combat[who]
    if not able(combat, who) or arms.in_grapple(one) or one.position is None:
        return False
    if blocked(combat, who, one.position, step) is not None:
        return False
    return step != last or occupied(combat, who, step) is None


def leaves(combat: Combat, who: Id, step: Square) -> list[Id]:
    """Enemies whose reach this step leaves (SOV-RUN-02)."""
    one = combat[who]
    if one.position is None:
        return []
    size = board.space(one)
    left = []
    for foe in enemies(combat, who):
        if foe.position is None:
            continue
        reach = max((weapon.reach_ft for weapon in arms.blades(foe)), default=0)
        before = 5 * grid.distance(foe.position, one.position, board.space(foe), size)
        after = 5 * grid.distance(foe.position, step, board.space(foe), size)
        if before <= reach < after:
            left.append(foe.id)
    return left


# ---- disengage


def main_action_refusals(play: Play, who: Id, inputs: object) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    yield from paying.main_refusals(play.combat, who)


def disengage(play: Play, who: Id, inputs: object) -> Procedure[None]:
    """From everybody in whose melee range it is at this moment (SOV-DIS-01, -02)."""
    yield paying.spend(who, "main", "SOV-DIS-01")
    yield from windows.declared(play, who, "disengage")
    if not able(play.combat, who):
        return
    combat = play.combat
    near: list[Json] = [
        foe.id
        for foe in enemies(combat, who)
        if board.within(combat, foe.id, who, arms.melee_reach(foe))
    ]
    yield ConditionGained(
        who, "disengaged", data={"from": near}, until=ROUND_END, rules=("SOV-DIS-01",)
    )
