"""The action `use-ability`, for the powers, feats and item abilities of a sheet.

Section 2.4, SOV-ACT-01, SOV-INST-03.
"""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import OwnAbility, Recipient
from domain.rulebook.play import Play
from domain.rulebook.presence import in_fight
from domain.rulesets.sovereign import abilities, costs, windows
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.rules import action


class UseAbility(costs.Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ability: OwnAbility
    target: Recipient | None = None


def usable(act: Act[UseAbility]) -> Iterator[Illegal]:
    """Refuse an ability that the combatant cannot use now.

    An Instant is also possible outside the turn (SOV-INST-03).
    """
    combat, who, inputs = act.combat, act.who, act.inputs
    ability = abilities.ability_of(act.actor, inputs.ability)
    if ability is None or ability.action != "instant":
        yield from costs.midst(combat, who)
    else:
        yield from costs.instant_refusals(combat, who)
    if ability is not None:
        yield from costs.kind_refusals(combat, who, ability.action, inputs.pay)
    yield from abilities.known(act.actor, inputs.ability)
    if inputs.target is not None:
        combat[inputs.target]
    if ability is not None and abilities.answers_only(ability):
        yield refuse("SOV-INST-02", "missing-data", f"{ability.name} answers a roll", "ability")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose every ability, first without a target and then on each combatant in the fight."""
    for ability in sheet_of(play.combat[who]).abilities:
        yield {"ability": ability.id}
        for other in play.combat:
            if in_fight(play.combat, other.id):
                yield {"ability": ability.id, "target": other.id}
        if ability.action == "move":
            yield {"ability": ability.id, "pay": "main"}


@action(
    "use-ability", "Use an ability", UseAbility,
    cost="as the ability says", category="use", headline="Use {ability}[ on {target}]",
    rules={"SOV-ACT-01": "An action costs a Main or a Move, or is Free or Instant"},
    also=("SOV-INST-03",),
    refusals=(usable,),
    propose=candidates,
    interjection=True,
)  # fmt: skip
def use_ability(act: Act[UseAbility]) -> Procedure[None]:
    """Use an ability at the cost and with the effects in its data (SOV-ACT-01)."""
    play, who, inputs = act.play, act.who, act.inputs
    ability = abilities.ability_of(act.actor, inputs.ability)
    assert ability is not None, "the refusals know the ability"
    if not (yield from costs.paid(play, who, ability.action, use_ability, inputs, "SOV-ACT-01")):
        return
    if ability.action in ("main", "move"):
        yield from windows.declared(play, who, ability.id, inputs.target)
    yield abilities.count(act.actor, ability)
    yield from windows.effects(play, who, inputs.target or who, ability)
