"""History: the events of a fight in several forms, and the erasure of texts in them."""

import asyncio
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Literal
from urllib.parse import urlencode

from msgspec import Meta, Struct

from domain.engine.session import Session
from domain.errors import Malformed, Unfitting
from domain.record.events import TAGS
from domain.record.export import export
from domain.record.verify import verify
from projections.comparison import Comparison, compare
from projections.derivation import Derivation, derivation
from projections.diff import Diff, diff
from projections.diff import markdown as in_words
from projections.events import EventView, event_view, names_known
from projections.eyes import Eyes
from projections.timeline import Entry, Wanted, markdown, page
from projections.tree import Tree, tree
from projections.why import Step, why
from service import erasure
from service.http.operation import JSON, Call, Operation, Reply, Viewed, finished


class EventPage(Struct, frozen=True):
    """Events in the order of recording. `next` is the cursor of the next page."""

    version: int
    events: tuple[EventView, ...]
    next: str | None = None


class EventsQuery(Viewed, frozen=True, forbid_unknown_fields=True):
    """`after`: the page begins after this version.

    A `cursor` from the previous page overrides `after`.
    """

    after: Annotated[int, Meta(ge=0)] = 0
    cursor: str | None = None
    type: str | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


def write_cursor(number: int) -> str:
    """Return an opaque cursor."""
    return urlsafe_b64encode(f"v:{number}".encode()).decode()


def read_cursor(cursor: str) -> int:
    """Return the number in a cursor. Raises `Malformed`."""
    try:
        text = urlsafe_b64decode(cursor.encode()).decode()
        if text.startswith("v:") and text[2:].isdecimal() and len(text) < 20:
            return int(text[2:])
    except ValueError:
        pass
    raise Malformed("/query/cursor", "this is no cursor of a page of events")


async def read_events(call: Call) -> Reply:
    """List every event of the fight that this token may know, including undone events."""
    query: EventsQuery = call.query
    if query.type is not None and query.type not in TAGS:
        raise Malformed("/query/type", f"no such event type; allowed: {', '.join(TAGS)}")
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    after = query.after if query.cursor is None else read_cursor(query.cursor)
    event_views: list[EventView] = []
    while len(event_views) < query.limit:
        batch = eyes.between(after, query.limit)
        if not batch:
            break
        for recorded in batch:
            after += 1
            view = event_view(hot.live, eyes, recorded)
            if query.type in (None, view.type):
                event_views.append(view)
                if len(event_views) == query.limit:
                    break
    following = write_cursor(after) if after < eyes.sequence else None
    return Reply(EventPage(eyes.sequence, tuple(event_views), following), weighed=True)


class Timeline(Struct, frozen=True):
    """The fight in plain English. `next` is the cursor of the next page."""

    version: int
    entries: Annotated[tuple[Entry, ...], Meta(description="One entry for each command")]
    next: str | None = None


class TimelineQuery(Viewed, frozen=True, forbid_unknown_fields=True):
    """Filters: a combatant, an event type, a round, the start of a rule's id, and undone or not.

    With `detail=story`, you get the main events, and a walk is one line. With `detail=full`, you
    get every event.
    """

    order: Literal["oldest", "newest"] = "oldest"
    combatant: str | None = None
    type: str | None = None
    round: Annotated[int, Meta(ge=0)] | None = None
    rule: str | None = None
    undone: Literal["yes", "no"] | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    detail: Literal["story", "full"] = "story"
    cite: Literal["rules", "nothing"] = "rules"


async def read_timeline(call: Call) -> Reply:
    """Read the log in plain English, grouped by command. Each roll shows its complete sum.

    With `Accept: text/markdown`, you get Markdown for a session log. Add `cite=nothing` to leave
    out the rule ids and versions, so that only the sentences remain.
    """
    query: TimelineQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    _must_be_known(hot.live, eyes, query)
    undone = None if query.undone is None else query.undone == "yes"
    wanted = Wanted(query.combatant, query.type, query.round, query.rule, undone, query.detail)
    entries, following = page(
        hot.live,
        eyes,
        wanted,
        after=None if query.cursor is None else read_cursor(query.cursor),
        newest_first=query.order == "newest",
        limit=query.limit,
    )
    if "text/markdown" in call.request.headers.get("accept", ""):
        address = None if following is None else _following(call, write_cursor(following))
        earlier = query.order == "newest"
        text = markdown(
            hot.live.combat.name, entries, address, earlier=earlier, cite=query.cite == "rules"
        )
        return Reply(text.encode(), media_type="text/markdown; charset=utf-8", weighed=True)
    cursor = None if following is None else write_cursor(following)
    return Reply(Timeline(eyes.sequence, tuple(entries), cursor), weighed=True)


