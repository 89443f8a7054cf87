"""EventView: one event as a reader gets it; what the reader may not know is left out."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from domain.engine.live import Live
from domain.engine.redact import SOMEBODY, Unspoken, scrub, unseen_by
from domain.record.combat import Json
from domain.record.events import (
    Damaged,
    Event,
    Healed,
    Judged,
    Noted,
    Reverted,
    Rolled,
    TrackChanged,
)
from domain.record.known import KnownTo, knowers
from domain.record.recorded import Recorded, tag
from projections.eyes import Eyes
from projections.moments import moments


class EventView(Struct, frozen=True):
    """A fact of the fight.

    `version` and `parent` count the events that the reader may see. `by` is the actor's role.
    `data` are the fields of the event's type, as far as the reader may know them. Where the
    numbers of a foe are left out, `data.wound` has the word for how it looked then.
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
    """The fields of the event's type, as far as the reader could know them when it happened."""
    event = recorded.event
    data: dict[str, Any] = msgspec.to_builtins(event)
    data.pop("type", None)
    data.pop("rules", None)
    caller = eyes.caller
    if caller.role == "gm":
        return data
    then = moments(live).cast(recorded.version)
    who: str | None = getattr(event, "who", None)
    unspoken = then.unspoken(caller).but([who] if who else ())
    if unspoken:
        unspoken = unspoken.but(_written(live, recorded, unspoken))
    allied = then.allied(caller)
    own = who is not None and then.plays(caller, who)
    against = event.against if isinstance(event, Rolled | Judged) else None

    def told(level: KnownTo) -> bool:
        match level:
            case "all":
                return True
            case "side":
                return who is None or then.sides.get(who) in allied
            case "owner":
                return own
            case "against":
                return against is None or then.sides.get(against) in allied
            case _:
                return False

    levels = knowers(type(event))
    data = {name: value for name, value in data.items() if told(levels[name])}
    for name in ("group", "closes"):
        if name in data:
            data[name] = [id for id in data[name] if not id.startswith("gm:")]
    if unspoken:
        left, texts = scrub(data, unspoken), _texts(type(event))
        # In the order of the fields: another order would tell that somebody is there.
        data = {name: left.get(name, SOMEBODY) for name in data if name in left or name in texts}
    if isinstance(event, Reverted):
        data["to"] = eyes.to_sequence(event.to)
    if isinstance(event, Damaged | Healed | TrackChanged) and not told("side"):
        points = moments(live).points(recorded.version)
        if points is not None:
            data["wound"] = points.wound
    return data


@cache
def _texts(kind: type[Event]) -> frozenset[str]:
    """The texts that every event of the type has: there is always something in them."""
    return frozenset(
        one.name for one in msgspec.structs.fields(kind) if one.required and one.name != "who"
    ) & frozenset(name for name, hint in get_type_hints(kind).items() if hint is str)


def names_known(live: Live, eyes: Eyes) -> Mapping[str, str]:
    """The names of those whom a reader knows of, by id."""
    unseen = unseen_by(live.combat, eyes.caller)
    return {one.id: one.name for one in live.combat.combatants.values() if one.id not in unseen}


def _written(live: Live, recorded: Recorded, unspoken: Unspoken) -> frozenset[str]:
    """Which of these words the command's author wrote for all to read.

    A player who guesses a name gets its words back as they were: the name tells nothing.
    """
    first = live.history.recorded_at(live.history.command_of(recorded.version)[0])
    public = recorded.actor[1] != "gm" or (isinstance(recorded.event, Noted) and not recorded.frame)
    if not public or first.input is None:
        return frozenset()
    return unspoken.said_in("\n".join(_said(first.input)))


def _said(value: Json) -> Iterator[str]:
    """Every text in a JSON value; the names of fields are nobody's words."""
    match value:
        case str():
            yield value
        case Mapping():
            for one in value.values():
                yield from _said(one)
        case list() | tuple():
            for one in value:
                yield from _said(one)
