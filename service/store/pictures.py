"""The pictures of all combats: encoded contents, and their ids in each combat.

An id is random and unique in its combat. In one combat, the same content always has the same id.
Affray stores each content once for all combats.
"""

from collections.abc import Collection, Sequence
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, Final
from uuid import UUID

import asyncpg

from domain.errors import Unfitting
from domain.record.export import ExportPicture
from service.store.database import Database
from service.store.mapper import Mapper

MOST: Final = 100
"""The limit of pictures of a combat."""

MOST_BYTES: Final = 24 * 1024 * 1024
"""The limit of bytes of all pictures of a combat, so that its export stays below 64 MiB.

An import takes at most 64 MiB.
"""

ID_BYTES: Final = 16
"""Random bytes of an id, which nobody can guess: 22 letters."""


class Pictures:
    """Reads and writes of pictures. They are encrypted as events are."""

    def __init__(self, database: Database, mapper: Mapper) -> None:
        self.database, self.mapper = database, mapper

    async def add(self, combat: UUID, contents: Sequence[bytes], ids: Sequence[str] = ()) -> str:
        """Store the contents, and return the id of the last one.

        If the combat already has a content, its id stays the same. `ids`: the ids of an import.
        Raise `Unfitting` beyond the limits, or if the combat does not exist.
        """
        for again in (False, True):
            try:
                return await self.database.change(
                    lambda connection: self._add(connection, combat, contents, ids)
                )
            except asyncpg.ForeignKeyViolationError:  # the content was deleted meanwhile
                if again:
                    raise
        raise AssertionError

    async def _add(
        self, connection: Any, combat: UUID, contents: Sequence[bytes], ids: Sequence[str]
    ) -> str:
        async with connection.transaction():
            # Only one upload at a time, so that the limits hold.
            if not await connection.fetchval(
                "SELECT true FROM heads WHERE combat_id = $1 FOR NO KEY UPDATE", combat
            ):
                raise Unfitting("combat-gone", "this combat was deleted meanwhile")
            rows = await connection.fetch(
                "SELECT hash, picture, size FROM pictures WHERE combat_id = $1", combat
            )
            known = {bytes(row[0]): str(row[1]) for row in rows}
            count, size, picture = len(rows), sum(row[2] for row in rows), ""
            for index, content in enumerate(contents):
                digest = sha256(content).digest()
                if not ids and digest in known:
                    picture = known[digest]
                    continue
                picture = ids[index] if ids else token_urlsafe(ID_BYTES)
                known[digest] = picture
                count, size = count + 1, size + len(content)
                await connection.execute(
                    "INSERT INTO picture_contents (hash, data) VALUES ($1, $2)"
                    " ON CONFLICT DO NOTHING",
                    digest,
                    self.mapper.sealed(content),
                )
                await connection.execute(
                    "INSERT INTO pictures (combat_id, picture, hash, size)"
                    " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                    combat,
                    picture,
                    digest,
                    len(content),
                )
            if not ids and (count > MOST or size > MOST_BYTES):
                detail = f"a combat has at most {MOST} pictures, {MOST_BYTES} bytes together"
                raise Unfitting("too-many-pictures", detail)
            return picture

    async def find(self, combat: UUID, picture: str) -> bytes | None:
        """Return a picture's content, or None."""
        content = await self.database.ask(
            lambda connection: connection.fetchval(
                "SELECT data FROM pictures JOIN picture_contents USING (hash)"
                " WHERE combat_id = $1 AND picture = $2",
                combat,
                picture,
            )
        )
        return None if content is None else self.mapper.opened(content)

    async def all(self, combat: UUID) -> tuple[ExportPicture, ...]:
        """Return the pictures of a combat, for an export."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                "SELECT picture, data FROM pictures JOIN picture_contents USING (hash)"
                ' WHERE combat_id = $1 ORDER BY picture COLLATE "C"',
                combat,
            )
        )
        return tuple(ExportPicture(row[0], self.mapper.opened(row[1])) for row in rows)

    async def share(self, combat: UUID, other: UUID) -> None:
        """Give another combat the pictures of this one, under the same ids."""
        await self.database.change(
            lambda connection: connection.execute(
                "INSERT INTO pictures (combat_id, picture, hash, size)"
                " SELECT $2, picture, hash, size FROM pictures WHERE combat_id = $1"
                " ON CONFLICT DO NOTHING",
                combat,
                other,
            )
        )

    async def erase(self, combat: UUID, pictures: Collection[str]) -> None:
        """Delete these pictures of a combat."""

        async def work(connection: Any) -> None:
            async with connection.transaction():
                await forget(connection, combat, pictures)

        if pictures:
            await self.database.change(work)


async def forget(connection: Any, combat: UUID, only: Collection[str] | None = None) -> None:
    """Delete pictures of a combat, and contents that no combat uses.

    Call it inside a transaction. `only` are the pictures to delete. If it is `None`, delete all.
    """
    rows = await connection.fetch(
        "DELETE FROM pictures WHERE combat_id = $1"
        " AND ($2::text[] IS NULL OR picture = ANY($2)) RETURNING hash",
        combat,
        None if only is None else list(only),
    )
    hashes = [row[0] for row in rows]
    if not hashes:
        return
    # A transaction that adds a content locks its row until it commits. This statement waits for
    # the commit, and the next one then sees the use.
    await connection.execute(
        "SELECT FROM picture_contents WHERE hash = ANY($1::bytea[]) ORDER BY hash FOR UPDATE",
        hashes,
    )
    await connection.execute(
        "DELETE FROM picture_contents WHERE hash = ANY($1::bytea[])"
        " AND NOT EXISTS (SELECT FROM pictures WHERE pictures.hash = picture_contents.hash)",
        hashes,
    )
