"""The terms of every roll and Armor Class, each with its rule (sections 2.6 and 2.7).

- Of each type of bonus, only the highest counts.
- Dodge, circumstance and untyped bonuses add up, and so do all penalties.
- The same source never counts twice for one number.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.record.combat import Combat, Combatant, Id, typed
from domain.record.events import Term
from domain.rulebook.sums import Origin, Sum
from domain.rulesets.definitions import arms
from domain.rulesets.definitions.facts import STANCE
from domain.rulesets.definitions.rules import rule
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
"""The types of bonus that add up."""

NOT_AGAINST_TOUCH = ("armor", "shield", "natural", "parry")
MOVEMENT_SKILLS = ("acrobatics", "climb", "fly", "jump", "swim", "ride")
"""Skills that armor hampers. Riding is one of them (DEF-UNT-01)."""

LASTING = (None, "removed", "combat-end")
"""The values of `until` for a modifier that lasts as long as the sheet has it."""


class Part(NamedTuple):
    """A bonus or penalty before the rules of stacking apply."""

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
    """Return the parts that count, and the excluded parts with the reason.

    The function decides about the highest part first, because an excluded part excludes no other
    part.
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
    """Return the reason why `by` excludes `part`, or "" if both count."""
    if _same_source(part, by):
        return "the same source counts already"
    return f"a better {part.type} bonus counts" if _same_type(part, by) else ""


def summed(total: Sum, parts: Iterable[Part]) -> Sum:
    """Add the parts that count to the sum, and list the others with their reasons."""
    kept, lost = weighed(parts)
    for part in kept:
        total.add(part.label, part.value, part.rule, part.origin)
    for part, why in lost:
        total.lacks(part.label, why, part.rule or "DEF-GEN-06", part.origin, part.value)
    return total


def _same_source(a: Part, b: Part) -> bool:
    """Return true if two parts come from the same source.

    A part that a rule adds has no source. It therefore shares its source with no other part.
    """
    same = bool(a.source) and (a.source, a.rule) == (b.source, b.rule)
    return same and (a.value > 0) == (b.value > 0)


def _same_type(a: Part, b: Part) -> bool:
    """Return true if both are bonuses of one type that does not add up."""
    return a.value > 0 and b.value > 0 and a.type == b.type and a.type not in ADD_UP


def total(terms: Sequence[Term]) -> int:
    return sum(term.value for term in terms)


# ---- abilities and modifiers


@rule("DEF-GEN-05", "Modifiers and divisions round down. Comparisons with a half are exact")
def ability_modifier(combatant: Combatant, ability: Ability) -> Sum:
    """Return floor((score − 10) / 2)."""
    score: int = getattr(sheet_of(combatant).abilities, ability)
    total = Sum().add(ability, score, "DEF-GEN-05")
    total.add("the average", -10, "DEF-GEN-05", "rulebook")
    total.then("divide", 2, "half", "DEF-GEN-05")
    return total.then("round-down", 0, "rounded down", "DEF-GEN-05")


def modifier(combatant: Combatant, ability: Ability) -> int:
    """Return an ability's modifier."""
    return ability_modifier(combatant, ability).value


def best(combatant: Combatant) -> Term:
    """Return the higher of Strength and Dexterity (DEF-TCH-03, DEF-SHB-02)."""
    strength, dexterity = modifier(combatant, "strength"), modifier(combatant, "dexterity")
    if dexterity > strength:
        return Term("Dexterity", dexterity, "DEF-TCH-03")
    return Term("Strength", strength, "DEF-TCH-03")


def modifiers(combatant: Combatant, target: str) -> list[Part]:
    """Return the parts that the sheet and conditions add to a number, before stacking."""
    parts = [
        _part(held)
        for held in sheet_of(combatant).modifiers
        if held.until in LASTING and held.target == target
    ]
    for condition in combatant.all("modifier"):
        held = typed(condition.data, Modifier)
        if held.target == target:
            parts.append(_part(held)._replace(origin="condition"))
    return parts


def _part(held: Modifier) -> Part:
    return Part(held.source, held.value, (held.type or "").lower(), "")


def timed(combatant: Combatant) -> list[Modifier]:
    """Return the modifiers of the sheet that end at a given moment."""
    return [
        held
        for held in sheet_of(combatant).modifiers
        if held.until not in LASTING and fits_until(held.until)
    ]


