"""Port: the reads and writes of the log that the service calls.

`log.Store` implements the port in PostgreSQL. The simulation (`tests/simulation`) has a model in
memory. One contract suite runs on both. Read models, webhooks, keys of applications and notices
between replicas have SQL of their own and do not belong to the port.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from service.store.rows import Append, FirstAnswer, Head, TokenRow

PATIENCE_S: Final = 4.0
"""Seconds for a statement and the wait for its connection.

A request uses at most three statements.
"""


class Statements(Protocol):
    """Single statements that store commands. Each statement has its complete effect, or none.

    A statement raises `Unavailable` if it stored nothing, and `Lost` if the result is unknown.
    After `Lost`, the database may still store the command later.
    """

    async def alone(self, command: Append) -> bool:
        """Store one command, after other changes of its combat. Return false for a conflict."""
        ...

    async def together(self, commands: Sequence[Append]) -> tuple[set[UUID], set[UUID]]:
        """Store several commands, each of another combat and without tokens or seeds.

        Return two sets of combats: the ones whose command was stored, and the ones that no other
        writer was changing. If a key of the commands already has an answer, raise `Conflict` and
        store nothing.
        """
        ...

    async def has(self, command: Append) -> bool:
        """Return true if this command is stored. Raise `Unavailable` or `OutcomeUnknown`."""
        ...


class Log(Protocol):
    """All reads and writes of the log and of the data stored with it.

    Reads raise `Unavailable`. Writes raise `Conflict` or `Unavailable` if they had no effect. They
    raise `OutcomeUnknown` if they may have had an effect, or may still have it later.
    """

    stored: asyncio.Event
    """Set whenever an event was stored. `Order` then assigns its number."""

    async def append(self, command: Append) -> None:
        """Store a command, or nothing."""
        ...

    async def delete(self, combat: UUID, before: Head, *, unchanged: bool = False) -> None:
        """Delete a combat with all its data. Raise `Conflict` if its tokens have changed.

        With `unchanged`, also raise it if any other data of the combat have changed.
        """
        ...

    async def rewrite(
        self,
        combat: UUID,
        before: Head,
        states: Sequence[tuple[int, bytes]],
        answer: FirstAnswer | None,
    ) -> None:
        """Replace events whose free text was erased, and the answers that contain it."""
        ...

    async def add_token(
        self, combat: UUID, before: Head, token: TokenRow, answer: FirstAnswer | None
    ) -> None:
        """Issue a token. Raises `Conflict` when the combat's tokens have changed."""
        ...

    async def revoke(self, combat: UUID, before: Head, token: str) -> None:
        """Revoke a token. Raises `Conflict` when the combat's tokens have changed."""
        ...

    async def events(self, combat: UUID, after: int = 0, upto: int = 2**62) -> list[StoredEvent]:
        """Return the stored events after a version and up to another, in order."""
        ...

    async def events_among(
        self, combat: UUID, spans: Sequence[tuple[int, int]]
    ) -> list[StoredEvent]:
        """Return the stored events from the first to the last version of each span, in order."""
        ...

    async def snapshot(self, combat: UUID) -> tuple[Head | None, list[StoredEvent]]:
        """Return a combat's head and all its events, as they are at one moment."""
        ...

    async def next_combat(self, after: UUID) -> UUID | None:
        """Return the combat with the next higher id, even if its head or its events are lost."""
        ...

    async def heads(self, combats: Sequence[UUID]) -> dict[UUID, Head]:
        """Return the heads of these combats. Combats that do not exist are missing."""
        ...

    async def head(self, combat: UUID) -> Head | None:
        """Return the head of a combat, or None if the combat does not exist."""
        ...

    async def answer(self, combat: UUID, token: str, key: str) -> FirstAnswer | None:
        """Return the first answer to an idempotency key. Raises `Unavailable`, `OutcomeUnknown`."""
        ...

    async def note(self, combat: UUID, first: FirstAnswer) -> bool:
        """Store an answer by its key. Return false if the key already exists."""
        ...

    async def forget_answers(self, hours: int = 24) -> None:
        """Drop answers that are past their retention time."""
        ...

    async def seeds(self, combat: UUID) -> dict[str, bytes]:
        """Return the secrets of a combat by commitment."""
        ...

    async def tokens(self, combat: UUID) -> list[TokenRow]:
        """Return the tokens of a combat that are in force."""
        ...

    async def token(self, combat: UUID, id: str) -> TokenRow | None:
        """Return one token that is in force."""
        ...

    async def ping(self) -> None:
        """Check the database. Raises `Unavailable` if it does not answer."""
        ...
