"""New combats: opened, forked from another, or imported. Each is one statement."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct

from domain.engine.commands import Open
from domain.engine.session import Session
from domain.errors import Unfitting
from domain.record import fairness
from domain.record.fork import fork
from domain.record.recorded import Recorded
from domain.rulebook.ruleset import Ruleset
from projections.board import Board, board
from service.answers import Answer, Idempotency, Issue, first_answer, keep
from service.combats import Combats
from service.decisions import context_of, seeds_of
from service.hot_combat import Hot
from service.import_trial import made_of
from service.store import tokens
from service.store.rows import Append, Conflict, Head


class Opened(Struct, frozen=True):
    """A new combat: its id, the GM's token, which Affray shows only once, and the board."""

    combat: str
    token: str
    board: Board


Made = tuple[Session, UUID, Sequence[Recorded], Sequence[bytes], tuple[tuple[str, bytes], ...]]
"""A new combat: in memory, its command, events, their bytes, and the secrets of its dice."""


async def open_combat(
    combats: Combats, id: UUID, command: Open, idempotency: Idempotency | None
) -> Answer:
    """Open a combat."""

    def make(issue: Issue) -> Made:
        nothing = Session(combats.ruleset(command.ruleset))
        request = uuid4()
        context = context_of(Hot(id, nothing), tokens.caller_of(issue.row), request)
        decision = nothing.decide(command, context)
        return decision.live, request, decision.recorded, decision.states, seeds_of(decision)

    return await _store(combats, id, make, idempotency)


async def fork_combat(
    combats: Combats,
    id: UUID,
    path: Sequence[Recorded],
    ruleset: Ruleset,
    name: str | None,
    idempotency: Idempotency | None,
) -> Answer:
    """Return a new combat with the past of another, and dice of its own."""

    def make(issue: Issue) -> Made:
        seed = os.urandom(32)
        recorded, states = fork(path, str(id), name, seed)
        live = Session(ruleset, recorded)
        return live, uuid4(), recorded, states, ((fairness.commitment(seed), seed),)

    return await _store(combats, id, make, idempotency, unchecked=True)


async def import_combat(
    combats: Combats,
    id: UUID,
    ruleset: Ruleset,
    recorded: Sequence[Recorded],
    states: Sequence[bytes],
    secrets: Mapping[str, bytes],
    idempotency: Idempotency | None,
) -> Answer:
    """Store a combat from a file. Raises `Malformed` if its events make no valid fight."""
    live = await made_of(ruleset, recorded)
    live = await asyncio.to_thread(live.left_to_log)  # with many events, this takes seconds

    def make(issue: Issue) -> Made:
        return live, uuid4(), recorded, states, tuple(secrets.items())

    return await _store(combats, id, make, idempotency, unchecked=True)


async def is_here(combats: Combats, id: UUID, idempotency: Idempotency | None) -> bool:
    """Return true if the combat exists and no earlier try of this request has stored it."""
    if await first_answer(combats.store, id, "", idempotency) is not None:
        return False
    return await combats.store.head(id) is not None


async def _store(
    combats: Combats,
    id: UUID,
    make: Callable[[Issue], Made],
    idempotency: Idempotency | None,
    *,
    unchecked: bool = False,
) -> Answer:
    first = await first_answer(combats.store, id, "", idempotency)
    if first is not None:
        combats.counts["replays"] += 1
        return first
    issue = Issue(id, idempotency, "gm", "GM")
    live, command, recorded, states, seeds = make(issue)
    life = uuid4()
    hot = Hot(id, live, Head(life, live.version, live.digest, 0, 0), {issue.row.id: issue.row})
    hot.secrets, hot.unchecked = dict(seeds), unchecked
    present = board(live, hot.seen_by(issue.row))

    def answer(token: str) -> Answer:
        content = msgspec.json.encode(Opened(str(id), token, present))
        return Answer(201, hot.etag_of(issue.row), content)

    append = Append(
        id,
        command,
        combats.mapper.rows(recorded, states),
        None,
        life,
        live.digest,
        None if idempotency is None else keep(None, idempotency, answer(issue.kept)),
        (issue.row,),
        seeds,
    )
    try:
        await combats.store.append(append)
    except Conflict:
        first = await first_answer(combats.store, id, "", idempotency)
        if first is not None:  # the same request came twice at once
            combats.counts["replays"] += 1
            return first
        raise Unfitting("already-here", f"there is a combat {id} already") from None
    combats.counts["commands"] += 1
    combats.keep(hot)
    return answer(issue.text)
