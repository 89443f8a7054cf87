"""Archives: nothing is deleted before its file is durable, and the file is its owner's alone."""

import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from service import files
from service.app import Service
from service.archives import archive
from service.store.mapper import Mapper
from service.store.rows import Head
from tests.client import Client
from tests.following import caught_up
from tests.service.test_deadlines import SHEETS


async def ended(client: Client, service: Service) -> str:
    """A fight that has ended."""
    await client.open("free-hit", SHEETS)
    await client.done("/begin")
    await client.done("/end", {})
    await caught_up(service)
    return client.combat


async def archived(service: Service, folder: Path) -> dict[str, str]:
    """The result for each combat."""
    soon = datetime.now(UTC) + timedelta(seconds=5)
    store = service.store
    return {str(id): done async for id, done in archive(store, Mapper(), folder, soon)}


async def test_file_and_folders_are_on_the_disk_before_the_combat_is_deleted(
    client: Client, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    combat = await ended(client, service)
    folder = tmp_path / "old" / "fights"
    done: list[str] = []
    fsync: Callable[[int], None] = os.fsync
    delete = service.store.delete

    def synced(number: int) -> None:
        done.append(os.readlink(f"/proc/self/fd/{number}"))
        fsync(number)

    async def deleted(id: UUID, head: Head, **more: Any) -> None:
        assert (folder / f"{combat}.jsonl").exists()
        done.append("deleted")
        await delete(id, head, **more)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(service.store, "delete", deleted)
    assert (await archived(service, folder))[combat].startswith("archived")
    assert done == [
        str(tmp_path),
        str(tmp_path / "old"),
        str(folder / f"{combat}.jsonl.part"),
        str(folder),
        "deleted",
    ]


async def test_a_file_that_the_disk_gives_back_otherwise_deletes_nothing(
    client: Client, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    combat = await ended(client, service)
    sync = files.sync_folder

    def rotten(folder: Path) -> None:
        for file in folder.glob("*.jsonl"):
            file.write_bytes(file.read_bytes()[:-2] + b"?\n")
        sync(folder)

    monkeypatch.setattr(files, "sync_folder", rotten)
    assert (await archived(service, tmp_path))[combat].startswith("stays: ")
    assert (await client.get()).status_code == 200


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="the system cannot forget a file")
async def test_what_is_compared_comes_from_the_disk(
    client: Client, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    combat = await ended(client, service)
    forget = os.posix_fadvise
    forgotten: list[str] = []

    def forgetting(number: int, start: int, length: int, advice: int) -> None:
        assert (start, length, advice) == (0, 0, os.POSIX_FADV_DONTNEED)
        assert os.lseek(number, 0, os.SEEK_CUR) == 0, "nothing was read before"
        forgotten.append(os.readlink(f"/proc/self/fd/{number}"))
        forget(number, start, length, advice)

    monkeypatch.setattr(os, "posix_fadvise", forgetting)
    await archived(service, tmp_path)
    assert str(tmp_path / f"{combat}.jsonl") in forgotten


async def test_the_files_are_their_owners_alone(
    client: Client, service: Service, tmp_path: Path
) -> None:
    combat = await ended(client, service)
    file = tmp_path / f"{combat}.jsonl"
    part = tmp_path / f"{combat}.jsonl.part"
    part.write_text("left by a kill")
    part.chmod(0o644)
    old = os.umask(0)
    try:
        await archived(service, tmp_path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_one_combat_that_cannot_be_read_stays_and_the_others_go(
    client: Client, service: Service, tmp_path: Path
) -> None:
    bad = await ended(client, service)
    await service.store.pool.execute(
        "UPDATE stored_events SET state = '{}' WHERE originator_id = $1 AND originator_version = 2",
        UUID(bad),
    )
    good = await ended(client, service)
    found = await archived(service, tmp_path)
    assert found[bad].startswith("stays: it cannot be read")
    assert found[good].startswith("archived")
