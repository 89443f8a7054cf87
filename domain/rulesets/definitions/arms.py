"""Arms of a combatant: the two slots, weapons, shields, foci, and broken things.

Natural weapons take no slot and are always ready (DEF-WLD-06). Things on the floor are a fact of
the combat. Picked-up things are a fact of the combatant that took them.
"""

from msgspec import UNSET

from domain.record.combat import Combatant, typed
from domain.rulesets.definitions.facts import CARRIED, GONE, SLOTS, WEAR, Slots
from domain.rulesets.definitions.sheet import Item, Shield, Weapon, in_offhand, types
from domain.rulesets.definitions.states import sheet_of

BASH_DICE = {"buckler": "1d4", "full": "1d6", "tower": "1d10"}
"""DEF-SHB-03."""


ARMOR = "armor"
"""The name under which the wear of armor is kept."""

SHARP = ("piercing", "slashing")


def weapons(one: Combatant) -> tuple[Weapon, ...]:
    """All that it still has, its own first."""
    gone = GONE.of(one)
    own = tuple(weapon for weapon in sheet_of(one).weapons if weapon.id not in gone)
    found = (typed(held.data, Weapon) for held in CARRIED.of(one) if held.kind == "weapon")
    return (*own, *found)


def weapon(one: Combatant, id: str | None) -> Weapon | None:
    """The weapon `id`."""
    return next((mine for mine in weapons(one) if mine.id == id), None)


def shields(one: Combatant) -> tuple[Shield, ...]:
    return tuple(mine for mine in in_offhand(sheet_of(one)) if isinstance(mine, Shield))


def ac_bonus(one: Combatant, shield: Shield) -> int:
    """Return the AC bonus of a shield.

    If the shield has none, it is the sheet's component, or 0 for a second shield (DEF-WLD-07).
    """
    page = sheet_of(one)
    if shield.ac_bonus is not None:
        return shield.ac_bonus
    return page.armor_class.shield if shield == page.shield else 0


def slots(one: Combatant) -> Slots:
    """Return the things in the hands now (DEF-WLD-01)."""
    found = SLOTS.of(one)
    return _by_sheet(one) if found is None else found


def _by_sheet(one: Combatant) -> Slots:
    page = sheet_of(one)
    primary = page.wielded.primary
    if primary is UNSET:
        held = (mine for mine in page.weapons if mine.kind != "natural")
        primary = next((mine.id for mine in held if mine.ready is not False), None)
    offhand = page.wielded.offhand
    if offhand is UNSET:
        first = page.shield or page.focus
        offhand = None if first is None or first.id == primary else first.id
    return Slots(primary=primary, offhand=offhand)


def free_hand(one: Combatant) -> bool:
    """A slot is empty (DEF-DIS-01)."""
    held = slots(one)
    return held.primary is None or held.offhand is None


def broken(one: Combatant, id: str) -> bool:
    """Shattered to 0 (DEF-SHT-04)."""
    wear = WEAR.of(one)
    return id in wear and wear[id] <= 0


def sharp(mine: Weapon) -> bool:
    """Whether one can cut oneself out with it (DEF-SWL-05)."""
    return mine.kind != "ranged" and bool(set(types(mine.damage_type)) & set(SHARP))


def in_hand(one: Combatant) -> Weapon | None:
    """The weapon in the primary slot."""
    return weapon(one, slots(one).primary)


def ready(one: Combatant) -> tuple[Weapon, ...]:
    """Weapons to strike with now: the one in hand, then the natural ones (DEF-WLD-08)."""
    held = in_hand(one)
    first = () if held is None else (held,)
    natural = tuple(mine for mine in weapons(one) if mine.kind == "natural")
    return tuple(mine for mine in (*first, *natural) if not broken(one, mine.id))


def melee(one: Combatant) -> tuple[Weapon, ...]:
    """Ready weapons of the melee."""
    return tuple(mine for mine in ready(one) if mine.kind != "ranged")


def natural(one: Combatant) -> Weapon | None:
    """The unarmed strike: `unarmed`, else the first natural weapon (DEF-TRM-05)."""
    found = [mine for mine in weapons(one) if mine.kind == "natural"]
    return next((mine for mine in found if mine.id == "unarmed"), found[0] if found else None)


def shields_in_slots(one: Combatant) -> tuple[Shield, ...]:
    """Usable shields in hand, the offhand first (DEF-WLD-07, DEF-SHB-04)."""
    held = slots(one)
    mine = {shield.id: shield for shield in shields(one)}
    return tuple(
        mine[id] for id in (held.offhand, held.primary) if id in mine and not broken(one, id)
    )


def items(one: Combatant) -> tuple[Item, ...]:
    """Return the carried items that are not used up."""
    gone = GONE.of(one)
    own = tuple(mine for mine in sheet_of(one).items if mine.id not in gone)
    found = (typed(held.data, Item) for held in CARRIED.of(one) if held.kind == "item")
    return (*own, *found)


def item(one: Combatant, id: str | None) -> Item | None:
    """The item `id`."""
    return next((mine for mine in items(one) if mine.id == id), None)
