"""Options of the aggressor in a grapple: break, expose, move, submission and pin.

DEF-GRB, DEF-GRE, DEF-GRM, DEF-GRS, DEF-GPN. Each option is a standard action with one opposed
grapple, which the aggressor rolls first. No touch attack and no opportunity
come before this roll.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Square, Until
from domain.record.events import (
    ConditionGained,
    ConditionLost,
    Moved,
    Noted,
    TrackChanged,
)
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Option
from domain.rulesets.definitions import (
    board,
    harm,
    movement,
    numbers,
    opposed_rolls,
    release,
    triggers,
)
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deed import foiled
from domain.rulesets.definitions.deeds import STANDARD, Attempt, Others, priced
from domain.rulesets.definitions.facts import SUBMISSION, SUBMITTED
from domain.rulesets.definitions.movement import Path, Walk
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import max_hp, nld, partner


class Hold(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a grapple option.

    `defend_with` is the defender's choice of roll. It counts only if one player plays both
    combatants (DEF-MAN-07).
    """

    defend_with: Literal["grapple", "escape-artist"] | None = None


class HoldAndMove(Hold, frozen=True, forbid_unknown_fields=True, kw_only=True):
    path: Path = ()


def holds_nobody(act: Act[Hold]) -> bool:
    """Return true if the actor holds no combatant (DEF-GRP-14)."""
    return not act.actor.has("grappling") or partner(act.combat, act.who) is None


NOT_AGGRESSOR = Refusal(
    "DEF-GRP-14", "not-aggressor", "{actor} holds nobody in a grapple", holds_nobody
)
STRONG_ONLY = Refusal(
    "DEF-MAN-07", "escape-artist-not-allowed", "Escape Artist does not help against this",
    lambda act: act.inputs.defend_with == "escape-artist", "defend_with", ("grapple",),
)  # fmt: skip
"""Refuse Escape Artist, because only a grapple resists break, expose and move."""


@rule("DEF-GRP-14", "Each option of the aggressor needs one opposed grapple")
def won(act: Act[Hold], rule: str, *, skill: bool = False) -> Procedure[Id | None]:
    """Roll one opposed grapple. Return the target if the aggressor won, otherwise `None`.

    If `skill` is true, the defender may use Escape Artist.
    """
    play, who, target = act.play, act.who, held_target(act.combat, act.who)
    free = release.free(target, who)
    if skill:
        theirs = yield from opposed_rolls.grapple_defense(
            play, target, who, rule, free, act.inputs.defend_with
        )
    else:
        theirs = opposed_rolls.grapple(target)
    result = yield from opposed_rolls.contest(play, opposed_rolls.grapple(who), theirs, rule, free)
    return target if result.won else None


def held_target(combat: Combat, who: Id) -> Id:
    target = partner(combat, who)
    assert target is not None
    return target


def at_whom_it_holds(combat: Combat, who: Id, inputs: Hold) -> tuple[Id, ...]:
    return (held_target(combat, who),)


AT_WHOM_IT_HOLDS = Others(at_whom_it_holds)


# ---- break


