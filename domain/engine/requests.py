"""Requests: what the players ask of the GM. An undo does not remove requests."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from domain.errors import Unfitting
from domain.record.combat import Id
from domain.record.events import Requested, RequestKind, RequestSettled
from domain.record.recorded import Recorded

MOST: Final = 5
"""Open requests for one combatant."""


class Requests(Struct, frozen=True):
    """The open requests by id, and how many were made for each combatant."""

    open: Mapping[str, Requested] = {}
    made: Mapping[Id, int] = {}

    def after(self, recorded: Iterable[Recorded]) -> "Requests":
        """Return the requests after these events."""
        new = [
            event.event for event in recorded if isinstance(event.event, Requested | RequestSettled)
        ]
        if not new:
            return self
        there, made = dict(self.open), Counter(self.made)
        for event in new:
            if isinstance(event, Requested):
                there[event.request] = event
                made[event.who] += 1
            else:
                there.pop(event.request, None)
        return Requests(there, made)


def requested(requests: Requests, who: Id, kind: RequestKind, text: str) -> Requested:
    """Return the event of a request. Raise `Unfitting` if too many are open."""
    if sum(requested.who == who for requested in requests.open.values()) >= MOST:
        raise Unfitting("too-many-requests", f"{MOST} requests for {who} are open already")
    number = requests.made.get(who, 0) + 1
    return Requested(f"{who}:request-{number}", who, kind, text)
