"""Inputs of an attack that a caller left out and the rules supply: for the log."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulesets.vile_darkness.actions.attack import Attacking, use
from domain.rulesets.vile_darkness.actions.fast_actions import Charging, charge_use
from domain.rulesets.vile_darkness.reactions import Taking, primary_use
from domain.rulesets.vile_darkness.routines import Use, weapon_of


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the routine or the weapon of the default, where an attack names none."""
    if inputs.get("routine") is not None or inputs.get("weapon") is not None:
        return {}
    use = _use(combat, who, prompt, option, inputs)
    if use is None:
        return {}
    kind = "routine" if weapon_of(combat[who], use.id) is None else "weapon"
    return {kind: use.id}


def _use(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Use | None:
    combatant = combat[who]
    if option == "attack":
        return use(combat, combatant, Attacking())
    if option == "charge":
        return charge_use(combatant, Charging())
    if prompt is not None and (prompt.name, option) == ("free-attack", "take"):
        target = inputs.get("target") or prompt.data.get("mover")
        if isinstance(target, str) and target in combat.combatants:
            return primary_use(combat, who, target, Taking())
    return None
