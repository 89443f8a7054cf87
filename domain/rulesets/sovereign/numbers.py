"""The numbers of a combatant, which Affray derives from the state and never stores.

Attributes are modifiers, not scores. An NPC without a skill list has the level `None` in every
skill. Its `skill_modifier` then replaces attribute and skill together (SOV-CHK-03).
"""

from collections.abc import Iterator, Mapping

from domain.record.combat import Combat, Combatant, Condition, Id, typed
from domain.record.events import Term
from domain.rulebook.presence import in_fight
from domain.rulebook.sums import Sum
from domain.rulesets.sovereign import sheet
from domain.rulesets.sovereign.facts import ALERTNESS, SHIELD_DROPPED
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import Attribute, Save, Shield, Skill

HELPLESS = ("dead", "mortally-injured", "stabilized", "unconscious")
"""Conditions that put a combatant out of the fight (SOV-DOWN-01)."""

FALLEN = ("prone", *HELPLESS)
"""Conditions in which a combatant does not bar its square (SOV-GRID-05)."""

CATEGORIES = ("man-sized", "larger-humanoid", "barely-plausible", "impossible")


def sheet_of(combatant: Combatant) -> sheet.Combatant:
    """Return the combatant's sheet."""
    return typed(combatant.sheet, sheet.Combatant)


def options(combat: Combat) -> sheet.Options:
    """Return the options of the table."""
    return typed(combat.options, sheet.Options)


# ---- combatants that can act


def able(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is able to act, and not surprised."""
    return awake(combat, who) and not combat[who].has("surprised")


def awake(combat: Combat, who: Id) -> bool:
    """Return true if the combatant is able to act, or would be able without its surprise."""
    combatant = combat.combatants.get(who)
    return (
        combatant is not None and not combatant.left and not any(map(forbids, combatant.conditions))
    )


def forbids(held: Condition) -> bool:
    """Return true if the condition prevents its combatant from acting."""
    return held.id in HELPLESS or bool(held.data.get("cannot_act"))


def enemies(combat: Combat, who: Id) -> tuple[Combatant, ...]:
    """Return the living and present combatants of other sides."""
    side = combat[who].side
    return tuple(
        combatant
        for combatant in combat
        if combatant.side != side and in_fight(combat, combatant.id)
    )


def sides_left(combat: Combat) -> list[str]:
    """Return the sides with an able combatant. Surprised combatants count as able."""
    return sorted({combatant.side for combatant in combat if awake(combat, combatant.id)})


def group(combatant: Combatant) -> str:
    """Return the combatant's group for surprise and morale, which is its side by default."""
    return sheet_of(combatant).group or combatant.side


def is_character(combatant: Combatant) -> bool:
    return sheet_of(combatant).kind == "character"


def disciplined(combatant: Combatant) -> bool:
    """Return true if the combatant may make Snap Attacks (SOV-SNAP-03)."""
    said = sheet_of(combatant).disciplined
    return is_character(combatant) if said is None else said


def important(combatant: Combatant) -> bool:
    """Return true if the combatant may survive 0 HP (SOV-DOWN-02, SOV-DOWN-03)."""
    said = sheet_of(combatant).important
    return is_character(combatant) if said is None else said


@rule("SOV-MOR-01", "Combatants that value their lives may retreat, and fearless ones never do")
def morale(combatant: Combatant) -> str:
    """Return `player`, `normal` or `fearless` (SOV-MOR-01)."""
    return sheet_of(combatant).morale or ("player" if is_character(combatant) else "normal")


def alertness(combatant: Combatant) -> str:
    """Return the alertness that the GM has set, or that of the sheet."""
    return ALERTNESS.of(combatant) or sheet_of(combatant).alertness


# ---- attributes and skills

_SCORES: Mapping[str, str] = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
}


def attribute(combatant: Combatant, name: Attribute) -> int:
    """Return the modifier of an attribute, from `modifiers` or the score. The default is 0."""
    page = sheet_of(combatant)
    if name in page.modifiers:
        return page.modifiers[name]
    score = getattr(page.attributes, _SCORES[name], None) if page.attributes else None
    return 0 if score is None else from_score(score)


def from_score(score: int) -> int:
    """Return the modifier of a score.

    3 → −2, 4–7 → −1, 8–13 → 0, 14–17 → +1, 18 → +2.
    """
    bounds = ((3, -2), (7, -1), (13, 0), (17, 1))
    return next((modifier for top, modifier in bounds if score <= top), 2)


def level(combatant: Combatant, skill: Skill) -> int | None:
    """Return the level of a skill, or `None` for an NPC without skills.

    The level −1 means untrained (SOV-ATK-03).
    """
    return level_of(sheet_of(combatant), skill)


def level_of(page: sheet.Combatant, skill: Skill) -> int | None:
    """Return the skill's level on a sheet."""
    if page.skills is None:
        return -1 if page.kind == "character" else None
    return page.skills.get(skill, -1)


def combat_level(combatant: Combatant) -> int:
    """Return the highest level of the combat skills.

    For an NPC without skills, return the `skill_modifier` (GAP-06).
    """
    levels = [level(combatant, skill) for skill in ("brawl", "shoot", "stab")]
    known = [number for number in levels if number is not None]
    return max(known) if known else sheet_of(combatant).skill_modifier


def penalty_level(combatant: Combatant, skill: Skill) -> int:
    """Return the level of a combat skill.

    For an NPC without skills, return the `skill_modifier` (GAP-06).
    """
    number = level(combatant, skill)
    return sheet_of(combatant).skill_modifier if number is None else number


