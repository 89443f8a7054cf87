"""The action `charge`: run in a straight, clear line towards a foe and attack it (DEF-CHG)."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal, Refused
from domain.record.combat import Id, Json, Until
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed, SquareInput
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulebook.prompts import Toll
from domain.rulebook.reactions import carry_out
from domain.rulebook.ruleset import read
from domain.rulesets.definitions import board, manoeuvre, movement, numbers
from domain.rulesets.definitions.costs import CHARGE_SWIFTS, Paid
from domain.rulesets.definitions.deeds import FULL_ROUND, Attempt, priced
from domain.rulesets.definitions.manoeuvre import Target
from domain.rulesets.definitions.movement import Walk
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import hostile

AFTER = ("attack", "shield-bash", "disarm", "shatter", "trip", "melee-touch")
"""The actions allowed at the end of a charge (DEF-CHG-06)."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack action or a swift action that is part of a charge."""

    action: Annotated[str, Meta(max_length=64)]
    inputs: dict[str, Json] = {}


class Charge(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a charge.

    - `to`: the square at the end of the line.
    - `attacks`: attack actions after the run. You can also declare them later in the turn.
    - `swift`: a swift action before the run. You can also declare it later in the turn.
    """

    target: Needed[Target] = None
    to: SquareInput | None = None
    attacks: Annotated[tuple[Part, ...], Meta(max_length=4)] = ()
    swift: Part | None = None


def held_fast(act: Act[Charge]) -> Iterator[Illegal]:
    """Refuse a charge while pinned, swallowed or in a grapple (DEF-CHG-10)."""
    return manoeuvre.walks(act.combat, act.who, "DEF-CHG-10")


def is_no_foe(act: Act[Charge]) -> bool | dict[str, str]:
    """Return the target's name for the refusal if the target is no foe, or out of the fight."""
    foe = act.target
    fought = hostile(act.actor, foe) and in_fight(act.combat, foe.id)
    return not fought and {"it": foe.name}


@rule("DEF-CHG-02", "A charge is at least 10 ft and at most twice the movement")
@rule("DEF-CHG-04", "The line of a charge must be free of combatants and obstacles")
def clear_line(act: Act[Charge]) -> Iterator[Illegal]:
    """Refuse a line that is too short or too long, leads away from the foe, or is not clear.

    DEF-CHG-03. If a position is missing, refuse nothing: the GM decides later.
    """
    combat, combatant, foe = act.combat, act.actor, act.target
    start, to = combatant.position, grid.square(act.inputs.to)
    if start is None or foe.position is None:
        return
    if to is None:
        yield refuse("DEF-CHG-02", "charge-too-short", "to which square?", "to")
        return
    way = board.line(start, to)
    feet = 5 * len(way)
    if feet < 10:
        detail = f"a charge is at least 10 ft, not {feet}"
        yield refuse("DEF-CHG-02", "charge-too-short", detail, "to")
        return
    most = 2 * numbers.movement_ft(combatant)
    if feet > most:
        yield refuse("DEF-CHG-02", "too-far", f"{feet} ft of {most}", "to")
    sizes = board.space(combatant), board.space(foe)
    if grid.distance(to, foe.position, *sizes) >= grid.distance(start, foe.position, *sizes):
        yield refuse(
            "DEF-CHG-03", "not-toward-foe", f"{grid.written(to)} is not nearer to {foe.name}", "to"
        )
    for step in way:  # no creature, no obstacle
        if not board.free(combat, act.who, step):
            yield refuse(
                "DEF-CHG-04",
                "charge-blocked",
                f"the way is not clear at {grid.written(step)}",
                "to",
            )
            return


def known_parts(act: Act[Charge]) -> Iterator[Illegal]:
    """Refuse an action that a charge does not allow, or inputs that do not fit it.

    DEF-CHG-06, DEF-CHG-08.
    """
    for part in act.inputs.attacks:
        if part.action not in AFTER:
            detail = f"{part.action!r} is no attack action of a charge"
            yield refuse("DEF-CHG-06", "not-in-charge", detail, "attacks", AFTER)
        else:
            yield from readable(act.play, part, "attacks")
    swift = act.inputs.swift
    if swift is not None:
        if swift.action not in CHARGE_SWIFTS:
            detail = f"{swift.action!r} is no swift action of a charge"
            yield refuse("DEF-FUL-03", "no-swift-in-full-round", detail, "swift", CHARGE_SWIFTS)
        else:
            yield from readable(act.play, swift, "swift")


def readable(play: Play, part: Part, field: str) -> Iterator[Illegal]:
    """Refuse a part whose inputs do not fit its action."""
    try:
        read(part.inputs, play.ruleset.actions[part.action].inputs)
    except Refused as error:
        yield refuse("DEF-CHG-06", "not-in-charge", f"{part.action}: {error.detail}", field)


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose the squares next to each foe."""
    combat = play.combat
    combatant = combat[who]
    for foe in combat:
        if not hostile(combatant, foe):
            continue
        if foe.position is None or combatant.position is None:
            yield {"target": foe.id}
            continue
        for square in board.free_around(combat, who, foe.id)[:8]:
            yield {"target": foe.id, "to": list(square)}


def toll(act: Act[Charge]) -> Toll:
    """Return the number of foes that may strike on the way, and the line's length in squares."""
    start, to = act.actor.position, grid.square(act.inputs.to)
    if start is None or to is None:
        return 0, 0
    way = [start, *board.line(start, to)]
    steps = itertools.pairwise(way)
    strike = {foe for at, to in steps for foe in movement.provoked(act.play, act.who, at, to)}
    return len(strike), math.dist(start, to)


@priced(
    "charge", "Charge", Charge, FULL_ROUND,
    category="attack", headline="Charge {target}[, ending at {to}]", essential=("target", "to"),
    rules={
        "DEF-CHG-01": "A charge is a full-round action",
        "DEF-CHG-05": "A charge provokes like any movement, and a tripped charger attacks foes "
        "in its reach",
        "DEF-CHG-10": "A prone, grappled or swallowed combatant cannot charge",
    },
    also=("DEF-CHG-02", "DEF-CHG-03", "DEF-CHG-04"),
    refusals=(
        Refusal("DEF-CHG-10", "prone", "{actor} is prone", lambda act: act.actor.has("prone")),
        held_fast,
        Refusal("DEF-ATK-06", "no-target", "a charge goes towards a foe",
                lambda act: act.inputs.target is None, "target", last=True),
        Refusal("DEF-CHG-03", "no-foe", "{it} is no foe to charge at", is_no_foe, "target"),
        clear_line,
        known_parts,
    ),
    propose=candidates,
    toll=toll,
    stops=True,
)  # fmt: skip
def charge(act: Attempt[Charge]) -> Procedure[None]:
    """Gain the condition `charging`, run, then carry out the named attacks.

    DEF-CHG-05, DEF-CHG-06, DEF-CHG-07, DEF-CHG-08, DEF-CHG-09.
    """
    play, who, inputs = act.play, act.who, act.inputs
    until = (Until("turn-start", who=who),)
    yield ConditionGained(who, "charging", until=until, rules=("DEF-CHG-07",))
    if inputs.swift is not None:
        yield from named(play, who, inputs.swift)
    start, to = act.actor.position, grid.square(inputs.to)
    if start is None or to is None or act.target.position is None:
        yield from movement.without_place(play, who, "charge")
    else:
        yield from movement.walk(play, Walk(who, "charge", clear=True), board.line(start, to))
    for part in inputs.attacks:
        yield from named(play, who, part)


def named(play: Play, who: Id, part: Part) -> Procedure[None]:
    """Carry out an action that the inputs of the charge name, as if it were declared now.

    If the action is impossible, it costs nothing.
    """
    action = play.ruleset.actions[part.action]
    yield from carry_out(play, who, action, read(part.inputs, action.inputs))
