"""Idle rulings: refuse a ruling that changes nothing, with the reason."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Json
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
    PhaseBegan,
    ProcedureBegan,
    ProcedureEnded,
    Prompted,
    Rolled,
    RollForced,
    Ruled,
    TrackChanged,
)
from domain.rulebook.action import Action
from domain.rulebook.ruleset import Ruleset

FRAME: Final = (ProcedureBegan, ProcedureEnded, Ruled)
"""Events that every ruling records."""

TELLING: Final = (Judged, Prompted, Rolled)
"""Events that always count as a change. Other events count only if they change the state."""


def no_change(
    ruleset: Ruleset,
    before: Combat,
    after: Combat,
    ruling: Action,
    inputs: Any,
    events: Sequence[AnyEvent],
) -> Illegal | None:
    """Return the refusal of a ruling without effect, or None.

    `events` are the events that the ruling recorded, with all consequences. Dice and prompts count
    as an effect. The GM's own words count if the ruling records them (`notes`).
    """
    if differs(before, after) or any(is_telling(ruling, event) for event in events):
        return None
    told = [event for event in events if not isinstance(event, FRAME)]
    rules = ruling.rules or next((event.rules for event in told if event.rules), ("",))
    reasons = (
        *(event.full or event.text for event in told if isinstance(event, Noted)),
        ruling.idle.format_map(_named(before, inputs)),
        *(_reason(ruleset, before, event) for event in told),
        "everything is so already",
    )
    reason = next(filter(None, reasons))
    return Illegal(
        rules[0], "nothing-changes", f"{ruling.label or ruling.id} would change nothing: {reason}"
    )


def is_telling(ruling: Action, event: AnyEvent) -> bool:
    """Return true if an event of a ruling always counts as a change."""
    return isinstance(event, TELLING) or (ruling.notes and isinstance(event, Noted))


def differs(before: Combat, after: Combat) -> bool:
    """Return true if two states differ in more than the order of conditions and cited rules."""
    if before.combatants.keys() != after.combatants.keys():
        return True
    if replace(before, combatants=after.combatants) != after:
        return True
    pairs = ((combatant, after[combatant.id]) for combatant in before.combatants.values())
    return any(
        _plain(combatant) != _plain(other) for combatant, other in pairs if combatant != other
    )


def _plain(combatant: Combatant) -> Combatant:
    """Return a combatant with its conditions sorted, and without the rules that they cite."""
    conditions = (replace(held, rules=()) for held in combatant.conditions)
    in_order = tuple(sorted(conditions, key=lambda held: (held.id, held.key)))
    return replace(combatant, conditions=in_order)


def _named(combat: Combat, inputs: Any) -> Mapping[str, str]:
    """Return the fields of a ruling in words, with names for ids."""
    fields: Mapping[str, Json] = msgspec.to_builtins(inputs)
    return {
        key: _name(combat, value) if isinstance(value, str) else str(value)
        for key, value in fields.items()
    }


def _name(combat: Combat, id: str) -> str:
    combatant = combat.combatants.get(id)
    return id if combatant is None else combatant.name


def _reason(ruleset: Ruleset, combat: Combat, event: AnyEvent) -> str:
    """Return why an event changed nothing, or "" if unknown.

    An example is a condition that the combatant already has.
    """
    who = _name(combat, getattr(event, "who", None) or "the combat")
    match event:
        case Healed(track=track):
            return f"{track} of {who} has no room for more"
        case Damaged(track=track) | TrackChanged(track=track):
            return f"{track} of {who} stays as it is"
        case ConditionGained(condition=condition):
            if combat[event.who].has(condition):
                return f"{who} is {condition} already"
            return f"{who} would not stay {condition}"
        case ConditionLost(condition=condition):
            return f"{who} stays {condition}, or is not {condition}"
        case Moved():
            return f"{who} is there already"
        case BudgetSet():
            return f"{who} has that left already"
        case FactSet(key=key):
            about = next((fact.about for fact in ruleset.facts if fact.name == key), key)
            return f'"{about}" stays as it is for {who}'
        case CombatantChanged():
            return f"the sheet of {who} is so already"
        case InitiativeSet():
            return "that is the order already"
        case PhaseBegan(phase=phase):
            return f"the step is {phase} already"
        case RollForced(purpose=purpose):
            return f"these faces are set for {purpose} of {who} already"
        case _:
            return ""
