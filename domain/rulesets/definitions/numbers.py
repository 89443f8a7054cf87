"""Sums: every number of a roll or an Armor Class as Terms with their rules (DEF 2.6, 2.7).

Of bonuses of one type only the highest counts. Dodge, circumstance and untyped bonuses add up, and
so do all penalties. The same source never counts twice for one number.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.record.combat import Combat, Combatant, Id, typed
from domain.record.events import Term
from domain.rulebook.sums import Origin, Sum
from domain.rulesets.definitions import arms
from domain.rulesets.definitions.facts import STANCE
from domain.rulesets.definitions.sheet import (
    Ability,
    Modifier,
    SaveKind,
    Shield,
    Weapon,
    fits_until,
)
from domain.rulesets.definitions.states import sheet_of

ADD_UP = ("dodge", "circumstance", "")
"""Types of bonus that do not shut each other out."""

NOT_AGAINST_TOUCH = ("armor", "shield", "natural", "parry")
MOVEMENT_SKILLS = ("acrobatics", "climb", "fly", "jump", "swim", "ride")
"""Skills that armor hampers, riding among them (DEF-UNT-01)."""

LASTING = (None, "removed", "combat-end")
"""A modifier of the sheet that lasts as long as the sheet says it."""


class Part(NamedTuple):
    """A bonus or penalty before stacking."""

    source: str
    value: int
    type: str = ""
    rule: str = ""
    origin: Origin = "sheet"

    @property
    def label(self) -> str:
        return self.source or self.type or "modifier"

    def term(self) -> Term:
        return Term(self.label, self.value, self.rule)


def weighed(parts: Iterable[Part]) -> tuple[list[Part], list[tuple[Part, str]]]:
    """Return the parts that count, and the others with the reason.

    The highest come first, because a part that does not count excludes no other part.
    """
    given = [part for part in parts if part.value]
    kept: dict[int, Part] = {}
    lost: list[tuple[Part, str]] = []
    for index in sorted(range(len(given)), key=lambda index: -abs(given[index].value)):
        part = given[index]
        why = next((why for other in kept.values() if (why := _shut_out(part, other))), "")
        if why:
            lost.append((part, why))
        else:
            kept[index] = part
    return [kept[index] for index in sorted(kept)], lost


def _shut_out(part: Part, by: Part) -> str:
    """Return why a part does not count beside another one."""
    if _same_source(part, by):
        return "the same source counts already"
    return f"a better {part.type} bonus counts" if _same_type(part, by) else ""


def summed(found: Sum, parts: Iterable[Part]) -> Sum:
    """Add the parts that count, and name the others."""
    kept, lost = weighed(parts)
    for part in kept:
        found.add(part.label, part.value, part.rule, part.origin)
    for part, why in lost:
        found.lacks(part.label, why, part.rule or "DEF-GEN-06", part.origin, part.value)
    return found


def _same_source(a: Part, b: Part) -> bool:
    """Whether two parts are the same modifier. A part that a rule adds has no source."""
    same = bool(a.source) and (a.source, a.rule) == (b.source, b.rule)
    return same and (a.value > 0) == (b.value > 0)


def _same_type(a: Part, b: Part) -> bool:
    """Only bonuses shut each other out by their type."""
    return a.value > 0 and b.value > 0 and a.type == b.type and a.type not in ADD_UP


def total(terms: Sequence[Term]) -> int:
    return sum(term.value for term in terms)


# ---- abilities and modifiers


def ability_modifier(one: Combatant, ability: Ability) -> Sum:
    """floor((score − 10) / 2) (DEF-GEN-05)."""
    score: int = getattr(sheet_of(one).abilities, ability)
    found = Sum().add(ability, score, "DEF-GEN-05")
    found.add("the average", -10, "DEF-GEN-05", "rulebook")
    found.then("divide", 2, "half", "DEF-GEN-05")
    return found.then("round-down", 0, "rounded down", "DEF-GEN-05")


def modifier(one: Combatant, ability: Ability) -> int:
    """An ability's modifier."""
    return ability_modifier(one, ability).value


def best(one: Combatant) -> Term:
    """The higher of Strength and Dexterity (DEF-TCH-03, DEF-SHB-02)."""
    strength, dexterity = modifier(one, "strength"), modifier(one, "dexterity")
    if dexterity > strength:
        return Term("Dexterity", dexterity, "DEF-TCH-03")
    return Term("Strength", strength, "DEF-TCH-03")


def modifiers(one: Combatant, target: str) -> list[Part]:
    """Return the parts that sheet and conditions add to a number, before stacking."""
    found = [
        _part(held)
        for held in sheet_of(one).modifiers
        if held.until in LASTING and held.target == target
    ]
    for condition in one.all("modifier"):
        held = typed(condition.data, Modifier)
        if held.target == target:
            found.append(_part(held)._replace(origin="condition"))
    return found


