"""Loader: bring a combat in memory up to date with the log.

The caller holds the combat's lock.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError, StoredEvent

from domain.engine.session import Session
from domain.errors import Refused, Unknown
from domain.record.events import SeedCommitted
from domain.record.recorded import Recorded, is_newer
from domain.rulebook.ruleset import Ruleset
from service.hot_combat import Hot, grown
from service.old_events import with_past
from service.store.chain import BrokenChain, torn, wrong
from service.store.mapper import Mapper, NewerRelease
from service.store.port import Log
from service.store.rows import Head, TokenRow, Unavailable

log = logging.getLogger("affray")


Restore = Callable[[UUID], Awaitable[bool]]
"""Puts the events of an archived combat back, and returns false if it was never archived."""


async def never_archived(combat: UUID) -> bool:
    """Return false: no combat is archived."""
    return False


class NotHere(Refused):
    """The combat does not exist, or the token is not for it."""


def not_here(id: UUID | str) -> NotHere:
    """Return the same error for a missing combat and for a token of another combat."""
    return NotHere(f"this token opens no combat {id}: check the address and the token")


class Loading:
    """Reads combats from the log: new events, or all of them."""

    def __init__(
        self,
        store: Log,
        mapper: Mapper,
        rulesets: Mapping[str, Ruleset],
        counts: dict[str, int],
        lose: Callable[[Hot], None],
        restore: Restore,
    ) -> None:
        """Take the store. Call `lose` for a combat if the log lacks events that are in memory."""
        self.restore = restore
        self.lose = lose
        self.store, self.mapper = store, mapper
        self.rulesets = rulesets
        self.counts = counts

    def ruleset(self, id: str) -> Ruleset:
        """Return an installed ruleset. Raise `Unknown`."""
        try:
            return self.rulesets[id]
        except KeyError:
            raise Unknown("ruleset", id, tuple(self.rulesets)) from None

    async def bring(self, hot: Hot, head: Head | None = None) -> None:
        """Read the missing events from the log. Without a `head`, read the complete combat.

        Raises `NotHere`, `Unavailable`. After an error, the combat is not confirmed.
        """
        if head is not None and hot.head is not None and hot.head.covers(head):
            return
        try:
            if head is not None and await self._grow(hot, head):
                return
            present = await self.store.head(hot.id)
            if present is None:
                raise not_here(hot.id)
            await self._load(hot, present)
        except BaseException:
            hot.doubt()
            raise

    async def _grow(self, hot: Hot, head: Head) -> bool:
        """Read only the new events up to `head`. Return false if the combat needs a full read."""
        if hot.head is None or not grown(hot.head, head) or head.version < hot.live.version:
            return False
        live, secrets, rows = hot.live, hot.secrets, hot.tokens
        if head.version > live.version:
            stored = await self.store.events(hot.id, live.version, head.version)
            try:
                read = [self.mapper.read(row) for row in stored]
            except MapperDeserialisationError:
                return False  # the complete read reports the reason
            if any(is_newer(event, state) for event, state in read):
                return False
            recorded = [event for event, _ in read]
            if wrong(read, head.digest, live.digest) is not None:
                # the past differs or the chain is broken, so the caller reads all events
                self.lose(hot)
                return False

            async def grow() -> Session:
                return hot.live.with_events(recorded)

            live = await with_past(self.store, self.mapper, hot.id, grow)
            if any(isinstance(event.event, SeedCommitted) for event in recorded):
                secrets = await self.store.seeds(hot.id)
        if live.version != head.version or head.digest not in ("", live.digest):
            return False  # it was deleted, and perhaps stored again
        if head.tokens != hot.head.tokens:
            rows = await self._tokens(hot.id)
        self.counts["loads"] += 1
        hot.secrets = secrets
        hot.believe(live, head, rows)
        return True

    async def _load(self, hot: Hot, head: Head) -> None:
        self.counts["loads"] += 1
        read = await self._read(hot.id, head.version, head.digest)
        broken = wrong(read, head.digest)
        if broken is not None:
            log.error("the chain of the combat %s is broken at its event %s", hot.id, broken)
        hot.broken = None if broken is None else BrokenChain(broken)
        recorded = [event for event, _ in read]
        opened: Any = recorded[0].event
        try:
            live = Session.stored(self.ruleset(opened.ruleset), recorded)
        except Exception as error:
            if hot.broken is None:
                raise
            raise hot.broken from error
        rows = await self._tokens(hot.id)
        hot.secrets = await self.store.seeds(hot.id)
        hot.believe(live, head, rows)
        hot.unchecked = True

    async def events(self, id: UUID, version: int) -> list[Recorded]:
        """Return all events up to a version from the log.

        Raises `NotHere`, `Unavailable`, `BrokenChain`.
        """
        return [event for event, _ in await self._read(id, version)]

    async def _read(self, id: UUID, version: int, digest: str = "") -> list[tuple[Recorded, bytes]]:
        """Return all events. If `digest` is known, it is the last hash.

        Raise `NewerRelease` if this release cannot read an event whose hash is right.
        """
        stored = await self.store.events(id, 0, version)
        if len(stored) != version and await self.restore(id):
            stored = await self.store.events(id, 0, version)
        if len(stored) != version:
            if await self.store.head(id) is None:
                raise not_here(id)  # it was deleted meanwhile
            raise Unavailable("the database has gone back while the combat was read")
        try:
            read = [self.mapper.read(row) for row in stored]
        except MapperDeserialisationError as error:
            raise self._unreadable(stored, digest) from error
        for row, (recorded, state) in zip(stored, read, strict=True):
            if is_newer(recorded, state):
                if self._is_torn(stored, digest):
                    break  # treat it as any other fault
                raise NewerRelease("field of", row.topic)
        return read

    def _unreadable(self, stored: Sequence[StoredEvent], digest: str) -> BrokenChain | NewerRelease:
        """Return the error that names the unreadable event."""
        for row in stored:
            try:
                self.mapper.read(row)
            except MapperDeserialisationError as error:
                log.error("event %s of %s: %s", row.originator_version, row.originator_id, error)
                if self._is_torn(stored, digest):
                    return BrokenChain(row.originator_version)
                return NewerRelease("value in", row.topic)
        raise AssertionError("each of them can be read")

    def _is_torn(self, stored: Sequence[StoredEvent], digest: str) -> bool:
        """Return true if the chain does not hold, or cannot be opened."""
        try:
            rows = [(row.topic, self.mapper.opened(row.state)) for row in stored]
        except Exception:  # each cipher raises its own
            return True
        return torn(rows, digest) is not None

    async def _tokens(self, id: UUID) -> dict[str, TokenRow]:
        return {row.id: row for row in await self.store.tokens(id)}
