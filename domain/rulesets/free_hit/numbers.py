"""The present numbers of a unit: functions of the state, never stored copies.

Agility, Accuracy and Strength with wounds and modifiers, target numbers, slots, zones, allowances.
"""

from collections.abc import Mapping

from domain.record.combat import Combat, Combatant, Id, typed
from domain.rulebook import grid
from domain.rulebook.once import once
from domain.rulebook.sums import Origin, Sum
from domain.rulesets.free_hit.facts import FREE_HITS, OWED
from domain.rulesets.free_hit.sheet import Modifier, Weapon
from domain.rulesets.free_hit.states import HELPLESS, sheet, summons, this_round

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


# ---- modifiers


def matches(modifier: Modifier, kind: str, weapon: Id | None) -> bool:
    """Whether `when` fits: always, melee, ranged, spell, weapon:<id>."""
    return modifier.when in ("always", kind) or modifier.when == f"weapon:{weapon}"


def modified(
    found: Sum,
    one: Combatant,
    key: str,
    rule: str,
    kind: str = "always",
    weapon: Id | None = None,
    feats: bool = True,
) -> Sum:
    """Add the modifiers of a number, also what feats give (FH-FT-01); those that do not hold for it
    are named too."""
    lasting = [modifier for modifier in sheet(one).modifiers if modifier.until is None]
    effects = [typed(condition.data, Modifier) for condition in one.all("modifier")]
    origins: tuple[tuple[Origin, list[Modifier]], ...] = (
        ("sheet", lasting), ("condition", effects),
    )  # fmt: skip
    for origin, modifiers in origins:
        for modifier in modifiers:
            if modifier.key != key:
                continue
            label = modifier.source or key
            if modifier.feat and not feats:
                found.lacks(label, "feats do not count here", rule, origin, modifier.value)
            elif matches(modifier, kind, weapon):
                found.add(label, modifier.value, rule, origin)
            else:
                why = f"it counts for {modifier.when} only"
                found.lacks(label, why, rule, origin, modifier.value)
    return found


# ---- abilities


def agility(one: Combatant) -> Sum:
    """Agility modifier now: −1 per slowing wound (FH-AIM-04)."""
    found = Sum().add("Agility", sheet(one).agility, "FH-ATK-02")
    modified(found, one, "agility", "FH-ATK-02")
    return _wounds(found, one, "wound-slowing", 1, "FH-AIM-04")


def strength(one: Combatant, kind: str = "always", weapon: Id | None = None) -> Sum:
    """Return the Strength modifier now, in an attack of this kind.

    Each weakening wound is −1 (FH-AIM-05).
    """
    found = Sum().add("Strength", sheet(one).strength, "FH-DMG-02")
    modified(found, one, "strength", "FH-DMG-02", kind, weapon)
    return _wounds(found, one, "wound-weakening", 1, "FH-AIM-05")


def _wounds(found: Sum, one: Combatant, wound: str, each: int, rule: str) -> Sum:
    count = len(one.all(wound))
    label = wound.replace("-", " ")
    if count > 1:
        label = f"{count} × {label}"
    return found.add(label, -each * count, rule, "condition", why="it has none")


def accuracy_terms(combat: Combat, one: Combatant) -> Sum:
    """Accuracy with its losses: −1 per disrupting wound, −3 more in its round (FH-AIM-06, -07)."""
    wounds, now = one.all("wound-disrupting"), this_round(combat)
    fresh = [wound for wound in wounds if wound.data.get("round") == now]
    found = Sum().add("Accuracy", sheet(one).accuracy, "FH-ATK-02")
    _wounds(found, one, "wound-disrupting", 1, "FH-AIM-06")
    label = "disrupting wound, this round"
    return found.add(label, -3 * len(fresh), "FH-AIM-07", "condition", why="none is of this round")


