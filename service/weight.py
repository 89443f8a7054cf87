"""Weight: the approximate memory that a combat needs.

A value that is read from JSON needs about five times as many bytes as its text. Messages for the
screens of a table need about six times as many bytes as their boards.
`tests/service/test_weight.py` measures both.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.engine.session import Session
from domain.record.recorded import encode

EMPTY: Final = 32 * 1024
"""Bytes of a combat about which there is nothing to say."""

READ: Final = 5
"""Bytes for each byte of text that was read: the state, the newest events, states between."""

WRITTEN: Final = 6
"""Bytes for each byte of a board: lines, their sources and the board itself."""

PAGED: Final = 48
"""Bytes of an old event, which is in the log."""

_WRITER: Final = msgspec.json.Encoder()


def of_live(live: Session) -> int:
    """Return the bytes of a combat without its older events. It encodes all of it once."""
    history = live.history
    text = len(_WRITER.encode(live.combat)) + sum(
        len(encode(recorded)) for recorded in history.tail
    )
    return EMPTY + READ * text + PAGED * history.left


def of_views(boards: Iterable[int], seen: int) -> int:
    """Return the bytes of views: boards of these lengths, and this many seen versions."""
    return WRITTEN * sum(boards) + seen
