"""Sides, participation in the combat, and fallen combatants (HE-WP, HE-MOR-11)."""

from domain.record.combat import Combat, Combatant, Id
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import options


def hostile(combat: Combat, a: Id, b: Id) -> bool:
    """Return true if the two sides differ and are not allied (section 2.1)."""
    sides = {combat[a].side, combat[b].side}
    return len(sides) == 2 and not any(
        sides <= set(allied) for allied in options(combat).allied_sides
    )


@rule("HE-MOR-11", "Only combatants that are able to fight count")
def able_to_fight(combat: Combat, who: Id) -> bool:
    """Return true if the combatant can still fight (HE-MOR-11).

    It must be present and above 0 Wound Points, and neither routed nor surrendered.
    """
    combatant = combat[who]
    return (
        not combatant.left
        and combatant.tracks["wound_points"].value > 0
        and not combatant.has("dead", "routed", "surrendered")
    )


def is_down(combatant: Combatant) -> bool:
    """Return true if the combatant is incapacitated or dying."""
    return combatant.has("incapacitated", "dying")


@rule(
    "HE-STAB-08",
    "Stabilized combatants do not bleed and have no limits of the dying",
    untold="what does not happen",
)
def is_dying(combatant: Combatant) -> bool:
    """Return true if the combatant is dying and not stabilized (HE-STAB-08)."""
    return combatant.has("dying") and not combatant.has("stabilized")


def is_stabilized(combatant: Combatant) -> bool:
    """Return true if the combatant is down and stabilized."""
    return combatant.has("stabilized") and is_down(combatant)
