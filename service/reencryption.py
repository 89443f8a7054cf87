"""Reencryption: encrypt all stored data with the newest key, while others read and write.

Readers have all keys (`service.store.encryption.Rotating`), so a row may use any of
them. Affray skips a row that has changed meanwhile, because its writer had the newest key.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final
from uuid import UUID

from service.archives import Archive
from service.settings import BadSetting
from service.store.encryption import Rotating
from service.store.log import Store
from service.store.mapper import Mapper

BATCH: Final = 500
"""The limit of rows in one statement."""

_EVENTS: Final = (
    (
        "SELECT originator_id, originator_version, state FROM stored_events"
        " WHERE (originator_id, originator_version) > ($1, $2)"
        " ORDER BY originator_id, originator_version LIMIT $3"
    ),
    (
        "UPDATE stored_events SET state = n.new"
        " FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bytea[])"
        " AS n(id, v, old, new)"
        " WHERE originator_id = n.id AND originator_version = n.v AND state = n.old"
    ),
    0,
)
_SECRETS: Final = (
    (
        "SELECT combat_id, webhook_id, secret FROM webhooks"
        " WHERE (combat_id, webhook_id) > ($1, $2) ORDER BY combat_id, webhook_id LIMIT $3"
    ),
    (
        "UPDATE webhooks SET secret = n.new"
        " FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bytea[]) AS n(id, webhook, old, new)"
        " WHERE combat_id = n.id AND webhook_id = n.webhook AND secret = n.old"
    ),
    "",
)


_PICTURES: Final = (
    (
        "SELECT combat_id, picture, data FROM pictures JOIN picture_contents USING (hash)"
        " WHERE (combat_id, picture) > ($1, $2) ORDER BY combat_id, picture LIMIT least($3, 8)"
    ),
    (
        "UPDATE picture_contents SET data = n.new"
        " FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bytea[]) AS n(id, picture, old, new)"
        " JOIN pictures p ON p.combat_id = n.id AND p.picture = n.picture"
        " WHERE picture_contents.hash = p.hash AND data = n.old"
    ),
    "",
)
"""The limit of pictures in one statement. It is low, because each may have 1 MB."""


_PREVIOUS: Final = (
    _SECRETS[0]
    .replace("secret FROM", "previous_secret FROM")
    .replace("WHERE", "WHERE previous_secret IS NOT NULL AND"),
    _SECRETS[1]
    .replace("SET secret", "SET previous_secret")
    .replace("AND secret", "AND previous_secret"),
    "",
)


async def reseal(
    store: Store, mapper: Mapper, archive: Archive | None = None
) -> AsyncIterator[tuple[int, int]]:
    """Encrypt all rows and objects with the newest key.

    Yield the number of items read, and the number encrypted again. Raise `BadSetting` without a
    newest key, or if no key fits a row.
    """
    cipher = mapper.cipher
    if not isinstance(cipher, Rotating):
        raise BadSetting(
            "CIPHER_TOPIC: set service.store.encryption:Rotating, and name the new key first and"
            " the old ones after it in CIPHER_KEY"
        )
    looked = done = 0
    for select, update, start in (_EVENTS, _SECRETS, _PREVIOUS, _PICTURES):
        at: tuple[UUID, int | str] = (UUID(int=0), start)
        while rows := await store.database.run(
            lambda connection: connection.fetch(select, *at, BATCH)  # noqa: B023
        ):
            old = [row for row in rows if not cipher.is_newest(row[2])]
            await _store(store, update, old, [_anew(mapper, row) for row in old])
            at = (UUID(str(rows[-1][0])), rows[-1][1])
            looked, done = looked + len(rows), done + len(old)
            yield looked, done
    if archive is not None:  # last, since a combat restored meanwhile gets the newest key
        async for read, renewed in archive.reseal():
            yield looked + read, done + renewed


def _anew(mapper: Mapper, row: Any) -> bytes:
    try:
        return mapper.sealed(mapper.opened(row[2]))
    except ValueError:
        raise BadSetting(f"CIPHER_KEY: no key fits {row[1]} of the combat {row[0]}") from None


async def _store(store: Store, update: str, old: Sequence[Any], new: Sequence[bytes]) -> None:
    columns = ([row[0] for row in old], [row[1] for row in old], [row[2] for row in old], new)
    await store.database.run(lambda connection: connection.execute(update, *columns))
