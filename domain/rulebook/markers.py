"""Markers: short texts that the GM attaches to combatants, such as "burning rope"."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.errors import Illegal, Unknown
from domain.record.combat import Id, Json
from domain.record.events import MarkerRemoved, MarkerSet
from domain.record.readers import Knowers
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play

MOST = 20
"""The largest number of markers of one combatant."""


class SetMarker(Struct, frozen=True, forbid_unknown_fields=True):
    """Attach a marker to a combatant.

    `shown_to` is `gm` (nobody else), `owner` (its player), `side` or `all`.
    """

    combatant: Id
    text: Annotated[str, Meta(min_length=1, max_length=120)]
    shown_to: Knowers = "gm"


class RemoveMarker(Struct, frozen=True, forbid_unknown_fields=True):
    """Remove a marker. `marker` is its id on the board."""

    combatant: Id
    marker: Annotated[str, Meta(min_length=1, max_length=64)]


def _set_refusals(play: Play, _: Id, inputs: SetMarker) -> Iterator[Illegal]:
    if len(play.combat[inputs.combatant].markers) >= MOST:
        detail = f"{inputs.combatant} has {MOST} markers already"
        yield Illegal("", "too-many-markers", detail)


def _set(play: Play, _: Id, inputs: SetMarker) -> Procedure[None]:
    """Attach a marker with a new id.

    The id counts only markers with the same readers. It therefore reveals no other markers.
    """
    taken = {marker.id for marker in play.combat[inputs.combatant].markers}
    numbered = (f"{inputs.shown_to}-{number}" for number in itertools.count(1))
    id = next(number for number in numbered if number not in taken)
    yield MarkerSet(inputs.combatant, id, inputs.text, inputs.shown_to)


def _remove_refusals(play: Play, _: Id, inputs: RemoveMarker) -> Iterator[Illegal]:
    there = tuple(marker.id for marker in play.combat[inputs.combatant].markers)
    if inputs.marker not in there:
        raise Unknown("marker", inputs.marker, there)
    return iter(())


def _remove(play: Play, _: Id, inputs: RemoveMarker) -> Procedure[None]:
    for marker in play.combat[inputs.combatant].markers:
        if marker.id == inputs.marker:
            yield MarkerRemoved(inputs.combatant, marker.id, marker.text, marker.shown_to)


def _new(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for shown_to in ("all", "gm"):
        for combatant in play.combat:
            yield {"combatant": combatant.id, "text": "Look here", "shown_to": shown_to}


def _there(play: Play, _: Id) -> Iterator[Mapping[str, Json]]:
    for combatant in play.combat:
        for marker in combatant.markers:
            yield {"combatant": combatant.id, "marker": marker.id}


MARKERS = (
    Action("set-marker", SetMarker, _set_refusals, _new, "Mark", procedure=_set),
    Action(
        "remove-marker", RemoveMarker, _remove_refusals, _there, "Remove a mark", procedure=_remove
    ),
)