def plus(combatant: Combatant, target: str, *more: Part) -> list[Term]:
    """Return the terms of all parts that count for a number."""
    return [part.term() for part in weighed([*modifiers(combatant, target), *more])[0]]


# ---- Armor Class


@rule("DEF-TCH-02", "The touch AC has no armor, shield, parry or natural armor")
def armor_terms(combatant: Combatant, *, touch: bool = False, flat_footed: bool = False) -> Sum:
    """Return the Armor Class: 10 and all parts that count against this kind of attack.

    Section 2.7, DEF-TCH-02.
    """
    total = Sum().add("base", 10, "DEF-ATK-02", "rulebook")
    parts = []
    for part in (*components(combatant), *modifiers(combatant, "ac"), *postures(combatant)):
        why = _does_not_count(part, touch=touch, flat_footed=flat_footed)
        if why:
            rule = "DEF-TCH-02" if touch else "DEF-ATK-02"
            total.lacks(part.label, why, rule, part.origin, part.value)
        else:
            parts.append(part)
    return summed(total, parts)


def _does_not_count(part: Part, *, touch: bool, flat_footed: bool) -> str:
    if touch and part.value and part.type in NOT_AGAINST_TOUCH:
        return "it does not help against a touch"
    if flat_footed and part.type in ("dexterity", "dodge") and part.value > 0:
        return "it is flat-footed"
    return ""


def components(combatant: Combatant) -> list[Part]:
    """Return the ten AC components of the sheet.

    Each component is a bonus of the type with the same name. `other` has no type.
    """
    page = sheet_of(combatant).armor_class
    dexterity = modifier(combatant, "dexterity") if page.dexterity is None else page.dexterity
    armor = 0 if arms.broken(combatant, arms.ARMOR) else page.armor  # DEF-SHT-04
    return [
        Part("armor", armor, "armor", "DEF-ATK-02"),
        Part("shield", shield_bonus(combatant), "shield", "DEF-WLD-07"),
        Part("natural armor", page.natural, "natural", "DEF-ATK-02"),
        Part("parry", page.parry, "parry", "DEF-ATK-02"),
        Part("Dexterity", dexterity, "dexterity", "DEF-ATK-02"),
        Part("deflection", page.deflection, "deflection", "DEF-ATK-02"),
        Part("dodge", page.dodge, "dodge", "DEF-ATK-02"),
        Part("insight", page.insight, "insight", "DEF-ATK-02"),
        Part("luck", page.luck, "luck", "DEF-ATK-02"),
        Part("other", page.other, "", "DEF-ATK-02"),
    ]


@rule("DEF-WLD-07", "Only the better one of two shields counts")
def shield_bonus(combatant: Combatant) -> int:
    """Return the bonus of the better shield in a slot.

    If the sheet lists no shield, return its `armor_class.shield`.
    """
    if not arms.shields(combatant):
        return sheet_of(combatant).armor_class.shield
    return max(
        (arms.ac_bonus(combatant, shield) for shield in arms.shields_in_slots(combatant)), default=0
    )


@rule("DEF-REK-01", "Reckless fighting has −4 dodge to AC and +2 damage")
@rule("DEF-FDF-02", "Full defence counts against touches, but not while flat-footed")
@rule("DEF-SHT-02", "The attempt to shatter lowers AC by 4, once")
def postures(combatant: Combatant) -> list[Part]:
    """Return the AC modifiers of the combatant's current actions and stances."""
    told = (
        ("charging", Part("charge", -2, "circumstance", "DEF-CHG-07")),
        ("full-defense", Part("full defense", 4, "dodge", "DEF-FDF-01")),
        ("reckless", Part("reckless fighting", -4, "dodge", "DEF-REK-01")),
        ("defensive", Part("defensive fighting", 2, "circumstance", "DEF-DEF-01")),
        ("shattering", Part("shatter", -4, "circumstance", "DEF-SHT-02")),
    )
    return [
        part._replace(origin="condition") for condition, part in told if combatant.has(condition)
    ]


# ---- attack rolls


