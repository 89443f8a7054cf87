"""Move step by step, through the zones of enemies (FH-MOV, FH-FRE-06 to FH-FRE-08)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import Moved, Stopped
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, Shared, refuse
from domain.rulebook.effects import Procedure, ask_all, ask_gm
from domain.rulebook.inputs import InputKind, mover
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulebook.reachability import Ways, standing
from domain.rulebook.state_cache import once, once_all
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit.attack import free_hits, in_zone, may_strike, zone
from domain.rulesets.free_hit.facts import FACING, INSIDE
from domain.rulesets.free_hit.numbers import allowance, apart, free_hit_slots
from domain.rulesets.free_hit.rules import action, rule
from domain.rulesets.free_hit.sheet import Payment
from domain.rulesets.free_hit.states import enemies, sheet, takes_space
from domain.rulesets.free_hit.stealth import detected, undetected, units_named

Mode = Literal["walk", "sneak", "swim", "climb", "tumble", "hampered"]


class Path(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a move. If the unit has no position, only the number of spaces counts (GAP-12).

    - `path`: the squares to enter, in order.
    - `facing`: the direction that the unit faces at the end of the path.
    """

    path: Annotated[list[list[int]], Meta(max_length=200), InputKind("path", stands=mover)] = []
    mode: Mode = "walk"
    facing: tuple[int, int] | None = None
    pay_with: payment.WithMove | None = None


