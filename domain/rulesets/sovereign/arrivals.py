"""The effects of a new or corrected sheet, and a newcomer's place (SOV-SEQ-09)."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Id, Json, Place
from domain.record.events import BudgetSet, CombatantChanged, InitiativeSet
from domain.rulebook import pools
from domain.rulebook.effects import Procedure
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.play import Play
from domain.rulesets.sovereign import arms, conditions, items, sheet
from domain.rulesets.sovereign.facts import SIDE, TO_GO, lay
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.sheet import Combatant


def settled(combat: Combat, who: Id) -> Mapping[str, str]:
    """Return the fields that a correction cannot change, with the ruling to use instead."""
    track, condition = "use the ruling set-track", "use the ruling condition"
    return {"hp": track, "max_hp": track, "system_strain": track, "conditions": condition}


def check(page: Combatant) -> Iterator[Malformed | Impossible]:
    """Yield the faults of a sheet, such as two weapons without the skill for both (SOV-DUAL-01)."""
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
    """Give a newcomer the weapons, conditions and dropped things of its sheet.

    During the fight, the newcomer also joins its side's turn.
    """
    combatant = play.combat[who]
    page = sheet_of(combatant)
    if page.wielding is not None:
        yield arms.wield(who, page.wielding)
    for brought in page.conditions:
        yield conditions.gained(play, who, brought.id, brought.data, brought.until, None)
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
    """Let the newcomer act with its side (SOV-SEQ-09)."""
    yield BudgetSet(who, {"main": 1, "move": 1}, rules=("SOV-SEQ-09",))
    if combat[who].side in (SIDE.of(combat), *TO_GO.of(combat)):
        yield InitiativeSet((*combat.queue, Place(who)), rules=("SOV-SEQ-09",))


# ---- the GM's rulings `join` and `set` (section 4.3)


POINTS = ("hp", "max_hp")


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a correction. `sheet` has the new values of sheet fields."""

    combatant: Id
    sheet: dict[str, Json]


def set_refusals(play: Play, _: Id, inputs: Correction) -> Iterator[Illegal]:
    """Raise `Malformed` for an impossible sheet, or for a field that a correction cannot change."""
    corrected(play.combat, inputs)
    return iter(())


def corrected(combat: Combat, inputs: Correction) -> Mapping[str, Json]:
    """Return the new values as the sheet stores them."""
    combatant = combat[inputs.combatant]
    fixed = {
        **dict.fromkeys(("name", "owner", "side", "at"), "it is not changed through the sheet"),
        **settled(combat, combatant.id),
    }
    for field in inputs.sheet:
        if field in fixed and field not in POINTS:
            raise Malformed(f"/inputs/sheet/{field}", fixed[field])
    old = {
        **combatant.sheet,
        "name": combatant.name,
        "owner": None,
        "side": combatant.side,
        "at": combatant.position,
    }
    with pointing("/inputs/sheet"):
        page = read({**old, **inputs.sheet}, Combatant)
        joined = {name: old[name] for name in POINTS}  # the values at joining
        for fault in check(msgspec.structs.replace(page, **joined)):
            raise fault
    full: Mapping[str, Json] = msgspec.to_builtins(page)
    return {field: full[field] for field in inputs.sheet}


def set_sheet(play: Play, _: Id, inputs: Correction) -> Procedure[None]:
    """Change fields of a sheet. New hit points change the pool."""
    values = corrected(play.combat, inputs)
    changed = {field: value for field, value in values.items() if field not in POINTS}
    if changed:
        yield CombatantChanged(inputs.combatant, sheet=changed)
    hp: Any = values.get("hp")
    maximum: Any = values.get("max_hp")
    if hp is not None or maximum is not None:
        combatant = play.combat[inputs.combatant]
        yield pools.corrected(combatant, "hp", hp, maximum, ("SOV-DMG-04",))
