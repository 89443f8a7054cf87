"""Requests: players ask the GM for an undo, a ruling or a pause while play continues."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.commands import MakeRequest, SettleRequest, Text
from domain.record.combat import Id
from domain.record.events import RequestKind
from service.http.operation import Call, Operation, Reply, Viewed
from service.routes.command_answers import Committed, commit
from service.store import tokens


class NewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request of `kind` by the player of `combatant`."""

    combatant: Id
    kind: Annotated[RequestKind, Meta(description="Kind of the request: undo, ruling or pause")]
    text: Text = ""


class Settlement(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's answer. `over` is the range of a granted undo: the action, its turn or its round.

    If others have played since the action, Affray refuses `command` with `played-since`. Choose
    another range, or amend.
    """

    granted: Annotated[bool, Meta(description="Whether the request is granted")]
    text: Text = ""
    over: Literal["command", "turn", "round"] = "command"


class RequestView(Struct, frozen=True):
    """An open request. Only the GM reads `deed`."""

    id: str
    combatant: Id
    kind: Annotated[RequestKind, Meta(description="Kind of the request: undo, ruling or pause")]
    text: str
    deed: Annotated[
        int | None,
        Meta(description="First version of the command that an undo takes back. `null`: none"),
    ] = None


class RequestList(Struct, frozen=True):
    """The open requests that this token may know, oldest first."""

    requests: Annotated[tuple[RequestView, ...], Meta(description="Open requests, oldest first")]


async def make_request(call: Call) -> Reply:
    """Ask the GM for an undo, a ruling or a pause. Meanwhile play continues."""
    body: NewRequest = call.body
    return await commit(call, MakeRequest(body.combatant, body.kind, body.text), 201)


async def read_requests(call: Call) -> Reply:
    """List the open requests. A player gets only requests of its combatants."""
    hot, row = call.combat, call.viewer
    caller, combat = tokens.caller_of(row), hot.live.combat
    request_views = tuple(
        RequestView(
            requested.request,
            requested.who,
            requested.kind,
            requested.text,
            (requested.deed or None) if caller.role == "gm" else None,
        )
        for requested in hot.live.requests.open.values()
        if caller.plays(combat, requested.who)
    )
    return Reply(RequestList(request_views), weighed=True)


async def settle_request(call: Call) -> Reply:
    """Grant or decline a request. A granted undo or pause takes effect at once.

    `409` `played-since`: others have played since the player's action. First amend the past or go
    to an earlier version, then settle the request.
    """
    body: Settlement = call.body
    request = call.params["id"]
    return await commit(call, SettleRequest(request, body.granted, body.text, body.over))


_ERRORS = (404, 409, 412, 422)
_COMBAT = {"combat": "$request.path.combat"}

OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats/{combat}/requests",
        "makeRequest",
        "Ask the GM",
        "Playing",
        make_request,
        Committed,
        status=201,
        body=NewRequest,
        errors=(403, *_ERRORS),
        commits=True,
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/requests",
        "readRequests",
        "List the open requests",
        "Playing",
        read_requests,
        RequestList,
        query=Viewed,
        errors=(404,),
        links={"settle": ("settleRequest", {**_COMBAT, "id": "$response.body#/requests/0/id"})},
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/requests/{id}",
        "settleRequest",
        "Settle a request",
        "GM",
        settle_request,
        Committed,
        "gm",
        body=Settlement,
        errors=_ERRORS,
        commits=True,
    ),
)
