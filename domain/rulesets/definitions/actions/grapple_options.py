"""Grapple options of the aggressor: break, expose, move, submission, pin (DEF-GRB … -GPN).

Each is a standard action and one opposed grapple, rolled by the aggressor first. There is no touch
and no opportunity.
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
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.definitions import (
    board,
    escape,
    harm,
    movement,
    numbers,
    opposed_rolls,
    triggers,
)
from domain.rulesets.definitions.costs import Paid
from domain.rulesets.definitions.deed import Deed, foiled
from domain.rulesets.definitions.deeds import Candidates, Perform, Requirements, deed
from domain.rulesets.definitions.facts import SUBMISSION, SUBMITTED
from domain.rulesets.definitions.movement import Path, Walk
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import in_fight, max_hp, nld, partner


class Hold(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`defend_with` is the defender's defence, if one player plays both (DEF-MAN-07)."""

    defend_with: Literal["grapple", "escape-artist"] | None = None


class HoldAndMove(Hold, frozen=True, forbid_unknown_fields=True, kw_only=True):
    path: Path = ()


def holds(play: Play, who: Id, inputs: Hold) -> Iterator[Illegal]:
    """Refuse unless the aggressor holds a combatant (DEF-GRP-14)."""
    if not play.combat[who].has("grappling") or partner(play.combat, who) is None:
        detail = f"{play.combat[who].name} holds nobody in a grapple"
        yield Illegal("DEF-GRP-14", "not-aggressor", detail)


def strong_only(play: Play, who: Id, inputs: Hold) -> Iterator[Illegal]:
    """Against break, expose and move only the grapple helps (DEF-MAN-07)."""
    yield from holds(play, who, inputs)
    if inputs.defend_with == "escape-artist":
        detail = "Escape Artist does not help against this"
        yield Illegal("DEF-MAN-07", "escape-artist-not-allowed", detail, ("grapple",))


