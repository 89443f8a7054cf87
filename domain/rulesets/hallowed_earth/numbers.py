"""What a combatant's numbers are now: functions of the state, never stored copies.

Scores and modifiers with attribute damage, Defense and Armour, reach and threat, limits of speed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.record.combat import Combat, Combatant, Id, Square, typed
from domain.record.events import Term
from domain.rulebook import grid
from domain.rulesets.hallowed_earth.sheet import (
    ATTRIBUTES,
    Attribute,
    Creature,
    Options,
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


def by_agility(combat: Combat, ids: Iterator[Id] | tuple[Id, ...] | list[Id]) -> list[Id]:
    """Higher Agility score first, then join order: the order of asking (HE-TIE-07)."""
    joined = {one.id: number for number, one in enumerate(combat)}
    unique = [who for who in dict.fromkeys(ids) if who in joined]
    return sorted(unique, key=lambda who: (-current(combat[who], "agility"), joined[who]))


# ---- attributes


def current(one: Combatant, attribute: Attribute) -> int:
    """The score after attribute damage, not below 0 (HE-ATTR-03)."""
    lost: dict[str, int] = one.facts.get("attribute_damage", {})
    return max(0, score(sheet(one), attribute) - lost.get(attribute, 0))


def from_score(combat: Combat, value: int) -> int:
    """⌊(score − 10) / 2⌋, or the table's own list (GAP-03)."""
    table = options(combat).attribute_modifiers
    if table == "d20":
        return (value - 10) // 2
    steps = sorted((step.start, step.modifier) for step in table)
    fitting = [modifier for start, modifier in steps if start <= value]
    return fitting[-1] if fitting else steps[0][1]


def modifier(combat: Combat, one: Combatant, attribute: Attribute) -> int:
    """A given modifier wins; attribute damage moves it by the difference (HE-ATTR-03)."""
    full = score(sheet(one), attribute)
    given = sheet(one).modifiers.get(attribute, from_score(combat, full))
    return given + from_score(combat, current(one, attribute)) - from_score(combat, full)


def death_limit(one: Combatant) -> int:
    """Wound Points at which it dies: −(Strength score), at most −1 (HE-WP-07, HE-ATTR-06)."""
    return -max(1, current(one, "strength"))


# ---- Defense and Armour


def has_lost(one: Combatant, thing: str) -> bool:
    """Dropped or thrown: "weapon:axe", "item:flask", "shield:shield"."""
    return thing in one.facts.get("lost", {})


def shield_counts(one: Combatant) -> bool:
    """Held and not dropped (HE-ATK-06)."""
    shield = sheet(one).shield
    return shield is not None and shield.held and not has_lost(one, f"shield:{shield.id}")


def defense_terms(combat: Combat, one: Combatant) -> tuple[Term, ...]:
    """10 + Agility modifier + Defense bonuses, all added up (HE-ATK-01, -02), + stance."""
    card = sheet(one)
    agility = modifier(combat, one, "agility")
    shield = card.shield if shield_counts(one) else None
    terms: tuple[Term, ...]
    if card.defense is not None:  # replaces all but stances and later changes
        full = card.modifiers.get("agility", from_score(combat, score(card, "agility")))
        dropped = card.shield is not None and card.shield.held and shield is None
        terms = (
            Term("Defense", card.defense, "HE-ATK-01"),
            Term("Agility damage", agility - full, "HE-ATTR-04"),
            Term("shield lost", -card.shield.defense_bonus if dropped else 0, "HE-ATK-06"),  # type: ignore[union-attr]
        )
    else:
        terms = (
            Term("base", 10, "HE-ATK-01"),
            Term("Agility", agility, "HE-ATK-01"),
            Term("Defense bonus", card.defense_bonus, "HE-ATK-01"),
            *(
                Term(piece.id, piece.defense_bonus, "HE-ATK-06")
                for piece in card.armour
                if piece.worn
            ),
            Term(shield.id, shield.defense_bonus, "HE-ATK-06") if shield else Term("shield", 0),
            *(Term(one.reason, one.value, "HE-ATK-02") for one in card.defense_modifiers),
        )
    stance = FULL_DEFENSE if one.has("full-defense") else 0
    return (*terms, Term("Full-Defense", stance, "HE-FDEF-02"))


def defense(combat: Combat, one: Combatant) -> int:
    """The number that an attack must reach (HE-ATK-03)."""
    return sum(term.value for term in defense_terms(combat, one))


def armour(one: Combatant) -> int:
    """The sum of all Armour bonuses, taken off each hit (HE-ARM-01)."""
    card = sheet(one)
    shield = card.shield
    if card.armour_score is not None:
        lost = shield is not None and shield.held and not shield_counts(one)
        return card.armour_score - (shield.armour_bonus if lost and shield else 0)
    worn = sum(piece.armour_bonus for piece in card.armour if piece.worn)
    held = shield.armour_bonus if shield is not None and shield_counts(one) else 0
    return worn + held + sum(one.value for one in card.armour_modifiers)


