"""Find the weapon of an attack whose inputs name no weapon, for the log."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json, OpenPrompt
from domain.rulesets.free_hit.things import weapon_of


def omitted(
    combat: Combat, who: Id, prompt: OpenPrompt | None, option: str, inputs: Mapping[str, Json]
) -> Mapping[str, Json]:
    """Return the weapon in hand if the inputs of an attack name no weapon."""
    if "aim" not in inputs or "spell" in inputs or inputs.get("weapon") is not None:
        return {}
    weapon = weapon_of(combat[who], None)
    return {} if weapon is None else {"weapon": weapon.id}