@rule("DEF-GRP-14", "The aggressor's options, one opposed grapple each")
def won(
    play: Play, who: Id, inputs: Hold, rule: str, *, skill: bool = False
) -> Procedure[Id | None]:
    """Roll one opposed grapple. With `skill` the defender may use Escape Artist (DEF-GRP-14).

    Return the loser, or None if the grapple was not won.
    """
    target = held_target(play.combat, who)
    free = escape.free(target, who)
    if skill:
        theirs = yield from opposed_rolls.grapple_defense(
            play, target, who, rule, free, inputs.defend_with
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


def option(
    id: str,
    perform: Perform,
    requirements: Requirements,
    label: str,
    *rules: str,
    inputs: type[Hold] = Hold,
    candidates: Candidates | None = None,
    stops: bool = False,
) -> Deed:
    """Return a standard action of the aggressor against its held combatant."""
    return deed(
        id,
        inputs,
        perform,
        kind="standard",
        requirements=requirements,
        candidates=candidates,
        label=label,
        rules=(*rules, "DEF-GRP-14"),
        aims=at_whom_it_holds,
        stops=stops,
    )


# ---- break


class Injury(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which bone, and numbers if the table has any."""

    text: Annotated[str, Meta(max_length=200)] = ""
    data: dict[str, Json] = {}


INJURY = (Option("injury", Injury, label="This injury"),)


@rule("DEF-GRB-01", "Break: an injury, no damage")
def grapple_break(play: Play, who: Id, inputs: Hold, place: int) -> Procedure[None]:
    """A broken bone; no damage (DEF-GRB-01)."""
    target = yield from won(play, who, inputs, "DEF-GRB-01")
    if target is None:
        return
    answer = yield from ask_gm(
        "injury",
        f"{who} breaks a bone of {target}. Which, and what does it do?",
        INJURY,
        "injury",
        rules=("DEF-GRB-01",),
        data={"combatant": target, "source": who},
        stands=lambda now: in_fight(now, target),
    )
    data = {**answer.inputs.data, "kind": "injury", "name": answer.inputs.text or "broken bone"}
    yield ConditionGained(target, "wounded", data=data, source=who, rules=("DEF-GRB-01",))


GRAPPLE_BREAK = option(
    "grapple-break", grapple_break, strong_only, "Break a bone", "DEF-GRB-01"
).shown("attack", "Break a bone of whom it holds", polarity="harm")


# ---- expose


def pinned(play: Play, who: Id, inputs: Hold) -> Iterator[Illegal]:
    """Only a pinned defender (DEF-GRE-01)."""
    yield from strong_only(play, who, inputs)
    target = partner(play.combat, who)
    if target is None or not play.combat[target].has("pinned"):
        yield Illegal("DEF-GRE-01", "not-pinned", "only a pinned one can be exposed")


@rule("DEF-GRE-01", "Expose: helpless towards the aggressor's allies")
def grapple_expose(play: Play, who: Id, inputs: Hold, place: int) -> Procedure[None]:
    """Helpless towards the aggressor's allies, until its next turn or the end of the pin."""
    target = yield from won(play, who, inputs, "DEF-GRE-01")
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


GRAPPLE_EXPOSE = option("grapple-expose", grapple_expose, pinned, "Expose", "DEF-GRE-01").shown(
    "attack", "Expose whom it holds", polarity="harm"
)


# ---- move


def half(combat: Combat, who: Id) -> int:
    """Half of the aggressor's movement, rounded down to 5 ft (DEF-GRM-01)."""
    return numbers.movement_ft(combat[who]) // 10 * 5


def drag_requirements(play: Play, who: Id, inputs: HoldAndMove) -> Iterator[Illegal]:
    """Squares free for both, moved by the same steps."""
    yield from strong_only(play, who, inputs)
    combat = play.combat
    target = partner(combat, who)
    yield from movement.path_refusals(combat, who, inputs.path, half(combat, who), "DEF-GRM-01")
    if target is None:
        return
    for step in both_ways(places(combat, who, target), inputs.path):
        yield from taken(combat, who, target, step)


Both = tuple[Square, Square]
"""The squares of the aggressor and of the held combatant."""


def places(combat: Combat, who: Id, target: Id) -> Both | None:
    """None: one of them has none."""
    mine, theirs = combat[who].position, combat[target].position
    return None if mine is None or theirs is None else (mine, theirs)


def both_ways(at: Both | None, path: Path) -> list[Both]:
    """Where both are after each step."""
    if at is None:
        return []
    x, y, z = (theirs - mine for mine, theirs in zip(*at, strict=True))
    return [(to, (to[0] + x, to[1] + y, to[2] + z)) for to in movement.squares(path)]


def taken(combat: Combat, who: Id, target: Id, step: Both) -> Iterator[Illegal]:
    """Squares that are free for both, beside their own (DEF-GRM-01)."""
    for one, at in zip((who, target), step, strict=True):
        if not board.free(combat, one, at, (who, target)):
            detail = f"{list(at)} is not free for {one}"
            yield Illegal("DEF-GRM-01", "square-occupied", detail)


def drag_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    if combatant.position is None:
        yield {}
        return
    for to in grid.neighbours(combatant.position):
        yield {"path": [list(to)]}


@rule("DEF-GRM-01", "Move: both, half the aggressor's movement")
def grapple_move(play: Play, who: Id, inputs: HoldAndMove, place: int) -> Procedure[None]:
    """The aggressor provokes for it, the defender does not (DEF-GRM-01)."""
    target = yield from won(play, who, inputs, "DEF-GRM-01")
    if target is None:
        return
    at = places(play.combat, who, target)
    if at is None:
        yield from movement.without_place(play, who, "grapple-move")
        yield Noted(f"{who} drags {target}: the GM places them", rules=("DEF-GRM-01",))
        return
    way = Walk(who, "grapple-move", exempt=[target])
    for step in both_ways(at, inputs.path):
        yield from movement.left(play, way, step[0])
        if partner(play.combat, who) != target or places(play.combat, who, target) != at:
            return
        refusal = next(taken(play.combat, who, target, step), None)
        if refusal is not None:
            yield foiled(who, way.action, refusal)
            return
        # Together: one step of both, so that neither is out of the other's reach between.
        yield (
            Moved(target, (step[1],), forced=True, rules=("DEF-GRM-01",)),
            Moved(who, (step[0],), rules=("DEF-GRM-01",)),
        )
        way.steps += 1
        yield from triggers.entered(play, who, at[0], first=way.steps == 1)
        at = step


GRAPPLE_MOVE = option(
    "grapple-move",
    grapple_move,
    drag_requirements,
    "Drag",
    "DEF-GRM-01",
    inputs=HoldAndMove,
    candidates=drag_candidates,
    stops=True,
).shown("attack", "Drag whom it holds[ to {path}]", "path", polarity="harm")


# ---- submission


@rule("DEF-GRS-01", "Submission: three turns in a row")
@rule("DEF-GRS-02", "At three its maximum HP in NLD")
@rule("DEF-GRS-03", "Won by the defender: broken, still held")
def submission(play: Play, who: Id, inputs: Hold, place: int) -> Procedure[None]:
    """Three won in three consecutive own turns make it faint (DEF-GRS-01, -02, -03)."""
    target = yield from won(play, who, inputs, "DEF-GRS-01", skill=True)
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


GRAPPLE_SUBMISSION = option(
    "grapple-submission",
    submission,
    holds,
    "Submission hold",
    "DEF-GRS-01",
    "DEF-GRS-02",
    "DEF-GRS-03",
).shown("attack", "Hold in submission", polarity="harm")


# ---- pin


def not_pinned_yet(play: Play, who: Id, inputs: Hold) -> Iterator[Illegal]:
    yield from holds(play, who, inputs)
    target = partner(play.combat, who)
    if target is not None and play.combat[target].has("pinned"):
        yield Illegal("DEF-GPN-01", "already-pinned", f"{target} is pinned already")


@rule("DEF-GPN-01", "Pin: neither attacks nor moves")
def pin(play: Play, who: Id, inputs: Hold, place: int) -> Procedure[None]:
    """No attacks and no movement, as long as the grapple lasts (DEF-GPN-01, -02)."""
    target = yield from won(play, who, inputs, "DEF-GPN-01", skill=True)
    if target is not None:
        yield ConditionGained(target, "pinned", source=who, rules=("DEF-GPN-01",))


GRAPPLE_PIN = option("grapple-pin", pin, not_pinned_yet, "Pin", "DEF-GPN-01", "DEF-GPN-02").shown(
    "attack", "Pin whom it holds", polarity="harm"
)
