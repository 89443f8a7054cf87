"""Every action of a unit, in the rulebook's order (4.2): what AA, MA and BA can pay for.

FH-TRN-04, -05, -06. Each runs only as long as its unit may go on.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from domain.record.combat import Id
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, while_able
from domain.rulebook.play import Play
from domain.rulesets.free_hit.actions.attacking import ATTACK, EXTRA_ATTACK, FEAT_ATTACK, INITIATE
from domain.rulesets.free_hit.actions.boosting import BOOST_DAMAGE, BOOST_DODGE, BOOST_HIT
from domain.rulesets.free_hit.actions.casting import (
    CANCEL_SPELL,
    CAST_SPELL,
    CONTINUE_CASTING,
    TOGGLE_SPELL,
)
from domain.rulesets.free_hit.actions.delaying import DELAY, END_TURN
from domain.rulesets.free_hit.actions.disengage import DISENGAGE
from domain.rulesets.free_hit.actions.free import FACE, FLEE, RELEASE_SUMMON, YIELD
from domain.rulesets.free_hit.actions.handling import DRAW, PICK_UP, SHEATHE
from domain.rulesets.free_hit.actions.moving import BONUS_MOVE, MOVE
from domain.rulesets.free_hit.actions.stand_up import STAND_UP
from domain.rulesets.free_hit.actions.talk import TALK


def guarded(action: Action) -> Action:
    """The action, stopped when its unit can't go on (FH-SEQ-06, FH-TRN-03)."""

    def procedure(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        yield from while_able(play, who, action.procedure(play, who, inputs), action.id)

    return replace(action, procedure=procedure)


ACTIONS: Mapping[str, Action] = {
    action.id: guarded(action)
    for action in (
        INITIATE, DELAY, END_TURN, ATTACK, EXTRA_ATTACK, FEAT_ATTACK, MOVE, BONUS_MOVE, DISENGAGE,
        CAST_SPELL, CONTINUE_CASTING, CANCEL_SPELL, TOGGLE_SPELL, BOOST_DAMAGE, BOOST_HIT,
        BOOST_DODGE, PICK_UP, DRAW, SHEATHE, TALK, STAND_UP, RELEASE_SUMMON, FACE, YIELD, FLEE,
    )
}  # fmt: skip
