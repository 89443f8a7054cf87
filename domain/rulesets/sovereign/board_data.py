"""The numbers, wounds, distances, sight, cover and reach that the board shows."""

from collections.abc import Iterator, Mapping

from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.distances import Between
from domain.rulebook.sums import Making, Sum
from domain.rulesets.sovereign import abilities, arms, board, items
from domain.rulesets.sovereign.arms import in_hand
from domain.rulesets.sovereign.blow import MODES, fits, reach_refusals
from domain.rulesets.sovereign.facts import CAST, COVER, SCREENED, SHIELD_USED
from domain.rulesets.sovereign.numbers import HELPLESS, ac_terms, movement, sheet_of
from domain.rulesets.sovereign.sheet import Weapon


def since_fall(combat: Combat, who: Id) -> Sum | None:
    """Return the rounds since the combatant was mortally injured (SOV-DOWN-05)."""
    fell = next((held for held in combat[who].all("mortally-injured")), None)
    if fell is None:
        return None
    total = Sum().add("this round", combat.round, "SOV-DOWN-05", "state")
    fallen = int(fell.data.get("round", combat.round))
    return total.add("round of the fall", -fallen, "SOV-DOWN-05", "state")


def left_of_turn(combat: Combat, who: Id) -> Mapping[str, Sum]:
    """Return the Main and the Move that are left (SOV-SEQ-03)."""
    budget = combat[who].budget
    return {
        kind: Sum().add("left of this turn", budget.get(kind, 0), "SOV-SEQ-03", "state")
        for kind in ("main", "move")
    }


NUMBERS: Mapping[str, Making] = {
    "effective_ac": lambda combat, who: ac_terms(combat[who]),
    "budget": left_of_turn,
    "rounds_since_fall": since_fall,
    "movement_ft": lambda combat, who: movement(combat[who]),
    "space": lambda combat, who: Sum().add("space", board.space(combat[who]), "SOV-GRID-01"),
    "uses_left": lambda combat, who: uses_left(combat[who]),
}
"The numbers that Affray shows on the board, with their sums."


def shown(combat: Combat, who: Id) -> Mapping[str, Json]:
    """Return the data of a combatant that the board shows beside its numbers."""
    combatant = combat[who]
    return {
        "armed": arms.armed(combat, who),
        "in_melee": arms.in_melee(combat, who),
        "shield_used": SHIELD_USED.of(combatant),
        "screened_attackers": list(SCREENED.of(combatant)),
        "in_hand": [weapon.id for weapon in arms.in_hand(combatant)],
        "weapons": [carried(combatant, weapon) for weapon in arms.weapons(combatant)],
        "items": [
            {"id": item.id, "name": item.name, "state": items.item_state(combatant, item)}
            for item in items.items(combatant)
        ],
        "near": [
            {"id": thing.id, "name": thing.name, "of": thing.of}
            for thing in items.within_reach(combat, who)
        ],
    }


def carried(combatant: Combatant, weapon: Weapon) -> Mapping[str, Json]:
    """Return the place of a weapon, its load and the pieces that are left."""
    return {
        "id": weapon.id,
        "name": weapon.name,
        "state": arms.state(combatant, weapon),
        "loaded": arms.loaded(combatant, weapon),
        "count": arms.count(combatant, weapon),
    }


def uses_left(combatant: Combatant) -> Mapping[str, Sum]:
    """Return the remaining uses of each ability and spell that has a limit, by id."""
    page, cast = sheet_of(combatant), CAST.of(combatant)
    left = {
        ability.id: _uses(ability.uses, abilities.used(combatant, ability.id), "SOV-INST-01")
        for ability in page.abilities
        if ability.uses is not None
    }
    for spell in page.spells:
        if spell.uses is not None:
            left[spell.id] = _uses(spell.uses, cast.get(spell.id, 0), "SOV-SPELL-01")
    return left


def _uses(most: int, used: int, rule: str) -> Sum:
    total = Sum().add("uses", most, rule)
    total.add("used", -used, rule, "state", why="none is used")
    return total.then("at-least", 0, "not below 0", rule)


def wound_word(combat: Combat, who: Id) -> str:
    """Return the word that describes the combatant's wounds to a foe."""
    hp = combat[who].tracks["hp"]
    helpless = combat[who].first(*HELPLESS)
    if helpless is not None or hp.is_full:
        return helpless or "unhurt"
    return "hurt" if hp.value * 2 > (hp.maximum or 0) else "bloodied"


# ---- between two combatants


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return distance, sight, cover and reach for an attack of `who` on `target`.

    `corners` is the number of the target's eight corners that `who` sees. `reasons` lists the facts
    that decide, with their rules.
    """
    view_of, covered = board.view(combat, who, target), board.cover(combat, who, target)
    said = COVER.of(combat)
    reasons: list[Mapping[str, Json]] = []
    if view_of is None:
        reasons.append(_because("one of them is nowhere", "SOV-LOS-01"))
    else:
        lines = f"{view_of.seen} of 8 corners are seen" if view_of.los else "no line is free"
        reasons.append(_because(lines, "SOV-LOS-08" if view_of.los else "SOV-LOS-01"))
    if f"{who}>{target}" in said or f"{target}>{who}" in said:
        reasons.append(_because("the GM has ruled on this pair", "SOV-LOS-10"))
    if not board.sees(combat, who, target):
        reasons.append(_because("it is dark, or hard to see", "SOV-ATK-07"))
    feet, line = board.feet_apart(combat, who, target), board.los(combat, who, target)
    words: Mapping[str, Json] = {
        "feet": feet,
        "adjacent": board.adjacent(combat, who, target),
        "los": line,
        "cover": covered,
        "modifier": {"none": 0, "half": -2, "full": -4}[covered],
        "corners": None if view_of is None else view_of.seen,
        "sees": board.sees(combat, who, target),
        "located": board.located(combat, who, target),
        "reasons": reasons,
    }
    reach = None if feet is None else tuple(_reaching(combat, who, target))
    return Between(distance=feet, unit="ft", line=line, cover=covered, reach=reach, words=words)


def _reaching(combat: Combat, who: Id, target: Id) -> Iterator[Id]:
    """Yield the weapons in hand that reach the target (SOV-MEL-01, SOV-RNG-01)."""
    combatant = combat[who]
    fists = sheet_of(combatant).unarmed
    for weapon in (*in_hand(combatant), *(() if fists is None else (fists,))):
        modes = (mode for mode in MODES if fits(weapon, mode))
        if any(not any(reach_refusals(combat, who, target, weapon, mode)) for mode in modes):
            yield weapon.id


def _because(text: str, rule: str) -> Mapping[str, Json]:
    return {"text": text, "rule": rule}
