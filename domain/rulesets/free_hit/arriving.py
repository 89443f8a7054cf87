"""What a unit's sheet brings along when it joins, and its place in a running battle."""

from domain.record.combat import Id
from domain.record.events import ConditionGained, FactSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit import spells, summoning
from domain.rulesets.free_hit.ends import until
from domain.rulesets.free_hit.harm import defeat
from domain.rulesets.free_hit.numbers import sheet, this_round


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Facing, detection, things on the ground, conditions, effects, sickness, lineup."""
    unit = sheet(play.combat[who])
    round = this_round(play.combat)
    if unit.facing is not None:
        yield FactSet(who, "facing", list(unit.facing), rules=("FH-FLK-02",))
    if unit.undetected_by:
        by = unit.undetected_by if unit.undetected_by == "all" else list(unit.undetected_by)
        yield FactSet(who, "undetected_by", by, rules=("FH-SNK-01",))
        yield ConditionGained(who, "undetected", data={"by": by}, rules=("FH-SNK-01",))
    lying = {item.id: {"name": item.name, "at": list(item.at)} for item in unit.items if item.at}
    if lying:
        ground = {**play.combat.facts.get("ground", {}), **lying}
        yield FactSet(None, "ground", ground, rules=("FH-ACT-01",))
    for condition in unit.conditions:
        yield ConditionGained(
            who,
            condition.id,
            data={"can_act": condition.can_act, "flat_footed": condition.flat_footed},
            until=until(condition.until, who, round),
            rules=("FH-FLT-02",),
        )
    for number, modifier in enumerate(unit.modifiers):
        if modifier.until is not None:
            yield spells.effect_modifier(who, modifier, f"sheet#{number}", round, None)
    yield from list(summoning.sicken(play.combat, who))
    yield from list(summoning.take_place(play.combat, who))
    if play.combat[who].tracks["hp"].value <= 0:
        yield from defeat(play, who, None, "FH-DMG-06")
