"""The actions of a grapple, and its damage at the end of the round (SOV-GRAP)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square
from domain.record.events import ConditionGained, Moved, Term
from domain.rulebook import grid
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse, renamed
from domain.rulebook.effects import Procedure, ask, stopped_by
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign import arms, board, checks, costs, damage, movement, ties, windows
from domain.rulesets.sovereign.actions.attacks import for_a_main
from domain.rulesets.sovereign.actions.shove import opposed, size_penalty, size_refusals
from domain.rulesets.sovereign.blow import Attack, blow_of, refusals
from domain.rulesets.sovereign.numbers import against_check, awake, check_terms, options
from domain.rulesets.sovereign.rules import action, rule


def others(combat: Combat, who: Id) -> list[Id]:
    """Return the other combatants in the fight."""
    return [other.id for other in combat if other.id != who and in_fight(combat, other.id)]


class Grapple(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    target: Annotated[Id, InputKind("combatant", toward="harm", proposes=others)]


def shifted(combat: Combat, who: Id, inputs: Any) -> Id | None:
    """Return the combatant that `who` holds and moves."""
    return ties.held_by(combat, who)


class Shift(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a move with the target. `to` is the target's new square.

    If `result` is `null`, the attacker chooses the result after a won check.
    """

    result: Literal["drag", "throw"] | None = None
    to: Annotated[tuple[int, ...], InputKind("square", stands=shifted)] | None = None


