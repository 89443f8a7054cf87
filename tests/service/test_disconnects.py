"""Clients that disconnect during a request cause no error and no line in the log."""

import asyncio
import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.server import Server

TIMES = 6


@pytest.fixture
def told(dsn: str, tmp_path: Path) -> Iterator[Server]:
    """Run a service that writes its log to a file."""
    server = Server(dsn, log=tmp_path / "log").start()
    yield server
    server.stop()


def gone(peer: socket.socket, how: str) -> None:
    """Close the connection normally, or with a reset."""
    if how == "reset":
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def request(method: str, client: Client, path: str, body: bytes = b"", length: int = -1) -> bytes:
    size = len(body) if length < 0 else length
    return (
        f"{method} /v1/combats/{client.combat}{path} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {client.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {size}\r\n\r\n"
    ).encode() + body


def sendings(client: Client, note: bytes) -> dict[str, list[bytes]]:
    """Return the pieces that a client sends, by the moment at which it then disconnects.

    After an empty last piece, the client waits for the beginning of the answer.
    """
    whole = request("POST", client, "/notes", note)
    return {
        "in the head": [whole[:60]],
        "in the body": [whole[:-5]],
        "in a body that is no good any more": [
            request("POST", client, "/actions", b"{", 2_000_000),
        ],
        "before the answer": [whole],
        "before the second answer": [whole + whole],
        "in the answer": [request("GET", client, "/events?limit=500"), b""],
        "in many answers": [request("GET", client, "/events?limit=500") * 40, b""],
        "in the stream": [request("GET", client, "/stream?board=full"), b""],
    }


@pytest.mark.parametrize("how", ["closed", "reset"])
async def test_clients_that_go_away_are_no_faults(told: Server, how: str) -> None:
    async with httpx.AsyncClient(base_url=told.url, timeout=30) as http:
        client = Client(http)
        await client.open("free-hit", [unit("Ana", agility=5, weapons=[SWORD]), foe("Imp")])
        await client.done("/begin")
        for number in range(60):
            await client.done("/notes", {"text": f"{number} " * 300})
        note = json.dumps({"text": "from somebody who went"}).encode()
        for pieces in sendings(client, note).values():
            peers = [socket.create_connection(("127.0.0.1", told.port)) for _ in range(TIMES)]
            for number, peer in enumerate(peers):
                for piece in pieces:
                    if piece:
                        peer.sendall(piece)
                        await asyncio.sleep(0.02 * number)
                    else:
                        await asyncio.to_thread(peer.recv, 100)
                gone(peer, how)
        for _ in range(50):
            left = listeners(await http.get("/metrics"))
            if not left:
                break
            await asyncio.sleep(0.1)
        assert left == 0
        assert 'status="500"' not in (await http.get("/metrics")).text
        assert (await client.get()).status_code == 200
        for _ in range(3):  # some streams are open at the stop
            peer = socket.create_connection(("127.0.0.1", told.port))
            peer.sendall(request("GET", client, "/stream"))
            await asyncio.to_thread(peer.recv, 100)
            gone(peer, how)
    await asyncio.to_thread(told.stop)
    assert told.log is not None
    assert told.log.read_text() == ""


def listeners(metrics: httpx.Response) -> float:
    """Return the number of open streams from the metrics."""
    (line,) = [
        splitline
        for splitline in metrics.text.splitlines()
        if splitline.startswith("affray_listeners")
    ]
    return float(line.split()[-1])
