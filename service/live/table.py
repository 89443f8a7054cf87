"""Table: the listeners of one combat, and their last messages, each encoded once."""

import asyncio
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final
from weakref import ref

from msgspec import Struct

from domain.record.recorded import Recorded
from projections.eyes import Eyes
from projections.offers import listed, offers
from service.hot_combat import Hot, checksum_of
from service.live.erasures import erased
from service.live.messages import (
    WalkProgress,
    amended,
    amendment_of,
    commands_after,
    ends_at,
    frame,
    told,
)
from service.live.places import Place
from service.store import tokens
from service.store.rows import Head, TokenRow

BATCH: Final = 400
"""The limit of events in one step for a listener that has missed many."""

KEPT: Final = 32
"""The limit of encoded messages in the cache of an audience."""

KEPT_BYTES: Final = 128 * 1024
"""The limit of bytes of these messages without the newest. Boards make messages large."""

AUDIENCES: Final = 64
"""The limit of audiences in the cache. The most recent ones stay."""


class Message(Struct, frozen=True):
    """An encoded message, which leads a reader from the number `start` to `number`.

    - `ends`: the version of the combat after the message.
    - `board`: the checksum of the reader's board there. It is `None` for an older message, and for
      the GM.
    """

    start: int
    number: int
    ends: int
    board: str | None
    body: bytes


class News(Struct, frozen=True):
    """Messages, and the erased texts in them."""

    messages: list[Message]
    erased: frozenset[bytes]


class Offered(Struct, frozen=True):
    """The offers for an audience's open prompts at a version of the stream, as a message."""

    version: int
    checksum: str
    message: bytes


