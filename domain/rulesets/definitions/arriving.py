"""What a sheet brings along: conditions, modifiers that end, things on the floor."""

from msgspec import to_builtins

from domain.record.combat import Id
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions import moments, numbers
from domain.rulesets.definitions.facts import GONE, GROUND, Lying
from domain.rulesets.definitions.states import sheet_of


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Events only."""
    page = sheet_of(play.combat[who])
    for given in page.conditions:
        yield moments.condition_gained(play.combat, who, given, None, ("DEF-GEN-03",))
    for modifier in numbers.timed(play.combat[who]):
        yield moments.modifier_gained(play.combat, who, modifier, None)
    lying = [item for item in page.items if item.stored == "ground"]
    if lying:
        found = tuple(
            Lying(id=item.id, kind="item", owner=who, at=item.at, data=to_builtins(item))
            for item in lying
        )
        yield GROUND.set((*GROUND.of(play.combat), *found), rules=("DEF-DIS-08",))
        yield GONE.set(who, tuple(item.id for item in lying), rules=("DEF-DIS-08",))