@rule("SOV-CHK-03", "NPCs without skills use one modifier for all")
def check_terms(combatant: Combatant, name: Attribute, skill: Skill, rule: str) -> tuple[Term, ...]:
    """Return the terms of attribute and skill, or of `skill_modifier` for both (SOV-CHK-03)."""
    number = level(combatant, skill)
    if number is None:
        return (Term("skill modifier", sheet_of(combatant).skill_modifier, "SOV-CHK-03"),)
    return (Term(name.upper(), attribute(combatant, name), rule), Term(skill, number, rule))


def check_modifier(combatant: Combatant, name: Attribute, skill: Skill) -> int:
    """Return the modifier of a check."""
    return sum(term.value for term in check_terms(combatant, name, skill, ""))


# ---- armour class


def shield(combatant: Combatant) -> Shield | None:
    """Return the shield in use, unless it was dropped (SOV-SHOCK-08, SOV-DOWN-01)."""
    guard = sheet_of(combatant).shield
    return guard if guard is not None and guard.held and not SHIELD_DROPPED.of(combatant) else None


def data_modifiers(combatant: Combatant, key: str, rule: str) -> Iterator[Term]:
    """Yield the terms that conditions from data add to a number."""
    for held in combatant.conditions:
        if isinstance(held.data.get(key), int):
            yield Term(held.id, held.data[key], rule)


@rule("SOV-SURP-08", "Surprise changes no AC and no attack roll")
@rule("SOV-PRONE-03", "Being prone does not change the AC")
def ac_terms(combatant: Combatant) -> Sum:
    """Return the effective AC as a sum, which surprise and prone do not change.

    SOV-SURP-08, SOV-PRONE-03.
    """
    page = sheet_of(combatant)
    total = Sum().add("AC", page.ac, "SOV-ATK-01")
    if page.shield is not None:
        held = shield(combatant) is not None
        bonus = page.shield.ac_bonus
        if held:
            total.add("shield", bonus, "SOV-ATK-01")
        else:
            total.lacks("shield", "it is not held", "SOV-SHOCK-08", "sheet", bonus)
    for extra in page.ac_modifiers:
        total.add(extra.reason or "AC", extra.value, "SOV-ATK-01")
    total.take(data_modifiers(combatant, "ac", "SOV-ATK-01"), "condition")
    guard = 2 if combatant.has("total-defense") else 0
    total.add("total defense", guard, "SOV-TD-01", "condition", why="it does not defend so")
    charge = -2 if combatant.has("charging") else 0
    total.add("charging", charge, "SOV-CHG-03", "condition", why="it does not charge")
    if combatant.has("surprised"):
        total.lacks("surprised", "surprise changes no AC", "SOV-SURP-08", "condition")
    if combatant.has("prone"):
        total.lacks("prone", "attacks change, the AC does not", "SOV-PRONE-03", "condition")
    return total


def effective_ac(combatant: Combatant) -> int:
    """Return the number that an attack total must reach."""
    return ac_terms(combatant).value


# ---- saves


def against_check(combatant: Combatant, name: Attribute, skill: Skill, rule: str) -> Sum:
    """Return the number of an opposed check: 8 + the combatant's terms (SOV-CHK-02)."""
    base = Sum().add("base", 8, "SOV-CHK-02", "rulebook")
    return base.take(check_terms(combatant, name, skill, rule))


@rule("SOV-SAVE-02", "A character saves by level and attributes, an NPC by HD")
def save_number(combatant: Combatant, save: Save) -> Sum:
    """Return the number that a save must reach (SOV-SAVE-02)."""
    page, total = sheet_of(combatant), Sum()
    given: int | None = getattr(page.saves, save)
    if given is not None:
        return total.add(f"{save} save", given, "SOV-SAVE-02")
    if page.kind == "npc":
        total.add("base", 15, "SOV-SAVE-02", "rulebook")
        return total.add("half of the hit dice", -(page.hd // 2), "SOV-SAVE-02")
    pairs: Mapping[Save, tuple[Attribute, Attribute]] = {
        "physical": ("str", "con"),
        "evasion": ("dex", "int"),
        "mental": ("int", "wis"),
    }
    best = max(pairs[save], key=lambda name: attribute(combatant, name))
    total.add("base", 16, "SOV-SAVE-02", "rulebook").add("level", -page.level, "SOV-SAVE-02")
    return total.add(best.upper(), -attribute(combatant, best), "SOV-SAVE-02")


# ---- movement


def movement(combatant: Combatant) -> Sum:
    """Return the movement in ft, halved while prone and rounded down to 5 ft (SOV-PRONE-02)."""
    total = Sum().add("movement", sheet_of(combatant).movement_ft, "SOV-RUN-01")
    if not combatant.has("prone"):
        return total.lacks("half", "it is not prone", "SOV-PRONE-02", "condition")
    total.then("divide", 10, "half, in squares of 5 ft", "SOV-PRONE-02", "condition")
    total.then("round-down", 0, "rounded down", "SOV-GRID-01")
    return total.then("times", 5, "feet a square", "SOV-GRID-01")


def rate_ft(combatant: Combatant) -> int:
    """Return the distance in ft of a Move in the current state."""
    return movement(combatant).value


def size_ft(combatant: Combatant) -> int:
    """Return the combatant's largest dimension in ft (SOV-GRID-05)."""
    page = sheet_of(combatant)
    return 5 * page.space if page.size_ft is None else page.size_ft
