"""attack and defensive-attack: a declared weapon's blows (HE-ATK, HE-DATK)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant
from domain.rulebook.effects import Pause, Procedure
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Screen
from domain.rulesets.hallowed_earth import attack
from domain.rulesets.hallowed_earth.actions.deed import Deed, Doing, Tool
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.conditions import rule_of
from domain.rulesets.hallowed_earth.facts import LOST
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.states import sheet
from domain.rulesets.hallowed_earth.things import arms_broken_for, arms_of, weapon_of


class Attacking(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare with `weapon`. At its number, give `target`. An earlier target does not bind."""

    weapon: OwnWeapon | None = None
    target: Enemy | None = None


class DefensiveAttacking(Struct, frozen=True, forbid_unknown_fields=True):
    """The same; null = without a weapon (HE-DATK-03)."""

    weapon: OwnWeapon | None = None
    target: Enemy | None = None


def weapons(combatant: Combatant) -> list[Tool]:
    """All that are at hand."""
    return [weapon.id for weapon in sheet(combatant).weapons if weapon_of(combatant, weapon.id)]


@rule("HE-BLUNT-08", "Crushed Shoulder: 2d8 Strength and Dexterity, and no attack with it")
def hindered(combatant: Combatant, tool: Tool) -> Iterator[Illegal]:
    """Yield arms that do not work (HE-BLUNT-08 to -12), or a missing weapon."""
    weapon = next((weapon for weapon in sheet(combatant).weapons if weapon.id == tool), None)
    if weapon is None and tool is not None:
        yield Illegal("HE-DECL-15", "no-item", f"{combatant.name} has no {tool} any more")
    if weapon is not None and (broken := arms_broken_for(combatant, weapon)):
        detail = f"the arm for {tool} is injured"
        yield Illegal(
            rule_of(combatant, *broken, arms=arms_of(weapon.hand)), "arm-disabled", detail
        )


@rule("HE-ATK-08", "Each strike is a roll and a hit of its own, all at one target")
def do_attack(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Make all strikes at one target (HE-ATK-08).

    A thrown weapon leaves the thrower, hit or miss (HE-ITEM-02).
    """
    who, (target, *_) = deed.who, deed.targets()
    combatant = play.combat[who]
    struck = deed.doing.strikes(combatant, deed.tool)
    assert struck is not None
    if struck.kind == "thrown":
        thrown = {**LOST.of(combatant), f"weapon:{struck.name}": "thrown"}
        yield LOST.set(who, thrown, rules=("HE-ITEM-02", "HE-MOD-11"))
    blows = [(target, struck)] * struck.strikes
    waiting, _ = yield from attack.strikes(play, who, blows, deed.doing.id, tied=deed.tied)
    yield Pause("results")
    for hit, injuries in waiting:
        yield from attack.land(play, hit, injuries)
    return [(who, target)]


# Weapon speed (HE-MOD-01), of natural (HE-MOD-09) and thrown weapons too (HE-MOD-11).
rule("HE-MOD-01", "attack: weapon speed", f"{__name__}.ATTACK")
rule(
    "HE-MOD-09",
    "Natural weapons have a speed like others",
    f"{__name__}.ATTACK",
    untold="told as HE-MOD-01",
)
rule("HE-MOD-11", "A thrown weapon is an attack. Other things are throw-item", f"{__name__}.ATTACK")
ATTACK = Doing(
    id="attack",
    screen=Screen("attack", "Attack[ {target}][ with {weapon}]"),
    label="Attack",
    rules=("HE-ATK-03", "HE-MOD-01"),
    inputs=Attacking,
    tool="weapon",
    things=weapons,
    find=partial(weapon_of, fallen=True),
    speed=lambda weapon: weapon.speed,
    bare=None,
    hindered=hindered,
    blow=attack.of_weapon,
    do=do_attack,
)

# Weapon speed + 1 (HE-MOD-06, HE-DATK-01); without a weapon 1 (HE-MOD-07, HE-DATK-03).
rule("HE-MOD-06", "defensive-attack: weapon speed + 1", f"{__name__}.DEFENSIVE_ATTACK")
rule("HE-MOD-07", "defensive-attack without attacking: +1", f"{__name__}.DEFENSIVE_ATTACK")
rule("HE-DATK-01", "A normal attack at weapon speed + 1", f"{__name__}.DEFENSIVE_ATTACK")
rule("HE-DATK-03", "It may be declared without a weapon", f"{__name__}.DEFENSIVE_ATTACK")
DEFENSIVE_ATTACK = replace(
    ATTACK,
    id="defensive-attack",
    label="Defensive attack",
    screen=Screen("attack", "Attack[ {target}] on the defensive[ with {weapon}]"),
    rules=("HE-DATK-01", "HE-MOD-06"),
    inputs=DefensiveAttacking,
    things=lambda combatant: [None, *weapons(combatant)],
    speed=lambda weapon: weapon.speed + 1,
    bare=1,
)
