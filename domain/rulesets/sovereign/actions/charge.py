"""charge: a straight run and one attack at its end (SOV-CHG)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json, Square
from domain.record.events import ConditionGained
from domain.rulebook import grid
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Enemy, OwnWeapon, SquareInput
from domain.rulebook.play import Play
from domain.rulebook.reachability import standing
from domain.rulesets.sovereign import arms, attack, board, costs, movement, opportunity
from domain.rulesets.sovereign.abilities import Moment
from domain.rulesets.sovereign.blow import (
    Attack,
    Mode,
    blow_of,
    chosen,
    fits,
    refusals,
)
from domain.rulesets.sovereign.movement import ROUND_END, Path
from domain.rulesets.sovereign.numbers import enemies, rate_ft
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Weapon
from domain.rulesets.sovereign.windows import window


class Charge(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`to` the last square, or the whole `path`."""

    target: Enemy
    weapon: OwnWeapon | None = None
    to: SquareInput | None = None
    path: Path | None = None
    attribute: str | None = None


def goal(inputs: Charge) -> Square | None:
    """The last square."""
    if inputs.path:
        return board.square_of(inputs.path[-1])
    return board.square_of(inputs.to)


def course(combat: Combat, who: Id, inputs: Charge) -> tuple[Square, ...]:
    """The straight path."""
    at, to = combat[who].position, goal(inputs)
    return () if at is None or to is None else grid.straight(at, to)


def as_attack(combatant: Combatant, inputs: Charge) -> Attack:
    weapon = weapon_for(combatant, inputs)
    id = inputs.weapon if weapon is None else weapon.id
    return Attack(target=inputs.target, weapon=id, attribute=inputs.attribute)


def weapon_for(combatant: Combatant, inputs: Charge) -> Weapon | None:
    """Return the named weapon, else the first for melee, else a thrown one."""
    weapon = chosen(combatant, inputs.weapon, "melee")
    if weapon is not None and (inputs.weapon or arms.state(combatant, weapon) in arms.READIED):
        return weapon
    thrown = (weapon for weapon in arms.weapons(combatant) if weapon.kind == "thrown")
    return next(
        (weapon for weapon in thrown if arms.state(combatant, weapon) in arms.READIED), weapon
    )


def mode_at(combat: Combat, who: Id, inputs: Charge) -> Mode:
    """In melee where the weapon reaches, else thrown."""
    weapon = weapon_for(combat[who], inputs)
    if weapon is None:
        return "melee"
    if fits(weapon, "melee"):
        near = board.within(combat, who, inputs.target, weapon.reach_ft)
        if near or not fits(weapon, "ranged"):
            return "melee"
    return "ranged"


@rule("SOV-CHG-05", "Melee and thrown weapons only")
def charge_refusals(play: Play, who: Id, inputs: Charge) -> Iterator[Illegal]:
    combat = play.combat
    combatant = combat[who]
    yield from costs.main_refusals(combat, who, "SOV-CHG-01")
    yield from costs.move_refusals(combat, who, "move", "SOV-CHG-01", instead=False)
    yield from movement.grapple_refusals(combat, who)
    if combatant.has("prone"):
        yield Illegal("SOV-CHG-06", "prone", f"{combatant.name} is prone", ("stand-up",))
    weapon = weapon_for(combatant, inputs) or chosen(combatant, inputs.weapon, "ranged")
    if weapon is not None and weapon.kind not in ("melee", "thrown"):
        yield Illegal(
            "SOV-CHG-05", "charge-needs-melee-or-thrown", f"{weapon.name} is shot, not swung"
        )
        return
    yield from way_refusals(combat, who, inputs)
    path = course(combat, who, inputs)
    if path:
        there = standing(combat, who, path[-1])
        yield from refusals(there, who, as_attack(combatant, inputs), mode_at(there, who, inputs))


@rule("SOV-CHG-02", "At least 5 ft, at most twice the rate")
@rule("SOV-CHG-06", "Straight by rounding, and not while prone")
def way_refusals(combat: Combat, who: Id, inputs: Charge) -> Iterator[Illegal]:
    """At least 5 ft, straight, at most twice the rate, all enterable (SOV-CHG-02, -06)."""
    combatant, to = combat[who], goal(inputs)
    if to is None or combatant.position is None or to == combatant.position:
        yield Illegal("SOV-CHG-02", "charge-too-short", "a charge takes at least 5 ft")
        return
    straight = grid.straight(combatant.position, to)
    given = movement.squares(inputs.path) if inputs.path else None
    if given is not None and tuple(given) != straight:
        yield Illegal(
            "SOV-CHG-06", "charge-not-straight", f"straight is {[list(step) for step in straight]}"
        )
    yield from movement.path_refusals(combat, who, straight, 2 * rate_ft(combatant), "SOV-CHG-02")


def charge_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """To the squares beside every enemy, nearest first."""
    combatant = play.combat[who]
    if combatant.position is None:
        return
    here = combatant.position
    for foe in enemies(play.combat, who):
        if foe.position is None:
            continue
        around = sorted(grid.neighbours(foe.position), key=lambda to: grid.distance(here, to))
        for to in around[:3]:
            for weapon in arms.weapons(combatant):
                if weapon.kind in ("melee", "thrown"):
                    yield {"to": list(to), "target": foe.id, "weapon": weapon.id}


@rule("SOV-CHG-01", "Main and Move: up to twice the rate straight, attack at +2")
@rule("SOV-CHG-03", "AC −2 from the declaration to round-end")
@rule("SOV-CHG-04", "Draws from armed enemies adjacent at the start only")
@rule("SOV-CHG-07", "No attack when stopped on the way")
def charge(play: Play, who: Id, inputs: Charge) -> Procedure[None]:
    """Main and Move: run straight, then attack at +2 (SOV-CHG-01, -03).

    The AC is 2 lower until round-end.
    """
    weapon = weapon_for(play.combat[who], inputs)
    if weapon is None or not (yield from costs.draw(play, who, weapon)):
        return
    yield costs.spend(who, "main", "SOV-CHG-01")
    yield costs.spend(who, "move", "SOV-CHG-01")
    yield ConditionGained(who, "charging", until=ROUND_END, rules=("SOV-CHG-03",))
    path = course(play.combat, who, inputs)
    moment = Moment("declared", who, "charge", inputs.target, path, attack=True, adds=True)
    batch = yield from window(play, moment)
    yield from opportunity.from_adjacent(play, who, "charge")  # SOV-CHG-04
    arrived = yield from movement.walk(play, who, moment, batch, leaving=False)
    if not arrived:  # SOV-CHG-07
        return
    mode = mode_at(play.combat, who, inputs)
    then = as_attack(play.combat[who], inputs)
    if (yield from costs.still(who, "charge", refusals(play.combat, who, then, mode))):
        blow = replace(blow_of(play, who, then, mode, "charge"), charge=True, added=batch.added)
        yield from attack.strike(play, blow, declared=False)


CHARGE = costs.on_turn(
    "charge", Charge, charge, "Charge", "SOV-CHG-01", "SOV-CHG-02", "SOV-CHG-03", "SOV-CHG-04",
    "SOV-ACT-10", cost="Main and Move", refusals=charge_refusals, candidates=charge_candidates,
    stops=True,
).shown("attack", "Charge {target}[ with {weapon}]", "target", "weapon", "to")  # fmt: skip
