"""When effects end: with the round, with the battle, at the unit's own next turn (FH-DUR)."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Until
from domain.record.events import ConditionGained
from domain.rulesets.free_hit.sheet import Ends
from domain.rulesets.free_hit.states import this_round


def until(ends: Ends | None, who: Id, round: int) -> tuple[Until, ...]:
    """The moment as the condition keeps it (FH-DUR-01, -02)."""
    match ends:
        case "round":
            return (Until("round-end", round=round),)
        case "battle":
            return (Until("battle-end"),)
        case "next-turn":
            return (Until("turn-start", who=who),)
        case _:  # until data or the GM end it
            return ()


ENDS: Mapping[str, Ends] = {
    "disengaged": "round",
    "damage-boost": "round",
    "hit-boost": "round",
    "dodge-boost": "next-turn",
    "wound-disrupting": "battle",
}
"""When conditions of the rulebook end, whoever brings them (section 5, FH-AIM-08)."""


def lasts(condition: str, who: Id, round: int) -> tuple[Until, ...]:
    """The end that a condition has by itself; a wound none (FH-DUR-03)."""
    return until(ENDS.get(condition), who, round)


def disengaged(combat: Combat, who: Id, rule: str) -> ConditionGained:
    """Leaves all enemy zones without free hits, until the end of the round (FH-DSG-02)."""
    return ConditionGained(
        who, "disengaged", until=lasts("disengaged", who, this_round(combat)), rules=(rule,)
    )
