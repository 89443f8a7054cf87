"""All actions of a combatant, in the order of the specification (section 4.1)."""

from domain.rulesets.sovereign.actions import (
    attack_of_opportunity,
    attacks,
    cast_spell,
    charge,
    execution,
    grapple,
    hands,
    hold,
    improvise,
    pick_up,
    posture,
    reload,
    run,
    screen_ally,
    shove,
    snap_attack,
    stabilize,
    stowage,
    swarm,
    total_defense,
    use_ability,
    use_item,
    use_skill,
)

_LISTED = (
    attacks.melee_attack, attacks.ranged_attack, snap_attack.snap_attack, swarm.swarm_attack,
    swarm.swarm_strike, charge.charge, screen_ally.screen_ally, total_defense.total_defense,
    run.run, run.disengage, use_skill.use_skill, stabilize.stabilize, use_item.use_item,
    stowage.ready_item, stowage.stow_item, hands.sheathe, hands.draw, hands.drop_item,
    hands.wield, reload.reload, pick_up.pick_up, posture.stand_up, posture.go_prone,
    hold.hold_action, hold.trigger_held, shove.shove, grapple.grapple, grapple.escape_grapple,
    grapple.move_grappled, grapple.release_grapple, execution.prepare_execution,
    execution.execution_attack, cast_spell.cast_spell, use_ability.use_ability, improvise.speak,
    improvise.improvise, attack_of_opportunity.attack_of_opportunity, hold.end_turn,
)  # fmt: skip

ACTIONS = {action.id: action for action in _LISTED}
