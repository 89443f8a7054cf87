"""Rulings that change nothing: they are refused, with the reason."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import (
    AnyEvent,
    BudgetSet,
    CombatantChanged,
    ConditionGained,
    ConditionLost,
    Damaged,
    FactSet,
    Healed,
    InitiativeSet,
    Judged,
    Moved,
    Noted,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Rolled,
    RollForced,
    Ruled,
    TrackChanged,
)
from domain.rulebook.action import Action

FRAME: Final = (ProcedureBegan, ProcedureEnded, Ruled)
"""Events that every ruling records."""

REFUSED: Final = ("force-roll", "set-budget", "set-order", "set-track")
"""Rulings that are refused when they change nothing. The others are recorded all the same."""

TELLING: Final = (Judged, Prompted, Rolled)
"""Events that are a change by themselves. The others matter only by the state that they leave."""


def no_change(
    before: Combat, after: Combat, ruling: Action, events: Sequence[AnyEvent]
) -> Illegal | None:
    """Return the refusal of a ruling that has left the combat as it was; None = it did something.

    `events` are those that the ruling recorded, with all consequences. Dice, prompts and the GM's
    own words are a change.
    """
    if ruling.id not in REFUSED:
        return None
    told = [event for event in events if not isinstance(event, FRAME)]
    telling = (*TELLING, Noted) if ruling.notes else TELLING
    if any(isinstance(event, telling) for event in told):
        return None
    if before != after and _unordered(before) != _unordered(after):
        return None
    rule = ruling.rules[0] if ruling.rules else ""
    reason = _reason(told[0]) if told else "there is nothing to which it applies"
    return Illegal(
        rule, "nothing-changes", f"{ruling.label or ruling.id} would change nothing: {reason}"
    )


def _unordered(combat: Combat) -> Combat:
    """Return the combat with the conditions of each combatant in one fixed order."""
    combatants = {
        one.id: replace(
            one, conditions=tuple(sorted(one.conditions, key=lambda held: (held.id, held.key)))
        )
        for one in combat.combatants.values()
    }
    return replace(combat, combatants=combatants)


def _reason(event: AnyEvent) -> str:
    who: Id = getattr(event, "who", None) or "the combat"
    match event:
        case Healed(track=track):
            return f"{track} of {who} has no room for more"
        case Damaged(track=track) | TrackChanged(track=track):
            return f"{track} of {who} stays as it is"
        case ConditionGained(condition=condition):
            return f"{who} is {condition} already"
        case ConditionLost(condition=condition):
            return f"{who} stays {condition}, or is not {condition}"
        case Moved():
            return f"{who} is there already"
        case BudgetSet():
            return f"{who} has that left already"
        case FactSet(key=key):
            return f"{key} of {who} is so already"
        case CombatantChanged(who=id):
            return f"the sheet of {id} is so already"
        case InitiativeSet():
            return "that is the order already"
        case RollForced(purpose=purpose):
            return f"these faces are set for {purpose} of {who} already"
        case Noted(text=text):
            return text
        case _:
            return "the combat stays as it is"
