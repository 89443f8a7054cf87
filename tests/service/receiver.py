"""A receiver of webhooks that answers as a test wants, and stores the calls."""

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

OK = b"HTTP/1.1 204 No Content\r\n\r\n"


def answer(status: int, *headers: str, body: bytes = b"") -> bytes:
    """Return the bytes of an answer."""
    if not any(header.startswith("Content-Length") for header in headers):
        headers = (f"Content-Length: {len(body)}", *headers)
    lines = (f"HTTP/1.1 {status} So", *headers, "", "")
    return "\r\n".join(lines).encode() + body


@dataclass(frozen=True)
class Got:
    """A call of a webhook. `taken` is true if the receiver accepted it."""

    headers: dict[str, str]
    body: bytes
    taken: bool

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def call(self) -> Any:
        return json.loads(self.body)


Answers = Callable[[Got], Awaitable[bytes]]


async def take(got: Got) -> bytes:
    """Accept every call."""
    return OK


@dataclass
class Receiver:
    """A receiver on 127.0.0.1.

    `answers` returns the answer to a call. An answer with a 2xx status accepts the call.
    """

    answers: Answers = take
    tls: ssl.SSLContext | None = None
    got: list[Got] = field(default_factory=list)
    port: int = 0
    _server: asyncio.Server | None = None
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/calls"

    async def start(self) -> "Receiver":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()

    @property
    def taken(self) -> list[Got]:
        return [call for call in self.got if call.taken]

    async def until(self, there: Callable[[], bool], seconds: float = 10) -> None:
        """Wait until the calls satisfy a condition."""
        async with asyncio.timeout(seconds):
            while not there():
                self._came.clear()
                await self._came.wait()

    async def calls(self, number: int) -> list[Any]:
        """Wait for `number` accepted calls, and return the accepted calls."""
        await self.until(lambda: len(self.taken) >= number)
        return [call.call for call in self.taken]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                pairs = (line.split(": ", 1) for line in head[1:] if line)
                headers = {name.lower(): value for name, value in pairs}
                body = await reader.readexactly(int(headers["content-length"]))
                said = await self.answers(Got(headers, body, taken=False))
                self.got.append(Got(headers, body, taken=said.split(b" ")[1].startswith(b"2")))
                self._came.set()
                writer.write(said)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()
