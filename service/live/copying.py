"""Copying: read a picture from an address once, for the GM.

The rules of webhooks apply:

- The service reads only public addresses, and connects to the address that it has checked.
- It follows no redirect.
- It limits time and size.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import httpx

from service.http.problems import Refusal
from service.live.addresses import Network, NotAllowed, looked_at, request_to, resolved
from service.pictures import MOST_BODY

ANSWER_S: Final = 10.0

_WANTED: Final = {
    "Accept": "image/webp, image/png, image/jpeg",
    "Accept-Encoding": "identity",
}
"""Seconds to resolve the address, connect, and receive the complete answer."""


async def copied(address: str, allowed: Sequence[Network]) -> bytes:
    """Return the bytes at an address. Refuse an unreadable address with a pointer to `address`."""
    try:
        async with asyncio.timeout(ANSWER_S):
            return await _read(address, allowed)
    except NotAllowed as reason:
        problem = str(reason)
    except (TimeoutError, httpx.TimeoutException):
        problem = f"the address did not answer within {ANSWER_S:.0f} s"
    except httpx.HTTPError:
        problem = "the address takes no connection, or broke it"
    raise Refusal("malformed", problem, pointer="/address")


async def _read(address: str, allowed: Sequence[Network]) -> bytes:
    url = looked_at(address, allowed)
    numbers = await resolved(url, allowed)
    async with (
        httpx.AsyncClient(
            trust_env=False, follow_redirects=False, timeout=ANSWER_S, headers=_WANTED
        ) as client,
        client.stream("GET", **request_to(url, numbers[0])) as answer,
    ):
        if answer.status_code != 200:
            raise NotAllowed(f"the address answered {answer.status_code}, and no picture")
        content = bytearray()
        async for piece in answer.aiter_raw():
            content += piece
            if len(content) > MOST_BODY:
                raise Refusal("too-large", f"a picture has at most {MOST_BODY} bytes")
        return bytes(content)
