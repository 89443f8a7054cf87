"""The actions `move` and `crawl`, whose steps can provoke Repostes (HE-MOVE, HE-INC-02)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.errors import Illegal, Impossible
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import Moved, Noted, Prevented
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.edges import plain_edges
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind, is_nowhere
from domain.rulebook.play import Play
from domain.rulebook.reachability import Ways, standing
from domain.rulesets.hallowed_earth import action_costs
from domain.rulesets.hallowed_earth.actions import reposte
from domain.rulesets.hallowed_earth.count import declaration
from domain.rulesets.hallowed_earth.facts import CRAWLED, MOVED, MOVED_IN_TURN
from domain.rulesets.hallowed_earth.numbers import (
    CRAWL_FT,
    SQUARE_FT,
    defends,
    feet,
    movement,
    must_crawl,
    threat_range,
)
from domain.rulesets.hallowed_earth.rules import action, rule
from domain.rulesets.hallowed_earth.sheet import options
from domain.rulesets.hallowed_earth.states import hostile, is_stabilized

PATH, DISTANCE, DIRECTION = "/inputs/path", "/inputs/distance_ft", "/inputs/direction"
"""The fields to which a refusal points."""


class Moving(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a move. `path` lists the squares to enter, in order.

    Without a grid, give `distance_ft`, and list in `enters` the combatants whose threat ranges the
    move enters.
    """

    path: Annotated[
        tuple[Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)], ...],
        Meta(max_length=200),
        InputKind("path"),
    ] = ()
    distance_ft: Annotated[float, Meta(ge=0, le=10_000), InputKind(matters=is_nowhere)] | None = (
        None
    )
    enters: Annotated[tuple[Id, ...], Meta(max_length=100)] = ()

    @property
    def feet(self) -> float:
        return SQUARE_FT * len(self.path) or self.distance_ft or 0.0


