"""Archive: move the events of ended combats to objects, and back when somebody opens them."""

import asyncio
import gzip
import hashlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import MapperDeserialisationError, StoredEvent
from msgspec import Struct

from domain.errors import Refused
from domain.record.recorded import stored_hash
from projections.combats import fold
from projections.projection import present
from projections.registry import installed
from service.objects import ArchiveUnavailable, Missing, Objects, objects_at
from service.settings import BadSetting, Settings
from service.store.archives import Archives, Kept
from service.store.chain import wrong
from service.store.encryption import Rotating
from service.store.follower import schema_of
from service.store.log import Store
from service.store.mapper import Mapper
from service.store.outage import Outage
from service.store.rows import Archived, Conflict, Head, Unavailable
from service.verification import faults

log = logging.getLogger("affray")

FORM: Final = 1
"""The format of an object: gzip of JSON lines, the first of which is a `_Title`."""

TIDY_S: Final = 60.0
"""Seconds between two searches for objects that are not needed."""

SWEEP_S: Final = 3600.0
"""Seconds between two searches for combats to archive."""

_PLAIN: Final = Mapper()


class ArchiveDamaged(Refused):
    """The object of an archived combat is missing, or differs from the stored one."""


class _Title(Struct, frozen=True):
    archive: int
    combat: UUID
    events: int


class _Line(Struct, frozen=True):
    """One stored event. `state` has exactly its plain bytes."""

    version: int
    topic: str
    command: UUID
    state: msgspec.Raw


_TITLE: Final = msgspec.json.Decoder(_Title)
_LINE: Final = msgspec.json.Decoder(_Line)


def packed(mapper: Mapper, combat: UUID, events: Sequence[Kept]) -> bytes:
    """Return the content of an object, encrypted if the database is encrypted."""
    lines = [msgspec.json.encode(_Title(FORM, combat, len(events)))]
    for kept in events:
        state = msgspec.Raw(mapper.opened(kept.event.state))
        line = _Line(kept.event.originator_version, kept.event.topic, kept.command, state)
        lines.append(msgspec.json.encode(line))
    content = gzip.compress(b"\n".join(lines) + b"\n", 6, mtime=0)
    return content if mapper.cipher is None else mapper.cipher.encrypt(content)


def unpacked(mapper: Mapper, combat: UUID, content: bytes) -> tuple[list[Kept], str]:
    """Return the events of an object as the database stores them, and the hash of the last one.

    Raises `ArchiveDamaged` if the chain of events is broken. Raises `ArchiveUnavailable` if no
    configured key opens the object, or if a newer release has written it.
    """
    try:
        if mapper.cipher is not None:
            content = mapper.cipher.decrypt(content)
        first, *lines = gzip.decompress(content).rstrip(b"\n").split(b"\n")
        title = _TITLE.decode(first)
    except Exception as error:  # each cipher has errors of its own; `read` has checked the hash
        raise ArchiveUnavailable(f"no key of CIPHER_KEY opens it ({error})") from None
    if title.archive != FORM:
        raise ArchiveUnavailable("a newer release has written it")
    try:
        plain = [_LINE.decode(line) for line in lines]
        stored = [
            StoredEvent(combat, kept.version, kept.topic, bytes(kept.state)) for kept in plain
        ]
        read = [_PLAIN.read(row) for row in stored]
    except (msgspec.MsgspecError, MapperDeserialisationError) as error:
        raise damaged(combat) from error
    gapless = [row.originator_version for row in stored] == list(range(1, title.events + 1))
    if title.combat != combat or not gapless or not read or wrong(read, "") is not None:
        raise damaged(combat)
    kept = []
    for line, row in zip(plain, stored, strict=True):
        sealed = StoredEvent(combat, line.version, line.topic, mapper.sealed(row.state))
        kept.append(Kept(sealed, line.command))
    return kept, stored_hash(*read[-1])


def damaged(combat: UUID) -> ArchiveDamaged:
    """Return the error for an object that is missing or wrong."""
    return ArchiveDamaged(
        f"the events of the combat {combat} are archived, and their object is missing or damaged;"
        " the operator restores it from a copy"
    )


