"""The current numbers of a combatant, computed from the state. Affray does not store them.

- scores and modifiers after attribute damage
- Defense and Armour
- reach and threat range
- limits of movement
"""

from collections.abc import Iterable
from typing import Literal

from domain.dice import parse
from domain.record.combat import Combat, Combatant, Id, Square
from domain.rulebook import grid
from domain.rulebook.sums import Origin, Sum
from domain.rulesets.hallowed_earth.count import missed_now, simultaneous
from domain.rulesets.hallowed_earth.facts import ATTRIBUTE_DAMAGE, DECLARED, HIT_DICE, SLOT
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import Armour, Attribute, Shield, options, score, sheet
from domain.rulesets.hallowed_earth.states import is_down, is_stabilized
from domain.rulesets.hallowed_earth.things import ready, shield_counts

SQUARE_FT = 5
CRAWL_FT = 3
"""The distance of a crawl: 1 yard (HE-INC-02)."""

FULL_DEFENSE = 4


@rule("HE-TIE-07", "Prompts go by Agility score, then by the order of joining")
def by_agility(combat: Combat, ids: Iterable[Id]) -> list[Id]:
    """Return the combatants by Agility score, highest first, then by the order of joining.

    HE-TIE-07.
    """
    joined = {combatant.id: number for number, combatant in enumerate(combat)}
    unique = [who for who in dict.fromkeys(ids) if who in joined]
    return sorted(unique, key=lambda who: (-current(combat[who], "agility"), joined[who]))


# ---- attributes


@rule("HE-ATTR-01", "A combatant has nine attributes")
def attribute_now(combatant: Combatant, attribute: Attribute) -> Sum:
    """Return the score after attribute damage, at least 0 (HE-ATTR-03)."""
    total = Sum().add(attribute, score(sheet(combatant), attribute), "HE-ATTR-01")
    lost = -ATTRIBUTE_DAMAGE.of(combatant).get(attribute, 0)
    total.add("attribute damage", lost, "HE-ATTR-03", "state", why="it has none")
    return total.then("at-least", 0, "not below 0", "HE-ATTR-03")


def current(combatant: Combatant, attribute: Attribute) -> int:
    """Return the current score."""
    return attribute_now(combatant, attribute).value


def from_score(combat: Combat, value: int) -> int:
    """Return ⌊(score − 10) / 2⌋.

    If the option `attribute_modifiers` is a list, return the modifier from this list (GAP-03).
    """
    table = options(combat).attribute_modifiers
    if table == "d20":
        return (value - 10) // 2
    steps = sorted((step.start, step.modifier) for step in table)
    fitting = [modifier for start, modifier in steps if start <= value]
    return fitting[-1] if fitting else steps[0][1]


@rule(
    "HE-ATTR-02",
    "Agility, Strength and Insight count in combat",
    untold="the terms of the sums tell their own rules",
)
def modifier(combat: Combat, combatant: Combatant, attribute: Attribute) -> int:
    """Return the current modifier.

    Attribute damage also lowers a modifier that the sheet gives, by the same amount (HE-ATTR-02,
    HE-ATTR-03).
    """
    full = score(sheet(combatant), attribute)
    given = sheet(combatant).modifiers.get(attribute, from_score(combat, full))
    return given + from_score(combat, current(combatant, attribute)) - from_score(combat, full)


@rule("HE-WP-07", "At −(Strength score) Wound Points, a combatant is dead")
@rule("HE-ATTR-06", "The GM decides about a score of 0, and the death limit is at most −1")
def dies_at(combatant: Combatant) -> Sum:
    """Return the Wound Points at which the combatant dies: −(Strength score), at most −1.

    HE-WP-07, HE-ATTR-06.
    """
    total = Sum().nests("Strength", attribute_now(combatant, "strength"), "HE-WP-07")
    total.then("at-least", 1, "at least 1", "HE-ATTR-06")
    return total.then("times", -1, "below zero", "HE-WP-07")


# ---- Defense and Armour


@rule("HE-FDEF-02", "Full-Defense gives +4 Defense, but not twice")
@rule("HE-ATK-01", "Defense is 10 + Agility modifier + Defense bonus")
@rule("HE-ATK-02", "All Defense bonuses add up")
@rule("HE-ATTR-04", "Lower Agility lowers Defense at once, but not the Base Initiative")
def defense(combat: Combat, combatant: Combatant) -> Sum:
    """Return the number that an attack must reach: 10 + Agility modifier + bonuses + stance.

    HE-ATK-01, HE-ATK-02, HE-ATK-03.
    """
    card, total = sheet(combatant), Sum()
    agility = modifier(combat, combatant, "agility")
    if card.defense is not None:  # the sheet's Defense includes all but stances and later changes
        full = card.modifiers.get("agility", from_score(combat, score(card, "agility")))
        total.add("Defense", card.defense, "HE-ATK-01")
        total.add("Agility damage", agility - full, "HE-ATTR-04", "state", why="it has none")
        _shield_lost(total, combatant, "defense_bonus")
    else:
        total.add("base", 10, "HE-ATK-01", "rulebook")
        total.add("Agility", agility, "HE-ATK-01")
        total.add("Defense bonus", card.defense_bonus, "HE-ATK-01", why="it has none")
        _worn(total, combatant, "defense_bonus", "HE-ATK-06", why="it gives none")
        for defense_modifier in card.defense_modifiers:
            total.add(defense_modifier.reason, defense_modifier.value, "HE-ATK-02")
    stance = FULL_DEFENSE if combatant.has("full-defense") else 0
    why = "it is not on full defense"
    return total.add("Full-Defense", stance, "HE-FDEF-02", "condition", why=why)


