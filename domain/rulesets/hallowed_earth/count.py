"""The Count: its number, the turns at that number, and their declarations (HE-TIE, HE-LATE)."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, BudgetSet, TurnBegan
from domain.rulesets.hallowed_earth.facts import (
    CARRIED,
    DECLARED,
    MOVED_IN_TURN,
    RIB,
    SLOT,
    Declaration,
    Missed,
)
from domain.rulesets.hallowed_earth.rules import rule


def simultaneous(combat: Combat) -> bool:
    """Return true if several combatants act at this number and have no results yet (HE-TIE-02).

    A slot counts only the combatants that the reader knows.
    """
    slot = SLOT.of(combat)
    return slot is not None and len(slot.together) > 1


def count(combat: Combat) -> int | None:
    """Return the current initiative number, or `None` if the Count has not begun."""
    step, _, number = combat.phase.partition("/")
    return int(number) if step == "count" and number else None


def counting(combat: Combat) -> bool:
    """Return true during the Count."""
    return combat.phase.partition("/")[0] == "count"


def turn_tag(combat: Combat, who: Id) -> str:
    """Return the tag of the current turn: `carried` for a missed turn, otherwise ""."""
    for place in combat.queue:
        if place.who == who and who in combat.acting:
            return place.tag
    return ""


@rule("HE-LATE-07", "A missed turn carries out the action declared for it, at any target")
def declaration(combat: Combat, who: Id) -> Declaration:
    """Return the declaration for the combatant's current turn.

    A missed turn keeps the declaration of its round (HE-LATE-07).
    """
    missed = missed_now(combat, combat[who])
    if missed is not None and turn_tag(combat, who) == "carried":
        return missed.declared
    return DECLARED.of(combat[who]) or NOTHING


NOTHING = Declaration("", 0)


def missed_now(combat: Combat, combatant: Combatant) -> Missed | None:
    """Return the missed turn that the combatant makes up for in this round (HE-LATE-05)."""
    return next((missed for missed in CARRIED.of(combatant) if missed.round == combat.round), None)


@rule("HE-LATE-09", "Both turns have their own actions, but share speed and Reaction")
@rule("HE-ACT-01", "A turn has one Standard Action and one Free Action, and a round one Reaction")
def begin_turn(combatant: Combatant, tag: str) -> Iterator[AnyEvent]:
    """Begin a turn or a missed turn: give a Standard Action and a Free Action.

    Speed and Reaction belong to the round, so this turn does not renew them (HE-LATE-09). If a rib
    is broken, add this turn to the turns since the injury (GAP-26).
    """
    rules = ("HE-SEQ-03", "HE-LATE-05") if tag else ("HE-SEQ-03",)
    yield TurnBegan(combatant.id, tag, rules=rules)
    budget = {**combatant.budget, **A_TURN}
    yield BudgetSet(
        combatant.id, budget, rules=("HE-ACT-01", "HE-LATE-09") if tag else ("HE-ACT-01",)
    )
    if MOVED_IN_TURN.known(combatant):
        yield MOVED_IN_TURN.clear(combatant.id, rules=("HE-INC-02",))
    spans = RIB.of(combatant)
    if spans is not None:
        yield RIB.set(combatant.id, replace(spans, span=spans.span + 1), rules=("HE-BLUNT-06",))


A_TURN = {"standard": 1, "free": 1}


FRESH = {**A_TURN, "reaction": 1}
