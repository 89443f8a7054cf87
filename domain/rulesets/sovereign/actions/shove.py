"""The action `shove`, an attack that opens an opposed Strength check (SOV-SHOVE)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import ConditionGained, Moved, Term
from domain.rulebook import grid
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure, ask, stopped_by
from domain.rulebook.inputs import Enemy, InputKind, OwnWeapon, SquareInput
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign import attack, board, checks, costs, movement
from domain.rulesets.sovereign.actions.attacks import for_a_main, samples
from domain.rulesets.sovereign.blow import Attack, blow_of, refusals
from domain.rulesets.sovereign.numbers import (
    CATEGORIES,
    against_check,
    check_terms,
    level,
    sheet_of,
)
from domain.rulesets.sovereign.rules import action, rule
from domain.rulesets.sovereign.sheet import Skill


def aimed_at(combat: Combat, who: Id, inputs: Any) -> Id:
    """Return the target of the shove, because a push moves the target."""
    target: Id = inputs.target
    return target


class Shove(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a shove.

    If `result` and `to` are `null`, the attacker chooses after a won check.
    """

    target: Enemy
    weapon: OwnWeapon | None = None
    attribute: str | None = None
    result: Literal["prone", "push"] | None = None
    to: Annotated[tuple[int, ...], InputKind("square", stands=aimed_at)] | None = None


class Push(Struct, frozen=True, forbid_unknown_fields=True):
    to: SquareInput


# ---- size


@rule(
    "SOV-SHOVE-04",
    "A shove has −2 or −4 against larger targets, and the largest targets cannot be shoved",
)
def size_penalty(combatant: Combatant, target: Combatant) -> int:
    """Return `-2` or `-4` against a larger target, and `0` against others (SOV-SHOVE-04)."""
    own, theirs = (CATEGORIES.index(sheet_of(who).size_category) for who in (combatant, target))
    return 0 if own >= theirs else {1: -2, 2: -4}.get(theirs, 0)


def size_refusals(combat: Combat, who: Id, target: Id) -> Iterator[Illegal]:
    theirs = sheet_of(combat[target]).size_category
    if theirs == "impossible" and sheet_of(combat[who]).size_category != "impossible":
        detail = f"{target} is too large for that"
        yield refuse("SOV-SHOVE-04", "too-large", detail, "target")


def opposed(
    play: Play,
    who: Id,
    target: Id,
    purpose: str,
    rule: str,
    best: Callable[[Combatant], Skill] = lambda combatant: "brawl",
) -> Procedure[bool]:
    """Roll an opposed STR check, and return true if the attacker wins (SOV-CHK-02).

    The number to reach is 8 + the target's STR and skill. Against a larger target, the attacker
    has a penalty (SOV-SHOVE-04).
    """

    def terms() -> tuple[Term, ...]:
        combatant, other = play.combat[who], play.combat[target]
        size = Term("size", size_penalty(combatant, other), "SOV-SHOVE-04")
        return *check_terms(combatant, "str", best(combatant), rule), size

    def number() -> Sum:
        other = play.combat[target]
        return against_check(other, "str", best(other), rule)

    result = yield from checks.check(
        play,
        who,
        purpose,
        terms=terms,
        target=number,
        against=target,
        rules=(rule, "SOV-CHK-02"),
    )
    return result.success


# ---- shove


def as_attack(inputs: Shove) -> Attack:
    return Attack(target=inputs.target, weapon=inputs.weapon, attribute=inputs.attribute)


