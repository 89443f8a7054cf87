"""Weight: the approximate memory of a combat.

A value read from JSON takes about five times as many bytes as its text. Messages for the screens of
a table take about six times as many as their boards (`tests/service/test_weight.py` measures).
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.engine.live import Live
from domain.record.recorded import encode

EMPTY: Final = 32 * 1024
"""Bytes of a combat about which there is nothing to say."""

READ: Final = 5
"""Bytes of what was read, for each of its text: the state, the newest events, states between."""

WRITTEN: Final = 6
"""Bytes of lines, what they were made of and the board itself, for each of a board."""

PAGED: Final = 48
"""Bytes of an old event, which is in the log."""

_WRITER: Final = msgspec.json.Encoder()


def of_live(live: Live) -> int:
    """Bytes of a combat whose older events are left to the log. It writes all of it once."""
    history = live.history
    text = len(_WRITER.encode(live.combat)) + sum(len(encode(one)) for one in history.tail)
    return EMPTY + READ * text + PAGED * history.left


def of_views(boards: Iterable[int], seen: int) -> int:
    """Bytes of what is kept for audiences: boards of these lengths, so many versions looked at."""
    return WRITTEN * sum(boards) + seen
