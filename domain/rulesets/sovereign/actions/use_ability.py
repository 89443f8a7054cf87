"""use-ability: powers, feats and items that are data (2.4, SOV-ACT-01, SOV-INST-03)."""

from collections.abc import Iterator, Mapping

from domain.errors import Illegal
from domain.record.combat import Id, Json
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import abilities, costs, windows
from domain.rulesets.sovereign.abilities import UseAbility
from domain.rulesets.sovereign.numbers import in_fight, sheet_of
from domain.rulesets.sovereign.rules import rule


def refusals(play: Play, who: Id, inputs: UseAbility) -> Iterator[Illegal]:
    """On the own turn, or as an interjection (SOV-INST-03)."""
    combat = play.combat
    ability = abilities.ability_of(combat[who], inputs.ability)
    if ability is None or ability.action != "instant":
        yield from costs.midst(combat, who)
    else:
        yield from costs.instant_refusals(combat, who)
    if ability is not None:
        yield from costs.kind_refusals(combat, who, ability.action, inputs.pay)
    yield from abilities.known(combat[who], inputs)
    if inputs.target is not None:
        combat[inputs.target]
    if ability is not None and abilities.answers_only(ability):
        yield Illegal("SOV-INST-02", "missing-data", f"{ability.name} answers a roll")


def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    for ability in sheet_of(play.combat[who]).abilities:
        yield {"ability": ability.id}
        for other in play.combat:
            if in_fight(play.combat, other.id):
                yield {"ability": ability.id, "target": other.id}
        if ability.action == "move":
            yield {"ability": ability.id, "pay": "main"}


@rule("SOV-ACT-01", "Actions cost a Main, a Move, or are Free or Instant")
def use_ability(play: Play, who: Id, inputs: UseAbility) -> Procedure[None]:
    """Use an ability as an action, with the price and effect in its data (SOV-ACT-01)."""
    ability = abilities.ability_of(play.combat[who], inputs.ability)
    assert ability is not None, "the refusals know the ability"
    if not (yield from costs.paid(play, who, ability.action, USE_ABILITY, inputs, "SOV-ACT-01")):
        return
    if ability.action in ("main", "move"):
        yield from windows.declared(play, who, ability.id, inputs.target)
    yield abilities.count(play.combat[who], ability)
    yield from abilities.effects(play, who, inputs.target or who, ability, windows.seen)


USE_ABILITY = Action(
    "use-ability", UseAbility, refusals, candidates, "Use an ability", procedure=use_ability,
    interjection=True, cost="as its data say", rules=("SOV-ACT-01", "SOV-INST-03"),
).shown("use", "Use {ability}[ on {target}]")  # fmt: skip
