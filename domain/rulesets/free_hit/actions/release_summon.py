"""The action `release-summon`, which lets a summoned unit go for free."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from domain.record.combat import Combat, Id
from domain.record.events import ConditionGained
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulesets.free_hit.rules import action
from domain.rulesets.free_hit.states import summoned_by


def own_summons(combat: Combat, who: Id) -> list[Id]:
    """Return the ids of the units that this unit has summoned."""
    return [unit.id for unit in summoned_by(combat, combat[who])]


class Release(Struct, frozen=True, forbid_unknown_fields=True):
    unit: Annotated[Id, InputKind("combatant", proposes=own_summons)]


def is_not_its_own(act: Act[Release]) -> bool | Mapping[str, str]:
    """Return the id of `unit` for the refusal if the acting unit has not summoned `unit`."""
    unit = act.inputs.unit
    return unit not in own_summons(act.combat, act.who) and {"unit": repr(unit)}


@action(
    "release-summon", "Let a summoned unit go", Release,
    cost="none", category="use", headline="Let {unit} go",
    rules={}, also=("FH-SMN-02", "FH-THR-05"),
    refusals=(
        Refusal("FH-SMN-02", "not-summoned", "{unit} is not a summoned unit of its own",
                is_not_its_own, field="unit",
                instead=lambda act: own_summons(act.combat, act.who)),
    ),
    propose=("unit",),
)  # fmt: skip
def release_summon(act: Act[Release]) -> Procedure[None]:
    """Release the unit, and give back its thrall cost (FH-SMN-02, FH-THR-05)."""
    yield ConditionGained(act.inputs.unit, "gone", source=act.who, rules=("FH-SMN-02",))
