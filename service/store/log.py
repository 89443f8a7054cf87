"""The event store: PostgreSQL through asyncpg. One command is one statement, without BEGIN.

The unique key (combat, version) is the concurrency check. Knows events only as stored bytes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

import asyncpg
from eventsourcing.persistence import StoredEvent

from service.store.migrations import migrate


class Conflict(Exception):
    """Somebody else stored this version first, or answered this idempotency key."""


class Unavailable(Exception):
    """The database cannot be reached; what was to be stored is stored whole, or not at all."""


@dataclass(frozen=True)
class FirstAnswer:
    """What was answered to the first request with an idempotency key."""

    token: str
    key: str
    fingerprint: bytes
    status: int
    etag: str
    body: bytes


@dataclass(frozen=True)
class BoardRow:
    """The present for one audience, ready to send."""

    audience: str
    version: int
    etag: str
    body: bytes


@dataclass(frozen=True)
class TokenRow:
    """A capability. `hash` is the SHA-256 of the secret part."""

    id: str
    hash: bytes
    role: str
    label: str
    owner: str | None
    combatants: tuple[str, ...]


@dataclass(frozen=True)
class Append:
    """One command's outcome: its events and all that is stored with them."""

    combat: UUID
    command: UUID
    events: Sequence[StoredEvent]
    boards: Sequence[BoardRow] = ()
    answer: FirstAnswer | None = None
    tokens: Sequence[TokenRow] = ()
    seeds: Sequence[tuple[str, bytes]] = field(default=())


APPEND = """
WITH e AS (
    INSERT INTO stored_events (originator_id, originator_version, topic, state, command_id)
    SELECT $1, v, t, s, $2 FROM unnest($3::bigint[], $4::text[], $5::bytea[]) AS n(v, t, s)
), b AS (
    INSERT INTO board (combat_id, audience, version, etag, body)
    SELECT $1, a, v, g, y
    FROM unnest($6::text[], $7::bigint[], $8::text[], $9::bytea[]) AS n(a, v, g, y)
    ON CONFLICT (combat_id, audience) DO UPDATE
    SET version = excluded.version, etag = excluded.etag, body = excluded.body
    WHERE board.version <= excluded.version
), i AS (
    INSERT INTO idempotency (combat_id, token_id, key, fingerprint, status, etag, body)
    SELECT $1, t, k, f, s, g, y
    FROM unnest($10::text[], $11::text[], $12::bytea[], $13::int[], $14::text[], $15::bytea[])
        AS n(t, k, f, s, g, y)
), k AS (
    INSERT INTO tokens (combat_id, token_id, hash, role, label, owner, combatants)
    SELECT $1, id, hash, role, label, owner, string_to_array(combatants, ',')
    FROM unnest($16::text[], $17::bytea[], $18::text[], $19::text[], $20::text[], $21::text[])
        AS n(id, hash, role, label, owner, combatants)
)
INSERT INTO seeds (combat_id, commitment, seed)
SELECT $1, c, s FROM unnest($22::text[], $23::bytea[]) AS n(c, s)
"""

_LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    # A connection that dies while the pool gives it back trips over its own protocol state.
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    # A server that stops, crashes or starts says so on connections that still stand; the same
    # class holds the statement timeout.
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # it has become a standby
)
"""What an outage looks like. Whether a statement that ended so was stored is not known."""

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


def _is_outage(error: BaseException) -> bool:
    # A value of the wrong kind is an InterfaceError too: the caller's fault, not the database's.
    return isinstance(error, _LOST) and not isinstance(error, ValueError)


def reaching(
    work: Callable[_Given, Awaitable[_Found]],
) -> Callable[_Given, Coroutine[Any, Any, _Found]]:
    """Let `work` raise `Unavailable` for whatever an outage looks like."""

    @wraps(work)
    async def reached(*args: _Given.args, **kwargs: _Given.kwargs) -> _Found:
        try:
            return await work(*args, **kwargs)
        except _LOST as error:
            if not _is_outage(error):
                raise
            raise Unavailable(str(error)) from error

    return reached


