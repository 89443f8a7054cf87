"""Archives: ended fights leave the database as files. `affray import` restores them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from uuid import UUID

from domain.errors import Malformed
from domain.record.export import export, read
from projections.combats import fold
from projections.projection import present
from service import files
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.pictures import Pictures
from service.store.rows import Conflict, OutcomeUnknown, Unavailable


async def archive(
    store: Store, mapper: Mapper, folder: Path, before: datetime
) -> AsyncIterator[tuple[UUID, str]]:
    """Move each combat that ended and did not change since `before` into a file of `folder`.

    Yields the id of each combat and the result. Before anything is deleted, the file and its folder
    are synced, and the file is read back. A combat stays if it changes meanwhile or cannot be read.
    The tokens of an archived combat end.
    """
    rows = await store.database.run(
        lambda one: one.fetch(
            "SELECT combat_id FROM projection_combats.combats JOIN heads USING (combat_id)"
            " WHERE status = 'ended' AND updated_at < $1 ORDER BY updated_at",
            before,
        )
    )
    for (id,) in rows:
        try:
            done = await _archive_one(store, mapper, folder, UUID(str(id)))
        except (OSError, Unavailable, OutcomeUnknown):  # neither is about this combat alone
            raise
        except Exception as error:
            done = f"stays: it cannot be read ({type(error).__name__}: {error})"
        yield id, done


async def _archive_one(store: Store, mapper: Mapper, folder: Path, id: UUID) -> str:
    head = await store.head(id)
    events = [mapper.event(stored_event, str(id)) for stored_event in await store.events(id)]
    line = fold(None, present(events))
    if head is None or len(events) != head.version or line is None or line.status != "ended":
        return "stays: it has changed"
    content = b"".join(export(events, await Pictures(store.database, mapper).all(id)))
    try:
        read(content)
    except Malformed as error:
        return f"stays: its file could not be imported again ({error.detail})"
    try:
        await asyncio.to_thread(files.write, folder / f"{id}.jsonl", content)
    except files.NotDurable as error:
        return f"stays: {error}"
    try:
        await store.delete(id, head, unchanged=True)
    except Conflict:
        return "stays: it has changed"
    return f"archived, {len(events)} events"
