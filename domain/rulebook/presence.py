"""Presence: a combatant takes part in the fight, or is out of it."""

from collections.abc import Collection

from domain.record.combat import Combat, Id


def in_fight(combat: Combat, who: Id, out: Collection[str] = ("dead",)) -> bool:
    """Return true if `who` has not left, and has none of the conditions `out`."""
    combatant = combat.combatants.get(who)
    return combatant is not None and not combatant.left and not combatant.has(*out)