class Crawling(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a crawl. `direction` is `[dx, dy]` or `[dx, dy, dz]`, each −1, 0 or 1.

    Without a grid, `direction` is `null`.
    """

    direction: Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)] | None = None
    enters: Annotated[tuple[Id, ...], Meta(max_length=100)] = ()


def in_turn(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse a move by a combatant that is dead, surprised or paralyzed (HE-MOVE-04).

    Also refuse a move by a dying combatant that has already acted (HE-DYING-03).

    Raise `Unknown` if `enters` names a combatant that does not exist.
    """
    for other in act.inputs.enters:
        act.combat[other]
    yield from action_costs.present(act.actor)
    yield from action_costs.body(act.actor)
    yield from action_costs.dying_moves(act.combat, act.actor)


def only_crawls(combatant: Combatant, detail: str) -> Iterator[Illegal]:
    """Refuse a move if the combatant can only crawl (HE-INC-02)."""
    if must_crawl(combatant):
        yield refuse("HE-INC-02", "crawl-only", f"{combatant.name} {detail}", NO_FIELD, ("crawl",))


# ---- moving


def way(act: Act[Moving]) -> Iterator[Illegal]:
    """Refuse a move that is too long. Also refuse inputs without a usable path or distance."""
    combatant, inputs = act.actor, act.inputs
    yield from only_crawls(combatant, "can only crawl, a yard in a turn")
    if combatant.position is None and inputs.path:
        detail = f"{combatant.name} is nowhere on the grid: give distance_ft"
        yield Impossible("HE-MOVE-01", "no-position", detail, (), PATH)
    elif combatant.position is not None and not inputs.path:
        at = grid.written(combatant.position)
        detail = f"{combatant.name} stands at {at}: give the path, square by square"
        yield Impossible("HE-MOVE-01", "no-step", detail, (), PATH)
    elif not inputs.feet:
        detail = "give distance_ft, the feet that it moves"
        yield Impossible("HE-MOVE-01", "no-step", detail, (), DISTANCE)
    yield from _too_far(act.combat, combatant, inputs.feet)
    yield from _steps(combatant.position, inputs.path)


@rule("HE-MOVE-03", "A combatant moves at most its speed in a round")
def _too_far(combat: Combat, combatant: Combatant, more: float) -> Iterator[Illegal]:
    """Refuse a move if the distance of this round would exceed the limit (HE-MOVE-02)."""
    limit, far = movement(combat, combatant).exact, MOVED.of(combatant) + more
    if far > limit:
        rule = "HE-FDEF-04" if defends(combat, combatant) else "HE-MOVE-03"
        detail = f"{far:g} ft in this round, {combatant.name} may move {limit:g} ft"
        rule = "HE-STAB-05" if is_stabilized(combatant) else rule
        pointer = DISTANCE if combatant.position is None else PATH
        yield Impossible(rule, "too-far", detail, (), pointer)


def _steps(at: Square | None, path: Sequence[Sequence[int]]) -> Iterator[Illegal]:
    for step in path:
        square = grid.square(step)
        if square is None:
            yield Impossible("HE-MOVE-01", "no-step", "beyond the grid", (), PATH)
            return
        if at is not None and not grid.is_step(at, square):
            detail = f"{grid.written(square)} is not next to {grid.written(at)}"
            yield Impossible("HE-MOVE-01", "no-step", detail, (), PATH)
            return
        at = square


def move_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose straight paths in eight directions. Without a grid, propose a distance."""
    combatant = play.combat[who]
    left = max(0.0, movement(play.combat, combatant).exact - MOVED.of(combatant))
    if combatant.position is None:
        foes = [other.id for other in play.combat if hostile(play.combat, who, other.id)]
        yield {"distance_ft": left, "enters": foes[:1]}
        yield {"distance_ft": min(left, 5)}
        return
    x, y, z = combatant.position
    for number in sorted({1, min(3, int(left // SQUARE_FT)), int(left // SQUARE_FT)} - {0}):
        for dx, dy, _ in grid.neighbours((0, 0, 0)):
            yield {"path": [[x + dx * n, y + dy * n, z] for n in range(1, number + 1)]}


def move_ways(play: Play, who: Id) -> Ways | None:
    """Return the movement of the action: 5 ft per square, up to the distance left this round.

    HE-MOVE-02, HE-MOVE-03.
    """
    combat, combatant = play.combat, play.combat[who]
    if combatant.position is None:
        return None
    guarded = declaration(combat, who).action == "defensive-attack"
    answered = options(combat).entry_reposte and not guarded

    def provokes(at: Square, to: Square) -> list[Id]:
        near = entered(combat, who, at, to) if answered else []
        return [foe for foe in near if reposte.may(standing(combat, who, to), foe, who)]

    left = max(0.0, movement(combat, combatant).exact - MOVED.of(combatant))
    return Ways(combatant.position, left, "ft", lambda at, to: SQUARE_FT, provokes)


@action(
    "move", "Move", Moving,
    cost="movement", category="move", headline="Move[ to {path}][ {distance_ft} ft]",
    essential=("path", "distance_ft"),
    rules={"HE-MOVE-01": "Speed is the distance for one round"}, also=("HE-MOVE-04",),
    refusals=(in_turn, way), propose=move_candidates, ways=move_ways,
)  # fmt: skip
def move(act: Act[Moving]) -> Procedure[None]:
    """Move square by square. All moves of the round add up (HE-MOVE-01, HE-MOVE-02).

    Affray checks each step before the combatant takes it. If the combatant falls, or if another
    effect stops or moves it, the move ends (section 4.1, 10).
    """
    play, who, inputs = act.play, act.who, act.inputs
    if not inputs.path:
        yield from covered(play, who, inputs.feet)
        yield Noted(f"{who} moves {inputs.feet:g} ft", who, rules=("HE-MOVE-01",))
        yield from provoke(play, who, inputs.enters)
        return
    path = grid.squares(inputs.path) or ()
    for number, step in enumerate(path):
        refusal = next(_next_step(act.combat, act.actor, step), None)
        if refusal is not None:
            left: Json = {"path": [list(square) for square in path[number:]]}
            yield Prevented(who, "move", left, refusal.code, refusal.detail, rules=(refusal.rule,))
            return
        yield from one_step(play, who, step, SQUARE_FT)


def _next_step(combat: Combat, combatant: Combatant, step: Square) -> Iterator[Illegal]:
    yield from action_costs.body(combatant)
    yield from only_crawls(combatant, "can only crawl")
    yield from _too_far(combat, combatant, SQUARE_FT)
    yield from _steps(combatant.position, [step])


def one_step(play: Play, who: Id, step: Square, cost: float) -> Procedure[None]:
    """Enter the next square, and offer Repostes to foes whose threat range the mover enters."""
    before = play.combat[who].position
    yield Moved(who, (step,), rules=("HE-MOVE-01",) if cost else ("HE-INC-02",))
    if cost:
        yield from covered(play, who, cost)
    yield from provoke(play, who, entered(play.combat, who, before, step))


@rule("HE-MOVE-02", "A combatant can divide its movement. The parts add up")
def covered(play: Play, who: Id, distance: float) -> Procedure[None]:
    """Add the distance in ft to the totals of this round and of this turn."""
    for fact in (MOVED, MOVED_IN_TURN):
        far = fact.of(play.combat[who]) + distance
        yield fact.set(who, int(far) if far == int(far) else far, rules=("HE-MOVE-02",))


@rule("HE-DATK-02", "Movement with a defensive attack provokes no Reposte")
def provoke(play: Play, who: Id, threatened: Sequence[Id]) -> Procedure[None]:
    """Offer Repostes when a combatant enters a threat range (HE-REP-02).

    Movement with a defensive attack provokes no Reposte (HE-DATK-02). If the option `entry_reposte`
    is false, no movement provokes (GAP-14).
    """
    if declaration(play.combat, who).action == "defensive-attack":
        if threatened:
            yield Noted(f"{who} enters on its guard", who, rules=("HE-DATK-02",))
    elif options(play.combat).entry_reposte:
        foes = [foe for foe in threatened if hostile(play.combat, who, foe)]
        yield from reposte.entering(play, who, foes)


@rule("HE-MOVE-07", "Entering a foe's threat range provokes")
@rule("HE-REP-07", "Each entry into a threat range counts, but no other movement")
def entered(combat: Combat, who: Id, before: Square | None, now: Square) -> list[Id]:
    """Return the foes whose threat range the combatant has just entered (HE-REP-07, HE-MOVE-07)."""
    foes = []
    for foe in combat:
        if not hostile(combat, who, foe.id):
            continue
        was, is_now = feet(before, foe.position), feet(now, foe.position)
        reach = threat_range(foe).value
        if is_now is not None and is_now <= reach and (was is None or was > reach):
            foes.append(foe.id)
    return foes


# ---- crawling


def yard(act: Act[Crawling]) -> Iterator[Illegal]:
    """Refuse a second crawl in a turn, and a crawl of a combatant that can walk (HE-INC-02)."""
    combatant, way = act.actor, act.inputs.direction
    if not must_crawl(combatant):
        detail = f"{combatant.name} is neither down nor prone: it moves"
        yield refuse("HE-INC-02", "not-down", detail, NO_FIELD, ("move",))
    elif MOVED_IN_TURN.of(combatant) > 0:
        moved = MOVED_IN_TURN.of(combatant)
        detail = f"a yard in a turn, and {combatant.name} has moved {moved:g} ft in it"
        yield Impossible("HE-INC-02", "too-far", detail, (), NO_FIELD)
    if way is None and combatant.position is not None:
        detail = (
            f"{combatant.name} stands at {grid.written(combatant.position)} and needs a direction"
        )
        yield Impossible("HE-INC-02", "no-step", detail, (), DIRECTION)
    elif way is not None and (not any(way) or any(abs(part) > 1 for part in way)):
        detail = "a direction is made of −1, 0 and 1"
        yield Impossible("HE-INC-02", "no-step", detail, (), DIRECTION)
    elif way is not None and combatant.position is not None:
        yield from _leaves_map(act.combat, _next(combatant.position, way))


def _next(at: Square, way: Sequence[int]) -> Square:
    """Return the neighbouring square of `at` in this direction."""
    (x, y, z), (dx, dy, dz) = at, (*way, 0)[:3]
    return (x + dx, y + dy, z + dz)


def _leaves_map(combat: Combat, to: Square) -> Iterator[Illegal]:
    edges = plain_edges(combat)
    if edges is not None and not edges.hold(to):
        yield edges.refusal(to, DIRECTION)


def crawl_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    if play.combat[who].position is None:
        yield {}
        return
    for dx, dy, _ in grid.neighbours((0, 0, 0)):
        yield {"direction": [dx, dy]}


@action(
    "crawl", "Crawl a yard", Crawling,
    cost="movement", category="move", headline="Crawl a yard",
    rules={"HE-INC-02": "Incapacitated combatants can only crawl a yard per turn"},
    refusals=(in_turn, yard), propose=crawl_candidates,
)  # fmt: skip
def crawl(act: Act[Crawling]) -> Procedure[None]:
    """Crawl 3 ft. On a grid, the combatant enters the next square when its crawls reach 5 ft.

    Affray keeps the rest for the next crawl (HE-INC-02, GAP-16).
    """
    play, who, inputs = act.play, act.who, act.inputs
    combatant = play.combat[who]
    yield from covered(play, who, CRAWL_FT)
    yield Noted(f"{who} crawls a yard", who, rules=("HE-INC-02",))
    if combatant.position is None:
        yield from provoke(play, who, inputs.enters)
        return
    assert inputs.direction is not None
    progress = CRAWLED.of(combatant) + CRAWL_FT
    enters = progress >= SQUARE_FT
    left = progress - SQUARE_FT if enters else progress
    rules = ("HE-INC-02",)
    yield CRAWLED.set(who, left, rules=rules) if left else CRAWLED.clear(who, rules=rules)
    if enters:
        yield from one_step(play, who, _next(combatant.position, inputs.direction), 0)
