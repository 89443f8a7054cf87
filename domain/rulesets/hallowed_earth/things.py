"""Weapons, spells, abilities and items at hand, and arms that can use them (HE-BLUNT-08 to -12)."""

from domain.record.combat import Combatant
from domain.rulesets.hallowed_earth.facts import LOST, USED
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Ability, Item, Spell, Weapon, arm, sheet


def has_lost(combatant: Combatant, thing: str) -> bool:
    """Dropped or thrown: "weapon:axe", "item:flask", "shield:shield"."""
    return thing in LOST.of(combatant)


@rule("HE-ATK-06", "Armour counts worn, a shield held")
def shield_counts(combatant: Combatant) -> bool:
    """Held and not dropped (HE-ATK-06)."""
    shield = sheet(combatant).shield
    return shield is not None and shield.held and not has_lost(combatant, f"shield:{shield.id}")


def arms_of(hand: str | None) -> tuple[str, ...]:
    """The arms that something needs."""
    return {"main": ("main",), "off": ("off",), "both": ("main", "off")}.get(hand or "", ())


def disabled(combatant: Combatant, *conditions: str) -> set[str]:
    """Return the arms that one of these conditions disables."""
    return {arm(held) for condition in conditions for held in combatant.all(condition)}


def weapon_of(combatant: Combatant, id: str | None, *, fallen: bool = False) -> Weapon | None:
    """Return the weapon, if it is at hand.

    `fallen`: also if an injured arm let it fall.
    """
    weapon = next((weapon for weapon in sheet(combatant).weapons if weapon.id == id), None)
    if weapon is None or not _at_hand(combatant, weapon, "weapon", fallen):
        return None
    return weapon


def item_of(combatant: Combatant, id: str | None, *, fallen: bool = False) -> Item | None:
    """The item, if at least one is left (HE-ITEM-01), and at hand; `fallen` as of weapons."""
    item = next((item for item in sheet(combatant).items if item.id == id), None)
    if item is None or item.quantity <= USED.of(combatant).get(item.id, 0):
        return None
    return item if _at_hand(combatant, item, "item", fallen) else None


def _at_hand(combatant: Combatant, thing: Weapon | Item, kind: str, fallen: bool) -> bool:
    """Return true if a thing is at hand: neither dropped nor thrown.

    `fallen`: a thing that an injured arm let fall counts as at hand. It may be declared
    (HE-DECL-15). At its number, the arm forbids it (HE-BLUNT-11, -12).
    """
    lost = LOST.of(combatant).get(f"{kind}:{thing.id}")
    arms = disabled(combatant, "hand-useless", "arm-cannot-hold") & set(arms_of(thing.hand))
    return lost is None or (fallen and lost == "dropped" and bool(arms))


def spell_of(combatant: Combatant, id: str | None) -> Spell | None:
    """Return the spell, if it knows it."""
    return next((spell for spell in sheet(combatant).spells if spell.id == id), None)


def ability_of(combatant: Combatant, id: str | None) -> Ability | None:
    """The ability, if it has it."""
    return next((ability for ability in sheet(combatant).abilities if ability.id == id), None)


def arms_broken_for(combatant: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Conditions that keep the weapon's arms from using it (HE-BLUNT-08 to -12).

    A part of the body is not held. Only an arm that cannot attack, or a useless hand, stops it.
    """
    needed = set(arms_of(weapon.hand))
    stopping = ["hand-useless", "arm-cannot-attack"]
    if not weapon.natural:
        stopping.append("arm-cannot-hold")
    return tuple(condition for condition in stopping if disabled(combatant, condition) & needed)


def ready(combatant: Combatant) -> list[Weapon]:
    """Usable, wielded melee weapons."""
    return [weapon for weapon in usable(combatant) if weapon.kind == "melee"]


def usable(combatant: Combatant) -> list[Weapon]:
    """Return the weapons that are wielded, not lost, and not kept from use by a condition."""
    return [
        weapon
        for weapon in sheet(combatant).weapons
        if weapon.wielded
        and not has_lost(combatant, f"weapon:{weapon.id}")
        and not arms_broken_for(combatant, weapon)
    ]
