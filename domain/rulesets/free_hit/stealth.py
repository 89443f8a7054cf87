"""Sneaking: units that do not notice others (FH-SNK)."""

from collections.abc import Sequence
from typing import Literal

from domain.errors import Unknown
from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained, ConditionLost


def units_named(combat: Combat, names: Literal["all"] | Sequence[str]) -> list[Id]:
    """The ids of units that are called by id or name; raises `Unknown`."""
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
    """From now on everybody notices `who` (FH-SNK-04)."""
    return ConditionLost(who, "undetected", reason="detected", rules=("FH-SNK-04",))


def undetected(combat: Combat, who: Id, by: Literal["all"] | Sequence[str]) -> ConditionGained:
    """From now on these do not notice `who` (FH-SNK-01)."""
    unseen = "all" if by == "all" else units_named(combat, by)
    return ConditionGained(who, "undetected", data={"by": unseen}, rules=("FH-SNK-01",))