def _part(held: Modifier) -> Part:
    return Part(held.source, held.value, (held.type or "").lower(), "")


def timed(one: Combatant) -> list[Modifier]:
    """Modifiers of the sheet that end by themselves."""
    return [
        held
        for held in sheet_of(one).modifiers
        if held.until not in LASTING and fits_until(held.until)
    ]


def plus(one: Combatant, target: str, *more: Part) -> list[Term]:
    """Terms of all that counts for a number."""
    return [part.term() for part in weighed([*modifiers(one, target), *more])[0]]


# ---- Armor Class


def armor_terms(one: Combatant, *, touch: bool = False, flat_footed: bool = False) -> Sum:
    """10 and all that counts, by the kind of attack (DEF 2.7, DEF-TCH-02)."""
    found = Sum().add("base", 10, "DEF-ATK-02", "rulebook")
    parts = []
    for part in (*components(one), *modifiers(one, "ac"), *postures(one)):
        why = _does_not_count(part, touch=touch, flat_footed=flat_footed)
        if why:
            rule = "DEF-TCH-02" if touch else "DEF-ATK-02"
            found.lacks(part.label, why, rule, part.origin, part.value)
        else:
            parts.append(part)
    return summed(found, parts)


def _does_not_count(part: Part, *, touch: bool, flat_footed: bool) -> str:
    if touch and part.value and part.type in NOT_AGAINST_TOUCH:
        return "it does not help against a touch"
    if flat_footed and part.type in ("dexterity", "dodge") and part.value > 0:
        return "it is flat-footed"
    return ""


def components(one: Combatant) -> list[Part]:
    """The ten of the sheet, each a bonus of the type with its name; `other` has none."""
    page = sheet_of(one).armor_class
    dexterity = modifier(one, "dexterity") if page.dexterity is None else page.dexterity
    armor = 0 if arms.broken(one, arms.ARMOR) else page.armor  # DEF-SHT-04
    return [
        Part("armor", armor, "armor", "DEF-ATK-02"),
        Part("shield", shield_bonus(one), "shield", "DEF-WLD-07"),
        Part("natural armor", page.natural, "natural", "DEF-ATK-02"),
        Part("parry", page.parry, "parry", "DEF-ATK-02"),
        Part("Dexterity", dexterity, "dexterity", "DEF-ATK-02"),
        Part("deflection", page.deflection, "deflection", "DEF-ATK-02"),
        Part("dodge", page.dodge, "dodge", "DEF-ATK-02"),
        Part("insight", page.insight, "insight", "DEF-ATK-02"),
        Part("luck", page.luck, "luck", "DEF-ATK-02"),
        Part("other", page.other, "", "DEF-ATK-02"),
    ]


def shield_bonus(one: Combatant) -> int:
    """The better shield in a slot; without one on the sheet the component itself (DEF-WLD-07)."""
    if not arms.shields(one):
        return sheet_of(one).armor_class.shield
    return max((arms.ac_bonus(one, mine) for mine in arms.shields_in_slots(one)), default=0)


def postures(one: Combatant) -> list[Part]:
    """Return the effect of actions and stances on AC until the next own turn (DEF-FDF-02)."""
    told = (
        ("charging", Part("charge", -2, "circumstance", "DEF-CHG-07")),
        ("full-defense", Part("full defense", 4, "dodge", "DEF-FDF-01")),
        ("reckless", Part("reckless fighting", -4, "dodge", "DEF-REK-01")),
        ("defensive", Part("defensive fighting", 2, "circumstance", "DEF-DEF-01")),
        ("shattering", Part("shatter", -4, "circumstance", "DEF-SHT-02")),
    )
    return [part._replace(origin="condition") for condition, part in told if one.has(condition)]


# ---- attack rolls


def attack_bonuses(one: Combatant) -> tuple[int, ...]:
    """The highest, and −5 each while the next is at least +1, at most four (DEF-TRN-08,
    DEF-MUL-01).
    """
    return tuple(bonus.value for bonus in attacks(one))


def base_attack(one: Combatant, place: int) -> int:
    """The bonus of the attack at this place in the order, or of the last one."""
    bonuses = attack_bonuses(one)
    return bonuses[min(place, len(bonuses) - 1)]


def attacks(one: Combatant) -> tuple[Sum, ...]:
    """The bonus of each attack of the turn."""
    highest = sheet_of(one).base_attack_bonus
    found = [Sum().add("base attack", highest, "DEF-MUL-01")]
    for number in (1, 2, 3):
        if highest - 5 * number >= 1:
            later = Sum().add("base attack", highest, "DEF-MUL-01")
            found.append(later.add("later attack", -5 * number, "DEF-TRN-08", "rulebook"))
    return tuple(found)


