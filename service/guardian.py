"""The guardian: the parent process of the embedded PostgreSQL.

- It restarts the server if the server dies.
- It stops the server as soon as no process uses it. Each such process holds a shared lock on a file
  beside the data. The kernel releases the lock even after a SIGKILL.
- It holds another lock, so that only one guardian runs.

Run it as `python -m service.guardian PLAN`. It imports only the standard library and `files`.
"""

import ctypes
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from service.files import sync_folder

LOOK_S = 0.1
"""Seconds between two checks of the server and its users."""

AGAIN_S = 0.05
"""Seconds before the restart of a server. They increase if the server dies again at once."""

STOP_S = 5.0
"""Seconds for a fast shutdown, before an immediate one."""

MAX_LOG = 10 * 1024 * 1024

SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_wal_size": "256MB",  # for a short recovery
    # Conflicts are usual, so the server does not log their statements.
    "log_min_error_statement": "panic",
    "log_min_messages": "error",
}


def users_file(data: Path) -> Path:
    """Return the lock file that each user of the server holds shared."""
    return data.with_name(f"{data.name}.users")


def guard_file(data: Path) -> Path:
    """Return the lock file that the guardian holds as long as it lives."""
    return data.with_name(f"{data.name}.guard")


def locked(file: IO[bytes], kind: int) -> bool:
    """Take a lock if it is free."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Guardian:
    """The parent of one server. `plan` names the programs, the data, the socket and the user."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.bin = Path(plan["bin"])
        self.data = Path(plan["data"])
        self.socket = Path(plan["socket"])
        self.user: int | None = plan["user"]
        self.group: int | None = plan["group"]

    def guard(self) -> None:
        """Keep the server alive until no process uses it.

        Return at once if another guardian already runs.
        """
        with guard_file(self.data).open("ab") as own, users_file(self.data).open("ab") as users:
            if not locked(own, fcntl.LOCK_EX):
                return
            self._end_orphan()
            self._initialise()
            server = self._start()
            wait = AGAIN_S
            while not locked(users, fcntl.LOCK_EX):  # once it is locked, no user can join
                time.sleep(LOOK_S)
                if server.poll() is None:
                    wait = AGAIN_S
                else:
                    time.sleep(wait)
                    wait = min(wait * 1.5, 1.0)
                    forget_a_foreign_pid(self.data)
                    server = self._start()
            stop(server)

    def _end_orphan(self) -> None:
        """Stop a server whose guardian was killed, on a system without `die_with_parent`."""
        forget_a_foreign_pid(self.data)
        if (self.data / "postmaster.pid").exists():
            arguments = ["-D", str(self.data), "-m", "fast", "-w", "-t", "10", "stop"]
            self._run("pg_ctl", arguments, self.data)

    def _initialise(self) -> None:
        """Create all data in a temporary folder, then rename the folder.

        A kill at any moment therefore leaves either no data or complete data. Each attempt uses a
        new folder, because the `initdb` of a killed guardian may still write to its own folder.
        """
        if (self.data / "PG_VERSION").exists():
            return
        for left in self.data.parent.glob(f"{self.data.name}.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        fresh = Path(tempfile.mkdtemp(prefix=f"{self.data.name}.new-", dir=self.data.parent))
        if self.user is not None and self.group is not None:
            os.chown(fresh, self.user, self.group)
        name = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        done = self._run(
            "initdb",  # it syncs every file and folder before it ends
            ["-D", str(fresh), "-U", "postgres", "--auth=trust", "--encoding=UTF8", *name],
            fresh,
        )
        if done.returncode:
            sys.stderr.write(done.stdout.decode(errors="replace"))
            sys.exit(1)
        fresh.rename(self.data)
        sync_folder(self.data.parent)

    def _start(self) -> "subprocess.Popen[bytes]":
        log = self.data / "log"
        if log.exists() and log.stat().st_size > MAX_LOG:
            log.replace(log.with_name("log.1"))
        arguments = ["-D", str(self.data), "-k", str(self.socket)]
        for name, value in SETTINGS.items():
            arguments += ["-c", f"{name}={value}"]
        with log.open("ab") as output:
            return subprocess.Popen(
                [str(self.bin / "postgres"), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.data,
                user=self.user,
                group=self.group,
                extra_groups=None if self.user is None else [],
                preexec_fn=die_with_parent,
            )

    def _run(
        self, program: str, arguments: Sequence[str], folder: Path
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [str(self.bin / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            user=self.user,
            group=self.group,
            extra_groups=None if self.user is None else [],
            check=False,
        )


def die_with_parent() -> None:
    """Let the kernel stop the server when the guardian dies (Linux)."""
    if sys.platform == "linux":
        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGINT)


def stop(server: "subprocess.Popen[bytes]") -> None:
    """Ask the server for a fast shutdown, then for an immediate one. At last, kill it."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        server.send_signal(number)
        try:
            server.wait(STOP_S)
        except subprocess.TimeoutExpired:
            continue
        return


def forget_a_foreign_pid(data: Path) -> None:
    """Remove the pid file if its process is not this directory's PostgreSQL.

    After a crash and a reboot, another process may have that pid, even another PostgreSQL.
    """
    file = data / "postmaster.pid"
    try:
        pid = int(file.read_text().split("\n", 1)[0])
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (OSError, ValueError):
        return
    if b"postgres" not in command or not _serves(data, pid, command):
        file.unlink(missing_ok=True)


def _serves(data: Path, pid: int, command: bytes) -> bool:
    """Return true if the process has this directory as an argument or as its working directory."""
    if os.fsencode(data.resolve()) in command.split(b"\0"):
        return True
    try:
        return Path(f"/proc/{pid}/cwd").samefile(data)
    except OSError:
        return False  # it has ended, or it belongs to another user


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # stay after the terminal closes
    Guardian(json.loads(sys.argv[1])).guard()
