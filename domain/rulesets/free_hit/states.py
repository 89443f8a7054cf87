"""Decide which units are in the fight and which can act (FH-SEQ-06, FH-TRN-03, FH-SMN)."""

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Condition, Id, typed
from domain.rulebook import presence
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.id_names import words
from domain.rulebook.state_cache import once
from domain.rulesets.free_hit.rules import rule
from domain.rulesets.free_hit.sheet import Unit

OUT = ("defeated", "dead", "fled", "yielded", "gone")
"""Conditions that take a unit out of the fight (FH-SEQ-06)."""


HELPLESS = ("summoning-sick", "tied", "frozen", "paralysed")
"""Conditions that make a unit unable to act and flat-footed (FH-TRN-03, FH-FLT-03)."""


def sheet(combatant: Combatant) -> Unit:
    """Return the unit's sheet."""
    return typed(combatant.sheet, Unit)


@rule(
    "FH-SEQ-06",
    "A unit that is defeated, dead, fled, yielded or gone is out of the fight, but keeps its place",
)
def in_fight(combat: Combat, who: Id) -> bool:
    """Return true if the unit still takes part (FH-SEQ-06)."""
    return presence.in_fight(combat, who, OUT)


def takes_space(combat: Combat, who: Id) -> bool:
    """Return true if nobody else may stand in the unit's space (FH-MOV-07).

    Units in the fight and units that have yielded take up their space.
    """
    combatant = combat[who]
    return not combatant.left and not combatant.has("defeated", "dead", "fled", "gone")


def _forbids(condition: Condition) -> bool:
    """Return true if the condition prevents its unit from acting."""
    return condition.id in (*OUT, *HELPLESS) or not condition.data.get("can_act", True)


@rule("FH-TRN-03", "A disabled unit has no budget, and its turn passes")
@rule("FH-FLT-03", "A flat-footed unit can still act")
def can_act(combat: Combat, who: Id) -> bool:
    """Return true if the unit is in the fight and no condition disables it (FH-TRN-03).

    Flat-footed units can act (FH-FLT-03).
    """
    combatant = combat.combatants.get(who)
    if combatant is None or combatant.left:
        return False
    return not combatant.conditions or not any(map(_forbids, combatant.conditions))


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return the reason why a unit cannot act or continue (FH-SEQ-06, FH-TRN-03)."""
    if can_act(combat, who):
        return None
    held = ", ".join(
        words(condition.id) for condition in combat[who].conditions if _forbids(condition)
    )
    rule = "FH-TRN-03" if in_fight(combat, who) else "FH-SEQ-06"
    return refuse(rule, "cannot-act", f"{combat[who].name} cannot act: {held}", NO_FIELD)


@rule("FH-SEQ-07", "The battle ends when at most one team has a unit in the fight")
def over(combat: Combat) -> bool:
    """Return true if at most one team still has a unit in the fight (FH-SEQ-07)."""
    fighting: str | None = None
    for combatant in combat.combatants.values():
        if combatant.side != fighting and not combatant.left and not combatant.has(*OUT):
            if fighting is not None:
                return False
            fighting = combatant.side
    return True


@once
def enemies(combat: Combat, who: Id) -> tuple[Combatant, ...]:
    """Return the units of other teams in the fight."""
    side = combat[who].side
    return tuple(
        combatant
        for combatant in combat
        if combatant.side != side and in_fight(combat, combatant.id)
    )


@rule(
    "FH-INI-11",
    "A delaying unit has its turn-start at its own place, and keeps its budget for later",
)
def is_waiting(combat: Combat, who: Id) -> bool:
    """Return true if the unit has delayed. It keeps its budget until its later turn (FH-INI-11)."""
    return who not in combat.acting and any(
        place.who == who and place.tag == "delayed" for place in combat.queue
    )


def summoned_by(combat: Combat, combatant: Combatant) -> tuple[Combatant, ...]:
    """Return the summoned units that this unit controls."""
    return tuple(
        other
        for other in combat
        if in_fight(combat, other.id)
        and (summon := sheet(other).summon) is not None
        and summon.summoner == combatant.id
    )


@rule("FH-SMN-04", "A summoned unit stays when its summoner falls")
def summoner_of(combat: Combat, combatant: Combatant) -> Combatant | None:
    """Return the unit's summoner, if the summoner is still present.

    A summoned unit stays when its summoner falls (FH-SMN-04).
    """
    summon = sheet(combatant).summon
    if summon is None:
        return None
    return next((other for other in combat if other.id == summon.summoner), None)
