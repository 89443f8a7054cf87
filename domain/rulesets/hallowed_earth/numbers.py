"""What a combatant's numbers are now: functions of the state, never stored copies.

Scores and modifiers with attribute damage, Defense and Armour, things at hand, reach and threat,
limits of speed.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from domain.record.combat import Combat, Combatant, Id, Json, Square, typed
from domain.rulebook import grid
from domain.rulebook.facts import Fact
from domain.rulebook.sums import Making, Sum
from domain.rulesets.hallowed_earth.facts import (
    ATTRIBUTE_DAMAGE,
    BASE,
    CARRIED,
    CRAWLED,
    DECLARED,
    INJURIES,
    LOST,
    MOVED,
    ROUND_INITIATIVE,
    SLOT,
    TAKEN,
    USED,
    WOUNDS,
    Declaration,
    Missed,
)
from domain.rulesets.hallowed_earth.sheet import (
    ATTRIBUTES,
    Ability,
    Attribute,
    Creature,
    Item,
    Options,
    Spell,
    Weapon,
    score,
)

SQUARE_FT = 5
CRAWL_FT = 3
"""1 yard (HE-INC-02)."""

FULL_DEFENSE = 4


def sheet(one: Combatant) -> Creature:
    """The combatant's sheet."""
    return typed(one.sheet, Creature)


def options(combat: Combat) -> Options:
    """The table's choices."""
    return typed(combat.options, Options)


# ---- who is who


def hostile(combat: Combat, a: Id, b: Id) -> bool:
    """Other sides are hostile, unless allied (2.1)."""
    sides = {combat[a].side, combat[b].side}
    return len(sides) == 2 and not any(
        sides <= set(allied) for allied in options(combat).allied_sides
    )


def able_to_fight(combat: Combat, who: Id) -> bool:
    """Present, Wound Points above 0, not routed, not surrendered (HE-MOR-11)."""
    one = combat[who]
    return (
        not one.left
        and one.tracks["wound_points"].value > 0
        and not one.has("dead", "routed", "surrendered")
    )


def is_down(one: Combatant) -> bool:
    """Incapacitated or dying."""
    return one.has("incapacitated", "dying")


def is_dying(one: Combatant) -> bool:
    """Dying, and not stabilized (HE-STAB-08)."""
    return one.has("dying") and not one.has("stabilized")


def in_fight(combat: Combat, who: Id) -> bool:
    """Not dead and not gone."""
    one = combat.combatants.get(who)
    return one is not None and not one.left and not one.has("dead")


def by_agility(combat: Combat, ids: Iterable[Id]) -> list[Id]:
    """Higher Agility score first, then join order: the order of asking (HE-TIE-07)."""
    joined = {one.id: number for number, one in enumerate(combat)}
    unique = [who for who in dict.fromkeys(ids) if who in joined]
    return sorted(unique, key=lambda who: (-current(combat[who], "agility"), joined[who]))


# ---- attributes


def attribute_now(one: Combatant, attribute: Attribute) -> Sum:
    """The score after attribute damage, not below 0 (HE-ATTR-03)."""
    found = Sum().add(attribute, score(sheet(one), attribute), "HE-ATTR-01")
    lost = -ATTRIBUTE_DAMAGE.of(one).get(attribute, 0)
    found.add("attribute damage", lost, "HE-ATTR-03", "state", why="it has none")
    return found.then("at-least", 0, "not below 0", "HE-ATTR-03")


def current(one: Combatant, attribute: Attribute) -> int:
    """The score as it is now."""
    return attribute_now(one, attribute).value


def from_score(combat: Combat, value: int) -> int:
    """⌊(score − 10) / 2⌋, or the table's own list (GAP-03)."""
    table = options(combat).attribute_modifiers
    if table == "d20":
        return (value - 10) // 2
    steps = sorted((step.start, step.modifier) for step in table)
    fitting = [modifier for start, modifier in steps if start <= value]
    return fitting[-1] if fitting else steps[0][1]


