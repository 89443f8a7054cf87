"""The effects of a sheet at joining, and a newcomer's place in a fight (SOV-SEQ-09)."""

from collections.abc import Iterator, Mapping

from domain.errors import Impossible, Malformed
from domain.record.combat import Combat, Id, Place
from domain.record.events import BudgetSet, InitiativeSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.sovereign import abilities, arms, items, sheet
from domain.rulesets.sovereign.facts import SIDE, TO_GO, lay
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.sheet import Combatant


def settled(combat: Combat, who: Id) -> Mapping[str, str]:
    """Fields of the sheet that count at the joining only."""
    track, condition = "use the ruling set-track", "use the ruling condition"
    return {"hp": track, "max_hp": track, "system_strain": track, "conditions": condition}


def check(page: Combatant) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet. Initial weapons are checked like drawn ones (SOV-DUAL-01)."""
    faults = list(sheet.check(page))
    yield from faults
    if page.wielding is None or faults:
        return
    pair = [weapon for weapon in page.weapons if weapon.id in page.wielding]
    for weapon in pair:
        if weapon.state in ("stowed", "dropped"):
            detail = f"{weapon.name} is {weapon.state}"
            yield Impossible("SOV-ITEM-01", "not-readied", detail, pointer="/wielding")
    shielded = page.shield is not None and page.shield.held
    for refusal in arms.pair_refusals(page, pair, shielded=shielded):
        yield Impossible(refusal.rule, refusal.code, refusal.detail, pointer="/wielding")


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Two weapons at once, conditions, things on the ground, the turn."""
    combatant = play.combat[who]
    page = sheet_of(combatant)
    if page.wielding is not None:
        yield arms.wield(who, page.wielding)
    for brought in page.conditions:
        yield abilities.gained(play, who, brought.id, brought.data, brought.until, None)
    lying = [
        *(
            arms.lying(combatant, weapon, combatant.position, weapon.count)
            for weapon in page.weapons
            if weapon.state == "dropped"
        ),
        *(
            items.lying(combatant, item, combatant.position if item.at is None else item.at)
            for item in page.items
            if item.state == "dropped"
        ),
    ]
    if lying:
        yield lay(play.combat, *lying, rule="SOV-ITEM-03")
    if play.combat.status == "running":
        yield from take_part(play.combat, who)


def take_part(combat: Combat, who: Id) -> Procedure[None]:
    """It acts with its side (SOV-SEQ-09)."""
    yield BudgetSet(who, {"main": 1, "move": 1}, rules=("SOV-SEQ-09",))
    if combat[who].side in (SIDE.of(combat), *TO_GO.of(combat)):
        yield InitiativeSet((*combat.queue, Place(who)), rules=("SOV-SEQ-09",))
