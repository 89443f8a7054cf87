"""Test that events of ended combats move to an archive, and return when a client needs them."""

import asyncio
import gzip
import os
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from eventsourcing.cryptography import AESCipher

from projections.registry import installed
from service import archives, files
from service.app import Service, create_app
from service.archives import Archive, keep
from service.objects import ArchiveUnavailable, objects_at
from service.reencryption import reseal
from service.settings import BadSetting, Settings
from service.store.encryption import mapper_of
from service.store.follower import lock_of
from service.store.rebuild import rebuild
from service.store.rows import Unavailable
from service.verification import faults_of_all
from tests.client import Client
from tests.conftest import RULESETS, database
from tests.following import caught_up
from tests.service.test_deadlines import SHEETS
from tests.service.test_pictures import picture, upload

HOURS_AGO = "UPDATE archives SET at = now() - interval '2 hours' WHERE combat_id = $1"

PATHS = ("", "/events?limit=500", "/timeline?limit=500", "/export", "/prompts", "/statistics")


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[tuple[Service, httpx.AsyncClient]]:
    app = create_app(settings, RULESETS)
    service: Service = app.state.service
    async with service.running(app):
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield service, http


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archive") / "fights"


@pytest.fixture(scope="module")
async def service(dsn: str, folder: Path) -> AsyncIterator[Service]:
    async with serving(Settings(dsn, folder.parent, archive=f"file://{folder}")) as (running, _):
        yield running


@pytest.fixture
async def own(server_dsn: str, tmp_path: Path) -> AsyncIterator[Settings]:
    """Yield settings with a separate database and archive."""
    async with database(server_dsn) as made:
        yield Settings(made, tmp_path, archive=f"file://{tmp_path}/fights")


def objects(folder: Path, combat: str) -> list[Path]:
    return list(folder.glob(f"{combat}*"))


async def ended(client: Client, service: Service) -> str:
    """Return a combat that has ended."""
    await client.open("free-hit", SHEETS)
    await client.done("/begin")
    await client.done("/notes", {"text": "The door was never locked."})
    await client.done("/end", {})
    await caught_up(service)
    return client.combat


def archive_of(service: Service, url: str | None = None) -> Archive:
    where = url or service.settings.archive
    assert where is not None
    return Archive(service.store, service.combats.mapper, objects_at(where))


async def archived(service: Service, combat: str, archive: Archive | None = None) -> str:
    """Archive a combat, and return the result."""
    return await (archive or archive_of(service)).archive(UUID(combat))


async def swept(archive: Archive) -> dict[str, str]:
    """Archive every combat that has ended so far, and return the results by combat."""
    soon = datetime.now(UTC) + timedelta(seconds=5)
    return {str(id): done async for id, done in archive.sweep(soon)}


async def tidied(archive: Archive) -> None:
    while await archive.tidy():
        pass


async def count(service: Service, table: str, combat: str, column: str = "combat_id") -> int:
    number: int = await service.store.pool.fetchval(
        f"SELECT count(*) FROM {table} WHERE {column} = $1", UUID(combat)
    )
    return number


async def is_archived(service: Service, combat: str) -> bool:
    left = [
        await count(service, table, combat, "originator_id")
        for table in ("stored_events", "positions")
    ]
    return left == [0, 0]


async def rows(service: Service, combat: str) -> list[tuple[Any, ...]]:
    """Return all rows of the combat's events."""
    response = await service.store.pool.fetch(
        "SELECT originator_version, topic, state, command_id FROM stored_events"
        " WHERE originator_id = $1 ORDER BY 1",
        UUID(combat),
    )
    return [tuple(row) for row in response]


async def answers(client: Client, *tokens: str) -> list[tuple[int, str | None, bytes]]:
    """Return everything that holders of tokens can read."""
    answered = []
    for token in (client.token, *tokens):
        for path in PATHS:
            answer = await client.get(path, token=token)
            answered.append((answer.status_code, answer.headers.get("ETag"), answer.content))
    return answered


async def listed(client: Client) -> list[Any]:
    combats: list[Any] = (await client.http.get("/v1/combats")).json()["combats"]
    return combats


