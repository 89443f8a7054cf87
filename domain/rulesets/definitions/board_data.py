"""Derived numbers, words for wounds, distance and reach for the board (section 2.1)."""

from collections.abc import Iterator, Mapping

from msgspec import to_builtins

from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.distances import Between
from domain.rulebook.sums import Making, Sum
from domain.rulesets.definitions import arms, board, death_saves, numbers, states
from domain.rulesets.definitions.board import out_of_range
from domain.rulesets.definitions.deed import most_immediates
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
from domain.rulesets.definitions.sheet import ABILITIES, Ability
from domain.rulesets.definitions.states import hp, max_hp, partner


def budget(combat: Combat, who: Id) -> Mapping[str, Sum]:
    """Return the actions left in the turn, and the immediate actions of the round (DEF-TRN-03)."""
    combatant = combat[who]
    left = {kind: states.left(combatant, kind) for kind in ("standard", "move", "swift")}
    made = ATTACKS_MADE.of(combatant)
    attacks = Sum()
    if made > 0 or left["standard"] > 0 or FULL_ROUND.of(combatant) == "charge":
        attacks.add("attacks of a turn", len(numbers.attacks(combatant)), "DEF-TRN-08")
        attacks.add("made", -made, "DEF-MUL-02", "state", why="none is made")
        attacks.then("at-least", 0, "it has made more than it has by now", "DEF-TRN-08")
    else:
        attacks.lacks("attacks of a turn", "the standard action is spent", "DEF-TRN-06", "state")
    used = IMMEDIATE.of(combatant)
    most = 1 if used.category == "none" else most_immediates(combat, who, used.category)
    whole = Sum().add("standard action left", left["standard"], "DEF-FUL-01", "state")
    for kind, rule in (("move", "DEF-FUL-01"), ("swift", "DEF-FUL-03")):
        whole.then("at-most", left[kind], f"{kind} action left", rule, "state")
    return {
        **{
            kind: Sum().add("left of this turn", value, "DEF-TRN-03", "state")
            for kind, value in left.items()
        },
        "immediate": Sum()
        .add("in the own round", most, "DEF-IMM-02", "rulebook")
        .add("used", -used.times, "DEF-IMM-07", "state", why="none is used")
        .then("at-least", 0, "some by their own entry", "DEF-IMM-06"),
        "full_round": whole,
        "attack_actions_left": attacks,
    }


def initiative(combat: Combat, who: Id) -> Mapping[str, Sum | None] | None:
    """Return the initiative total, and the place in the order, counted from 1 (DEF-INI-06).

    The total has decimals if the option `initiative_decimals` is true.
    """
    combatant = combat[who]
    hundredths = INITIATIVE.of(combatant)
    if hundredths is None:
        return None
    decimals = bool(combat.options.get("initiative_decimals"))
    total = hundredths / 100 if decimals else hundredths // 100
    places = [place.who for place in combat.order]
    place = None
    if who in places:
        place = Sum().add("itself", 1, "DEF-INI-01", "rulebook")
        before = places.index(who)
        place.add("combatants before it", before, "DEF-INI-01", "state", why="it is first")
    return {"total": Sum().add("initiative", total, "DEF-INI-01", "roll"), "place": place}


def death(combat: Combat, who: Id) -> Mapping[str, Sum]:
    """Return the failed death saves in a row, and the number that the next save must reach."""
    combatant = combat[who]
    style = str(combat.options.get("death_roll"))
    fails = Sum().add("failures in a row", FAILS.of(combatant), "DEF-DTH-06", "state")
    if not combatant.has("bleeding-out"):
        return {"fails": fails}
    name = "threshold" if style == "all-equal" else "dc"
    return {"fails": fails, name: death_saves.needed_now(combatant, style)}


def _modifier(ability: Ability) -> Making:
    return lambda combat, who: numbers.ability_modifier(combat[who], ability)