def modifier(combat: Combat, one: Combatant, attribute: Attribute) -> int:
    """A given modifier wins; attribute damage moves it by the difference (HE-ATTR-02, -03)."""
    full = score(sheet(one), attribute)
    given = sheet(one).modifiers.get(attribute, from_score(combat, full))
    return given + from_score(combat, current(one, attribute)) - from_score(combat, full)


def dies_at(one: Combatant) -> Sum:
    """Wound Points at which it dies: −(Strength score), at most −1 (HE-WP-07, HE-ATTR-06)."""
    found = Sum().nests("Strength", attribute_now(one, "strength"), "HE-WP-07")
    found.then("at-least", 1, "at least 1", "HE-ATTR-06")
    return found.then("times", -1, "below zero", "HE-WP-07")


def death_limit(one: Combatant) -> int:
    """Wound Points at which it dies."""
    return dies_at(one).value


# ---- Defense and Armour


def has_lost(one: Combatant, thing: str) -> bool:
    """Dropped or thrown: "weapon:axe", "item:flask", "shield:shield"."""
    return thing in LOST.of(one)


def shield_counts(one: Combatant) -> bool:
    """Held and not dropped (HE-ATK-06)."""
    shield = sheet(one).shield
    return shield is not None and shield.held and not has_lost(one, f"shield:{shield.id}")


def defense_terms(combat: Combat, one: Combatant) -> Sum:
    """10 + Agility modifier + Defense bonuses, all added up (HE-ATK-01, -02), + stance."""
    card = sheet(one)
    agility = modifier(combat, one, "agility")
    shield = card.shield
    held = shield is not None and shield_counts(one)
    found = Sum()
    if card.defense is not None:  # replaces all but stances and later changes
        full = card.modifiers.get("agility", from_score(combat, score(card, "agility")))
        found.add("Defense", card.defense, "HE-ATK-01")
        found.add("Agility damage", agility - full, "HE-ATTR-04", "state", why="it has none")
        if shield is not None and shield.held and not held:
            found.add("shield lost", -shield.defense_bonus, "HE-ATK-06", "state")
    else:
        found.add("base", 10, "HE-ATK-01", "rulebook")
        found.add("Agility", agility, "HE-ATK-01")
        found.add("Defense bonus", card.defense_bonus, "HE-ATK-01", why="it has none")
        for piece in card.armour:
            if piece.worn:
                found.add(piece.id, piece.defense_bonus, "HE-ATK-06", why="it gives none")
            else:
                bonus = piece.defense_bonus
                found.lacks(piece.id, "it is not worn", "HE-ATK-06", "sheet", bonus)
        if shield is not None and held:
            found.add(shield.id, shield.defense_bonus, "HE-ATK-06", why="it gives none")
        elif shield is not None:
            why = "it is not in hand"
            found.lacks(shield.id, why, "HE-ATK-06", "state", shield.defense_bonus)
        for each in card.defense_modifiers:
            found.add(each.reason, each.value, "HE-ATK-02")
    stance = FULL_DEFENSE if one.has("full-defense") else 0
    why = "it is not on full defense"
    return found.add("Full-Defense", stance, "HE-FDEF-02", "condition", why=why)


def defense(combat: Combat, one: Combatant) -> int:
    """The number that an attack must reach (HE-ATK-03)."""
    return defense_terms(combat, one).value


def armour_terms(one: Combatant) -> Sum:
    """The sum of all Armour bonuses, taken off each hit (HE-ARM-01)."""
    card = sheet(one)
    shield = card.shield
    held = shield is not None and shield_counts(one)
    found = Sum()
    if card.armour_score is not None:
        found.add("Armour", card.armour_score, "HE-ARM-01")
        if shield is not None and shield.held and not held:
            found.add("shield lost", -shield.armour_bonus, "HE-ATK-06", "state")
        return found
    for piece in card.armour:
        if piece.worn:
            found.add(piece.id, piece.armour_bonus, "HE-ARM-01")
        else:
            found.lacks(piece.id, "it is not worn", "HE-ATK-06", "sheet", piece.armour_bonus)
    if shield is not None and held:
        found.add(shield.id, shield.armour_bonus, "HE-ARM-01")
    elif shield is not None:
        why = "it is not in hand"
        found.lacks(shield.id, why, "HE-ATK-06", "state", shield.armour_bonus)
    for each in card.armour_modifiers:
        found.add(each.reason, each.value, "HE-ARM-01")
    return found


