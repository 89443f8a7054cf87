"""Keys of applications, each with a right to open combats, a quota, and its combats.

The text is "affray_key_" and base64url of id (6 bytes) and secret (24 bytes). Affray stores only
hashes.
"""

import hmac
import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import asyncpg

from domain.errors import Unfitting
from service.store.database import Database
from service.store.tokens import hash_of

PREFIX: Final = "affray_key_"
_TEXT: Final = re.compile(PREFIX + r"([A-Za-z0-9_-]{40})")

CLAIM_S: Final = 60
"""Seconds that a claim without a combat counts, because the combat may be about to open."""

_COUNT: Final = (
    "(SELECT count(*) FROM key_combats AS c WHERE c.key_id = k.key_id AND (c.claimed_at >"
    f" now() - interval '{CLAIM_S} s' OR EXISTS (SELECT FROM heads AS h"
    " WHERE h.combat_id = c.combat_id)))"
)


@dataclass(frozen=True)
class KeyLine:
    """A key as the operator sees it. `combats` counts its own combats."""

    id: str
    name: str
    quota: int | None
    combats: int
    created_at: datetime
    revoked_at: datetime | None


class NameTaken(Exception):
    """Another key in force has this name."""


class Applications:
    """The keys of applications."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def create(self, name: str, quota: int | None) -> str:
        """Create a key and return its text. Raise `NameTaken`.

        Affray does not store the text.
        """
        raw = os.urandom(30)
        try:
            await self.database.run(
                lambda connection: connection.execute(
                    "INSERT INTO keys (key_id, name, hash, quota) VALUES ($1, $2, $3, $4)",
                    raw[:6].hex(),
                    name,
                    hash_of(raw[6:]),
                    quota,
                )
            )
        except asyncpg.UniqueViolationError:
            raise NameTaken(name) from None
        return PREFIX + urlsafe_b64encode(raw).decode()

    async def lines(self) -> list[KeyLine]:
        """Return every key, oldest first, including revoked keys."""
        rows: Any = await self.database.ask(
            lambda connection: connection.fetch(
                f"SELECT key_id, name, quota, {_COUNT}, created_at, revoked_at"
                " FROM keys AS k ORDER BY created_at, key_id"
            )
        )
        return [KeyLine(*row) for row in rows]

    async def revoke(self, name: str) -> bool:
        """Revoke the key with this name at once. Return false if no such key is valid."""
        done: Any = await self.database.run(
            lambda connection: connection.fetchval(
                "UPDATE keys SET revoked_at = now() WHERE name = $1 AND revoked_at IS NULL"
                " RETURNING true",
                name,
            )
        )
        return done is True

    async def any(self) -> bool:
        """Return true if a key was ever created. From then on, opening a combat needs a key."""
        exists: Any = await self.database.ask(
            lambda connection: connection.fetchval("SELECT EXISTS (SELECT FROM keys)")
        )
        return exists is True

    async def find(self, text: str) -> str | None:
        """Return the id of the valid key with this text, or `None`."""
        matched = _TEXT.fullmatch(text)
        if matched is None:
            return None
        raw = urlsafe_b64decode(matched[1])
        id = raw[:6].hex()
        hash: Any = await self.database.ask(
            lambda connection: connection.fetchval(
                "SELECT hash FROM keys WHERE key_id = $1 AND revoked_at IS NULL", id
            )
        )
        return id if hash is not None and hmac.compare_digest(hash, hash_of(raw[6:])) else None

    async def claim(self, id: str, combat: UUID) -> None:
        """Record that a combat will belong to this key. Raise `Unfitting` beyond its quota."""

        async def work(connection: Any) -> tuple[int | None, int]:
            async with connection.transaction():
                quota = await connection.fetchval(
                    "SELECT quota FROM keys WHERE key_id = $1 FOR UPDATE", id
                )
                await connection.execute(
                    "DELETE FROM key_combats AS c WHERE (key_id = $1 OR combat_id = $2) AND"
                    f" claimed_at < now() - interval '{CLAIM_S} s' AND NOT EXISTS"
                    " (SELECT FROM heads AS h WHERE h.combat_id = c.combat_id)",
                    id,
                    combat,
                )
                owned = await connection.fetchval(
                    f"SELECT {_COUNT} FROM keys AS k WHERE key_id = $1"
                    " AND NOT EXISTS (SELECT FROM key_combats WHERE combat_id = $2)",
                    id,
                    combat,
                )
                if quota is None or owned is None or owned < quota:
                    # If the combat already exists, the service refuses the import that claims it.
                    # Such a combat must not get a key.
                    await connection.execute(
                        "INSERT INTO key_combats (combat_id, key_id) SELECT $1, $2 WHERE NOT"
                        " EXISTS (SELECT FROM heads WHERE combat_id = $1) ON CONFLICT DO NOTHING",
                        combat,
                        id,
                    )
                return quota, owned or 0

        quota, owned = await self.database.run(work)
        if quota is not None and owned >= quota:
            raise Unfitting(
                "quota-reached",
                f"this key has {owned} combats, and its quota is {quota}: delete one, or ask the"
                " operator of the service for more",
            )
