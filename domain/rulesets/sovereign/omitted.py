"""Inputs of an attack that a caller left out and the rules supply: for the log."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulesets.sovereign.actions.swarm import mode_of
from domain.rulesets.sovereign.blow import chosen
from domain.rulesets.sovereign.opportunity import ready_blade

MELEE = ("melee-attack", "charge", "prepare-execution")


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the weapon in hand, where an attack names none."""
    target = inputs.get("target")
    if inputs.get("weapon") is not None:
        return {}
    if option == "attack-of-opportunity":
        mover = "" if prompt is None else str(prompt.data.get("mover"))
        blade = ready_blade(combat, who, mover) if mover in combat.combatants else None
        return {} if blade is None else {"weapon": blade}
    if option in MELEE:
        mode = "melee"
    elif option == "ranged-attack":
        mode = "ranged"
    elif option == "snap-attack":
        mode = str(inputs.get("mode") or "melee")
    elif option == "swarm-attack" and isinstance(target, str) and target in combat.combatants:
        mode = mode_of(combat, who, target, None)
    else:
        return {}
    weapon = chosen(combat[who], None, "ranged" if mode == "ranged" else "melee")
    return {} if weapon is None else {"weapon": weapon.id}
