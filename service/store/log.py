"""The log stores events and the data that belong to them, as bytes.

Every change of a combat goes through its row in `heads`. `Store` implements the port (`port.Log`)
in SQL.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import asyncpg
from eventsourcing.persistence import StoredEvent

from service.store import pictures
from service.store.append import SqlStatements
from service.store.appending import Appending
from service.store.database import Database
from service.store.rows import (
    ERASED_STATUS,
    INSERT_ANSWER,
    Append,
    Conflict,
    FirstAnswer,
    Head,
    TokenRow,
)

MARK: Final = "INSERT INTO unplaced (combat_id, first, last, topic) VALUES ($1, 0, 0, $2)"
"""Insert an entry about a whole combat for followers of the log."""

DELETED: Final = "combat-deleted:1"
ERASED: Final = "texts-erased:1"

DISCARD: Final = (
    "UPDATE archives SET state = 'discarded', at = now() WHERE combat_id = $1"
    " AND state <> 'discarded'"
)
"""Mark the archive objects of a combat for deletion."""

HEAD: Final = "SELECT combat_id, life, version, digest, tokens, texts FROM heads"

_EVENTS: Final = "SELECT originator_version, topic, state FROM stored_events"

SNAPSHOT_S: Final = 60.0
"""Seconds that a read of a complete combat may take."""

_TOKEN: Final = "SELECT token_id, hash, role, label, owner, combatants, ends_at FROM tokens"

_IN_FORCE: Final = "revoked_at IS NULL AND (ends_at IS NULL OR clock_timestamp() < ends_at)"


_TABLES: Final = ("idempotency", "tokens", "webhooks", "seeds", "key_combats", "unplaced")
"""The tables from which the deletion of a combat removes rows."""


class Store:
    """All reads and writes of the log and of the data stored with it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.statements = SqlStatements(database)
        self.appending = Appending(self.statements)
        self.stored = asyncio.Event()  # set when something new has no place in the order yet

    @classmethod
    async def open(cls, dsn: str, size: int = 8) -> "Store":
        """Connect and bring the schema up to date."""
        return cls(await Database.open(dsn, size))

    @property
    def pool(self) -> "asyncpg.Pool[Any]":
        """Return the pool of connections."""
        return self.database.pool

    async def close(self) -> None:
        """Close the connections."""
        await self.appending.close()
        await self.database.close()

    # ---- writing

    async def append(self, command: Append) -> None:
        """Store the complete command. Raise `Conflict`, `Unavailable` or `OutcomeUnknown`."""
        await self.appending.append(command)
        self.stored.set()

    async def delete(self, combat: UUID, before: Head, *, unchanged: bool = False) -> None:
        """Delete a combat with all its data. Raise `Conflict` if its tokens have changed.

        With `unchanged`, also raise it if any other data of the combat have changed.
        """

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                # Another writer holds the row until it has committed. Then this statement sees its
                # change.
                if not await connection.fetchval(
                    "DELETE FROM heads WHERE combat_id = $1 AND life = $2 AND tokens = $3"
                    " AND (NOT $4 OR (version = $5 AND texts = $6)) RETURNING true",
                    combat,
                    before.life,
                    before.tokens,
                    unchanged,
                    before.version,
                    before.texts,
                ):
                    return False
                await pictures.forget(connection, combat)
                for table in _TABLES:
                    await connection.execute(f"DELETE FROM {table} WHERE combat_id = $1", combat)
                # This runs after `unplaced`, so that it sees events that were numbered in between.
                for table in ("positions", "stored_events"):
                    await connection.execute(
                        f"DELETE FROM {table} WHERE originator_id = $1", combat
                    )
                await connection.execute(DISCARD, combat)
                await connection.execute(MARK, combat, DELETED)
                return True

        if not await self.database.change(work):
            raise Conflict
        self.stored.set()

    async def rewrite(
        self,
        combat: UUID,
        before: Head,
        states: Sequence[tuple[int, bytes]],
        answer: FirstAnswer | None,
    ) -> None:
        """Replace events whose free text was erased, and the answers that contain the text.

        Delete the first answers to commands, except their keys. Raise `Conflict` if the combat has
        changed.
        """
        answers = [] if answer is None else [answer]
        try:
            done = await self.database.change(
                lambda connection: connection.fetchval(
                    "WITH head AS (UPDATE heads SET texts = texts + 1 WHERE combat_id = $1"
                    " AND life = $4 AND version = $5 AND tokens = $6 AND texts = $7 RETURNING 1),"
                    " e AS (UPDATE stored_events SET state = n.s"
                    " FROM head, unnest($2::bigint[], $3::bytea[]) AS n(v, s)"
                    " WHERE originator_id = $1 AND originator_version = n.v),"
                    # The keys stay, so that Affray does not carry out a repeated command.
                    f" i AS (UPDATE idempotency SET status = {ERASED_STATUS}, etag = '', body = ''"
                    " FROM head WHERE combat_id = $1 AND command_id IS NOT NULL),"
                    " a AS (INSERT INTO idempotency"
                    " (combat_id, token_id, key, fingerprint, status, etag, body)"
                    " SELECT $1, t, k, f, 204, '', '' FROM head,"
                    " unnest($8::text[], $9::text[], $10::bytea[]) AS n(t, k, f)),"
                    " u AS (INSERT INTO unplaced (combat_id, first, last, topic)"
                    " SELECT $1, 0, 0, $11 FROM head),"
                    " o AS (UPDATE archives SET state = 'discarded', at = now() FROM head"
                    " WHERE archives.combat_id = $1 AND state IN ('uploading', 'restored'))"
                    " SELECT count(*) FROM head",
                    combat,
                    [version for version, _ in states],
                    [state for _, state in states],
                    before.life,
                    before.version,
                    before.tokens,
                    before.texts,
                    [first_answer.token for first_answer in answers],
                    [first_answer.key for first_answer in answers],
                    [first_answer.fingerprint for first_answer in answers],
                    ERASED,
                )
            )
        except asyncpg.UniqueViolationError:  # the key already has an answer
            raise Conflict from None
        if not done:
            raise Conflict
        self.stored.set()

    async def add_token(
        self, combat: UUID, before: Head, token: TokenRow, answer: FirstAnswer | None
    ) -> None:
        """Issue a token. Raises `Conflict` when the combat's tokens have changed."""
        answers = [] if answer is None else [answer]
        try:
            done = await self.database.change(
                lambda connection: connection.fetchval(
                    "WITH head AS (UPDATE heads SET tokens = tokens + 1 WHERE combat_id = $1"
                    " AND life = $2 AND tokens = $3 RETURNING 1),"
                    " k AS (INSERT INTO tokens"
                    " (combat_id, token_id, hash, role, label, owner, combatants, ends_at)"
                    " SELECT $1, $4, $5, $6, $7, $8, $9, $10 FROM head),"
                    " i AS (INSERT INTO idempotency"
                    " (combat_id, token_id, key, fingerprint, status, etag, body)"
                    " SELECT $1, t, k, f, 201, '', y FROM head,"
                    " unnest($11::text[], $12::text[], $13::bytea[], $14::bytea[])"
                    " AS n(t, k, f, y))"
                    " SELECT count(*) FROM head",
                    combat,
                    before.life,
                    before.tokens,
                    token.id,
                    token.hash,
                    token.role,
                    token.label,
                    token.owner,
                    list(token.combatants),
                    token.ends_at,
                    [first_answer.token for first_answer in answers],
                    [first_answer.key for first_answer in answers],
                    [first_answer.fingerprint for first_answer in answers],
                    [first_answer.body for first_answer in answers],
                )
            )
        except asyncpg.UniqueViolationError:
            raise Conflict from None
        if not done:
            raise Conflict

    async def revoke(self, combat: UUID, before: Head, token: str) -> None:
        """Revoke a token, and end the webhooks that it made or that use its view.

        Raises `Conflict` when the combat's tokens have changed.
        """
        done = await self.database.change(
            lambda connection: connection.fetchval(
                "WITH head AS (UPDATE heads SET tokens = tokens + 1 WHERE combat_id = $1"
                " AND life = $2 AND tokens = $3 RETURNING 1),"
                " t AS (UPDATE tokens SET revoked_at = now() FROM head"
                " WHERE combat_id = $1 AND token_id = $4 AND revoked_at IS NULL),"
                " w AS (DELETE FROM webhooks USING head"
                " WHERE combat_id = $1 AND $4 IN (made_by, audience))"
                " SELECT count(*) FROM head",
                combat,
                before.life,
                before.tokens,
                token,
            )
        )
        if not done:
            raise Conflict

    # ---- reading

    async def events(self, combat: UUID, after: int = 0, upto: int = 2**62) -> list[StoredEvent]:
        """Return the stored events after a version and up to another, in order."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                f"{_EVENTS} WHERE originator_id = $1 AND originator_version > $2"
                " AND originator_version <= $3 ORDER BY originator_version",
                combat,
                after,
                upto,
            )
        )
        return [StoredEvent(combat, *row) for row in rows]

    async def snapshot(self, combat: UUID) -> tuple[Head | None, list[StoredEvent]]:
        """Return a combat's head and all its events at one moment.

        The transaction is read-only, and may take longer than a request may take.
        """

        async def work(connection: Any) -> tuple[Any, list[Any]]:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await connection.execute(f"SET LOCAL statement_timeout = {SNAPSHOT_S * 900:.0f}")
                head = await connection.fetchrow(f"{HEAD} WHERE combat_id = $1", combat)
                return head, await connection.fetch(
                    f"{_EVENTS} WHERE originator_id = $1 ORDER BY originator_version", combat
                )

        head, rows = await self.database.run(work, SNAPSHOT_S)
        events = [StoredEvent(combat, *row) for row in rows]
        return None if head is None else Head(*head[1:]), events

    async def next_combat(self, after: UUID) -> UUID | None:
        """Return the combat with the next higher id, even if its head or its events are lost."""
        combat_id = await self.database.ask(
            lambda connection: connection.fetchval(
                "SELECT least("
                "(SELECT combat_id FROM heads WHERE combat_id > $1 ORDER BY 1 LIMIT 1),"
                " (SELECT originator_id FROM stored_events WHERE originator_id > $1"
                " ORDER BY 1 LIMIT 1))",
                after,
            )
        )
        return None if combat_id is None else UUID(str(combat_id))

    async def events_among(
        self, combat: UUID, spans: Sequence[tuple[int, int]]
    ) -> list[StoredEvent]:
        """Return the stored events from the first to the last version of each span, in order."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                "SELECT originator_version, topic, state"
                " FROM unnest($2::bigint[], $3::bigint[]) AS span(first, last)"
                " JOIN stored_events ON originator_id = $1"
                " AND originator_version BETWEEN span.first AND span.last"
                " ORDER BY originator_version",
                combat,
                [first for first, _ in spans],
                [last for _, last in spans],
            )
        )
        return [StoredEvent(combat, row[0], row[1], row[2]) for row in rows]

    async def heads(self, combats: Sequence[UUID]) -> dict[UUID, Head]:
        """Return the heads of these combats. Combats that do not exist are missing."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                f"{HEAD} WHERE combat_id = ANY($1::uuid[])", combats
            )
        )
        # asyncpg has a UUID class of its own. It compares and hashes like the standard one.
        return {row[0]: Head(row[1], row[2], row[3], row[4], row[5]) for row in rows}

    async def head(self, combat: UUID) -> Head | None:
        """Return the head of a combat, or None if the combat does not exist."""
        return (await self.heads([combat])).get(combat)

    async def version(self, combat: UUID) -> int:
        """Return the newest version, or 0 if the combat does not exist."""
        head = await self.head(combat)
        return 0 if head is None else head.version

    async def answer(self, combat: UUID, token: str, key: str) -> FirstAnswer | None:
        """Return the first answer to an idempotency key. Raises `Unavailable`, `OutcomeUnknown`."""
        row = await self.database.confirmed(
            lambda connection: connection.fetchrow(
                "SELECT fingerprint, status, etag, body, command_id FROM idempotency"
                " WHERE combat_id = $1 AND token_id = $2 AND key = $3",
                combat,
                token,
                key,
            )
        )
        return None if row is None else FirstAnswer(token, key, *row)

    async def note(self, combat: UUID, first: FirstAnswer) -> bool:
        """Store an answer by its key. Return false if the key already exists."""
        done = await self.database.ask(
            lambda connection: connection.execute(
                f"{INSERT_ANSWER} ON CONFLICT DO NOTHING", *first.inserted(combat)
            )
        )
        return bool(done.endswith(" 1"))

    async def forget_answers(self, hours: int = 24) -> None:
        """Drop answers that are past their retention time."""
        await self.database.run(
            lambda connection: connection.execute(
                "DELETE FROM idempotency WHERE created_at < now() - make_interval(hours => $1)",
                hours,
            )
        )

    async def seeds(self, combat: UUID) -> dict[str, bytes]:
        """Return the secrets of a combat by commitment."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                "SELECT commitment, seed FROM seeds WHERE combat_id = $1", combat
            )
        )
        return {row[0]: row[1] for row in rows}

    async def tokens(self, combat: UUID) -> list[TokenRow]:
        """Return the tokens of a combat that are in force."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                f"{_TOKEN} WHERE combat_id = $1 AND {_IN_FORCE} ORDER BY created_at, token_id",
                combat,
            )
        )
        return [_token(row) for row in rows]

    async def token(self, combat: UUID, id: str) -> TokenRow | None:
        """Return one token that is in force."""
        row = await self.database.ask(
            lambda connection: connection.fetchrow(
                f"{_TOKEN} WHERE combat_id = $1 AND token_id = $2 AND {_IN_FORCE}", combat, id
            )
        )
        return None if row is None else _token(row)

    async def ping(self) -> None:
        """Check the database. Raises `Unavailable` if it does not answer."""
        await self.database.ask(lambda connection: connection.fetchval("SELECT 1"))


def _token(row: Any) -> TokenRow:
    return TokenRow(row[0], row[1], row[2], row[3], row[4], tuple(row[5]), row[6])