def hampered(one: Combatant) -> Part:
    """Return the penalty of untrained armor (DEF-UNT-01, -05)."""
    armor = sheet_of(one).armor
    penalty = 0 if armor is None or armor.trained else -abs(armor.check_penalty)
    return Part("untrained armor", penalty, "", "DEF-UNT-01")


def stance_attack(combat: Combat, who: Id, attack_action: bool) -> Part:
    """Defensive fighting, in the own turn (DEF-DEF-01, DEF-STN-02)."""
    now = attack_action and who in combat.acting and STANCE.of(combat[who]) == "defensive"
    return Part("defensive fighting", -4 if now else 0, "circumstance", "DEF-DEF-01")


def attack_terms(
    combat: Combat, who: Id, weapon: Weapon, place: int, attack_action: bool
) -> list[Term]:
    """DEF-ATK-01, DEF-RNG-01."""
    one = combat[who]
    by = weapon.ability or "strength"
    struck = (Term(by.capitalize(), modifier(one, by), "DEF-ATK-01"),)
    return [
        Term("base attack", base_attack(one, place), "DEF-MUL-02"),
        *(shot(one, "DEF-RNG-01") if weapon.kind == "ranged" else struck),
        Term(weapon.name, weapon.attack_bonus, "DEF-ATK-01"),
        *plus(
            one,
            "attack",
            Part("untrained weapon", 0 if weapon.trained else -3, "training", "DEF-UNT-03"),
            hampered(one),
            stance_attack(combat, who, attack_action),
        ),
    ]


def bash_terms(
    combat: Combat, who: Id, shield: Shield, place: int, attack_action: bool
) -> list[Term]:
    """DEF-SHB-02."""
    one = combat[who]
    return [
        Term("base attack", base_attack(one, place), "DEF-MUL-02"),
        Term(best(one).source, best(one).value, "DEF-SHB-02"),
        Term(shield.name, shield.attack_bonus, "DEF-SHB-02"),
        *plus(one, "attack", hampered(one), stance_attack(combat, who, attack_action)),
    ]


def touch_terms(
    combat: Combat, who: Id, place: int, attack_action: bool, *, ranged: bool = False
) -> list[Term]:
    """Melee by the better ability, ranged by Dexterity and size (DEF-TCH-03, -06, DEF-RTC-01)."""
    one = combat[who]
    fixation = sheet_of(one).feats.weapon_fixation_unarmed
    return [
        Term("base attack", base_attack(one, place), "DEF-MUL-02"),
        *(shot(one, "DEF-RTC-01") if ranged else (best(one),)),
        Term("weapon fixation", 0 if ranged else fixation, "DEF-TCH-06"),
        *plus(one, "touch", hampered(one), stance_attack(combat, who, attack_action)),
    ]


def shot(one: Combatant, rule: str) -> tuple[Term, ...]:
    """Return the terms of every ranged attack."""
    size = sheet_of(one).size_modifiers.attack
    return Term("Dexterity", modifier(one, "dexterity"), rule), Term("size", size, "DEF-SIZ-01")


def power_terms(combat: Combat, who: Id, place: int, *, ranged: bool) -> list[Term]:
    """A spell's attack roll against the whole AC: no weapon is in it (DEF-CST-02)."""
    one = combat[who]
    return [
        Term("base attack", base_attack(one, place), "DEF-MUL-04"),
        *(shot(one, "DEF-RNG-01") if ranged else (best(one),)),
        *plus(one, "attack", hampered(one)),
    ]


# ---- damage


def damage_terms(combat: Combat, who: Id, weapon: Weapon, attack_action: bool) -> list[Term]:
    """Return the terms added once per weapon damage roll (DEF-DMG-01 to -04, DEF-CRT-05)."""
    one = combat[who]
    return [
        *ability_damage(one, weapon),
        Term(weapon.name, weapon.damage_bonus, "DEF-DMG-01"),
        *plus(
            one,
            "damage",
            Part("untrained weapon", 0 if weapon.trained else -3, "training", "DEF-UNT-03"),
            *fighting(combat, who, weapon.hands, attack_action),
        ),
    ]


