"""Inputs of an attack that a caller left out and the rules supply: for the log."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulesets.definitions import opportunity
from domain.rulesets.definitions.actions import attack, ranged_attack
from domain.rulesets.definitions.actions.attack import Attack
from domain.rulesets.definitions.opportunity import Opportunity


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the weapon that is ready and reaches, where an attack names none."""
    target = inputs.get("target")
    if inputs.get("weapon") is not None:
        return {}
    if option == "aoo" and inputs.get("action", "attack") == "attack":
        asked = {} if prompt is None else prompt.data
        target = target or asked.get("mover") or asked.get("actor")
        if not isinstance(target, str) or target not in combat.combatants:
            return {}
        found = opportunity.arm_for(combat, who, target, Opportunity())
    elif option == "attack" and (target is None or target in combat.combatants):
        found = attack.chosen(combat, who, Attack(target=target))
    elif option == "ranged-attack":
        found = ranged_attack.chosen(combat, who, Attack(target=target))
    else:
        return {}
    return {} if found is None else {"weapon": found.id}
