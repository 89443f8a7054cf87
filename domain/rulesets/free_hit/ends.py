"""When effects end: with the round, with the battle, at the unit's own next turn (FH-DUR)."""

from domain.record.combat import Combat, Id, Until
from domain.record.events import ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit.sheet import Ends


def until(ends: Ends | None, who: Id, round: int) -> tuple[Until, ...]:
    """The moment as the condition keeps it."""
    match ends:
        case "round":
            return (Until("round-end", round=round),)
        case "battle":
            return (Until("battle-end"),)
        case "next-turn":
            return (Until("turn-start", who=who),)
        case _:  # until data or the GM end it
            return ()


def end(play: Play, moment: str, who: Id | None, rule: str) -> Procedure[None]:
    """Everything that ends at this moment, in the order of joining."""
    for one, key, condition in due(play.combat, moment, who):
        yield ConditionLost(one, condition, key, moment, rules=(rule,))


def due(combat: Combat, moment: str, who: Id | None) -> list[tuple[Id, str, str]]:
    """(unit, key, condition) of what ends now."""
    return [
        (one.id, held.key, held.id)
        for one in combat
        for held in one.conditions
        for at in held.until
        if at.moment == moment
        and (at.who is None or at.who == who)
        and (at.round is None or at.round <= combat.round)
    ]
