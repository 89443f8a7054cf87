"""Weapons, shields, foci and items of a combatant, and the two slots that hold them.

- A natural weapon takes no slot and is always ready (DEF-WLD-06).
- The combat has a fact for things on the ground.
- A combatant has a fact for the things that it has picked up.
"""

from msgspec import UNSET

from domain.record.combat import Combatant, typed
from domain.rulesets.definitions.facts import CARRIED, GONE, SLOTS, WEAR, Slots
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Item, Shield, Weapon, in_offhand, types
from domain.rulesets.definitions.states import sheet_of

BASH_DICE = {"buckler": "1d4", "full": "1d6", "tower": "1d10"}
"""The damage dice of a bash, by size of shield (DEF-SHB-03)."""


ARMOR = "armor"
"""The key of armor in the fact `wear`."""

SHARP = ("piercing", "slashing")


def weapons(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the sheet's weapons that the combatant still has, then the weapons it picked up."""
    gone = GONE.of(combatant)
    own = tuple(weapon for weapon in sheet_of(combatant).weapons if weapon.id not in gone)
    generator = (
        typed(held.data, Weapon) for held in CARRIED.of(combatant) if held.kind == "weapon"
    )
    return (*own, *generator)


def weapon(combatant: Combatant, id: str | None) -> Weapon | None:
    """Return the weapon `id`."""
    return next((weapon for weapon in weapons(combatant) if weapon.id == id), None)


def shields(combatant: Combatant) -> tuple[Shield, ...]:
    return tuple(thing for thing in in_offhand(sheet_of(combatant)) if isinstance(thing, Shield))


def ac_bonus(combatant: Combatant, shield: Shield) -> int:
    """Return the AC bonus of a shield.

    If the shield has no `ac_bonus`, return `armor_class.shield` for the sheet's main shield, and 0
    for a second shield (DEF-WLD-07).
    """
    page = sheet_of(combatant)
    if shield.ac_bonus is not None:
        return shield.ac_bonus
    return page.armor_class.shield if shield == page.shield else 0


@rule("DEF-WLD-01", "A combatant has two slots, primary and offhand")
def slots(combatant: Combatant) -> Slots:
    """Return the ids of the things in the two slots."""
    held = SLOTS.of(combatant)
    return _by_sheet(combatant) if held is None else held


def _by_sheet(combatant: Combatant) -> Slots:
    page = sheet_of(combatant)
    primary = page.wielded.primary
    if primary is UNSET:
        held = (weapon for weapon in page.weapons if weapon.kind != "natural")
        primary = next((weapon.id for weapon in held if weapon.ready is not False), None)
    offhand = page.wielded.offhand
    if offhand is UNSET:
        first = page.shield or page.focus
        offhand = None if first is None or first.id == primary else first.id
    return Slots(primary=primary, offhand=offhand)


def free_hand(combatant: Combatant) -> bool:
    """Return true if a slot is empty (DEF-DIS-01)."""
    held = slots(combatant)
    return held.primary is None or held.offhand is None


def broken(combatant: Combatant, id: str) -> bool:
    """Return true if the thing has no points left (DEF-SHT-04)."""
    wear = WEAR.of(combatant)
    return id in wear and wear[id] <= 0


def sharp(weapon: Weapon) -> bool:
    """Return true if a swallowed combatant can cut itself out with the weapon (DEF-SWL-05)."""
    return weapon.kind != "ranged" and bool(set(types(weapon.damage_type)) & set(SHARP))


def in_hand(combatant: Combatant) -> Weapon | None:
    """Return the weapon in the primary slot."""
    return weapon(combatant, slots(combatant).primary)


@rule("DEF-WLD-08", "Only a ready weapon can attack")
def ready(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the weapons that can strike now: the weapon in hand, then the natural weapons."""
    held = in_hand(combatant)
    first = () if held is None else (held,)
    natural = tuple(weapon for weapon in weapons(combatant) if weapon.kind == "natural")
    return tuple(weapon for weapon in (*first, *natural) if not broken(combatant, weapon.id))


def melee(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the ready melee weapons."""
    return tuple(weapon for weapon in ready(combatant) if weapon.kind != "ranged")


@rule("DEF-TRM-05", "A trample uses a natural weapon, and each target has one opportunity")
def natural(combatant: Combatant) -> Weapon | None:
    """Return the weapon `unarmed`, or else the first natural weapon."""
    natural_weapons = [weapon for weapon in weapons(combatant) if weapon.kind == "natural"]
    return next(
        (weapon for weapon in natural_weapons if weapon.id == "unarmed"),
        natural_weapons[0] if natural_weapons else None,
    )


def shields_in_slots(combatant: Combatant) -> tuple[Shield, ...]:
    """Return the usable shields in hand, the offhand first (DEF-WLD-07, DEF-SHB-04)."""
    held = slots(combatant)
    by_id = {shield.id: shield for shield in shields(combatant)}
    return tuple(
        by_id[id]
        for id in (held.offhand, held.primary)
        if id in by_id and not broken(combatant, id)
    )


def items(combatant: Combatant) -> tuple[Item, ...]:
    """Return the carried items that are not used up."""
    gone = GONE.of(combatant)
    own = tuple(item for item in sheet_of(combatant).items if item.id not in gone)
    generator = (typed(held.data, Item) for held in CARRIED.of(combatant) if held.kind == "item")
    return (*own, *generator)


def item(combatant: Combatant, id: str | None) -> Item | None:
    """Return the item `id`."""
    return next((item for item in items(combatant) if item.id == id), None)
