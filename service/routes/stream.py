"""The stream: the events at the table as they happen, as one reader may see them."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.http.operation import Call, Operation, Reply
from service.live import places, tickets
from service.live.messages import MESSAGES
from service.live.streams import Streams


class StreamQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Options for the messages of a stream.

    - `board=full` adds the board to the newest message.
    - `wait` ends the stream after this number of seconds. With `0`, you get only the current
      messages. Without `wait`, the stream has no end.
    - `after` replaces `Last-Event-ID`, and `ticket` replaces a token. They are for browsers, which
      cannot send headers.
    - `offers=prompted` adds messages with the offers for your open prompts.
    - `presence=seats` adds messages with the tokens that have an open stream.
    """

    board: Literal["none", "full"] = "none"
    offers: Literal["none", "prompted"] = "none"
    presence: Literal["none", "seats"] = "none"
    wait: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    after: Annotated[str, Meta(pattern=places.PATTERN)] | None = None
    ticket: Annotated[str, Meta(max_length=120)] | None = None


class Ticket(Struct, frozen=True):
    """A ticket for one stream, valid once, until `ends_at`: `GET …/stream?ticket=…`."""

    ticket: Annotated[str, Meta(description="The ticket")]
    ends_at: Annotated[datetime, Meta(description="Time of its end (RFC 3339)", tz=True)]


async def stream(call: Call) -> Reply:
    """Open a stream of Server-Sent Events: first the board, or everything after `Last-Event-ID`.

    - `board`: the complete board, at first and whenever it changes without an event that you see.
    - `command`: the events, sentences and open prompts of one command.
    - `amended`: the board after the GM changed past commands. Discard the events after `back_to`.
    - `progress`: the progress of an amendment. Only the GM gets this message.
    - `offers`: on request, the options of open prompts as in `GET …/options?schemas=cite`. You get
      them at first, after each command, and whenever they change.
    - `presence`: on request, the tokens with an open stream, at first and after each change.
    - `erased`: the board after an erasure of texts. Replace your board with it.
    - `tokens`: the valid tokens, after a change. Only the GM gets this message.
    - `closed`: the last message, with its reason: revoked, deleted or stopping.

    The id of a message begins with your version of the combat. The other parts identify the stream
    and the board. The service refuses an id of another stream.
    """
    query: StreamQuery = call.query
    streams: Streams = call.service.streams
    after: places.Place | None = None
    header = call.header("last-event-id")
    if header is not None:
        after = places.place_of(header, call.combat, call.row, "/header/Last-Event-ID")
    elif query.after is not None:
        after = places.place_of(query.after, call.combat, call.row, "/query/after")
    if call.request.method == "HEAD":
        return Reply(b"", media_type="text/event-stream; charset=utf-8")
    pieces = await streams.listen(
        call.combat,
        call.row,
        after=after,
        full=query.board == "full",
        wait_s=query.wait,
        address=call.address,
        offers=query.offers == "prompted",
        presence=query.presence == "seats",
    )
    return Reply(None, stream=pieces)


async def issue_ticket(call: Call) -> Reply:
    """Get a ticket that opens one stream for this token, within 60 s."""
    text, ends = tickets.issue(call.row, call.combat.id)
    return Reply(Ticket(text, ends), 201, headers={"Cache-Control": "no-store"})


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/stream",
        "streamCombat",
        "Follow a combat live",
        "Live",
        stream,
        "text/event-stream",
        query=StreamQuery,
        errors=(404, 503),
        tickets=True,
        messages=MESSAGES,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/tickets",
        "issueTicket",
        "Issue a ticket for the stream",
        "Live",
        issue_ticket,
        Ticket,
        status=201,
        errors=(404,),
        links={"listen": ("streamCombat", {"combat": "$request.path.combat"})},
    ),
)
