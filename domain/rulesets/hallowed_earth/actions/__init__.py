"""Every action of a combatant, in the rulebook's order (4.1)."""

from collections.abc import Mapping

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
"""Actions that are declared, and carried out by the slot of their number."""

ALONE = (USE_ABILITY, NO_ACTION, MOVE, CRAWL, FREE_ACTION, REPOSTE, SPEAK, END_TURN)

ACTIONS: Mapping[str, Action] = {
    **{id: doing.action() for id, doing in DEEDS.items()},
    **{action.id: action for action in ALONE},  # of abilities some are declared, some are not
}

OF_TURN = tuple(action for id, action in ACTIONS.items() if id not in ("reposte", "speak"))
"""Actions that can answer the prompt of a turn."""
