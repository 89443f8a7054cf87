"""Measure the size of stored fights: `python -m tests.bench.capacity [--copies 40]`.

The program imports fights of all rulebooks many times and plays on in some of them. It prints the
disk and memory of each fight as a Markdown table. It does not measure time.
"""

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import asyncpg
import httpx

from domain.record.export import export
from domain.record.fork import copy
from domain.rulesets import installed
from service.app import Service, create_app
from service.archives import packed
from service.embedded import EmbeddedServer
from service.settings import Settings
from service.skirmish import ROUNDS, Skirmish
from service.store.archives import Archives

PICTURES = sorted((Path(__file__).parent.parent.parent / "docs" / "pictures").glob("*.png"))

SIZES = """
    SELECT n.nspname || '.' || c.relname AS name, pg_total_relation_size(c.oid) AS bytes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
"""


def fights() -> Iterator[tuple[str, int, bytes]]:
    """Yield a complete fight of each rulebook: its id, its number of events, its export."""
    for ruleset in installed().values():
        skirmish = Skirmish(ruleset, ruleset.parties[0])
        skirmish.play(ROUNDS[1])
        recorded, _ = copy(list(skirmish.live.history.recorded), str(uuid4()))
        yield ruleset.id, len(recorded), b"".join(export(recorded))


async def measured(copies: int) -> None:
    """Import the fights and print their sizes."""
    with TemporaryDirectory(prefix="affray-") as name:
        Path(name).chmod(0o755)
        embedded = EmbeddedServer(Path(name) / "data")
        dsn = await embedded.start()
        try:
            await _at(dsn, Path(name), copies)
        finally:
            await embedded.stop()


async def _at(dsn: str, folder: Path, copies: int) -> None:
    app = create_app(Settings(dsn, folder))
    service: Service = app.state.service
    connection = await asyncpg.connect(dsn)
    transport = httpx.ASGITransport(app=service.asgi)
    print("| fight | events | export, kB | archived, kB | disk, kB | hot, kB |")
    print("|---|---|---|---|---|---|")
    async with (
        service.running(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as http,
    ):
        total = 0
        for ruleset, events, content in fights():
            before = await _bytes(connection)
            weight = service.combats.recent.weight
            for _ in range(copies):
                answer = await http.post(
                    "/v1/combats/import?if_here=copy",
                    content=content,
                    headers={"Content-Type": "application/x-ndjson"},
                )
                assert answer.status_code == 201, answer.text
                opened = answer.json()
                board = await http.get(
                    f"/v1/combats/{opened['combat']}",
                    headers={"Authorization": f"Bearer {opened['token']}"},
                )
                assert board.status_code == 200
            while any(status.lag for status in await service.followers.status()):
                await asyncio.sleep(0.1)
            disk = sum((await _bytes(connection)).values()) - sum(before.values())
            hot = service.combats.recent.weight - weight
            total += copies
            combat = UUID(opened["combat"])
            _, stored = await Archives(service.store.database).events(combat)
            archived = len(packed(service.combats.mapper, combat, stored))
            print(
                f"| {ruleset} | {events} | {len(content) / 1000:.0f} | {archived / 1000:.0f}"
                f" | {disk / copies / 1000:.0f} | {hot / copies / 1000:.0f} |"
            )
        sizes = await _bytes(connection)
        await _pictures(http, opened, connection)
        print("\n| table | kB a fight |\n|---|---|")
        for name, size in sorted(sizes.items(), key=lambda pair: -pair[1])[:10]:
            print(f"| `{name}` | {size / total / 1000:.1f} |")
    await connection.close()


async def _pictures(
    http: httpx.AsyncClient, opened: dict[str, str], connection: asyncpg.Connection
) -> None:
    """Upload the pictures of the documentation in three sizes, and print their bytes."""
    path = f"/v1/combats/{opened['combat']}/pictures"
    headers = {"Authorization": f"Bearer {opened['token']}", "Content-Type": "image/png"}
    print("\n| longer side, pixels | pictures | WebP, kB | disk, kB |\n|---|---|---|---|")
    for longest in (512, 256, 1024):
        before, size = sum((await _bytes(connection)).values()), 0
        for file in PICTURES:
            params = {"longest": longest}
            answer = await http.post(
                path, content=file.read_bytes(), params=params, headers=headers
            )
            assert answer.status_code == 201, answer.text
            stored = await http.get(f"{path}/{answer.json()['picture']}", headers=headers)
            size += len(stored.content)
        disk, count = sum((await _bytes(connection)).values()) - before, len(PICTURES)
        print(f"| {longest} | {count} | {size / count / 1000:.1f} | {disk / count / 1000:.1f} |")


async def _bytes(connection: asyncpg.Connection) -> dict[str, int]:
    """Return the size of each table, with its indexes and long values."""
    await connection.execute("VACUUM")
    return {row["name"]: row["bytes"] for row in await connection.fetch(SIZES)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=40, help="of each fight")
    asyncio.run(measured(parser.parse_args().copies))