class Detection(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's answer: the units that fail to notice the sneaking unit, or `"all"`."""

    by: Literal["all"] | Annotated[list[str], Meta(max_length=200)]


@rule("FH-MOV-06", "A unit cannot move along any part of a path that is too long")
def within_allowance(rule: str, *, bonus: bool) -> Shared:
    """Refuse a path that is too long (FH-MOV-06), and any move of a unit without spaces to move.

    The second refusal names `rule`.
    """

    def check(act: Act[Path]) -> Iterator[Illegal]:
        mover, length = act.actor, len(act.inputs.path)
        spaces = allowance(mover, act.inputs.mode, bonus)
        if spaces < 1:
            yield refuse(rule, "no-movement", f"{mover.name} has no spaces to move so", "mode")
        elif length > spaces:
            far = f"the path has {length} spaces, {mover.name} may move {spaces}"
            yield refuse("FH-MOV-06", "not-enough-spaces", far, "path")

    return check


NO_DIRECTION = Refusal(
    "FH-FLK-02", "no-direction", "facing is a direction, not [0, 0]",
    lambda act: act.inputs.facing == (0, 0), field="facing",
)  # fmt: skip


def path_is_open(act: Act[Path]) -> Iterator[Illegal]:
    """Refuse a path that is not made of squares, or that a unit blocks (FH-MOV-07)."""
    path = grid.squares(act.inputs.path)
    if path is None:
        sentence = "a path is made of squares [x, y]"
        yield refuse("FH-MOV-07", "path-blocked", sentence, "path")
    else:
        yield from blocked(act.combat, act.who, path)


@rule(
    "FH-MOV-07", "A unit can move through allies, but not through enemies or onto an occupied space"
)
@once_all
def blocked(combat: Combat, who: Id, path: tuple[Square, ...]) -> Iterator[Illegal]:
    """Refuse a path through enemies, or into occupied spaces.

    Allies do not block the path (FH-MOV-07).
    """
    combatant = combat[who]
    at = combatant.position
    if at is None:
        return
    for step in path:
        if not grid.is_step(at, step):
            sentence = f"{grid.written(step)} is not next to {grid.written(at)}"
            yield refuse("FH-MOV-06", "path-blocked", sentence, "path")
            return
        at = step
    on_the_way = [(step, _there(combat, combatant.id, step)) for step in path]
    if not any(there for _, there in on_the_way):
        return
    for other, foe in _others(combat, combatant.id):
        touched = [step for step, there in on_the_way if other.id in there]
        if touched and foe:
            way = f"{other.name}, an enemy, is in the way"
            yield refuse("FH-MOV-07", "path-blocked", way, "path")
            return
        if path and path[-1] in touched:
            end = f"the path ends where {other.name} is"
            yield refuse("FH-MOV-07", "path-blocked", end, "path")
            return


def closed(combat: Combat, who: Id, path: tuple[Square, ...]) -> Illegal | None:
    """Return the refusal if the unit can end its move nowhere on the path, else `None`.

    FH-MOV-07.
    """
    whole = next(blocked(combat, who, path), None)
    if whole is None or any(
        next(blocked(combat, who, path[:steps]), None) is None for steps in range(1, len(path))
    ):
        return None
    return whole


@once
def _others(combat: Combat, who: Id) -> tuple[tuple[Combatant, bool], ...]:
    """Return each other unit that takes up space, with true for an enemy in the fight."""
    foes = {foe.id for foe in enemies(combat, who)}
    return tuple(
        (other, other.id in foes)
        for other in combat
        if other.id != who and other.position is not None and takes_space(combat, other.id)
    )


@once
def _there(combat: Combat, who: Id, step: Square) -> frozenset[Id]:
    """Return the combatants whose space `who` would overlap at the square `step`."""
    size = sheet(combat[who]).size
    return frozenset(
        other.id
        for other, _ in _others(combat, who)
        if other.position is not None
        and grid.overlap(step, other.position, size, sheet(other).size)
    )


def candidates(play: Play, who: Id, *, bonus: bool) -> Iterator[Mapping[str, Json]]:
    """Propose straight paths in eight directions in every mode, and paths around a neighbour."""
    combat, combatant = play.combat, play.combat[who]
    if combatant.position is None:
        return
    x, y, z = combatant.position
    allowed = {mode: allowance(combatant, mode, bonus) for mode in get_args(Mode)}
    reach = range(1, max(allowed.values()) + 1)
    straight = [
        ([[x + dx * n, y + dy * n, z] for n in reach], [dx, dy] if number % 2 else None)
        for number, (dx, dy, _) in enumerate(grid.neighbours((0, 0, 0)))
    ]
    for mode, spaces in allowed.items():
        some = {1, min(3, spaces), spaces} if mode == "walk" else {spaces}
        lengths = sorted(length for length in some if 0 < length <= spaces)
        for line, facing in straight:
            for length in lengths:
                yield {"path": line[:length], "mode": mode, "facing": facing}
        if mode == "walk" and spaces >= 3:
            for foe in enemies(combat, who):
                if (
                    foe.position is not None
                    and grid.distance(foe.position, combatant.position) == 1
                ):
                    yield {"path": _circle(combatant.position, foe.position, spaces), "mode": mode}


def _circle(at: Square, centre: Square, spaces: int) -> list[list[int]]:
    ring = list(grid.neighbours(centre))
    if at not in ring:
        return []
    start = ring.index(at)
    return [list(ring[(start + n) % 8]) for n in range(1, min(spaces, 5) + 1)]


def ways(play: Play, who: Id, *, bonus: bool) -> Ways | None:
    """Return the movement on foot. Enemies block the way, and allies do not.

    FH-MOV-06, FH-MOV-07. Each square costs one space.
    """
    combat, combatant = play.combat, play.combat[who]
    if combatant.position is None:
        return None
    size = sheet(combatant).size
    foes = [(foe.position, sheet(foe).size) for foe in enemies(combat, who) if foe.position]

    def cost(at: Square, to: Square) -> float | None:
        return None if any(grid.overlap(to, foe, size, its) for foe, its in foes) else 1

    def provokes(at: Square, to: Square) -> list[Id]:
        there = standing(combat, who, at)
        return [
            foe
            for foe in left_by(there, who, to)
            if free_hit_slots(there[foe]).value and may_strike(there, foe, who)
        ]

    return Ways(combatant.position, allowance(combatant, "walk", bonus), "spaces", cost, provokes)


@action(
    "move", "Move", Path,
    cost="1 move action", category="move", headline="Move[ to {path}]", essential=("path", "mode"),
    rules={"FH-MOV-01": "An MA moves a unit up to its speed, along one path"},
    also=("FH-FRE-06", "FH-FRE-07"),
    refusals=(
        payment.wrong_kind("ma"),
        payment.lacking(Payment(ma=1)),
        NO_DIRECTION,
        within_allowance("FH-MOV-04", bonus=False),
        path_is_open,
    ),
    propose=lambda play, who: candidates(play, who, bonus=False),
    ways=partial(ways, bonus=False),
    stops=True,
)  # fmt: skip
def move(act: Act[Path]) -> Procedure[None]:
    """Move along one path for 1 MA (FH-MOV-01).

    After a sneaking move, the GM decides which units have noticed it (FH-SNK-04).
    """
    yield from payment.pay(act.play, act.who, Payment(ma=1), "FH-MOV-01", "FH-TRN-05")
    yield from walk(act.play, act.who, act.inputs, bonus=False)


@action(
    "bonus-move", "Move two spaces", Path,
    cost="1 bonus action", category="move",
    headline="Move two spaces[, to {path}]", essential=("path",),
    rules={"FH-MOV-05": "A bonus move costs 1 BA and is 2 spaces"},
    refusals=(
        payment.wrong_kind("ba"),
        payment.lacking(Payment(ba=1)),
        NO_DIRECTION,
        within_allowance("FH-MOV-05", bonus=True),
        path_is_open,
    ),
    propose=lambda play, who: candidates(play, who, bonus=True),
    ways=partial(ways, bonus=True),
    stops=True,
)  # fmt: skip
def bonus_move(act: Act[Path]) -> Procedure[None]:
    """Move two spaces for 1 BA (FH-MOV-05)."""
    yield from payment.pay(act.play, act.who, Payment(ba=1), "FH-MOV-05", "FH-TRN-06")
    yield from walk(act.play, act.who, act.inputs, bonus=True)


# ---- on the way


@rule("FH-MOV-08", "Free hits interrupt a path step by step, and the allowance is computed again")
def walk(play: Play, who: Id, inputs: Path, *, bonus: bool) -> Procedure[None]:
    """Move along the path. Free hits interrupt it step by step (FH-MOV-08).

    The procedure checks each step again before and after each offer, because a free hit may wound
    or move the unit. A step that the unit does not take draws no free hit.
    """
    rule = "FH-MOV-05" if bonus else "FH-MOV-01"
    path = grid.squares(inputs.path) or ()
    yield from slipping_away(play, who, path)

    def goes_on(now: Combat, done: int) -> bool:
        combatant = now[who]
        spaces = allowance(combatant, inputs.mode, bonus)
        return (
            combatant.position is not None
            and done < spaces
            and closed(now, who, path[done:]) is None
        )

    for done, step in enumerate(path):
        yield from leaving(play, who, step, partial(goes_on, done=done))
        if not goes_on(play.combat, done):
            stop = closed(play.combat, who, path[done:])
            if stop is not None:
                yield Stopped(who, "move", stop.code, stop.detail, rules=(stop.rule,))
            break
        before = play.combat[who].position
        yield Moved(who, (step,), mode=inputs.mode, rules=(rule,))
        yield from circling(play, who, before, step)
    if inputs.facing is not None:
        yield FACING.set(who, inputs.facing, rules=("FH-FLK-02",))
    if inputs.mode == "sneak":
        yield from noticed(play, who)


def slipping_away(play: Play, who: Id, path: tuple[Square, ...]) -> Procedure[None]:
    """Ask the GM which zones the unit leaves, if positions are unknown (GAP-12)."""
    if not path or play.combat[who].has("disengaged"):
        return
    near = [
        foe.id
        for foe in enemies(play.combat, who)
        if apart(play.combat, who, foe.id) is None
        and free_hit_slots(foe).value
        and may_strike(play.combat, foe.id, who)
    ]
    answers = yield from ask_all([zone(who, foe, "FH-FRE-06") for foe in near])
    left = [foe for foe, answer in zip(near, answers, strict=True) if answer.option == "yes"]
    yield from free_hits(
        play, who, left, "leave", "FH-FRE-06", lambda now, foe: not now[who].has("disengaged")
    )


@rule(
    "FH-FRE-06",
    "A free hit for leaving comes before the step, one for circling after the third step",
)
@rule("FH-DSG-02", "A disengaged unit leaves all zones without free hits in this round")
def leaving(
    play: Play, who: Id, step: Square, makes_it: Callable[[Combat], bool]
) -> Procedure[None]:
    """Offer free hits before a step that leaves a zone (FH-FRE-06, FH-DSG-02)."""

    def leaves(now: Combat, foe: Id) -> bool:
        return makes_it(now) and foe in left_by(now, who, step)

    near = left_by(play.combat, who, step)
    yield from free_hits(play, who, near, "leave", "FH-FRE-06", leaves)


def left_by(combat: Combat, who: Id, step: Square) -> list[Id]:
    """Return the enemies whose zones the step leaves (FH-FRE-06).

    A disengaged unit leaves no zone.
    """
    combatant = combat[who]
    if combatant.has("disengaged"):
        return []
    size = sheet(combatant).size
    return [
        foe.id
        for foe in enemies(combat, who)
        if in_zone(combat, foe.id, combatant.position, size)
        and in_zone(combat, foe.id, step, size) is False
    ]


@rule("FH-FRE-07", "Only steps inside the same zone count as circling, over all moves of the turn")
@rule("FH-DSG-03", "A disengaged unit still provokes by circling")
def circling(play: Play, who: Id, before: Square | None, step: Square) -> Procedure[None]:
    """Offer free hits after the third step inside a zone (FH-FRE-06, FH-FRE-07).

    The steps of all moves of the turn count. A disengaged unit gets no exception (FH-DSG-03).
    """
    combatant = play.combat[who]
    size = sheet(combatant).size
    inside = [
        foe.id
        for foe in enemies(play.combat, who)
        if in_zone(play.combat, foe.id, before, size) and in_zone(play.combat, foe.id, step, size)
    ]
    if not inside:
        return
    steps = dict(INSIDE.of(combatant))
    for foe in inside:
        steps[foe] = steps.get(foe, 0) + 1
    yield INSIDE.set(who, steps, rules=("FH-FRE-07",))
    third = [foe for foe in inside if steps[foe] == 3]
    yield from free_hits(play, who, third, "within", "FH-FRE-07")


NOTICED = Option("nobody")


def unnoticed(who: Id) -> Option:
    """Return the option with which the GM names the units that fail to notice `who`."""

    def refusals(play: Play, _: Id, inputs: Detection) -> Iterator[Illegal]:
        units_named(play.combat, inputs.by)
        return iter(())

    def watchers(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
        yield {"by": "all"}
        yield {"by": [foe.id for foe in enemies(play.combat, who)]}

    return Option("unnoticed", Detection, refusals, watchers, "These notice nothing")


@rule("FH-SNK-04", "The GM decides which units notice a sneaking unit")
def noticed(play: Play, who: Id) -> Procedure[None]:
    """Ask the GM which units fail to notice a sneaking unit (FH-SNK-04)."""
    answer = yield from ask_gm(
        "detection",
        f"Who fails to notice {who}?",
        (NOTICED, unnoticed(who)),
        "nobody",
        rules=("FH-SNK-04",),
        data={"mover": who},
    )
    if answer.option == "unnoticed":
        yield undetected(play.combat, who, answer.inputs.by)
    elif play.combat[who].has("undetected"):
        yield detected(who)
