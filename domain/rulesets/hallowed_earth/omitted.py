"""Inputs of a deed that a caller left out and the rules supply: for the log."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulesets.hallowed_earth.actions.reposte import first_weapon
from domain.rulesets.hallowed_earth.count import declaration

TOOLS = ("weapon", "spell", "item", "ability", "skill")


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the tool that was declared (HE-DECL-11), or the weapon of a Reposte."""
    if prompt is not None and (prompt.name, option) == ("reposte", "take"):
        at = inputs.get("attacker") or prompt.data.get("attacker") or prompt.data.get("mover")
        weapon = None if inputs.get("weapon") else first_weapon(combat, who, at)
        return {} if weapon is None else {"weapon": weapon}
    declared = declaration(combat, who)
    if declared.action != option:
        return {}
    return {tool: name for tool in TOOLS if (name := getattr(declared, tool)) is not None}
