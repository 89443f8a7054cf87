"""The baseline of the service: handlers that do only input and output.

`POST /commands` decodes the same body as the service, and inserts the events of the measured
commands with one asyncpg statement for each command. `GET /board` returns the same bytes as the
service, from memory.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
import uvicorn
from litestar import Litestar, Request, Response, get, post

from service.routes.play import DeclareAction

STORED = (
    "SELECT array_agg(topic ORDER BY originator_version),"
    " array_agg(state ORDER BY originator_version)"
    " FROM stored_events GROUP BY command_id"
    " HAVING bool_or(convert_from(state, 'UTF8') LIKE '%\"action\":\"attack\"%') LIMIT 500"
)
INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)"
    " SELECT $1, v, t, s, $1 FROM unnest($2::bigint[], $3::text[], $4::bytea[]) AS n(v, t, s)"
)
DECODER = msgspec.json.Decoder(DeclareAction)


def app(dsn: str, board: bytes) -> Litestar:
    """Return an application with the two handlers."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        state = app.state
        state.pool = await asyncpg.create_pool(dsn, min_size=8, max_size=8)
        state.attacks = cycle([(row[0], row[1]) for row in await state.pool.fetch(STORED)])
        state.board = board
        yield
        await state.pool.close()

    @post("/commands", status_code=200)
    async def commands(request: Request[Any, Any, Any]) -> Response[bytes]:
        DECODER.decode(await request.body())
        topics, states = next(request.app.state.attacks)
        versions = list(range(1, len(topics) + 1))
        await request.app.state.pool.execute(INSERT, uuid4(), versions, topics, states)
        return Response(b"{}", media_type="application/json")

    @get("/board")
    async def read(request: Request[Any, Any, Any]) -> Response[bytes]:
        return Response(request.app.state.board, media_type="application/json")

    return Litestar([commands, read], lifespan=[running], openapi_config=None)


if __name__ == "__main__":
    dsn, port = sys.argv[1:]
    uvicorn.run(
        app(dsn, sys.stdin.buffer.read()), port=int(port), log_level="warning", loop="uvloop"
    )
