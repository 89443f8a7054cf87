"""Weapons, spells, abilities and items at hand, and the arms that they need.

HE-BLUNT-08 to HE-BLUNT-12.
"""

from domain.record.combat import Combatant
from domain.rulesets.hallowed_earth.facts import LOST, USED
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Ability, Item, Spell, Weapon, arm, sheet


def has_lost(combatant: Combatant, thing: str) -> bool:
    """Return true if the combatant has dropped or thrown the thing, such as `weapon:axe`."""
    return thing in LOST.of(combatant)


@rule("HE-ATK-06", "A combatant must wear armour and hold a shield for them to count")
def shield_counts(combatant: Combatant) -> bool:
    """Return true if the combatant holds the shield and has not dropped it (HE-ATK-06)."""
    shield = sheet(combatant).shield
    return shield is not None and shield.held and not has_lost(combatant, f"shield:{shield.id}")


def arms_of(hand: str | None) -> tuple[str, ...]:
    """Return the arms that an item needs."""
    return {"main": ("main",), "off": ("off",), "both": ("main", "off")}.get(hand or "", ())


def disabled(combatant: Combatant, *conditions: str) -> set[str]:
    """Return the arms that one of these conditions disables."""
    return {arm(held) for condition in conditions for held in combatant.all(condition)}


def weapon_of(combatant: Combatant, id: str | None, *, fallen: bool = False) -> Weapon | None:
    """Return the weapon with this id, if it is at hand.

    If `fallen` is true, also return a weapon that an injured arm has dropped.
    """
    weapon = next((weapon for weapon in sheet(combatant).weapons if weapon.id == id), None)
    if weapon is None or not _at_hand(combatant, weapon, "weapon", fallen):
        return None
    return weapon


def item_of(combatant: Combatant, id: str | None, *, fallen: bool = False) -> Item | None:
    """Return the item with this id, if one is left (HE-ITEM-01) and at hand.

    If `fallen` is true, also return an item that an injured arm has dropped.
    """
    item = next((item for item in sheet(combatant).items if item.id == id), None)
    if item is None or item.quantity <= USED.of(combatant).get(item.id, 0):
        return None
    return item if _at_hand(combatant, item, "item", fallen) else None


def _at_hand(combatant: Combatant, thing: Weapon | Item, kind: str, fallen: bool) -> bool:
    """Return true if the combatant has neither dropped nor thrown the thing.

    If `fallen` is true, a thing that an injured arm has dropped counts as at hand. The combatant
    can declare it (HE-DECL-15), but its injury forbids the action (HE-BLUNT-11, HE-BLUNT-12).
    """
    lost = LOST.of(combatant).get(f"{kind}:{thing.id}")
    arms = disabled(combatant, "hand-useless", "arm-cannot-hold") & set(arms_of(thing.hand))
    return lost is None or (fallen and lost == "dropped" and bool(arms))


def spell_of(combatant: Combatant, id: str | None) -> Spell | None:
    """Return the spell with this id, if the combatant has it."""
    return next((spell for spell in sheet(combatant).spells if spell.id == id), None)


def ability_of(combatant: Combatant, id: str | None) -> Ability | None:
    """Return the ability with this id, if the combatant has it."""
    return next((ability for ability in sheet(combatant).abilities if ability.id == id), None)


def arms_broken_for(combatant: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Return the conditions that prevent the use of the weapon (HE-BLUNT-08 to HE-BLUNT-12).

    A weapon that is part of the body does not need to be held. Only a useless hand, or an arm that
    cannot attack, prevents its use.
    """
    needed = set(arms_of(weapon.hand))
    stopping = ["hand-useless", "arm-cannot-attack"]
    if not weapon.natural:
        stopping.append("arm-cannot-hold")
    return tuple(condition for condition in stopping if disabled(combatant, condition) & needed)


def ready(combatant: Combatant) -> list[Weapon]:
    """Return the usable melee weapons in hand."""
    return [weapon for weapon in usable(combatant) if weapon.kind == "melee"]


def usable(combatant: Combatant) -> list[Weapon]:
    """Return the wielded weapons that are neither lost nor disabled by a condition."""
    return [
        weapon
        for weapon in sheet(combatant).weapons
        if weapon.wielded
        and not has_lost(combatant, f"weapon:{weapon.id}")
        and not arms_broken_for(combatant, weapon)
    ]
