"""Combats: load, decide, commit. The only place where commands meet the store.

A hot combat is a cache of the log: its version is checked by the unique key of the events on
every commit, and before every read unless this replica is alone.
"""

import asyncio
import logging
import os
import zlib
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from random import random
from typing import Any
from uuid import UUID, uuid4

import msgspec

from domain.engine.caller import Caller, Context
from domain.engine.commands import Command, Open
from domain.engine.live import Decision, Live
from domain.errors import Malformed, Unfitting, Unknown
from domain.record.erase import erase
from domain.record.recorded import Recorded, encode
from domain.rulebook.ruleset import Ruleset
from projections.board import Board, board
from projections.eyes import Eyes
from projections.timeline import Commands
from service.http.problems import Refusal
from service.store import tokens
from service.store.alone import Alone
from service.store.log import Append, BoardRow, Conflict, FirstAnswer, Store, TokenRow
from service.store.mapper import Mapper

log = logging.getLogger("affray")

TRIES = 60
"""How often a command that lost a race is decided again."""


@dataclass(frozen=True)
class Idempotency:
    """An Idempotency-Key with the fingerprint of its request."""

    key: str
    fingerprint: bytes


@dataclass(frozen=True)
class Answer:
    """A finished answer to a command: status, ETag and bytes."""

    status: int
    etag: str
    body: bytes
    replayed: bool = False


@dataclass
class Hot:
    """A combat in memory, with its tokens (as of `stamp`), secrets, views and boards."""

    id: UUID
    live: Live
    tokens: dict[str, TokenRow]
    secrets: dict[str, bytes]
    stamp: int = 1
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    eyes: dict[str, Eyes] = field(default_factory=dict)
    boards: dict[str, BoardRow] = field(default_factory=dict)
    told: Commands = field(default_factory=Commands)

    def seen_by(self, row: TokenRow) -> Eyes:
        """The view of a token's audience."""
        audience = tokens.audience_of(row)
        found = self.eyes.get(audience)
        if found is None:
            found = Eyes(self.live.history, tokens.caller_of(row))
        self.eyes[audience] = found = found.after(self.live.history)
        return found

    def commands_told(self) -> Commands:
        """The index of the timeline, up to date."""
        return self.told.refresh(self.live)

    def after(self, decision: Decision) -> "Hot":
        """The combat as it will be when the decision is stored."""
        secrets = self.secrets
        if decision.seed is not None:
            secrets = {**secrets, decision.live.combat.commitment: decision.seed}
        return replace(self, live=decision.live, secrets=secrets, eyes=dict(self.eyes), boards={})

    def become(self, draft: "Hot") -> None:
        """The draft is stored: it is the present."""
        self.live, self.secrets = draft.live, draft.secrets
        self.eyes, self.boards = draft.eyes, draft.boards

    def board_of(self, row: TokenRow) -> BoardRow:
        """The present for a token's audience, encoded once per version."""
        audience = tokens.audience_of(row)
        found = self.boards.get(audience)
        if found is None or found.version != self.live.version:
            found = self.boards[audience] = self._row(audience, row)
        return found

    def _row(self, audience: str, row: TokenRow) -> BoardRow:
        eyes = self.seen_by(row)
        body = msgspec.json.encode(board(self.live, eyes))
        return BoardRow(audience, self.live.version, etag(eyes, body), body)

    def rows(self) -> list[BoardRow]:
        """The boards of every audience that has a token."""
        audiences = {tokens.audience_of(row): row for row in self.tokens.values()}
        return [self.board_of(row) for row in audiences.values()]


def etag(eyes: Eyes, body: bytes) -> str:
    """The GM's version; for others their own count and a checksum of what they see."""
    if eyes.caller.role == "gm":
        return str(eyes.sequence)
    return f"{eyes.sequence}-{zlib.crc32(body):08x}"


Reply = Callable[[Hot, Decision], tuple[int, Any]]
"""Makes the answer to a decision: status and body."""