class Archive:
    """The archive of one process. Without `objects`, it restores nothing."""

    def __init__(self, store: Store, mapper: Mapper, objects: Objects | None) -> None:
        self.store, self.mapper = store, mapper
        self.archives = Archives(store.database)
        self._objects = objects

    @property
    def objects(self) -> Objects:
        """Return the storage. Raise `ArchiveUnavailable` if `AFFRAY_ARCHIVE` is not set."""
        if self._objects is None:
            raise ArchiveUnavailable("this process has no AFFRAY_ARCHIVE")
        return self._objects

    # ---- out of objects

    async def restore(self, combat: UUID) -> bool:
        """Restore the events of an archived combat. Return true if the combat was ever archived.

        Raise `ArchiveUnavailable` or `ArchiveDamaged`. If several processes restore the combat at
        the same time, only one of them stores the events.
        """
        known = await self.archives.of(combat)
        while known is not None and known.state == "archived":
            try:
                events, digest = await self.read(known)
                if await self.archives.restore(known, events, digest):
                    self.store.stored.set()
                    log.info("the combat %s is restored from its archive", combat)
                    return True
            except Conflict:
                log.error("the archive %s is not that of the head", known.object)
                raise damaged(combat) from None
            except ArchiveDamaged:
                if await self.archives.of(combat) == known:
                    raise
            known = await self.archives.of(combat)
        return known is not None

    async def read(self, archived: Archived) -> tuple[list[Kept], str]:
        """Check an object. Return its events, and the hash of the last event.

        Raises `ArchiveUnavailable`, `ArchiveDamaged`.
        """
        try:
            content = await self.objects.get(archived.object)
        except Missing:
            log.error("the archive %s is missing", archived.object)
            raise damaged(archived.combat) from None
        if hashlib.sha256(content).digest() != archived.sha256:
            log.error("the archive %s is damaged", archived.object)
            raise damaged(archived.combat)
        return await asyncio.to_thread(unpacked, self.mapper, archived.combat, content)

    async def past(self, archived: Archived) -> list[StoredEvent]:
        """Return the events of an object for read models."""
        events, _ = await self.read(archived)
        return [kept.event for kept in events]

    async def faults(self, combat: UUID, head: Head) -> list[str] | None:
        """Return the faults of an archived combat, or None if it is not archived."""
        known = await self.archives.of(combat)
        if known is None or known.state != "archived":
            return None
        try:
            rows = await self.past(known)
        except ArchiveDamaged as error:
            return [error.detail]
        return await asyncio.to_thread(faults, self.mapper, combat, head, rows)

    async def skipped(self, combat: UUID, head: Head) -> list[str] | None:
        """Return no faults for an archived combat, without a read of its object.

        For a combat that is not archived, return `None`.
        """
        known = await self.archives.of(combat)
        return [] if known is not None and known.state == "archived" else None

    # ---- into objects

    async def sweep(self, before: datetime) -> AsyncIterator[tuple[UUID, str]]:
        """Archive each combat that ended and did not change since `before`.

        Yields the id of each combat and the result. The events of a combat stay in the database if
        the combat changes meanwhile or has a fault.
        """
        after = UUID(int=0)
        while page := await self.archives.ended(before, after):
            for combat in page:
                yield combat, await self.archive(combat)
            after = page[-1]

    async def archive(self, combat: UUID) -> str:
        """Archive a combat that has ended, and return the result as text.

        Affray deletes the events only after it has read the object back. Raise
        `ArchiveUnavailable`.
        """
        objects = self.objects
        try:
            name = await self.archives.begin(combat, self._suffix)
        except Conflict:
            return "stays: another process archives it"
        try:
            return await self._moved(objects, combat, name)
        except Exception:  # this does nothing if the upload is complete
            await self._discard(name)
            raise

    async def _moved(self, objects: Objects, combat: UUID, name: str) -> str:
        head, events = await self.archives.events(combat)
        rows = [kept.event for kept in events]
        reasons = ["it is gone"] if head is None else await self._faults(combat, head, rows)
        if head is None or reasons:
            await self._discard(name)
            return f"stays: {reasons[0]}"
        content = await asyncio.to_thread(packed, self.mapper, combat, events)
        digest = hashlib.sha256(content).digest()
        await objects.put(name, content)
        # Read the object back, because the storage may have changed its bytes.
        if hashlib.sha256(await objects.get(name)).digest() != digest:
            await self._discard(name)
            return "stays: its object does not hold what was written to it"
        schemas = [schema_of(projection) for projection in installed().values()]
        try:
            await self.archives.finish(name, combat, head, digest, schemas)
        except Conflict:
            await self._discard(name)
            return "stays: it has changed, or a read model is behind"
        return f"archived, {len(events)} events, {len(content)} bytes"

    async def _faults(self, combat: UUID, head: Head, rows: Sequence[StoredEvent]) -> list[str]:
        """Return the reasons not to archive a combat."""
        reasons = await asyncio.to_thread(faults, self.mapper, combat, head, rows)
        if reasons:
            return reasons
        line = fold(None, present([self.mapper.event(row, str(combat)) for row in rows]))
        return [] if line is not None and line.status == "ended" else ["it goes on"]

    async def _discard(self, name: str) -> None:
        """Record that an upload is not needed. If that fails, `tidy` finds the upload later."""
        with suppress(Unavailable):
            await self.archives.discard(name)

    # ---- upkeep

    async def tidy(self) -> int:
        """Delete objects that are not needed, and return how many. Raises `ArchiveUnavailable`."""
        done = 0
        while names := await self.archives.discarded():
            for name in names:
                await self.objects.delete(name)
                await self.archives.drop(name)
            done += len(names)
        return done

    async def reseal(self) -> AsyncIterator[tuple[int, int]]:
        """Encrypt all objects with the newest key.

        Yield the number of objects read, and the number rewritten.
        """
        looked = done = 0
        after = ""
        while page := await self.archives.page(after):
            for archived in page:
                looked, done = looked + 1, done + await self._resealed(archived)
                yield looked, done
            after = page[-1].object

    async def _resealed(self, archived: Archived) -> bool:
        cipher = self.mapper.cipher
        assert isinstance(cipher, Rotating)
        content = await self.objects.get(archived.object)
        if hashlib.sha256(content).digest() != archived.sha256:
            raise damaged(archived.combat)
        if cipher.is_newest(content):
            return False
        renewed = cipher.encrypt(cipher.decrypt(content))
        name = await self.archives.begin(archived.combat, self._suffix)
        await self.objects.put(name, renewed)
        if await self.objects.get(name) != renewed:
            raise ArchiveUnavailable(f"{name} does not hold what was written to it")
        return await self.archives.replace(archived, name, hashlib.sha256(renewed).digest())

    @property
    def _suffix(self) -> str:
        return ".jsonl.gz" if self.mapper.cipher is None else ".jsonl.gz.aes"


async def keep(archive: Archive, days: int) -> None:
    """Delete objects that are not needed, and archive combats `days` after their end.

    If `days` is 0, archive no combats.
    """
    clock = asyncio.get_running_loop().time
    outage = Outage("the archive")
    due = clock()
    while True:
        try:
            with outage.told():
                await archive.tidy()
                if days and clock() >= due:
                    due = clock() + SWEEP_S
                    before = datetime.now(UTC) - timedelta(days=days)
                    async for combat, done in archive.sweep(before):
                        log.info("the combat %s: %s", combat, done, extra={"combat": str(combat)})
        except Exception:
            log.exception("combats are not archived")
        await asyncio.sleep(TIDY_S)


async def archive_for(settings: Settings, store: Store, mapper: Mapper) -> Archive:
    """Return the archive that the settings name.

    Raise `BadSetting` if combats are archived and `AFFRAY_ARCHIVE` is not set.
    """
    objects = None if settings.archive is None else objects_at(settings.archive)
    archive = Archive(store, mapper, objects)
    if settings.archive is None and await archive.archives.any():
        raise BadSetting("AFFRAY_ARCHIVE: the database has archived combats; say where they are")
    return archive
