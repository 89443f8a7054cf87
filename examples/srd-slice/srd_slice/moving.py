"""Movement on the grid, square by square, with the opportunity attacks that it draws."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import Moved, Spent, Stopped
from domain.rulebook import grid
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, while_able
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulebook.reachability import Ways, standing, ways
from domain.rulebook.reactions import window
from srd_slice.attack import may_react, opportunity, threatening
from srd_slice.states import enemies


class Path(Struct, frozen=True, forbid_unknown_fields=True):
    """The squares to enter, in order."""

    path: Annotated[list[list[int]], Meta(min_length=1, max_length=200), InputKind("path")]


def squares(path: list[list[int]]) -> tuple[Square, ...] | None:
    """Return the squares of a path, or `None` if an element is not a square."""
    parsed = tuple(square for step in path if (square := grid.square(step)))
    return parsed if len(parsed) == len(path) else None


def in_the_way(combat: Combat, who: Id, square: Square, *, last: bool) -> Illegal | None:
    """Return the refusal of an occupied square, or `None` (SRD-MOV-02).

    An enemy blocks every step. An ally blocks only the last step of a move.
    """
    for other in combat:
        if other.id != who and other.position == square and not other.has("dead"):
            enemy = other.side != combat[who].side
            if enemy or last:
                text = f"{other.name} is in the way"
                return Illegal("SRD-MOV-02", "occupied", text)
    return None


def refusals(play: Play, who: Id, inputs: Path) -> Iterator[Illegal]:
    """Yield the faults of a path (SRD-MOV-01, SRD-MOV-02).

    A path has steps of 5 ft, and is no longer than the movement left in this turn. It does not lead
    through enemies.
    """
    at, path = play.combat[who].position, squares(inputs.path)
    if at is None or path is None:
        yield Illegal("SRD-MOV-01", "no-square", "a path leads from square to square")
        return
    left = play.combat[who].budget.get("ft", 0)
    if 5 * len(path) > left:
        yield Illegal("SRD-MOV-01", "too-far", f"the path has {5 * len(path)} ft, {left} are left")
    for number, square in enumerate(path, 1):
        if not grid.is_step(at, square):
            yield Illegal("SRD-MOV-01", "no-step", f"{list(square)} is not beside {list(at)}")
        barred = in_the_way(play.combat, who, square, last=number == len(path))
        if barred is not None:
            yield barred
        at = square


def ways_of(play: Play, who: Id) -> Ways | None:
    """Return the movement of `who`, with the enemies that may react to each step."""
    combat, at = play.combat, play.combat[who].position
    if at is None:
        return None

    def cost(here: Square, there: Square) -> float | None:
        return None if in_the_way(combat, who, there, last=False) else 5

    def provokes(here: Square, there: Square) -> list[Id]:
        return provoked(standing(combat, who, here), who, there)

    return Ways(at, combat[who].budget.get("ft", 0), "ft", cost, provokes)


def paths(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Yield the paths to all squares in reach, the nearest first."""
    how = ways_of(play, who)
    for way in ways(how) if how is not None else ():
        yield {"path": [list(square) for square in way.path]}


def provoked(combat: Combat, who: Id, square: Square) -> list[Id]:
    """Return the enemies whose reach this step leaves (SRD-OPP-01).

    After `disengage`, there are none (SRD-DIS-01).
    """
    if combat[who].has("disengaged"):
        return []
    after = standing(combat, who, square)
    return [
        foe.id
        for foe in enemies(combat, who)
        if may_react(combat, foe.id, who)
        and set(threatening(combat, foe.id, who)) - set(threatening(after, foe.id, who))
    ]


def move(play: Play, who: Id, inputs: Path) -> Procedure[None]:
    """Walk along the path until something stops `who` (SRD-MOV-01)."""
    yield from while_able(play, who, walk(play, who, squares(inputs.path) or ()), "move")


def walk(play: Play, who: Id, path: tuple[Square, ...]) -> Procedure[None]:
    """Walk step by step. Opportunity attacks come right before their step (SRD-OPP-01).

    `who` pays for each step before it can find a hidden combatant. A combatant in the way stops the
    move (SRD-MOV-02).
    """
    for number, square in enumerate(path, 1):
        at = play.combat[who].position
        if at is None or not grid.is_step(at, square) or play.combat[who].budget.get("ft", 0) < 5:
            return  # a reaction or ruling has changed its square or its budget
        yield Spent(who, {"ft": 5}, rules=("SRD-MOV-01",))
        strikers = provoked(play.combat, who, square)
        yield from window(play, [opportunity(striker, who) for striker in strikers])
        barred = in_the_way(play.combat, who, square, last=number == len(path))
        if play.combat[who].position != at:
            return
        if barred is not None:
            yield Stopped(who, "move", barred.code, barred.detail, rules=(barred.rule,))
            return
        yield Moved(who, (square,), rules=("SRD-MOV-01",))


MOVE = Action(
    "move", Path, refusals, paths, "Move", procedure=move, cost="5 ft a square", stops=True,
    ways=ways_of, rules=("SRD-MOV-01", "SRD-MOV-02", "SRD-OPP-01"),
).shown("move", "Move to {path}", "path")  # fmt: skip
