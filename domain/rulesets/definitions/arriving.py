"""What a sheet brings along: conditions, modifiers that end, things on the floor."""

from msgspec import to_builtins
from msgspec.structs import replace

from domain.record.combat import Id
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.definitions import moments, numbers
from domain.rulesets.definitions.facts import GONE, GROUND, Lying
from domain.rulesets.definitions.states import sheet_of


def awaited(play: Play, who: Id) -> Procedure[None]:
    """Conditions of others' sheets that name the newcomer as their source."""
    names = (who, play.combat[who].name)
    for one in play.combat:
        for given in sheet_of(one).conditions:
            unbound = [held.key for held in one.all(given.id) if held.source is None]
            if unbound and given.source in names:
                rules = ("DEF-GEN-03",)
                bound = moments.condition_gained(play.combat, one.id, given, None, rules)
                yield replace(bound, key=unbound[0])


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Events only."""
    page = sheet_of(play.combat[who])
    for given in page.conditions:
        yield moments.condition_gained(play.combat, who, given, None, ("DEF-GEN-03",))
    yield from awaited(play, who)
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
