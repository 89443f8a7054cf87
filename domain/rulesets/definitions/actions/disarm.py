"""The action `disarm`, which strikes a weapon out of a foe's hand (DEF-DIS)."""

from collections.abc import Iterator

from msgspec import to_builtins
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Square
from domain.record.events import AnyEvent, ConditionGained, Noted
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Needed, SquareInput
from domain.rulesets.definitions import arms, board, manoeuvre, opportunity, opposed_rolls
from domain.rulesets.definitions.costs import Stanced
from domain.rulesets.definitions.deeds import ATTACK, MELEE, Attempt, priced
from domain.rulesets.definitions.facts import CARRIED, GONE, GROUND, SLOTS, Lying
from domain.rulesets.definitions.manoeuvre import (
    Target,
    fair_target,
    free_of_grapple,
    in_weapon_reach,
)
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Weapon


class Disarm(Stanced, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a disarm. `drop_to` is a square adjacent to the defender (DEF-DIS-06)."""

    target: Needed[Target] = None
    drop_to: SquareInput | None = None


def has_no_hand(act: Act[Disarm]) -> bool:
    """Return true if the actor has neither a free hand nor a disarming weapon."""
    disarming = any(weapon.disarming for weapon in arms.ready(act.actor))
    return not arms.free_hand(act.actor) and not disarming


def holds_nothing(act: Act[Disarm]) -> bool | dict[str, str]:
    """Return values for the refusal's sentence if the target has no weapon in hand."""
    empty = act.inputs.target is not None and arms.in_hand(act.target) is None
    return empty and {"it": act.target.name}


def drops_beside(act: Act[Disarm]) -> Iterator[Illegal]:
    """Refuse a square for the weapon that is not adjacent to the target (DEF-DIS-06)."""
    to = act.inputs.drop_to
    if to is None or act.inputs.target is None or act.target.position is None:
        return
    drop = grid.square(to)
    if drop is None or grid.distance(drop, act.target.position, 1, board.space(act.target)) != 1:
        detail = f"{grid.written(to)} is not adjacent to {act.inputs.target}"
        yield refuse("DEF-DIS-06", "not-adjacent", detail, "drop_to")


@priced(
    "disarm", "Disarm", Disarm, ATTACK, MELEE,
    category="attack", headline="Disarm {target}",
    rules={
        "DEF-DIS-01": "A disarm needs a free hand or a disarming weapon",
        "DEF-DIS-02": "The target of a disarm must hold a weapon",
        "DEF-DIS-03": "A disarm is a touch attack, an opportunity and opposed Dexterity",
        "DEF-DIS-07": "A failed disarm gives no counter-disarm",
    },
    also=("DEF-DIS-04", "DEF-MUL-03"),
    refusals=(
        fair_target,
        free_of_grapple,
        Refusal("DEF-DIS-01", "no-free-hand",
                "{actor} has neither a free hand nor a disarming weapon", has_no_hand),
        Refusal("DEF-DIS-02", "nothing-to-disarm", "{it} holds no weapon", holds_nothing, "target"),
        in_weapon_reach,
        drops_beside,
    ),
    propose=("target",),
)  # fmt: skip
def disarm(act: Attempt[Disarm]) -> Procedure[None]:
    """Roll a touch attack, offer the defender an opportunity, and roll opposed Dexterity.

    DEF-DIS-04.
    """
    play, who, target = act.play, act.who, act.aim
    penalty = yield from opportunity.attempt(play, who, target, act.place, "disarm", own=True)
    if penalty is None:
        return
    ours, theirs = opposed_rolls.dexterity(who, penalty), opposed_rolls.dexterity(target)
    away = manoeuvre.beyond(who, target)
    result = yield from opposed_rolls.contest(play, ours, theirs, "DEF-DIS-04", away)
    weapon = arms.in_hand(play.combat[target])
    if result.won and weapon is not None:
        to = grid.square(act.inputs.drop_to)
        yield from dropped(play.combat, who, target, weapon, to)


@rule("DEF-DIS-05", "A disarmed weapon lies next to the defender")
def dropped(
    combat: Combat, who: Id, target: Id, weapon: Weapon, named: Square | None
) -> Iterator[AnyEvent]:
    """Put the weapon on the ground next to the defender."""
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


@rule(
    "DEF-DIS-06", "The aggressor chooses the square of the weapon, by default the nearest free one"
)
def landing(combat: Combat, who: Id, target: Id) -> Square | None:
    """Return the square where the weapon lands by default, or `None` if a position is missing.

    Of the squares adjacent to the defender, it is the free square that is nearest to the aggressor.
    If no square is free, it is the nearest square in which the aggressor does not stand. Ties go to
    the lowest x, then to the lowest y.
    """
    at, ours = combat[target].position, combat[who].position
    if at is None or ours is None:
        return None
    size = board.space(combat[who])
    squares = board.around(at, board.space(combat[target]))
    free = [square for square in squares if not board.there(combat, square, 1)]
    not_ours = [square for square in squares if not grid.overlap(square, ours, 1, size)]
    return min(free or not_ours or squares, key=lambda square: grid.distance(square, ours, 1, size))
