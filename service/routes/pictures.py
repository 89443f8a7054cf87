"""Pictures of tokens and maps: upload, copy from an address, read."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.engine.redaction import redact
from domain.errors import Unknown
from domain.record.combat import Combat
from service import pictures
from service.http.operation import OCTETS, Call, Operation, Reply
from service.live.copying import copied

CACHE: Final = {"Cache-Control": "private, max-age=31536000, immutable"}
"""The content of an id never changes. Only the reader's own cache may store it."""


class PictureSize(Struct, frozen=True, forbid_unknown_fields=True):
    """`longest`: the largest length of the longer side in pixels. 256 is enough for a token."""

    longest: Annotated[int, Meta(ge=64, le=pictures.LONGEST)] = pictures.LONGEST


class CopyPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """The service reads the picture once.

    `longest`: the largest length of the longer side in pixels.
    """

    address: Annotated[
        str, Meta(description="Address that begins with https://", min_length=9, max_length=500)
    ]
    longest: Annotated[
        int,
        Meta(
            ge=64, le=pictures.LONGEST, description="Largest length of the longer side, in pixels"
        ),
    ] = pictures.LONGEST


class PictureView(Struct, frozen=True):
    """A stored picture. To show it, set its id as `picture` in a sheet or a map's `background`."""

    picture: Annotated[str, Meta(description="Id of the picture")]
    width: Annotated[int, Meta(description="Width in pixels")]
    height: Annotated[int, Meta(description="Height in pixels")]


async def add_picture(call: Call) -> Reply:
    """Upload a picture for this combat: PNG, JPEG or WebP, at most 8 MiB and 25,000,000 pixels.

    To show the picture, set its id in a sheet or on the map. The media type may also be
    the exact type of the file, such as `image/png`. Affray stores the picture as WebP, without
    metadata. The same picture gets the same id.

    - `413`: too many bytes or pixels.
    - `415`: the file is not a picture.
    - `409`: the combat already has 100 pictures or 24 MiB of pictures.
    """
    call.service.limiter.pictures.take(call.address)
    query: PictureSize = call.query
    return await _store(call, call.raw, query.longest)


async def copy_picture(call: Call) -> Reply:
    """Copy a picture from an address on the internet into this combat.

    The service reads the address once, so viewers of the picture never contact its host. The limits
    of an upload apply. The service refuses addresses inside a private network.
    """
    call.service.limiter.pictures.take(call.address)
    body: CopyPicture = call.body
    allowed = call.service.settings.webhook_networks
    return await _store(call, await copied(body.address, allowed), body.longest)


async def _store(call: Call, upload: bytes, longest: int) -> Reply:
    encoded = await call.service.encoder.encoded(upload, longest)
    picture = await call.service.pictures.add(call.combat.id, [encoded.data])
    return Reply(PictureView(picture, encoded.width, encoded.height), 201)


async def read_picture(call: Call) -> Reply:
    """Read a picture that the current board shows to this token. The GM may read all pictures.

    `404`: the picture does not exist, or only hidden combatants have it.
    """
    picture = call.params["picture"]
    caller = call.combat.seen_by(call.row).caller
    live = call.combat.live
    if caller.role != "gm" and picture not in _named(redact(live.ruleset, live.combat, caller)):
        raise Unknown("picture", picture)
    data = await call.service.pictures.find(call.combat.id, picture)
    if data is None:
        raise Unknown("picture", picture)
    return Reply(data, etag=picture, media_type=pictures.TYPE, headers=CACHE)


def _named(combat: Combat) -> set[object]:
    """Return the ids of the pictures that a board shows."""
    named: set[object] = {combatant.sheet.get("picture") for combatant in combat}
    for map in (combat.map, combat.options.get("map")):
        if map and (background := map.get("background")):
            named.add(background.get("picture"))
    return named


_AFTER = {
    "combatant": ("changeCombatant", {"combat": "$request.path.combat"}),
    "map": ("setMap", {"combat": "$request.path.combat"}),
}

OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats/{combat}/pictures",
        "addPicture",
        "Upload a picture",
        "Pictures",
        add_picture,
        PictureView,
        "gm",
        201,
        query=PictureSize,
        errors=(404, 409),
        limit=pictures.MOST_BODY,
        body_type=OCTETS,
        links=_AFTER,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/pictures/copies",
        "copyPicture",
        "Copy a picture from an address",
        "Pictures",
        copy_picture,
        PictureView,
        "gm",
        201,
        CopyPicture,
        errors=(404, 409),
        links=_AFTER,
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/pictures/{picture}",
        "readPicture",
        "Read a picture",
        "Pictures",
        read_picture,
        pictures.TYPE,
        errors=(404,),
    ),
)
