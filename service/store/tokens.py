"""Capability tokens: who holds one may do what its role may. Stored as hashes only.

The text is "affray_" and base64url of combat (16 bytes), token id (6) and secret (24).
"""

import hashlib
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from uuid import UUID

from domain.engine.caller import Caller
from domain.rulebook.ruleset import Role
from service.store.log import TokenRow

PREFIX: Final = "affray_"
_LENGTH: Final = 46


@dataclass(frozen=True)
class Presented:
    """A token as it came in, not yet believed."""

    combat: UUID
    id: str
    secret: bytes


def issue(
    combat: UUID,
    role: Role,
    label: str,
    owner: str | None = None,
    combatants: tuple[str, ...] = (),
) -> tuple[str, TokenRow]:
    """A new token: its text, which is shown once, and its row."""
    raw = os.urandom(30)
    text = PREFIX + urlsafe_b64encode(combat.bytes + raw).decode().rstrip("=")
    row = TokenRow(raw[:6].hex(), hash_of(raw[6:]), role, label, owner, combatants)
    return text, row


@lru_cache(maxsize=4096)
def read(text: str) -> Presented | None:
    """The parts of a token's text; None when it is none."""
    if not text.startswith(PREFIX) or not text.isascii():
        return None
    encoded = text.removeprefix(PREFIX)
    try:
        raw = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except ValueError:
        return None
    if len(raw) != _LENGTH:
        return None
    return Presented(UUID(bytes=raw[:16]), raw[16:22].hex(), raw[22:])


def hash_of(secret: bytes) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(secret).digest()


def matches(presented: Presented, row: TokenRow) -> bool:
    """Whether the secret is the row's, in constant time."""
    return hmac.compare_digest(hash_of(presented.secret), row.hash)


def caller_of(row: TokenRow) -> Caller:
    """The caller that a token stands for."""
    role: Role = "gm" if row.role == "gm" else "player" if row.role == "player" else "spectator"
    return Caller(row.id, role, row.combatants, row.owner)


def audience_of(row: TokenRow) -> str:
    """Tokens that see the same share a board: all GMs, all spectators."""
    return row.id if row.role == "player" else row.role
