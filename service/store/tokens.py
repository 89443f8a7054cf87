"""Tokens: a token gives its holder the rights of its role. Affray stores only hashes.

The text is "affray_" and base64url of combat (16 bytes), token id (6 bytes) and secret (24 bytes).
"""

import hashlib
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

from domain.engine.caller import Caller
from domain.rulebook.ruleset import Role
from service.store.rows import TokenRow

PREFIX: Final = "affray_"
_RAW: Final = 30
_LENGTH: Final = 16 + _RAW
_SIGNS: Final = len(PREFIX) + 62
"""The length of a token's text: the prefix, and 46 bytes in base64 without padding."""


@dataclass(frozen=True)
class Presented:
    """A token in a request that Affray has not yet verified.

    `name` is the combat's id as a text. `hash` is the hash of its secret.
    """

    combat: UUID
    name: str
    id: str
    hash: bytes


def issue(
    combat: UUID,
    role: str,
    label: str,
    owner: str | None = None,
    combatants: tuple[str, ...] = (),
    ends_at: datetime | None = None,
    *,
    raw: bytes | None = None,
) -> tuple[str, TokenRow]:
    """Return the text and the row of a new token. Affray shows the text only once.

    `raw` is the random part. Without it, this function generates one.
    """
    raw = raw or os.urandom(_RAW)
    text = PREFIX + urlsafe_b64encode(combat.bytes + raw).decode().rstrip("=")
    row = TokenRow(raw[:6].hex(), hash_of(raw[6:]), role, label, owner, combatants, ends_at)
    return text, row


def derived(secret: bytes, nonce: str) -> bytes:
    """Return the random part of a token, which the secret can derive again."""
    return hmac.digest(secret, b"affray token " + nonce.encode(), "sha512")[:_RAW]


def read(text: str) -> Presented | None:
    """Return the parts of a token's text, or None if it is not a token."""
    if len(text) != _SIGNS or not text.startswith(PREFIX) or not text.isascii():
        return None
    return _read(text)


@lru_cache(maxsize=4096)
def _read(text: str) -> Presented | None:
    encoded = text.removeprefix(PREFIX)
    try:
        raw = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except ValueError:
        return None
    if len(raw) != _LENGTH:
        return None
    combat = UUID(bytes=raw[:16])
    return Presented(combat, str(combat), raw[16:22].hex(), hash_of(raw[22:]))


def hash_of(secret: bytes) -> bytes:
    """Return the hash of a secret. Affray stores only this hash."""
    return hashlib.sha256(secret).digest()


def matches(presented: Presented, row: TokenRow) -> bool:
    """Return true if the secret belongs to the row, and the token has not expired.

    The comparison takes constant time.
    """
    if row.ends_at is not None and row.ends_at <= datetime.now(UTC):
        return False
    return hmac.compare_digest(presented.hash, row.hash)


def caller_of(row: TokenRow) -> Caller:
    """Return the caller of a token."""
    role: Role = "gm" if row.role == "gm" else "player" if row.role == "player" else "spectator"
    return Caller(row.id, role, row.combatants, row.owner)


def audience_of(row: TokenRow) -> str:
    """Return the audience of a token. Tokens of one audience share a board."""
    return row.id if row.role == "player" else row.role
