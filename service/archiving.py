"""Archiving: fights that ended leave the database as files; `affray import` takes them in again."""

import os
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from uuid import UUID

from domain.errors import Malformed
from domain.record.export import export, read
from projections.combats import fold
from projections.projection import present
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.rows import Conflict


async def archive(
    store: Store, mapper: Mapper, folder: Path, before: datetime
) -> AsyncIterator[tuple[UUID, str]]:
    """Move each combat that has ended, and rests since `before`, into a file of `folder`.

    Yields its id and what became of it. The file is whole, on the disk, and read back before
    anything is deleted; a combat that changes meanwhile stays. Its tokens end with it.
    """
    rows = await store.database.run(
        lambda one: one.fetch(
            "SELECT combat_id FROM projection_combats.combats JOIN heads USING (combat_id)"
            " WHERE status = 'ended' AND updated_at < $1 ORDER BY updated_at",
            before,
        )
    )
    for (id,) in rows:
        yield id, await _archive_one(store, mapper, folder, UUID(str(id)))


async def _archive_one(store: Store, mapper: Mapper, folder: Path, id: UUID) -> str:
    head = await store.head(id)
    events = [mapper.event(one, str(id)) for one in await store.events(id)]
    line = fold(None, present(events))
    if head is None or len(events) != head.version or line is None or line.status != "ended":
        return "stays: it has changed"
    content = b"".join(export(events))
    try:
        read(content)
    except Malformed as error:
        return f"stays: its file could not be imported again ({error.detail})"
    _write(folder / f"{id}.jsonl", content)
    try:
        await store.delete(id, head, unchanged=True)
    except Conflict:
        return "stays: it has changed"
    return f"archived, {len(events)} events"


def _write(path: Path, content: bytes) -> None:
    """Whole and on the disk, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
