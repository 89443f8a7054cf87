"""The schema, as numbered SQL files.

They run at start, and several replicas may run them at once.
"""

from importlib.resources import files

import asyncpg

LOCK = 0x0AFF_0A11
"""The advisory lock under which one replica migrates."""


class NewerSchema(RuntimeError):
    """A newer release made the database."""


def steps() -> list[tuple[int, str]]:
    """Return the number and the SQL of every step, in order."""
    traversables = [path for path in files(__package__).iterdir() if path.name.endswith(".sql")]
    numbered = ((int(path.name.split("_")[0]), path.read_text()) for path in traversables)
    return sorted(numbered)


async def migrate(connection: asyncpg.Connection) -> int:
    """Bring the schema up to date, and return the number of steps run. Raise `NewerSchema`."""
    done = 0
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations"
            " (number int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
        )
        present = await connection.fetchval("SELECT coalesce(max(number), 0) FROM migrations")
        known = steps()
        if present > known[-1][0]:
            raise NewerSchema(
                f"the database has schema {present}, this release knows {known[-1][0]}"
            )
        for number, sql in known:
            if number > present:
                await connection.execute(sql)
                await connection.execute("INSERT INTO migrations (number) VALUES ($1)", number)
                done += 1
    return done
