"""What the board shows of a combatant: derived numbers, and a word for its wounds (2.1)."""

from collections.abc import Mapping

from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulesets.definitions import arms, board, dying, numbers
from domain.rulesets.definitions.facts import (
    ATTACKS_MADE,
    FAILS,
    FREE_USED,
    FULL_ROUND,
    HELD,
    IMMEDIATE,
    INITIATIVE,
    INSIDE,
    STANCE,
    SUBMISSION,
)
from domain.rulesets.definitions.states import partner, sheet_of

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


def derived(combat: Combat, who: Id) -> Mapping[str, Json]:
    """The numbers of section 2.1, as they are now."""
    one = combat[who]
    used = IMMEDIATE.of(one)
    held = arms.slots(one)
    return {
        **{f"{name}_mod": numbers.modifier(one, name) for name in ABILITIES},  # type: ignore[arg-type]
        "ac": numbers.armor_class(one),
        "touch_ac": numbers.armor_class(one, touch=True),
        "flat_footed_ac": numbers.armor_class(one, flat_footed=True),
        "attack_bonuses": list(numbers.attack_bonuses(one)),
        "threatened_squares": board.threatened_squares(combat, who),
        "movement_ft": numbers.movement_ft(one),
        "space": board.space(one),
        "natural_reach": board.reach(one),
        "budget": budget(one),
        "free_actions_used": list(FREE_USED.of(one)),
        "immediate_category": used.category,
        "immediates_used": used.times,
        "initiative": initiative(combat, one),
        "death": death(combat, one),
        "held": held_action(one),
        "wounds": [dict(wound.data) for wound in one.all("wounded")],
        "free_hand": arms.free_hand(one),
        "slots": {"primary": held.primary, "offhand": held.offhand},
        "stance": STANCE.of(one) or "none",
        "grapple": grapple(combat, one),
        "swallowed_by": swallowed(one),
    }


def budget(one: Combatant) -> Mapping[str, Json]:
    """What is left of the turn (DEF-TRN-03)."""
    made, most = ATTACKS_MADE.of(one), len(numbers.attack_bonuses(one))
    standard = one.budget.get("standard", 0)
    charge = FULL_ROUND.of(one) == "charge"
    open_to_attacks = made > 0 or standard > 0 or charge
    return {
        "standard": standard,
        "move": one.budget.get("move", 0),
        "swift": one.budget.get("swift", 0),
        "immediate": 0 if IMMEDIATE.of(one).times else 1,
        "full_round": FULL_ROUND.of(one) or None,
        "attack_actions_left": most - made if open_to_attacks else 0,
    }


def initiative(combat: Combat, one: Combatant) -> Mapping[str, Json] | None:
    """Total, with its decimals if the table has them, and place from 1 (DEF-INI-06)."""
    if not INITIATIVE.known(one):
        return None
    hundredths = INITIATIVE.of(one)
    decimals = bool(combat.options.get("initiative_decimals"))
    places = [place.who for place in combat.order]
    return {
        "total": hundredths / 100 if decimals else hundredths // 100,
        "place": places.index(one.id) + 1 if one.id in places else None,
    }


def death(combat: Combat, one: Combatant) -> Mapping[str, Json] | None:
    """Failures in a row, and what the next save needs."""
    if not one.has("bleeding-out"):
        return None
    style = str(combat.options.get("death_roll"))
    if style == "all-equal":
        return {"fails": FAILS.of(one), "threshold": dying.threshold(one)}
    return {"fails": FAILS.of(one), "dc": dying.death_dc(one, style)}


def held_action(one: Combatant) -> Mapping[str, Json] | None:
    held = HELD.of(one)
    if held is None:
        return None
    when = held.trigger
    trigger = {
        "event": when.event,
        "who": when.who,
        "target": when.target,
        "action": when.action,
        "text": when.text,
    }
    return {"slot": held.slot, "action": held.action, "trigger": trigger}


def grapple(combat: Combat, one: Combatant) -> Mapping[str, Json] | None:
    """Who holds whom, pinned or not, and how many submissions in a row."""
    other = partner(combat, one.id)
    if other is None:
        return None
    leads = one.has("grappling")
    aggressor, defender = (one, combat[other]) if leads else (combat[other], one)
    return {
        "aggressor": aggressor.id,
        "defender": defender.id,
        "pinned": defender.has("pinned"),
        "submission": SUBMISSION.of(aggressor),
    }


def swallowed(one: Combatant) -> Mapping[str, Json] | None:
    inside = INSIDE.of(one)
    if inside is None:
        return None
    return {"name": inside.by, "rounds": inside.rounds, "damage_dealt": inside.damage}


def wound_word(combat: Combat, who: Id) -> str:
    """How somebody looks to a foe."""
    one = combat[who]
    for word in ("dead", "stabilized", "bleeding-out", "unconscious"):
        if one.has(word):
            return word
    track = one.tracks["hp"]
    most = track.maximum or sheet_of(one).max_hp
    if track.value >= most:
        return "unhurt"
    return "hurt" if track.value * 2 > most else "bloodied"
