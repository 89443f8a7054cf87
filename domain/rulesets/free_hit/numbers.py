"""The current numbers of a unit, computed from the state. Affray does not store them.

They are:

- Agility, Accuracy and Strength, as wounds and modifiers change them
- target numbers, slots and zones
- the actions and the movement of a turn
"""

from collections.abc import Mapping

from domain.record.combat import Combat, Combatant, Id, typed
from domain.rulebook import grid
from domain.rulebook.state_cache import once
from domain.rulebook.sums import Origin, Sum
from domain.rulesets.free_hit.ends import this_round
from domain.rulesets.free_hit.facts import FREE_HITS, OWED
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Modifier, Weapon
from domain.rulesets.free_hit.states import HELPLESS, sheet, summoned_by

rule("FH-AIM-02", "An attack can name a body part instead of its aim", f"{__name__}.AIMS")
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
    """Return true if the modifier applies to this kind of attack with this weapon."""
    return modifier.when in ("always", kind) or modifier.when == f"weapon:{weapon}"


@rule("FH-FT-01", "Feats change the rules for their owner")
def modified(
    total: Sum,
    combatant: Combatant,
    key: str,
    rule: str,
    kind: str = "always",
    weapon: Id | None = None,
    feats: bool = True,
) -> Sum:
    """Add the modifiers of a number, including modifiers of feats (FH-FT-01).

    The sum also lists the modifiers that do not apply, with the reason.
    """
    on_sheet = sheet(combatant).modifiers
    if not on_sheet and not combatant.conditions:
        return total
    lasting = [modifier for modifier in on_sheet if modifier.until is None]
    effects = [typed(condition.data, Modifier) for condition in combatant.all("modifier")]
    origins: tuple[tuple[Origin, list[Modifier]], ...] = (
        ("sheet", lasting), ("condition", effects),
    )  # fmt: skip
    for origin, modifiers in origins:
        for modifier in modifiers:
            if modifier.key != key:
                continue
            label = modifier.source or key
            if modifier.feat and not feats:
                total.lacks(label, "feats do not count here", rule, origin, modifier.value)
            elif matches(modifier, kind, weapon):
                total.add(label, modifier.value, rule, origin)
            else:
                why = f"it counts for {modifier.when} only"
                total.lacks(label, why, rule, origin, modifier.value)
    return total


# ---- abilities


@rule("FH-AIM-04", "A slowing wound lowers movement by 2 and Agility by 1")
def agility(combatant: Combatant) -> Sum:
    """Return the current Agility modifier, lowered by 1 for each slowing wound (FH-AIM-04)."""
    total = Sum().add("Agility", sheet(combatant).agility, "FH-ATK-02")
    modified(total, combatant, "agility", "FH-ATK-02")
    return _wounds(total, combatant, "wound-slowing", 1, "FH-AIM-04")


def strength(combatant: Combatant, kind: str = "always", weapon: Id | None = None) -> Sum:
    """Return the current Strength modifier in an attack of this kind.

    Each weakening wound lowers it by 1 (FH-AIM-05).
    """
    total = Sum().add("Strength", sheet(combatant).strength, "FH-DMG-02")
    modified(total, combatant, "strength", "FH-DMG-02", kind, weapon)
    return _wounds(total, combatant, "wound-weakening", 1, "FH-AIM-05")


def _wounds(total: Sum, combatant: Combatant, wound: str, loss: int, rule: str) -> Sum:
    count = len(combatant.all(wound))
    label = f"{wound.removeprefix('wound-')} wound"
    if count > 1:
        label = f"{count} × {label}"
    return total.add(label, -loss * count, rule, "condition", why="it has none")


@rule("FH-AIM-06", "A disrupting wound lowers Accuracy by 1 for the battle and by 3 for the round")
@rule("FH-AIM-07", "In the round of a disrupting wound, both penalties count")
def accuracy_terms(combat: Combat, combatant: Combatant) -> Sum:
    """Return Accuracy, lowered by 1 for each disrupting wound (FH-AIM-06).

    In the round of the wound, the wound lowers Accuracy by 3 more (FH-AIM-07).
    """
    wounds, now = combatant.all("wound-disrupting"), this_round(combat)
    fresh = [wound for wound in wounds if wound.data.get("round") == now]
    total = Sum().add("Accuracy", sheet(combatant).accuracy, "FH-ATK-02")
    _wounds(total, combatant, "wound-disrupting", 1, "FH-AIM-06")
    label = "disrupting wound, this round"
    return total.add(label, -3 * len(fresh), "FH-AIM-07", "condition", why="none is of this round")