def accuracy_now(combat: Combat, one: Combatant) -> Sum:
    """Accuracy modifier now, for every attack (FH-ATK-04)."""
    return modified(accuracy_terms(combat, one), one, "accuracy", "FH-ATK-04")


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
        if unseen == "all" or by in unseen:
            return True
    return False


def target_number(combat: Combat, who: Id, attacker: Id | None = None, kind: str = "always") -> Sum:
    """Return the number to reach, as a sum (FH-ATK-05).

    It is 5 if flat-footed (FH-FLT-01, -04), 5 + Agility if prone (FH-PRN-01, -02), else 10 +
    Agility. Dodge boosts count only for a unit that dodges (FH-BST-03, -06). Armour, cover and
    distance change nothing (FH-ATK-06). `kind` is the kind of attack, for modifiers that count only
    against some.
    """
    one = combat[who]
    found = Sum()
    dodging = modified(Sum(), one, "dodge", "FH-ATK-05", kind)
    dodging.add(
        "dodge boost", boost(one, "dodge-boost"), "FH-BST-03", "condition", why="none is bought"
    )
    if one.has("defeated") or is_flat_footed(combat, who, attacker):
        found.add("flat-footed", 5, "FH-FLT-01", "condition")
        found.lacks("Agility", "it is flat-footed", "FH-FLT-01", "sheet", agility(one).value)
        return _not_dodging(found, dodging, "it is flat-footed", "FH-FLT-01")
    if one.has("prone"):
        found.add("prone", 5, "FH-PRN-02", "condition")
        found.nests("Agility", agility(one), "FH-PRN-02")
        return _not_dodging(found, dodging, "it is prone", "FH-PRN-02")
    found.add("base", 10, "FH-ATK-02", "rulebook")
    found.nests("Agility", agility(one), "FH-ATK-02")
    found.goes_on(dodging)
    for reduction in sheet(one).reductions:
        why = "armour lowers damage and is never harder to hit"
        found.lacks(reduction.source or "armour", why, "FH-ATK-06")
    return found


def _not_dodging(found: Sum, dodging: Sum, why: str, rule: str) -> Sum:
    for part in dodging.parts:
        found.lacks(part.label, why, rule, part.origin, int(part.value))
    return found


def boost(one: Combatant, condition: str) -> int:
    """How much a bought boost gives (FH-BST-04)."""
    return sum(int(held.data.get("value", 1)) for held in one.all(condition))


# ---- free hits and zones


def free_hit_slots(one: Combatant) -> Sum:
    """Agility now + 1 − made this round, not below 0 (FH-FRE-03, -05)."""
    found = Sum().nests("Agility", agility(one), "FH-FRE-03")
    found.add("everybody has", 1, "FH-FRE-03", "rulebook")
    modified(found, one, "free_hit_slots", "FH-FRE-03")
    made = -FREE_HITS.of(one)
    found.add("made this round", made, "FH-FRE-05", "state", why="none was made this round")
    return found.then("at-least", 0, "not below 0", "FH-FRE-03")


def zone_size(one: Combatant) -> Sum:
    """1, with the Reach feat 2 (FH-ZON-01, -02; FH-FT-06), whatever the weapon (FH-ZON-03)."""
    found = Sum().add("everybody has", 1, "FH-ZON-01", "rulebook")
    found.add("Reach", 1 if sheet(one).feats.reach else 0, "FH-FT-06", why="it has not the feat")
    for weapon in sheet(one).weapons:
        if weapon.reach:
            found.lacks(weapon.name, "no weapon makes the zone larger", "FH-ZON-03")
    return found


@once
def zone_radius(one: Combatant, feats: bool = True) -> int:
    """How far its zone reaches, in spaces."""
    return zone_size(one).value if feats else 1