def ability_damage(one: Combatant, weapon: Weapon) -> list[Term]:
    """Strength, 1.5 times with two hands, rounded down (DEF-DMG-02 to -04, DEF-WLD-04)."""
    if weapon.damage_ability == "none":
        return []
    value = modifier(one, weapon.damage_ability)
    if weapon.hands == 2:
        return [Term(f"{weapon.damage_ability.capitalize()} ×1.5", value * 3 // 2, "DEF-DMG-02")]
    return [Term(weapon.damage_ability.capitalize(), value, "DEF-DMG-01")]


def fighting(combat: Combat, who: Id, hands: int, attack_action: bool) -> list[Part]:
    """Charge, and with attack actions reckless fighting (DEF-CHG-07, DEF-REK-01, DEF-STN-02)."""
    one = combat[who]
    found = []
    if one.has("charging"):
        found.append(Part("charge", 4 if hands == 2 else 2, "circumstance", "DEF-CHG-07"))
    if attack_action and STANCE.of(one) == "reckless" and who in combat.acting:
        found.append(Part("reckless fighting", 2, "circumstance", "DEF-REK-01"))
    return found


def bash_damage_terms(combat: Combat, who: Id, shield: Shield, attack_action: bool) -> list[Term]:
    """Return the terms. Strength counts once, for any attack (DEF-SHB-03)."""
    one = combat[who]
    return [
        Term("Strength", modifier(one, "strength"), "DEF-SHB-03"),
        Term(shield.name, shield.damage_bonus, "DEF-SHB-03"),
        *plus(one, "damage", *fighting(combat, who, 1, attack_action)),
    ]


# ---- saves, skills, checks


def save_terms(one: Combatant, kind: SaveKind) -> list[Term]:
    """A complete bonus and its modifiers."""
    bonus: int = getattr(sheet_of(one).saves, kind)
    return [Term(kind.capitalize(), bonus, "DEF-CST-03"), *plus(one, f"save-{kind}")]


def skill_terms(one: Combatant, name: str, rule: str) -> list[Term]:
    """Return the terms of a skill bonus. A missing skill is 0.

    Armor hampers movement skills (DEF-UNT-01). `rule` is the reason of the roll.
    """
    armor = hampered(one) if name in MOVEMENT_SKILLS else Part("", 0)
    bonus = sheet_of(one).skills.get(name, 0)
    return [Term(name, bonus, rule), *plus(one, f"skill-{name}", armor)]


def level_terms(one: Combatant) -> list[Term]:
    """HD and Wisdom (DEF-FEI-02, DEF-CNT-03)."""
    return [
        Term("hit dice", sheet_of(one).hit_dice, "DEF-FEI-02"),
        Term("Wisdom", modifier(one, "wisdom"), "DEF-FEI-02"),
        *plus(one, "level-check"),
    ]


def grapple_terms(one: Combatant) -> list[Term]:
    """The number on the sheet, else highest base attack, Strength and size (DEF-GRP-04)."""
    page = sheet_of(one)
    if page.grapple_modifier is not None:
        base = [Term("grapple modifier", page.grapple_modifier, "DEF-GRP-04")]
    else:
        base = [
            Term("base attack", page.base_attack_bonus, "DEF-GRP-04"),
            Term("Strength", modifier(one, "strength"), "DEF-GRP-04"),
            Term("size", page.size_modifiers.maneuver, "DEF-GRP-04"),
        ]
    return [*base, *plus(one, "opposed-grapple")]


def strength_terms(one: Combatant) -> list[Term]:
    """Strength and size (DEF-SHV-01, DEF-TRP-03)."""
    return [
        Term("Strength", modifier(one, "strength"), "DEF-OPP-01"),
        Term("size", sheet_of(one).size_modifiers.maneuver, "DEF-SIZ-01"),
        *plus(one, "opposed-strength"),
    ]


def dexterity_terms(one: Combatant) -> list[Term]:
    """Dexterity and size (DEF-DIS-04, DEF-MUL-05)."""
    return [
        Term("Dexterity", modifier(one, "dexterity"), "DEF-DIS-04"),
        Term("size", sheet_of(one).size_modifiers.maneuver, "DEF-SIZ-01"),
        *plus(one, "opposed-dexterity"),
    ]


def initiative_terms(one: Combatant) -> list[Term]:
    """The complete bonus and its modifiers (DEF-INI-01)."""
    said = sheet_of(one).initiative_bonus
    bonus = modifier(one, "dexterity") if said is None else said
    return [Term("initiative", bonus, "DEF-INI-01"), *plus(one, "initiative")]


def movement(one: Combatant) -> Sum:
    """With its modifiers, not below 0 (DEF-MOV-01)."""
    found = Sum().add("movement", sheet_of(one).movement_ft, "DEF-MOV-01")
    summed(found, modifiers(one, "movement_ft"))
    return found.then("at-least", 0, "not below 0", "DEF-MOV-01")


def movement_ft(one: Combatant) -> int:
    """Feet of one movement."""
    return movement(one).value