def accuracy_now(combat: Combat, combatant: Combatant) -> Sum:
    """Return the current Accuracy modifier, for every attack (FH-ATK-04)."""
    return modified(accuracy_terms(combat, combatant), combatant, "accuracy", "FH-ATK-04")


# ---- dodging


@rule(
    "FH-FLT-02",
    "Helpless and channeling units are flat-footed, and units that do not notice the attacker",
)
@rule("FH-CHN-06", "A unit with Battle Caster dodges while it channels")
@rule("FH-FT-04", "A unit with Battle Caster dodges normally while it channels")
def is_flat_footed(combat: Combat, who: Id, attacker: Id | None = None) -> bool:
    """Return true if the unit is flat-footed (FH-FLT-02).

    It is flat-footed if it is helpless, if it channels without Battle Caster, or if it does not
    notice `attacker`.
    """
    combatant = combat[who]
    if combatant.has("flat-footed", *HELPLESS):
        return True
    if any(condition.data.get("flat_footed") for condition in combatant.conditions):
        return True
    if (
        combatant.has("channeling") and not sheet(combatant).feats.battle_caster
    ):  # FH-CHN-06, FH-FT-04
        return True
    return attacker is not None and is_undetected(combat, attacker, who)


def is_undetected(combat: Combat, sneaker: Id, by: Id) -> bool:
    """Return true if `by` does not notice `sneaker` (FH-SNK-01)."""
    for held in combat[sneaker].all("undetected"):
        unseen = held.data.get("by", "all")
        if unseen == "all" or by in unseen:
            return True
    return False


@rule("FH-BST-06", "A dodge boost does not count while the unit is flat-footed or prone")
@rule("FH-ATK-05", "Flat-footed, prone and dodging targets have different target numbers")
@rule("FH-ATK-06", "Armour, cover and distance change neither the total nor the target number")
@rule("FH-FLT-01", "A flat-footed unit has the target number 5 and does not dodge")
@rule("FH-FLT-04", "A unit that is flat-footed and prone has the target number 5")
@rule("FH-PRN-01", "A unit that lies down is prone")
@rule("FH-PRN-02", "A prone unit has the target number 5 + Agility and does not dodge")
def target_number(combat: Combat, who: Id, attacker: Id | None = None, kind: str = "always") -> Sum:
    """Return the number to reach, as a sum (FH-ATK-05).

    - Flat-footed: 5 (FH-FLT-01, FH-FLT-04).
    - Prone: 5 + Agility (FH-PRN-01, FH-PRN-02).
    - Otherwise: 10 + Agility.

    Dodge boosts count only for a unit that dodges (FH-BST-03, FH-BST-06). Armour, cover and
    distance change nothing (FH-ATK-06). `kind` is the kind of attack, because some modifiers count
    only against one kind.
    """
    combatant = combat[who]
    total = Sum()
    dodging = modified(Sum(), combatant, "dodge", "FH-ATK-05", kind)
    dodging.add(
        "dodge boost",
        boost(combatant, "dodge-boost"),
        "FH-BST-03",
        "condition",
        why="none is bought",
    )
    if combatant.has("defeated") or is_flat_footed(combat, who, attacker):
        total.add("flat-footed", 5, "FH-FLT-01", "condition")
        total.lacks("Agility", "it is flat-footed", "FH-FLT-01", "sheet", agility(combatant).value)
        return _not_dodging(total, dodging, "it is flat-footed", "FH-FLT-01")
    if combatant.has("prone"):
        total.add("prone", 5, "FH-PRN-02", "condition")
        total.nests("Agility", agility(combatant), "FH-PRN-02")
        return _not_dodging(total, dodging, "it is prone", "FH-PRN-02")
    total.add("base", 10, "FH-ATK-02", "rulebook")
    total.nests("Agility", agility(combatant), "FH-ATK-02")
    total.goes_on(dodging)
    for reduction in sheet(combatant).reductions:
        why = "armour lowers damage and is never harder to hit"
        total.lacks(reduction.source or "armour", why, "FH-ATK-06")
    return total


