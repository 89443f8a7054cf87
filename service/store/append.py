"""Append commands in SQL. Each command needs one statement, and several can share a statement.

Every change of a combat goes through its row in `heads`. A command changes nothing in three cases:

- The head's version differs from the version on which the command was decided.
- Its token is not valid.
- The combat was deleted.

If one command of a shared statement has a conflict, the statement still stores the others. A shared
statement does not wait for a combat that another writer is changing (`appending`).
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any, Final, TypeVar
from uuid import UUID

import asyncpg
from eventsourcing.persistence import StoredEvent

from service.store.database import Database
from service.store.port import PATIENCE_S
from service.store.rows import Append, Conflict, FirstAnswer, Stored

STEP_EVENTS: Final = 5000
STEP_BYTES: Final = 4 * 1024 * 1024
"""The limits of one statement: the number of its events, and their bytes.

A large import uses several statements in one transaction.
"""

STEP_S: Final = 4.0
"""Seconds for each of these statements."""

_STEP: Final = """
INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)
SELECT $1, $2 + place - 1, t, s, $3
FROM unnest($4::text[], $5::bytea[]) WITH ORDINALITY AS n(t, s, place)"""

_EVENTS: Final = """, e AS (
    INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)
    SELECT head.id, head.first + place - head.begins, t, s, head.command FROM head JOIN"""

_UNPLACED: Final = """, u AS (
    INSERT INTO unplaced (combat_id, first, last) SELECT id, first, last FROM head
)"""

_ANSWERS: Final = """, i AS (
    INSERT INTO idempotency (combat_id, token_id, key, fingerprint, status, etag, body, command_id)
    SELECT head.id, t, k, f, s, g, y, head.command FROM head JOIN"""

_ASKED: Final = (
    "SELECT $1::uuid AS id, $2::uuid AS command, $4::bigint AS first, $5::bigint AS last,"
    " 1 AS begins"
)

_ALONE: Final = f"""{_EVENTS}
    unnest($7::text[], $8::bytea[]) WITH ORDINALITY AS n(t, s, place) ON true
){_UNPLACED}"""

OPEN: Final = f"""
WITH asked AS ({_ASKED}), made AS (
    INSERT INTO heads (combat_id, life, version, digest) VALUES ($1, $3, $5, $6)
    RETURNING combat_id AS id
), head AS (SELECT asked.* FROM made JOIN asked USING (id)){_ALONE}"""
"""The condition that the combat does not exist."""

APPEND: Final = f"""
WITH asked AS ({_ASKED}), made AS (
    UPDATE heads SET version = $5, digest = $6
    WHERE combat_id = $1 AND life = $3 AND version = $9 AND digest IN ($10, '')
      AND tokens = $11 AND texts = $12 AND ($13::timestamptz IS NULL OR clock_timestamp() < $13)
    RETURNING combat_id AS id
), head AS (SELECT asked.* FROM made JOIN asked USING (id)){_ALONE}"""
"""The condition that the combat is at the version on which the command was decided."""

_ITS_ANSWER: Final = f"""{_ANSWERS}
    (SELECT ?::text, ?::text, ?::bytea, ?::int, ?::text, ?::bytea) AS n(t, k, f, s, g, y) ON true
)"""

_ITS_TOKENS: Final = """, k AS (
    INSERT INTO tokens (combat_id, token_id, hash, role, label, owner, combatants)
    SELECT head.id, token, hash, role, label, owner, string_to_array(combatants, ',')
    FROM head, unnest(?::text[], ?::bytea[], ?::text[], ?::text[], ?::text[], ?::text[])
        AS n(token, hash, role, label, owner, combatants)
)"""

_ITS_SEEDS: Final = """, s AS (
    INSERT INTO seeds (combat_id, commitment, seed)
    SELECT head.id, c, s FROM head, unnest(?::text[], ?::bytea[]) AS n(c, s)
)"""

TOGETHER: Final = f"""
WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::text[],
        $7::bigint[], $8::text[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::bigint[])
        WITH ORDINALITY AS n(id, command, life, first, last, fresh,
            version, digest, tokens, texts, ends_at, begins, at)
), locked AS (
    SELECT combat_id FROM heads WHERE combat_id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED
), head AS (
    UPDATE heads AS h SET version = n.last, digest = n.fresh
    FROM locked AS l JOIN asked AS n ON n.id = l.combat_id
    WHERE h.combat_id = l.combat_id AND h.life = n.life AND h.version = n.version
      AND h.digest IN (n.digest, '') AND h.tokens = n.tokens AND h.texts = n.texts
      AND (n.ends_at IS NULL OR clock_timestamp() < n.ends_at)
    RETURNING n.id, n.command, n.first, n.last, n.begins, n.at
){_EVENTS} (
        SELECT t, s, place, width_bucket(place, $12::bigint[])::bigint AS at
        FROM unnest($13::text[], $14::bytea[]) WITH ORDINALITY AS n(t, s, place)
    ) AS n USING (at)
){_UNPLACED}"""
"""$12 holds the first number of each command's events among all.

