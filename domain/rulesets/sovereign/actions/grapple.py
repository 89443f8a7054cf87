"""Grappling: taking hold, breaking out, letting go, dragging, throwing, hurting (SOV-GRAP)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import ConditionGained, Moved, Term
from domain.rulebook import grid
from domain.rulebook.effects import Procedure, ask, stopped_by
from domain.rulebook.inputs import Enemy, SquareInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign import (
    arms,
    attack,
    board,
    checks,
    costs,
    harm,
    movement,
    ties,
    windows,
)
from domain.rulesets.sovereign.actions.attacks import for_a_main
from domain.rulesets.sovereign.actions.shove import opposed, size_penalty, size_refusals
from domain.rulesets.sovereign.blow import Attack, blow_of, refusals
from domain.rulesets.sovereign.numbers import against_check, awake, check_terms, in_fight, options
from domain.rulesets.sovereign.rules import rule


class Grapple(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Enemy


class Shift(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """If `result` is null, it is asked when the check is won. `to` is the target's new square."""

    result: Literal["drag", "throw"] | None = None
    to: SquareInput | None = None


class To(Struct, frozen=True, forbid_unknown_fields=True):
    """Throw: None = straight away."""

    to: SquareInput | None = None


# ---- taking hold


def grapple_refusals(play: Play, who: Id, inputs: Grapple) -> Iterator[Illegal]:
    combat = play.combat
    if ties.held_by(combat, who) is not None:
        yield Illegal("SOV-GRAP-02", "already-grappling", f"{combat[who].name} holds somebody")
    yield from size_refusals(combat, who, inputs.target)
    yield from refusals(combat, who, fists(inputs.target), "melee")


def fists(target: Id) -> Attack:
    return Attack(target=target, weapon=arms.UNARMED)


def grapple_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for other in play.combat:
        if other.id != who and in_fight(play.combat, other.id):
            yield {"target": other.id}


@rule("SOV-GRAP-01", "An unarmed hit, then STR/Brawl against it")
def grapple(play: Play, who: Id, inputs: Grapple) -> Procedure[None]:
    """An unarmed attack; a hit opens an opposed STR/Brawl check (SOV-GRAP-01)."""
    blow = replace(blow_of(play, who, fists(inputs.target), "melee", "grapple"), manoeuvre=True)
    outcome, struck = yield from for_a_main(play, blow, "SOV-GRAP-01")
    if outcome != "hit":
        return
    checking = opposed(play, who, struck.target, "grapple", "SOV-GRAP-01")

    def escaped() -> Illegal | None:
        return next(hold_refusals(play.combat, who, struck.target), None)

    won = yield from stopped_by(play, who, checking, "grapple", escaped)
    if won and escaped() is None:
        yield from ties.take_hold(play.combat, who, struck.target, {})


def hold_refusals(combat: Combat, who: Id, target: Id) -> Iterator[Illegal]:
    """Refuse a target that is too large, down or too far to hold (SOV-GRAP-04)."""
    yield from size_refusals(combat, who, target)
    if not awake(combat, target):
        yield Illegal("SOV-GRAP-04", "incapacitated", f"{target} is not able any more")
    elif not board.adjacent(combat, who, target):
        yield Illegal("SOV-GRAP-04", "not-adjacent", f"{target} is not adjacent")
    elif ties.held_by(combat, who) is not None:
        yield Illegal("SOV-GRAP-02", "already-grappling", f"{who} holds somebody")


GRAPPLE = costs.main(
    "grapple", Grapple, grapple, "Grapple", "SOV-GRAP-01", "SOV-GRAP-02", refusals=grapple_refusals,
    candidates=grapple_candidates,
).shown("attack", "Grapple {target}")  # fmt: skip


# ---- breaking out


def escape_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    yield from held(play.combat, who)