# ---- weapons, reach, threat


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
    """The weapon, if it is there."""
    return next(
        (
            weapon
            for weapon in sheet(one).weapons
            if weapon.id == id and not has_lost(one, f"weapon:{weapon.id}")
        ),
        None,
    )


def arm_works(one: Combatant, weapon: Weapon) -> bool:
    """No arm that it needs is disabled (HE-BLUNT-08 to -12)."""
    bad = disabled(one, "arm-cannot-attack", "arm-cannot-hold", "hand-useless")
    return not bad & set(arms_of(weapon.hand))


def ready(one: Combatant) -> list[Weapon]:
    """Usable, wielded melee weapons."""
    return [
        weapon
        for weapon in sheet(one).weapons
        if weapon.kind == "melee"
        and weapon.wielded
        and not has_lost(one, f"weapon:{weapon.id}")
        and arm_works(one, weapon)
    ]


def threat_range(one: Combatant) -> int:
    """Longest reach of a ready melee weapon, unless given, in feet (GAP-15)."""
    given = sheet(one).threat_range_ft
    if given is not None:
        return given
    return max((weapon.reach_ft for weapon in ready(one)), default=0)


def feet(a: Square | None, b: Square | None) -> int | None:
    """5 ft × the greatest difference (GAP-15); None = theatre of the mind."""
    return None if a is None or b is None else SQUARE_FT * grid.distance(a, b)


def apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Feet between two combatants; in a tied slot the nearer of now and its start (HE-TIE-06)."""
    now = feet(combat[a].position, combat[b].position)
    start: Mapping[str, Any] = combat.facts.get("slot", {}).get("start", {})
    places = [start.get(a), start.get(b)]
    if now is None or None in places:
        return now
    before = feet(tuple(places[0]), tuple(places[1]))  # type: ignore[arg-type]
    return now if before is None else min(now, before)


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


def declaration(combat: Combat, who: Id) -> Mapping[str, Any]:
    """What it declared for the turn that it has now."""
    one = combat[who]
    if turn_tag(combat, who) == "carried":
        carried: Mapping[str, Any] = one.facts.get("carried", {}).get("declared", {})
        return carried
    declared: Mapping[str, Any] = one.facts.get("declared", {})
    return declared


def has_carried(combat: Combat, one: Combatant) -> bool:
    """Whether it has a missed turn in this round (HE-LATE-05)."""
    return bool(one.facts.get("carried", {}).get("round") == combat.round)


# ---- movement


def must_crawl(one: Combatant) -> bool:
    """Down and not stabilized, or prone (HE-INC-02, GAP-26)."""
    return (is_down(one) and not one.has("stabilized")) or one.has("prone")


def move_limit(combat: Combat, one: Combatant) -> float:
    """Feet in this round (section 5): speed, halved for a shin; the least of the half speeds."""
    speed: float = sheet(one).speed_ft
    if one.has("half-speed"):
        speed /= 2
    declared = [one.facts.get("declared", {})]
    if has_carried(combat, one):
        declared.append(one.facts["carried"]["declared"])
    defends = any(each.get("action") == "full-defense" for each in declared)
    if defends or (one.has("stabilized") and is_down(one)):
        return speed / 2
    return speed


def moved(one: Combatant) -> float:
    """Feet moved in this round."""
    feet_moved: float = one.facts.get("moved_ft", 0)
    return feet_moved


# ---- what is shown


def derived(combat: Combat, who: Id) -> Mapping[str, Any]:
    """The numbers that the board shows."""
    one = combat[who]
    facts = one.facts
    return {
        "base_initiative": facts.get("base_initiative"),
        "round_initiative": facts.get("round_initiative"),
        "declared": facts.get("declared"),
        "carried": facts.get("carried"),
        "standard_used": "standard" in one.budget and one.budget["standard"] < 1,
        "free_used": "free" in one.budget and one.budget["free"] < 1,
        "reaction_used": "reaction" in one.budget and one.budget["reaction"] < 1,
        "actions_this_round": facts.get("actions", 0),
        "moved_ft": moved(one),
        "move_limit_ft": CRAWL_FT if must_crawl(one) else move_limit(combat, one),
        "crawl_progress_ft": facts.get("crawl_progress_ft", 0),
        "current_attributes": {each: current(one, each) for each in ATTRIBUTES},
        "defense": defense(combat, one),
        "armour_score": armour(one),
        "threat_range_ft": threat_range(one),
        "dies_at": death_limit(one),
        "wounds": facts.get("wounds", []),
        "injuries": facts.get("injuries", []),
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
