"""Sides, participation, and the fallen (HE-WP, HE-MOR-11)."""

from domain.record.combat import Combat, Combatant, Id, typed
from domain.rulesets.hallowed_earth.sheet import Creature, Options


def sheet(one: Combatant) -> Creature:
    """The combatant's sheet."""
    return typed(one.sheet, Creature)


def options(combat: Combat) -> Options:
    """The table's choices."""
    return typed(combat.options, Options)


def hostile(combat: Combat, a: Id, b: Id) -> bool:
    """Other sides are hostile, unless allied (2.1)."""
    sides = {combat[a].side, combat[b].side}
    return len(sides) == 2 and not any(
        sides <= set(allied) for allied in options(combat).allied_sides
    )


def able_to_fight(combat: Combat, who: Id) -> bool:
    """Present, Wound Points above 0, not routed, not surrendered (HE-MOR-11)."""
    one = combat[who]
    return (
        not one.left
        and one.tracks["wound_points"].value > 0
        and not one.has("dead", "routed", "surrendered")
    )


def is_down(one: Combatant) -> bool:
    """Incapacitated or dying."""
    return one.has("incapacitated", "dying")


def is_dying(one: Combatant) -> bool:
    """Dying, and not stabilized (HE-STAB-08)."""
    return one.has("dying") and not one.has("stabilized")


def in_fight(combat: Combat, who: Id) -> bool:
    """Not dead and not gone."""
    one = combat.combatants.get(who)
    return one is not None and not one.left and not one.has("dead")


def is_stabilized(one: Combatant) -> bool:
    """Down, and stabilized."""
    return one.has("stabilized") and is_down(one)
