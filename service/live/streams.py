"""Streams: listeners wait until something changes, then read what is new as any reader would.

A listener has no queue: it remembers the number that it has got to, so a slow one costs nothing
and misses nothing. What it is sent is encoded once for its audience. Every message rests on a
read that the database has confirmed, with the listener's token in force.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

from msgspec import Struct

from projections.board import Board
from service.background import Background
from service.combats import Combats
from service.hot import Hot
from service.live.erasures import board_at, erased
from service.live.messages import KEEP_ALIVE, RETRY, Told, commands_after, frame, told
from service.live.places import mark_of
from service.loading import NotHere
from service.store import tokens
from service.store.rows import Head, TokenRow, Unavailable

Made = TypeVar("Made")

BATCH: Final = 400
"""Events that are told at once to whoever has missed many."""

KEPT: Final = 32
"""Messages of an audience that are kept encoded."""

QUIET_S: Final = 15.0
"""So often all listeners get a comment, and their tokens are looked at again. They have no timers
of their own: a thousand would cost more than what is told, and their times would tell of what is
hidden."""

POLL_S: Final = 0.5
"""How often the heads of all listened combats are asked, should every notification be lost."""


class TooMany(Exception):
    """No more listeners: `whole` says whether of the service or of the combat."""

    def __init__(self, limit: int, *, whole: bool) -> None:
        super().__init__(f"at most {limit} listeners {'here' if whole else 'at one combat'}")
        self.whole = whole


class Closed(Struct, frozen=True):
    """The last message of a stream: "revoked", "deleted" or "stopping"."""

    reason: str


class TokensChanged(Struct, frozen=True):
    """For the GM: the ids of the tokens in force, after one was issued or revoked."""

    tokens: tuple[str, ...]


MESSAGES: Final[dict[str, type[Struct]]] = {
    "board": Board,
    "command": Told,
    "erased": Board,
    "tokens": TokensChanged,
    "closed": Closed,
}
"""What the data of each event of a stream hold."""


@dataclass
class Table:
    """The listeners of one combat. `changed` is set, and another one put there, at each change.

    hot     the combat as it was confirmed once for all whom that change has woken
    asking  it is being confirmed; `again`: and will be once more
    """

    listeners: int = 0
    hot: Hot | None = None
    asking: bool = False
    again: bool = False
    head: Head | None = None
    texts: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    encoded: OrderedDict[tuple[str, bool], deque[tuple[int, int, bytes]]] = field(
        default_factory=OrderedDict
    )

    def confirmed(self) -> Hot | None:
        """The combat, as far as it is believed still."""
        return None if self.hot is None or self.hot.head is None else self.hot

    def wake(self) -> None:
        """Tell all who wait."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


@dataclass(frozen=True)
class _At:
    """How far a listener has got: its own number, how often texts were erased until then and which
    of them it has seen, the tokens in force."""

    number: int
    texts: int
    erased: frozenset[bytes]
    tokens: set[str]


@dataclass(frozen=True)
class _News:
    """Messages, each with the number of its last event, and what was erased from them."""

    messages: list[tuple[int, bytes]]
    erased: frozenset[bytes]


