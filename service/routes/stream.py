"""The stream: what happens at the table, as it happens, in the eyes of one reader."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.http.operation import Call, Operation, Reply
from service.live import places, tickets
from service.live.messages import MESSAGES
from service.live.streams import Streams


class StreamQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`board` full = each message holds the board as well. `wait` is how many seconds the stream
    lasts: 0 sends what is there and ends; absent = as long as the listener likes. `after` says what
    Last-Event-ID does, and `ticket` what a token does, for browsers, which can send neither.
    `offers=prompted` adds messages with the offers that answer the reader's open prompts."""

    board: Literal["none", "full"] = "none"
    offers: Literal["none", "prompted"] = "none"
    wait: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    after: Annotated[str, Meta(pattern=places.PATTERN)] | None = None
    ticket: Annotated[str, Meta(max_length=120)] | None = None


class Ticket(Struct, frozen=True):
    """A ticket opens one stream, once, until `ends_at`: `GET …/stream?ticket=…`."""

    ticket: str
    ends_at: datetime


async def stream(call: Call) -> Reply:
    """Server-Sent Events. The first is the board, or with `Last-Event-ID` all that was missed.

    `board`: the whole board. `command`: one for each command: events, sentences, open prompts.
    `offers`, if you ask for them: what `GET …/options?schemas=cite` says of open prompts, at first
    and after each command.
    `erased`: texts that were told were erased, here is the board anew. `tokens`: the tokens have
    changed (for the GM). `closed`: the last one, with its reason: revoked, deleted, stopping. Ids
    are the reader's own versions, with a mark of the stream: one of another is refused.
    """
    query: StreamQuery = call.query
    streams: Streams = call.service.streams
    after: int | None = None
    header = call.header("last-event-id")
    if header is not None:
        after = places.number_of(header, call.combat, call.row, "/header/Last-Event-ID")
    elif query.after is not None:
        after = places.number_of(query.after, call.combat, call.row, "/query/after")
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
    )
    return Reply(None, stream=pieces)


async def issue_ticket(call: Call) -> Reply:
    """A ticket with which the holder of this token may open one stream, within a minute."""
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
