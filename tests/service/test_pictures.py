"""Test pictures of tokens and maps: their formats, readers and removal."""

import asyncio
import base64
import struct
import zlib
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from PIL import Image
from PIL.ExifTags import Base

from service.limits import Limits
from service.pictures import MOST_BODY
from service.store import pictures as store
from tests.client import Client
from tests.rulesets.definitions.units import SWORD, fighter, foe
from tests.service.receiver import answer
from tests.service.test_imports import NDJSON
from tests.service.test_limits import limited

ANA = {"name": "Ana", "side": "heroes", "owner": "Kim", "agility": 4, "accuracy": 3, "max_hp": 20}
IMP = {"name": "Imp", "side": "foes", "agility": 1, "accuracy": 3, "max_hp": 9}
SECRET = b"taken at 52.5 N, 13.4 E"


def picture(
    kind: str = "PNG", size: tuple[int, int] = (40, 20), colour: str = "red", **more: Any
) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, kind, **more)
    return out.getvalue()


async def upload(
    client: Client,
    content: bytes,
    media: str = "image/png",
    token: str | None = None,
    **query: Any,
) -> httpx.Response:
    headers = {"Content-Type": media}
    return await client.post(
        "/pictures", content=content, params=query, headers=headers, token=token
    )


async def put(client: Client, who: str, content: bytes) -> str:
    """Upload a picture and give it to a combatant."""
    answer = await upload(client, content)
    assert answer.status_code == 201, answer.text
    id = str(answer.json()["picture"])
    changed = await client.call("PATCH", f"/combatants/{who}", {"sheet": {"picture": id}})
    assert changed.status_code == 200, changed.text
    return id


async def seen(client: Client, **more: Any) -> Mapping[str, str | None]:
    board = (await client.get(**more)).json()
    return {combatant["id"]: combatant.get("picture") for combatant in board["combatants"]}


@pytest.fixture
async def gm(client: Client) -> Client:
    await client.open("free-hit", [ANA, IMP])
    return client


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_a_picture_becomes_webp_no_larger_than_asked(gm: Client, kind: str) -> None:
    content = picture(kind, (300, 150))
    answer = await upload(gm, content, f"image/{kind.lower()}", longest=64)
    assert answer.status_code == 201
    assert (answer.json()["width"], answer.json()["height"]) == (64, 32)
    response = await gm.get(f"/pictures/{answer.json()['picture']}")
    assert response.headers["content-type"] == "image/webp"
    assert response.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert response.headers["x-content-type-options"] == "nosniff"
    with Image.open(BytesIO(response.content)) as made:
        assert (made.format, made.size) == ("WEBP", (64, 32))


async def test_metadata_are_gone_and_a_turned_photograph_stands_upright(gm: Client) -> None:
    exif = Image.Exif()
    exif[Base.Orientation] = 6
    exif[Base.ImageDescription] = SECRET.decode()
    content = picture("JPEG", (40, 20), exif=exif, comment=SECRET)
    assert SECRET in content
    answer = await upload(gm, content)
    assert (answer.json()["width"], answer.json()["height"]) == (20, 40)
    response = await gm.get(f"/pictures/{answer.json()['picture']}")
    assert SECRET not in response.content
    with Image.open(BytesIO(response.content)) as made:
        assert not made.getexif()
        assert not {"exif", "icc_profile", "xmp"} & made.info.keys()