class Store:
    """All reading and writing of the log and of what is stored with it."""

    def __init__(self, pool: "asyncpg.Pool[Any]") -> None:
        self.pool = pool

    @classmethod
    async def open(cls, dsn: str, size: int = 8) -> "Store":
        """Connect and bring the schema up to date."""
        pool = await asyncpg.create_pool(
            dsn,
            min_size=min(2, size),
            max_size=size,
            command_timeout=10,
            server_settings={
                "application_name": "affray",
                "statement_timeout": "5000",
                "lock_timeout": "2000",
                "idle_in_transaction_session_timeout": "5000",
            },
        )
        async with pool.acquire() as connection:
            await connection.execute("SET statement_timeout = 60000; SET lock_timeout = 60000")
            await migrate(connection)
            await connection.execute("RESET statement_timeout; RESET lock_timeout")
        return cls(pool)

    async def close(self) -> None:
        """Give the connections back."""
        try:
            await asyncio.wait_for(self.pool.close(), 5)
        except TimeoutError:
            self.pool.terminate()

    # ---- writing

    async def append(self, command: Append) -> None:
        """Store a command, or nothing. Raises `Conflict`, `Unavailable`."""
        for last in (False, True):
            try:
                await self.pool.execute(APPEND, *_arguments(command))
                return
            except asyncpg.UniqueViolationError:
                if await self._stored(command):
                    return  # our own statement, whose answer was lost
                raise Conflict from None
            except _LOST as error:
                if not _is_outage(error):
                    raise
                # The outcome is unknown: ask on a fresh connection, then try once more.
                if await self._stored(command):
                    return
                if last:
                    raise Unavailable(str(error)) from error

    @reaching
    async def _stored(self, command: Append) -> bool:
        found = await self.pool.fetchval(
            "SELECT command_id FROM stored_events"
            " WHERE originator_id = $1 AND originator_version = $2",
            command.combat,
            command.events[0].originator_version,
        )
        return bool(found == command.command)

    @reaching
    async def delete(self, combat: UUID) -> bool:
        """Forget a whole combat; whether there was one."""
        gone = await self.pool.fetchval(
            "WITH b AS (DELETE FROM board WHERE combat_id = $1),"
            " i AS (DELETE FROM idempotency WHERE combat_id = $1),"
            " t AS (DELETE FROM tokens WHERE combat_id = $1),"
            " s AS (DELETE FROM seeds WHERE combat_id = $1),"
            " c AS (DELETE FROM combats WHERE combat_id = $1),"
            " e AS (DELETE FROM stored_events WHERE originator_id = $1 RETURNING 1)"
            " SELECT count(*) FROM e",
            combat,
        )
        return bool(gone)

    @reaching
    async def rewrite(
        self, combat: UUID, states: Sequence[tuple[int, bytes]], boards: Sequence[BoardRow]
    ) -> None:
        """Replace events whose free text was erased, and all that was made from them."""
        await self.pool.execute(
            "WITH e AS (UPDATE stored_events SET state = n.s"
            " FROM unnest($2::bigint[], $3::bytea[]) AS n(v, s)"
            " WHERE originator_id = $1 AND originator_version = n.v),"
            " i AS (DELETE FROM idempotency WHERE combat_id = $1)"
            " UPDATE board SET etag = n.g, body = n.y"
            " FROM unnest($4::text[], $5::text[], $6::bytea[]) AS n(a, g, y)"
            " WHERE combat_id = $1 AND audience = n.a",
            combat,
            [version for version, _ in states],
            [state for _, state in states],
            [row.audience for row in boards],
            [row.etag for row in boards],
            [row.body for row in boards],
        )

    # ---- reading

    @reaching
    async def events(self, combat: UUID, after: int = 0) -> list[StoredEvent]:
        """The stored events after a version, in order."""
        rows = await self.pool.fetch(
            "SELECT originator_version, topic, state FROM stored_events"
            " WHERE originator_id = $1 AND originator_version > $2 ORDER BY originator_version",
            combat,
            after,
        )
        return [StoredEvent(combat, row[0], row[1], row[2]) for row in rows]

    @reaching
    async def version(self, combat: UUID) -> int:
        """The newest version, 0 for a combat that is not there."""
        found = await self.pool.fetchval(
            "SELECT originator_version FROM stored_events WHERE originator_id = $1"
            " ORDER BY originator_version DESC LIMIT 1",
            combat,
        )
        return int(found or 0)

    @reaching
    async def pulse(self, combat: UUID) -> tuple[int, int]:
        """(newest version, stamp of the tokens): whether a cached combat is still true.

        The stamp grows with each token that is issued or revoked.
        """
        row = await self.pool.fetchrow(
            "SELECT coalesce((SELECT originator_version FROM stored_events"
            " WHERE originator_id = $1 ORDER BY originator_version DESC LIMIT 1), 0),"
            " (SELECT count(*) + count(revoked_at) FROM tokens WHERE combat_id = $1)",
            combat,
        )
        return row[0], row[1]

    @reaching
    async def answer(self, combat: UUID, token: str, key: str) -> FirstAnswer | None:
        """The first answer to an idempotency key."""
        row = await self.pool.fetchrow(
            "SELECT fingerprint, status, etag, body FROM idempotency"
            " WHERE combat_id = $1 AND token_id = $2 AND key = $3",
            combat,
            token,
            key,
        )
        return None if row is None else FirstAnswer(token, key, row[0], row[1], row[2], row[3])

    @reaching
    async def forget_answers(self, hours: int = 24) -> None:
        """Drop answers that are older than they are kept for."""
        await self.pool.execute(
            "DELETE FROM idempotency WHERE created_at < now() - make_interval(hours => $1)", hours
        )

    @reaching
    async def seeds(self, combat: UUID) -> dict[str, bytes]:
        """The secrets of a combat by commitment."""
        rows = await self.pool.fetch(
            "SELECT commitment, seed FROM seeds WHERE combat_id = $1", combat
        )
        return {row[0]: row[1] for row in rows}

    @reaching
    async def tokens(self, combat: UUID) -> list[TokenRow]:
        """The tokens of a combat that are not revoked."""
        rows = await self.pool.fetch(
            "SELECT token_id, hash, role, label, owner, combatants FROM tokens"
            " WHERE combat_id = $1 AND revoked_at IS NULL ORDER BY created_at, token_id",
            combat,
        )
        return [TokenRow(row[0], row[1], row[2], row[3], row[4], tuple(row[5])) for row in rows]

    @reaching
    async def add_token(self, combat: UUID, token: TokenRow) -> None:
        """Issue a token."""
        await self.pool.execute(
            "INSERT INTO tokens (combat_id, token_id, hash, role, label, owner, combatants)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7)",
            combat,
            token.id,
            token.hash,
            token.role,
            token.label,
            token.owner,
            list(token.combatants),
        )

    @reaching
    async def revoke(self, combat: UUID, token: str) -> bool:
        """Revoke a token for good; whether there was one."""
        done = await self.pool.fetchval(
            "WITH b AS (DELETE FROM board WHERE combat_id = $1 AND audience = $2)"
            " UPDATE tokens SET revoked_at = now()"
            " WHERE combat_id = $1 AND token_id = $2 AND revoked_at IS NULL RETURNING true",
            combat,
            token,
        )
        return bool(done)

    @reaching
    async def ping(self) -> None:
        """Raises `Unavailable` when the database does not answer."""
        await self.pool.fetchval("SELECT 1")


def _arguments(command: Append) -> list[Any]:
    events, boards, tokens = command.events, command.boards, command.tokens
    answers = [] if command.answer is None else [command.answer]
    return [
        command.combat,
        command.command,
        [event.originator_version for event in events],
        [event.topic for event in events],
        [event.state for event in events],
        [row.audience for row in boards],
        [row.version for row in boards],
        [row.etag for row in boards],
        [row.body for row in boards],
        [answer.token for answer in answers],
        [answer.key for answer in answers],
        [answer.fingerprint for answer in answers],
        [answer.status for answer in answers],
        [answer.etag for answer in answers],
        [answer.body for answer in answers],
        [token.id for token in tokens],
        [token.hash for token in tokens],
        [token.role for token in tokens],
        [token.label for token in tokens],
        [token.owner for token in tokens],
        [",".join(token.combatants) for token in tokens],
        [commitment for commitment, _ in command.seeds],
        [seed for _, seed in command.seeds],
    ]