@rule("DEF-TRN-08", "The base attack bonus gives the number of attacks, the highest first")
@rule("DEF-MUL-01", "A base attack bonus above +5 gives further attacks, at most four in all")
def attack_bonuses(combatant: Combatant) -> tuple[int, ...]:
    """Return at most four attack bonuses, from the highest down in steps of 5.

    Each bonus after the first is at least +1.
    """
    return tuple(bonus.value for bonus in attacks(combatant))


def base_attack(combatant: Combatant, place: int) -> int:
    """Return the base attack bonus at this place in the order of attacks.

    After the last place, return the last bonus.
    """
    bonuses = attack_bonuses(combatant)
    return bonuses[min(place, len(bonuses) - 1)]


def attacks(combatant: Combatant) -> tuple[Sum, ...]:
    """Return the base attack bonus of each attack of the turn, as a sum."""
    highest = sheet_of(combatant).base_attack_bonus
    totals = [Sum().add("base attack", highest, "DEF-MUL-01")]
    for number in (1, 2, 3):
        if highest - 5 * number >= 1:
            later = Sum().add("base attack", highest, "DEF-MUL-01")
            totals.append(later.add("later attack", -5 * number, "DEF-TRN-08", "rulebook"))
    return tuple(totals)


@rule("DEF-UNT-01", "Untrained armor lowers attacks, movement skills and riding")
@rule("DEF-UNT-05", "Penalties of untrained armor and weapons add up. Trained armor has none")
def hampered(combatant: Combatant) -> Part:
    """Return the penalty of untrained armor."""
    armor = sheet_of(combatant).armor
    penalty = 0 if armor is None or armor.trained else -abs(armor.check_penalty)
    return Part("untrained armor", penalty, "", "DEF-UNT-01")


@rule("DEF-DEF-01", "Defensive fighting has −4 to attack and +2 AC")
def stance_attack(combat: Combat, who: Id, attack_action: bool) -> Part:
    """Return the penalty of defensive fighting on attacks in the combatant's turn (DEF-STN-02)."""
    now = attack_action and who in combat.acting and STANCE.of(combat[who]) == "defensive"
    return Part("defensive fighting", -4 if now else 0, "circumstance", "DEF-DEF-01")


@rule("DEF-UNT-03", "An untrained weapon has −3 to attack and damage")
@rule("DEF-ATK-01", "An attack roll is d20 + base attack + ability + other modifiers")
@rule("DEF-RNG-01", "A shot uses Dexterity and size")
def attack_terms(
    combat: Combat, who: Id, weapon: Weapon, place: int, attack_action: bool
) -> list[Term]:
    """Return the terms of an attack roll."""
    combatant = combat[who]
    by = weapon.ability or "strength"
    struck = (Term(by.capitalize(), modifier(combatant, by), "DEF-ATK-01"),)
    return [
        Term("base attack", base_attack(combatant, place), "DEF-MUL-02"),
        *(shot(combatant, "DEF-RNG-01") if weapon.kind == "ranged" else struck),
        Term(weapon.name, weapon.attack_bonus, "DEF-ATK-01"),
        *plus(
            combatant,
            "attack",
            Part("untrained weapon", 0 if weapon.trained else -3, "training", "DEF-UNT-03"),
            hampered(combatant),
            stance_attack(combat, who, attack_action),
        ),
    ]


@rule("DEF-SHB-02", "A shield bash uses the higher of Strength and Dexterity")
def bash_terms(
    combat: Combat, who: Id, shield: Shield, place: int, attack_action: bool
) -> list[Term]:
    """Return the terms of the attack roll of a shield bash."""
    combatant = combat[who]
    return [
        Term("base attack", base_attack(combatant, place), "DEF-MUL-02"),
        Term(best(combatant).source, best(combatant).value, "DEF-SHB-02"),
        Term(shield.name, shield.attack_bonus, "DEF-SHB-02"),
        *plus(combatant, "attack", hampered(combatant), stance_attack(combat, who, attack_action)),
    ]


