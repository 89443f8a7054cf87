"""All actions of a combatant, in the rulebook's order (section 4.1)."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulesets.hallowed_earth.actions import (
    ability,
    attack,
    cast,
    free_action,
    full_defense,
    intimidate,
    items,
    move,
    reposte,
    skill_check,
    stabilize,
)

ACTIONS: Mapping[str, Action] = {
    action.id: action
    for action in (
        attack.attack.as_action(), attack.defensive_attack.as_action(), cast.cast.as_action(),
        items.use_item.as_action(), items.throw_item.as_action(),
        full_defense.full_defense.as_action(), stabilize.stabilize.as_action(),
        intimidate.intimidate.as_action(), ability.use_ability,
        skill_check.skill_check.as_action(), free_action.no_action, move.move, move.crawl,
        free_action.free_action, reposte.reposte, free_action.speak, free_action.end_turn,
    )
}  # fmt: skip
