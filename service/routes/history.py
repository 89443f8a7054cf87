"""History: the events of a fight and its timeline, page by page."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.errors import Malformed
from projections.events import EventView, event_view
from projections.timeline import Entry, Wanted, markdown, page
from service.api import JSON, Call, Operation, Reply


class EventPage(Struct, frozen=True):
    """Events in the order in which they were recorded; `next` is the cursor of what follows."""

    version: int
    events: tuple[EventView, ...]
    next: str | None = None


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: the version that the page follows; `cursor` from the page before wins."""

    after: Annotated[int, Meta(ge=0)] = 0
    cursor: str | None = None
    type: str | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


def write_cursor(number: int) -> str:
    """An opaque cursor."""
    return urlsafe_b64encode(f"v:{number}".encode()).decode()


def read_cursor(cursor: str) -> int:
    """The number in a cursor; raises `Malformed`."""
    try:
        text = urlsafe_b64decode(cursor.encode()).decode()
        if text.startswith("v:") and text[2:].isdecimal() and len(text) < 20:
            return int(text[2:])
    except ValueError:
        pass
    raise Malformed("/query/cursor", "this is no cursor of a page of events")


async def read_events(call: Call) -> Reply:
    """Every fact of the fight that this token may know, undone ones included."""
    query: EventsQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.row)
    after = query.after if query.cursor is None else read_cursor(query.cursor)
    found: list[EventView] = []
    while len(found) < query.limit:
        batch = eyes.between(after, query.limit)
        if not batch:
            break
        for one in batch:
            after += 1
            view = event_view(hot.live, eyes, one)
            if query.type in (None, view.type):
                found.append(view)
                if len(found) == query.limit:
                    break
    following = write_cursor(after) if after < eyes.sequence else None
    return Reply(
        EventPage(eyes.sequence, tuple(found), following), etag=hot.board_of(call.row).etag
    )


class Timeline(Struct, frozen=True):
    """The fight in plain English; `next` is the cursor of the page that follows."""

    version: int
    entries: tuple[Entry, ...]
    next: str | None = None


class TimelineQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters: a combatant, an event type, a round, a rule (or its beginning), undone or not."""

    order: Literal["oldest", "newest"] = "oldest"
    combatant: str | None = None
    type: str | None = None
    round: Annotated[int, Meta(ge=0)] | None = None
    rule: str | None = None
    undone: Literal["yes", "no"] | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 50


async def read_timeline(call: Call) -> Reply:
    """The fight in plain English, grouped by command, each roll with its whole sum.

    With `Accept: text/markdown` as Markdown, for a session log.
    """
    query: TimelineQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.row)
    undone = None if query.undone is None else query.undone == "yes"
    wanted = Wanted(query.combatant, query.type, query.round, query.rule, undone)
    entries, following = page(
        hot.live,
        eyes,
        hot.commands_told(),
        wanted,
        after=None if query.cursor is None else read_cursor(query.cursor),
        newest_first=query.order == "newest",
        limit=query.limit,
    )
    tag = hot.board_of(call.row).etag
    if "text/markdown" in call.request.headers.get("accept", ""):
        text = markdown(hot.live.combat.name, entries)
        return Reply(text.encode(), etag=f"{tag}-md", media_type="text/markdown; charset=utf-8")
    cursor = None if following is None else write_cursor(following)
    return Reply(Timeline(eyes.sequence, tuple(entries), cursor), etag=tag)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/events",
        "readEvents",
        "Read the events",
        "History",
        read_events,
        EventPage,
        query=EventsQuery,
        errors=(404,),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/timeline",
        "readTimeline",
        "Read the timeline",
        "History",
        read_timeline,
        Timeline,
        query=TimelineQuery,
        errors=(404,),
        media_types=(JSON, "text/markdown"),
    ),
)
