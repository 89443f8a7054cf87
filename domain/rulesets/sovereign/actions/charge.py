"""The action `charge`, a straight run with one attack at its end (SOV-CHG)."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.declaration import Act, Refusal, refuse, renamed
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, OwnWeapon, SpaceInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import Toll
from domain.rulebook.reachability import standing
from domain.rulesets.sovereign import arms, attack, board, costs, movement, opportunity
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.blow import Attack, Mode, blow_of, chosen, fits, refusals
from domain.rulesets.sovereign.movement import ROUND_END, Path
from domain.rulesets.sovereign.numbers import enemies, rate_ft
from domain.rulesets.sovereign.rules import action
from domain.rulesets.sovereign.sheet import Weapon
from domain.rulesets.sovereign.windows import window


class Charge(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a charge. Name the last square (`to`) or the full `path`."""

    target: Enemy
    weapon: OwnWeapon | None = None
    to: SpaceInput | None = None
    path: Path | None = None
    attribute: str | None = None


def course(act: Act[Charge]) -> tuple[Square, ...]:
    """Return the straight path to the last square, or `()` if there is none."""
    path = act.inputs.path
    at, to = act.actor.position, grid.square(path[-1] if path else act.inputs.to)
    return () if at is None or to is None or at == to else grid.straight(at, to)


def as_attack(combatant: Combatant, inputs: Charge) -> Attack:
    weapon = weapon_for(combatant, inputs.weapon)
    id = inputs.weapon if weapon is None else weapon.id
    return Attack(target=inputs.target, weapon=id, attribute=inputs.attribute)


def weapon_for(combatant: Combatant, named: str | None) -> Weapon | None:
    """Return the named weapon, or else the first weapon at hand, melee before thrown."""
    weapon = chosen(combatant, named, "melee")
    if weapon is not None and (named or arms.state(combatant, weapon) in arms.READIED):
        return weapon
    thrown = (weapon for weapon in arms.weapons(combatant) if weapon.kind == "thrown")
    return next(
        (weapon for weapon in thrown if arms.state(combatant, weapon) in arms.READIED), weapon
    )


def mode_at(combat: Combat, who: Id, inputs: Charge) -> Mode:
    """Return `melee` if the weapon reaches the target in melee, else `ranged`."""
    weapon = weapon_for(combat[who], inputs.weapon)
    if weapon is None:
        return "melee"
    if fits(weapon, "melee"):
        near = board.within(combat, who, inputs.target, weapon.reach_ft)
        if near or not fits(weapon, "ranged"):
            return "melee"
    return "ranged"


def move_left(act: Act[Charge]) -> Iterator[Illegal]:
    """Refuse if the Move is spent. The Main cannot replace it, because a charge spends both."""
    return costs.move_refusals(act.combat, act.who, None, "SOV-CHG-01")


def is_shot(act: Act[Charge]) -> bool | Mapping[str, str]:
    """Return the weapon's name for the refusal if it can neither strike nor be thrown."""
    named = act.inputs.weapon
    weapon = weapon_for(act.actor, named) or chosen(act.actor, named, "ranged")
    shot = weapon is not None and weapon.kind not in ("melee", "thrown")
    return shot and {"weapon": weapon.name if weapon else ""}


