"""Tickets: a browser's EventSource sends no headers, so a one-time ticket replaces the token.

A ticket names its token and is signed with the stored token, so it needs no table. Its use is
stored like an answer to an idempotency key.
"""

import hmac
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from service.combats import Combats, NotInForce
from service.hot_combat import Hot
from service.store.rows import FirstAnswer, TokenRow

GOOD_S: Final = 60
PREFIX: Final = "ticket_"
_TAG: Final = 16


def issue(row: TokenRow, combat: UUID, now: float | None = None) -> tuple[str, datetime]:
    """Return a ticket's text and the time at which it expires."""
    ends = int((time.time() if now is None else now) + GOOD_S)
    raw = bytes.fromhex(row.id) + ends.to_bytes(8, "big") + os.urandom(8)
    text = urlsafe_b64encode(raw + _tag(row, combat, raw)).decode().rstrip("=")
    return PREFIX + text, datetime.fromtimestamp(ends, UTC)


async def redeem(combats: Combats, combat: UUID, text: str) -> tuple[Hot, TokenRow]:
    """Use a ticket and return its token. Raises `NotInForce`, `NotHere`."""
    bad = NotInForce(
        "the ticket is invalid, expired or already used; a ticket is valid once, for 60 s"
    )
    try:
        whole = urlsafe_b64decode(text.removeprefix(PREFIX) + "==")
    except ValueError:
        raise bad from None
    raw, tag = whole[:-_TAG], whole[-_TAG:]
    if len(raw) != 22 or not text.startswith(PREFIX):
        raise bad
    hot = await combats.confirmed(combat)
    row = hot.in_force(raw[:6].hex())
    if row is None or not hmac.compare_digest(tag, _tag(row, combat, raw)):
        raise bad
    if int.from_bytes(raw[6:14], "big") < time.time():
        raise bad
    used = FirstAnswer(row.id, f"ticket {tag.hex()}", b"", 200, "", b"")
    if not await combats.store.note(combat, used):
        raise bad
    return hot, row


def _tag(row: TokenRow, combat: UUID, raw: bytes) -> bytes:
    return hmac.digest(row.hash, b"affray ticket " + combat.bytes + raw, "sha256")[:_TAG]
