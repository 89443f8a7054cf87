"""The actions `attack` and `defensive-attack`, with a declared weapon (HE-ATK, HE-DATK)."""

from dataclasses import replace
from functools import partial

from msgspec import Struct

from domain.record.combat import Combatant
from domain.rulebook.effects import Pause, Procedure
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import action_costs
from domain.rulesets.hallowed_earth import attack as attacks
from domain.rulesets.hallowed_earth.attack import Attacks
from domain.rulesets.hallowed_earth.deed import Deed, StandardAction, Tool
from domain.rulesets.hallowed_earth.facts import LOST
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import sheet
from domain.rulesets.hallowed_earth.things import weapon_of


class Attacking(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of an attack. Declare `weapon`, and give `target` on your turn.

    A target in the declaration does not bind.
    """

    weapon: OwnWeapon | None = None
    target: Enemy | None = None


class DefensiveAttacking(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a defensive attack.

    If `weapon` is `null`, the combatant makes no attack (HE-DATK-03).
    """

    weapon: OwnWeapon | None = None
    target: Enemy | None = None


def weapons(combatant: Combatant) -> list[Tool]:
    """Return the ids of the weapons at hand."""
    return [weapon.id for weapon in sheet(combatant).weapons if weapon_of(combatant, weapon.id)]


@StandardAction(
    "attack", "Attack", Attacking,
    category="attack", headline="Attack[ {target}][ with {weapon}]",
    rules={"HE-MOD-01": "The action attack adds the weapon speed"}, also=("HE-ATK-03",),
    tool="weapon", things=weapons, find=partial(weapon_of, fallen=True), bare=None,
    speed=lambda weapon: weapon.speed, modified_by=("HE-MOD-01",),
    hindered=action_costs.arms, blow=attacks.of_weapon,
)  # fmt: skip
@rule("HE-MOD-09", "Natural weapons have a speed like other weapons", untold="told as HE-MOD-01")
@rule("HE-MOD-11", "Throwing a weapon is an attack. Throwing another thing is throw-item")
@rule("HE-ATK-08", "Each strike is a separate roll and hit, and all strikes have one target")
def attack(play: Play, deed: Deed) -> Procedure[Attacks]:
    """Make all strikes of the weapon at one target (HE-ATK-08).

    A thrown weapon leaves the thrower, whether it hits or misses (HE-ITEM-02).
    """
    who, (target, *_) = deed.who, deed.targets()
    combatant = play.combat[who]
    struck = deed.action.strikes(combatant, deed.tool)
    assert struck is not None
    if struck.kind == "thrown":
        thrown = {**LOST.of(combatant), f"weapon:{struck.name}": "thrown"}
        yield LOST.set(who, thrown, rules=("HE-ITEM-02", "HE-MOD-11"))
    blows = [(target, struck)] * struck.strikes
    waiting, _ = yield from attacks.strikes(play, who, blows, deed.action.id, tied=deed.tied)
    yield Pause("results")
    for hit, injuries in waiting:
        yield from attacks.land(play, hit, injuries)
    return [(who, target)]


rule(
    "HE-MOD-07",
    "The action defensive-attack without an attack adds 1",
    f"{__name__}.defensive_attack",
)
rule(
    "HE-DATK-03",
    "A defensive attack can be declared without a weapon",
    f"{__name__}.defensive_attack",
)
defensive_attack = replace(
    attack,
    id="defensive-attack",
    label="Defensive attack",
    headline="Attack[ {target}] on the defensive[ with {weapon}]",
    rules={
        "HE-DATK-01": "A defensive attack is a normal attack at weapon speed + 1",
        "HE-MOD-06": "The action defensive-attack adds the weapon speed + 1",
    },
    also=(),
    inputs=DefensiveAttacking,
    things=lambda combatant: [None, *weapons(combatant)],
    speed=lambda weapon: weapon.speed + 1,
    modified_by=("HE-MOD-06",),
    bare=1,
)(attack.do)