NUMBERS: Mapping[str, Making] = {
    **{f"{name}_mod": _modifier(name) for name in ABILITIES},
    "ac": lambda combat, who: numbers.armor_terms(combat[who]),
    "touch_ac": lambda combat, who: numbers.armor_terms(combat[who], touch=True),
    "flat_footed_ac": lambda combat, who: numbers.armor_terms(combat[who], flat_footed=True),
    "attack_bonuses": lambda combat, who: numbers.attacks(combat[who]),
    "movement_ft": lambda combat, who: numbers.movement(combat[who]),
    "space": lambda combat, who: Sum().add("squares", board.space(combat[who]), "DEF-SPC-01"),
    "natural_reach": lambda combat, who: Sum().add(
        "natural reach", board.reach(combat[who]), "DEF-RCH-01"
    ),
    "budget": budget,
    "immediates_used": lambda combat, who: Sum().add(
        "in the own round", IMMEDIATE.of(combat[who]).times, "DEF-IMM-07", "state"
    ),
    "initiative": initiative,
    "death": death,
}
"""The numbers of section 2.1."""


def shown(combat: Combat, who: Id) -> Mapping[str, Json]:
    """Return further data for the board."""
    combatant = combat[who]
    held = arms.slots(combatant)
    return {
        "threatened_squares": board.threatened_squares(combat, who),
        "free_actions_used": list(FREE_USED.of(combatant)),
        "immediate_category": IMMEDIATE.of(combatant).category,
        "held": held_action(combatant),
        "wounds": [dict(wound.data) for wound in combatant.all("wounded")],
        "free_hand": arms.free_hand(combatant),
        "slots": {"primary": held.primary, "offhand": held.offhand},
        "stance": STANCE.of(combatant) or "none",
        "grapple": grapple(combat, combatant),
        "swallowed_by": swallowed(combatant),
    }


def held_action(combatant: Combatant) -> Mapping[str, Json] | None:
    held = HELD.of(combatant)
    if held is None:
        return None
    return {"slot": held.slot, "action": held.action, "trigger": to_builtins(held.trigger)}


def grapple(combat: Combat, combatant: Combatant) -> Mapping[str, Json] | None:
    """Return the two combatants of a grapple, the pin, and the submissions in a row."""
    other = partner(combat, combatant.id)
    if other is None:
        return None
    leads = combatant.has("grappling")
    aggressor, defender = (combatant, combat[other]) if leads else (combat[other], combatant)
    return {
        "aggressor": aggressor.id,
        "defender": defender.id,
        "pinned": defender.has("pinned"),
        "submission": SUBMISSION.of(aggressor),
    }


def swallowed(combatant: Combatant) -> Mapping[str, Json] | None:
    inside = INSIDE.of(combatant)
    if inside is None:
        return None
    return {"name": inside.by, "rounds": inside.rounds, "damage_dealt": inside.damage}


def wound_word(combat: Combat, who: Id) -> str:
    """Return the word that describes a combatant's condition to a foe."""
    combatant = combat[who]
    for word in ("dead", "stabilized", "bleeding-out", "unconscious"):
        if combatant.has(word):
            return word
    if hp(combatant) >= max_hp(combatant):
        return "unhurt"
    return "hurt" if 2 * hp(combatant) > max_hp(combatant) else "bloodied"


SQUARE_FT = 5


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return the distance from `who` to `target`, the weapons in reach, and `threatens`.

    `threatens` is true if the target is in a square that `who` threatens. The rulebook has no rules
    for sight or cover.
    """
    squares = board.distance(combat, who, target)
    if squares is None:
        return Between(unit="ft", words={"threatens": None})
    return Between(
        distance=SQUARE_FT * squares,
        unit="ft",
        reach=tuple(_reaching(combat, who, target)),
        words={"threatens": board.threatens(combat, who, target)},
    )


def _reaching(combat: Combat, who: Id, target: Id) -> Iterator[Id]:
    for weapon in arms.ready(combat[who]):
        if weapon.kind == "ranged":
            if not any(out_of_range(combat, who, target, weapon.range_ft, weapon.id)):
                yield weapon.id
        elif board.within_reach(combat, who, target, weapon):
            yield weapon.id