@once
def apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Spaces between two units (FH-MOV-09); None when a position is not known."""
    one, other = combat[a], combat[b]
    if one.position is None or other.position is None:
        return None
    return grid.distance(one.position, other.position, sheet(one).size, sheet(other).size)


def reach(one: Combatant, weapon: Weapon, feats: bool = True) -> int:
    """How far a melee weapon strikes: the longer of the zone and its own reach (FH-ATK-07)."""
    return max(zone_radius(one, feats), weapon.reach or 0)


# ---- budget


def bonus_actions(one: Combatant) -> Sum:
    """2 BA (FH-SEQ-03), less one per weakening wound, and modifiers (FH-TRN-01)."""
    found = Sum().add("everybody has", 2, "FH-SEQ-03", "rulebook")
    _wounds(found, one, "wound-weakening", 1, "FH-AIM-05")
    modified(found, one, "bonus_actions", "FH-TRN-01")
    return found.then("at-least", 0, "not below 0", "FH-TRN-01")


def fresh_budget(one: Combatant) -> dict[str, int]:
    """1 AA, 1 MA and the bonus actions of a turn (FH-SEQ-03)."""
    return {"aa": 1, "ma": 1, "ba": bonus_actions(one).value}


def owed(one: Combatant) -> dict[str, int]:
    """Return the actions owed for standing up out of turn (FH-PRN-05)."""
    debt = OWED.of(one)
    return {kind: debt.get(kind, 0) for kind in ("aa", "ma", "ba")}


# ---- movement


def movement(one: Combatant, mode: str = "walk", bonus: bool = False) -> Sum:
    """Return the spaces of one movement (FH-MOV-04).

    Flat changes come first, then ½, then ⅓, rounded down once.

    - Half: FH-MOV-02.
    - Prone, a third: FH-MOV-03, FH-PRN-03.
    - Two for a BA: FH-MOV-05.
    - Maneuverer: FH-FT-05. Athlete: FH-FT-08.
    - Slowing wounds: FH-AIM-04.
    """
    unit = sheet(one)
    found = Sum()
    if bonus:
        found.add("a bonus action", 2, "FH-MOV-05", "rulebook")
    else:
        found.add("speed", unit.speed, "FH-MOV-01")
        athlete = 2 if unit.feats.athlete else 0
        found.add("Athlete", athlete, "FH-FT-08", why="it has not the feat")
        modified(found, one, "speed", "FH-MOV-04")
        _wounds(found, one, "wound-slowing", 2, "FH-AIM-04")
    found.then("at-least", 0, "not below 0", "FH-MOV-04")
    burdened = unit.at_max_capacity or one.has("hampered", "at_max_capacity")
    lifted = ("sneak", "swim", "tumble") if unit.feats.maneuverer else ()
    if burdened or (mode != "walk" and mode not in lifted):
        label = "at full capacity or hampered" if burdened else mode
        found.then("divide", 2, label, "FH-MOV-02", "condition")
    elif mode != "walk":
        found.lacks(mode, "a Maneuverer is not slowed by it", "FH-FT-05")
    if one.has("prone"):
        found.then("divide", 3, "prone", "FH-PRN-03", "condition")
    return found.then("round-down", 0, "rounded down once", "FH-MOV-04")


@once
def allowance(one: Combatant, mode: str = "walk", bonus: bool = False) -> int:
    """Spaces of one movement."""
    return movement(one, mode, bonus).value


# ---- summons


def slots_for_summons(one: Combatant) -> Sum:
    """The level, + 2 with Legion Leader (FH-FT-03), + modifiers (FH-SMN-01)."""
    unit = sheet(one)
    found = Sum().add("level", unit.level, "FH-SMN-01")
    leads = 2 if unit.feats.legion_leader else 0
    found.add("Legion Leader", leads, "FH-FT-03", why="it has not the feat")
    modified(found, one, "summoning_slots", "FH-SMN-01")
    return found.then("at-least", 0, "not below 0", "FH-SMN-01")


def summoning_slots(combat: Combat, one: Combatant) -> tuple[int, int]:
    """(all, used)."""
    return slots_for_summons(one).value, len(summons(combat, one))
