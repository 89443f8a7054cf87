"""Reads are compressed and have an ETag. Streams and answers to commands are sent as is."""

import gzip

import pytest

from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit

READ = [
    "/schema/openapi.json",
    "/schema/asyncapi.json",
    "/v1/rulesets/free-hit",
    "/v1/rulesets/free-hit/rules",
    "/v1/combats/{combat}",
    "/v1/combats/{combat}/options",
    "/v1/combats/{combat}/timeline",
]


async def fight(client: Client) -> dict[str, str]:
    """Begin a fight, and return the headers of its GM."""
    await client.open("free-hit", [unit("Ana", agility=5, weapons=[SWORD]), foe("Imp")])
    await client.done("/begin")
    return {"Authorization": f"Bearer {client.token}", "Accept-Encoding": "gzip"}


@pytest.mark.parametrize("path", READ)
async def test_what_is_read_is_compressed_and_has_an_etag(client: Client, path: str) -> None:
    headers = await fight(client)
    url = path.format(combat=client.combat)
    plain = await client.http.get(url, headers={**headers, "Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    async with client.http.stream("GET", url, headers=headers) as packed:
        raw = b"".join([piece async for piece in packed.aiter_raw()])
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(raw) < len(plain.content) * 0.6
    assert gzip.decompress(raw) == plain.content
    assert "Accept-Encoding" in packed.headers["vary"]
    assert packed.headers["etag"] == plain.headers["etag"]
    again = {**headers, "If-None-Match": packed.headers["etag"]}
    unchanged = await client.http.get(url, headers=again)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == plain.headers["etag"]
    assert unchanged.headers["cache-control"] == plain.headers["cache-control"]
    other = await client.http.get(url, headers={**headers, "If-None-Match": '"another"'})
    assert other.status_code == 200


async def test_a_stream_is_sent_as_it_is(client: Client) -> None:
    headers = await fight(client)
    url = f"/v1/combats/{client.combat}/stream?wait=0"
    answer = await client.http.get(url, headers=headers)
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert "content-encoding" not in answer.headers
    assert "etag" not in answer.headers


async def test_an_answer_that_may_hold_a_secret_is_not_compressed(client: Client) -> None:
    headers = await fight(client)
    body = {"text": "from somebody else " * 100}
    url = f"/v1/combats/{client.combat}/notes"
    answer = await client.http.post(url, json=body, headers=headers)
    assert len(answer.content) > 2000
    assert "content-encoding" not in answer.headers
