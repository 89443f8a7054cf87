"""Board data of a combatant: derived numbers, and a word for its wounds."""

from collections.abc import Mapping

from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.sums import Making, Sum
from domain.rulesets.sovereign import abilities, arms, board, items
from domain.rulesets.sovereign.facts import CAST, SCREENED, SHIELD_USED
from domain.rulesets.sovereign.numbers import HELPLESS, ac_terms, movement, sheet_of
from domain.rulesets.sovereign.sheet import Weapon


def since_fall(combat: Combat, who: Id) -> Sum | None:
    """Rounds since it was mortally injured (SOV-DOWN-05)."""
    fell = next((held for held in combat[who].all("mortally-injured")), None)
    if fell is None:
        return None
    total = Sum().add("this round", combat.round, "SOV-DOWN-05", "state")
    fallen = int(fell.data.get("round", combat.round))
    return total.add("round of the fall", -fallen, "SOV-DOWN-05", "state")


def left_of_turn(combat: Combat, who: Id) -> Mapping[str, Sum]:
    """Main and Move that are left (SOV-SEQ-03)."""
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
"""The numbers that the board shows."""


def shown(combat: Combat, who: Id) -> Mapping[str, Json]:
    """Return further data for the board."""
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
    """Where a weapon is, whether it is loaded, how many pieces are left."""
    return {
        "id": weapon.id,
        "name": weapon.name,
        "state": arms.state(combatant, weapon),
        "loaded": arms.loaded(combatant, weapon),
        "count": arms.count(combatant, weapon),
    }


def uses_left(combatant: Combatant) -> Mapping[str, Sum]:
    """Of abilities and spells that can be used up, by id."""
    page, cast = sheet_of(combatant), CAST.of(combatant)
    found = {
        ability.id: _uses(ability.uses, abilities.used(combatant, ability.id), "SOV-INST-01")
        for ability in page.abilities
        if ability.uses is not None
    }
    for spell in page.spells:
        if spell.uses is not None:
            found[spell.id] = _uses(spell.uses, cast.get(spell.id, 0), "SOV-SPELL-01")
    return found


def _uses(most: int, used: int, rule: str) -> Sum:
    total = Sum().add("uses", most, rule)
    total.add("used", -used, rule, "state", why="none is used")
    return total.then("at-least", 0, "not below 0", rule)


def wound_word(combat: Combat, who: Id) -> str:
    """Return the word for how a combatant looks to a foe."""
    hp = combat[who].tracks["hp"]
    helpless = combat[who].first(*HELPLESS)
    if helpless is not None or hp.is_full:
        return helpless or "unhurt"
    return "hurt" if hp.value * 2 > (hp.maximum or 0) else "bloodied"
