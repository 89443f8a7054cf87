"""End effects with the round, with the battle or at the unit's next turn (FH-DUR)."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Until
from domain.record.events import ConditionGained
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Ends, SheetCondition


@rule("FH-INI-07", "The opening counts as part of round 1")
def this_round(combat: Combat) -> int:
    """Return the round that effects belong to. The opening counts as round 1 (FH-INI-07)."""
    return max(1, combat.round)


def until(combat: Combat, ends: Ends | None, who: Id) -> tuple[Until, ...]:
    """Return the moment at which a condition ends (FH-DUR-01, FH-DUR-02)."""
    match ends:
        case "round":
            return (Until("round-end", round=this_round(combat)),)
        case "battle":
            return (Until("battle-end"),)
        case "next-turn":
            return (Until("turn-start", who=who),)
        case _:  # the GM or another effect ends it
            return ()


ENDS: Mapping[str, Ends] = {
    "disengaged": "round",
    "damage-boost": "round",
    "hit-boost": "round",
    "dodge-boost": "next-turn",
    "wound-disrupting": "battle",
}
"""The ends of the rulebook's conditions, from any source (section 5, FH-AIM-08)."""


@rule("FH-DUR-03", "A wound lasts until it is eliminated")
def lasts(combat: Combat, condition: str, who: Id) -> tuple[Until, ...]:
    """Return the usual end of a condition, or nothing if it has no usual end.

    A wound without a usual end lasts until a healing or the GM ends it (FH-DUR-03).
    """
    return until(combat, ENDS.get(condition), who)


def disengaged(combat: Combat, who: Id, rule: str) -> ConditionGained:
    """Return the event that lets a unit leave all enemy zones without free hits this round.

    FH-DSG-02.
    """
    ends = lasts(combat, "disengaged", who)
    return ConditionGained(who, "disengaged", until=ends, rules=(rule,))


def of_data(
    combat: Combat,
    who: Id,
    condition: SheetCondition,
    *rules: str,
    key: str = "",
    source: Id | None = None,
) -> ConditionGained:
    """Return the event of a condition from data.

    If the data have no end, the condition has its usual end.
    """
    data = {"can_act": condition.can_act, "flat_footed": condition.flat_footed}
    ends = until(combat, condition.until, who) or lasts(combat, condition.id, who)
    return ConditionGained(who, condition.id, key, data, ends, source, rules=rules)
