"""Every action of a combatant, in the rulebook's order (4.1)."""

from collections.abc import Mapping

from domain.record.combat import Combatant
from domain.rulebook.action import Action
from domain.rulesets.hallowed_earth.actions.ability import DECLARED, USE_ABILITY
from domain.rulesets.hallowed_earth.actions.attack import ATTACK, DEFENSIVE_ATTACK
from domain.rulesets.hallowed_earth.actions.cast import CAST
from domain.rulesets.hallowed_earth.actions.deed import Doing
from domain.rulesets.hallowed_earth.actions.full_defense import FULL_DEFENSE
from domain.rulesets.hallowed_earth.actions.intimidate import INTIMIDATE
from domain.rulesets.hallowed_earth.actions.items import THROW_ITEM, USE_ITEM
from domain.rulesets.hallowed_earth.actions.move import CRAWL, MOVE
from domain.rulesets.hallowed_earth.actions.reposte import REPOSTE
from domain.rulesets.hallowed_earth.actions.skill_check import SKILL_CHECK
from domain.rulesets.hallowed_earth.actions.small import END_TURN, FREE_ACTION, NO_ACTION, SPEAK
from domain.rulesets.hallowed_earth.actions.stabilize import STABILIZE

DEEDS: Mapping[str, Doing] = {
    doing.id: doing
    for doing in (
        ATTACK, DEFENSIVE_ATTACK, CAST, USE_ITEM, THROW_ITEM, FULL_DEFENSE, STABILIZE, INTIMIDATE,
        DECLARED, SKILL_CHECK,
    )
}  # fmt: skip
"""What is declared and then done by the slot of its number."""

ACTIONS: Mapping[str, Action] = {
    action.id: action
    for action in (
        *(doing.action() for doing in (ATTACK, DEFENSIVE_ATTACK, CAST, USE_ITEM, THROW_ITEM)),
        *(doing.action() for doing in (FULL_DEFENSE, STABILIZE, INTIMIDATE)),
        USE_ABILITY,
        SKILL_CHECK.action(),
        NO_ACTION,
        MOVE,
        CRAWL,
        FREE_ACTION,
        REPOSTE,
        SPEAK,
        END_TURN,
    )
}

OF_TURN = tuple(action for id, action in ACTIONS.items() if id not in ("reposte", "speak"))
"""What can answer the question of a turn."""


def modifier_of(one: Combatant, action: str, tool: str | None) -> int | None:
    """What a declaration adds to Base Initiative (HE-MOD); None = there is no such thing.

    What the list does not name has +0 (HE-MOD-10, HE-MOVE-05).
    """
    return DEEDS[action].modifier(one, tool) if action in DEEDS else 0
