"""The view of one event, without the facts that its reader may not know."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta, Struct

from domain.engine.redaction import SOMEBODY, Unspoken, prompt_data, scrub, unseen_by
from domain.engine.session import Session
from domain.record.combat import Id, Json, Place
from domain.record.events import (
    Damaged,
    Event,
    Healed,
    InitiativeSet,
    Judged,
    Noted,
    PromptChanged,
    Prompted,
    Reverted,
    Rolled,
    Term,
    TrackChanged,
)
from domain.record.readers import KnownTo, knowers
from domain.record.recorded import Recorded, tag
from projections.commands import command_of, is_of_unknown
from projections.eyes import Eyes
from projections.moments import moments


class EventView(Struct, frozen=True):
    """An event of the fight, as its reader may know it.

    - `version`, `parent`: numbers among the events that the reader may see.
    - `by`: the role of the command's author.
    - `data`: the fields of the event that the reader may know. For a foe, `data.wound` replaces the
      numbers. It is the word for the foe's wounds at that time.

    Events of a hidden combatant's command have the `command` and `by` of the previous command. If
    the command shows an effect, such as damage, they have their own `command`, and `by` is `gm`.
    """

    version: Annotated[
        int, Meta(description="Number of the event among those that the reader may see")
    ]
    parent: Annotated[int, Meta(description="Version of the event that it follows")]
    at: str
    command: str
    by: str
    type: Annotated[str, Meta(description="Its type")]
    rules: tuple[str, ...]
    data: Annotated[
        Mapping[str, Json],
        Meta(description="The fields of its type that the reader may know"),
    ]
    undone: bool = False


def event_view(live: Session, eyes: Eyes, recorded: Recorded) -> EventView:
    """Return an event as an audience may see it."""
    begun = live.history.recorded_at(command_of(live, eyes, recorded.version))
    return _view(live, eyes, recorded, begun)


def event_views(live: Session, eyes: Eyes, events: Iterable[Recorded]) -> tuple[EventView, ...]:
    """Return events as an audience may see them. Look up each command only once."""
    views: list[EventView] = []
    command, begun = "", None
    for recorded in events:
        if begun is None or recorded.command != command:
            command = recorded.command
            begun = live.history.recorded_at(command_of(live, eyes, recorded.version))
        views.append(_view(live, eyes, recorded, begun))
    return tuple(views)


def _view(live: Session, eyes: Eyes, recorded: Recorded, begun: Recorded) -> EventView:
    """Return the view of an event. For this reader, its command begins with the event `begun`."""
    return EventView(
        eyes.to_sequence(recorded.version),
        eyes.to_sequence(recorded.parent),
        recorded.at,
        begun.command,
        "gm" if is_of_unknown(live, eyes, begun.version) else begun.actor[1],
        tag(recorded.event),
        recorded.event.rules,
        data_of(live, eyes, recorded),
        not live.history.on_path(recorded),
    )


def data_of(live: Session, eyes: Eyes, recorded: Recorded) -> dict[str, Any]:
    """Return the event's fields, as far as the reader could know them at that time."""
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
    against, of_both = None, False
    if isinstance(event, Rolled | Judged):
        against, of_both = event.against, event.purpose in live.ruleset.catalogue.of_both
    if isinstance(event, Prompted | PromptChanged):
        data["data"] = prompt_data(
            event.kind, event.data, lambda who: then.sides.get(who) in allied
        )

    def told(level: KnownTo) -> bool:
        match level:
            case "all":
                return True
            case "side":
                return who is None or then.sides.get(who) in allied
            case "owner":
                return own
            case "against":
                knows = then.sides.get(against or who or "") in allied
                return knows and (not of_both or told("side"))
            case _:
                return False

    levels = knowers(type(event))
    data = {name: value for name, value in data.items() if told(levels[name])}
    for name in ("group", "closes"):
        if name in data:
            data[name] = [id for id in data[name] if not id.startswith("gm:")]
    match event:
        case Rolled(told=word) if word:
            data["outcome"] = word
        case InitiativeSet(order=order):
            data["order"] = [_place(place, then.sides, allied) for place in order]
        case Damaged(source=str(source)) if (
            "terms" in data and then.sides.get(source) not in allied
        ):
            data["terms"] = _suffered(event, live.ruleset.catalogue.reductions)
        case _:
            pass
    if unspoken:
        left, texts = scrub(data, unspoken), _texts(type(event))
        # Keep the order of the fields, because another order reveals a hidden combatant.
        data = {name: left.get(name, SOMEBODY) for name in data if name in left or name in texts}
    if isinstance(event, Reverted):
        data["to"] = eyes.to_sequence(event.to)
    if isinstance(event, Damaged | Healed | TrackChanged) and not told("side"):
        points = moments(live).points(recorded.version)
        if points is not None:
            data["wound"] = points.wound
    return data


def _place(place: Place, sides: Mapping[Id, str], allied: frozenset[str]) -> Json:
    """Return a future turn. Only the combatant's side gets its sort key, such as initiative."""
    plain = msgspec.to_builtins(place)
    if sides.get(place.who) not in allied:
        plain.pop("key", None)
    return plain


def _suffered(event: Damaged, reductions: Collection[str]) -> Json:
    """Return the terms of damage by a foe: the total before reductions, then each reduction."""
    own = [term for term in event.terms if term.value < 0 and term.rule in reductions]
    dealt = Term("dealt", event.amount - sum(term.value for term in own))
    return msgspec.to_builtins([dealt, *own] if own else [])


@cache
def _texts(kind: type[Event]) -> frozenset[str]:
    """Return the names of the required text fields of an event type, except `who`."""
    return frozenset(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.required and field.name != "who"
    ) & frozenset(name for name, hint in get_type_hints(kind).items() if hint is str)


def names_known(live: Session, eyes: Eyes) -> Mapping[str, str]:
    """Return the names of the combatants that a reader knows, by id."""
    unseen = unseen_by(live.combat, eyes.caller)
    return {
        combatant.id: combatant.name
        for combatant in live.combat.combatants.values()
        if combatant.id not in unseen
    }


def _written(live: Session, recorded: Recorded, unspoken: Unspoken) -> frozenset[str]:
    """Return the hidden names that occur in the public text of a command.

    The text stays as its author wrote it. If a player guesses the name of a hidden combatant, the
    unchanged text does not reveal whether the guess is right.
    """
    first = live.history.recorded_at(live.history.command_of(recorded.version)[0])
    public = recorded.actor[1] != "gm" or (isinstance(recorded.event, Noted) and not recorded.frame)
    if not public or first.input is None:
        return frozenset()
    return unspoken.said_in("\n".join(_said(first.input)))


def _said(value: Json) -> Iterator[str]:
    """Yield every text in a JSON value, without field names."""
    match value:
        case str():
            yield value
        case Mapping():
            for item in value.values():
                yield from _said(item)
        case list() | tuple():
            for item in value:
                yield from _said(item)
