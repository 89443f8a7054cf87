"""Moving and crawling, step by step, into the threat ranges of foes (HE-MOVE, HE-INC-02)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import FactSet, Moved, Noted
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import acting, reposte
from domain.rulesets.hallowed_earth.numbers import (
    CRAWL_FT,
    SQUARE_FT,
    declaration,
    feet,
    hostile,
    is_down,
    move_limit,
    moved,
    must_crawl,
    options,
    threat_range,
)


class Moving(Struct, frozen=True, forbid_unknown_fields=True):
    """`path`: the squares to enter. Without a grid: `distance_ft`, and whose threat ranges it
    `enters`."""

    path: Annotated[
        tuple[Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)], ...],
        Meta(max_length=200),
    ] = ()
    distance_ft: Annotated[float, Meta(ge=0, le=10_000)] | None = None
    enters: Annotated[tuple[Id, ...], Meta(max_length=100)] = ()


class Crawling(Struct, frozen=True, forbid_unknown_fields=True):
    """`direction` [dx, dy] or [dx, dy, dz], each −1, 0 or 1; null without a grid."""

    direction: Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)] | None = None
    enters: Annotated[tuple[Id, ...], Meta(max_length=100)] = ()


def squares(path: tuple[tuple[int, ...], ...]) -> list[Square]:
    return [(step[0], step[1], step[2] if len(step) == 3 else 0) for step in path]


def length(inputs: Moving) -> float:
    """Feet of a move."""
    return SQUARE_FT * len(inputs.path) if inputs.path else inputs.distance_ft or 0


def move_refusals(play: Play, who: Id, inputs: Moving) -> Iterator[Illegal]:
    """Turn, condition, the dying, then the distance (HE-MOVE-03, HE-FDEF-04, HE-STAB-05)."""
    stop = list(acting.turn(play.combat, who, "move"))
    if stop:
        yield from stop
        return
    combat, one = play.combat, play.combat[who]
    yield from acting.body(one)
    yield from acting.dying_moves(combat, one)
    if must_crawl(one):
        detail = f"{one.name} can only crawl, a yard in a turn"
        yield Illegal("HE-INC-02", "crawl-only", detail, ("crawl",))
    for other in inputs.enters:
        combat[other]
    limit, far = move_limit(combat, one), moved(one) + length(inputs)
    if far > limit:
        detail = f"{far:g} ft in this round, {one.name} may move {limit:g} ft"
        yield Impossible(_limit_rule(combat, one), "too-far", detail, (), "/path")
    yield from _walkable(combat, one, inputs)


def _limit_rule(combat: Combat, one: Combatant) -> str:
    if one.has("stabilized") and is_down(one):
        return "HE-STAB-05"
    if one.facts.get("declared", {}).get("action") == "full-defense":
        return "HE-FDEF-04"
    return "HE-MOVE-03"


def _walkable(combat: Combat, one: Combatant, inputs: Moving) -> Iterator[Illegal]:
    at = one.position
    if inputs.path and at is None:
        detail = f"{one.name} is nowhere on the grid: give distance_ft"
        yield Impossible("HE-MOVE-01", "no-position", detail, (), "/path")
    for step in squares(inputs.path):
        if at is not None and not grid.is_step(at, step):
            detail = f"{list(step)} is not next to {list(at)}"
            yield Impossible("HE-MOVE-01", "no-step", detail, (), "/path")
            return
        if max(abs(part) for part in step) > 10_000:
            yield Impossible("HE-MOVE-01", "no-step", "beyond the grid", (), "/path")
            return
        at = step


def move_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Straight paths in eight directions; without a grid a distance."""
    one = play.combat[who]
    left = move_limit(play.combat, one) - moved(one)
    if one.position is None:
        foes = [each.id for each in play.combat if hostile(play.combat, who, each.id)]
        yield {"distance_ft": left, "enters": foes[:1]}
        yield {"distance_ft": min(left, 5)}
        return
    x, y, z = one.position
    for number in sorted({1, min(3, int(left // SQUARE_FT)), int(left // SQUARE_FT)} - {0}):
        for dx, dy, _ in grid.neighbours((0, 0, 0)):
            yield {"path": [[x + dx * n, y + dy * n, z] for n in range(1, number + 1)]}


def move(play: Play, who: Id, inputs: Moving) -> Procedure[None]:
    """In pieces, as one likes; the distances of a round are added up (HE-MOVE-02)."""
    if not inputs.path:
        yield from covered(play, who, length(inputs))
        yield Noted(f"moves {length(inputs):g} ft", who, rules=("HE-MOVE-01",))
        if not protected(play.combat, who):
            foes = [one for one in inputs.enters if hostile(play.combat, who, one)]
            yield from reposte.entering(play, who, foes)
        return
    for step in squares(inputs.path):
        yield from one_step(play, who, step, SQUARE_FT, "HE-MOVE-01")
        if must_crawl(play.combat[who]) or play.combat[who].has("dead"):
            break  # it stays where it was struck down (4.1, 10)


def one_step(play: Play, who: Id, step: Square, cost: float, rule: str) -> Procedure[None]:
    """Into the next square, and the Repostes of those whose threat range it enters."""
    before = play.combat[who].position
    yield Moved(who, (step,), rules=(rule,))
    if cost:
        yield from covered(play, who, cost)
    if not protected(play.combat, who):
        yield from reposte.entering(play, who, entered(play.combat, who, before, step))


def covered(play: Play, who: Id, distance: float) -> Procedure[None]:
    """The feet of this round and of this turn."""
    facts = play.combat[who].facts
    for key in ("moved_ft", "turn_ft"):
        far = facts.get(key, 0) + distance
        yield FactSet(who, key, int(far) if far == int(far) else far, rules=("HE-MOVE-02",))


def protected(combat: Combat, who: Id) -> bool:
    """Defensive attack, or a table at which entering provokes nothing (HE-DATK-02, GAP-14)."""
    defends = declaration(combat, who).get("action") == "defensive-attack"
    return defends or not options(combat).entry_reposte


def entered(combat: Combat, who: Id, before: Square | None, now: Square) -> list[Id]:
    """Foes from outside of whose threat range it came inside (HE-REP-07)."""
    found = []
    for foe in combat:
        if not hostile(combat, who, foe.id):
            continue
        was, is_now = feet(before, foe.position), feet(now, foe.position)
        reach = threat_range(foe)
        if is_now is not None and is_now <= reach and (was is None or was > reach):
            found.append(foe.id)
    return found


# ---- crawling


def crawl_refusals(play: Play, who: Id, inputs: Crawling) -> Iterator[Illegal]:
    stop = list(acting.turn(play.combat, who, "crawl"))
    if stop:
        yield from stop
        return
    combat, one = play.combat, play.combat[who]
    yield from acting.body(one)
    yield from acting.dying_moves(combat, one)
    if not must_crawl(one):
        detail = f"{one.name} is neither down nor prone: it moves"
        yield Illegal("HE-INC-02", "not-down", detail, ("move",))
    elif one.facts.get("turn_ft", 0) > 0:
        detail = f"a yard in a turn, and {one.name} has moved {one.facts['turn_ft']:g} ft in it"
        yield Impossible("HE-INC-02", "too-far", detail)
    if inputs.direction is not None and (
        not any(inputs.direction) or any(abs(part) > 1 for part in inputs.direction)
    ):
        detail = "a direction is made of −1, 0 and 1"
        yield Impossible("HE-INC-02", "no-step", detail, (), "/direction")
    for other in inputs.enters:
        combat[other]


def crawl_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    if play.combat[who].position is None:
        yield {}
        return
    for dx, dy, _ in grid.neighbours((0, 0, 0)):
        yield {"direction": [dx, dy]}


def crawl(play: Play, who: Id, inputs: Crawling) -> Procedure[None]:
    """3 ft; on the grid they add up until they make a square (HE-INC-02, GAP-16)."""
    one = play.combat[who]
    progress = one.facts.get("crawl_progress_ft", 0) + CRAWL_FT
    yield from covered(play, who, CRAWL_FT)
    yield Noted("crawls a yard", who, rules=("HE-INC-02",))
    if one.position is None or inputs.direction is None:
        foes = [each for each in inputs.enters if hostile(play.combat, who, each)]
        if not protected(play.combat, who):
            yield from reposte.entering(play, who, foes)
        return
    enters = progress >= SQUARE_FT
    left = progress - SQUARE_FT if enters else progress
    yield FactSet(who, "crawl_progress_ft", left or None, rules=("HE-INC-02",))
    if enters:
        x, y, z = one.position
        dx, dy, dz = (*inputs.direction, 0)[:3]
        yield from one_step(play, who, (x + dx, y + dy, z + dz), 0, "HE-INC-02")
