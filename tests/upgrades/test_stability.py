"""Test the promises of docs/stability.md about the schema and about releases."""

import lzma
import re
from pathlib import Path

import asyncpg
import pytest

from service.resources import stored
from service.settings import BadSetting, Settings
from service.store import migrations
from tests.conftest import database

HERE = Path(__file__).parent

REMOVES = re.compile(r"\b(DROP|RENAME|TRUNCATE|DELETE FROM|SET NOT NULL|USING \w+::)\b", re.I)


def released() -> int:
    """Return the number of the newest migration of release 0.1.0."""
    dump = lzma.decompress((HERE / "0.1.0.sql.xz").read_bytes()).decode()
    (rows,) = re.findall(r"INSERT INTO public\.migrations VALUES\s+(.*?);", dump, re.S)
    return max(int(number) for number in re.findall(r"\((\d+),", rows))


def test_the_schema_since_the_release_only_adds() -> None:
    """Migrations since 0.1.0 only add, so processes of 0.1.0 can run next to new ones."""
    newer = [(number, sql) for number, sql in migrations.steps() if number > released()]
    assert newer
    for number, sql in newer:
        statements = re.sub(r"--[^\n]*", "", sql)
        assert not REMOVES.search(statements), f"step {number}"


def test_each_number_of_a_step_is_given_once() -> None:
    numbers = [number for number, _ in migrations.steps()]
    assert numbers == list(range(1, len(numbers) + 1))


async def test_an_older_release_refuses_a_newer_schema(
    server_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database(server_dsn) as dsn:
        connection = await asyncpg.connect(dsn)
        await migrations.migrate(connection)
        await connection.execute("INSERT INTO migrations (number) VALUES (9999)")
        await connection.close()
        with pytest.raises(BadSetting, match=r"schema 9999, this release knows \d+"):
            async with stored(Settings(dsn, tmp_path), 2):
                pass
