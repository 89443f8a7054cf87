"""attack and defensive-attack: a declared weapon's blows (HE-ATK, HE-DATK)."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combatant, Id
from domain.rulebook.effects import Pause, Procedure
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import attack
from domain.rulesets.hallowed_earth.acting import body
from domain.rulesets.hallowed_earth.actions.deed import Deed, Doing, Tool
from domain.rulesets.hallowed_earth.attack import Attacks, Blow
from domain.rulesets.hallowed_earth.conditions import rule_of
from domain.rulesets.hallowed_earth.facts import LOST
from domain.rulesets.hallowed_earth.numbers import arms_broken_for, sheet, weapon_of


class Attacking(Struct, frozen=True, forbid_unknown_fields=True):
    """Declare: `weapon`; at its number: `target` (a target named before does not bind)."""

    weapon: str | None = None
    target: Id | None = None


def weapons(one: Combatant) -> list[Tool]:
    """All that are at hand."""
    return [each.id for each in sheet(one).weapons if weapon_of(one, each.id)]


def speed(one: Combatant, tool: Tool) -> int | None:
    """Weapon speed (HE-MOD-01), of natural (HE-MOD-09) and thrown weapons too (HE-MOD-11)."""
    weapon = weapon_of(one, tool)
    return None if weapon is None else weapon.speed


def defensive_speed(one: Combatant, tool: Tool) -> int | None:
    """Weapon speed + 1 (HE-MOD-06, HE-DATK-01); without a weapon 1 (HE-MOD-07, HE-DATK-03)."""
    if tool is None:
        return 1
    weapon = weapon_of(one, tool)
    return None if weapon is None else weapon.speed + 1


def hindered(one: Combatant, tool: Tool) -> Iterator[Illegal]:
    """An arm that does not work (HE-BLUNT-08 to -12), or nothing that does (HE-BLUNT-14)."""
    weapon = next((each for each in sheet(one).weapons if each.id == tool), None)
    broken = () if weapon is None else arms_broken_for(one, weapon)
    if broken:
        detail = f"the arm for {tool} is injured"
        yield Illegal(rule_of(one, *broken), "arm-disabled", detail)
    yield from body(one)


def missing(one: Combatant, tool: Tool, inputs: Any) -> Iterator[Illegal]:
    if tool is not None and weapon_of(one, tool) is None:
        yield Illegal("HE-DECL-15", "no-item", f"{tool} is not at hand any more")


def blow(one: Combatant, tool: Tool) -> Blow | None:
    weapon = weapon_of(one, tool)
    return None if weapon is None else attack.of_weapon(weapon)


def do_attack(play: Play, deed: Deed) -> Procedure[Attacks]:
    """All strikes at one target (HE-ATK-08); what is thrown leaves the thrower, hit or miss
    (HE-ITEM-02)."""
    who, (target, *_) = deed.who, deed.targets()
    one = play.combat[who]
    struck = blow(one, deed.tool)
    assert struck is not None
    if struck.kind == "thrown":
        thrown = {**LOST.of(one), f"weapon:{struck.name}": "thrown"}
        yield LOST.set(who, thrown, rules=("HE-ITEM-02", "HE-MOD-11"))
    blows = [(target, struck)] * struck.strikes
    waiting = yield from attack.strikes(play, who, blows, deed.doing.id, tied=deed.tied)
    yield Pause("results")
    for hit, injuries in waiting:
        yield from attack.land(play, hit, injuries)
    return [(who, target)]


ATTACK = Doing(
    id="attack",
    label="Attack",
    rules=("HE-ATK-03", "HE-MOD-01"),
    inputs=Attacking,
    tool="weapon",
    things=weapons,
    modifier=speed,
    hindered=hindered,
    missing=missing,
    blow=blow,
    aims=lambda one, tool: True,
    do=do_attack,
)

DEFENSIVE_ATTACK = Doing(
    id="defensive-attack",
    label="Defensive attack",
    rules=("HE-DATK-01", "HE-MOD-06"),
    inputs=Attacking,
    tool="weapon",
    things=lambda one: [None, *weapons(one)],
    modifier=defensive_speed,
    hindered=hindered,
    missing=missing,
    blow=blow,
    aims=lambda one, tool: True,
    do=do_attack,
)