@dataclass
class Table:
    """The listeners of one combat. Each change sets `changed` and replaces it.

    - `here`: the number of open streams of each token, without streams that end at once.
    - `asking`: whether the database is confirming the combat.
    - `again`: whether it must confirm the combat once more.
    - `progress`: the progress of an amendment.
    - `texts`: the number of erasures when Affray made `encoded`.
    - `losses`: the number of losses of events when Affray made `encoded` and `offers`.
    - `offers`: the offers of each audience, with their version.
    """

    listeners: int = 0
    here: Counter[str] = field(default_factory=Counter)
    asking: bool = False
    again: bool = False
    head: Head | None = None
    progress: WalkProgress | None = None
    texts: int = 0
    losses: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    encoded: OrderedDict[tuple[str, bool], deque[Message]] = field(default_factory=OrderedDict)
    offers: OrderedDict[str, Offered] = field(default_factory=OrderedDict)
    _hot: "ref[Hot] | None" = None

    def confirm(self, hot: Hot | None) -> None:
        """Give the confirmed combat, or `None`, to all listeners that wait for a change.

        A listener keeps no combat in memory.
        """
        self._hot = None if hot is None else ref(hot)

    def confirmed(self) -> Hot | None:
        """Return the combat, if it is not in doubt."""
        hot = None if self._hot is None else self._hot()
        return None if hot is None or hot.head is None else hot

    def comes(self, token: str) -> None:
        """Count a new stream of this token."""
        self.here[token] += 1
        if self.here[token] == 1:
            self.wake()

    def goes(self, token: str) -> None:
        """Stop counting a stream of this token."""
        self.here[token] -= 1
        if not self.here[token]:
            del self.here[token]
            self.wake()

    def wake(self) -> None:
        """Wake all waiting listeners."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def forget_lost(self, losses: int) -> None:
        """Drop messages of events that the database has lost. New events reuse their numbers."""
        if losses != self.losses:
            self.losses = losses
            self.encoded.clear()
            self.offers.clear()

    def at_hand(self, hot: Hot, row: TokenRow, full: bool, span: tuple[int, int]) -> Message | None:
        """Return the newest message from the cache, if it is all that a listener needs.

        `span` is the listener's position and the newest number.
        """
        kept = self.encoded.get((tokens.audience_of(row), full))
        if not kept or texts_of(hot) or self.texts:
            return None
        newest = kept[-1]
        is_present = newest.ends == hot.live.version
        return newest if is_present and (newest.start, newest.number) == span else None

    def read(self, hot: Hot, row: TokenRow, mark: str, after: int, full: bool) -> News:
        """Return the messages after `after`, and the erased texts in them."""
        messages = self._messages(hot, row, mark, after, full)
        number = messages[-1].number if messages else after
        more = erased(hot, row, number, after) if number > after else frozenset[bytes]()
        return News(messages, more)

    def offered(self, hot: Hot, row: TokenRow) -> Offered:
        """Return the offers that would answer the open prompts of a token's holder."""
        audience, version = tokens.audience_of(row), hot.live.version
        made = self.offers.get(audience)
        if made is None or made.version != version:
            eyes = hot.seen_by(row)
            offered = offers(hot.live, eyes, prompted=True)
            message = frame("offers", listed(None, eyes.sequence, offered, cite=True))
            made = self.offers[audience] = Offered(version, checksum_of(message), message)
            self.offers.move_to_end(audience)
            if len(self.offers) > AUDIENCES:
                self.offers.popitem(last=False)
        return made

    def _messages(
        self, hot: Hot, row: TokenRow, mark: str, after: int, full: bool
    ) -> list[Message]:
        """Return the messages after `after`, from the cache if possible."""
        eyes = hot.seen_by(row)
        if after >= eyes.sequence:
            return []
        if texts_of(hot) != self.texts:
            self.encoded.clear()
            self.texts = texts_of(hot)
        audience = (tokens.audience_of(row), full)
        kept = self.encoded.setdefault(audience, deque(maxlen=KEPT))
        self.encoded.move_to_end(audience)
        if len(self.encoded) > AUDIENCES:
            self.encoded.popitem(last=False)
        if kept and kept[-1].ends != _end_of(hot, eyes, kept[-1].number):
            kept.pop()  # a command without a visible event followed
        if kept and (kept[-1].start, kept[-1].number) == (after, eyes.sequence):
            return [kept[-1]]
        messages = [message for message in kept if message.start >= after]
        if messages and (messages[0].start, messages[-1].number) == (after, eyes.sequence):
            return messages
        if kept and kept[-1].number < after:
            kept.clear()  # nobody of this audience has listened meanwhile
        messages = []
        for number, events in commands_after(hot.live, eyes, after, BATCH):
            start = messages[-1].number if messages else after
            message = _encoded(hot, row, mark, (start, number), events, full=full)
            messages.append(message)
            if not kept or kept[-1].number == start:
                kept.append(message)
        while len(kept) > 1 and sum(len(message.body) for message in kept) > KEPT_BYTES:
            kept.popleft()
        return messages


def _encoded(
    hot: Hot,
    row: TokenRow,
    mark: str,
    span: tuple[int, int],
    events: list[Recorded],
    *,
    full: bool,
) -> Message:
    """Return the message of a command or of an amendment."""
    eyes, (start, number) = hot.seen_by(row), span
    amendment = amendment_of(hot.live, events[-1].version)
    content: Struct
    if amendment is None:
        kind, content = "command", told(hot.live, eyes, number, events, full=full)
    else:
        kind, content = "amended", amended(hot.live, eyes, number, events, amendment)
    follows = row.role != "gm" and number == eyes.sequence
    place = Place(number, hot.board_of(row).checksum if follows else None)
    body = frame(kind, content, place.text(mark))
    return Message(start, number, ends_at(hot.live, eyes, events), place.board, body)


def _end_of(hot: Hot, eyes: Eyes, number: int) -> int:
    """Return the version that a reader has after a message up to `number`."""
    return ends_at(hot.live, eyes, eyes.between(number - 1, 1))


def texts_of(hot: Hot) -> int:
    """Return the number of erasures of a combat's texts."""
    return 0 if hot.head is None else hot.head.texts
