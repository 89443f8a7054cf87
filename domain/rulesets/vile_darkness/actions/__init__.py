"""The actions, one action or family a file, all in the rulebook's order (4.1)."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulesets.vile_darkness.actions.abilities import GO_FIRST, IMMEDIATE, INNATE
from domain.rulesets.vile_darkness.actions.activity import COMPLEX, DELAYING, SIMPLE
from domain.rulesets.vile_darkness.actions.answering import (
    CAST,
    FREE_ATTACK,
    IMMEDIATE_ATTACK,
    INVOKE,
)
from domain.rulesets.vile_darkness.actions.attack import ATTACK
from domain.rulesets.vile_darkness.actions.called_shot import CALLED_SHOT, GRAB_ITEM
from domain.rulesets.vile_darkness.actions.delay import DELAY
from domain.rulesets.vile_darkness.actions.fast import CHARGE, FLEE, PARLEY
from domain.rulesets.vile_darkness.actions.giving_up import ABANDON, END_CONCENTRATION, PASS
from domain.rulesets.vile_darkness.actions.movement import MOVE, POSITION

ACTIONS: Mapping[str, Action] = {
    action.id: action
    for action in (
        PARLEY,
        FLEE,
        CHARGE,
        GO_FIRST,
        ATTACK,
        INNATE,
        INVOKE,
        CAST,
        MOVE,
        POSITION,
        SIMPLE,
        DELAYING,
        COMPLEX,
        DELAY,
        CALLED_SHOT,
        GRAB_ITEM,
        IMMEDIATE,
        FREE_ATTACK,
        IMMEDIATE_ATTACK,
        END_CONCENTRATION,
        ABANDON,
        PASS,
    )
}
