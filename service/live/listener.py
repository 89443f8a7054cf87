"""Listener: one reader of a stream, and its position. It has no queue."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

from service.combats import Combats
from service.hot_combat import Hot, Ready, checksum_of
from service.live.erasures import board_at, erased
from service.live.messages import StreamClosed, TokensChanged, WalkProgress, frame
from service.live.places import Place
from service.live.presence import Presence, presence
from service.live.table import Table, texts_of
from service.store.rows import TokenRow


@dataclass
class Listener:
    """The state of a reader of a stream.

    - `number`: the position in the reader's numbers.
    - `board`: the checksum of the reader's board, or `None` if it is unknown.
    - `mark`: the end of the ids of its messages.
    - `losses`: the number of times that the database has lost events of the combat.
    - `texts`: the number of erasures. `erased`: the erased texts that the reader has seen.
    - `progress`: the last progress of an amendment that the reader received.
    - `tokens`: the valid tokens in its last message about tokens.
    - `offers`: whether it requested offers for its prompts.
    - `offered`: the number at the last message with offers, and the checksum of the offers.
    - `presence`: whether it requested presence. `seats`: its last message about presence.
    - `behind`: whether more messages wait for it.
    - `over`: whether it has received its last message.
    """

    losses: int
    row: TokenRow
    mark: str
    full: bool
    number: int
    texts: int
    erased: frozenset[bytes]
    tokens: set[str]
    board: str | None = None
    progress: WalkProgress | None = None
    offers: bool = False
    offered: tuple[int, str] | None = None
    presence: bool = False
    seats: Presence | None = None
    behind: bool = False
    over: bool = False

    async def hear(self, combats: Combats, table: Table, hot: Hot) -> AsyncIterator[bytes]:
        """Yield the messages that the listener still lacks. Raises `Unavailable`, `NotHere`."""
        row = self.row
        if hot.in_force(row.id) is None:
            self.over = True
            yield frame("closed", StreamClosed("revoked"))
            return
        newest = hot.seen_by(row).sequence
        losses = combats.losses.get(hot.id, 0)
        table.forget_lost(losses)
        if (losses, True) != (self.losses, self.number <= newest):
            # Its position is not in the current history, so it starts again with a board.
            self.losses, self.number, self.texts = losses, newest, 0
            yield self._shown(hot.board_of(row))
        if texts_of(hot) != self.texts:
            lost = partial(_erasure, hot, row, self.number, self.erased)
            self.texts, self.erased, now = await combats.recall(hot.id, lost)
            if now:
                self.board, self.offered = checksum_of(now), None
                yield frame("erased", now, self._place)
        if row.role == "gm" and self.tokens != hot.valid_tokens.keys():
            self.tokens = set(hot.valid_tokens)
            yield frame("tokens", TokensChanged(tuple(sorted(self.tokens))))
        if row.role == "gm" and table.progress not in (None, self.progress):
            self.progress = table.progress
            yield frame("progress", self.progress)
        if self.presence and (seats := presence(hot, row, table.here)) != self.seats:
            self.seats = seats
            yield frame("presence", seats)
        message = table.at_hand(hot, row, self.full, (self.number, newest))
        if message is not None:
            self.number, self.board = newest, message.board
            yield message.body
        elif self.number < newest:
            read = partial(table.read, hot, row, self.mark, self.number, self.full)
            news = await combats.recall(hot.id, read)
            self.erased |= news.erased
            for message in news.messages:
                self.number, self.board = message.number, message.board
                yield message.body
        if row.role != "gm" and self.number == hot.seen_by(row).sequence:
            # A board may change without an event that its reader sees. For example, an answer to
            # a prompt of another combatant may end the suspension of the reader's prompt.
            ready = hot.board_of(row)
            if self.board != ready.checksum:
                yield self._shown(ready)
        self.behind = self.number < hot.seen_by(row).sequence
        # Send offers only after the messages. Otherwise, their time would reveal a hidden event.
        if self.offers and not self.behind:
            offered = table.offered(hot, row)
            if self.offered != (self.number, offered.checksum):
                self.offered = self.number, offered.checksum
                yield offered.message

    def _shown(self, ready: Ready) -> bytes:
        """Return the message of a board, and record that the listener has this board."""
        self.board, self.offered = ready.checksum, None
        return frame("board", ready.body, self._place)

    @property
    def _place(self) -> str:
        return Place(self.number, self.board).text(self.mark)


def _erasure(
    hot: Hot, row: TokenRow, after: int, before: frozenset[bytes]
) -> tuple[int, frozenset[bytes], bytes]:
    """Return the number of erasures, the erased texts that a listener has seen, and its board.

    The board is empty if no erasure is new to the listener.
    """
    gone = erased(hot, row, after)
    return texts_of(hot), gone, b"" if gone <= before else board_at(hot, row, after)