def shovable(act: Act[Shove]) -> Iterator[Illegal]:
    """Refuse a target that is too large or cannot be attacked, and a square that is not free."""
    combat, who, inputs = act.combat, act.who, act.inputs
    yield from size_refusals(combat, who, inputs.target)
    yield from refusals(combat, who, as_attack(inputs), "melee")
    if inputs.to is not None and not pushable(combat, inputs.target, inputs.to):
        detail = f"{grid.written(inputs.to)} is not free beside it"
        yield refuse("SOV-SHOVE-02", "square-occupied", detail, "to")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every weapon against each combatant, first without a result, then with `prone`."""
    for raw in samples(play.combat, who, "melee"):
        yield raw
        yield {**raw, "result": "prone"}


def better(combatant: Combatant) -> Skill:
    """Return the better of Brawl and Exert (SOV-SHOVE-01)."""
    skills: tuple[Skill, ...] = ("brawl", "exert")
    return max(skills, key=lambda skill: level(combatant, skill) or 0)


@action(
    "shove", "Shove", Shove,
    cost="Main", category="attack", headline="Shove {target}[ with {weapon}]",
    essential=("target", "result"),
    rules={"SOV-SHOVE-01": "A shove costs a Main, and a hit opens an opposed STR check"},
    also=("SOV-SHOVE-02", "SOV-SHOVE-03", "SOV-SHOVE-04"),
    refusals=(*costs.FOR_A_MAIN, shovable),
    propose=candidates,
    stops=True,
)  # fmt: skip
def shove(act: Act[Shove]) -> Procedure[None]:
    """Make an attack that opens an opposed STR check instead of dealing damage.

    SOV-SHOVE-01, SOV-SHOVE-03.
    """
    play, who, inputs = act.play, act.who, act.inputs
    blow = replace(blow_of(play, who, as_attack(inputs), "melee", "shove"), manoeuvre=True)
    outcome, struck = yield from for_a_main(play, blow, "SOV-SHOVE-01")
    if outcome != "hit":
        return
    target = struck.target
    checking = opposed(play, who, target, "shove", "SOV-SHOVE-01", better)

    def lost() -> Illegal | None:  # a screener may be too large, even if the ward was not
        large = next(size_refusals(play.combat, who, target), None)
        return large or attack.illegal(play.combat, struck)

    if (yield from stopped_by(play, who, checking, "shove", lost)):
        yield from stopped_by(play, who, shoved(play, who, target, inputs), "shove", lost)


@rule("SOV-AOO-07", "Forced movement does not provoke")
def shoved(play: Play, who: Id, target: Id, inputs: Shove) -> Procedure[None]:
    """Knock the target prone, or push it into another square (SOV-SHOVE-02)."""
    to = yield from pushed_to(play, who, target, inputs)
    if to is not None:
        yield Moved(target, (to,), forced=True, rules=("SOV-SHOVE-02", "SOV-AOO-07"))
    elif not play.combat[target].has("prone"):
        yield ConditionGained(target, "prone", source=who, rules=("SOV-SHOVE-02",))


def pushable(combat: Combat, target: Id, to: Sequence[int]) -> bool:
    """Return true if the square is free and adjacent to the target (SOV-SHOVE-02)."""
    at, square = combat[target].position, grid.square(to)
    if at is None or square is None or not grid.is_step(at, square):
        return False
    return movement.free_square(combat, target, square)


PRONE, PUSH = (
    Option("prone").shown("choose", "Throw it prone", polarity="harm"),
    Option("push", Push, label="Push it there").shown(
        "choose", "Push to {to}", "to", polarity="harm"
    ),
)


@rule("SOV-SHOVE-02", "A won shove pushes the target one square or knocks it prone")
def pushed_to(play: Play, who: Id, target: Id, inputs: Shove) -> Procedure[Square | None]:
    """Return the square of a push, or `None` if the target falls prone (SOV-SHOVE-02).

    If the inputs leave the result open, the attacker chooses.
    """
    given = grid.square(inputs.to)
    if given is not None and inputs.result != "prone" and pushable(play.combat, target, given):
        return given
    if inputs.result == "prone":
        return None

    def checked(play: Play, who: Id, push: Push) -> Iterator[Illegal]:
        edges, side = board.edges(play.combat), board.space(play.combat[target])
        if edges is not None and edges.hold(push.to) and not edges.hold(push.to, side):
            yield edges.refusal(push.to, "/inputs/to", side)
        elif not pushable(play.combat, target, push.to):
            detail = f"{grid.written(push.to)} is not free beside {target}"
            yield refuse("SOV-SHOVE-02", "square-occupied", detail, "to")

    def beside(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        at = play.combat[target].position
        for to in grid.neighbours(at) if at is not None else ():
            yield {"to": list(to)}

    answer = yield from ask(
        Prompt(
            kind="choice",
            name="shove-result",
            who=who,
            text=f"{who} has shoved {target}. Does {target} fall prone, or move one square?",
            options=(PRONE, replace(PUSH, refusals=checked, candidates=beside)),
            rules=("SOV-SHOVE-02",),
            default="prone",
            data={"attacker": who, "target": target},
            stands=lambda now: in_fight(now, target),
        )
    )
    return None if answer.option == "prone" else grid.square(answer.inputs.to)
