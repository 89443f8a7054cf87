"""Durations: end the conditions and facts that expire at a moment.

A moment has a name in the rulebook (such as `round-end`), a combatant, and a round.
"""

from domain.record.combat import Combat, Combatant, Condition, Id
from domain.record.events import ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulebook.facts import CombatFact, Fact
from domain.rulebook.play import Play


def expire(
    play: Play, moment: str, who: Id | None = None, *, rules: tuple[str, ...]
) -> Procedure[None]:
    """End everything that expires at this moment, in the order in which combatants joined.

    `who` is the combatant whose turn it is.
    """
    for combatant, held in due(play.combat, moment, who):
        yield ConditionLost(combatant.id, held.id, held.key, moment, rules=rules)
    for fact in play.ruleset.facts:
        if fact.until != moment:
            continue
        if isinstance(fact, CombatFact):
            if fact.known(play.combat):
                yield fact.clear(rules=rules)
            continue
        assert isinstance(fact, Fact)
        for combatant in play.combat:
            if who in (None, combatant.id):
                yield from fact.lapse(combatant, rules=rules)


def due(combat: Combat, moment: str, who: Id | None = None) -> list[tuple[Combatant, Condition]]:
    """Return the conditions that end at this moment, each with its combatant."""
    return [
        (combatant, held)
        for combatant in combat
        for held in combatant.conditions
        if any(
            at.moment == moment
            and (at.who is None or at.who == who)
            and (at.round is None or at.round <= combat.round)
            for at in held.until
        )
    ]
