"""Combats: open, list, read, begin, end, delete."""

from datetime import UTC, datetime
from typing import Annotated, Final, Literal
from uuid import NAMESPACE_URL, uuid4, uuid5

import msgspec
from msgspec import Meta, Struct

from domain.engine.commands import (
    AddSalt,
    Begin,
    End,
    Joining,
    Labels,
    Name,
    Open,
    RevealSeed,
    SetDeadlines,
    SetLabels,
    SetMap,
    Text,
    Word,
)
from domain.errors import Malformed
from domain.record.combat import Deadlines, DiceSettings, Json
from projections.board import Board, board
from service import erasure
from service.http.operation import Call, Operation, Reply, Viewed, created
from service.openings import Opened, open_combat
from service.routes.command_answers import Committed, commit
from service.store.combat_list import CombatPage, Wanted

MOST_MAP: Final = 256 * 1024
"""The limit of bytes of a map, because every board contains it."""


class OpenCombat(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete combat: rulebook, options, dice, sides, map and combatants.

    The rulebook defines `sheet` (`GET /v1/rulesets/{ruleset}`).
    """

    ruleset: Word
    name: Name = "Combat"
    options: dict[str, Json] = {}
    dice: DiceSettings = DiceSettings()
    sides: Annotated[tuple[Word, ...], Meta(max_length=50)] = ()
    map: dict[str, Json] | None = None
    combatants: Annotated[tuple[Joining, ...], Meta(max_length=200)] = ()
    deadlines: Deadlines = Deadlines()
    labels: Labels = ()


class NoFields(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class EndCombat(Struct, frozen=True, forbid_unknown_fields=True):
    """`winners` are the victorious sides. `null`: the rulebook decides."""

    winners: Annotated[
        Annotated[tuple[Word, ...], Meta(max_length=50)] | None,
        Meta(description="The victorious sides. `null`: the rulebook decides"),
    ] = None
    reason: Annotated[Text, Meta(description="Reason for the end")] = ""


class Salt(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's contribution to the dice. `by` is a name, and `salt` any text."""

    by: Annotated[Word, Meta(description="Name of the person that adds the salt")]
    salt: Annotated[str, Meta(description="Any text", min_length=1, max_length=200)]


class ChangeCombat(Struct, frozen=True, forbid_unknown_fields=True):
    """`labels` are words by which the list finds the combat. They replace all earlier labels."""

    labels: Labels


class NewMap(Struct, frozen=True, forbid_unknown_fields=True):
    """The map in the form that the rulebook defines, at most 256 KiB. `null`: no map."""

    map: dict[str, Json] | None


class BoardQuery(Viewed, frozen=True, forbid_unknown_fields=True):
    """With `at`, read the state after that event instead of the current state.

    `as` is the id of another token whose view the GM wants.
    """

    at: Annotated[int, Meta(ge=1)] | None = None


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters and the position of a page.

    - `search`: a text in the name or in a label.
    - `label`: a complete label.
    - `since`, `until`: limits of the time of the last change, such as `2026-01-31T18:00:00Z`.
    - `cursor`: the `next` of the previous page.
    """

    ruleset: str | None = None
    status: Literal["opening", "running", "ended"] | None = None
    search: Annotated[str, Meta(max_length=120)] | None = None
    label: Word | None = None
    since: Annotated[datetime, Meta(tz=True)] | None = None
    until: Annotated[datetime, Meta(tz=True)] | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


async def open_one(call: Call) -> Reply:
    """Open a combat. Store the GM's token from the answer, because Affray shows it only once.

    Send an `Idempotency-Key` of at least 16 characters that nobody can guess. If you repeat the
    request with the same key, Affray sends the same answer and opens no second combat.
    """
    call.service.limiter.openings.take(call.address)
    body: OpenCombat = call.body
    if body.map is not None and len(msgspec.json.encode(body.map)) > MOST_MAP:
        raise Malformed("/map", f"a map has at most {MOST_MAP} bytes")
    key = call.idempotency
    owner = "" if call.application is None else f"{call.application}:"
    id = uuid4() if key is None else uuid5(NAMESPACE_URL, f"affray:{owner}{key.key}")
    if call.application is not None:
        await call.service.applications.claim(call.application, id)
    command = Open(
        body.ruleset,
        body.name,
        body.options,
        body.dice,
        body.sides,
        body.map,
        body.combatants,
        body.deadlines,
        body.labels,
    )
    return created(await open_combat(call.combats, id, command, key), id)


async def list_combats(call: Call) -> Reply:
    """List the combats of this service, the most recently played first, a page at a time.

    An application's key lists only the combats that it opened, forked or imported.
    """
    query: ListQuery = call.query
    wanted = Wanted(
        query.ruleset,
        query.status,
        query.search,
        query.label,
        _reachable(query.since),
        _reachable(query.until),
        query.cursor,
        query.limit,
        call.application,
    )
    page: CombatPage = await call.service.listing.page(wanted)
    return Reply(page)


_EARLIEST, _LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)


def _reachable(at: datetime | None) -> datetime | None:
    """Return the time, or the nearest one that every calendar has."""
    return None if at is None else min(max(at, _EARLIEST), _LATEST)


async def read_combat(call: Call) -> Reply:
    """Read the board: the current state of the fight as the token's role may see it."""
    query: BoardQuery = call.query
    hot, row = call.combat, call.viewer
    if query.at is None:
        ready = hot.board_of(row)
        return Reply(ready.body, etag=hot.etag_of(row))
    eyes = hot.seen_by(row)
    view = board(hot.live, eyes, eyes.to_version(query.at))
    return Reply(view, etag=f"{query.at}-{eyes.sequence}")


async def change_combat(call: Call) -> Reply:
    """Set the combat's labels. Only GMs, and clients that may list combats, see them."""
    body: ChangeCombat = call.body
    return await commit(call, SetLabels(body.labels))


async def delete_combat(call: Call) -> Reply:
    """Delete the combat: its events, boards, tokens and seeds. This cannot be undone."""
    await erasure.delete(call.combats, call.combat, call.row)
    return Reply(None, 204)


async def begin_combat(call: Call) -> Reply:
    """Begin the fight with its first round. From then on, nobody can add a salt to its dice."""
    return await commit(call, Begin())


async def set_deadlines(call: Call) -> Reply:
    """Set how long prompts wait before they take their default.

    The deadlines of open prompts start again. With `stopped`, no deadline passes until you send
    the times again without it.
    """
    return await commit(call, SetDeadlines(call.body))


async def end_combat(call: Call) -> Reply:
    """End the fight, and reveal the seed of its dice."""
    body: EndCombat = call.body
    return await commit(call, End(body.winners, body.reason))


async def reveal_seed(call: Call) -> Reply:
    """Reveal the seed of the dice now. Later rolls of the combat use a new seed."""
    return await commit(call, RevealSeed())


async def add_salt(call: Call) -> Reply:
    """Mix a text of your own into the dice, before the fight begins."""
    body: Salt = call.body
    return await commit(call, AddSalt(body.by, body.salt))


async def set_map(call: Call) -> Reply:
    """Set or remove the map."""
    body: NewMap = call.body
    return await commit(call, SetMap(body.map))


_AFTER = {
    "board": ("readCombat", {"combat": "$request.path.combat"}),
    "options": ("readOptions", {"combat": "$request.path.combat"}),
    "undo": ("undo", {"combat": "$request.path.combat"}),
}

OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats",
        "openCombat",
        "Open a combat",
        "Combats",
        open_one,
        Opened,
        "service",
        201,
        OpenCombat,
        errors=(404, 409, 422),
    ),
    Operation(
        "GET",
        "/v1/combats",
        "listCombats",
        "List combats",
        "Combats",
        list_combats,
        CombatPage,
        "service",
        query=ListQuery,
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}",
        "readCombat",
        "Read the board",
        "Combats",
        read_combat,
        Board,
        query=BoardQuery,
        errors=(404,),
    ),
    Operation(
        "PATCH",
        "/v1/combats/{combat}",
        "changeCombat",
        "Set a combat's labels",
        "Combats",
        change_combat,
        Committed,
        "gm",
        body=ChangeCombat,
        errors=(404, 409, 412),
        links=_AFTER,
        commits=True,
    ),
    Operation(
        "DELETE",
        "/v1/combats/{combat}",
        "deleteCombat",
        "Delete a combat",
        "Combats",
        delete_combat,
        None,
        "gm",
        204,
        errors=(404,),
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/begin",
        "beginCombat",
        "Begin the fight",
        "Combats",
        begin_combat,
        Committed,
        "gm",
        body=NoFields,
        errors=(404, 409, 412, 422),
        links=_AFTER,
        commits=True,
    ),
    Operation(
        "PUT",
        "/v1/combats/{combat}/deadlines",
        "setDeadlines",
        "Set the deadlines",
        "Combats",
        set_deadlines,
        Committed,
        "gm",
        body=Deadlines,
        errors=(404, 409, 412),
        links=_AFTER,
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/end",
        "endCombat",
        "End the fight",
        "Combats",
        end_combat,
        Committed,
        "gm",
        body=EndCombat,
        errors=(404, 409, 412, 422),
        links=_AFTER,
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/seed",
        "revealSeed",
        "Reveal the dice's seed",
        "Combats",
        reveal_seed,
        Committed,
        "gm",
        body=NoFields,
        errors=(404, 409, 412, 422),
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/salts",
        "addSalt",
        "Add a salt to the dice",
        "Combats",
        add_salt,
        Committed,
        body=Salt,
        errors=(403, 404, 409, 412, 422),
        commits=True,
    ),
    Operation(
        "PUT",
        "/v1/combats/{combat}/map",
        "setMap",
        "Set the map",
        "Combats",
        set_map,
        Committed,
        "gm",
        body=NewMap,
        limit=MOST_MAP,
        errors=(404, 409, 412),
        commits=True,
    ),
)