class Combats:
    """The combats of one replica."""

    def __init__(
        self, store: Store, rulesets: Mapping[str, Ruleset], alone: Alone, limit: int = 1000
    ) -> None:
        self.store = store
        self.rulesets = rulesets
        self.alone = alone
        self.limit = limit
        self.counts = {"commands": 0, "conflicts": 0, "loads": 0, "replays": 0}
        self._hot: OrderedDict[UUID, Hot] = OrderedDict()
        self._loading: dict[UUID, asyncio.Task[Hot | None]] = {}

    def __len__(self) -> int:
        return len(self._hot)

    def ruleset(self, id: str) -> Ruleset:
        """An installed ruleset; raises `Unknown`."""
        try:
            return self.rulesets[id]
        except KeyError:
            raise Unknown("ruleset", id, tuple(self.rulesets)) from None

    # ---- reading

    async def get(self, id: UUID) -> Hot | None:
        """The combat as it is now, or None."""
        hot = self._hot.get(id)
        if hot is None:
            task = self._loading.get(id)
            if task is None:
                task = self._loading[id] = asyncio.create_task(self._load(id))
                task.add_done_callback(lambda _: self._loading.pop(id, None))
            return await asyncio.shield(task)
        self._hot.move_to_end(id)
        if self.alone.yes and not hot.lock.locked():
            return hot
        async with hot.lock:  # what is being committed is not shown before it is stored
            if self._hot.get(id) is not hot:
                return await self._load(id)
            return hot if self.alone.yes else await self._refresh(hot)

    async def _load(self, id: UUID) -> Hot | None:
        self.counts["loads"] += 1
        stored = await self.store.events(id)
        if not stored:
            return None
        recorded = [Mapper.to_domain_event(one) for one in stored]
        opened: Any = recorded[0].event
        live = Live(self.ruleset(opened.ruleset), recorded)
        _, stamp = await self.store.pulse(id)
        rows = {row.id: row for row in await self.store.tokens(id)}
        return self._keep(Hot(id, live, rows, await self.store.seeds(id), stamp))

    async def _refresh(self, hot: Hot) -> Hot | None:
        """Take in what other replicas have stored."""
        version, stamp = await self.store.pulse(hot.id)
        if version == 0:
            self._hot.pop(hot.id, None)
            return None
        if stamp != hot.stamp:
            await self.reload_tokens(hot, stamp)
        if version != hot.live.version:
            await self._catch_up(hot)
        return hot

    async def _catch_up(self, hot: Hot) -> None:
        stored = await self.store.events(hot.id, hot.live.version)
        hot.live = hot.live.with_events(Mapper.to_domain_event(one) for one in stored)
        hot.secrets = await self.store.seeds(hot.id)

    async def reload_tokens(self, hot: Hot, stamp: int | None = None) -> None:
        """Know the tokens that are in force now."""
        if stamp is None:
            _, stamp = await self.store.pulse(hot.id)
        hot.tokens = {row.id: row for row in await self.store.tokens(hot.id)}
        hot.stamp = stamp

    def _keep(self, hot: Hot) -> Hot:
        self._hot[hot.id] = hot
        self._hot.move_to_end(hot.id)
        while len(self._hot) > self.limit:
            coldest = next(iter(self._hot))
            if self._hot[coldest].lock.locked():
                break
            del self._hot[coldest]
        return hot

    # ---- deciding

    async def open(
        self, command: Open, id: UUID, idempotency: Idempotency | None
    ) -> tuple[Answer, str]:
        """Open a combat; returns the answer and its GM token."""
        text, row = tokens.issue(id, "gm", "GM")
        before = Hot(id, Live(self.ruleset(command.ruleset)), {row.id: row}, {})
        decision = before.live.decide(command, self._context(before, tokens.caller_of(row)))
        hot = before.after(decision)
        body = hot.board_of(row)
        present = msgspec.json.decode(body.body, type=Board)
        content = msgspec.json.encode(Opened(str(id), text, present))
        first = None
        if idempotency is not None:
            first = FirstAnswer(
                "", idempotency.key, idempotency.fingerprint, 201, body.etag, content
            )
        await self.store.append(self._append(hot, decision, first, token=row))
        self._keep(hot)
        self.counts["commands"] += 1
        return Answer(201, body.etag, content), text

    async def replay(self, id: UUID, token: str, idempotency: Idempotency) -> Answer | None:
        """The first answer to an idempotency key; refuses the same key for another request."""
        first = await self.store.answer(id, token, idempotency.key)
        if first is None:
            return None
        if first.fingerprint != idempotency.fingerprint:
            raise Refusal(
                "idempotency-key-reused",
                f"the key {idempotency.key!r} belongs to a request with another body or path",
            )
        self.counts["replays"] += 1
        return Answer(first.status, first.etag, first.body, replayed=True)

    async def decide(
        self,
        hot: Hot,
        row: TokenRow,
        command: Command,
        reply: Reply,
        *,
        expected: str | None = None,
        idempotency: Idempotency | None = None,
    ) -> Answer:
        """Decide a command and commit it; the work goes on when the client goes away.

        `expected` is an If-Match: another ETag than the present is refused (412).
        """
        task = asyncio.create_task(self._decide(hot, row, command, reply, expected, idempotency))
        return await asyncio.shield(task)

    async def _decide(
        self,
        hot: Hot,
        row: TokenRow,
        command: Command,
        reply: Reply,
        expected: str | None,
        idempotency: Idempotency | None,
    ) -> Answer:
        async with hot.lock:
            for lost in range(TRIES):
                if lost > 2:  # give the other replica time to be the one that waits
                    await asyncio.sleep(random() * 0.002 * lost)
                if idempotency is not None:
                    first = await self.replay(hot.id, row.id, idempotency)
                    if first is not None:
                        return first
                if expected is not None:
                    self._check(hot, row, expected)
                answer = await self._commit(hot, row, command, reply, idempotency)
                if answer is not None:
                    return answer
        raise Refusal("unfitting", "too many others changed the combat; try again", reason="busy")

    @staticmethod
    def _check(hot: Hot, row: TokenRow, expected: str) -> None:
        present = f'"{hot.board_of(row).etag}"'
        named = [one.strip() for one in expected.split(",")]
        if "*" not in named and present not in named:
            raise Refusal(
                "stale", f"the combat is at {present}, not at {expected}", version=present
            )

    async def _commit(
        self,
        hot: Hot,
        row: TokenRow,
        command: Command,
        reply: Reply,
        idempotency: Idempotency | None,
    ) -> Answer | None:
        """One try; None when somebody else was first, and then the combat is fresh again."""
        decision = hot.live.decide(command, self._context(hot, tokens.caller_of(row)))
        draft = hot.after(decision)
        rows = draft.rows()
        status, content = reply(draft, decision)
        body = msgspec.json.encode(content)
        tag = draft.board_of(row).etag
        first = None
        if idempotency is not None:
            first = FirstAnswer(row.id, idempotency.key, idempotency.fingerprint, status, tag, body)
        try:
            await self.store.append(self._append(draft, decision, first, rows))
        except Conflict:
            self.counts["conflicts"] += 1
            await self._reload(hot)
            return None
        except BaseException:  # whether it was stored is not known
            self._hot.pop(hot.id, None)
            raise
        hot.become(draft)
        self.counts["commands"] += 1
        return Answer(status, tag, body)

    async def _reload(self, hot: Hot) -> None:
        """Read what others have stored."""
        await self._catch_up(hot)
        await self.reload_tokens(hot)

    def _context(self, hot: Hot, caller: Caller) -> Context:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        salt = b64encode(os.urandom(9)).decode()
        return Context(str(hot.id), caller, str(uuid4()), now, hot.secrets, os.urandom(32), salt)

    @staticmethod
    def _append(
        hot: Hot,
        decision: Decision,
        first: FirstAnswer | None,
        rows: list[BoardRow] | None = None,
        token: TokenRow | None = None,
    ) -> Append:
        seeds: tuple[tuple[str, bytes], ...] = ()
        if decision.seed is not None:
            seeds = ((hot.live.combat.commitment, decision.seed),)
        return Append(
            hot.id,
            UUID(decision.recorded[0].command),
            [
                Mapper.to_stored_event(hot.id, one, state)
                for one, state in zip(decision.recorded, decision.states, strict=True)
            ],
            hot.rows() if rows is None else rows,
            first,
            () if token is None else (token,),
            seeds,
        )

    async def adopt(
        self,
        id: UUID,
        ruleset: Ruleset,
        recorded: list[Recorded],
        states: list[bytes],
        secrets: dict[str, bytes],
    ) -> Answer:
        """Keep a combat that was made elsewhere: a fork or an import. Raises `Malformed`."""
        text, row = tokens.issue(id, "gm", "GM")
        try:
            hot = Hot(id, Live(ruleset, recorded), {row.id: row}, secrets)
            body = hot.board_of(row)
            for one in hot.live.combat:
                list(hot.live.options(one.id))
        except Exception as error:
            log.exception("an import does not fold")
            raise Malformed("/2", f"the events do not make a {ruleset.id} combat") from error
        present = msgspec.json.decode(body.body, type=Board)
        content = msgspec.json.encode(Opened(str(id), text, present))
        events = [
            Mapper.to_stored_event(id, one, state)
            for one, state in zip(recorded, states, strict=True)
        ]
        command = Append(id, uuid4(), events, hot.rows(), None, (row,), tuple(secrets.items()))
        try:
            await self.store.append(command)
        except Conflict:
            raise Unfitting("already-here", f"there is a combat {id} already") from None
        self._keep(hot)
        return Answer(201, body.etag, content)

    async def erase(self, hot: Hot, *, who: str | None, version: int | None) -> None:
        """Forget texts: in the log, the boards, the kept answers, and in memory."""
        async with hot.lock:
            changed = erase(hot.live.history.recorded, who=who, version=version)
            fresh = {one.version: one for one in changed}
            hot.live = Live(
                hot.live.ruleset,
                [fresh.get(one.version, one) for one in hot.live.history.recorded],
            )
            hot.eyes.clear()
            hot.boards.clear()
            hot.told = Commands()
            await self.store.rewrite(
                hot.id, [(one.version, encode(one)) for one in changed], hot.rows()
            )

    def preview(self, hot: Hot, row: TokenRow, command: Command) -> Decision:
        """Decide on a copy, with dice that tell nothing about the real ones; nothing is kept."""
        context = self._context(hot, tokens.caller_of(row))
        guess = {commitment: os.urandom(32) for commitment in hot.secrets}
        return hot.live.preview(command, replace(context, secrets=guess))

    async def delete(self, hot: Hot) -> None:
        """Forget a combat for good."""
        async with hot.lock:
            await self.store.delete(hot.id)
            self._hot.pop(hot.id, None)


class Opened(msgspec.Struct, frozen=True):
    """A new combat: its id, the GM's token (shown this once), and the board."""

    combat: str
    token: str
    board: Board
