"""Decisions: a command on the state in memory, and its result in the log."""

import dataclasses
import os
import re
import time
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
from msgspec.structs import replace

from domain.engine.caller import Caller, Context
from domain.engine.commands import Command
from domain.engine.session import Decision
from domain.errors import Malformed, Stale
from service.answers import Answer, Idempotency, keep
from service.combats import Combats
from service.hot_combat import Hot
from service.http.request_reader import IF_MATCH
from service.store import tokens
from service.store.rows import Append, TokenRow

Reply = Callable[[Hot, Decision], tuple[int, Any]]
"""Makes the answer to a decision: status and body."""

_SEED: Final = 32
_SALT: Final = 9


async def decide(
    combats: Combats,
    hot: Hot,
    row: TokenRow,
    command: Command,
    reply: Reply,
    *,
    expected: str | None = None,
    idempotency: Idempotency | None = None,
) -> Answer:
    """Decide a command and commit it.

    `expected` is an If-Match header. If it is not the current ETag, raise `Stale` (`412`).
    """

    async def once(row: TokenRow) -> Answer:
        if expected is not None:
            check(hot, row, expected)
        return await _commit(combats, hot, row, command, reply, idempotency)

    return await combats.changing(hot, row, idempotency, once)


async def _commit(
    combats: Combats,
    hot: Hot,
    row: TokenRow,
    command: Command,
    reply: Reply,
    idempotency: Idempotency | None,
) -> Answer:
    """Try once to store a decision. Memory takes only events that the database acknowledged."""
    assert hot.head is not None
    if hot.broken is not None:
        raise hot.broken
    id = uuid4()
    decision = hot.live.decide(command, context_of(hot, tokens.caller_of(row), id))
    draft = hot.after(decision)
    status, content = reply(draft, decision)
    answer = Answer(status, draft.etag_of(row), msgspec.json.encode(content))
    append = Append(
        hot.id,
        id,
        combats.mapper.rows(decision.recorded, decision.states),
        replace(hot.head, digest=decision.recorded[0].previous),
        hot.head.life,
        draft.live.digest,
        None if idempotency is None else keep(row, idempotency, answer),
        seeds=seeds_of(decision),
        ends_at=row.ends_at,
    )
    await combats.store.append(append)
    hot.become(draft, append.after, sum(len(event.state) for event in append.events))
    combats.counts["commands"] += 1
    return answer


def context_of(hot: Hot, caller: Caller, command: UUID) -> Context:
    """Return the context of a command: everything that comes from outside the combat."""
    now = time.time_ns() // 1_000_000
    chance = os.urandom(_SEED + _SALT)
    return Context(
        hot.name,
        caller,
        str(command),
        _rfc3339(now),
        hot.secrets,
        chance[:_SEED],
        b64encode(chance[_SEED:]).decode(),
        lambda seconds: _rfc3339(now + 1000 * seconds),
    )


def preview(hot: Hot, row: TokenRow, command: Command) -> Decision:
    """Decide a command on a copy, and store nothing.

    The dice of the preview reveal nothing about the real dice.
    """
    context = context_of(hot, tokens.caller_of(row), uuid4())
    guess = {commitment: os.urandom(_SEED) for commitment in hot.secrets}
    return hot.live.preview(command, dataclasses.replace(context, secrets=guess))


def seeds_of(decision: Decision) -> tuple[tuple[str, bytes], ...]:
    """Return the secret of a commitment that the decision has made."""
    if decision.seed is None:
        return ()
    return ((decision.live.combat.commitment, decision.seed),)


def _rfc3339(at_ms: int) -> str:
    seconds, rest = divmod(at_ms, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=4)
def _to_the_second(at_s: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at_s))


_OF_CONTENT: Final = re.compile(r"\+[0-9a-f]{18}(?=\"$)")
"""The checksum at the end of an ETag. The rest of the ETag is that of the board."""

_IF_MATCH: Final = re.compile(IF_MATCH)


def check(hot: Hot, row: TokenRow, expected: str) -> None:
    """Refuse the request unless one of the expected ETags belongs to the current board.

    Raise `Stale`, or `Malformed` if the header contains no ETag.
    """
    if not _IF_MATCH.search(expected):
        raise Malformed(
            "/header/If-Match",
            'If-Match is an ETag in quotation marks, such as "40": send the ETag header of the'
            " answer that you read",
        )
    present = f'"{hot.etag_of(row)}"'
    named = [_OF_CONTENT.sub("", tag.strip()) for tag in expected.split(",")]
    if "*" not in named and present not in named:
        raise Stale(expected, present)