def armour(one: Combatant) -> int:
    """What Armour takes off each hit."""
    return armour_terms(one).value


# ---- things at hand


def arms_of(hand: str | None) -> tuple[str, ...]:
    """The arms that something needs."""
    return {"main": ("main",), "off": ("off",), "both": ("main", "off")}.get(hand or "", ())


def disabled(one: Combatant, *conditions: str) -> set[str]:
    """The arms that one of these conditions disables."""
    return {
        str(held.data.get("side") or "main")
        for condition in conditions
        for held in one.all(condition)
    }


def weapon_of(one: Combatant, id: str | None) -> Weapon | None:
    """The weapon, if it is at hand."""
    for weapon in sheet(one).weapons:
        if weapon.id == id and not has_lost(one, f"weapon:{id}"):
            return weapon
    return None


def spell_of(one: Combatant, id: str | None) -> Spell | None:
    """The spell, if it knows it."""
    return next((spell for spell in sheet(one).spells if spell.id == id), None)


def ability_of(one: Combatant, id: str | None) -> Ability | None:
    """The ability, if it has it."""
    return next((ability for ability in sheet(one).abilities if ability.id == id), None)


def item_of(one: Combatant, id: str | None) -> Item | None:
    """The item, if at least one is left and at hand (HE-ITEM-01)."""
    for item in sheet(one).items:
        if item.id == id and item.quantity > USED.of(one).get(item.id, 0):
            return None if has_lost(one, f"item:{id}") else item
    return None


def fell(one: Combatant, thing: str, hand: str | None) -> bool:
    """Whether it lies where an injured arm let it fall, and the arm is injured still.

    It may be declared (HE-DECL-15); at its number the arm forbids it, which is no matter of having
    it (HE-BLUNT-11, -12).
    """
    dropped = LOST.of(one).get(thing) == "dropped"
    return dropped and bool(disabled(one, "hand-useless", "arm-cannot-hold") & set(arms_of(hand)))


def declarable_weapon(one: Combatant, id: str | None) -> Weapon | None:
    """The weapon, if it is at hand or fell from an arm that is injured still."""
    mine = next((weapon for weapon in sheet(one).weapons if weapon.id == id), None)
    if mine is not None and fell(one, f"weapon:{id}", mine.hand):
        return mine
    return weapon_of(one, id)


def declarable_item(one: Combatant, id: str | None) -> Item | None:
    """The item, if one is left, at hand or fallen from an arm that is injured still."""
    mine = next((item for item in sheet(one).items if item.id == id), None)
    left = mine is not None and mine.quantity > USED.of(one).get(mine.id, 0)
    if mine is not None and left and fell(one, f"item:{id}", mine.hand):
        return mine
    return item_of(one, id)


