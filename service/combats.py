"""Combats: held in memory, confirmed by the database for reading, and changed under their lock.

- Memory may be outdated. Therefore, each read first asks the database for the combat's version.
- Affray decides a command on the state in memory. It stores the result only if the combat is still
  at that version and the caller's token is in force.
- Each combat has one entry. A caller that finds the entry outdated reads the log again
  under the entry's lock (`loader`).
- The modules `decisions`, `erasure` and `keys` change combats under the lock.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from random import random
from typing import Final, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from domain.engine.session import Session
from domain.errors import Refused, Unfitting
from domain.record.recorded import Recorded
from domain.rulebook.ruleset import Ruleset
from service.answers import Answer, Idempotency, first_answer
from service.hot_combat import Hot
from service.loader import Loading, NotHere, Restore, never_archived, not_here
from service.old_events import with_past
from service.recent_combats import Recent
from service.store import tokens
from service.store.mapper import Mapper
from service.store.port import Log
from service.store.pulse import Pulse
from service.store.rows import Conflict, Head, TokenRow
from service.store.tokens import Presented

log = logging.getLogger("affray")

TRIES = 60
"""The limit of attempts for a command that conflicts with others."""

Done = TypeVar("Done")


NO_LONGER: Final = "this token was revoked or has expired: ask the GM for a new one"


class NotInForce(Refused):
    """The token does not exist, has expired, or was revoked."""


class Combats:
    """The combats of one replica."""

    def __init__(
        self,
        store: Log,
        rulesets: Mapping[str, Ruleset],
        recent: Recent,
        mapper: Mapper | None = None,
        restore: Restore = never_archived,
    ) -> None:
        self.store = store
        self.mapper = mapper or Mapper()
        self.rulesets = rulesets
        self.pulse = Pulse(store)
        self.on_change: Callable[[UUID], None] = lambda combat: None
        self.on_load: Callable[[Hot], Awaitable[None]] = _nothing
        self.losses: dict[UUID, int] = {}  # how often the database lost events of a combat
        self.counts = {"commands": 0, "conflicts": 0, "loads": 0, "replays": 0}
        self._loading = Loading(store, self.mapper, rulesets, self.counts, self.lose, restore)
        # `_entries` has every combat in use. `recent` keeps the most recently used combats.
        self._entries: WeakValueDictionary[UUID, Hot] = WeakValueDictionary()
        self.recent = recent

    def ruleset(self, id: str) -> Ruleset:
        """Return an installed ruleset; raises `Unknown`."""
        return self._loading.ruleset(id)

    # ---- reading

    async def admit(self, presented: Presented, *, now: bool) -> tuple[Hot, TokenRow]:
        """Return the combat of a token and the token's row. Raises `NotHere`, `NotInForce`.

        If `now` is true, the database confirms both. Otherwise, memory is enough, because the
        statement of the next command checks both again.
        """
        id = presented.combat
        hot = self._entries.get(id)
        if hot is not None and not now:
            row = hot.tokens.get(presented.id)
            if row is not None and tokens.matches(presented, row) and not hot.unchecked:
                self.recent.used(hot)
                return hot, row
        head = await self._head(id)
        if hot is None or hot.head is None:  # without a valid token, nothing is loaded
            known = await self.store.token(id, presented.id)
            if known is None or not tokens.matches(presented, known):
                raise NotInForce(NO_LONGER)
        hot = await self._at(id, head)
        row = hot.tokens.get(presented.id)
        if row is None or not tokens.matches(presented, row):
            raise NotInForce(NO_LONGER)
        return hot, row

    def known(self, id: UUID) -> Head | None:
        """Return the last confirmed head of a combat, or `None` if no head is confirmed."""
        hot = self._entries.get(id)
        return None if hot is None else hot.head

    async def confirmed(self, id: UUID) -> Hot:
        """Return the combat as the database has it now. Raises `NotHere`, `Unavailable`."""
        return await self._at(id, await self._head(id))

    async def _head(self, id: UUID) -> Head:
        """Return a combat's current head. Raises `NotHere`, `Unavailable`."""
        head = await self.pulse.of(id)
        if head is None:
            self.let_go(id)
            raise not_here(id)
        return head

    async def _at(self, id: UUID, head: Head) -> Hot:
        """Return the combat at `head`, or later. Raises `NotHere`."""
        hot = self._entries.get(id)
        if hot is None:
            hot = self._entries[id] = Hot(id, Session(next(iter(self.rulesets.values()))))
        if hot.head != head:
            async with hot.lock:
                if hot.head is not None and hot.head.went_back(head):
                    head = await self._head(id)  # the lock protects memory meanwhile
                    self._doubt_what_is_lost(hot, head)
                await self.bring(hot, head)
        if hot.unchecked:
            hot.unchecked = False
            await self.on_load(hot)
        self.recent.used(hot)
        return hot

    async def bring(self, hot: Hot, head: Head | None = None) -> None:
        """Read new events under the combat's lock (see `Loading.bring`). Raises `NotHere`."""
        try:
            await self._loading.bring(hot, head)
        except NotHere:
            self.let_go(hot.id)
            raise

    def _doubt_what_is_lost(self, hot: Hot, head: Head) -> None:
        """Discard the confirmation of a combat if the database has lost events of it.

        A failover can lose events. The caller reads `head` under the combat's lock. Therefore,
        memory has a newer version than `head` only after a loss.
        """
        if hot.head is not None and hot.head.went_back(head):
            log.warning(
                "the database has gone back with the combat %s from version %s to %s",
                hot.id,
                hot.live.version,
                head.version,
            )
            self.lose(hot)

    def lose(self, hot: Hot) -> None:
        """Discard the confirmation of a combat. Its listeners then get a new board."""
        hot.doubt()
        self.losses[hot.id] = self.losses.get(hot.id, 0) + 1

    def let_go(self, id: UUID) -> None:
        """Drop a deleted combat as soon as no other reader holds it."""
        self.recent.let_go(id)

    def keep(self, hot: Hot) -> None:
        """Take a new combat into memory after the database has stored it."""
        hot.live = hot.live.left_to_log()
        if hot.id not in self._entries:
            self._entries[hot.id] = hot
            self.recent.used(hot)

    # ---- the past

    async def recalling(self, id: UUID, work: Callable[[], Awaitable[Done]]) -> Done:
        """Return the result of `work`, with the combat's old events that it needs.

        If events are missing, this reads them and starts `work` again on the new state of the
        combat. Therefore, `work` must have no effect before it has all of its events.
        """

        async def again() -> Done:
            hot = self._entries.get(id)
            if hot is not None and hot.head is None:  # it was dropped while the log was read
                await self.confirmed(id)
            return await work()

        return await with_past(self.store, self.mapper, id, again)

    async def recall(self, id: UUID, work: Callable[[], Done]) -> Done:
        """Return the result of synchronous `work`, as `recalling` does."""

        async def done() -> Done:
            return work()

        return await self.recalling(id, done)

    async def whole(self, hot: Hot) -> list[Recorded]:
        """Return all events of the combat from the log. Raise `NotHere`."""
        return await self._loading.events(hot.id, hot.live.version)

    # ---- changing

    async def changing(
        self,
        hot: Hot,
        row: TokenRow,
        idempotency: Idempotency | None,
        once: Callable[[TokenRow], Awaitable[Done]],
    ) -> Done | Answer:
        """Change a combat under its lock: run `once`, and repeat it after each `Conflict`.

        - The client gets a refusal only if the database confirms the state behind it.
        - A repeated idempotency key gets the first answer.
        - The work continues even if the client disconnects.
        """
        task = asyncio.create_task(self._changing(hot, row, idempotency, once))
        return await asyncio.shield(task)

    async def _changing(
        self,
        hot: Hot,
        row: TokenRow,
        idempotency: Idempotency | None,
        once: Callable[[TokenRow], Awaitable[Done]],
    ) -> Done | Answer:

        async def tried() -> Done:
            return await once(_in_force(hot, row))

        async with hot.lock:
            for lost in range(TRIES):
                if lost > 2:  # at random, so that two replicas do not meet again
                    await asyncio.sleep(random() * 0.002 * lost)
                if hot.head is None:
                    await self.bring(hot)
                try:
                    done = await with_past(self.store, self.mapper, hot.id, tried)
                    self.on_change(hot.id)
                    return done
                except Conflict:
                    self.counts["conflicts"] += 1
                    refused = None
                except Refused as error:
                    refused = error
                fresh = await self._freshen(hot)
                first = await first_answer(self.store, hot.id, row.id, idempotency)
                if first is not None:
                    self.counts["replays"] += 1
                    return first
                if refused is not None and not fresh:
                    raise refused
        raise Unfitting("busy", "too many others changed the combat; try again")

    async def _freshen(self, hot: Hot) -> bool:
        """Update the combat from the database. Return true if memory was outdated."""
        try:
            head = await self._head(hot.id)
        except NotHere:
            hot.doubt()
            raise
        if head == hot.head:
            return False
        self._doubt_what_is_lost(hot, head)
        await self.bring(hot, head)
        return True


async def _nothing(hot: Hot) -> None:
    """Do nothing after a combat was loaded."""


def _in_force(hot: Hot, row: TokenRow) -> TokenRow:
    known = hot.in_force(row.id)
    if known is None:
        raise NotInForce(NO_LONGER)
    return known