class Streams:
    """All listeners of one replica."""

    def __init__(self, combats: Combats, limit: int = 10_000, at_one: int = 2_000) -> None:
        self.combats = combats
        self.limit, self.at_one = limit, at_one
        self.listeners = 0
        self.ticks = 0
        self.stopping = False
        self._tables: dict[UUID, Table] = {}
        self._background = Background()

    def touched(self, combat: UUID) -> None:
        """A combat has changed, here or elsewhere."""
        table = self._tables.get(combat)
        if table is not None:
            # Whoever is woken now reads at least this: the poll need not wake them for it again.
            table.head = self.combats.known(combat) or table.head
            table.again = True
            if not table.asking:
                table.asking = True
                self._background.begin(self._confirm(combat, table))

    async def _confirm(self, combat: UUID, table: Table) -> None:
        """Look at the database once for all who listen, then wake them."""
        while table.again:
            table.again = False
            try:
                table.hot = await self.combats.confirmed(combat)
            except Exception:  # each of them looks for itself, and finds the same
                table.hot = None
            table.wake()
        table.asking = False

    def start(self) -> None:
        """Begin to poll."""
        self._background.begin(self._poll())

    def goodbye(self) -> None:
        """End every stream with a word."""
        self.stopping = True
        for table in self._tables.values():
            table.hot = None
            table.wake()

    async def stop(self) -> None:
        """End what is left."""
        self.goodbye()
        await self._background.end()

    async def listen(
        self, hot: Hot, row: TokenRow, *, after: int | None, full: bool, wait_s: float | None
    ) -> AsyncIterator[bytes]:
        """What a token's holder is told, from now on or behind number `after`.

        `wait_s`: how long; 0 = what is there already, None = for ever. Raises `TooMany`.
        """
        sequence = hot.seen_by(row).sequence
        self._room(hot.id)
        # Now: until the first piece is asked for, memory may be doubted or go on.
        mark = mark_of(hot, row)
        if after is None:
            first = frame("board", hot.board_of(row).body, f"{sequence}-{mark}")
            at = _At(sequence, _texts(hot), erased(hot, row, sequence), set(hot.tokens))
        else:  # who comes back may hold texts that were erased meanwhile
            texts = 0 if after else _texts(hot)
            first, at = b"", _At(after, texts, frozenset(), set(hot.tokens))
        return self._listen(hot.id, row, mark, at, first, full, wait_s)

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
        row: TokenRow,
        mark: str,
        at: _At,
        first: bytes,
        full: bool,
        wait_s: float | None,
    ) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        until, ticks = None if wait_s is None else loop.time() + wait_s, self.ticks
        after, texts, gone, known = at.number, at.texts, at.erased, at.tokens
        table = self._enter(combat)  # here, so that who goes before the first piece counts not
        try:
            yield RETRY
            if first:
                yield first
            woken = False
            while True:
                changed = table.changed
                try:
                    hot = table.confirmed() if woken else None
                    hot = hot or await self.combats.confirmed(combat)
                except NotHere:
                    yield frame("closed", Closed("deleted"))
                    return
                except Unavailable:  # it will be there again, and so is the listener
                    if self.stopping:
                        yield frame("closed", Closed("stopping"))
                        return
                    woken = False
                    await asyncio.sleep(POLL_S)
                    yield KEEP_ALIVE
                    continue
                if hot.in_force(row.id) is None:
                    yield frame("closed", Closed("revoked"))
                    return
                if _texts(hot) != texts:
                    then = await self._recalled(combat, partial(_erasure, hot, row, after, gone))
                    if then is None:
                        yield KEEP_ALIVE
                        continue
                    texts, gone, now = then
                    if now:
                        yield frame("erased", now, f"{after}-{mark}")
                if row.role == "gm" and known != hot.tokens.keys():
                    known = set(hot.tokens)
                    yield frame("tokens", TokensChanged(tuple(sorted(known))))
                newest = hot.seen_by(row).sequence
                message = self._at_hand(table, hot, row, full, (after, newest))
                if message is not None:
                    after = newest
                    yield message
                elif after < newest:
                    read = partial(self._read, table, hot, row, mark, after, full)
                    news = await self._recalled(combat, read)
                    if news is None:
                        yield KEEP_ALIVE
                        continue
                    gone |= news.erased
                    for number, one in news.messages:
                        after = number
                        yield one
                    if after < hot.seen_by(row).sequence:
                        continue
                if self.stopping:
                    yield frame("closed", Closed("stopping"))
                    return
                if until is not None and loop.time() >= until:
                    return
                if until is None:
                    await changed.wait()
                else:
                    with suppress(TimeoutError):
                        async with asyncio.timeout_at(until):
                            await changed.wait()
                woken = changed.is_set()
                if ticks != self.ticks:
                    ticks = self.ticks
                    yield KEEP_ALIVE
        finally:
            self._leave(combat, table)

    async def _recalled(self, combat: UUID, work: Callable[[], Made]) -> Made | None:
        """What is read of the past; None = not now, ask again."""
        try:
            return await self.combats.recall(combat, work)
        except (Unavailable, NotHere):
            await asyncio.sleep(POLL_S)
            return None

    def _at_hand(
        self, table: Table, hot: Hot, row: TokenRow, full: bool, span: tuple[int, int]
    ) -> bytes | None:
        """What nearly all of a thousand are told: the newest message, as made for another.

        `span`: how far the listener is, and the newest number.
        """
        kept = table.encoded.get((tokens.audience_of(row), full))
        if not kept or _texts(hot) or table.texts:
            return None
        start, end, message = kept[-1]
        return message if (start, end) == span else None

    def _read(
        self, table: Table, hot: Hot, row: TokenRow, mark: str, after: int, full: bool
    ) -> "_News":
        """The messages behind `after`, and which texts in them were erased."""
        messages = self._news(table, hot, row, mark, after, full)
        number = messages[-1][0] if messages else after
        more = erased(hot, row, number, after) if number > after else frozenset[bytes]()
        return _News(messages, more)

    def _news(
        self, table: Table, hot: Hot, row: TokenRow, mark: str, after: int, full: bool
    ) -> list[tuple[int, bytes]]:
        """The messages behind `after`, from those that are encoded, or encoded now."""
        eyes = hot.seen_by(row)
        if after >= eyes.sequence:
            return []
        audience = (tokens.audience_of(row), full)
        kept = table.encoded.setdefault(audience, deque(maxlen=KEPT))
        if _texts(hot) != table.texts:
            table.encoded.clear()
            table.texts = _texts(hot)
            kept = table.encoded.setdefault(audience, deque(maxlen=KEPT))
        if kept and (kept[-1][0], kept[-1][1]) == (after, eyes.sequence):
            return [kept[-1][1:]]
        found = [(end, message) for start, end, message in kept if start >= after]
        begins = next((start for start, _, _ in kept if start >= after), None)
        if begins == after and found[-1][0] == eyes.sequence:
            return found
        if kept and kept[-1][1] < after:
            kept.clear()  # nobody of this audience was there meanwhile
        found = []
        start = after
        for number, events in commands_after(hot.live, eyes, after, BATCH):
            content = told(hot.live, eyes, number, events, full=full)
            message = frame("command", content, f"{number}-{mark}")
            found.append((number, message))
            if not kept or kept[-1][1] == start:
                kept.append((start, number, message))
            start = number
        return found

    async def _poll(self) -> None:
        """Ask where the listened combats stand: no notification is needed to find out."""
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
            with suppress(Unavailable):
                heads = await self.combats.store.heads([id for id, _ in listened])
                for id, table in listened:
                    head = heads.get(id)
                    if head != table.head:
                        self.touched(id)
                        table.head = head


def _erasure(
    hot: Hot, row: TokenRow, after: int, before: frozenset[bytes]
) -> tuple[int, frozenset[bytes], bytes]:
    """How often texts were erased, what of them a listener has seen, and its board, if it is to
    be told that it was."""
    gone = erased(hot, row, after)
    return _texts(hot), gone, b"" if gone <= before else board_at(hot, row, after)


def _texts(hot: Hot) -> int:
    return 0 if hot.head is None else hot.head.texts
