"""Table: the listeners of one combat, and their last messages, each encoded once."""

import asyncio
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final
from weakref import ref

import msgspec
from msgspec import Struct

from projections.board import board as board_at
from projections.offers import listed, offers
from service.hot_combat import Hot, Ready, checksum_of
from service.live.erasures import erased
from service.live.messages import (
    WalkProgress,
    amended,
    amendment_of,
    commands_after,
    frame,
    settled_at,
    told,
)
from service.store import tokens
from service.store.rows import Head, TokenRow

BATCH: Final = 400
"""The limit of events in one step for a listener that has missed many."""

KEPT: Final = 32
"""Messages of an audience that are kept encoded."""

KEPT_BYTES: Final = 128 * 1024
"""Bytes of them, at most, beside the newest: those with boards are large."""

AUDIENCES: Final = 64
"""Audiences whose messages are kept, the most recent ones."""


class News(Struct, frozen=True):
    """Messages, each with the number of its last event, and the erased texts in them."""

    messages: list[tuple[int, bytes]]
    erased: frozenset[bytes]


class Offered(Struct, frozen=True):
    """The offers for an audience's open prompts at a version of the stream, as a message."""

    version: int
    checksum: str
    message: bytes


@dataclass
class Ending:
    """The board of an audience at the end of the command of its message up to `number`.

    `texts`: the number of erasures. `checksum`: "" until a caller needs it.
    """

    number: int
    texts: int
    version: int
    checksum: str = ""


@dataclass
class Table:
    """The listeners of one combat. Each change sets `changed` and replaces it.

    - `here`: the number of open streams of each token, without streams that end at once.
    - `asking`: the database is confirming the combat. `again`: it must confirm it once more.
    - `progress`: the progress of an amendment.
    - `texts`: the number of erasures when `encoded` was written.
    - `losses`: how often the database had lost events when `encoded` and `offers` were written.
    - `offers`: the offers of each audience, with the version for which they were made.
    - `endings`: the board of each audience after its newest message.
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
    encoded: OrderedDict[tuple[str, bool], deque[tuple[int, int, bytes]]] = field(
        default_factory=OrderedDict
    )
    offers: OrderedDict[str, Offered] = field(default_factory=OrderedDict)
    endings: dict[str, Ending] = field(default_factory=dict)
    _hot: "ref[Hot] | None" = None

    def confirm(self, hot: Hot | None) -> None:
        """Set the combat that was confirmed for all listeners of a change, or None.

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
            self.endings.clear()

    def at_hand(self, hot: Hot, row: TokenRow, full: bool, span: tuple[int, int]) -> bytes | None:
        """Return the newest message. Most listeners share it, so it is made once.

        `span`: the listener's position, and the newest number.
        """
        kept = self.encoded.get((tokens.audience_of(row), full))
        if not kept or texts_of(hot) or self.texts:
            return None
        start, end, message = kept[-1]
        return message if (start, end) == span else None

    def read(self, hot: Hot, row: TokenRow, mark: str, after: int, full: bool) -> News:
        """Return the messages after `after`, and the erased texts in them."""
        messages = self._messages(hot, row, mark, after, full)
        number = messages[-1][0] if messages else after
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

    def is_settled(self, hot: Hot, row: TokenRow, number: int, board: str | None) -> bool:
        """Return true if nothing can have changed since the command of a listener's last message.

        The GM sees every event.
        """
        if row.role == "gm":
            return True
        return board is None and self._ending(hot, row, number).version == hot.live.version

    def other_board(self, hot: Hot, row: TokenRow, number: int, board: str | None) -> Ready | None:
        """Return the present board if it differs from the board of an up-to-date listener.

        A board may change without an event that its reader sees. For example, an answer to a prompt
        of another combatant may end the suspension of the reader's prompt.
        """
        eyes = hot.seen_by(row)
        if number != eyes.sequence:
            return None  # a message comes first
        if board is None:
            ending = self._ending(hot, row, number)
            if not ending.checksum:
                body = msgspec.json.encode(board_at(hot.live, eyes, ending.version))
                ending.checksum = checksum_of(body)
            board = ending.checksum
        ready = hot.board_of(row)
        return None if ready.checksum == board else ready

    def _ending(self, hot: Hot, row: TokenRow, number: int) -> Ending:
        audience, texts = tokens.audience_of(row), texts_of(hot)
        ending = self.endings.get(audience)
        if ending is None or (ending.number, ending.texts) != (number, texts):
            version = settled_at(hot.live, hot.seen_by(row), number)
            ending = self.endings[audience] = Ending(number, texts, version)
        return ending

    def _messages(
        self, hot: Hot, row: TokenRow, mark: str, after: int, full: bool
    ) -> list[tuple[int, bytes]]:
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
        if kept and (kept[-1][0], kept[-1][1]) == (after, eyes.sequence):
            return [kept[-1][1:]]
        messages = [(end, message) for start, end, message in kept if start >= after]
        begins = next((start for start, _, _ in kept if start >= after), None)
        if begins == after and messages[-1][0] == eyes.sequence:
            return messages
        if kept and kept[-1][1] < after:
            kept.clear()  # nobody of this audience has listened meanwhile
        messages = []
        start = after
        for number, events in commands_after(hot.live, eyes, after, BATCH):
            amendment = amendment_of(hot.live, events[-1].version)
            content: Struct
            if amendment is None:
                kind, content = "command", told(hot.live, eyes, number, events, full=full)
            else:
                kind, content = "amended", amended(hot.live, eyes, number, events, amendment)
            message = frame(kind, content, f"{number}-{mark}")
            messages.append((number, message))
            if not kept or kept[-1][1] == start:
                kept.append((start, number, message))
            start = number
        while len(kept) > 1 and sum(len(message) for _, _, message in kept) > KEPT_BYTES:
            kept.popleft()
        return messages


def texts_of(hot: Hot) -> int:
    """Return how often texts of a combat were erased."""
    return 0 if hot.head is None else hot.head.texts