def held(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse unless it is held (SOV-GRAP-05)."""
    if not combat[who].has("grappled"):
        yield Illegal("SOV-GRAP-05", "missing-data", f"nobody holds {combat[who].name}")


@rule("SOV-GRAP-06", "That check meets each holder's number")
def holding_number(combat: Combat, holder: Id, target: Id) -> Sum:
    """8 + STR + Brawl, size penalty included (SOV-GRAP-06)."""
    size = Term("size", size_penalty(combat[holder], combat[target]), "SOV-GRAP-06")
    return against_check(combat[holder], "str", "brawl", "SOV-GRAP-06").take((size,))


@rule("SOV-GRAP-05", "Breaking out costs a Main and one check")
def escape_grapple(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """One check against every holder's number (SOV-GRAP-05, -06)."""
    yield costs.spend(who, "main", "SOV-GRAP-05")
    yield from windows.declared(play, who, "escape-grapple")
    holders = ties.holders(play.combat, who)
    if not holders:
        return

    def numbers() -> dict[Id, Sum]:
        now = [holder for holder in ties.holders(play.combat, who) if holder in holders]
        return {holder: holding_number(play.combat, holder, who) for holder in now}

    trying = checks.check(
        play,
        who,
        "grapple-escape",
        terms=lambda: check_terms(play.combat[who], "str", "brawl", "SOV-GRAP-05"),
        target=lambda: min(numbers().values(), key=attrgetter("value")),
        against=_facing(play.combat, who, holders),
        rules=("SOV-GRAP-05", "SOV-CHK-02"),
    )

    def freed() -> Illegal | None:
        return next(held(play.combat, who), None)

    result = yield from stopped_by(play, who, trying, "escape-grapple", freed)
    if result is None:
        return
    for holder, number in numbers().items():
        if result.total >= number.value:
            yield ties.let_go(play.combat, holder, who, "SOV-GRAP-06", "broken")


def _facing(combat: Combat, who: Id, holders: Sequence[Id]) -> Id:
    """Return one of the holders, for its side: the number of the check is theirs.

    It is not the weakest one, whose identity is secret.
    """
    side = combat[who].side
    return min(holders, key=lambda holder: (combat[holder].side == side, combat[holder].hidden))


ESCAPE_GRAPPLE = costs.main(
    "escape-grapple", NoInputs, escape_grapple, "Break out of a grapple", "SOV-GRAP-05",
    "SOV-GRAP-06", refusals=escape_refusals,
).shown("defend", "Break out of the grapple")  # fmt: skip


# ---- letting go


def release_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if ties.held_by(play.combat, who) is None:
        yield Illegal("SOV-GRAP-04", "missing-data", f"{play.combat[who].name} holds nobody")


def release_grapple(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Free (SOV-GRAP-04)."""
    if not (yield from costs.plausible(play, who, "free", RELEASE_GRAPPLE, inputs)):
        return
    target = ties.held_by(play.combat, who)
    if target is not None:
        yield ties.let_go(play.combat, who, target, "SOV-GRAP-04", "released")


RELEASE_GRAPPLE = costs.free(
    "release-grapple", NoInputs, release_grapple, "Let go", "SOV-GRAP-04",
    refusals=release_refusals,
).shown("use", "Let go")  # fmt: skip


# ---- moving the target


def move_refusals(play: Play, who: Id, inputs: Shift) -> Iterator[Illegal]:
    combat = play.combat
    target = ties.held_by(combat, who)
    if target is None:
        yield Illegal("SOV-GRAP-07", "missing-data", f"{combat[who].name} holds nobody")
    elif inputs.result is not None:
        yield from shift_refusals(combat, who, target, inputs.result, inputs.to)


def shift_refusals(
    combat: Combat, who: Id, target: Id, result: str, to: object
) -> Iterator[Illegal]:
    """Check a drag of both by the same offset up to 10 ft, or a throw of 5 ft (SOV-GRAP-07)."""
    if result == "throw" and to is None:
        return
    combatant, other, square = combat[who], combat[target], board.square_of(to)
    if square is None or combatant.position is None or other.position is None:
        yield Illegal("SOV-GRAP-07", "path-blocked", f"{to} is no square")
        return
    far = grid.distance(other.position, square)
    if not 1 <= far <= (2 if result == "drag" else 1):
        yield Illegal("SOV-GRAP-07", "too-far", f"{list(square)} is {5 * far} ft away")
    if not movement.free_square(combat, target, square, (who,) if result == "drag" else ()):
        yield Illegal("SOV-GRAP-07", "square-occupied", f"{list(square)} is not free")
    elif result == "drag" and not movement.free_square(
        combat, who, along(combatant.position, other.position, square), (target,)
    ):
        yield Illegal("SOV-GRAP-07", "square-occupied", f"{who} would have no room")


def along(mine: Square, theirs: Square, to: Square) -> Square:
    """The holder's square after the same offset."""
    return (
        mine[0] + to[0] - theirs[0],
        mine[1] + to[1] - theirs[1],
        mine[2] + to[2] - theirs[2],
    )


def shift_samples(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    target = ties.held_by(play.combat, who)
    at = None if target is None else play.combat[target].position
    if at is None:
        return
    for to in grid.neighbours(at):
        yield {"to": list(to)}


def move_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    yield {"result": "throw"}
    for raw in shift_samples(play, who):
        yield {**raw, "result": "drag"}


@rule("SOV-GRAP-07", "A won check drags both or throws the target")
def move_grappled(play: Play, who: Id, inputs: Shift) -> Procedure[None]:
    """A won check drags or throws; a lost one frees the target (SOV-GRAP-07)."""
    yield costs.spend(who, "main", "SOV-GRAP-07")
    yield from windows.declared(play, who, "move-grappled", ties.held_by(play.combat, who))
    target = ties.held_by(play.combat, who)
    if target is None:
        return
    checking = opposed(play, who, target, "grapple-move", "SOV-GRAP-07")
    stops = partial(parted, play, who, target)
    won = yield from stopped_by(play, who, checking, "move-grappled", stops)
    if won is None:
        return
    if not won:
        yield ties.let_go(play.combat, who, target, "SOV-GRAP-07", "lost")
        return
    result, to = yield from shifted_to(play, who, target, inputs)
    combatant, other = play.combat[who], play.combat[target]
    rules = ("SOV-GRAP-07", "SOV-AOO-07")
    if ties.held_by(play.combat, who) != target:  # it ended while the question was open
        return
    if result == "drag" and to is not None and combatant.position and other.position:
        mine = along(combatant.position, other.position, to)
        yield (
            Moved(target, (to,), forced=True, rules=rules),
            Moved(who, (mine,), forced=True, rules=rules),
        )
        return
    yield ties.let_go(play.combat, who, target, "SOV-GRAP-07", "thrown")
    if to is not None:
        yield Moved(target, (to,), forced=True, rules=rules)
    if not play.combat[target].has("prone"):
        yield ConditionGained(target, "prone", source=who, rules=("SOV-GRAP-07",))


def parted(play: Play, who: Id, target: Id) -> Illegal | None:
    """Return why the hold has ended, or None."""
    if ties.held_by(play.combat, who) == target:
        return None
    return Illegal("SOV-GRAP-04", "missing-data", f"{who} holds {target} no more")


MOVE_GRAPPLED = costs.main(
    "move-grappled", Shift, move_grappled, "Move whom one holds", "SOV-GRAP-07",
    refusals=move_refusals, candidates=move_candidates, stops=True,
).shown("attack", "Move whom it holds[ to {to}]", "result", "to", polarity="harm")  # fmt: skip


RESULT = (
    Option("drag", To, candidates=shift_samples, label="Drag it there").shown(
        "choose", "Drag[ to {to}]", "to", polarity="harm"
    ),
    Option("throw", To, candidates=shift_samples, label="Throw it there").shown(
        "choose", "Throw[ to {to}]", "to", polarity="harm"
    ),
)


def shifted_to(
    play: Play, who: Id, target: Id, inputs: Shift
) -> Procedure[tuple[str, Square | None]]:
    """Return the given result, or ask the attacker. The default is a throw straight away."""
    given = inputs.result
    if given is not None:
        broken = next(shift_refusals(play.combat, who, target, given, inputs.to), None)
        if broken is None:
            return given, board.square_of(inputs.to) or away(play.combat, who, target)

    def here(option: Option) -> Option:
        def checked(play: Play, who: Id, inputs: To) -> Iterator[Illegal]:
            yield from shift_refusals(play.combat, who, target, option.id, inputs.to)

        return replace(option, refusals=checked)

    answer = yield from ask(
        Prompt(
            kind="choice",
            name="grapple-move-result",
            who=who,
            text=f"{who} moves {target}: along with itself, or thrown?",
            options=tuple(here(option) for option in RESULT),
            rules=("SOV-GRAP-07",),
            default="throw",
            data={"attacker": who, "target": target},
            stands=lambda now: ties.held_by(now, who) == target,
        )
    )
    to = board.square_of(answer.inputs.to)
    return answer.option, to or away(play.combat, who, target)


def away(combat: Combat, who: Id, target: Id) -> Square | None:
    """Straight away from the thrower, if that square is free."""
    mine, theirs = combat[who].position, combat[target].position
    if mine is None or theirs is None:
        return None
    x, y = (theirs[axis] + _sign(theirs[axis] - mine[axis]) for axis in range(2))
    to = (x, y, theirs[2])
    return to if to != theirs and movement.free_square(combat, target, to) else None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# ---- at the end of the round


@rule("SOV-GRAP-08", "At round-end each holder hurts the target")
def round_end(play: Play) -> Procedure[None]:
    """Each holder deals an unarmed hit's damage, in the order of taking hold (SOV-GRAP-08)."""
    for holder, target in ties.holds(play.combat):
        stops = partial(parted, play, holder, target)
        weapon = arms.weapon_of(play.combat[holder], arms.UNARMED)
        if weapon is None or stops() is not None:
            continue
        blow = blow_of(play, holder, fists(target), "melee", "grapple")
        die = partial(attack.roll_damage, play, blow, "grapple-damage", "SOV-GRAP-08")
        fallen = yield from stopped_by(
            play, holder, windows.seen(play, die), "grapple-damage", stops
        )
        if fallen is None:
            continue
        points = max(fallen.total, options(play.combat).minimum_hit_damage)
        yield from harm.struck(play, blow, points, "damage", rules=("SOV-GRAP-08",))
