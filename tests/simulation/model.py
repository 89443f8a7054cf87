"""Model of the store in memory: the port `service.store.port.Log` without a database.

`Tables` has the content of a database. Each method is one statement, with all of its effect or
none. `ModelStore` is the port of one replica. Its `Link` decides when a statement takes effect, and
what the replica learns about it.
"""

import asyncio
import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar
from uuid import UUID

from eventsourcing.persistence import Notification, StoredEvent
from msgspec import Struct
from msgspec.structs import replace

from service.store.appending import Appending
from service.store.log import DELETED, ERASED
from service.store.rows import ERASED_STATUS, Append, Conflict, FirstAnswer, Head, TokenRow

T = TypeVar("T")

Kind = Literal["read", "confirmed", "change", "statement"]
"""The kind of a statement. It decides what the replica learns about a fault."""


class Event(Struct, frozen=True):
    """A row of `stored_events`."""

    topic: str
    state: bytes
    command: UUID


class Kept(Struct, frozen=True):
    """A row of `idempotency`."""

    answer: FirstAnswer
    created_at: datetime


class Token(Struct, frozen=True):
    """A row of `tokens`."""

    row: TokenRow
    created_at: datetime
    is_revoked: bool = False

    @property
    def is_in_force(self) -> bool:
        """Return true if the token is neither revoked nor expired."""
        ends_at = self.row.ends_at
        return not self.is_revoked and (ends_at is None or _now() < ends_at)