@rule("DEF-TCH-03", "A melee touch attack uses the higher of Strength and Dexterity")
@rule("DEF-TCH-06", "Weapon Fixation (Unarmed) adds to melee touch attacks")
@rule("DEF-RTC-01", "A ranged touch attack is a shot against the touch AC")
def touch_terms(
    combat: Combat, who: Id, place: int, attack_action: bool, *, ranged: bool = False
) -> list[Term]:
    """Return the terms of a touch attack.

    A melee touch uses the better of Strength and Dexterity, a ranged touch Dexterity and size.
    """
    combatant = combat[who]
    fixation = sheet_of(combatant).feats.weapon_fixation_unarmed
    return [
        Term("base attack", base_attack(combatant, place), "DEF-MUL-02"),
        *(shot(combatant, "DEF-RTC-01") if ranged else (best(combatant),)),
        Term("weapon fixation", 0 if ranged else fixation, "DEF-TCH-06"),
        *plus(combatant, "touch", hampered(combatant), stance_attack(combat, who, attack_action)),
    ]


def shot(combatant: Combatant, rule: str) -> tuple[Term, ...]:
    """Return the terms of every ranged attack."""
    size = sheet_of(combatant).size_modifiers.attack
    return Term("Dexterity", modifier(combatant, "dexterity"), rule), Term(
        "size", size, "DEF-SIZ-01"
    )


def power_terms(combat: Combat, who: Id, place: int, *, ranged: bool) -> list[Term]:
    """Return the terms of a spell's attack roll against the full AC.

    Weapons do not change this roll (DEF-CST-02).
    """
    combatant = combat[who]
    return [
        Term("base attack", base_attack(combatant, place), "DEF-MUL-04"),
        *(shot(combatant, "DEF-RNG-01") if ranged else (best(combatant),)),
        *plus(combatant, "attack", hampered(combatant)),
    ]


# ---- damage


@rule("DEF-DMG-01", "Damage is dice, Strength and fixed modifiers")
def damage_terms(combat: Combat, who: Id, weapon: Weapon, attack_action: bool) -> list[Term]:
    """Return the terms that a weapon adds once to its damage roll (DEF-CRT-05)."""
    combatant = combat[who]
    return [
        *ability_damage(combatant, weapon),
        Term(weapon.name, weapon.damage_bonus, "DEF-DMG-01"),
        *plus(
            combatant,
            "damage",
            Part("untrained weapon", 0 if weapon.trained else -3, "training", "DEF-UNT-03"),
            *fighting(combat, who, weapon.hands, attack_action),
        ),
    ]


