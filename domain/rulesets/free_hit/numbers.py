"""What a unit's numbers are now: functions of the state, never stored copies.

Agility, Accuracy, Strength with wounds and modifiers; target numbers; slots; zones; allowances.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Condition, Id, typed
from domain.record.events import Term
from domain.rulebook import grid
from domain.rulesets.free_hit.facts import CASTING, FREE_HITS, OWED, UPKEEP, WEAPONS
from domain.rulesets.free_hit.sheet import Modifier, Spell, Unit, Weapon

OUT = ("defeated", "dead", "fled", "yielded", "gone")
"""Conditions that take a unit out of the fight (FH-SEQ-06)."""

HELPLESS = ("summoning-sick", "tied", "frozen", "paralysed")
"""Conditions that forbid acting and make flat-footed (FH-TRN-03, FH-FLT-03)."""

AIMS: Mapping[str, str] = {
    "throat": "fatal",
    "heart": "fatal",
    "head": "fatal",
    "legs": "slowing",
    "feet": "slowing",
    "arms": "weakening",
    "eyes": "disrupting",
    "ears": "disrupting",
    "nose": "disrupting",
    "hands": "disrupting",
    **{aim: aim for aim in ("fatal", "slowing", "weakening", "disrupting", "center-mass")},
}
"""Aims and body parts (FH-AIM-02)."""


def sheet(one: Combatant) -> Unit:
    """The unit's sheet."""
    return typed(one.sheet, Unit)


def in_fight(combat: Combat, who: Id) -> bool:
    """Whether the unit still takes part (FH-SEQ-06)."""
    one = combat.combatants.get(who)
    return one is not None and not one.left and not one.has(*OUT)


def can_act(combat: Combat, who: Id) -> bool:
    """In the fight, and no condition forbids it (FH-TRN-03); flat-footed does not (FH-FLT-03)."""
    if not in_fight(combat, who):
        return False
    one = combat[who]
    return not one.has(*HELPLESS) and all(
        condition.data.get("can_act", True) for condition in one.conditions
    )


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Why a unit can't act, or go on with what it does (FH-SEQ-06, FH-TRN-03)."""
    if can_act(combat, who):
        return None
    held = ", ".join(condition.id for condition in combat[who].conditions)
    rule = "FH-TRN-03" if in_fight(combat, who) else "FH-SEQ-06"
    return Illegal(rule, "cannot-act", f"{combat[who].name} cannot act: {held}")


def over(combat: Combat) -> bool:
    """At most one team still has a unit in the fight (FH-SEQ-07)."""
    return len({one.side for one in combat if in_fight(combat, one.id)}) < 2


def this_round(combat: Combat) -> int:
    """The round that effects belong to; the opening counts as round 1 (FH-INI-07)."""
    return max(1, combat.round)


def enemies(combat: Combat, who: Id) -> tuple[Combatant, ...]:
    """Units of other teams in the fight."""
    side = combat[who].side
    return tuple(one for one in combat if one.side != side and in_fight(combat, one.id))


# ---- modifiers


def modifiers(one: Combatant) -> Iterator[Modifier]:
    """All modifiers that hold: the sheet's lasting ones and those of effects; they add up."""
    yield from (modifier for modifier in sheet(one).modifiers if modifier.until is None)
    for condition in one.all("modifier"):
        yield typed(condition.data, Modifier)


def matches(modifier: Modifier, kind: str, weapon: Id | None) -> bool:
    """Whether `when` fits: always, melee, ranged, spell, weapon:<id>."""
    return modifier.when in ("always", kind) or modifier.when == f"weapon:{weapon}"


def terms(
    one: Combatant,
    key: str,
    rule: str,
    kind: str = "always",
    weapon: Id | None = None,
    feats: bool = True,
) -> tuple[Term, ...]:
    """The modifiers of a number as terms of a sum; feats give theirs too (FH-FT-01, FH-ACT-06)."""
    return tuple(
        Term(modifier.source or key, modifier.value, rule)
        for modifier in modifiers(one)
        if modifier.key == key and matches(modifier, kind, weapon) and (feats or not modifier.feat)
    )


def total(one: Combatant, key: str) -> int:
    """The sum of the modifiers of a number that hold always."""
    return sum(term.value for term in terms(one, key, ""))


# ---- abilities


def agility(one: Combatant) -> int:
    """Agility modifier now: −1 per slowing wound (FH-AIM-04)."""
    return sheet(one).agility + total(one, "agility") - len(one.all("wound-slowing"))


def strength(one: Combatant) -> int:
    """Strength modifier now: −1 per weakening wound (FH-AIM-05)."""
    return sheet(one).strength + total(one, "strength") - len(one.all("wound-weakening"))


