"""Line: the connection to one address. It signs calls by the scheme of Standard Webhooks.

It follows no redirect, and limits time and size of an answer. It connects to the checked address.
"""

import asyncio
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import httpx
import msgspec
from standardwebhooks import Webhook as Signature

from service.live.addresses import Network, NotAllowed, looked_at, request_to, resolved
from service.live.calls import WebhookCall, WebhookPing

ANSWER_S: Final = 10.0
"""Seconds of one call: resolve the address, connect, send, and receive the answer."""

MOST_ANSWER: Final = 16 * 1024
"""The limit of bytes to read from an answer, so that the connection stays usable."""

GONE: Final = 410


class Refused(Exception):
    """The address refused a call. `for_good`: it wants no further calls."""

    def __init__(self, problem: str, *, for_good: bool = False) -> None:
        super().__init__(problem)
        self.for_good = for_good


class Line:
    """The connection to one address, made at the first call and reused for the next ones.

    It is never shared with another webhook, because a certificate that is valid for one host is not
    valid for another host at the same address.
    """

    def __init__(
        self,
        url: str,
        secrets: Sequence[bytes],
        allowed: Sequence[Network],
        trust: ssl.SSLContext,
        answer_s: float = ANSWER_S,
    ) -> None:
        """Sign with each of `secrets`, and wait `answer_s` seconds for an answer."""
        self.url, self.allowed = url, allowed
        self._signatures = [Signature(secret) for secret in secrets]
        self.answer_s = answer_s
        self._address = ""
        self._client = httpx.AsyncClient(
            verify=trust, trust_env=False, follow_redirects=False, timeout=answer_s
        )

    async def __aenter__(self) -> "Line":
        return self

    async def __aexit__(self, *of: object) -> None:
        await self._client.aclose()

    async def call(self, id: str, call: WebhookCall | WebhookPing) -> None:
        """Send a call. Raises `Refused`."""
        try:
            async with asyncio.timeout(self.answer_s):
                status = await self._send(id, msgspec.json.encode(call))
        except (TimeoutError, httpx.TimeoutException):
            raise Refused(f"it did not answer within {self.answer_s:.0f} s") from None
        except NotAllowed as reason:
            raise Refused(str(reason)) from None
        except httpx.HTTPError as error:
            raise Refused(_in_words(error)) from None
        if 300 <= status < 400:
            raise Refused(f"it answered {status}, and redirects are not followed")
        if not 200 <= status < 300:
            raise Refused(f"it answered {status}", for_good=status == GONE)

    async def _send(self, id: str, body: bytes) -> int:
        url = looked_at(self.url, self.allowed)
        now = datetime.now(UTC)
        headers = {
            "Content-Type": "application/json",
            "Webhook-Id": id,
            "Webhook-Timestamp": str(int(now.timestamp())),
            "Webhook-Signature": " ".join(
                signature.sign(id, now, body.decode()) for signature in self._signatures
            ),
        }
        for address in await self._addresses(url):
            request = self._client.build_request("POST", content=body, **request_to(url, address))
            request.headers.update(headers)
            try:
                answer = await self._client.send(request, stream=True)
            except httpx.ConnectError as error:
                failed = error
                continue
            self._address = address
            try:
                await _read(answer)
            finally:
                await answer.aclose()
            return answer.status_code
        raise failed

    async def _addresses(self, url: httpx.URL) -> Sequence[str]:
        if self._address:
            return (self._address,)
        return (await resolved(url, self.allowed))[:3]


async def _read(answer: httpx.Response) -> None:
    size = 0
    async for piece in answer.aiter_raw():
        size += len(piece)
        if size > MOST_ANSWER:
            return


def _in_words(error: httpx.HTTPError) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not good: {cause.verify_message}"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.ConnectError):
        return "it takes no connection"
    return "the connection broke"
