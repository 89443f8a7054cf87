"""A load generator with little overhead: keep-alive connections, and requests as prepared bytes."""

import asyncio
import time
from collections.abc import Mapping, Sequence


class Wire:
    """One HTTP/1.1 connection."""

    def __init__(self, port: int) -> None:
        self.port = port

    @classmethod
    async def open(cls, port: int) -> "Wire":
        wire = cls(port)
        await wire.connect()
        return wire

    async def connect(self) -> None:
        """Connect again, because the server closes idle connections."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    @staticmethod
    def request(method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """Return the bytes of a request."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join((*lines, "", "")).encode() + body

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send a request, and return the status and the body of the answer."""
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        return status, await self.reader.readexactly(length)

    def close(self) -> None:
        self.writer.close()


Answers = list[tuple[int, bytes]]


class Clients:
    """Connections to one service. Each sends one request after another."""

    def __init__(self, wires: Sequence[Wire]) -> None:
        self.wires = wires

    @classmethod
    async def open(cls, port: int, number: int) -> "Clients":
        return cls([await Wire.open(port) for _ in range(number)])

    async def send(self, requests: Sequence[Sequence[bytes]]) -> tuple[float, list[Answers]]:
        """Send `requests`, a list for each client. Return the seconds and the answers."""
        await self.connect()
        began = time.perf_counter()
        answers = await asyncio.gather(
            *(_all(wire, request) for wire, request in zip(self.wires, requests, strict=True))
        )
        return time.perf_counter() - began, list(answers)

    async def connect(self) -> None:
        """Open new connections."""
        self.close()
        for wire in self.wires:
            await wire.connect()

    def close(self) -> None:
        for wire in self.wires:
            wire.close()


async def _all(wire: Wire, requests: Sequence[bytes]) -> Answers:
    return [await wire.send(request) for request in requests]