@rule("HE-ARM-01", "Armour is the sum of all its bonuses")
def armour(combatant: Combatant) -> Sum:
    """Return the sum of all Armour bonuses. Each hit loses this much damage (HE-ARM-01)."""
    card, total = sheet(combatant), Sum()
    if card.armour_score is not None:
        total.add("Armour", card.armour_score, "HE-ARM-01")
        _shield_lost(total, combatant, "armour_bonus")
        return total
    _worn(total, combatant, "armour_bonus", "HE-ARM-01")
    for modifier in card.armour_modifiers:
        total.add(modifier.reason, modifier.value, "HE-ARM-01")
    return total


Bonus = Literal["defense_bonus", "armour_bonus"]


def _worn(total: Sum, combatant: Combatant, bonus: Bonus, rule: str, why: str = "") -> None:
    """Add the bonuses of worn armour and of a held shield (HE-ATK-06)."""
    card = sheet(combatant)
    pieces: list[tuple[Armour | Shield, bool, str, Origin]]
    pieces = [(armour, armour.worn, "it is not worn", "sheet") for armour in card.armour]
    if card.shield is not None:
        pieces.append((card.shield, shield_counts(combatant), "it is not in hand", "state"))
    for piece, counts, lacking, origin in pieces:
        points = getattr(piece, bonus)
        if counts:
            total.add(piece.id, points, rule, why=why)
        else:
            total.lacks(piece.id, lacking, "HE-ATK-06", origin, points)


def _shield_lost(total: Sum, combatant: Combatant, bonus: Bonus) -> None:
    """Subtract the bonus of a lost shield from a number on the sheet that includes it."""
    shield = sheet(combatant).shield
    if shield is not None and shield.held and not shield_counts(combatant):
        total.add("shield lost", -getattr(shield, bonus), "HE-ATK-06", "state")


# ---- reach, threat


def threat_range(combatant: Combatant) -> Sum:
    """Return the threat range in ft: the longest reach of a ready melee weapon (GAP-15).

    If the sheet gives a threat range, return the range from the sheet.
    """
    given = sheet(combatant).threat_range_ft
    if given is not None:
        return Sum().add("threat range", given, "HE-REP-07")
    total = Sum()
    for weapon in sorted(ready(combatant), key=lambda weapon: -weapon.reach_ft):
        if total.parts:
            why = "the longest reach counts"
            total.lacks(weapon.id, why, "HE-REP-07", "sheet", int(weapon.reach_ft))
        else:
            total.add(weapon.id, weapon.reach_ft, "HE-REP-07")
    return total


def feet(a: Square | None, b: Square | None) -> int | None:
    """Return the distance in ft, 5 per square (GAP-15), or `None` without positions."""
    return None if a is None or b is None else SQUARE_FT * grid.distance(a, b)


@rule("HE-TIE-06", "Reach counts at the beginning of the slot or after the movement")
def apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Return the distance between two combatants in ft.

    In a tied slot, return the smaller of the distance now and the distance at the start of the slot
    (HE-TIE-06).
    """
    now = feet(combat[a].position, combat[b].position)
    slot = SLOT.of(combat)
    if now is None or slot is None or not simultaneous(combat):
        return now
    before = feet(slot.start.get(a), slot.start.get(b))
    return now if before is None else min(now, before)


# ---- movement


def must_crawl(combatant: Combatant) -> bool:
    """Return true if the combatant is prone, or down and not stabilized (HE-INC-02, GAP-26)."""
    return (is_down(combatant) and not combatant.has("stabilized")) or combatant.has("prone")


@rule(
    "HE-MOVE-06",
    "Half a speed is not rounded, but the grid has whole squares",
    untold="a part of the limit that HE-MOVE-03 tells",
)
@rule("HE-FDEF-04", "With Full-Defense, a combatant moves at most half its speed in that round")
@rule("HE-STAB-05", "A stabilized combatant moves at half speed")
@rule("HE-BLUNT-02", "A Broken Shin deals 1d8 Agility damage and halves the speed")
def movement(combat: Combat, combatant: Combatant) -> Sum:
    """Return the combatant's movement for this round in ft (section 5).

    - A broken shin halves the speed (HE-BLUNT-02).
    - Full-Defense (HE-FDEF-04) or stabilization (HE-STAB-05) halves it once more, but not both.
    - Affray does not round halves (HE-MOVE-06).
    """
    total = Sum().add("speed", sheet(combatant).speed_ft, "HE-MOVE-01")
    if combatant.has("half-speed"):
        total.then("divide", 2, "half speed", "HE-BLUNT-02", "condition")
    if defends(combat, combatant):
        total.then("divide", 2, "on full defense", "HE-FDEF-04", "state")
        if is_stabilized(combatant):
            total.lacks("stabilized", "half speed counts once", "HE-STAB-05", "condition")
    elif is_stabilized(combatant):
        total.then("divide", 2, "stabilized", "HE-STAB-05", "condition")
    return total


def defends(combat: Combat, combatant: Combatant) -> bool:
    """Return true if the combatant has declared Full-Defense for a turn of this round."""
    declared, missed = DECLARED.of(combatant), missed_now(combat, combatant)
    turns = (declared, None if missed is None else missed.declared)
    return any(
        declaration is not None and declaration.action == "full-defense" for declaration in turns
    )


def awaits_hit_dice(combatant: Combatant) -> bool:
    """Return true if Affray still has to roll hit dice for the combatant (HE-STRESS-01)."""
    card = sheet(combatant)
    if (
        card.max_stress is not None
        or not card.hit_dice
        or HIT_DICE.of(combatant)
        or combatant.has("dead")
    ):
        return False
    return any(parse(dice).dice for dice in card.hit_dice)
