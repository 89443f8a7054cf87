"""What a sheet brings along, and a newcomer's place in a running fight (SOV-SEQ-09)."""

from domain.record.combat import Id, Place
from domain.record.events import BudgetSet, FactSet, InitiativeSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import abilities, arms, harm, items
from domain.rulesets.sovereign.numbers import sheet_of


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Two weapons at once, conditions, things on the ground, the turn."""
    one = play.combat[who]
    page = sheet_of(one)
    if page.wielding is not None:
        yield arms.wield(who, page.wielding)
    for brought in page.conditions:
        yield abilities.gained(play, who, brought.id, brought.data, brought.until, None)
    here = None if one.position is None else list(one.position)
    lying = [arms.lying(one, weapon, here) for weapon in page.weapons if weapon.state == "dropped"]
    lying += [
        items.lying(one, item, here if item.at is None else list(item.at))
        for item in page.items
        if item.state == "dropped"
    ]
    if lying:
        ground = [*arms.ground(play.combat), *lying]
        yield FactSet(None, "ground", ground, rules=("SOV-ITEM-03",))
    if one.tracks["hp"].value <= 0:
        yield from harm.fall(play, who, None, non_lethal=False)
    if play.combat.status == "running":
        yield from take_part(play, who)


def take_part(play: Play, who: Id) -> Procedure[None]:
    """It acts with its side (SOV-SEQ-09)."""
    yield BudgetSet(who, {"main": 1, "move": 1}, rules=("SOV-SEQ-09",))
    combat = play.combat
    side = combat[who].side
    if side in (combat.facts.get("side"), *combat.facts.get("to_go", [])):
        yield InitiativeSet((*combat.queue, Place(who)), rules=("SOV-SEQ-09",))
