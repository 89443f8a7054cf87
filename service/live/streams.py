"""Streams: listeners wait until something changes, then read it as any reader would.

- A listener has a position and no queue, so a slow listener costs nothing and misses nothing.
- Affray encodes each message once for all listeners of an audience.
- Before every message, the database confirms the combat and the listener's token.
- A waiting listener keeps no combat in memory.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import ExitStack, suppress
from typing import Final
from uuid import UUID

from service.background import Background
from service.combats import Combats
from service.hot_combat import Hot
from service.limits import Limiter
from service.live.erasures import erased
from service.live.listener import Listener
from service.live.messages import KEEP_ALIVE, RETRY, StreamClosed, WalkProgress, frame
from service.live.places import Place, mark_of
from service.live.table import Table, texts_of
from service.loader import NotHere
from service.store.rows import TokenRow, Unavailable

log = logging.getLogger("affray")

QUIET_S: Final = 15.0
"""Seconds between comments to all listeners, with a check of their tokens.

They share one timer. A thousand timers would cost more than the messages, and their times would
reveal hidden events.
"""

POLL_S: Final = 0.5
"""Seconds between two reads of the heads of all combats with listeners.

The reads find changes whose notice was lost.
"""


class TooMany(Exception):
    """The service has too many listeners. If `whole` is false, the combat has too many."""

    def __init__(self, limit: int, *, whole: bool) -> None:
        where = "here" if whole else "at this combat"
        super().__init__(f"{limit} streams are open {where}: close one, or try again later")
        self.whole = whole


class Streams:
    """All listeners of one replica."""

    def __init__(
        self, combats: Combats, limiter: Limiter, limit: int = 10_000, at_one: int = 2_000
    ) -> None:
        self.combats, self.limiter = combats, limiter
        self.limit, self.at_one = limit, at_one
        self.listeners = 0
        self.ticks = 0
        self.stopping = False
        self._tables: dict[UUID, Table] = {}
        self._background = Background()

    def touched(self, combat: UUID) -> None:
        """Note that a combat has changed, on this replica or another one."""
        table = self._tables.get(combat)
        if table is not None:
            # Listeners that wake up now read at least this version, so the poll need not wake
            # them.
            table.head = self.combats.known(combat) or table.head
            table.again = True
            if not table.asking:
                table.asking = True
                self._background.begin(self._confirm(combat, table))

    def progress(self, combat: UUID, done: int, total: int) -> None:
        """Send the GM the progress of an amendment."""
        table = self._tables.get(combat)
        if table is not None:
            table.progress = WalkProgress(done, total)
            table.wake()

    async def _confirm(self, combat: UUID, table: Table) -> None:
        """Confirm a combat with the database once for all listeners, then wake them."""
        while table.again:
            table.again = False
            try:
                table.confirm(await self.combats.confirmed(combat))
            except Exception:  # each listener reads for itself, and gets the same error
                table.confirm(None)
            table.wake()
        table.asking = False

    def start(self) -> None:
        """Start to poll."""
        self._background.begin(self._poll())

    def goodbye(self) -> None:
        """End every stream with a last message."""
        self.stopping = True
        for table in self._tables.values():
            table.confirm(None)
            table.wake()

    async def stop(self) -> None:
        """End the remaining streams."""
        self.goodbye()
        await self._background.end()

    async def listen(
        self,
        hot: Hot,
        row: TokenRow,
        *,
        after: Place | None,
        full: bool,
        wait_s: float | None,
        address: str = "",
        offers: bool = False,
        presence: bool = False,
    ) -> AsyncGenerator[bytes]:
        """Yield the messages for a token, from now on or after the place `after`.

        - `offers`: also yield the offers for its open prompts, at first and after each command.
        - `presence`: also yield the presence, at first and after each change.
        - `wait_s`: seconds to wait. With `0`, yield only the current messages. With `None`,
          wait for ever.
        - `address`: the listener's address.

        Raise `TooMany` or `TooOften`.
        """
        self._room(hot.id)
        self.limiter.streams_of_token.check(f"{hot.id} {row.id}")
        self.limiter.streams_of_address.check(address)
        # Prepare the first message now, because memory may change before the client reads it.
        mark = mark_of(hot, row)
        first, place, texts, gone = b"", after, texts_of(hot), frozenset[bytes]()
        if place is None:
            ready = hot.board_of(row)
            place = Place(ready.sequence, ready.checksum)
            first = frame("board", ready.body, place.text(mark))
            gone = erased(hot, row, place.number)
        elif place.number:  # a returning listener may hold erased texts
            texts = 0
        losses = self.combats.losses.get(hot.id, 0)
        known = set(hot.valid_tokens)
        listener = Listener(losses, row, mark, full, place.number, texts, gone, known, place.board)
        listener.offers, listener.presence = offers, presence
        return self._listen(hot.id, listener, first, wait_s, address)

    def _room(self, combat: UUID) -> None:
        if self.listeners >= self.limit:
            raise TooMany(self.limit, whole=True)
        table = self._tables.get(combat)
        if self.at_one <= (0 if table is None else table.listeners):
            raise TooMany(self.at_one, whole=False)

    def _enter(self, combat: UUID) -> Table:
        table = self._tables.setdefault(combat, Table())
        table.listeners += 1
        self.listeners += 1
        return table

    def _leave(self, combat: UUID, table: Table) -> None:
        table.listeners -= 1
        self.listeners -= 1
        if not table.listeners and self._tables.get(combat) is table:
            del self._tables[combat]

    async def _listen(
        self,
        combat: UUID,
        listener: Listener,
        first: bytes,
        wait_s: float | None,
        address: str,
    ) -> AsyncGenerator[bytes]:
        loop = asyncio.get_running_loop()
        until, ticks = None if wait_s is None else loop.time() + wait_s, self.ticks
        table = self._enter(combat)  # not earlier, so that early leavers do not count
        places = ExitStack()
        name = f"{combat} {listener.row.id}"
        places.enter_context(self.limiter.streams_of_token.taken(name))
        places.enter_context(self.limiter.streams_of_address.taken(address))
        stays = wait_s != 0
        if stays:
            table.comes(listener.row.id)
        try:
            yield RETRY
            if first:
                yield first
            woken = False
            while True:
                changed = table.changed
                try:
                    hot = await self._present(table, combat, woken)
                    pieces = listener.hear(self.combats, table, hot)
                    del hot  # a waiting listener would keep it in memory
                    async for piece in pieces:
                        yield piece
                except NotHere:
                    yield frame("closed", StreamClosed("deleted"))
                    return
                except Unavailable:  # wait until the database answers again
                    if self.stopping:
                        yield frame("closed", StreamClosed("stopping"))
                        return
                    woken = False
                    await asyncio.sleep(POLL_S)
                    yield KEEP_ALIVE
                    continue
                if listener.over:
                    return
                if listener.behind:
                    continue
                if self.stopping:
                    yield frame("closed", StreamClosed("stopping"))
                    return
                if until is not None and loop.time() >= until:
                    return
                woken = await _woken(changed, until)
                if ticks != self.ticks:
                    ticks = self.ticks
                    yield KEEP_ALIVE
        finally:
            if stays:
                table.goes(listener.row.id)
            self._leave(combat, table)
            places.close()

    async def _present(self, table: Table, combat: UUID, woken: bool) -> Hot:
        """Return the combat as confirmed for all listeners. Raises `NotHere`, `Unavailable`."""
        hot = table.confirmed() if woken else None
        return hot or await self.combats.confirmed(combat)

    async def _poll(self) -> None:
        """Read the heads of all combats with listeners regularly, in case a notice was lost."""
        ticked = time.monotonic()
        while True:
            await asyncio.sleep(POLL_S)
            listened = list(self._tables.items())
            if not listened:
                continue
            if time.monotonic() - ticked >= QUIET_S:
                ticked = time.monotonic()
                self.ticks += 1
                for id, _ in listened:
                    self.touched(id)
            try:
                heads = await self.combats.store.heads([id for id, _ in listened])
            except Unavailable:
                continue
            except Exception:
                log.exception("the combats that are listened to are not polled")
                continue
            for id, table in listened:
                head = heads.get(id)
                if head != table.head:
                    self.touched(id)
                    table.head = head


async def _woken(changed: asyncio.Event, until: float | None) -> bool:
    """Wait for a change until a time limit. Return true if there was a change."""
    if until is None:
        await changed.wait()
    else:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                await changed.wait()
    return changed.is_set()
