"""`disarm`: strike a weapon out of a foe's hand (DEF-DIS)."""

from collections.abc import Iterator

from msgspec import to_builtins
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Square
from domain.record.events import AnyEvent, ConditionGained, Noted
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, Needed, SquareInput
from domain.rulebook.play import Play
from domain.rulesets.definitions import arms, board, manoeuvre, opposed_rolls
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import deed, target_of
from domain.rulesets.definitions.facts import CARRIED, GONE, GROUND, SLOTS, Lying
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Weapon


class Disarm(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`drop_to`: any square adjacent to the defender (DEF-DIS-06)."""

    target: Needed[Enemy] = None
    drop_to: SquareInput | None = None


@rule("DEF-DIS-01", "A free hand or a disarming weapon")
@rule("DEF-DIS-02", "The target holds a weapon")
def requirements(play: Play, who: Id, inputs: Disarm) -> Iterator[Illegal]:
    combat = play.combat
    yield from manoeuvre.target_refusals(combat, who, inputs.target)
    yield from manoeuvre.free_of_grapple(combat, who)
    disarming = any(weapon.disarming for weapon in arms.ready(combat[who]))
    if not arms.free_hand(combat[who]) and not disarming:
        detail = f"{combat[who].name} has neither a free hand nor a disarming weapon"
        yield Illegal("DEF-DIS-01", "no-free-hand", detail)
    if inputs.target is None:
        return
    if arms.in_hand(combat[inputs.target]) is None:
        detail = f"{combat[inputs.target].name} holds no weapon"
        yield Illegal("DEF-DIS-02", "nothing-to-disarm", detail)
    yield from manoeuvre.weapon_reach(combat, who, inputs.target)
    at = combat[inputs.target].position
    drop = board.square_of(inputs.drop_to)
    if inputs.drop_to is not None and at is not None:
        size = board.space(combat[inputs.target])
        if drop is None or grid.distance(drop, at, 1, size) != 1:
            detail = f"{list(inputs.drop_to)} is not adjacent to {inputs.target}"
            yield Illegal("DEF-DIS-06", "not-adjacent", detail)


@rule("DEF-DIS-03", "Touch, opportunity, opposed Dexterity")
@rule("DEF-DIS-07", "No counter-disarm")
def disarm(play: Play, who: Id, inputs: Disarm, place: int) -> Procedure[None]:
    """Touch attack, opportunity of the defender, opposed Dexterity (DEF-DIS-03, DEF-DIS-07)."""
    target = target_of(inputs)
    penalty = yield from manoeuvre.attempt(play, who, target, place, "disarm", own=True)
    if penalty is None:
        return
    ours, theirs = opposed_rolls.dexterity(who, penalty), opposed_rolls.dexterity(target)
    away = manoeuvre.beyond(who, target)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-DIS-04", away)
    weapon = arms.in_hand(play.combat[target])
    if result.won and weapon is not None:
        yield from dropped(play.combat, who, target, weapon, board.square_of(inputs.drop_to))


@rule("DEF-DIS-05", "The weapon lies beside the defender")
def dropped(
    combat: Combat, who: Id, target: Id, weapon: Weapon, named: Square | None
) -> Iterator[AnyEvent]:
    """The weapon lies on the floor beside the defender (DEF-DIS-05)."""
    combatant = combat[target]
    yield SLOTS.set(target, replace(arms.slots(combatant), primary=None), rules=("DEF-DIS-05",))
    carried = CARRIED.of(combatant)
    kept = tuple(held for held in carried if held.data.get("id") != weapon.id)
    if len(kept) < len(carried):
        yield CARRIED.set(target, kept, rules=("DEF-DIS-05",))
    else:
        yield GONE.set(target, (*GONE.of(combatant), weapon.id), rules=("DEF-DIS-05",))
    owner = target if len(kept) == len(carried) else None
    place = named or landing(combat, who, target)
    lying = Lying(id=weapon.id, kind="weapon", owner=owner, at=place, data=to_builtins(weapon))
    yield GROUND.set((*GROUND.of(combat), lying), rules=("DEF-DIS-05", "DEF-DIS-06"))
    where = "the floor" if place is None else f"{place[0]}, {place[1]}"
    yield Noted(f"The {weapon.name} of {target} falls to {where}", target, rules=("DEF-DIS-05",))
    yield ConditionGained(target, "disarmed", source=who, rules=("DEF-DIS-05",))


@rule("DEF-DIS-06", "Where: the aggressor's choice, or the nearest free square")
def landing(combat: Combat, who: Id, target: Id) -> Square | None:
    """The nearest free square to the aggressor, never its own; lowest x, then y (DEF-DIS-06)."""
    at, mine = combat[target].position, combat[who].position
    if at is None or mine is None:
        return None
    size = board.space(combat[who])
    squares = board.around(at, board.space(combat[target]))
    free = [square for square in squares if not board.there(combat, square, 1)]
    not_ours = [square for square in squares if not grid.overlap(square, mine, 1, size)]
    return min(free or not_ours or squares, key=lambda one: grid.distance(one, mine, 1, size))


DISARM = deed(
    "disarm",
    Disarm,
    disarm,
    kind="attack",
    requirements=requirements,
    label="Disarm",
    rules=("DEF-DIS-01", "DEF-DIS-02", "DEF-DIS-03", "DEF-DIS-04", "DEF-DIS-07", "DEF-MUL-03"),
    melee=True,
).shown("attack", "Disarm {target}")
