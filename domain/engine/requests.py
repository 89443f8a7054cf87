"""Requests: the players' requests to the GM. An undo does not remove them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from domain.errors import Unfitting
from domain.record.combat import Id
from domain.record.events import (
    ActionDeclared,
    Answered,
    Event,
    Requested,
    RequestKind,
    RequestSettled,
)
from domain.record.history import History
from domain.record.pages import numbers_of
from domain.record.recorded import Recorded

MOST: Final = 5
"""The largest number of open requests for one combatant."""

SEARCHED: Final = 500
"""The largest number of declarations and answers in the search for the deed of a request."""

_DEEDS: Final = numbers_of(ActionDeclared, Answered)


class Requests(Struct, frozen=True):
    """The open requests by id, and the number of requests that each combatant has made."""

    open: Mapping[str, Requested] = {}
    made: Mapping[Id, int] = {}

    def after(self, recorded: Iterable[Recorded]) -> "Requests":
        """Return the requests in the state after these events."""
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


def newest_deed(history: History, who: Id) -> int:
    """Return the first version of the newest deed of `who` on the path, or 0 for none.

    A roll of `who` for this deed belongs to the deed. Raises `Away` if events are missing.
    """
    at = history.present + 1
    rolled = 0
    for _ in range(SEARCHED):
        at = history.newest_of(_DEEDS, at)
        if not at:
            return rolled
        event = history.recorded_at(at).event
        assert isinstance(event, ActionDeclared | Answered)
        if isinstance(event, Answered) and event.by != "caller":
            continue
        own, rolls = event.who == who, _rolls(event)
        if own and not rolls:
            return history.command_of(at)[0]
        if rolled and not rolls:
            return rolled  # the roll is for the deed of another
        if own and not rolled:
            rolled = history.command_of(at)[0]
    return rolled


def _rolls(event: Event) -> bool:
    """Return true if the event gives the faces of a roll by hand."""
    return isinstance(event, Answered) and event.option == "roll"


def may_undo(history: History, request: Requested) -> bool:
    """Return true if the deed of a request can be undone, false if it is undone already.

    Raises `Unfitting` if the request has no deed, or if the undo would remove a later command.
    """
    deed, who = request.deed, request.who
    if not deed:
        detail = f"{who} had done nothing before it asked: undo or goto instead, and decline this"
        raise Unfitting("nothing-to-undo", detail)
    if not history.is_present(deed):
        return False
    at = history.present
    while at:
        first = history.command_of(at)[0]
        if first == deed:
            return True
        if not _rolls(history.recorded_at(first).event):
            break  # a separate command, not a roll for the deed
        at = history.resolve(history.parent(first))
    detail = (
        f"others have played since {who}'s deed at version {deed}. To keep what they did, amend the"
        f" wrong command; to take it all back, goto {deed - 1}. Then settle the request"
    )
    raise Unfitting("played-since", detail)


def requested(
    requests: Requests, history: History, who: Id, kind: RequestKind, text: str
) -> Requested:
    """Return the event of a request. Raise `Unfitting` if too many are open."""
    if sum(requested.who == who for requested in requests.open.values()) >= MOST:
        raise Unfitting("too-many-requests", f"{MOST} requests for {who} are open already")
    number = requests.made.get(who, 0) + 1
    deed = newest_deed(history, who) if kind == "undo" else 0
    return Requested(f"{who}:request-{number}", who, kind, text, deed)
