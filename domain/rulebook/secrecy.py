"""Secrecy: only the side of a hidden combatant knows about it."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.record.combat import Combat, Id


def knows_of(combat: Combat, who: Id, other: Id) -> bool:
    """Return true if `who` knows about `other`, and can therefore react to it."""
    return not combat[other].hidden or combat[who].side == combat[other].side


def known_by(combat: Combat, who: Id) -> Combat:
    """Return the combat without the combatants that are hidden from the side of `who`."""
    everybody = combat.combatants
    known = {id: combatant for id, combatant in everybody.items() if knows_of(combat, who, id)}
    return combat if len(known) == len(everybody) else replace(combat, combatants=known)


def only_among_the_hidden(combat: Combat, who: Id, others: Iterable[Id]) -> bool:
    """Return true if `who` is visible and all of `others` are hidden.

    Make a roll of `who` against `others` secret. Otherwise, the roll would reveal them.
    """
    return not combat[who].hidden and all(combat[other].hidden for other in others if other != who)
