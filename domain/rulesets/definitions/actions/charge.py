"""`charge`: a straight, unobstructed line towards a foe, and the attacks at its end (DEF-CHG)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Id, Json, Until
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, Needed, SquareInput
from domain.rulebook.play import Play
from domain.rulebook.reactions import carry_out
from domain.rulebook.ruleset import read
from domain.rulesets.definitions import board, manoeuvre, movement, numbers
from domain.rulesets.definitions.costs import CHARGE_SWIFTS, Paid
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.movement import Walk
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import hostile, in_fight

AFTER = ("attack", "shield-bash", "disarm", "shatter", "trip", "melee-touch")
"""The actions allowed at the end of a charge (DEF-CHG-06)."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack action or the swift action, with its own inputs."""

    action: Annotated[str, Meta(max_length=64)]
    inputs: dict[str, Json] = {}


class Charge(Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`attacks` and `swift` are done at once; they may also be declared afterwards."""

    target: Needed[Enemy] = None
    to: SquareInput | None = None
    attacks: Annotated[tuple[Part, ...], Meta(max_length=4)] = ()
    swift: Part | None = None


@rule("DEF-CHG-10", "Not prone, grappled, swallowed")
def requirements(play: Play, who: Id, inputs: Charge) -> Iterator[Illegal]:
    """On its feet, towards a foe, far enough, not too far, the way clear."""
    combat = play.combat
    combatant = combat[who]
    if combatant.has("prone"):
        yield Illegal("DEF-CHG-10", "prone", f"{combatant.name} is prone")
    yield from manoeuvre.walks(combat, who, "DEF-CHG-10")
    if inputs.target is None:
        yield Illegal("DEF-ATK-06", "no-target", "a charge goes towards a foe")
        return
    foe = combat[inputs.target]
    if not hostile(combatant, foe) or not in_fight(combat, foe.id):
        yield Illegal("DEF-CHG-03", "no-foe", f"{foe.name} is no foe to charge at")
    yield from line_refusals(combat, who, inputs)
    yield from parts(play, inputs)


@rule("DEF-CHG-02", "10 ft at least, twice the movement at most")
@rule("DEF-CHG-04", "Nobody and nothing on it")
def line_refusals(combat: Combat, who: Id, inputs: Charge) -> Iterator[Illegal]:
    """DEF-CHG-02 to -04; where a place is missing the GM is asked later."""
    combatant, foe = combat[who], combat[str(inputs.target)]
    start, to = combatant.position, board.square_of(inputs.to)
    if start is None or foe.position is None:
        return
    if to is None:
        yield Illegal("DEF-CHG-02", "charge-too-short", "to which square?")
        return
    way = board.line(start, to)
    feet = 5 * len(way)
    if feet < 10:
        detail = f"a charge is at least 10 ft, not {feet}"
        yield Illegal("DEF-CHG-02", "charge-too-short", detail)
        return
    most = 2 * numbers.movement_ft(combatant)
    if feet > most:
        yield Illegal("DEF-CHG-02", "too-far", f"{feet} ft of {most}")
    sizes = board.space(combatant), board.space(foe)
    if grid.distance(to, foe.position, *sizes) >= grid.distance(start, foe.position, *sizes):
        yield Illegal("DEF-CHG-03", "not-toward-foe", f"{list(to)} is not nearer to {foe.name}")
    for step in way:  # no creature, no obstacle
        if not board.free(combat, who, step):
            yield Illegal("DEF-CHG-04", "charge-blocked", f"the way is not clear at {list(step)}")
            return


def parts(play: Play, inputs: Charge) -> Iterator[Illegal]:
    """Check the attack actions named for the charge (DEF-CHG-06, -08)."""
    for part in inputs.attacks:
        if part.action not in AFTER:
            detail = f"{part.action!r} is no attack action of a charge"
            yield Illegal("DEF-CHG-06", "not-in-charge", detail, AFTER)
        else:
            yield from readable(play, part)
    if inputs.swift is not None:
        if inputs.swift.action not in CHARGE_SWIFTS:
            detail = f"{inputs.swift.action!r} is no swift action of a charge"
            yield Illegal("DEF-FUL-03", "no-swift-in-full-round", detail, CHARGE_SWIFTS)
        else:
            yield from readable(play, inputs.swift)


def readable(play: Play, part: Part) -> Iterator[Illegal]:
    try:
        read(part.inputs, play.ruleset.actions[part.action].inputs)
    except Refused as error:
        yield Illegal("DEF-CHG-06", "not-in-charge", f"{part.action}: {error.detail}")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """To the squares next to each foe."""
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


@rule("DEF-CHG-05", "It provokes like all movement. A tripped charger strikes those in its reach")
def charge(play: Play, who: Id, inputs: Charge, place: int) -> Procedure[None]:
    """Apply the condition, run, then carry out the named attacks (DEF-CHG-05 to -09)."""
    until = (Until("turn-start", who=who),)
    yield ConditionGained(who, "charging", until=until, rules=("DEF-CHG-07",))
    if inputs.swift is not None:
        yield from named(play, who, inputs.swift)
    start, to = play.combat[who].position, board.square_of(inputs.to)
    if start is None or to is None or play.combat[target_of(inputs)].position is None:
        yield from movement.without_place(play, who, "charge")
    else:
        yield from movement.walk(play, Walk(who, "charge", clear=True), board.line(start, to))
    for part in inputs.attacks:
        yield from named(play, who, part)


def named(play: Play, who: Id, part: Part) -> Procedure[None]:
    """Carry out a part as if it were declared now. An impossible part costs nothing."""
    action = play.ruleset.actions[part.action]
    yield from carry_out(play, who, action, read(part.inputs, action.inputs))


rule("DEF-CHG-01", "A charge is a full-round action", f"{__name__}.CHARGE")
CHARGE = deed(
    "charge",
    Charge,
    charge,
    kind="full-round",
    requirements=requirements,
    candidates=candidates,
    label="Charge",
    rules=("DEF-CHG-01", "DEF-CHG-02", "DEF-CHG-03", "DEF-CHG-04", "DEF-CHG-10"),
    stops=True,
).shown("attack", "Charge {target}[, ending at {to}]", "target", "to")