class Span(Struct, frozen=True):
    """A row of `unplaced`: the events of a command, or a marker. Only a marker has a topic."""

    combat: UUID
    first: int
    last: int
    topic: str | None = None


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Tables:
    """The content of the database."""

    heads: dict[UUID, Head] = field(default_factory=dict)
    events: dict[UUID, dict[int, Event]] = field(default_factory=dict)
    answers: dict[tuple[UUID, str, str], Kept] = field(default_factory=dict)
    tokens: dict[UUID, dict[str, Token]] = field(default_factory=dict)
    seeds: dict[UUID, dict[str, bytes]] = field(default_factory=dict)
    unplaced: list[Span] = field(default_factory=list)
    positions: dict[int, tuple[UUID, int, str | None]] = field(default_factory=dict)
    end: int = 0

    def copied(self) -> "Tables":
        """Return a copy, which later statements do not change. Rows are immutable."""
        other = copy.copy(self)
        other.heads, other.answers = dict(self.heads), dict(self.answers)
        other.events = {combat: dict(rows) for combat, rows in self.events.items()}
        other.tokens = {combat: dict(rows) for combat, rows in self.tokens.items()}
        other.seeds = {combat: dict(rows) for combat, rows in self.seeds.items()}
        other.unplaced, other.positions = list(self.unplaced), dict(self.positions)
        return other

    # ---- writing

    def alone(self, command: Append) -> bool:
        """Store one command, unless it conflicts or part of it is already stored."""
        combat, answer = command.combat, command.answer
        if not self._fits(command) or self._was_answered(command):
            return False
        tokens, seeds = self.tokens.get(combat, {}), self.seeds.get(combat, {})
        if any(token.id in tokens for token in command.tokens):
            return False
        if any(commitment in seeds for commitment, _ in command.seeds):
            return False
        rows = self.events.setdefault(combat, {})
        for row in command.events:
            rows[row.originator_version] = Event(row.topic, bytes(row.state), command.command)
        self.heads[combat] = command.after
        if answer is not None:
            self._keep(combat, replace(answer, command=command.command))
        now = _now()
        for token in command.tokens:
            endless = replace(token, ends_at=None)  # tokens of a new combat never end
            self.tokens.setdefault(combat, {})[token.id] = Token(endless, now)
        for commitment, seed in command.seeds:
            self.seeds.setdefault(combat, {})[commitment] = seed
        first = command.events[0].originator_version
        self.unplaced.append(Span(combat, first, command.after.version))
        return True

    def together(
        self, commands: Sequence[Append], held: Collection[UUID]
    ) -> tuple[set[UUID], set[UUID]]:
        """Store each command that fits its combat. Other writers lock the combats in `held`.

        Return the combats of the stored commands, and the combats that no other writer locks.
        """
        free = [
            command
            for command in commands
            if command.combat in self.heads and command.combat not in held
        ]
        fitting = [command for command in free if self._fits(command)]
        if any(self._was_answered(command) for command in fitting):
            raise Conflict
        stored = {command.combat for command in fitting if self.alone(command)}
        return stored, {command.combat for command in free}

    def has(self, command: Append) -> bool | None:
        """Return true if the command is stored, or `None` if the combat lacks the version."""
        row = self.events.get(command.combat, {}).get(command.events[0].originator_version)
        return None if row is None else row.command == command.command

    def _fits(self, command: Append) -> bool:
        head, before = self.heads.get(command.combat), command.before
        if before is None or head is None:
            return before is None and head is None
        return (
            (head.life, head.version) == (command.after.life, before.version)
            and head.digest in (before.digest, "")
            and (head.tokens, head.texts) == (before.tokens, before.texts)
            and (command.ends_at is None or _now() < command.ends_at)
        )

    def _was_answered(self, command: Append) -> bool:
        answer = command.answer
        return answer is not None and (command.combat, answer.token, answer.key) in self.answers

    def _keep(self, combat: UUID, answer: FirstAnswer) -> None:
        self.answers[combat, answer.token, answer.key] = Kept(answer, _now())

    def delete(self, combat: UUID, before: Head, *, unchanged: bool) -> bool:
        """Delete a combat."""
        head = self.heads.get(combat)
        if head is None or (head.life, head.tokens) != (before.life, before.tokens):
            return False
        if unchanged and (head.version, head.texts) != (before.version, before.texts):
            return False
        del self.heads[combat]
        self.answers = {key: kept for key, kept in self.answers.items() if key[0] != combat}
        self.positions = {at: row for at, row in self.positions.items() if row[0] != combat}
        self.unplaced = [span for span in self.unplaced if span.combat != combat]
        for rows in (self.tokens, self.seeds, self.events):
            rows.pop(combat, None)
        self.unplaced.append(Span(combat, 0, 0, DELETED))
        return True

    def rewrite(
        self,
        combat: UUID,
        before: Head,
        states: Sequence[tuple[int, bytes]],
        answer: FirstAnswer | None,
    ) -> bool:
        """Replace events, and remove the answers to commands."""
        head = self.heads.get(combat)
        if head is None or replace(head, digest="") != replace(before, digest=""):
            return False
        if answer is not None and (combat, answer.token, answer.key) in self.answers:
            return False
        self.heads[combat] = replace(head, texts=head.texts + 1)
        rows = self.events[combat]
        for version, state in states:
            if version in rows:
                rows[version] = replace(rows[version], state=state)
        for key, kept in self.answers.items():
            if key[0] == combat and kept.answer.command is not None:
                erased = replace(kept.answer, status=ERASED_STATUS, etag="", body=b"")
                self.answers[key] = replace(kept, answer=erased)
        if answer is not None:
            self._keep(combat, replace(answer, status=204, etag="", body=b"", command=None))
        self.unplaced.append(Span(combat, 0, 0, ERASED))
        return True

    def add_token(
        self, combat: UUID, before: Head, token: TokenRow, answer: FirstAnswer | None
    ) -> bool:
        """Issue a token."""
        if not self._has_tokens_of(combat, before):
            return False
        if token.id in self.tokens.get(combat, {}):
            return False
        if answer is not None and (combat, answer.token, answer.key) in self.answers:
            return False
        self._count_tokens(combat)
        self.tokens.setdefault(combat, {})[token.id] = Token(token, _now())
        if answer is not None:
            self._keep(combat, replace(answer, status=201, etag="", command=None))
        return True

    def revoke(self, combat: UUID, before: Head, id: str) -> bool:
        """Revoke a token."""
        if not self._has_tokens_of(combat, before):
            return False
        self._count_tokens(combat)
        token = self.tokens.get(combat, {}).get(id)
        if token is not None:
            self.tokens[combat][id] = replace(token, is_revoked=True)
        return True

    def _has_tokens_of(self, combat: UUID, before: Head) -> bool:
        head = self.heads.get(combat)
        return head is not None and (head.life, head.tokens) == (before.life, before.tokens)

    def _count_tokens(self, combat: UUID) -> None:
        head = self.heads[combat]
        self.heads[combat] = replace(head, tokens=head.tokens + 1)

    def note(self, combat: UUID, first: FirstAnswer) -> bool:
        """Store the first answer for a key."""
        if (combat, first.token, first.key) in self.answers:
            return False
        self._keep(combat, replace(first, command=None))
        return True

    def forget_answers(self, hours: int) -> None:
        """Drop old answers."""
        since = _now() - timedelta(hours=hours)
        self.answers = {key: kept for key, kept in self.answers.items() if kept.created_at >= since}

    # ---- reading

    def select(self, combat: UUID, spans: Sequence[tuple[int, int]]) -> list[StoredEvent]:
        """Return the events from the first to the last version of each span."""
        rows = self.events.get(combat, {})
        return [
            StoredEvent(combat, version, rows[version].topic, rows[version].state)
            for version in sorted(rows)
            for first, last in spans
            if first <= version <= last
        ]

    def next_combat(self, after: UUID) -> UUID | None:
        """Return the next combat that has a head or events."""
        return min((id for id in {*self.heads, *self.events} if id > after), default=None)

    def in_force(self, combat: UUID) -> list[TokenRow]:
        """Return the valid tokens, the oldest first."""
        rows = [token for token in self.tokens.get(combat, {}).values() if token.is_in_force]
        return [
            token.row
            for token in sorted(rows, key=lambda stored: (stored.created_at, stored.row.id))
        ]

    def answer_to(self, key: str) -> FirstAnswer | None:
        """Return the first answer to a hashed key, of any combat and token."""
        kept = [kept.answer for names, kept in self.answers.items() if names[2] == key]
        return kept[0] if kept else None

    # ---- the global order

    def place(self, most: int) -> int:
        """Number stored events, and return their count."""
        taken, self.unplaced = self.unplaced[:most], self.unplaced[most:]
        before = self.end
        for span in taken:
            for version in range(span.first, span.last + 1):
                self.end += 1
                self.positions[self.end] = span.combat, version, span.topic
        return self.end - before

    def notifications(
        self, after: int, limit: int, stop: int | None, topics: Sequence[str]
    ) -> list[Notification]:
        """Return events and markers by their numbers."""
        found_notifications: list[Notification] = []
        for position, (combat, version, mark) in sorted(self.positions.items()):
            row = self.events.get(combat, {}).get(version)
            topic = mark if row is None else mark or row.topic
            if position <= after or (stop is not None and position > stop):
                continue
            if topic is None or (topics and topic not in topics):
                continue
            state = b"{}" if row is None else row.state
            found_notifications.append(Notification(combat, version, topic, state, id=position))
        return found_notifications[:limit]


