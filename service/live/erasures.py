"""Erasures: the erased texts that a reader has seen.

A reader must learn only of the erasure of texts that it has seen.
"""

import re
from typing import Final

import msgspec

from domain.record.events import Event
from domain.record.recorded import ERASED
from projections.board import board
from projections.events import data_of
from service.hot_combat import Hot
from service.store.rows import TokenRow

_DIGEST: Final = re.compile(ERASED.encode() + b"[0-9a-f]{64}")


def erased(hot: Hot, row: TokenRow, number: int, after: int = 0) -> frozenset[bytes]:
    """Return the digests of erased texts in the events after `after` up to `number`.

    It includes the digests on the board at `number`. `after` and `number` count the events that
    the reader may see.
    """
    if hot.head is None or not hot.head.texts:
        return frozenset()
    eyes = hot.seen_by(row)
    digests: set[bytes] = set(_DIGEST.findall(board_at(hot, row, number)))
    for recorded in eyes.between(after, number - after):
        if _holds_digests(recorded.event):
            digests.update(_DIGEST.findall(msgspec.json.encode(data_of(hot.live, eyes, recorded))))
    return frozenset(digests)


def board_at(hot: Hot, row: TokenRow, number: int) -> bytes:
    """Return the board as it was at `number`, a position in the reader's numbers."""
    eyes = hot.seen_by(row)
    if number in (0, eyes.sequence):
        return hot.board_of(row).body
    return msgspec.json.encode(board(hot.live, eyes, eyes.to_version(number)))


def _holds_digests(event: Event) -> bool:
    return any(str(getattr(event, name)).startswith(ERASED) for name in event.free_text)
