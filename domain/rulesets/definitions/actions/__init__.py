"""Every action, in the order of the specification (section 4)."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulesets.definitions import counterspells, opportunity
from domain.rulesets.definitions.actions import (
    attack,
    cast,
    charge,
    disarm,
    end_turn,
    feigned_strike,
    free,
    grapple,
    grapple_options,
    hold,
    items,
    kill_shot,
    move,
    posture,
    shatter,
    shove,
    swallow,
    trample,
    trip,
    weapons,
)

ACTIONS: Mapping[str, Action] = {
    action.id: action
    for action in (
        attack.attack, attack.ranged_attack, attack.shield_bash, cast.melee_touch,
        cast.ranged_touch, cast.cast_spell, cast.use_ability, counterspells.counterspell,
        opportunity.aoo, move.move, move.five_foot_step, items.retrieve_item, items.activate_item,
        weapons.draw_weapon, weapons.ready_item, weapons.stow_item, posture.stand_up,
        posture.drop_prone, items.drink_potion, items.use_item, free.speak, items.command_item,
        free.knowledge_check, end_turn.delay, end_turn.resume_from_delay, hold.hold_action,
        hold.report_trigger, charge.charge, disarm.disarm, feigned_strike.feigned_strike,
        posture.full_defense, grapple.grapple, grapple_options.grapple_break,
        grapple_options.grapple_expose, grapple_options.grapple_move,
        grapple_options.grapple_submission, grapple_options.grapple_pin, grapple.grapple_escape,
        grapple.release_grapple, kill_shot.kill_shot, shatter.shatter, shove.shove,
        swallow.swallow_whole, swallow.cut_out, swallow.retrieve_swallowed, trample.trample,
        trip.trip, end_turn.end_turn,
    )
}  # fmt: skip
