"""What the service is compared with: bare handlers that do only the input and output.

POST /commands decodes the same body and inserts as many event bytes with one asyncpg statement;
GET /board returns as many bytes from memory.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import asyncpg
import msgspec
import uvicorn
from litestar import Litestar, Request, Response, get, post

from domain.engine.caller import Caller
from domain.record.recorded import encode, topic
from domain.rulesets.free_hit import RULESET
from projections.board import board
from projections.eyes import Eyes
from service.routes.play import DeclareAction
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import Spec


def an_attack() -> tuple[list[str], list[bytes], bytes]:
    """The topics and bytes of an attack's events, and a board."""
    spec = Spec(RULESET)
    others = [foe(f"Imp{n}", weapons=[SWORD], at=[n - 1, 1]) for n in range(3)]
    ana = unit("Ana", agility=5, weapons=[SWORD], accuracy=9, at=[0, 0])
    spec.given(ana, *others, rulings="default")
    spec.begin().act("Ana", "attack", ("attack", 12), ("damage", 3), target="Imp0")
    body = msgspec.json.encode(board(spec.live, Eyes(spec.live.history, Caller("gm", "gm"))))
    return [topic(one) for one in spec.last], [encode(one) for one in spec.last], body


TOPICS, STATES, BOARD = an_attack()
INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)"
    " SELECT $1, v, t, s, $1 FROM unnest($2::bigint[], $3::text[], $4::bytea[]) AS n(v, t, s)"
)
DECODER = msgspec.json.Decoder(DeclareAction)


def app(dsn: str) -> Litestar:
    """The two handlers."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        app.state.pool = await asyncpg.create_pool(dsn, min_size=8, max_size=8)
        yield
        await app.state.pool.close()

    @post("/commands", status_code=200)
    async def commands(request: Request[Any, Any, Any]) -> Response[bytes]:
        DECODER.decode(await request.body())
        versions = list(range(1, len(STATES) + 1))
        await request.app.state.pool.execute(INSERT, uuid4(), versions, TOPICS, STATES)
        return Response(b"{}", media_type="application/json")

    @get("/board")
    async def read() -> Response[bytes]:
        return Response(BOARD, media_type="application/json")

    return Litestar([commands, read], lifespan=[running], openapi_config=None)


if __name__ == "__main__":
    uvicorn.run(app(sys.argv[1]), port=int(sys.argv[2]), log_level="warning", loop="uvloop")
