"""Copies: export a combat to a file, import it, and fork it."""

import asyncio
from contextlib import suppress
from typing import Annotated, Literal
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from msgspec import Meta, Struct

from domain.engine.commands import Name
from domain.errors import Malformed
from domain.record.export import Export, Imported, export, read, whole
from domain.record.fork import copy
from service.http.operation import JSON, Call, Operation, Reply, created
from service.http.problems import Refusal
from service.openings import Opened, fork_combat, import_combat, is_here
from service.store.pictures import MOST, MOST_BYTES


class ExportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`format`: a file of lines, or one JSON object that contains the lines."""

    format: Literal["lines", "json"] = "lines"


async def read_export(call: Call) -> Reply:
    """Export the combat as JSON Lines, for another server or for `affray verify`.

    The first line describes the combat. All events follow with their hashes, then all pictures.
    With `format=json`, you get the same lines in one JSON object. You can import and verify only
    the file.
    """
    hot, query = call.combat, call.query
    recorded = await call.combats.whole(hot)
    kept = await call.service.pictures.all(hot.id)
    if query.format == "json":
        return Reply(whole(recorded, kept), weighed=True)
    body = b"".join(export(recorded, kept))
    headers = {"Content-Disposition": f'attachment; filename="{hot.id}.jsonl"'}
    return Reply(
        body,
        media_type="application/x-ndjson",
        headers=headers,
        weighed=True,
    )


class ForkFrom(Struct, frozen=True, forbid_unknown_fields=True):
    """The `version` to fork from, and the `name` of the fork.

    If `version` is `null`, the fork begins at the current version. If `name` is `null`, the fork
    keeps the name.
    """

    version: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The version to fork from. `null`: the current version"),
    ] = None
    name: Annotated[
        Name | None, Meta(description="The new combat's name. `null`: the old combat's name")
    ] = None


async def fork_one(call: Call) -> Reply:
    """Fork a combat: copy its past up to a version, with new dice and tokens.

    If the version falls between two events of one command, the fork includes the complete command.

    Store the new combat's GM token from the answer. If the service has a service key, also send it
    as `Affray-Service-Key`.
    """
    body: ForkFrom = call.body
    hot = call.combat
    if hot.broken is not None:
        raise hot.broken
    history = hot.live.history
    version = history.at_rest(history.head if body.version is None else body.version)
    path = await call.combats.recall(hot.id, lambda: list(history.path_to(version)))
    secret = call.request.headers.get("affray-service-key", "")
    application = await call.service.application_of(secret, call.address)
    call.service.limiter.openings.take(call.address)
    key = call.idempotency
    id = uuid4()
    if key is not None:
        id = uuid5(NAMESPACE_URL, f"affray:{hot.id}:{call.row.id}:{key.key}")
    if application is not None:
        await call.service.applications.claim(application, id)
    answer = await fork_combat(call.combats, id, path, hot.live.ruleset, body.name, key)
    await call.service.pictures.share(hot.id, id)
    return created(answer, id)


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The action for an import whose combat id already exists.

    `if_here` refuses the import, or makes a copy with a new id.
    """

    if_here: Literal["refuse", "copy"] = "refuse"


def id_of(imported: Imported) -> UUID:
    """Return the id of a file's combat. Raise `Malformed` if it is not a UUID in Affray's form."""
    with suppress(ValueError):
        id = UUID(imported.header.combat)
        if str(id) == imported.header.combat:
            return id
    raise Malformed("/1", "line 1: the combat's id is no UUID")


async def import_one(call: Call) -> Reply:
    """Import an exported combat: the same events, hashes and state, under a new GM token.

    - `400`: the file is faulty. The problem names the first bad line.
    - `409`: the combat already exists. To import it anyway, send `if_here=copy`. The copy has the
      same history under a new id, so its hashes differ.
    """
    call.service.limiter.imports.take(call.address)
    query: ImportQuery = call.query
    imported = await asyncio.to_thread(read, call.raw)
    ruleset = call.combats.ruleset(imported.header.ruleset)
    id = id_of(imported)
    recorded, states, key = imported.recorded, imported.states, call.idempotency
    if query.if_here == "copy" and await is_here(call.combats, id, key):
        id = uuid4() if key is None else uuid5(NAMESPACE_URL, f"affray:{id}:import:{key.key}")
        recorded, states = await asyncio.to_thread(copy, recorded, str(id))
    if call.application is not None:
        await call.service.applications.claim(call.application, id)
    await _check_pictures(call, imported)
    answer = await import_combat(call.combats, id, ruleset, recorded, states, imported.seeds, key)
    if imported.pictures:
        contents = [line.data for line in imported.pictures]
        ids = [line.picture for line in imported.pictures]
        await call.service.pictures.add(id, contents, ids)
    return created(answer, id)


async def _check_pictures(call: Call, imported: Imported) -> None:
    """Refuse pictures that no service has made, and more pictures than a combat may have."""
    size = sum(len(line.data) for line in imported.pictures)
    if len(imported.pictures) > MOST or size > MOST_BYTES:
        raise Malformed("/1", f"line 1: a combat has at most {MOST} pictures, {MOST_BYTES} bytes")
    for number, line in enumerate(imported.pictures, imported.header.events + 2):
        try:
            await call.service.encoder.check(line.data)
        except Refusal:
            raise Malformed(f"/{number}", f"line {number}: no service has made this") from None


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/export",
        "exportCombat",
        "Export a combat",
        "History",
        read_export,
        Export,
        "gm",
        query=ExportQuery,
        media_types=(JSON, "application/x-ndjson"),
        errors=(404,),
    ),
    Operation(
        "POST",
        "/v1/combats/import",
        "importCombat",
        "Import a combat",
        "Combats",
        import_one,
        Opened,
        "service",
        201,
        query=ImportQuery,
        errors=(404, 409),
        limit=64 * 1024 * 1024,
        body_type="application/x-ndjson",
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/fork",
        "forkCombat",
        "Fork a combat",
        "History",
        fork_one,
        Opened,
        "gm",
        201,
        ForkFrom,
        errors=(404,),
    ),
)
