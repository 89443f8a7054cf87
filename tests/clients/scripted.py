"""A server that follows a script: one turn for each request, in order."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Turn = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Request:
    """A received request. The names of headers are in lower case."""

    method: str
    url: str
    headers: dict[str, str]
    body: str


@dataclass
class Script:
    """A running script, with its address and the requests that it has received."""

    turns: list[Turn]
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Receive one request and play its turn."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            headers = {
                name.lower(): value for name, _, value in (line.partition(": ") for line in lines)
            }
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            method, url, _ = first.split(" ")
            self.requests.append(Request(method, url, headers, body.decode()))
            turn = self.turns.pop(0) if self.turns else document(500, {"detail": "it is over"})
            await turn(writer)
        writer.close()


@asynccontextmanager
async def scripted(*turns: Turn) -> AsyncIterator[Script]:
    script = Script(list(turns))
    running: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(script.serve(reader, writer))
        running.add(task)
        task.add_done_callback(running.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    script.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield script
    finally:
        server.close()
        for task in running:
            task.cancel()


def document(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Turn:
    """Answer with JSON. If `body` is `None`, the answer has no body."""

    async def turn(writer: asyncio.StreamWriter) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(content)}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()

    return turn


async def broken(writer: asyncio.StreamWriter) -> None:
    """Close the connection without an answer."""


async def silent(writer: asyncio.StreamWriter) -> None:
    """Send nothing, like a proxy that buffers."""
    await asyncio.sleep(60)


def events(pieces: Sequence[str], *, open: bool = False) -> Turn:
    """Send Server-Sent Events. `open` keeps the stream open."""

    async def turn(writer: asyncio.StreamWriter) -> None:
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        for piece in (head, *pieces):
            writer.write(piece.encode())
            await writer.drain()
        if open:
            await asyncio.sleep(60)

    return turn


def frame(event: str, data: Any, id: str | None = None) -> str:
    named = "" if id is None else f"id: {id}\n"
    return f"event: {event}\n{named}data: {json.dumps(data)}\n\n"
