"""The actions of a combatant, in the rulebook's order (section 4.1)."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulesets.vile_darkness.actions import (
    abandon,
    abilities,
    activity,
    answers,
    attack,
    called_shot,
    delay,
    fast_actions,
    movement,
)

ACTIONS: Mapping[str, Action] = {
    action.id: action
    for action in (
        fast_actions.parley, fast_actions.flee, fast_actions.charge, abilities.go_first,
        attack.attack, abilities.innate, answers.invoke, answers.cast, movement.move,
        movement.position, activity.simple, activity.delaying, activity.complex_activity,
        delay.delay, called_shot.called_shot, called_shot.grab_item, abilities.immediate,
        answers.free_attack, answers.immediate_attack, abandon.end_concentration,
        abandon.abandon, abandon.decide_anew, abandon.nothing_more,
    )
}  # fmt: skip
