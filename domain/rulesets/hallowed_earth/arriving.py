"""What a combatant brings along when it joins: wounds, injuries, conditions, surprise."""

from domain.record.combat import Id
from domain.record.events import ConditionGained, FactSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth import injuries
from domain.rulesets.hallowed_earth.ends import lasting, round_end
from domain.rulesets.hallowed_earth.harm import come_to_state
from domain.rulesets.hallowed_earth.numbers import sheet
from domain.rulesets.hallowed_earth.sheet import Effects


def arrive(play: Play, who: Id) -> Procedure[None]:
    """The state that its sheet describes."""
    card = sheet(play.combat[who])
    if card.surprised:  # HE-SURP-01, HE-SURP-06
        ends = (round_end(play.combat.round),)
        yield ConditionGained(who, "surprised", until=ends, rules=("HE-SURP-01",))
    if card.wounds:
        wounds = [
            {
                "id": number,
                "type": one.type if isinstance(one.type, str) else list(one.type),
                "amount": one.amount,
            }
            for number, one in enumerate(card.wounds, 1)
        ]
        yield FactSet(who, "wounds", wounds, rules=("HE-WP-03",))
    for hurt in card.injuries:  # their attribute damage is in the attributes already
        row = injuries.known(play, hurt.name)
        effects = Effects(conditions=row.effects.conditions) if row else Effects()
        injury = injuries.Injury(hurt.name, effects, hurt.side)
        yield from list(injuries.lasting(play.combat[who], injury))
    for gift in card.conditions:
        until = lasting(play.combat, gift.duration)
        yield from list(injuries.begin(play.combat[who], gift.id, gift.side, None, until))
    yield from come_to_state(play, who)