@rule("DEF-WLD-04", "A combatant can use a two-handed weapon with a shield or focus")
@rule("DEF-DMG-02", "With two hands, 1.5 times the Strength bonus counts, rounded down")
@rule("DEF-DMG-03", "A negative Strength modifier counts 1.5 times with two hands, too")
@rule("DEF-DMG-04", "A weapon may use another ability for damage, or none")
def ability_damage(combatant: Combatant, weapon: Weapon) -> list[Term]:
    """Return the Strength bonus to damage: 1.5 times with two hands, rounded down."""
    if weapon.damage_ability == "none":
        return []
    value = modifier(combatant, weapon.damage_ability)
    if weapon.hands == 2:
        return [Term(f"{weapon.damage_ability.capitalize()} ×1.5", value * 3 // 2, "DEF-DMG-02")]
    return [Term(weapon.damage_ability.capitalize(), value, "DEF-DMG-01")]


@rule("DEF-CHG-07", "A charge adds 2 or 4 to damage and lowers AC by 2")
def fighting(combat: Combat, who: Id, hands: int, attack_action: bool) -> list[Part]:
    """Return the bonuses of a charge and of reckless fighting (DEF-REK-01, DEF-STN-02)."""
    combatant = combat[who]
    parts = []
    if combatant.has("charging"):
        parts.append(Part("charge", 4 if hands == 2 else 2, "circumstance", "DEF-CHG-07"))
    if attack_action and STANCE.of(combatant) == "reckless" and who in combat.acting:
        parts.append(Part("reckless fighting", 2, "circumstance", "DEF-REK-01"))
    return parts


@rule("DEF-SHB-03", "A shield bash deals 1d4, 1d6 or 1d10 plus Strength")
def bash_damage_terms(combat: Combat, who: Id, shield: Shield, attack_action: bool) -> list[Term]:
    """Return the terms of the damage of a shield bash. Strength counts once (DEF-SHB-03)."""
    combatant = combat[who]
    return [
        Term("Strength", modifier(combatant, "strength"), "DEF-SHB-03"),
        Term(shield.name, shield.damage_bonus, "DEF-SHB-03"),
        *plus(combatant, "damage", *fighting(combat, who, 1, attack_action)),
    ]


# ---- saves, skills, checks


def save_terms(combatant: Combatant, kind: SaveKind) -> list[Term]:
    """Return the terms of a save: its complete bonus and the modifiers."""
    bonus: int = getattr(sheet_of(combatant).saves, kind)
    return [Term(kind.capitalize(), bonus, "DEF-CST-03"), *plus(combatant, f"save-{kind}")]


def skill_terms(combatant: Combatant, name: str, rule: str) -> list[Term]:
    """Return the terms of a skill roll. A skill that the sheet does not list has bonus 0.

    Armor hampers movement skills (DEF-UNT-01). `rule` is the rule of the roll.
    """
    armor = hampered(combatant) if name in MOVEMENT_SKILLS else Part("", 0)
    bonus = sheet_of(combatant).skills.get(name, 0)
    return [Term(name, bonus, rule), *plus(combatant, f"skill-{name}", armor)]


def level_terms(combatant: Combatant) -> list[Term]:
    """Return the terms of a level check: HD and Wisdom (DEF-FEI-02, DEF-CNT-03)."""
    return [
        Term("hit dice", sheet_of(combatant).hit_dice, "DEF-FEI-02"),
        Term("Wisdom", modifier(combatant, "wisdom"), "DEF-FEI-02"),
        *plus(combatant, "level-check"),
    ]


@rule("DEF-GRP-04", "An opposed grapple roll decides")
def grapple_terms(combatant: Combatant) -> list[Term]:
    """Return the grapple modifier of the sheet, or base attack, Strength and size."""
    page = sheet_of(combatant)
    if page.grapple_modifier is not None:
        base = [Term("grapple modifier", page.grapple_modifier, "DEF-GRP-04")]
    else:
        base = [
            Term("base attack", page.base_attack_bonus, "DEF-GRP-04"),
            Term("Strength", modifier(combatant, "strength"), "DEF-GRP-04"),
            Term("size", page.size_modifiers.maneuver, "DEF-GRP-04"),
        ]
    return [*base, *plus(combatant, "opposed-grapple")]


@rule("DEF-SIZ-01", "The sheet gives size modifiers, which count for both sides")
def strength_terms(combatant: Combatant) -> list[Term]:
    """Return the terms of an opposed Strength roll: Strength and size (DEF-SHV-01, DEF-TRP-03)."""
    return [
        Term("Strength", modifier(combatant, "strength"), "DEF-OPP-01"),
        Term("size", sheet_of(combatant).size_modifiers.maneuver, "DEF-SIZ-01"),
        *plus(combatant, "opposed-strength"),
    ]


@rule("DEF-MUL-05", "Opposed Strength and Dexterity rolls have no base attack bonus")
def dexterity_terms(combatant: Combatant) -> list[Term]:
    """Return the terms of an opposed Dexterity roll: Dexterity and size (DEF-DIS-04)."""
    return [
        Term("Dexterity", modifier(combatant, "dexterity"), "DEF-DIS-04"),
        Term("size", sheet_of(combatant).size_modifiers.maneuver, "DEF-SIZ-01"),
        *plus(combatant, "opposed-dexterity"),
    ]


def initiative_terms(combatant: Combatant) -> list[Term]:
    """Return the terms of initiative: the complete bonus and the modifiers (DEF-INI-01)."""
    said = sheet_of(combatant).initiative_bonus
    bonus = modifier(combatant, "dexterity") if said is None else said
    return [Term("initiative", bonus, "DEF-INI-01"), *plus(combatant, "initiative")]


def movement(combatant: Combatant) -> Sum:
    """Return the movement in ft with its modifiers, at least 0 (DEF-MOV-01)."""
    total = Sum().add("movement", sheet_of(combatant).movement_ft, "DEF-MOV-01")
    summed(total, modifiers(combatant, "movement_ft"))
    return total.then("at-least", 0, "not below 0", "DEF-MOV-01")


def movement_ft(combatant: Combatant) -> int:
    """Return the feet of one movement."""
    return movement(combatant).value
