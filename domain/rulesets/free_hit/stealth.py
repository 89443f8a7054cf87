"""Record which units do not notice a sneaking unit (FH-SNK)."""

from collections.abc import Sequence
from typing import Literal

from domain.errors import Unknown
from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained, ConditionLost


def units_named(combat: Combat, names: Literal["all"] | Sequence[str]) -> list[Id]:
    """Return the ids of the units with these ids or names. Raise `Unknown` for a missing unit."""
    ids = {
        **{combatant.name: combatant.id for combatant in combat},
        **{combatant.id: combatant.id for combatant in combat},
    }
    wanted = () if names == "all" else names
    for name in wanted:
        if name not in ids:
            raise Unknown("combatant", name, tuple(combatant.id for combatant in combat))
    return [ids[name] for name in wanted]


def detected(who: Id) -> ConditionLost:
    """Return the event that everybody notices `who` (FH-SNK-04)."""
    return ConditionLost(who, "undetected", reason="detected", rules=("FH-SNK-04",))


def undetected(combat: Combat, who: Id, by: Literal["all"] | Sequence[str]) -> ConditionGained:
    """Return the event that these units do not notice `who` (FH-SNK-01)."""
    unseen = "all" if by == "all" else units_named(combat, by)
    return ConditionGained(who, "undetected", data={"by": unseen}, rules=("FH-SNK-01",))
