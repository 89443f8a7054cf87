"""Find the weapons, drawn weapons and spells of a unit (FH-ACT-02, FH-DSM, FH-ATK-08)."""

from collections.abc import Mapping

from domain.record.combat import Combatant, Id, Json
from domain.rulebook.sheets import unused
from domain.rulebook.state_cache import once
from domain.rulesets.free_hit.facts import CAST, WEAPONS
from domain.rulesets.free_hit.sheet import Spell, Weapon, noted
from domain.rulesets.free_hit.states import sheet


@once
def weapon_of(combatant: Combatant, id: str | None) -> Weapon | None:
    """Return the weapon with this id, or `None` if the unit has no such weapon.

    If `id` is `None`, return the first weapon in hand, or else the first weapon.
    """
    weapons = sheet(combatant).weapons
    if id is not None:
        for weapon in weapons:
            if weapon.id == id:
                return weapon
        return None
    ready = [weapon for weapon in weapons if is_drawn(combatant, weapon)]
    return next(iter(ready or weapons), None)


def is_drawn(combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the weapon is in hand. A natural weapon is always in hand (FH-ACT-02)."""
    at_first = "drawn" if weapon.drawn else "sheathed"
    return weapon.natural or WEAPONS.of(combatant).get(weapon.id, at_first) == "drawn"


def is_lost(combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the weapon is on the ground and no longer carried (FH-DSM-01)."""
    return WEAPONS.of(combatant).get(weapon.id) == "lost"


def place_of(ground: Mapping[str, Mapping[str, Json]], thing: str, of: Id | None) -> str:
    """Return the id of a thing of unit `of` on the ground, or a new id if it is not there yet."""
    own = (
        id
        for id, lying in ground.items()
        if lying.get("of") == of and thing in (id, made_of(lying))
    )
    return next(own, None) or unused(thing, ground)


def made_of(lying: Mapping[str, Json]) -> str | None:
    """Return the id that a weapon on the ground had on its sheet."""
    weapon = lying.get("weapon")
    return None if weapon is None else str(weapon["id"])


def spell_of(combatant: Combatant, id: str) -> Spell | None:
    """Return the spell `id` of a unit."""
    return next((spell for spell in sheet(combatant).spells if spell.id == id), None)


def as_cast(combatant: Combatant, id: str) -> Spell | None:
    """Return a maintained spell with the notes that its casting paid for (FH-SPL-04)."""
    spell, cast = spell_of(combatant, id), CAST.of(combatant).get(id)
    return spell if spell is None or cast is None else noted(spell, cast.notes)
