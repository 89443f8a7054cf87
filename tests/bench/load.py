"""A load generator that costs little: keep-alive connections, requests as ready bytes."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence


class Wire:
    """One HTTP/1.1 connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> "Wire":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    @staticmethod
    def request(method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """The bytes of a request."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join((*lines, "", "")).encode() + body

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """The status and the body of the answer."""
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


Renew = Callable[[], Sequence[bytes]]
"""Makes the requests of a new fight when one has ended."""


async def rate(
    port: int, plays: Sequence[Sequence[bytes]], seconds: float, renew: Renew | None = None
) -> float:
    """Answers per second: each client sends its requests round and round."""
    until = time.perf_counter() + seconds
    done = 0

    async def client(requests: Sequence[bytes]) -> None:
        nonlocal done
        wire = await Wire.open(port)
        while time.perf_counter() < until:
            for request in requests:
                status, body = await wire.send(request)
                done += 1
                if status == 409 and renew is not None:  # somebody was killed outright
                    requests = await asyncio.to_thread(renew)
                    break
                assert status in (200, 201), body
        wire.close()

    began = time.perf_counter()
    await asyncio.gather(*(client(one) for one in plays))
    return done / (time.perf_counter() - began)