def bomb() -> bytes:
    """Return a PNG of a few hundred bytes that claims 40,000 × 40,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", 40_000, 40_000, 8, 6, 0, 0, 0)
    data = zlib.compress(bytes(100_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def canvas() -> bytes:
    """Return a WebP of a few bytes with a canvas of 16,000,000 × 200 pixels."""
    small = picture("WEBP", (8, 8))[12:]
    wide = (16_000_000 - 1).to_bytes(3, "little") + (200 - 1).to_bytes(3, "little")
    body = b"WEBP" + b"VP8X" + struct.pack("<I", 10) + bytes(4) + wide + small
    return b"RIFF" + struct.pack("<I", len(body)) + body


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
REFUSED = [
    ("a bomb", bomb(), "image/png", 413, "too-large"),
    ("too many pixels", picture("PNG", (5001, 5000)), "image/png", 413, "too-large"),
    ("no picture", b"hello", "image/png", 415, "unsupported-media-type"),
    ("nothing", b"", "image/png", 415, "unsupported-media-type"),
    ("a drawing with a program", SVG, "image/svg+xml", 415, "unsupported-media-type"),
    ("another kind", picture("GIF"), "image/gif", 415, "unsupported-media-type"),
    ("half a file", picture("PNG", (64, 64))[:90], "image/png", 415, "unsupported-media-type"),
    ("another body", b"{}", "application/json", 415, "unsupported-media-type"),
    ("too many bytes", bytes(MOST_BODY + 1), "image/png", 413, "too-large"),
]


@pytest.mark.parametrize(
    ("content", "media", "status", "kind"),
    [row[1:] for row in REFUSED],
    ids=[r[0] for r in REFUSED],
)
async def test_other_uploads_are_refused_in_words(
    gm: Client, content: bytes, media: str, status: int, kind: str
) -> None:
    answer = await upload(gm, content, media)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{kind}")
    assert answer.json()["detail"]


async def test_a_canvas_without_pixels_is_refused(gm: Client) -> None:
    assert (await upload(gm, canvas(), "image/webp")).status_code in (413, 415)


async def test_the_same_picture_has_one_id_in_a_combat(gm: Client) -> None:
    first, again = [(await upload(gm, picture())).json()["picture"] for _ in range(2)]
    other = (await upload(gm, picture(colour="blue"))).json()["picture"]
    assert first == again != other


async def test_a_combat_has_so_many_pictures(gm: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 1)
    await upload(gm, picture())
    answer = await upload(gm, picture(colour="blue"))
    assert (answer.status_code, answer.json()["reason"]) == (409, "too-many-pictures")
    assert (await upload(gm, picture())).status_code == 201, "the one that is there has its place"


async def test_uploads_have_a_rate(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits(pictures=1)) as client:
        await client.open("free-hit", [ANA, IMP])
        assert (await upload(client, picture())).status_code == 201
        assert (await upload(client, picture())).status_code == 429


async def test_only_the_gm_uploads_and_copies(gm: Client) -> None:
    player = await gm.player("Ana")
    assert (await upload(gm, picture(), token=player)).status_code == 403
    copy = {"address": "https://pictures.example/ana.png"}
    assert (await gm.post("/pictures/copies", copy, token=player)).status_code == 403


@pytest.mark.parametrize(
    "address",
    ["https://127.0.0.1/a.png", "https://localhost/a.png", "https://[::1]/a", "https://10.0.0.7/"],
)
async def test_no_picture_comes_from_a_private_address(gm: Client, address: str) -> None:
    answer = await gm.post("/pictures/copies", {"address": address})
    assert (answer.status_code, answer.json()["pointer"]) == (400, "/address")
    assert answer.json()["detail"] == "the host has no public address"


async def test_a_picture_is_copied_from_an_address_that_the_operator_allows(
    dsn: str, tmp_path: Path
) -> None:
    content = picture("JPEG", (300, 150))
    asked: list[str] = []

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(head)
        name = head.split()[1]
        writer.write({
            "/imp.jpg": answer(200, "Content-Type: image/jpeg", body=content),
            "/moved": answer(302, "Location: /imp.jpg"),
            "/page": answer(200, "Content-Type: text/html", body=b"<html></html>"),
            "/large": answer(200, body=bytes(MOST_BODY + 1)),
        }.get(name, answer(404)))  # fmt: skip
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    networks = (ip_network("127.0.0.0/8"),)
    server = await asyncio.start_server(served, "127.0.0.1")
    host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, limited(dsn, tmp_path, Limits(), webhook_networks=networks) as client:
        await client.open("free-hit", [ANA, IMP])

        async def copy(name: str) -> httpx.Response:
            address = {"address": f"http://{host}/{name}", "longest": 100}
            return await client.post("/pictures/copies", address)

        copied = await copy("imp.jpg")
        assert copied.status_code == 201, copied.text
        assert (copied.json()["width"], copied.json()["height"]) == (100, 50)
        shown = await client.get(f"/pictures/{copied.json()['picture']}")
        assert Image.open(BytesIO(shown.content)).format == "WEBP"
        assert len(asked) == 1, "the picture is kept, and its address is not asked again"
        assert f"Host: {host}" in asked[0]
        assert "Authorization" not in asked[0]
        for name, status in (("moved", 400), ("gone", 400), ("page", 415), ("large", 413)):
            assert (await copy(name)).status_code == status, name


async def test_everybody_who_sees_a_combatant_reads_its_picture(gm: Client) -> None:
    id = await put(gm, "Imp", picture())
    player = await gm.player("Ana")
    assert (await seen(gm, token=player))["Imp"] == id
    first = await gm.get(f"/pictures/{id}", token=player)
    assert first.status_code == 200
    again = await gm.get(
        f"/pictures/{id}", token=player, headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


async def test_undo_takes_a_picture_back(gm: Client) -> None:
    id = await put(gm, "Imp", picture())
    await gm.post("/undo", {})
    assert (await seen(gm))["Imp"] is None
    await gm.post("/redo", {})
    assert (await seen(gm))["Imp"] == id


async def test_a_hidden_combatants_picture_is_as_one_that_never_was(gm: Client) -> None:
    player = await gm.player("Ana")
    id = await put(gm, "Imp", picture())
    await gm.call("PATCH", "/combatants/Imp", {"hidden": True})
    hidden, never = [await gm.get(f"/pictures/{name}", token=player) for name in (id, "A" * 22)]
    assert hidden.status_code == never.status_code == 404
    assert hidden.text.replace(id, "") == never.text.replace("A" * 22, "")
    assert hidden.headers["content-length"] == never.headers["content-length"]
    assert (await gm.get(f"/pictures/{id}")).status_code == 200
    await gm.call("PATCH", "/combatants/Imp", {"hidden": False})
    assert (await gm.get(f"/pictures/{id}", token=player)).status_code == 200


async def test_an_unused_picture_is_the_gms(gm: Client) -> None:
    id = (await upload(gm, picture())).json()["picture"]
    player = await gm.player("Ana")
    assert (await gm.get(f"/pictures/{id}", token=player)).status_code == 404
    assert (await gm.get(f"/pictures/{id}")).status_code == 200


@pytest.mark.parametrize(
    ("ruleset", "map"),
    [("free-hit", {"width": 10, "height": 8}), ("definitions", {"blocked": [[1, 1]]})],
)
async def test_a_map_has_a_background_for_everybody(
    client: Client, ruleset: str, map: dict[str, Any]
) -> None:
    sheets = [ANA, IMP] if ruleset == "free-hit" else [fighter("Ana", weapons=[SWORD]), foe("Imp")]
    await client.open(ruleset, sheets)
    id = (await upload(client, picture())).json()["picture"]
    background = {"picture": id, "left": -0.5, "top": 1, "columns": 24.25}
    answer = await client.call("PUT", "/map", {"map": {**map, "background": background}})
    assert answer.status_code == 200, answer.text
    player = await client.player(role="spectator")
    assert (await client.get(token=player)).json()["map"]["background"] == background
    assert (await client.get(f"/pictures/{id}", token=player)).status_code == 200


@pytest.mark.parametrize(
    "reference", ["http://pictures.example/a.png", "javascript:alert(1)", "short", "https://a b"]
)
async def test_a_reference_is_an_id_or_a_secure_address(gm: Client, reference: str) -> None:
    answer = await gm.call("PATCH", "/combatants/Imp", {"sheet": {"picture": reference}})
    assert (answer.status_code, answer.json()["pointer"]) == (400, "/sheet/picture")


async def test_an_address_is_kept_as_it_is(gm: Client) -> None:
    address = "https://pictures.example/imp.png?size=256"
    answer = await gm.call("PATCH", "/combatants/Imp", {"sheet": {"picture": address}})
    assert answer.status_code == 200
    assert (await seen(gm))["Imp"] == address


async def stored(client: Client, content: bytes) -> tuple[int, int]:
    """Return how many ids and how many copies the database has for a picture."""
    pool = client.service.combats.store.pool  # type: ignore[attr-defined]
    digest = sha256(content).digest()
    ids = await pool.fetchval("SELECT count(*) FROM pictures WHERE hash = $1", digest)
    copies = "SELECT count(*) FROM picture_contents WHERE hash = $1"
    return ids, await pool.fetchval(copies, digest)


async def test_pictures_go_with_the_last_combat_that_has_them(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits()) as client:
        await client.open("free-hit", [ANA, IMP])
        id = await put(client, "Imp", picture(colour="purple"))
        content = (await client.get(f"/pictures/{id}")).content
        fork = (await client.post("/fork", {})).json()
        assert await stored(client, content) == (2, 1)
        assert (await client.call("DELETE")).status_code == 204
        assert await stored(client, content) == (1, 1)
        client.combat, client.token = fork["combat"], fork["token"]
        assert (await client.get(f"/pictures/{id}")).content == content
        assert (await client.call("DELETE")).status_code == 204
        assert await stored(client, content) == (0, 0)


async def test_what_is_erased_about_somebody_includes_its_pictures(gm: Client) -> None:
    imp = await put(gm, "Imp", picture())
    before = await put(gm, "Ana", picture(colour="blue"))
    now = await put(gm, "Ana", picture(colour="green"))
    assert (await gm.post("/erase", {"combatant": "Ana"})).status_code == 204
    assert [(await gm.get(f"/pictures/{id}")).status_code for id in (imp, before, now)] == [
        200,
        404,
        404,
    ]


async def test_an_export_brings_its_pictures_along(gm: Client) -> None:
    id = await put(gm, "Imp", picture())
    file = (await gm.get("/export", headers={"Accept": "application/x-ndjson"})).content
    content = (await gm.get(f"/pictures/{id}")).content
    assert (await gm.call("DELETE")).status_code == 204
    answer = await gm.http.post("/v1/combats/import", content=file, headers=NDJSON)
    assert answer.status_code == 201, answer.text
    token = {"Authorization": f"Bearer {answer.json()['token']}"}
    path = f"/v1/combats/{UUID(answer.json()['combat'])}/pictures/{id}"
    assert (await gm.http.get(path, headers=token)).content == content


@pytest.mark.parametrize("content", [picture("PNG"), b"<svg/>", bytes(10)])
async def test_an_import_takes_only_pictures_that_a_service_has_made(
    gm: Client, content: bytes
) -> None:
    id = await put(gm, "Imp", picture())
    file = (await gm.get("/export")).content
    good = base64.b64encode((await gm.get(f"/pictures/{id}")).content)
    await gm.call("DELETE")
    bad = file.replace(good, base64.b64encode(content))
    answer = await gm.http.post("/v1/combats/import", content=bad, headers=NDJSON)
    assert answer.status_code == 400
    assert answer.json()["pointer"] == f"/{len(file.splitlines())}"