@dataclass
class ModelDatabase:
    """A database. `generation` increases when it returns to an old copy."""

    tables: Tables = field(default_factory=Tables)
    generation: int = 0

    def go_back(self, tables: Tables) -> None:
        """Replace the tables by an old copy."""
        self.tables, self.generation = tables, self.generation + 1


class Link:
    """The connection from a replica to the database, without faults."""

    async def run(self, kind: Kind, statement: Callable[[], T]) -> T:
        await asyncio.sleep(0)
        return statement()

    def held(self, combats: Sequence[UUID]) -> Collection[UUID]:
        """Return the combats that other writers are changing at this moment."""
        return ()


class ModelStatements:
    """The statements that store commands."""

    def __init__(self, database: ModelDatabase, link: Link) -> None:
        self.database, self.link = database, link

    async def alone(self, command: Append) -> bool:
        return await self.link.run("statement", lambda: self.database.tables.alone(command))

    async def together(self, commands: Sequence[Append]) -> tuple[set[UUID], set[UUID]]:
        held = self.link.held([command.combat for command in commands])
        return await self.link.run(
            "statement", lambda: self.database.tables.together(commands, held)
        )

    async def has(self, command: Append) -> bool:
        answer = await self.link.run("confirmed", lambda: self.database.tables.has(command))
        return bool(answer)


