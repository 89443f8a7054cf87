"""The count: its number, the turns at it, and the declarations (HE-TIE, HE-LATE)."""

from domain.record.combat import Combat, Combatant, Id
from domain.rulesets.hallowed_earth.facts import CARRIED, DECLARED, SLOT, Declaration, Missed
from domain.rulesets.hallowed_earth.rules import rule


def simultaneous(combat: Combat) -> bool:
    """Whether several act at the same moment, before any result (HE-TIE-02).

    Combatants that the reader does not know do not count.
    """
    slot = SLOT.of(combat)
    return slot is not None and len(slot.together) > 1


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


@rule("HE-LATE-07", "The missed turn is the action declared then, at any target")
def declaration(combat: Combat, who: Id) -> Declaration:
    """Return its declaration for the present turn. A missed turn keeps its own (HE-LATE-07)."""
    missed = missed_now(combat, combat[who])
    if missed is not None and turn_tag(combat, who) == "carried":
        return missed.declared
    return DECLARED.of(combat[who]) or NOTHING


NOTHING = Declaration("", 0)


def missed_now(combat: Combat, combatant: Combatant) -> Missed | None:
    """The missed turn that it has in this round (HE-LATE-05)."""
    return next((missed for missed in CARRIED.of(combatant) if missed.round == combat.round), None)
