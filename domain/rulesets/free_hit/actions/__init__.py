"""All actions of a unit, in the rulebook's order (section 4.2), paid by AA, MA or BA."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from domain.record.combat import Id
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, while_able
from domain.rulebook.play import Play
from domain.rulesets.free_hit.actions import (
    attack,
    boost,
    cast,
    delay,
    disengage,
    equipment,
    face,
    move,
    release_summon,
    stand_up,
    surrender,
    talk,
)
from domain.rulesets.free_hit.rules import rule


def guarded(action: Action) -> Action:
    """Return the action, wrapped so that it stops if its unit can no longer act.

    FH-SEQ-06, FH-TRN-03.
    """

    def procedure(play: Play, who: Id, inputs: Any) -> Procedure[None]:
        return while_able(play, who, action.procedure(play, who, inputs), action.id)

    return replace(action, procedure=procedure)


rule("FH-TRN-04", "An AA pays only for the actions on its list", f"{__name__}.ACTIONS")
rule("FH-TRN-05", "An MA pays only for the actions on its list", f"{__name__}.ACTIONS")
rule("FH-TRN-06", "A BA pays only for the actions on its list", f"{__name__}.ACTIONS")
ACTIONS: Mapping[str, Action] = {
    action.id: guarded(action)
    for action in (
        attack.initiate, delay.delay, delay.end_turn, attack.attack, attack.extra_attack,
        attack.feat_attack, move.move, move.bonus_move, disengage.disengage, cast.cast,
        cast.continue_casting, cast.cancel_spell, cast.toggle_spell, boost.boost_damage,
        boost.boost_hit, boost.boost_dodge, equipment.pick_up, equipment.draw, equipment.sheathe,
        talk.talk, stand_up.stand_up, release_summon.release_summon, face.face, surrender.give_up,
        surrender.flee,
    )
}  # fmt: skip
