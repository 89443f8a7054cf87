"""EventView: one event as a reader gets it; what the reader may not know is left out."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.live import Live
from domain.record.combat import Id, Json
from domain.record.events import (
    ActionDeclared,
    CombatantChanged,
    CombatantJoined,
    ConditionGained,
    Damaged,
    Healed,
    InitiativeSet,
    Reverted,
    Rolled,
    SaltAdded,
    TrackChanged,
)
from domain.record.recorded import Recorded, tag
from projections.eyes import Eyes, allied_sides, is_foe, is_unseen


class EventView(Struct, frozen=True):
    """A fact of the fight.

    `version` and `parent` count the events that the reader may see. `by` is the actor's role.
    `data` are the fields of the event's type. Numbers of foes are left out for players; then
    `data.wound` has a word for how the combatant looks now.
    """

    version: int
    parent: int
    at: str
    command: str
    by: str
    type: str
    rules: tuple[str, ...]
    data: Mapping[str, Json]
    undone: bool = False


def event_view(live: Live, eyes: Eyes, recorded: Recorded) -> EventView:
    """An event in the eyes of an audience."""
    return EventView(
        eyes.to_sequence(recorded.version),
        eyes.to_sequence(recorded.parent),
        recorded.at,
        recorded.command,
        recorded.actor[1],
        tag(recorded.event),
        recorded.event.rules,
        data_of(live, eyes, recorded),
        not live.history.on_path(recorded),
    )


def data_of(live: Live, eyes: Eyes, recorded: Recorded) -> dict[str, Any]:
    """The fields of the event's type, as far as the reader may know them."""
    event = recorded.event
    data: dict[str, Any] = msgspec.to_builtins(event)
    data.pop("type", None)
    data.pop("rules", None)
    if eyes.caller.role == "gm":
        return data
    combat, caller = live.combat, eyes.caller
    allied = allied_sides(combat, caller)

    def foe(who: Id) -> bool:
        return is_foe(combat, caller, who, allied)

    for role in ("by", "source", "against", "target"):
        if isinstance(data.get(role), str) and is_unseen(combat, caller, data[role]):
            data[role] = None
    match event:
        case Reverted():
            data["to"] = eyes.to_sequence(event.to)
        case Damaged() | Healed() | TrackChanged() if foe(event.who):
            for number in ("amount", "value", "maximum"):
                data.pop(number, None)
            if event.who in combat.combatants:
                data["wound"] = live.ruleset.wound(combat, event.who)
        case Rolled():
            data.pop("key", None)
            if foe(event.who):
                data.pop("terms", None)
            if event.against is not None and foe(event.against):
                data.pop("target", None)
        case CombatantJoined() | CombatantChanged() if foe(event.who):
            data.pop("sheet", None)
            data.pop("tracks", None)
        case ConditionGained() if foe(event.who):
            data.pop("data", None)
        case ActionDeclared() if foe(event.who):
            data["inputs"] = {
                name: value
                for name, value in event.inputs.items()
                if not (isinstance(value, str) and is_unseen(combat, caller, value))
            }
        case InitiativeSet():
            data["order"] = [
                place for place in data["order"] if not is_unseen(combat, caller, place["who"])
            ]
        case SaltAdded():
            pass
        case _:
            pass
    return data
