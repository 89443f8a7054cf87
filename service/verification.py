"""Verification: check every combat in the database, while others read and write.

It only reads, and it holds one combat at a time.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError, StoredEvent

from domain.record.events import CombatOpened
from domain.record.export import export
from domain.record.recorded import Recorded, topic
from domain.record.verify import verify
from service.quarantine import Aside
from service.store.chain import wrong
from service.store.mapper import Mapper
from service.store.outage import Outage
from service.store.port import Log
from service.store.rows import Head

log = logging.getLogger("affray")

WORKER: Final = "verification"
AGAIN_S: Final = 10.0
"""Seconds until the next attempt after an error in the check itself."""


Archived = Callable[[UUID, Head], Awaitable[Sequence[str] | None]]
"""Returns the faults of an archived combat, or `None` if it is not archived."""


class Faulty(Exception):
    """A combat in the database differs from its record."""


async def patrol(
    store: Log, mapper: Mapper, pause_s: float, aside: Aside, archived: Archived | None = None
) -> None:
    """Verify all combats in an endless loop, with a pause after each.

    `aside` reports the combats with faults in the log and in `/metrics`.
    """
    outage = Outage("the verification of combats")
    after = UUID(int=0)
    while True:
        await asyncio.sleep(pause_s)
        try:
            with outage.told():
                after = await _checked(store, mapper, after, aside, archived)
        except Exception:
            log.exception("combats are not verified")
            await asyncio.sleep(AGAIN_S)


async def _checked(
    store: Log, mapper: Mapper, after: UUID, aside: Aside, archived: Archived | None
) -> UUID:
    """Check the combat after `after`. Return its id, or 0 if there is none."""
    id = await store.next_combat(after)
    if id is None:
        return UUID(int=0)
    head, rows = await store.snapshot(id)
    known: Sequence[str] | None = None
    if archived is not None and head is not None and not rows:
        known = await archived(id, head)
    if known is not None or (head is None and not rows):
        reasons = known or []
    else:
        reasons = await asyncio.to_thread(faults, mapper, id, head, rows)
    if reasons:
        aside.add(WORKER, id, Faulty("; ".join(reasons)))
    else:
        aside.discard(WORKER, id)
    return id


async def faults_of_all(
    store: Log,
    mapper: Mapper,
    after: UUID,
    archived: Archived | None = None,
) -> AsyncIterator[tuple[UUID, Sequence[str]]]:
    """Yield each combat after `after`, by id, with its faults, or `None` for a sound combat."""
    while (id := await store.next_combat(after)) is not None:
        head, rows = await store.snapshot(id)
        reasons = None
        if archived is not None and head is not None and not rows:
            reasons = await archived(id, head)
        if head is not None or rows:  # otherwise it was deleted meanwhile
            yield id, faults(mapper, id, head, rows) if reasons is None else reasons
        after = id


def faults(mapper: Mapper, id: UUID, head: Head | None, rows: Sequence[StoredEvent]) -> list[str]:
    """Return the faults of a combat: first in its rows, then in its export."""
    if head is None:
        return ["has events, but no row in heads"]
    for due, row in enumerate(rows, 1):
        if row.originator_version != due:
            return [f"event {due} is missing"]
    if len(rows) != head.version:
        return [f"event {head.version} is the last in heads, but {len(rows)} in stored_events"]
    try:
        return _content(mapper, id, head, rows)
    except MapperDeserialisationError as error:
        return [f"cannot be read with this CIPHER_KEY and COMPRESSOR_TOPIC: {error}"]
    except Exception as error:  # the check of the other combats continues
        return [f"cannot be checked ({type(error).__name__}: {error})"]


def _content(mapper: Mapper, id: UUID, head: Head, rows: Sequence[StoredEvent]) -> list[str]:
    read = [mapper.read(row) for row in rows]
    broken = wrong(read, head.digest)
    if broken is not None:
        return [f"event {broken} is not what was recorded: its hash is another"]
    recorded = [event for event, _ in read]
    for row, event in zip(rows, recorded, strict=True):
        if row.topic != topic(event):  # an export writes the topic again
            return [f"event {event.version} is stored as {row.topic!r}, but is {topic(event)!r}"]
    return _opening(id, recorded) or [
        f"in its export, {fault}" if fault.startswith("line ") else fault
        for fault in verify(b"".join(export(recorded))).faults
    ]


def _opening(id: UUID, recorded: Sequence[Recorded]) -> list[str]:
    opened = recorded[0].event
    if not isinstance(opened, CombatOpened):
        return ["event 1 does not open a combat"]
    return [] if opened.combat == str(id) else [f"event 1 opens another combat, {opened.combat}"]