def _not_dodging(total: Sum, dodging: Sum, why: str, rule: str) -> Sum:
    for part in dodging.parts:
        total.lacks(part.label, why, rule, part.origin, int(part.value))
    return total


def boost(combatant: Combatant, condition: str) -> int:
    """Return the bonus of a bought boost (FH-BST-04)."""
    return sum(int(held.data.get("value", 1)) for held in combatant.all(condition))


# ---- free hits and zones


@rule("FH-FRE-03", "A unit has Agility + 1 free-hit slots per round, and each free hit uses one")
@rule("FH-FRE-05", "The number of slots follows the current Agility")
def free_hit_slots(combatant: Combatant) -> Sum:
    """Return Agility + 1 less the free hits of this round, at least 0 (FH-FRE-03, FH-FRE-05)."""
    total = Sum().nests("Agility", agility(combatant), "FH-FRE-03")
    total.add("everybody has", 1, "FH-FRE-03", "rulebook")
    modified(total, combatant, "free_hit_slots", "FH-FRE-03")
    made = -FREE_HITS.of(combatant)
    total.add("made this round", made, "FH-FRE-05", "state", why="none was made this round")
    return total.then("at-least", 0, "not below 0", "FH-FRE-03")


@rule("FH-ZON-02", "With the Reach feat, the zone is all squares within 2 spaces")
@rule("FH-ZON-03", "A weapon's reach does not enlarge the zone")
@rule("FH-FT-06", "Reach gives a zone of 2 spaces")
def zone_size(combatant: Combatant) -> Sum:
    """Return the radius of the zone in spaces: 1, or 2 with the feat Reach.

    Weapons do not change the radius. FH-ZON-01, FH-ZON-02, FH-ZON-03, FH-FT-06.
    """
    total = Sum().add("everybody has", 1, "FH-ZON-01", "rulebook")
    total.add(
        "Reach", 1 if sheet(combatant).feats.reach else 0, "FH-FT-06", why="it has not the feat"
    )
    for weapon in sheet(combatant).weapons:
        if weapon.reach:
            total.lacks(weapon.name, "no weapon makes the zone larger", "FH-ZON-03")
    return total


@once
def zone_radius(combatant: Combatant, feats: bool = True) -> int:
    """Return the radius of the zone as a number, or `1` if `feats` is false."""
    return zone_size(combatant).value if feats and sheet(combatant).feats.reach else 1


@rule("FH-MOV-09", "A distance is the largest difference on any axis between the nearest squares")
@once
def apart(combat: Combat, a: Id, b: Id) -> int | None:
    """Return the spaces between two units (FH-MOV-09), or `None` if a position is unknown."""
    combatant, other = combat[a], combat[b]
    if combatant.position is None or other.position is None:
        return None
    return grid.distance(
        combatant.position, other.position, sheet(combatant).size, sheet(other).size
    )


def reach(combatant: Combatant, weapon: Weapon, feats: bool = True) -> int:
    """Return the reach of a melee weapon in spaces, which is at least the zone (FH-ATK-07)."""
    return max(zone_radius(combatant, feats), weapon.reach or 0)


# ---- budget


def bonus_actions(combatant: Combatant) -> Sum:
    """Return the bonus actions: 2, less one for each weakening wound, plus modifiers.

    FH-SEQ-03, FH-TRN-01.
    """
    total = Sum().add("everybody has", 2, "FH-SEQ-03", "rulebook")
    _wounds(total, combatant, "wound-weakening", 1, "FH-AIM-05")
    modified(total, combatant, "bonus_actions", "FH-TRN-01")
    return total.then("at-least", 0, "not below 0", "FH-TRN-01")


@rule("FH-SEQ-03", "A turn offers 1 AA, 1 MA and 2 BA")
def fresh_budget(combatant: Combatant) -> dict[str, int]:
    """Return the budget of a turn: 1 AA, 1 MA and the bonus actions (FH-SEQ-03)."""
    return {"aa": 1, "ma": 1, "ba": bonus_actions(combatant).value}


