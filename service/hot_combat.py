"""Hot combat: one combat in memory, as the database last confirmed it."""

import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.session import Decision, Session
from projections.board import written
from projections.eyes import Eyes
from projections.lines import Common, WrittenLines
from projections.statistics import Count, Tally
from service import weight
from service.patience import PatientLock
from service.store import tokens
from service.store.chain import BrokenChain
from service.store.rows import Head, TokenRow

MOST_BOARDS: Final = 2 * 1024 * 1024
"""The limit of bytes of cached boards for one combat."""

WEIGHED: Final = 256
"""New events after which Affray estimates the size of a combat again.

For a combat with fewer events, Affray does so each time that their number has doubled.
"""

GROWN: Final = 256 * 1024
"""Bytes of new events after which Affray always estimates the size."""

LARGE: Final = 4 * 1024 * 1024
"""The size in bytes from which fewer events of a combat stay in memory."""


class Weighed(Struct, frozen=True):
    """The size in bytes of a combat at a version, without its views."""

    version: int
    bytes: int


class Ready(Struct, frozen=True):
    """A board for one audience at a version of the stream, ready to send."""

    version: int
    sequence: int
    checksum: str
    body: bytes


@dataclass(eq=False)
class Hot:
    """A combat in memory with its tokens and secrets, and the views of its audiences.

    - `head`: the confirmed state. If it is `None`, read the combat from the log.
    - `lock`: hold it to read the combat from the log or to change it. You may read `live` without
      it, because `live` is immutable.
    - `lengths`: bytes of the boards that audiences have received.
    - `grown`: bytes of events since the last estimate of the size.
    """

    id: UUID
    live: Session
    head: Head | None = None
    tokens: dict[str, TokenRow] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    lock: PatientLock = field(default_factory=PatientLock)
    eyes: dict[str, Eyes] = field(default_factory=dict)
    boards: dict[str, Ready] = field(default_factory=dict)
    lines: dict[str, WrittenLines] = field(default_factory=dict)
    counts: dict[str, Count] = field(default_factory=dict)
    common: Common = field(default_factory=Common)
    lengths: dict[str, int] = field(default_factory=dict)
    grown: int = 0
    broken: BrokenChain | None = None  # the reason why it cannot be played
    unchecked: bool = False  # whether its procedures may differ from the rules
    _weighed: Weighed | None = None

    @cached_property
    def name(self) -> str:
        """Return the id as a text."""
        return str(self.id)

    def believe(self, live: Session, head: Head, tokens: dict[str, TokenRow]) -> None:
        """Take over the current state, as read from the log."""
        if not grown(self.head, head):
            self._clear()
        gone = self.tokens.keys() - tokens.keys()
        self.eyes = {audience: eyes for audience, eyes in self.eyes.items() if audience not in gone}
        self.counts = {name: count for name, count in self.counts.items() if name not in gone}
        self.lines = {
            name: written_lines for name, written_lines in self.lines.items() if name not in gone
        }
        self.live, self.head, self.tokens = live.left_to_log(), head, tokens
        self.boards = {}

    def after(self, decision: Decision) -> "Hot":
        """Return a draft of the combat with the decision applied."""
        secrets = self.secrets
        if decision.seed is not None:
            secrets = {**secrets, decision.live.combat.commitment: decision.seed}
        return Hot(
            self.id,
            decision.live,
            self.head,
            self.tokens,
            secrets,
            self.lock,
            dict(self.eyes),
            {},
            self.lines,
            self.counts,
            self.common,
            self.lengths,
        )

    def become(self, draft: "Hot", head: Head, stored: int) -> None:
        """Replace the combat by the draft. The draft has `stored` bytes of new events."""
        self.grown += stored
        self.live, self.secrets, self.head = draft.live.left_to_log(), draft.secrets, head
        self.eyes, self.boards = draft.eyes, draft.boards

    def doubt(self) -> None:
        """Discard the confirmation. Callers that already have a state continue with it."""
        self.head = None

    def forget(self) -> None:
        """Drop everything that may hold an erased text."""
        self.doubt()
        self._clear()
        self.live = Session(self.live.ruleset)
        self.tokens, self.secrets = {}, {}

    def _clear(self) -> None:
        """Discard all views of the combat."""
        self.eyes, self.boards, self.counts, self.lines = {}, {}, {}, {}
        self.common = Common()

    def weigh(self) -> int:
        """Return its approximate size in memory, in bytes.

        If the combat is large, leave more of its events to the log.
        """
        known, version = self._weighed, self.live.version
        if known is None or self.grown > GROWN or _is_other(known.version, version):
            known = self._weighed = Weighed(version, weight.of_live(self.live))
            self.grown = 0
            if known.bytes > LARGE:
                self.live = self.live.left_to_log(large=True)
                known = self._weighed = Weighed(version, weight.of_live(self.live))
        lengths = [self.lengths.get(audience, 0) for audience in self.lines]
        return known.bytes + weight.of_views(lengths, version * len(self.eyes))

    def know_tokens(self, tokens: dict[str, TokenRow]) -> None:
        """Replace the valid tokens after the GM has issued or revoked a token."""
        assert self.head is not None
        self.believe(self.live, replace(self.head, tokens=self.head.tokens + 1), tokens)

    @property
    def valid_tokens(self) -> dict[str, TokenRow]:
        """Return the tokens in force. Memory has expired tokens until the next read of the log."""
        return {id: row for id, row in self.tokens.items() if not _has_ended(row)}

    def in_force(self, id: str) -> TokenRow | None:
        """Return a token of the combat, or `None` if it is unknown, revoked or expired."""
        row = self.tokens.get(id)
        return None if row is None or _has_ended(row) else row

    @property
    def master(self) -> TokenRow | None:
        """Return a GM's token in force, for the service's own commands."""
        return next((row for row in self.valid_tokens.values() if row.role == "gm"), None)

    def seen_by(self, row: TokenRow) -> Eyes:
        """Return the view of a token's audience."""
        audience = tokens.audience_of(row)
        eyes = self.eyes.get(audience)
        if eyes is None:
            eyes = Eyes(self.live.history, tokens.caller_of(row))
        self.eyes[audience] = eyes = eyes.after(self.live.history)
        return eyes

    def counted_by(self, row: TokenRow) -> Tally:
        """Return the statistics of the fight for a token's audience, up to date."""
        count = self.counts.setdefault(tokens.audience_of(row), Count())
        return count.after(self.live, self.seen_by(row))

    def board_of(self, row: TokenRow) -> Ready:
        """Return the board for a token's audience, encoded once per version."""
        audience = tokens.audience_of(row)
        ready = self.boards.get(audience)
        if ready is None or ready.version != self.live.version:
            ready = self._ready(audience, row)
            if sum(len(board.body) for board in self.boards.values()) > MOST_BOARDS:
                self.boards.clear()
                self.lines.clear()
                self.common = Common()
            self.boards[audience] = ready
            self.lengths[audience] = len(ready.body)
        return ready

    def etag_of(self, row: TokenRow) -> str:
        """Return the ETag of a board.

        - For the GM: the version, and the number of erasures.
        - For others: their own version, and a checksum of their board, because the board may change
          without an event that they see.
        """
        if row.role != "gm":
            ready = self.board_of(row)
            return f"{ready.sequence}-{ready.checksum}"
        texts = 0 if self.head is None else self.head.texts
        sequence = self.live.version
        return f"{sequence}.{texts}" if texts else str(sequence)

    def _ready(self, audience: str, row: TokenRow) -> Ready:
        eyes = self.seen_by(row)
        lines = self.lines.get(audience)
        if lines is None:
            lines = WrittenLines(self.live.ruleset, eyes.caller, self.common)
            self.lines[audience] = lines
        body = written(self.live, eyes, lines)
        return Ready(self.live.version, eyes.sequence, checksum_of(body), body)


def checksum_of(body: bytes) -> str:
    """Return a checksum that distinguishes a board or message from others of the same reader."""
    return f"{zlib.crc32(body):08x}"


def _has_ended(row: TokenRow) -> bool:
    return row.ends_at is not None and row.ends_at <= datetime.now(UTC)


def _is_other(weighed: int, version: int) -> bool:
    """Return true if a combat has changed so much that its size must be estimated again."""
    return not weighed <= version < weighed + min(max(weighed, 1), WEIGHED)


def grown(before: Head | None, after: Head) -> bool:
    """Return true if the log has only new events, without a change or loss of stored ones."""
    return before is not None and (before.life, before.texts) == (after.life, after.texts)