def way_and_attack(act: Act[Charge]) -> Iterator[Illegal]:
    """Refuse a path that is too short, too long or blocked, and an illegal attack at its end.

    The path must be straight, at least 5 ft long and at most twice the rate (SOV-CHG-02,
    SOV-CHG-06).
    """
    combat, who, inputs, straight = act.combat, act.who, act.inputs, course(act)
    field = "path" if inputs.path else "to"
    if not straight:
        yield refuse("SOV-CHG-02", "charge-too-short", "a charge takes at least 5 ft", field)
        return
    if inputs.path and (grid.squares(inputs.path) or straight) != straight:
        detail = f"straight is {', '.join(grid.written(step) for step in straight)}"
        yield refuse("SOV-CHG-06", "charge-not-straight", detail, field)
    way = movement.path_refusals(combat, who, straight, 2 * rate_ft(act.actor), "SOV-CHG-02")
    yield from renamed(way, path=field)
    there = standing(combat, who, straight[-1])
    yield from refusals(there, who, as_attack(act.actor, inputs), mode_at(there, who, inputs))


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose a charge to the three nearest squares around each enemy."""
    here = play.combat[who].position
    if here is None:
        return
    for foe in enemies(play.combat, who):
        if foe.position is None:
            continue
        around = sorted(grid.neighbours(foe.position), key=lambda to: grid.distance(here, to))
        for to in around[:3]:
            for weapon in arms.weapons(play.combat[who]):
                if weapon.kind in ("melee", "thrown"):
                    yield {"to": list(to), "target": foe.id, "weapon": weapon.id}


def toll(act: Act[Charge]) -> Toll:
    """Return the number of reactions, which is 0, and the length of the run in squares.

    The path of a charge provokes nobody (SOV-CHG-04).
    """
    way = course(act)
    at = act.actor.position
    return 0, math.dist(at, way[-1]) if at is not None and way else 0


@action(
    "charge", "Charge", Charge,
    cost="Main and Move", category="attack", headline="Charge {target}[ with {weapon}]",
    essential=("target", "weapon", "to"), approach=True,
    rules={
        "SOV-CHG-01": "A charge costs Main and Move for a straight run of up to twice the rate "
        "and an attack at +2",
        "SOV-CHG-02": "A charge is at least 5 ft and at most twice the rate",
        "SOV-CHG-03": "A charger has AC −2 from the declaration to the end of the round",
        "SOV-CHG-04": "A charge provokes only armed enemies that are adjacent at its start",
        "SOV-CHG-05": "A charge needs a melee or thrown weapon",
        "SOV-CHG-06": "A charge is straight by rounding, and impossible while prone",
        "SOV-CHG-07": "A charge that is stopped on the way has no attack",
    },
    also=("SOV-ACT-10",),
    refusals=(
        costs.own_turn,
        lambda act: costs.main_refusals(act.combat, act.who, "SOV-CHG-01"),
        move_left,
        movement.not_in_a_grapple,
        Refusal("SOV-CHG-06", "prone", "{actor} is prone", lambda act: act.actor.has("prone"),
                instead=("stand-up",)),
        Refusal("SOV-CHG-05", "charge-needs-melee-or-thrown", "{weapon} is shot, not swung",
                is_shot, field="weapon", last=True),
        way_and_attack,
    ),
    propose=candidates,
    toll=toll,
    stops=True,
)  # fmt: skip
def charge(act: Act[Charge]) -> Procedure[None]:
    """Run in a straight line, and attack at its end (SOV-CHG-01).

    The charger's AC is lower until the round ends (SOV-CHG-03).
    """
    play, who, inputs = act.play, act.who, act.inputs
    weapon = weapon_for(act.actor, inputs.weapon)
    if weapon is None or not (yield from costs.draw(play, who, weapon)):
        return
    yield costs.spend(who, "main", "SOV-CHG-01")
    yield costs.spend(who, "move", "SOV-CHG-01")
    yield ConditionGained(who, "charging", until=ROUND_END, rules=("SOV-CHG-03",))
    moment = Moment("declared", who, "charge", inputs.target, course(act), attack=True, adds=True)
    batch = yield from window(play, moment)
    yield from opportunity.from_adjacent(play, who, "charge")  # SOV-CHG-04
    arrived = yield from movement.walk(play, who, moment, batch, leaving=False)
    if not arrived:  # SOV-CHG-07
        return
    mode, then = mode_at(play.combat, who, inputs), as_attack(act.actor, inputs)
    if (yield from costs.still(who, "charge", refusals(play.combat, who, then, mode))):
        blow = replace(blow_of(play, who, then, mode, "charge"), charge=True, added=batch.added)
        yield from attack.strike(play, blow, declared=False)