class To(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a drag or a throw. `to` is the target's new square.

    Without `to`, a throw moves the target in a straight line away from the thrower.
    """

    to: Annotated[tuple[int, ...], InputKind("square", stands=shifted)] | None = None


# ---- taking hold


def reachable(act: Act[Grapple]) -> Iterator[Illegal]:
    """Refuse a target that is too large or that bare hands do not reach."""
    yield from size_refusals(act.combat, act.who, act.inputs.target)
    attacking = refusals(act.combat, act.who, fists(act.inputs.target), "melee")
    yield from renamed(attacking, weapon=NO_FIELD)


def fists(target: Id) -> Attack:
    return Attack(target=target, weapon=arms.UNARMED)


@action(
    "grapple", "Grapple", Grapple,
    cost="Main", category="attack", headline="Grapple {target}",
    rules={"SOV-GRAP-01": "A grapple is an unarmed hit, then STR/Brawl against the target"},
    also=("SOV-GRAP-02",),
    refusals=(
        *costs.FOR_A_MAIN,
        Refusal("SOV-GRAP-02", "already-grappling", "{actor} holds somebody",
                lambda act: ties.held_by(act.combat, act.who) is not None),
        reachable,
    ),
    propose=("target",),
)  # fmt: skip
def grapple(act: Act[Grapple]) -> Procedure[None]:
    """Attack with bare hands. A hit opens an opposed STR/Brawl check (SOV-GRAP-01)."""
    play, who, named = act.play, act.who, fists(act.inputs.target)
    blow = replace(blow_of(play, who, named, "melee", "grapple"), manoeuvre=True)
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
    """Refuse to hold a target that is too large, not able or not adjacent (SOV-GRAP-04).

    A combatant that already holds a target cannot hold another.
    """
    yield from size_refusals(combat, who, target)
    if not awake(combat, target):
        yield refuse("SOV-GRAP-04", "incapacitated", f"{target} is not able any more", "target")
    elif not board.adjacent(combat, who, target):
        yield refuse("SOV-GRAP-04", "not-adjacent", f"{target} is not adjacent", "target")
    elif ties.held_by(combat, who) is not None:
        yield refuse("SOV-GRAP-02", "already-grappling", f"{who} holds somebody", NO_FIELD)


# ---- breaking out


def held(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse unless somebody holds the combatant (SOV-GRAP-05)."""
    if not combat[who].has("grappled"):
        detail = f"nobody holds {combat[who].name}"
        yield refuse("SOV-GRAP-05", "missing-data", detail, NO_FIELD)


@rule("SOV-GRAP-06", "The check is compared with each holder's number")
def holding_number(combat: Combat, holder: Id, target: Id) -> Sum:
    """Return the number that breaks the hold (SOV-GRAP-06).

    It is 8 + the holder's STR and Brawl, with the size penalty.
    """
    size = Term("size", size_penalty(combat[holder], combat[target]), "SOV-GRAP-06")
    return against_check(combat[holder], "str", "brawl", "SOV-GRAP-06").take((size,))


@action(
    "escape-grapple", "Break out of a grapple",
    cost="Main", category="defend", headline="Break out of the grapple",
    rules={"SOV-GRAP-05": "Breaking out costs a Main and one check"},
    also=("SOV-GRAP-06",),
    refusals=(*costs.FOR_A_MAIN, lambda act: held(act.combat, act.who)),
)  # fmt: skip
def escape_grapple(act: Act[NoInputs]) -> Procedure[None]:
    """Roll one check (SOV-GRAP-05) against the number of every holder (SOV-GRAP-06)."""
    play, who = act.play, act.who
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
    """Return the holder that the check names as its opponent.

    Prefer a visible holder that is not on the side of `who`, because the side of the named holder
    sees the target number. The holders' numbers do not decide, because the name would then reveal
    the weakest holder.
    """
    side = combat[who].side
    return min(holders, key=lambda holder: (combat[holder].side == side, combat[holder].hidden))


# ---- letting go


@action(
    "release-grapple", "Let go",
    cost="Free", category="use", headline="Let go",
    rules={}, also=("SOV-GRAP-04",),
    refusals=(
        costs.own_turn,
        Refusal("SOV-GRAP-04", "missing-data", "{actor} holds nobody",
                lambda act: ties.held_by(act.combat, act.who) is None),
    ),
)  # fmt: skip
def release_grapple(act: Act[NoInputs]) -> Procedure[None]:
    """Release the held combatant for free (SOV-GRAP-04)."""
    play, who = act.play, act.who
    if not (yield from costs.plausible(play, who, "free", release_grapple, act.inputs)):
        return
    target = ties.held_by(play.combat, who)
    if target is not None:
        yield ties.let_go(play.combat, who, target, "SOV-GRAP-04", "released")


# ---- moving the target


def movable(act: Act[Shift]) -> Iterator[Illegal]:
    """Refuse if the combatant holds nobody or cannot move the target to the square."""
    target = ties.held_by(act.combat, act.who)
    if target is None:
        yield refuse("SOV-GRAP-07", "missing-data", f"{act.actor.name} holds nobody", NO_FIELD)
    elif act.inputs.result is not None:
        yield from shift_refusals(act.combat, act.who, target, act.inputs.result, act.inputs.to)


def shift_refusals(
    combat: Combat, who: Id, target: Id, result: str, to: Sequence[int] | None
) -> Iterator[Illegal]:
    """Refuse a drag of more than 10 ft, a throw of more than 5 ft, or a blocked square.

    A drag moves both combatants by the same offset (SOV-GRAP-07).
    """
    if result == "throw" and to is None:
        return
    combatant, other, square = combat[who], combat[target], grid.square(to)
    if square is None or combatant.position is None or other.position is None:
        yield refuse("SOV-GRAP-07", "path-blocked", f"{to} is no square", "to")
        return
    far = grid.distance(other.position, square)
    if not 1 <= far <= (2 if result == "drag" else 1):
        detail = f"{grid.written(square)} is {5 * far} ft away"
        yield refuse("SOV-GRAP-07", "too-far", detail, "to")
    if not movement.free_square(combat, target, square, (who,) if result == "drag" else ()):
        detail = f"{grid.written(square)} is not free"
        yield refuse("SOV-GRAP-07", "square-occupied", detail, "to")
    elif result == "drag" and not movement.free_square(
        combat, who, along(combatant.position, other.position, square), (target,)
    ):
        yield refuse("SOV-GRAP-07", "square-occupied", f"{who} would have no room", "to")


def along(own: Square, theirs: Square, to: Square) -> Square:
    """Return the square of the holder if it moves by the same offset as the target."""
    return (
        own[0] + to[0] - theirs[0],
        own[1] + to[1] - theirs[1],
        own[2] + to[2] - theirs[2],
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


@action(
    "move-grappled", "Move whom one holds", Shift,
    cost="Main", category="attack", headline="Move whom it holds[ to {to}]",
    essential=("result", "to"), polarity="harm",
    rules={"SOV-GRAP-07": "A won check drags both or throws the target"},
    refusals=(*costs.FOR_A_MAIN, movable),
    propose=move_candidates,
    stops=True,
)  # fmt: skip
def move_grappled(act: Act[Shift]) -> Procedure[None]:
    """Roll a check to drag or throw the target. A lost check frees the target (SOV-GRAP-07)."""
    play, who = act.play, act.who
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
    result, to = yield from shifted_to(play, who, target, act.inputs)
    combatant, other = play.combat[who], play.combat[target]
    rules = ("SOV-GRAP-07", "SOV-AOO-07")
    if ties.held_by(play.combat, who) != target:  # the hold ended while the prompt was open
        return
    if result == "drag" and to is not None and combatant.position and other.position:
        beside = along(combatant.position, other.position, to)
        yield (
            Moved(target, (to,), forced=True, rules=rules),
            Moved(who, (beside,), forced=True, rules=rules),
        )
        return
    yield ties.let_go(play.combat, who, target, "SOV-GRAP-07", "thrown")
    if to is not None:
        yield Moved(target, (to,), forced=True, rules=rules)
    if not play.combat[target].has("prone"):
        yield ConditionGained(target, "prone", source=who, rules=("SOV-GRAP-07",))


def parted(play: Play, who: Id, target: Id) -> Illegal | None:
    """Return the reason why the hold has ended, or `None` while it lasts."""
    if ties.held_by(play.combat, who) == target:
        return None
    return refuse("SOV-GRAP-04", "missing-data", f"{who} holds {target} no more", NO_FIELD)


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
    """Return the result and the square from the inputs, or else ask the attacker.

    By default, the attacker throws the target in a straight line away from itself.
    """
    given = inputs.result
    if given is not None:
        broken = next(shift_refusals(play.combat, who, target, given, inputs.to), None)
        if broken is None:
            return given, grid.square(inputs.to) or away(play.combat, who, target)

    def here(option: Option) -> Option:
        def checked(play: Play, who: Id, inputs: To) -> Iterator[Illegal]:
            yield from shift_refusals(play.combat, who, target, option.id, inputs.to)

        return replace(option, refusals=checked)

    answer = yield from ask(
        Prompt(
            kind="choice",
            name="grapple-move-result",
            who=who,
            text=f"Does {who} drag {target} along, or throw it?",
            options=tuple(here(option) for option in RESULT),
            rules=("SOV-GRAP-07",),
            default="throw",
            data={"attacker": who, "target": target},
            stands=lambda now: ties.held_by(now, who) == target,
        )
    )
    to = grid.square(answer.inputs.to)
    return answer.option, to or away(play.combat, who, target)


def away(combat: Combat, who: Id, target: Id) -> Square | None:
    """Return the square behind the target, seen from the thrower, or `None` if it is not free."""
    own, theirs = combat[who].position, combat[target].position
    if own is None or theirs is None:
        return None
    x, y = (theirs[axis] + _sign(theirs[axis] - own[axis]) for axis in range(2))
    to = (x, y, theirs[2])
    return to if to != theirs and movement.free_square(combat, target, to) else None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# ---- at the end of the round


@rule("SOV-GRAP-08", "At the end of the round, each holder hurts the target")
def round_end(play: Play) -> Procedure[None]:
    """Let each holder deal its unarmed damage, in the order of taking hold (SOV-GRAP-08)."""
    for holder, target in ties.holds(play.combat):
        stops = partial(parted, play, holder, target)
        weapon = arms.weapon_of(play.combat[holder], arms.UNARMED)
        if weapon is None or stops() is not None:
            continue
        blow = blow_of(play, holder, fists(target), "melee", "grapple")
        die = partial(damage.roll_damage, play, blow, "grapple-damage", "SOV-GRAP-08")
        fallen = yield from stopped_by(
            play, holder, windows.seen(play, die), "grapple-damage", stops
        )
        if fallen is None:
            continue
        points = max(fallen.total, options(play.combat).minimum_hit_damage)
        yield from damage.struck(play, blow, points, "damage", rules=("SOV-GRAP-08",))