def accuracy_terms(combat: Combat, one: Combatant) -> tuple[Term, ...]:
    """Accuracy with its losses: −1 per disrupting wound, −3 more in its round (FH-AIM-06, -07)."""
    fresh = [wound for wound in one.all("wound-disrupting") if _is_fresh(combat, wound)]
    return (
        Term("Accuracy", sheet(one).accuracy, "FH-ATK-02"),
        Term("disrupting wound", -len(one.all("wound-disrupting")), "FH-AIM-06"),
        Term("disrupting wound, this round", -3 * len(fresh), "FH-AIM-07"),
    )


def _is_fresh(combat: Combat, wound: Condition) -> bool:
    return bool(wound.data.get("round") == this_round(combat))


def accuracy(combat: Combat, one: Combatant) -> int:
    """Accuracy modifier now."""
    parts = (*accuracy_terms(combat, one), *terms(one, "accuracy", "FH-ATK-04"))
    return sum(term.value for term in parts)


# ---- dodging


def is_flat_footed(combat: Combat, who: Id, attacker: Id | None = None) -> bool:
    """FH-FLT-02: helpless, channeling without Battle Caster, or sneaked up on by `attacker`."""
    one = combat[who]
    if one.has("flat-footed", *HELPLESS):
        return True
    if any(condition.data.get("flat_footed") for condition in one.conditions):
        return True
    if one.has("channeling") and not sheet(one).feats.battle_caster:  # FH-CHN-06, FH-FT-04
        return True
    return attacker is not None and is_undetected(combat, attacker, who)


def is_undetected(combat: Combat, sneaker: Id, by: Id) -> bool:
    """Whether `by` does not notice `sneaker` (FH-SNK-01)."""
    for held in combat[sneaker].all("undetected"):
        unseen = held.data.get("by", "all")
        if unseen == "all" or by in unseen or combat[by].name in unseen:
            return True
    return False


def target_terms(combat: Combat, who: Id, attacker: Id | None = None) -> tuple[Term, ...]:
    """The number to reach, as a sum (FH-ATK-05): flat-footed 5; prone 5 + Agility; else 10 + …

    FH-FLT-01, -04 flat-footed whatever else; FH-PRN-01, -02 prone; FH-BST-03, -06 dodge boosts
    count only for who dodges. Armour, cover and distance change nothing (FH-ATK-06).
    """
    one = combat[who]
    if one.has("defeated") or is_flat_footed(combat, who, attacker):
        return (Term("flat-footed", 5, "FH-FLT-01"),)
    if one.has("prone"):
        return (Term("prone", 5, "FH-PRN-02"), Term("Agility", agility(one), "FH-PRN-02"))
    return (
        Term("base", 10, "FH-ATK-02"),
        Term("Agility", agility(one), "FH-ATK-02"),
        Term("dodge boost", boost(one, "dodge-boost"), "FH-BST-03"),
        *terms(one, "dodge", "FH-ATK-05"),
    )


def target_number(combat: Combat, who: Id, attacker: Id | None = None) -> int:
    """What an attack total on `who` must reach."""
    return sum(term.value for term in target_terms(combat, who, attacker))


def boost(one: Combatant, condition: str) -> int:
    """How much a bought boost gives (FH-BST-04)."""
    return sum(int(held.data.get("value", 1)) for held in one.all(condition))


# ---- free hits and zones


def free_hit_slots(one: Combatant) -> int:
    """Agility now + 1 − made this round, not below 0 (FH-FRE-03, -05)."""
    return max(0, agility(one) + 1 + total(one, "free_hit_slots") - FREE_HITS.of(one))


def zone_radius(one: Combatant, feats: bool = True) -> int:
    """1, with the Reach feat 2 (FH-ZON-01, -02; FH-FT-06), whatever the weapon (FH-ZON-03)."""
    return 2 if feats and sheet(one).feats.reach else 1


def apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Spaces between two units (FH-MOV-09); None when a position is not known."""
    one, other = combat[a], combat[b]
    if one.position is None or other.position is None:
        return None
    return grid.distance(one.position, other.position, sheet(one).size, sheet(other).size)


def reach(one: Combatant, weapon: Weapon, feats: bool = True) -> int:
    """How far a melee weapon strikes: the longer of the zone and its own reach (FH-ATK-07)."""
    return max(zone_radius(one, feats), weapon.reach or 0)


# ---- weapons and items


def weapon_of(one: Combatant, id: str | None) -> Weapon | None:
    """The weapon `id`; None = the first that is in hand, else the first of all."""
    weapons = sheet(one).weapons
    if id is not None:
        return next((weapon for weapon in weapons if weapon.id == id), None)
    ready = [weapon for weapon in weapons if is_drawn(one, weapon)]
    return next(iter(ready or weapons), None)


def is_drawn(one: Combatant, weapon: Weapon) -> bool:
    """In hand; natural weapons always are (FH-ACT-02)."""
    at_first = "drawn" if weapon.drawn else "sheathed"
    return weapon.natural or WEAPONS.of(one).get(weapon.id, at_first) == "drawn"


def is_lost(one: Combatant, weapon: Weapon) -> bool:
    """On the ground, no longer on the unit (FH-DSM-01)."""
    return WEAPONS.of(one).get(weapon.id) == "lost"


def spell_of(one: Combatant, id: str) -> Spell | None:
    """The spell `id` of a unit."""
    return next((spell for spell in sheet(one).spells if spell.id == id), None)


# ---- budget


def fresh_budget(one: Combatant) -> dict[str, int]:
    """1 AA, 1 MA, 2 BA (FH-SEQ-03), less a BA per weakening wound, and modifiers (FH-TRN-01)."""
    bonus = 2 - len(one.all("wound-weakening")) + total(one, "bonus_actions")
    return {"aa": 1, "ma": 1, "ba": max(0, bonus)}


def owed(one: Combatant) -> dict[str, int]:
    """What is owed for standing up out of turn (FH-PRN-05)."""
    debt = OWED.of(one)
    return {kind: debt.get(kind, 0) for kind in ("aa", "ma", "ba")}


def is_waiting(combat: Combat, who: Id) -> bool:
    """Delays: its budget waits for its later place (FH-INI-11)."""
    return who not in combat.acting and any(
        place.who == who and place.tag == "delayed" for place in combat.queue
    )


# ---- movement


def allowance(one: Combatant, mode: str = "walk", bonus: bool = False) -> int:
    """Spaces of one movement: flat changes, then ½, then ⅓, rounded down once (FH-MOV-04).

    FH-MOV-02 half; FH-MOV-03, FH-PRN-03 prone a third; FH-MOV-05 two for a BA; FH-FT-05
    Maneuverer; FH-FT-08 Athlete; FH-AIM-04 slowing wounds.
    """
    unit = sheet(one)
    if bonus:
        spaces = 2
    else:
        spaces = unit.speed + (2 if unit.feats.athlete else 0) + total(one, "speed")
        spaces -= 2 * len(one.all("wound-slowing"))
    lifted = ("sneak", "swim", "tumble") if unit.feats.maneuverer else ()
    halved = (
        (mode != "walk" and mode not in lifted)
        or unit.at_max_capacity
        or one.has("hampered", "at_max_capacity")
    )
    divisor = (2 if halved else 1) * (3 if one.has("prone") else 1)
    return max(0, spaces) // divisor


# ---- summons


def summoning_slots(combat: Combat, one: Combatant) -> tuple[int, int]:
    """(all, used): the level, + 2 with Legion Leader (FH-FT-03), + modifiers (FH-SMN-01)."""
    unit = sheet(one)
    slots = unit.level + (2 if unit.feats.legion_leader else 0) + total(one, "summoning_slots")
    return max(0, slots), len(summons(combat, one))


def summons(combat: Combat, one: Combatant) -> tuple[Combatant, ...]:
    """The summoned units that this unit controls."""
    return tuple(
        other
        for other in combat
        if in_fight(combat, other.id)
        and (summon := sheet(other).summon) is not None
        and summon.summoner in (one.id, one.name)
    )


def summoner_of(combat: Combat, one: Combatant) -> Combatant | None:
    """Who summoned it, if still there; it stays when its summoner falls (FH-SMN-04)."""
    summon = sheet(one).summon
    if summon is None:
        return None
    return next((other for other in combat if summon.summoner in (other.id, other.name)), None)


# ---- what is shown


def derived(combat: Combat, who: Id) -> Mapping[str, Any]:
    """The numbers that the board shows."""
    one = combat[who]
    places = [place.who for place in combat.order]
    slots, used = summoning_slots(combat, one)
    return {
        "lineup": places.index(who) + 1 if who in places else None,
        "owed": owed(one),
        "agility_now": agility(one),
        "accuracy_now": accuracy(combat, one),
        "strength_now": strength(one),
        "free_hit_slots": free_hit_slots(one),
        "zone_radius": zone_radius(one),
        "target_number": target_number(combat, who),
        "move_allowance": allowance(one),
        "max_hp_now": one.tracks["hp"].maximum,
        "summoning_slots": {"total": slots, "used": used},
        "casting": CASTING.of(one),
        "upkeep": sorted(UPKEEP.of(one)),
    }


def wound_word(combat: Combat, who: Id) -> str:
    """How the unit looks to a foe."""
    one = combat[who]
    for word in OUT:
        if one.has(word):
            return word
    hp = one.tracks["hp"]
    if hp.maximum is None or hp.value >= hp.maximum:
        return "unhurt"
    if hp.value * 2 > hp.maximum:
        return "hurt"
    return "bloodied" if hp.value * 4 > hp.maximum else "near defeat"