def owed(combatant: Combatant) -> dict[str, int]:
    """Return the actions owed for standing up out of turn (FH-PRN-05)."""
    debt = OWED.of(combatant)
    return {kind: debt.get(kind, 0) for kind in ("aa", "ma", "ba")}


# ---- movement


@rule(
    "FH-MOV-02",
    "Sneaking, swimming, climbing, tumbling, a full load or a hindrance halves movement, once",
)
@rule("FH-MOV-03", "A prone unit moves a third")
@rule("FH-MOV-04", "Fixed changes apply first, then ½, then ⅓. The result is rounded down once")
@rule("FH-PRN-03", "A prone unit moves a third, and its own attacks have no penalty")
@rule("FH-FT-05", "A Maneuverer sneaks, swims and tumbles at full speed")
@rule("FH-FT-08", "An Athlete moves 2 more spaces")
def movement(combatant: Combatant, mode: str = "walk", bonus: bool = False) -> Sum:
    """Return the spaces of one movement (FH-MOV-04).

    Flat changes come first, then the divisors. The result is rounded down once.

    - A bonus move starts from 2 spaces, for 1 BA (FH-MOV-05).
    - An Athlete moves 2 more spaces (FH-FT-08). Each slowing wound costs 2 spaces (FH-AIM-04).
    - Sneaking, swimming, climbing, tumbling or a load halves the movement, once (FH-MOV-02).
    - A Maneuverer sneaks, swims and tumbles at full speed (FH-FT-05).
    - A prone unit moves a third of the distance (FH-MOV-03, FH-PRN-03).
    """
    unit = sheet(combatant)
    total = Sum()
    if bonus:
        total.add("a bonus action", 2, "FH-MOV-05", "rulebook")
    else:
        total.add("speed", unit.speed, "FH-MOV-01")
        athlete = 2 if unit.feats.athlete else 0
        total.add("Athlete", athlete, "FH-FT-08", why="it has not the feat")
        modified(total, combatant, "speed", "FH-MOV-04")
        _wounds(total, combatant, "wound-slowing", 2, "FH-AIM-04")
    total.then("at-least", 0, "not below 0", "FH-MOV-04")
    burdened = unit.at_max_capacity or combatant.has("hampered", "at_max_capacity")
    lifted = ("sneak", "swim", "tumble") if unit.feats.maneuverer else ()
    if burdened or (mode != "walk" and mode not in lifted):
        label = "at full capacity or hampered" if burdened else mode
        total.then("divide", 2, label, "FH-MOV-02", "condition")
    elif mode != "walk":
        total.lacks(mode, "a Maneuverer is not slowed by it", "FH-FT-05")
    if combatant.has("prone"):
        total.then("divide", 3, "prone", "FH-PRN-03", "condition")
    return total.then("round-down", 0, "rounded down once", "FH-MOV-04")


@once
def allowance(combatant: Combatant, mode: str = "walk", bonus: bool = False) -> int:
    """Return the spaces of one movement as a number."""
    return movement(combatant, mode, bonus).value


# ---- summons


@rule("FH-SMN-01", "A unit controls at most as many summoned units as its level")
@rule("FH-FT-03", "Legion Leader gives 2 more summoning slots")
def slots_for_summons(combatant: Combatant) -> Sum:
    """Return the summoning slots: the level, + 2 with Legion Leader (FH-FT-03), and modifiers.

    FH-SMN-01.
    """
    unit = sheet(combatant)
    total = Sum().add("level", unit.level, "FH-SMN-01")
    leads = 2 if unit.feats.legion_leader else 0
    total.add("Legion Leader", leads, "FH-FT-03", why="it has not the feat")
    modified(total, combatant, "summoning_slots", "FH-SMN-01")
    return total.then("at-least", 0, "not below 0", "FH-SMN-01")


def summoning_slots(combat: Combat, combatant: Combatant) -> tuple[int, int]:
    """Return the number of all summoning slots and the number of used slots."""
    return slots_for_summons(combatant).value, len(summoned_by(combat, combatant))