class Injury(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The GM's answer about a broken bone: a text, and data for the condition."""

    text: Annotated[str, Meta(max_length=200)] = ""
    data: dict[str, Json] = {}


INJURY = (Option("injury", Injury, label="This injury"),)


@priced(
    "grapple-break", "Break a bone", Hold, STANDARD, AT_WHOM_IT_HOLDS,
    category="attack", headline="Break a bone of whom it holds", polarity="harm",
    rules={"DEF-GRB-01": "Break causes an injury and no damage"},
    also=("DEF-GRP-14",),
    refusals=(NOT_AGGRESSOR, STRONG_ONLY),
)  # fmt: skip
def grapple_break(act: Attempt[Hold]) -> Procedure[None]:
    """Break a bone of the target, without damage (DEF-GRB-01)."""
    who, target = act.who, (yield from won(act, "DEF-GRB-01"))
    if target is None:
        return
    answer = yield from ask_gm(
        "injury",
        f"{who} breaks one of {target}'s bones. Which bone is it, and what is its effect?",
        INJURY,
        "injury",
        rules=("DEF-GRB-01",),
        data={"combatant": target, "source": who},
        stands=lambda now: in_fight(now, target),
    )
    data = {**answer.inputs.data, "kind": "injury", "name": answer.inputs.text or "broken bone"}
    yield ConditionGained(target, "wounded", data=data, source=who, rules=("DEF-GRB-01",))


# ---- expose


def is_not_pinned(act: Act[Hold]) -> bool:
    """Return true unless the actor holds a pinned combatant."""
    target = partner(act.combat, act.who)
    return target is None or not act.combat[target].has("pinned")


@priced(
    "grapple-expose", "Expose", Hold, STANDARD, AT_WHOM_IT_HOLDS,
    category="attack", headline="Expose whom it holds", polarity="harm",
    rules={"DEF-GRE-01": "Expose makes the target helpless towards the aggressor's allies"},
    also=("DEF-GRP-14",),
    refusals=(
        NOT_AGGRESSOR,
        STRONG_ONLY,
        Refusal("DEF-GRE-01", "not-pinned", "only a pinned one can be exposed", is_not_pinned),
    ),
)  # fmt: skip
def grapple_expose(act: Attempt[Hold]) -> Procedure[None]:
    """Expose the target to the aggressor's allies.

    The exposure ends at the aggressor's next turn, or when the pin ends.
    """
    play, who, target = act.play, act.who, (yield from won(act, "DEF-GRE-01"))
    if target is None:
        return
    side = play.combat[who].side
    allies: list[Json] = [
        combatant.id
        for combatant in play.combat
        if combatant.side == side and combatant.id not in (who, target)
    ]
    for condition in ("exposed", "helpless"):
        yield ConditionGained(
            target,
            condition,
            key=f"{condition}:grapple",
            data={"towards": allies, "cause": "grapple"},
            until=(Until("turn-start", who=who),),
            source=who,
            rules=("DEF-GRE-01",),
        )


# ---- move


def half(combat: Combat, who: Id) -> int:
    """Return half of the aggressor's movement in ft, rounded down to 5 ft (DEF-GRM-01)."""
    return numbers.movement_ft(combat[who]) // 10 * 5


def draggable(act: Act[HoldAndMove]) -> Iterator[Illegal]:
    """Refuse a path whose squares are not free for both combatants."""
    combat, who, path = act.combat, act.who, act.inputs.path
    target = partner(combat, who)
    yield from movement.path_refusals(combat, who, path, half(combat, who), "DEF-GRM-01")
    if target is None:
        return
    for step in both_ways(places(combat, who, target), path):
        yield from taken(combat, who, target, step)


Both = tuple[Square, Square]
"""The squares of the aggressor and of the held combatant."""


def places(combat: Combat, who: Id, target: Id) -> Both | None:
    """Return the positions of both combatants, or `None` if a position is missing."""
    ours, theirs = combat[who].position, combat[target].position
    return None if ours is None or theirs is None else (ours, theirs)


def both_ways(at: Both | None, path: Path) -> list[Both]:
    """Return the positions of both combatants after each step."""
    if at is None:
        return []
    x, y, z = (theirs - ours for ours, theirs in zip(*at, strict=True))
    return [(to, (to[0] + x, to[1] + y, to[2] + z)) for to in movement.squares(path)]


def taken(combat: Combat, who: Id, target: Id, step: Both) -> Iterator[Illegal]:
    """Refuse a step into squares that another combatant occupies (DEF-GRM-01)."""
    for id, at in zip((who, target), step, strict=True):
        if not board.free(combat, id, at, (who, target)):
            detail = f"{grid.written(at)} is not free for {id}"
            yield refuse("DEF-GRM-01", "square-occupied", detail, "path")


def drag_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    if combatant.position is None:
        yield {}
        return
    for to in grid.neighbours(combatant.position):
        yield {"path": [list(to)]}


@priced(
    "grapple-move", "Drag", HoldAndMove, STANDARD, AT_WHOM_IT_HOLDS,
    category="attack", headline="Drag whom it holds[ to {path}]", essential=("path",),
    polarity="harm",
    rules={"DEF-GRM-01": "Move drags the target along, up to half of the aggressor's movement"},
    also=("DEF-GRP-14",),
    refusals=(NOT_AGGRESSOR, STRONG_ONLY, draggable),
    propose=drag_candidates,
    stops=True,
)  # fmt: skip
def grapple_move(act: Attempt[HoldAndMove]) -> Procedure[None]:
    """Drag the target along.

    The aggressor provokes opportunities, but the target does not (DEF-GRM-01).
    """
    play, who, target = act.play, act.who, (yield from won(act, "DEF-GRM-01"))
    if target is None:
        return
    at = places(play.combat, who, target)
    if at is None:
        yield from movement.without_place(play, who, "grapple-move")
        yield Noted(f"{who} drags {target}: the GM places them", rules=("DEF-GRM-01",))
        return
    way = Walk(who, "grapple-move", exempt=[target])
    for step in both_ways(at, act.inputs.path):
        yield from movement.left(play, way, step[0])
        if partner(play.combat, who) != target or places(play.combat, who, target) != at:
            return
        refusal = next(taken(play.combat, who, target, step), None)
        if refusal is not None:
            yield foiled(who, way.action, refusal)
            return
        # Both combatants move at once, so that neither leaves the reach of the other.
        yield (
            Moved(target, (step[1],), forced=True, rules=("DEF-GRM-01",)),
            Moved(who, (step[0],), rules=("DEF-GRM-01",)),
        )
        way.steps += 1
        yield from triggers.entered(play, who, at[0], first=way.steps == 1)
        at = step


# ---- submission


@priced(
    "grapple-submission", "Submission hold", Hold, STANDARD, AT_WHOM_IT_HOLDS,
    category="attack", headline="Hold in submission", polarity="harm",
    rules={
        "DEF-GRS-01": "A submission needs three wins in three consecutive turns",
        "DEF-GRS-02": "The third win deals the target's maximum HP in NLD",
        "DEF-GRS-03": "If the defender wins, the submission breaks, but the hold stays",
    },
    also=("DEF-GRP-14",),
    refusals=(NOT_AGGRESSOR,),
)  # fmt: skip
def grapple_submission(act: Attempt[Hold]) -> Procedure[None]:
    """Choke the target. It faints after three wins in three consecutive turns of the aggressor."""
    play, who, target = act.play, act.who, (yield from won(act, "DEF-GRS-01", skill=True))
    if target is None:
        yield from SUBMISSION.lapse(play.combat[who], rules=("DEF-GRS-03",))
        return
    count = SUBMISSION.of(play.combat[who]) + 1
    yield SUBMITTED.set(who, True, rules=("DEF-GRS-01",))
    yield SUBMISSION.set(who, count, rules=("DEF-GRS-01",))
    if count < 3:
        return
    combatant = play.combat[target]
    value = nld(combatant) + max_hp(combatant)
    yield TrackChanged(target, "nld", value, reason="submission", rules=("DEF-GRS-02",))
    yield ConditionLost(who, "grappling", reason="submission", rules=("DEF-GRS-02",))
    yield from harm.noticed(play, combatant, True)


# ---- pin


def is_pinned(act: Act[Hold]) -> bool | dict[str, str]:
    """Return values for the refusal's sentence if the actor holds a pinned combatant."""
    target = partner(act.combat, act.who)
    return target is not None and act.combat[target].has("pinned") and {"it": target}


@priced(
    "grapple-pin", "Pin", Hold, STANDARD, AT_WHOM_IT_HOLDS,
    category="attack", headline="Pin whom it holds", polarity="harm",
    rules={"DEF-GPN-01": "A pinned combatant neither attacks nor moves"},
    also=("DEF-GPN-02", "DEF-GRP-14"),
    refusals=(
        NOT_AGGRESSOR,
        Refusal("DEF-GPN-01", "already-pinned", "{it} is pinned already", is_pinned),
    ),
)  # fmt: skip
def grapple_pin(act: Attempt[Hold]) -> Procedure[None]:
    """Pin the target, so that it can neither attack nor move until the grapple ends.

    DEF-GPN-01, DEF-GPN-02.
    """
    target = yield from won(act, "DEF-GPN-01", skill=True)
    if target is not None:
        yield ConditionGained(target, "pinned", source=act.who, rules=("DEF-GPN-01",))
