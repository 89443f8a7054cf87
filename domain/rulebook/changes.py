"""Changes: find the combatants whose changed state can have new consequences."""

from collections.abc import Collection

from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent


def changed_since(
    before: Combat | None, combat: Combat, cause: AnyEvent | None, *fields: str
) -> Collection[Id]:
    """Return the combatants that changed since `before`, and the one that `cause` is about.

    - `before`: a state without further consequences, or `None` if none is known.
    - `fields`: fields of the combat. If one of them changed, return all combatants.
    """
    combatants = combat.combatants
    if before is None or before.status != combat.status:
        return combatants
    for name in fields:
        if getattr(before, name) is not getattr(combat, name):
            return combatants
    former = before.combatants
    if former is combatants and cause is not None:
        return (getattr(cause, "who", None) or "",)
    changed = {id for id, combatant in combatants.items() if former.get(id) is not combatant}
    changed.add(getattr(cause, "who", None) or "")
    return changed