Neither that nor a version is sent with each event, because asyncpg handles every value of an array
by itself, and numbers twice.
"""

_THEIR_ANSWERS: Final = f"""{_ANSWERS}
    unnest(?::bigint[], ?::text[], ?::text[], ?::bytea[], ?::int[], ?::text[], ?::bytea[])
        AS n(at, t, k, f, s, g, y) USING (at)
)"""


@cache
def _whole(first: str, *parts: str) -> str:
    """Build a statement from parts that have a `?` for each further argument."""
    numbers = count(1 + max(int(number) for number in re.findall(r"\$(\d+)", first)))
    return first + re.sub(r"\?", lambda _: f"${next(numbers)}", "".join(parts))


class SqlStatements:
    """The statements of `port.Statements` in PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sent = 0

    async def alone(self, command: Append) -> bool:
        """Store one command with its own statement, which waits for other changes of the combat."""
        steps = list(split(command.events, lambda event: event.state))
        statement, arguments = of_one(command, steps[0])
        self.sent += 1

        async def in_steps(connection: Any) -> bool:
            async with connection.transaction():
                if not await connection.fetchval(statement, *arguments):
                    return False
                for step in steps[1:]:
                    await asyncio.sleep(0)  # serve others between two steps
                    await connection.execute(
                        _STEP,
                        command.combat,
                        step[0].originator_version,
                        command.command,
                        [event.topic for event in step],
                        [event.state for event in step],
                    )
            return True

        try:
            if len(steps) > 1:
                return await self.database.run(in_steps, PATIENCE_S + STEP_S * len(steps))
            stored = await self.database.run(
                lambda connection: connection.fetchval(statement, *arguments)
            )
        except asyncpg.UniqueViolationError:
            return False
        return bool(stored)

    async def together(self, commands: Sequence[Append]) -> tuple[set[UUID], set[UUID]]:
        """Store several commands with one statement."""
        self.sent += 1
        statement, arguments = _of_several(commands)
        try:
            row = await self.database.run(
                lambda connection: connection.fetchrow(statement, *arguments)
            )
        except asyncpg.UniqueViolationError:
            raise Conflict from None
        return set(row[0]), set(row[1])

    async def has(self, command: Append) -> bool:
        """Return true if this command is stored."""
        stored = await self.database.confirmed(
            lambda connection: connection.fetchval(
                "SELECT command_id FROM stored_events"
                " WHERE originator_id = $1 AND originator_version = $2",
                command.combat,
                command.events[0].originator_version,
            )
        )
        return bool(stored == command.command)


_Rows = Sequence[StoredEvent | Stored]


Row = TypeVar("Row")


def split(rows: Sequence[Row], state: Callable[[Row], bytes]) -> Iterator[Sequence[Row]]:
    """Yield events in storage order, in parts that one statement may store.

    Usually there is only one part.
    """
    start = size = 0
    for at, row in enumerate(rows):
        size += len(state(row))
        if size > STEP_BYTES or at - start >= STEP_EVENTS:
            if at > start:
                yield rows[start:at]
            start, size = at, len(state(row))
    yield rows[start:]


def of_one(command: Append, events: _Rows) -> tuple[str, list[Any]]:
    """Return a statement for one command with these of its events, and its arguments."""
    before, after = command.before, command.after
    arguments: list[Any] = [
        command.combat,
        command.command,
        after.life,
        events[0].originator_version,
        after.version,
        after.digest,
        [event.topic for event in events],
        [event.state for event in events],
    ]
    first = OPEN
    if before is not None:
        first = APPEND
        of_before = (before.version, before.digest, before.tokens, before.texts)
        arguments += (*of_before, command.ends_at)
    parts: list[str] = []
    answer, tokens, seeds = command.answer, command.tokens, command.seeds
    if answer is not None:
        parts.append(_ITS_ANSWER)
        arguments += _answered(answer)
    if tokens:
        parts.append(_ITS_TOKENS)
        arguments += [
            [token.id for token in tokens],
            [token.hash for token in tokens],
            [token.role for token in tokens],
            [token.label for token in tokens],
            [token.owner for token in tokens],
            [",".join(token.combatants) for token in tokens],
        ]
    if seeds:
        parts.append(_ITS_SEEDS)
        arguments += [[commitment for commitment, _ in seeds], [seed for _, seed in seeds]]
    return _whole(first, *parts, " SELECT true FROM head"), arguments


def _of_several(commands: Sequence[Append]) -> tuple[str, list[Any]]:
    """Return a statement for commands without tokens and seeds, and its arguments."""
    heads: list[tuple[Any, ...]] = []
    topics: list[str] = []
    states: list[bytes] = []
    answers: list[tuple[Any, ...]] = []
    for at, append in enumerate(commands, 1):
        before, after, events = append.before, append.after, append.events
        assert before is not None
        of_before = (before.version, before.digest, before.tokens, before.texts, append.ends_at)
        of_after = (after.life, events[0].originator_version, after.version, after.digest)
        heads.append((append.combat, append.command, *of_after, *of_before, len(topics) + 1))
        topics += [event.topic for event in events]
        states += [event.state for event in events]
        if append.answer is not None:
            answers.append((at, *_answered(append.answer)))
    arguments: list[Any] = [*zip(*heads, strict=True), topics, states]
    parts: list[str] = []
    if answers:
        parts.append(_THEIR_ANSWERS)
        arguments += zip(*answers, strict=True)
    stored = " SELECT ARRAY(SELECT id FROM head), ARRAY(SELECT combat_id FROM locked)"
    return _whole(TOGETHER, *parts, stored), arguments


def _answered(answer: FirstAnswer) -> tuple[Any, ...]:
    return (
        answer.token,
        answer.key,
        answer.fingerprint,
        answer.status,
        answer.etag,
        answer.body,
    )
