"""The server: its settings come from the environment, and its tools are those of a table."""

from __future__ import annotations

import functools
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from affray_client import AffrayError, AsyncAffray, Problem, __version__
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from affray_mcp import text
from affray_mcp.table import Table

INSTRUCTIONS = """Affray is the referee of tabletop fights. It knows the rules, rolls the dice and
keeps the log. You describe the scene and decide; it decides what happens. You cannot talk it out
of a rule: an action that the rules forbid is refused, and the refusal says what is allowed.

Begin with `rulebooks`, then `open` (a ready party is the quickest), then `begin`. Then repeat: read
the open prompts, call `options` for what may be done, and send one of them with `act` or `answer`.
Copy `inputs` from the examples and change what you need. Tell the story from the returned
sentences; never invent results. The fight is over when the status is `ended`."""


def server(affray: AsyncAffray, combat: str | None = None, token: str | None = None) -> MCPServer:
    """Return the server of one table.

    With `combat` and `token`, it has already joined that fight.
    """
    table = Table(affray)
    if combat and token:
        table.sit_down(combat, token)

    @asynccontextmanager
    async def lifespan(_: MCPServer) -> AsyncGenerator[None]:
        async with affray:
            yield

    made = MCPServer(
        "affray",
        instructions=INSTRUCTIONS,
        version=__version__,
        lifespan=lifespan,
        log_level="WARNING",
    )
    for tool, reads in (
        (table.rulebooks, True),
        (table.rulebook, True),
        (table.rules, True),
        (table.open, False),
        (table.join, False),
        (table.invite, False),
        (table.add_combatant, False),
        (table.begin, False),
        (table.board, True),
        (table.options, True),
        (table.act, False),
        (table.answer, False),
        (table.rule, False),
        (table.log, True),
        (table.why, True),
        (table.undo, False),
        (table.end, False),
    ):
        hints = ToolAnnotations(read_only_hint=reads, destructive_hint=False)
        made.tool(annotations=hints, structured_output=False)(_told(tool))
    return made


def _told(tool: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[str]]:
    """Return a tool whose errors reach the model as text."""

    @functools.wraps(tool)
    async def told(*arguments: Any, **named: Any) -> str:
        try:
            return await tool(*arguments, **named)
        except Problem as problem:
            raise ToolError(text.problem(problem)) from None
        except AffrayError as error:
            raise ToolError(f"{error}. Is the Affray service running?") from None

    return told


def main() -> None:
    """Serve one table over standard input and output."""
    affray = AsyncAffray(
        os.environ.get("AFFRAY_URL", "http://127.0.0.1:8000"),
        service_key=os.environ.get("AFFRAY_SERVICE_KEY") or None,
        patience_s=5.0,  # a person waits behind the model
    )
    server(affray, os.environ.get("AFFRAY_COMBAT"), os.environ.get("AFFRAY_TOKEN")).run("stdio")
