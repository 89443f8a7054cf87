"""Find the weapons at hand, their reach, and the hands that they need (SOV-ITEM, GAP-36).

The sheet has the initial place of each weapon, and the fact `weapons` has the current place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, ConditionGained, FactSet
from domain.rulebook.declaration import refuse
from domain.rulebook.state_cache import once
from domain.rulesets.sovereign import board, sheet
from domain.rulesets.sovereign.facts import COUNTS, FOUND, LOADED, WEAPONS, Lying, lay
from domain.rulesets.sovereign.numbers import able, enemies, level_of, sheet_of, shield
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Attribute, Range, Skill, Weapon

HANDS = 2
UNARMED = "unarmed"
READIED = ("in-hand", "sheathed")


@once
def weapons(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the weapons of the sheet and the weapons that the combatant found."""
    return (*sheet_of(combatant).weapons, *FOUND.of(combatant))


def weapon_of(combatant: Combatant, id: str) -> Weapon | None:
    """Return the weapon with this id, or the unarmed attack."""
    fists = sheet_of(combatant).unarmed
    if id == UNARMED or (fists is not None and fists.id == id):
        return fists
    return next((weapon for weapon in weapons(combatant) if weapon.id == id), None)


def is_body(combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the weapon is part of the body and cannot be drawn, dropped or stowed."""
    return weapon.natural or is_unarmed(combatant, weapon)


def is_unarmed(combatant: Combatant, weapon: Weapon) -> bool:
    fists = sheet_of(combatant).unarmed
    return fists is not None and weapon.id == fists.id


def state(combatant: Combatant, weapon: Weapon) -> str:
    """Return the current state: `in-hand`, `sheathed`, `stowed` or `dropped`."""
    now = WEAPONS.of(combatant)
    if weapon.id in now:
        return now[weapon.id]
    if weapon.natural or is_unarmed(combatant, weapon):
        return "in-hand"
    if weapon.state is not None:
        return weapon.state
    page = sheet_of(combatant)
    if page.wielding is not None:
        return "in-hand" if weapon.id in page.wielding else "sheathed"
    first = page.weapons[0].id if page.weapons else None
    return "in-hand" if weapon.id == first else "sheathed"


def held(combatant: Combatant, weapon: Weapon) -> bool:
    return state(combatant, weapon) == "in-hand"


def in_hand(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the weapons in hand, natural ones included."""
    return tuple(weapon for weapon in weapons(combatant) if held(combatant, weapon))


def hands(weapon: Weapon) -> int:
    """Return the number of hands that a weapon needs.

    By default, bows and crossbows need two hands, and other weapons need one hand.
    """
    if weapon.natural:
        return 0
    return weapon.hands or (2 if weapon.kind in ("bow", "crossbow") else 1)


def count(combatant: Combatant, weapon: Weapon) -> int:
    """Return the number of pieces that are left of a throwing weapon (SOV-RNG-06)."""
    return COUNTS.of(combatant).get(weapon.id, weapon.count)


def loaded(combatant: Combatant, weapon: Weapon) -> bool:
    """Return true if the weapon is loaded. Only bows and crossbows can be unloaded (SOV-RLD-01)."""
    if weapon.kind not in ("bow", "crossbow"):
        return True
    return LOADED.of(combatant).get(weapon.id, weapon.loaded)


def is_bow(weapon: Weapon) -> bool:
    return weapon.kind in ("bow", "crossbow")


def is_melee(weapon: Weapon) -> bool:
    return weapon.kind == "melee"


def is_thrown(weapon: Weapon) -> bool:
    """Return true if the weapon is thrown when used at range."""
    return weapon.kind in ("thrown", "melee")


# ---- skills, attributes and reach of an attack


@rule("SOV-MEL-02", "A melee attack uses Stab or Brawl, as the weapon says. Bare hands use Brawl")
@rule("SOV-RNG-02", "A ranged attack uses Shoot, and a thrown weapon may use Stab or Exert")
def skills(
    combatant: Combatant, weapon: Weapon, mode: Literal["melee", "ranged"]
) -> tuple[Skill, ...]:
    """Return the skills that the wielder may use (SOV-MEL-02, SOV-RNG-02)."""
    if mode == "ranged":
        return ("shoot", "stab", "exert") if is_thrown(weapon) else ("shoot",)
    natural = weapon.natural or is_unarmed(combatant, weapon)
    return (weapon.skill or ("brawl" if natural else "stab"),)


def attributes(weapon: Weapon) -> tuple[Attribute, ...]:
    """Return the attributes that the wielder may choose from (SOV-ATK-02)."""
    return weapon.attributes or (("str",) if weapon.kind == "melee" else ("dex",))


def reach_ft(weapon: Weapon, mode: Literal["melee", "ranged"]) -> int:
    """Return the reach of a melee attack, or the long range of a ranged attack, in ft."""
    if mode == "melee":
        return weapon.reach_ft
    return (weapon.range or Range(0, 0)).long


# ---- threatening


def melee_reach(combatant: Combatant) -> int:
    """Return the longest reach of the weapons in hand, in ft. Unarmed, it is 5 ft (SOV-RNG-04)."""
    return max((weapon.reach_ft for weapon in blades(combatant)), default=5)


def blades(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the melee weapons in hand and the natural weapons."""
    return tuple(weapon for weapon in in_hand(combatant) if weapon.natural or is_melee(weapon))


def ready_blade(combat: Combat, foe: Id, who: Id) -> str | None:
    """Return the first weapon of `foe` in hand that reaches `who`, or `None`."""
    return next(
        (
            weapon.id
            for weapon in blades(combat[foe])
            if board.within(combat, foe, who, weapon.reach_ft)
        ),
        None,
    )


@rule(
    "SOV-AOO-03",
    "A combatant is armed if it is able, in no grapple, and has a melee or natural weapon in hand",
)
def armed(combat: Combat, who: Id) -> bool:
    """Return true if the combatant can make an attack of opportunity (SOV-AOO-03).

    The combatant must be able, in no grapple, and have a melee or natural weapon in hand.
    """
    combatant = combat[who]
    return able(combat, who) and not in_grapple(combatant) and bool(blades(combatant))


def in_grapple(combatant: Combatant) -> bool:
    return combatant.has("grappled", "grappling")


@rule("SOV-RNG-04", "A shooter is in melee if an able enemy's reach covers it")
def in_melee(combat: Combat, who: Id) -> bool:
    """Return true if an able enemy reaches the combatant, even with bare hands (SOV-RNG-04)."""
    return any(
        able(combat, foe.id) and board.within(combat, foe.id, who, melee_reach(foe))
        for foe in enemies(combat, who)
    )


# ---- two weapons


def dual(combatant: Combatant) -> tuple[str, str] | None:
    """Return the two weapons that the combatant wields at once (SOV-DUAL-01)."""
    for wielded in combatant.all("dual-wielding"):
        match wielded.data.get("weapons"):
            case [first, second]:
                return str(first), str(second)
    return None


def off_hand(combatant: Combatant, weapon: Weapon) -> Weapon | None:
    """Return the other weapon of the pair."""
    pair = dual(combatant)
    if pair is None or weapon.id not in pair:
        return None
    return weapon_of(combatant, pair[1] if weapon.id == pair[0] else pair[0])


@rule("SOV-DUAL-01", "Two weapons need level 1 in the skill of each")
def pair_refusals(
    page: sheet.Combatant, pair: Sequence[Weapon], *, shielded: bool
) -> Iterator[Illegal]:
    """Refuse a pair that needs too many hands or a skill below level 1 (SOV-DUAL-01)."""
    busy = sum(hands(weapon) for weapon in pair)
    if busy + (1 if shielded else 0) > HANDS:
        detail = "two hands are not enough for both"
        yield refuse("SOV-DUAL-01", "hands-full", detail, "weapons")
    if not may_dual_wield(page, pair):
        detail = f"{page.name} needs level 1 in the skill of each weapon"
        if page.kind == "npc":
            detail = f"{page.name} is no such fighter: its sheet does not say can_dual_wield"
        yield refuse("SOV-DUAL-01", "dual-wield-untrained", detail, "weapons")


def may_dual_wield(page: sheet.Combatant, pair: Sequence[Weapon]) -> bool:
    """Return `can_dual_wield`, or true for a character with level 1 in both combat skills."""
    if page.can_dual_wield is not None or page.kind == "npc":
        return bool(page.can_dual_wield)
    return all((level_of(page, combat_skill(weapon)) or 0) >= 1 for weapon in pair)


def combat_skill(weapon: Weapon) -> Skill:
    """Return the combat skill of a wielded weapon (SOV-MEL-02)."""
    if not is_melee(weapon):
        return weapon.skill or "shoot"
    return weapon.skill or ("brawl" if weapon.natural else "stab")


# ---- drawing


def ready_refusals(
    combatant: Combatant, weapon: Weapon, field: str = "weapon"
) -> Iterator[Illegal]:
    """Refuse a weapon that is not at hand, or for which hands are missing (GAP-36)."""
    where = state(combatant, weapon)
    if where in ("stowed", "dropped"):
        detail = f"{weapon.name} is {where}"
        yield refuse("SOV-ITEM-01", "not-readied", detail, field, ("ready-item",))
    elif not count(combatant, weapon):
        yield refuse("SOV-ITEM-01", "not-readied", f"no {weapon.name} is left", field)
    elif where == "sheathed" and hands(weapon) + (1 if shield(combatant) else 0) > HANDS:
        detail = f"{weapon.name} needs {hands(weapon)} hands and the shield one"
        yield refuse("SOV-ITEM-02", "hands-full", detail, field, ("drop-item",))


def drawn(combatant: Combatant, weapon: Weapon) -> FactSet:
    """Return the event that draws a weapon, and sheathes others to free the hands (SOV-ITEM-02)."""
    busy = hands(weapon) + (1 if shield(combatant) else 0)
    return put(combatant, {**sheathed_for(combatant, busy), weapon.id: "in-hand"}, "SOV-ITEM-02")


def sheathed_for(combatant: Combatant, busy: int) -> dict[str, str]:
    """Return the weapons that must be sheathed when `busy` hands are in use."""
    now: dict[str, str] = {}
    for other in in_hand(combatant):
        if hands(other) and busy + hands(other) > HANDS:
            now[other.id] = "sheathed"
        else:
            busy += hands(other)
    return now


def put(combatant: Combatant, where: Mapping[str, str], rule: str) -> FactSet:
    """Return the event that sets new places for weapons."""
    return WEAPONS.set(combatant.id, {**WEAPONS.of(combatant), **where}, rules=(rule,))


def holds_both(combatant: Combatant) -> bool:
    """Return true while both wielded weapons are in hand (SOV-DUAL-01)."""
    pair = dual(combatant)
    if pair is None:
        return not combatant.has("dual-wielding")
    both = [weapon_of(combatant, id) for id in pair]
    return all(weapon is not None and held(combatant, weapon) for weapon in both)


def wield(who: Id, pair: tuple[str, str]) -> ConditionGained:
    """Return the event that the combatant now wields both weapons at once (SOV-DUAL-01)."""
    return ConditionGained(
        who, "dual-wielding", data={"weapons": list(pair)}, rules=("SOV-DUAL-01",)
    )


# ---- things on the ground


def lying(combatant: Combatant, weapon: Weapon, at: tuple[int, ...] | None, pieces: int) -> Lying:
    """Return the weapon as a thing on the ground, with its number of pieces."""
    as_it_is = replace(weapon, count=pieces, loaded=loaded(combatant, weapon))
    return Lying(weapon.id, combatant.id, weapon.name, at, weapon=as_it_is)


def dropped(
    combat: Combat, combatant: Combatant, weapons: Sequence[Weapon], rule: str
) -> tuple[AnyEvent, ...]:
    """Return the events that drop weapons with all their pieces where the holder stands."""
    things = (
        lying(combatant, weapon, combatant.position, count(combatant, weapon)) for weapon in weapons
    )
    return (
        put(combatant, {weapon.id: "dropped" for weapon in weapons}, rule),
        lay(combat, *things, rule=rule),
    )