def arms_broken_for(one: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Conditions that keep the weapon's arms from using it (HE-BLUNT-08 to -12).

    What is part of the body is not held: only an arm that cannot attack, or a useless hand, stops
    it.
    """
    needed = set(arms_of(weapon.hand))
    stopping = ["hand-useless", "arm-cannot-attack"]
    if not weapon.natural:
        stopping.append("arm-cannot-hold")
    return tuple(each for each in stopping if disabled(one, each) & needed)


# ---- reach, threat


def ready(one: Combatant) -> list[Weapon]:
    """Usable, wielded melee weapons."""
    return [
        weapon
        for weapon in sheet(one).weapons
        if weapon.kind == "melee"
        and weapon.wielded
        and not has_lost(one, f"weapon:{weapon.id}")
        and not arms_broken_for(one, weapon)
    ]


def threat_terms(one: Combatant) -> Sum:
    """Longest reach of a ready melee weapon, unless given, in feet (GAP-15)."""
    given = sheet(one).threat_range_ft
    if given is not None:
        return Sum().add("threat range", given, "HE-REP-07")
    found = Sum()
    for weapon in sorted(ready(one), key=lambda weapon: -weapon.reach_ft):
        if found.parts:
            why = "the longest reach counts"
            found.lacks(weapon.id, why, "HE-REP-07", "sheet", int(weapon.reach_ft))
        else:
            found.add(weapon.id, weapon.reach_ft, "HE-REP-07")
    return found


def threat_range(one: Combatant) -> int:
    """How far it threatens, in feet."""
    return threat_terms(one).value


def feet(a: Square | None, b: Square | None) -> int | None:
    """5 ft × the greatest difference (GAP-15); None = theatre of the mind."""
    return None if a is None or b is None else SQUARE_FT * grid.distance(a, b)


def apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Feet between two combatants; in a tied slot the nearer of now and its start (HE-TIE-06)."""
    now = feet(combat[a].position, combat[b].position)
    slot = SLOT.of(combat)
    if now is None or slot is None or not slot.tied:
        return now
    before = feet(slot.start.get(a), slot.start.get(b))
    return now if before is None else min(now, before)


def simultaneous(combat: Combat) -> bool:
    """Whether several act at the same moment now, and nothing has come of it yet (HE-TIE-02)."""
    slot = SLOT.of(combat)
    return slot is not None and slot.tied


# ---- the count


def count(combat: Combat) -> int | None:
    """The initiative number at which things happen now; None = the count does not run."""
    step, _, number = combat.phase.partition("/")
    return int(number) if step == "count" and number else None


def counting(combat: Combat) -> bool:
    """Whether the count runs."""
    return combat.phase.partition("/")[0] == "count"


def turn_tag(combat: Combat, who: Id) -> str:
    """Which of its turns it has now: "" its normal one, "carried" the missed one."""
    for place in combat.queue:
        if place.who == who and who in combat.acting:
            return place.tag
    return ""


def declaration(combat: Combat, who: Id) -> Declaration:
    """What it declared for the turn that it has now: a missed one's as it was (HE-LATE-07)."""
    missed = missed_now(combat, combat[who])
    if missed is not None and turn_tag(combat, who) == "carried":
        return missed.declared
    return DECLARED.of(combat[who]) or NOTHING


NOTHING = Declaration("", 0)


def missed_now(combat: Combat, one: Combatant) -> Missed | None:
    """The missed turn that it has in this round (HE-LATE-05)."""
    return next((each for each in CARRIED.of(one) if each.round == combat.round), None)


# ---- movement


def must_crawl(one: Combatant) -> bool:
    """Down and not stabilized, or prone (HE-INC-02, GAP-26)."""
    return (is_down(one) and not one.has("stabilized")) or one.has("prone")


def movement(combat: Combat, one: Combatant) -> Sum:
    """Feet in this round (section 5): speed, halved for a shin (HE-BLUNT-02); the least of the
    half speeds, of what was declared (HE-FDEF-04) and of the stabilized (HE-STAB-05). Halves are
    not rounded (HE-MOVE-06)."""
    found = Sum().add("speed", sheet(one).speed_ft, "HE-MOVE-01")
    if one.has("half-speed"):
        found.then("divide", 2, "half speed", "HE-BLUNT-02", "condition")
    if defends(combat, one):
        found.then("divide", 2, "on full defense", "HE-FDEF-04", "state")
        if is_stabilized(one):
            found.lacks("stabilized", "half speed counts once", "HE-STAB-05", "condition")
    elif is_stabilized(one):
        found.then("divide", 2, "stabilized", "HE-STAB-05", "condition")
    return found


def move_limit(combat: Combat, one: Combatant) -> float:
    """Feet that it can move in this round."""
    return movement(combat, one).exact


def defends(combat: Combat, one: Combatant) -> bool:
    """Whether it has declared Full-Defense for a turn of this round."""
    declared, missed = DECLARED.of(one), missed_now(combat, one)
    turns = (declared, None if missed is None else missed.declared)
    return any(each is not None and each.action == "full-defense" for each in turns)


def is_stabilized(one: Combatant) -> bool:
    """Down, and stabilized."""
    return one.has("stabilized") and is_down(one)


# ---- what is shown


def base_initiative(combat: Combat, who: Id) -> Sum | None:
    """The die and its own modifiers, as they were when it fell (HE-INIT-02, -05)."""
    one = combat[who]
    return Sum().add("initiative", BASE.of(one), "HE-INIT-02", "roll") if BASE.known(one) else None


def round_initiative(combat: Combat, who: Id) -> Sum | None:
    """Base Initiative and the modifier of what was declared (HE-INIT-07)."""
    one = combat[who]
    if not ROUND_INITIATIVE.known(one):
        return None
    base, declared = BASE.of(one), DECLARED.of(one)
    found = Sum().add("initiative", base, "HE-INIT-02", "roll")
    label = "declared" if declared is None else declared.action
    why = f"{label} adds nothing"
    return found.add(label, ROUND_INITIATIVE.of(one) - base, "HE-INIT-07", "state", why=why)


def _counted(fact: Fact[Any], label: str, rule: str) -> Making:
    """What a fact counts."""
    return lambda combat, who: Sum().add(label, fact.of(combat[who]), rule, "state")


def _limit_shown(combat: Combat, who: Id) -> Sum:
    one = combat[who]
    if must_crawl(one):
        found = Sum().add("a yard", CRAWL_FT, "HE-INC-02", "rulebook")
        return found.lacks("speed", "it can only crawl", "HE-INC-02", "condition")
    return movement(combat, one)


NUMBERS: Mapping[str, Making] = {
    "base_initiative": base_initiative,
    "round_initiative": round_initiative,
    "actions_this_round": _counted(TAKEN, "taken this round", "HE-DYING-02"),
    "moved_ft": _counted(MOVED, "moved this round", "HE-MOVE-02"),
    "move_limit_ft": _limit_shown,
    "crawl_progress_ft": _counted(CRAWLED, "crawled", "HE-INC-02"),
    "current_attributes": lambda combat, who: {
        each: attribute_now(combat[who], each) for each in ATTRIBUTES
    },
    "defense": lambda combat, who: defense_terms(combat, combat[who]),
    "armour_score": lambda combat, who: armour_terms(combat[who]),
    "threat_range_ft": lambda combat, who: threat_terms(combat[who]),
    "dies_at": lambda combat, who: dies_at(combat[who]),
}
"""The numbers that the board shows."""


def shown(combat: Combat, who: Id) -> Mapping[str, Json]:
    """What else the board shows."""
    one = combat[who]
    facts = one.facts

    def used(kind: str) -> bool:
        return one.budget.get(kind, 1) < 1

    return {
        "declared": facts.get(DECLARED.name),
        "carried": next(iter(facts.get(CARRIED.name, ())), None),
        "standard_used": used("standard"),
        "free_used": used("free"),
        "reaction_used": used("reaction"),
        "wounds": facts.get(WOUNDS.name, []),
        "injuries": facts.get(INJURIES.name, []),
    }


def wound_word(combat: Combat, who: Id) -> str:
    """How it looks to a foe."""
    one = combat[who]
    for word in ("dead", "stabilized", "dying", "incapacitated"):
        if one.has(word):
            return word
    wounds, stress = one.tracks["wound_points"], one.tracks["stress"]
    if wounds.maximum is not None and wounds.value < wounds.maximum:
        return "wounded"
    return "winded" if stress.maximum and stress.value * 2 <= stress.maximum else "unhurt"