async def test_an_archived_combat_opens_as_if_it_had_never_been_away(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    player = await client.player("Ana")
    stored, before, lines = (
        await rows(service, combat),
        await answers(client, player),
        await listed(client),
    )
    done = await swept(archive_of(service))
    assert done[combat].startswith(f"archived, {len(stored)} events, ")
    assert await is_archived(service, combat)
    assert await listed(client) == lines, "listed as before, and not restored by that"
    assert await is_archived(service, combat)

    assert await answers(client, player) == before
    assert await rows(service, combat) == stored
    await caught_up(service)
    assert await listed(client) == lines
    head = await service.store.head(UUID(combat))
    assert head is not None
    assert head.version == len(stored)
    # Play can continue. The sweep archives the combat only after another rest.
    assert (await client.post("/undo")).status_code == 200
    assert (await client.get()).json()["status"] == "running"
    assert not await is_archived(service, combat)


async def test_pictures_of_tokens_and_the_map_stay_while_the_events_are_archived(
    service: Service, client: Client
) -> None:
    await client.open("free-hit", SHEETS)
    token, ground = [
        str((await upload(client, picture(colour=colour))).json()["picture"])
        for colour in ("red", "green")
    ]
    changed = await client.call("PATCH", "/combatants/Ana", {"sheet": {"picture": token}})
    assert changed.status_code == 200, changed.text
    background = {"picture": ground, "left": 0, "top": 0, "columns": 10}
    map = {"width": 10, "height": 8, "background": background}
    placed = await client.call("PUT", "/map", {"map": map})
    assert placed.status_code == 200, placed.text
    await client.done("/begin")
    await client.done("/end", {})
    await caught_up(service)
    player, paths = await client.player("Ana"), (f"/pictures/{token}", f"/pictures/{ground}")
    before = [(await client.get(path, token=player)).content for path in paths]
    export = (await client.get("/export")).content
    assert b"RIFF" in before[0][:4]

    await archived(service, client.combat)
    assert await is_archived(service, client.combat)
    assert await count(service, "pictures", client.combat) == 2, "they are no part of the object"
    assert [(await client.get(path, token=player)).content for path in paths] == before
    assert (await client.get("/export")).content == export
    assert not await is_archived(service, client.combat)

    await caught_up(service)
    await archived(service, client.combat)
    assert (await client.call("DELETE")).status_code == 204
    assert await count(service, "pictures", client.combat) == 0, "deleted with their combat"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "", None, 200),
        ("GET", "/export", None, 200),
        ("POST", "/undo", {}, 200),
        ("POST", "/notes", {"text": "Later."}, 201),
        ("POST", "/tokens", {"role": "spectator"}, 201),
        ("POST", "/erase", {"version": 1}, 204),
        ("POST", "/fork", {}, 201),
    ],
)
async def test_whatever_is_asked_of_it_restores_it(
    service: Service, client: Client, method: str, path: str, body: Any, status: int
) -> None:
    combat = await ended(client, service)
    for memory in ("hot", "not loaded"):
        await caught_up(service)
        await archived(service, combat)
        assert await is_archived(service, combat)
        if memory == "not loaded":
            service.combats.let_go(UUID(combat))
            service.combats.recent.clear()
        answer = await client.call(method, path, body)
        assert answer.status_code == status, answer.text
        assert not await is_archived(service, combat)
        if path in ("/undo", "/notes"):
            return


async def test_a_stranger_restores_nothing(service: Service, client: Client) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    service.combats.recent.clear()
    wrong = client.token[:-6] + "AAAAAA"
    assert (await client.get(token=wrong)).status_code == 401
    assert await is_archived(service, combat)


async def test_a_revoked_token_stays_revoked(service: Service, client: Client) -> None:
    combat = await ended(client, service)
    player = await client.player("Ana")
    id = next(
        token["id"]
        for token in (await client.get("/tokens")).json()["tokens"]
        if token["role"] == "player"
    )
    assert (await client.call("DELETE", f"/tokens/{id}")).status_code == 204
    await archived(service, combat)
    assert (await client.get(token=player)).status_code == 401
    assert (await client.get()).status_code == 200


