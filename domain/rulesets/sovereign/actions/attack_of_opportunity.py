"""The action `attack-of-opportunity`, which a combatant never declares (SOV-AOO).

It answers the prompt that a provoking action opens.
"""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, attack, costs
from domain.rulesets.sovereign.blow import Attack, blow_of
from domain.rulesets.sovereign.opportunity import Opportunity
from domain.rulesets.sovereign.rules import action, rule


def only_answers(act: Act[Opportunity]) -> Iterator[Illegal]:
    """Refuse a declaration, because only an enemy's action provokes the attack (SOV-AOO-01)."""
    yield from costs.able_refusals(act.combat, act.who)
    detail = "an attack of opportunity answers an action that draws it"
    yield refuse("SOV-SEQ-04", "not-your-turn", detail, NO_FIELD)


@action(
    "attack-of-opportunity", "Attack of opportunity", Opportunity,
    cost="free reaction", category="attack",
    headline="Strike at the opening[ with {weapon}]", polarity="harm",
    rules={}, also=("SOV-AOO-01", "SOV-AOO-02"),
    refusals=(only_answers,),
)  # fmt: skip
def attack_of_opportunity(act: Act[Opportunity]) -> Procedure[None]:
    """Do nothing, because the option of the prompt runs `strike` instead."""
    yield from ()


@rule("SOV-AOO-05", "The opportunity is an attack like any other")
def strike(who: Id, play: Play, foe: Id, inputs: Opportunity) -> Procedure[None]:
    """Make a free attack, which follows the rules of every attack (SOV-AOO-01, SOV-AOO-05)."""
    weapon = inputs.weapon or arms.ready_blade(play.combat, foe, who)
    named = Attack(target=who, weapon=weapon, attribute=inputs.attribute)
    yield from attack.strike(play, blow_of(play, foe, named, "melee", "attack-of-opportunity"))
