"""Derive the numbers of a unit for the board, and the word for its wounds (section 2.1)."""

from collections.abc import Mapping
from typing import Any

from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.sums import Making, Sum
from domain.rulesets.free_hit.facts import CASTING, UPKEEP
from domain.rulesets.free_hit.numbers import (
    accuracy_now,
    agility,
    free_hit_slots,
    movement,
    owed,
    slots_for_summons,
    strength,
    target_number,
    zone_size,
)
from domain.rulesets.free_hit.states import OUT, sheet, summoned_by


def lineup(combat: Combat, who: Id) -> Sum | None:
    """Return the unit's place in the lineup, counted from 1 (FH-INI-01)."""
    places = [place.who for place in combat.order]
    if who not in places:
        return None
    total = Sum().add("itself", 1, "FH-INI-01", "rulebook")
    return total.add("units before it", places.index(who), "FH-INI-01", "state", why="it is first")


def hp_at_most(combat: Combat, who: Id) -> Sum:
    """Return the maximum HP: the maximum on the sheet less the cost of thralls (FH-THR-05)."""
    combatant = combat[who]
    full = sheet(combatant).max_hp
    now = combatant.tracks["hp"].maximum
    total = Sum().add("hit points at most", full, "FH-DMG-06")
    changed = 0 if now is None else now - full
    return total.add("thralls and rulings", changed, "FH-THR-05", "state", why="nothing changed it")


def used_slots(combat: Combat, combatant: Combatant) -> Sum:
    """Return the number of used summoning slots. Each summoned unit uses a slot (FH-SMN-01)."""
    total = Sum()
    for other in summoned_by(combat, combatant):
        total.add(other.id, 1, "FH-SMN-01", "state")
    return total


NUMBERS: Mapping[str, Making] = {
    "lineup": lineup,
    "size": lambda combat, who: Sum().add("size", sheet(combat[who]).size, "FH-MOV-07"),
    "owed": lambda combat, who: {
        kind: Sum().add("for standing up out of turn", spent, "FH-PRN-05", "state", why="nothing")
        for kind, spent in owed(combat[who]).items()
    },
    "agility_now": lambda combat, who: agility(combat[who]),
    "accuracy_now": lambda combat, who: accuracy_now(combat, combat[who]),
    "strength_now": lambda combat, who: strength(combat[who]),
    "free_hit_slots": lambda combat, who: free_hit_slots(combat[who]),
    "zone_radius": lambda combat, who: zone_size(combat[who]),
    "target_number": target_number,
    "move_allowance": lambda combat, who: movement(combat[who]),
    "max_hp_now": hp_at_most,
    "summoning_slots": lambda combat, who: {
        "total": slots_for_summons(combat[who]),
        "used": used_slots(combat, combat[who]),
    },
}
"""The numbers that the board shows."""


def shown(combat: Combat, who: Id) -> Mapping[str, Any]:
    """Return the spells that the unit casts or maintains, for the board."""
    combatant = combat[who]
    return {"casting": CASTING.of(combatant), "upkeep": sorted(UPKEEP.of(combatant))}


def wound_word(combat: Combat, who: Id) -> str:
    """Return the word that describes the unit's wounds to a foe."""
    hp = combat[who].tracks["hp"]
    out, most = combat[who].first(*OUT), hp.maximum or 0
    if out is not None or hp.is_full:
        return out or "unhurt"
    if hp.value * 2 > most:
        return "hurt"
    return "bloodied" if hp.value * 4 > most else "near defeat"
