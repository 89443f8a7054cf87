"""Apply the sheet of a unit that joins, and give the unit its place in a running battle."""

from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit import spells, summons
from domain.rulesets.free_hit.conditions import CONDITIONS
from domain.rulesets.free_hit.ends import of_data
from domain.rulesets.free_hit.facts import FACING, GROUND
from domain.rulesets.free_hit.harm import WOUNDS
from domain.rulesets.free_hit.sheet import SheetCondition
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.things import place_of


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Yield the events that the unit's sheet brings: facing, conditions, items and its place."""
    unit = sheet(play.combat[who])
    if unit.facing is not None:
        yield FACING.set(who, unit.facing, rules=("FH-FLK-02",))
    # the condition has names instead of ids, because the named units may join later
    if unit.undetected_by:
        by = unit.undetected_by if unit.undetected_by == "all" else list(unit.undetected_by)
        yield ConditionGained(who, "undetected", data={"by": by}, rules=("FH-SNK-01",))
    ground = dict(GROUND.of(play.combat))
    for item in unit.items:
        if item.at:
            id = place_of(ground, item.id, who)
            ground[id] = {"name": item.name, "of": who, "at": list(item.at)}
    if ground != GROUND.of(play.combat):
        yield GROUND.set(ground, rules=("FH-ACT-01",))
    for condition in unit.conditions:
        yield of_data(play.combat, who, condition, *rules_of(condition))
    yield from spells.of_sheet(play.combat, play.combat[who]).values()
    yield from list(summons.sicken(play.combat, who))
    yield from list(summons.take_place(play.combat, who))


def rules_of(condition: SheetCondition) -> tuple[str, ...]:
    """Return the rules of a condition, and the rules of the effects in its data."""
    known = CONDITIONS.get(condition.id)
    rules = () if known is None else known.rules
    if condition.id in WOUNDS:
        rules = (*rules, "FH-WND-02")
    if condition.flat_footed:
        rules = (*rules, "FH-FLT-02")
    if not condition.can_act:
        rules = (*rules, "FH-TRN-03")
    return tuple(dict.fromkeys(rules))