def _following(call: Call, cursor: str) -> str:
    """Return the address of the next page, with the same filters."""
    asked = call.request.query_params.multi_items()
    kept = [(name, value) for name, value in asked if name not in ("cursor", "ticket")]
    return f"{call.path}?{urlencode([*kept, ('cursor', cursor)])}"


def _must_be_known(live: Session, eyes: Eyes, query: TimelineQuery) -> None:
    """Refuse filters with an unknown name. Raise `Malformed`."""
    names = tuple(names_known(live, eyes))
    rules = live.ruleset.rules
    if query.type is not None and query.type not in TAGS:
        raise Malformed("/query/type", f"no such event type; allowed: {', '.join(TAGS)}")
    if query.combatant is not None and query.combatant not in names:
        raise Malformed("/query/combatant", f"no such combatant; allowed: {', '.join(names)}")
    if query.rule is not None and not any(rule.id.startswith(query.rule) for rule in rules):
        known = dict.fromkeys(rule.id.rpartition("-")[0] for rule in rules)
        raise Malformed("/query/rule", f"no rule begins so; allowed: {', '.join(known)}")


class WhyQuery(Viewed, frozen=True, forbid_unknown_fields=True):
    """A combatant's `track` or `condition`. `at` selects the state after that event."""

    combatant: str
    track: str | None = None
    condition: str | None = None
    at: Annotated[int, Meta(ge=1)] | None = None


class Why(Struct, frozen=True):
    """The events that led to the value or condition, oldest first."""

    combatant: str
    steps: Annotated[tuple[Step, ...], Meta(description="The events, oldest first")]


async def read_why(call: Call) -> Reply:
    """Explain a track's value or a condition by the events and rules that led to it."""
    query: WhyQuery = call.query
    if (query.track is None) == (query.condition is None):
        raise Unfitting("one-of", "name either a track or a condition")
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    live = hot.live if query.at is None else hot.live.as_of(eyes.to_version(query.at))
    steps = why(live, eyes, query.combatant, query.track, query.condition)
    return Reply(Why(query.combatant, tuple(steps)), weighed=True)


async def read_derivation(call: Call) -> Reply:
    """Explain one event by its sources: every term, the target number, and uncounted values."""
    text = call.params["version"]
    hot = call.combat
    eyes = hot.seen_by(call.viewer)
    version = int(text) if text.isdecimal() and len(text) < 10 else 0
    return Reply(derivation(hot.live, eyes, version), weighed=True)


class CompareQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A version on each branch."""

    a: Annotated[int, Meta(ge=1)]
    b: Annotated[int, Meta(ge=1)]


async def read_comparison(call: Call) -> Reply:
    """Compare two branches side by side in plain English, from the point where they part."""
    query: CompareQuery = call.query
    hot = call.combat
    eyes = hot.seen_by(call.row)
    return Reply(compare(hot.live, eyes, query.a, query.b), weighed=True)


class Verification(Struct, frozen=True):
    """The result of a check of all events. If `sound` is `true`, `faults` is empty.

    These fields count the checked rolls:

    - `server_rolls`: rolls that Affray derives again from a revealed seed.
    - `manual_rolls`: rolls by hand, or set by the GM. Affray checks faces and sums.
    - `unrevealed_rolls`: rolls with a secret seed. Affray checks sums.
    - `copied_rolls`: rolls of the combat that this one continues. Affray checks sums.
    - `kept_rolls`: rolls that amendments repeat. Affray compares the faces.
    """

    sound: Annotated[bool, Meta(description="Whether every check passed")]
    events: int
    server_rolls: Annotated[
        int, Meta(description="Rolls by the service, derived again from a revealed seed")
    ]
    manual_rolls: Annotated[
        int, Meta(description="Rolls by hand or set by the GM, which cannot be derived")
    ]
    unrevealed_rolls: Annotated[int, Meta(description="Rolls whose seed is still secret")]
    copied_rolls: Annotated[int, Meta(description="Rolls from before a fork")]
    kept_rolls: Annotated[int, Meta(description="Rolls whose faces an amendment kept")]
    faults: Annotated[tuple[str, ...], Meta(description="Faults, one sentence each")]


async def read_verification(call: Call) -> Reply:
    """Check the chain of hashes, every roll and every sum, as `affray verify` does."""
    recorded = await call.combats.whole(call.combat)
    report = await asyncio.to_thread(lambda: verify(b"".join(export(recorded))))
    verification = Verification(
        report.sound,
        report.events,
        report.server_rolls,
        report.manual_rolls,
        report.unrevealed_rolls,
        report.copied_rolls,
        report.kept_rolls,
        tuple(report.faults),
    )
    return Reply(verification, weighed=True)


class DiffQuery(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """Two versions, on any branches. `to` defaults to the current version."""

    from_: Annotated[int, Meta(ge=1)]
    to: Annotated[int, Meta(ge=1)] | None = None


async def read_diff(call: Call) -> Reply:
    """Compare two versions: the differences of each combatant, and the commands between them.

    With `Accept: text/markdown`, you get Markdown.
    """
    query: DiffQuery = call.query
    hot = call.combat
    to = hot.live.version if query.to is None else query.to
    changes = diff(hot.live, query.from_, to)
    if "text/markdown" in call.request.headers.get("accept", ""):
        text = in_words(hot.live, changes).encode()
        return Reply(text, media_type="text/markdown; charset=utf-8", weighed=True)
    return Reply(changes, weighed=True)


async def read_tree(call: Call) -> Reply:
    """List every branch of the history, each with its first difference."""
    hot = call.combat
    labels = {id: row.label for id, row in hot.tokens.items()}
    return Reply(tree(hot.live, labels), weighed=True)


class Erase(Struct, frozen=True, forbid_unknown_fields=True):
    """Erase name, owner and pictures of a `combatant`, or the text of the event at `version`."""

    combatant: Annotated[
        str | None, Meta(description="Id of the combatant whose name, owner and pictures you erase")
    ] = None
    version: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Version of the event whose text you erase"),
    ] = None


async def erase_texts(call: Call) -> Reply:
    """Erase words that people wrote. The hash chain stays valid. This cannot be undone."""
    body: Erase = call.body
    hot = call.combat
    if (body.combatant is None) == (body.version is None):
        raise Unfitting("one-of", "name either a combatant or a version")
    answer = await erasure.erase(
        call.combats,
        call.service.pictures,
        hot,
        call.row,
        who=body.combatant,
        version=body.version,
        idempotency=call.idempotency,
    )
    return finished(answer)


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
    Operation(
        "GET",
        "/v1/combats/{combat}/why",
        "readWhy",
        "Explain a present value",
        "History",
        read_why,
        Why,
        query=WhyQuery,
        errors=(404, 409),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/diff",
        "readDiff",
        "Compare two versions",
        "History",
        read_diff,
        Diff,
        "gm",
        query=DiffQuery,
        errors=(404,),
        media_types=(JSON, "text/markdown"),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/events/{version}/why",
        "readDerivation",
        "Explain an event",
        "History",
        read_derivation,
        Derivation,
        query=Viewed,
        errors=(404,),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/compare",
        "compareBranches",
        "Compare two branches in words",
        "History",
        read_comparison,
        Comparison,
        "gm",
        query=CompareQuery,
        errors=(404,),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/verify",
        "verifyCombat",
        "Verify a combat",
        "History",
        read_verification,
        Verification,
        "gm",
        errors=(404,),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/tree",
        "readTree",
        "List the branches",
        "History",
        read_tree,
        Tree,
        "gm",
        errors=(404,),
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/erase",
        "eraseTexts",
        "Erase a name or a note",
        "History",
        erase_texts,
        None,
        "gm",
        204,
        Erase,
        errors=(404, 409),
        commits=True,
    ),
)
