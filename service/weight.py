"""The approximate memory that a combat needs.

`tests/service/test_weight.py` measures the factors of this module.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.engine.session import Session
from domain.record.recorded import encode

EMPTY: Final = 32 * 1024
"""Bytes of a combat without events or views."""

READ: Final = 5
"""Bytes in memory for each byte of JSON of the state and of the newest events."""

WRITTEN: Final = 6
"""Bytes in memory for each byte of a board, with its lines and their sources."""

PAGED: Final = 48
"""Bytes in memory for each old event, which only the log contains."""

_WRITER: Final = msgspec.json.Encoder()


def of_live(live: Session) -> int:
    """Return the size in bytes of a combat without its older events.

    This encodes the combat once.
    """
    history = live.history
    text = len(_WRITER.encode(live.combat)) + sum(
        len(encode(recorded)) for recorded in history.tail
    )
    return EMPTY + READ * text + PAGED * history.left


def of_views(boards: Iterable[int], seen: int) -> int:
    """Return the bytes of views: boards of these lengths, and this many seen versions."""
    return WRITTEN * sum(boards) + seen
