"""Places: a reader's positions in a stream, as the ids of messages.

An example is "17-9f3a1c02": the version as the reader counts it, and an id of the stream. The id of
the stream differs for each combat, for each audience, and for each new store of a combat. A bare
number is also valid.

A board may change without an event that its reader sees. Therefore, the id of a reader's newest
message ends with the checksum of the reader's board, as in "17-9f3a1c02-5b1d33aa". If an id has no
checksum, the reader gets the current board unless messages follow. The GM sees every event, so only
ids of boards have a checksum.
"""

import hashlib
import re
from typing import Final

from msgspec import Struct

from domain.errors import Malformed
from service.hot_combat import Hot
from service.store import tokens
from service.store.rows import TokenRow

PATTERN: Final = r"^[0-9]{1,15}(-[0-9a-f]{8}){0,2}$"

_PLACE: Final = re.compile(r"([0-9]{1,15})(?:-([0-9a-f]{8}))?(?:-([0-9a-f]{8}))?")


class Place(Struct, frozen=True):
    """A position in a stream, with the checksum of the reader's board if it is known."""

    number: int
    board: str | None = None

    def text(self, mark: str) -> str:
        """Return the id of the message that brings a reader here."""
        return f"{self.number}-{mark}" + ("" if self.board is None else f"-{self.board}")


def mark_of(hot: Hot, row: TokenRow) -> str:
    """Return the id of a reader's stream, which ends the ids of its messages."""
    assert hot.head is not None
    whole = f"affray stream {hot.id} {hot.head.life} {tokens.audience_of(row)}"
    return hashlib.sha256(whole.encode()).hexdigest()[:8]


def place_of(text: str, hot: Hot, row: TokenRow, pointer: str) -> Place:
    """Return the place in this stream of an id. Raises `Malformed` for ids of other streams."""
    match = _PLACE.fullmatch(text)
    if match is None:
        raise Malformed(pointer, f"{text[:40]!r} is no id of a message, such as 17-9f3a1c02")
    number, mark = int(match[1]), match[2]
    if mark not in (None, mark_of(hot, row)):
        raise Malformed(
            pointer, "this id is of another combat's stream, or of another reader: begin without it"
        )
    newest = hot.seen_by(row).sequence
    if number > newest:
        raise Malformed(pointer, f"there are messages up to {newest}")
    return Place(number, match[3])