class ModelStore:
    """The port of one replica."""

    def __init__(self, database: ModelDatabase, link: Link | None = None) -> None:
        self.database, self.link = database, link or Link()
        self.appending = Appending(ModelStatements(database, self.link))
        self.stored = asyncio.Event()

    async def close(self) -> None:
        await self.appending.close()

    async def append(self, command: Append) -> None:
        await self.appending.append(command)
        self.stored.set()

    async def _change(self, statement: Callable[[Tables], bool]) -> None:
        if not await self.link.run("change", lambda: statement(self.database.tables)):
            raise Conflict
        self.stored.set()

    async def delete(self, combat: UUID, before: Head, *, unchanged: bool = False) -> None:
        await self._change(lambda tables: tables.delete(combat, before, unchanged=unchanged))

    async def rewrite(
        self,
        combat: UUID,
        before: Head,
        states: Sequence[tuple[int, bytes]],
        answer: FirstAnswer | None,
    ) -> None:
        await self._change(lambda tables: tables.rewrite(combat, before, states, answer))

    async def add_token(
        self, combat: UUID, before: Head, token: TokenRow, answer: FirstAnswer | None
    ) -> None:
        await self._change(lambda tables: tables.add_token(combat, before, token, answer))

    async def revoke(self, combat: UUID, before: Head, token: str) -> None:
        await self._change(lambda tables: tables.revoke(combat, before, token))

    async def _read(self, statement: Callable[[Tables], T]) -> T:
        return await self.link.run("read", lambda: statement(self.database.tables))

    async def events(self, combat: UUID, after: int = 0, upto: int = 2**62) -> list[StoredEvent]:
        return await self.events_among(combat, [(after + 1, upto)])

    async def events_among(
        self, combat: UUID, spans: Sequence[tuple[int, int]]
    ) -> list[StoredEvent]:
        return await self._read(lambda tables: tables.select(combat, spans))

    async def snapshot(self, combat: UUID) -> tuple[Head | None, list[StoredEvent]]:
        return await self._read(
            lambda tables: (tables.heads.get(combat), tables.select(combat, [(0, 2**62)]))
        )

    async def next_combat(self, after: UUID) -> UUID | None:
        return await self._read(lambda tables: tables.next_combat(after))

    async def heads(self, combats: Sequence[UUID]) -> dict[UUID, Head]:
        return await self._read(
            lambda tables: {id: tables.heads[id] for id in combats if id in tables.heads}
        )

    async def head(self, combat: UUID) -> Head | None:
        return (await self.heads([combat])).get(combat)

    async def answer(self, combat: UUID, token: str, key: str) -> FirstAnswer | None:
        kept = await self.link.run(
            "confirmed", lambda: self.database.tables.answers.get((combat, token, key))
        )
        return None if kept is None else kept.answer

    async def note(self, combat: UUID, first: FirstAnswer) -> bool:
        return await self._read(lambda tables: tables.note(combat, first))

    async def forget_answers(self, hours: int = 24) -> None:
        await self._read(lambda tables: tables.forget_answers(hours))

    async def seeds(self, combat: UUID) -> dict[str, bytes]:
        return await self._read(lambda tables: dict(tables.seeds.get(combat, {})))

    async def tokens(self, combat: UUID) -> list[TokenRow]:
        return await self._read(lambda tables: tables.in_force(combat))

    async def token(self, combat: UUID, id: str) -> TokenRow | None:
        rows = await self.tokens(combat)
        return next((row for row in rows if row.id == id), None)

    async def ping(self) -> None:
        await self._read(lambda tables: None)

    async def place(self) -> int:
        return await self._read(lambda tables: tables.place(2000))

    async def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        after = -1 if start is None else start - inclusive_of_start
        return await self._read(lambda tables: tables.notifications(after, limit, stop, topics))

    async def max_notification_id(self) -> int | None:
        return await self._read(lambda tables: max(tables.positions, default=None))
