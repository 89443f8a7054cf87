"""Every action of a combatant, in the order of the specification (4.1)."""

from domain.rulesets.sovereign import opportunity
from domain.rulesets.sovereign.actions import (
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
    attacks.MELEE_ATTACK, attacks.RANGED_ATTACK, snap_attack.SNAP_ATTACK, swarm.SWARM_ATTACK,
    swarm.SWARM_STRIKE, charge.CHARGE, screen_ally.SCREEN_ALLY, total_defense.TOTAL_DEFENSE,
    run.RUN, run.DISENGAGE, use_skill.USE_SKILL, stabilize.STABILIZE, use_item.USE_ITEM,
    stowage.READY_ITEM, stowage.STOW_ITEM, hands.SHEATHE, hands.DRAW, hands.DROP_ITEM,
    hands.WIELD, reload.RELOAD, pick_up.PICK_UP, posture.STAND_UP, posture.GO_PRONE,
    hold.HOLD_ACTION, hold.TRIGGER_HELD, shove.SHOVE, grapple.GRAPPLE, grapple.ESCAPE_GRAPPLE,
    grapple.MOVE_GRAPPLED, grapple.RELEASE_GRAPPLE, execution.PREPARE_EXECUTION,
    execution.EXECUTION_ATTACK, cast_spell.CAST_SPELL, use_ability.USE_ABILITY, improvise.SPEAK,
    improvise.IMPROVISE, opportunity.ATTACK_OF_OPPORTUNITY, hold.END_TURN,
)  # fmt: skip

ACTIONS = {action.id: action for action in _LISTED}