async def test_the_file_is_on_the_disk_before_the_events_are_deleted(
    service: Service, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    combat = await ended(client, service)
    folder = tmp_path / "old" / "fights"
    done: list[str] = []
    fsync: Callable[[int], None] = os.fsync
    archive = archive_of(service, f"file://{folder}")
    finish = archive.archives.finish

    def synced(number: int) -> None:
        done.append(os.readlink(f"/proc/self/fd/{number}"))
        fsync(number)

    async def finished(name: str, *more: Any) -> None:
        assert (folder / name).exists()
        done.append(name)
        await finish(name, *more)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(archive.archives, "finish", finished)
    await archived(service, combat, archive)
    name = done[-1]
    assert done == [
        str(tmp_path),
        str(tmp_path / "old"),
        str(folder / f"{name}.part"),
        str(folder),
        name,
    ]


async def test_a_file_that_the_disk_gives_back_otherwise_deletes_nothing(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    combat = await ended(client, service)
    sync = files.sync_folder

    def rotten(folder: Path) -> None:
        for file in folder.glob("*.gz"):
            file.write_bytes(file.read_bytes()[:-2] + b"?\n")
        sync(folder)

    monkeypatch.setattr(files, "sync_folder", rotten)
    with pytest.raises(ArchiveUnavailable, match="does not hold what was written"):
        await archived(service, combat)
    assert not await is_archived(service, combat)
    assert (await client.get()).status_code == 200


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="the system cannot forget a file")
async def test_what_is_compared_comes_from_the_disk(
    service: Service, client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
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
    await archived(service, combat)
    assert len(forgotten) == 1
    assert forgotten[0].startswith(str(folder / combat))


async def test_the_files_are_their_owners_alone_and_can_be_read_by_hand(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    old = os.umask(0)
    try:
        await archived(service, combat)
    finally:
        os.umask(old)
    (file,) = objects(folder, combat)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    lines = gzip.decompress(file.read_bytes()).splitlines()
    assert combat.encode() in lines[0]
    assert b"The door was never locked." in b"".join(lines)


async def test_one_combat_that_cannot_be_read_stays_and_the_others_go(
    service: Service, client: Client
) -> None:
    bad = await ended(client, service)
    await service.store.pool.execute(
        "UPDATE stored_events SET state = '{}' WHERE originator_id = $1 AND originator_version = 2",
        UUID(bad),
    )
    good = await ended(client, service)
    outcomes = await swept(archive_of(service))
    assert outcomes[bad].startswith("stays: cannot be read")
    assert outcomes[good].startswith("archived")


async def test_a_combat_that_changes_meanwhile_stays(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    archive = archive_of(service)
    put = archive.objects.put

    async def slow(name: str, content: bytes) -> None:
        await put(name, content)
        await client.done("/notes", {"text": "Meanwhile."})

    archive.objects.put = slow  # type: ignore[method-assign]
    outcome = await archived(service, combat, archive)
    assert outcome.startswith("stays: it has changed")
    assert b"Meanwhile." in (await client.get("/export")).content
    assert objects(folder, combat)
    await tidied(archive)
    assert not objects(folder, combat)


@pytest.mark.parametrize("moment", ["before the upload", "after the upload"])
async def test_a_crash_beside_the_upload_loses_nothing_and_leaves_nothing(
    service: Service, client: Client, folder: Path, moment: str
) -> None:
    """A crash may leave an upload behind. A later sweep removes it and archives the combat."""
    combat = await ended(client, service)
    stored = await rows(service, combat)
    archive = archive_of(service)
    put = archive.objects.put

    async def crash(name: str, content: bytes) -> None:
        if moment == "after the upload":
            await put(name, content)
        raise SystemExit

    archive.objects.put = crash  # type: ignore[method-assign]
    with pytest.raises(SystemExit):
        await archived(service, combat, archive)
    assert await rows(service, combat) == stored
    other = archive_of(service)
    await tidied(other)
    assert await count(service, "archives", combat) == 1, "the upload may go on"
    assert await archived(service, combat, other) == "stays: another process archives it"
    await service.store.pool.execute(HOURS_AGO, UUID(combat))
    await other.tidy()
    await tidied(other)
    assert await count(service, "archives", combat) == 0
    assert not objects(folder, combat)
    assert (await archived(service, combat, other)).startswith("archived, ")
    assert (await client.get()).status_code == 200
    assert await rows(service, combat) == stored


async def test_an_upload_that_was_given_up_deletes_nothing_when_it_goes_on(
    service: Service, client: Client
) -> None:
    combat = await ended(client, service)
    archive = archive_of(service)
    put = archive.objects.put

    async def frozen(name: str, content: bytes) -> None:
        await put(name, content)
        await service.store.pool.execute(HOURS_AGO, UUID(combat))
        await archive_of(service).archives.discarded()

    archive.objects.put = frozen  # type: ignore[method-assign]
    assert (await archived(service, combat, archive)).startswith("stays: ")
    assert not await is_archived(service, combat)


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def other_content(file: Path) -> None:
    text = gzip.decompress(file.read_bytes()).replace(b"never locked", b"always open!")
    file.write_bytes(gzip.compress(text))


@pytest.mark.parametrize("harm", [Path.unlink, truncated, other_content])
async def test_a_damaged_archive_is_a_problem_and_stores_nothing(
    service: Service, client: Client, folder: Path, harm: Callable[[Path], None]
) -> None:
    combat = await ended(client, service)
    before = await answers(client)
    await archived(service, combat)
    (file,) = objects(folder, combat)
    good = file.read_bytes()
    harm(file)
    for method, path in (("GET", ""), ("GET", "/export"), ("POST", "/undo")):
        answer = await client.call(method, path)
        assert answer.status_code == 500, answer.text
        assert answer.json()["type"] == "/problems/archive-damaged"
        assert "Retry-After" not in answer.headers
    assert await is_archived(service, combat)
    store, mapper = service.store, service.combats.mapper
    checked = faults_of_all(store, mapper, UUID(int=0), archive_of(service).faults)
    assert {str(id): bool(faults) async for id, faults in checked}[combat]
    file.write_bytes(good)
    assert await answers(client) == before


async def test_an_archive_whose_hash_in_the_database_fits_still_needs_its_chain(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    (file,) = objects(folder, combat)
    other_content(file)
    await service.store.pool.execute(
        "UPDATE archives SET sha256 = sha256($1) WHERE object = $2", file.read_bytes(), file.name
    )
    assert (await client.get()).json()["type"] == "/problems/archive-damaged"
    assert await is_archived(service, combat)


async def test_a_storage_that_does_not_answer_is_a_503(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    (file,) = objects(folder, combat)
    away = file.parent.with_name("unmounted")
    file.parent.rename(away)
    answer = await client.get()
    assert answer.status_code == 503
    assert answer.json()["type"] == "/problems/archive-unavailable"
    assert answer.headers["Retry-After"]
    assert await is_archived(service, combat)
    away.rename(file.parent)
    assert (await client.get()).status_code == 200


async def test_two_replicas_restore_at_once(service: Service, client: Client) -> None:
    combat = await ended(client, service)
    stored = await rows(service, combat)
    async with serving(service.settings) as (_, http):
        for _ in range(5):
            await archived(service, combat)
            assert await is_archived(service, combat)
            responses = await asyncio.gather(
                *(
                    client.http.get(f"/v1/combats/{combat}", headers=headers)
                    if number % 2
                    else http.get(f"/v1/combats/{combat}", headers=headers)
                    for number, headers in enumerate(
                        [{"Authorization": f"Bearer {client.token}"}] * 6
                    )
                )
            )
            assert {answer.status_code for answer in responses} == {200}
            assert len({answer.content for answer in responses}) == 1
            assert await rows(service, combat) == stored
            assert await count(service, "positions", combat, "originator_id") in (
                0,
                len(stored) + 1,
            )
            await caught_up(service)


async def test_a_process_without_the_setting_does_not_start_and_says_503(
    own: Settings, folder: Path
) -> None:
    bare = Settings(own.database_url, own.data_dir)
    async with serving(bare) as (service, http):
        client = Client(http)
        combat = await ended(client, service)
        await archived(service, combat, archive_of(service, own.archive))
        headers = {"Authorization": f"Bearer {client.token}"}
        answer = await http.get(f"/v1/combats/{combat}", headers=headers)
        assert answer.json()["type"] == "/problems/archive-unavailable"
    with pytest.raises(BadSetting, match="AFFRAY_ARCHIVE"):
        async with serving(bare):
            pass


async def test_erased_texts_leave_the_archive_too(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    (file,) = objects(folder, combat)
    version = next(
        event["version"]
        for event in (await client.get("/events?limit=500")).json()["events"]
        if event["type"] == "noted"
    )
    assert (await client.post("/erase", {"version": version})).status_code == 204
    assert b"never locked" not in (await client.get("/export")).content
    await tidied(archive_of(service))
    assert not file.exists()
    await caught_up(service)
    await archived(service, combat)
    (file,) = objects(folder, combat)
    assert b"never locked" not in gzip.decompress(file.read_bytes())
    assert b"never locked" not in (await client.get("/export")).content


async def test_a_deleted_combat_leaves_the_archive_too(
    service: Service, client: Client, folder: Path
) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    assert (await client.call("DELETE")).status_code == 204
    await tidied(archive_of(service))
    assert not objects(folder, combat)
    assert await count(service, "archives", combat) == 0
    assert (await client.get()).status_code == 404


async def test_the_object_stays_until_the_combat_is_archived_anew(
    service: Service, client: Client, folder: Path
) -> None:
    """Tidying keeps the object of a restored combat, because an older backup may need it."""
    combat = await ended(client, service)
    await archived(service, combat)
    (first,) = objects(folder, combat)
    assert (await client.get()).status_code == 200
    await tidied(archive_of(service))
    assert first.exists()
    await caught_up(service)
    pool = service.store.pool
    await pool.execute(
        "UPDATE projection_combats.combats SET updated_at = '2000-01-01' WHERE combat_id = $1",
        UUID(combat),
    )
    resting = datetime.now(UTC) - timedelta(days=30)
    assert not [id async for id, _ in archive_of(service).sweep(resting)], "it was just opened"
    await pool.execute("UPDATE archives SET at = '2000-01-01' WHERE combat_id = $1", UUID(combat))
    assert [str(id) async for id, _ in archive_of(service).sweep(resting)] == [combat]
    await tidied(archive_of(service))
    assert not first.exists()
    assert await is_archived(service, combat)


async def test_an_imported_file_of_an_archived_combat_does_not_take_its_place(
    service: Service, client: Client
) -> None:
    combat = await ended(client, service)
    file = (await client.get("/export")).content
    await archived(service, combat)
    headers = {"Content-Type": "application/x-ndjson"}
    answer = await client.http.post("/v1/combats/import", content=file, headers=headers)
    assert answer.status_code == 409 or answer.json()["combat"] != combat
    assert await is_archived(service, combat)


async def test_read_models_that_are_made_anew_have_archived_combats(own: Settings) -> None:
    async with serving(own) as (service, http):
        client = Client(http)
        await ended(client, service)
        away = await ended(client, service)
        lost = await ended(client, service)
        lines = await listed(client)
        pool, mapper = service.store.pool, service.combats.mapper
        figures = "SELECT * FROM projection_statistics.fights ORDER BY combat_id"
        before = await pool.fetch(figures)
        assert len(before) == 3
        for combat in (away, lost):
            assert (await archived(service, combat)).startswith("archived")
        past = archive_of(service).past
        with pytest.raises(Unavailable, match="archived combats"):
            await rebuild(service.store.database, installed()["combats"], mapper)
        for projection in installed().values():
            await rebuild(service.store.database, projection, mapper, past)
        assert await listed(client) == lines
        assert await pool.fetch(figures) == before
        assert await is_archived(service, away)
        # Affray sets a damaged archive aside, like any other that it cannot read.
        for file in objects(own.data_dir / "fights", lost):
            file.unlink()
        await rebuild(service.store.database, installed()["combats"], mapper, past)
        ids = {line["id"] for line in lines}
        assert {line["id"] for line in await listed(client)} == ids - {lost}
        assert await count(service, "projection_combats.set_aside", lost) == 1


async def test_a_read_model_that_is_behind_keeps_a_combat_here(
    service: Service, client: Client
) -> None:
    combat = await ended(client, service)
    move = "UPDATE projection_statistics.tracking SET notification_id = notification_id"
    lock = "SELECT pg_advisory_xact_lock($1)"
    async with service.store.pool.acquire() as connection:
        async with connection.transaction():  # no follower moves it meanwhile
            await connection.execute(lock, lock_of("projection_statistics"))
            await service.store.pool.execute(f"{move} - 1")
            assert "a read model is behind" in await archived(service, combat)
            await service.store.pool.execute(f"{move} + 1")
    assert (await archived(service, combat)).startswith("archived")


async def test_verify_all_reads_archives_and_the_background_does_not(
    service: Service, client: Client
) -> None:
    combat = await ended(client, service)
    await archived(service, combat)
    store, mapper = service.store, service.combats.mapper
    checked = faults_of_all(store, mapper, UUID(int=0), archive_of(service).faults)
    assert {str(id): list(faults) async for id, faults in checked}[combat] == []
    checked = faults_of_all(store, mapper, UUID(int=0), Archive(store, mapper, None).skipped)
    assert {str(id): list(faults) async for id, faults in checked}[combat] == []
    checked = faults_of_all(store, mapper, UUID(int=0))
    assert {str(id): list(faults) async for id, faults in checked}[combat] != []
    assert await is_archived(service, combat)


async def test_archives_are_encrypted_as_the_database_is(
    own: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = AESCipher.create_key(32), AESCipher.create_key(32)
    monkeypatch.setenv("CIPHER_KEY", old)
    async with serving(own) as (service, http):
        client = Client(http)
        combat = await ended(client, service)
        before = await answers(client)
        await archived(service, combat)
        (file,) = objects(own.data_dir / "fights", combat)
        assert file.name.endswith(".jsonl.gz.aes")
        with pytest.raises(gzip.BadGzipFile):
            gzip.decompress(file.read_bytes())
        monkeypatch.setenv("CIPHER_KEY", f"{new},{old}")
        monkeypatch.setenv("CIPHER_TOPIC", "service.store.encryption:Rotating")
        mapper = mapper_of()
        archive = Archive(service.store, mapper, archive_of(service).objects)
        counted = [done async for _, done in reseal(service.store, mapper, archive)]
        assert counted[-1] >= 1
        await tidied(archive)
        assert not file.exists()
    monkeypatch.setenv("CIPHER_KEY", new)
    monkeypatch.delenv("CIPHER_TOPIC")
    async with serving(own) as (service, http):
        client.http = http
        assert await is_archived(service, combat)
        assert await answers(client) == before


async def test_the_service_archives_by_itself(
    service: Service, client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "TIDY_S", 0.05)
    monkeypatch.setattr(archives, "SWEEP_S", 0.05)
    young, old = await ended(client, service), await ended(client, service)
    await service.store.pool.execute(
        "UPDATE projection_combats.combats SET updated_at = now() - interval '31 days'"
        " WHERE combat_id = $1",
        UUID(old),
    )
    keeping = asyncio.create_task(keep(archive_of(service), 30))
    await until(lambda: is_archived(service, old))
    assert not await is_archived(service, young)
    assert (await client.call("DELETE")).status_code == 204

    async def is_gone() -> bool:
        return not objects(folder, old)

    await until(is_gone)
    keeping.cancel()


async def until(so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await so():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "url", ["/var/archive", "archive", "s3://", "ftp://host/x", "file://host/x", "file://"]
)
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(BadSetting, match="AFFRAY_ARCHIVE"):
        objects_at(url)


def test_days_need_a_place() -> None:
    with pytest.raises(BadSetting, match="AFFRAY_ARCHIVE_AFTER"):
        Settings.from_environment({"AFFRAY_ARCHIVE_AFTER": "30"})
