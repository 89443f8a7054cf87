"""`affray` commands in processes that start without importing the service again.

Importing the service takes most of a second. A parent process imports it once. Each command is a
fork of the parent with separate arguments, environment and files. The parent runs nothing itself,
so a fork inherits no threads, locks or event loop. A test of the installed script runs `AFFRAY`
instead.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import IO, Any, Final, NoReturn

from service import cli

AFFRAY: Final = str(Path(sys.executable).parent / "affray")
"""Path of the installed script."""

ROOT: Final = Path(__file__).parent.parent


class Process:
    """A running command, with the interface of `subprocess.Popen`."""

    def __init__(self, told: socket.socket, pid: int, stdout: IO[bytes] | None) -> None:
        self._told = told
        self.pid = pid
        self.stdout = stdout
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or `None` while the command runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, and return the exit status.

        Raises `subprocess.TimeoutExpired`.
        """
        if self.returncode is None:
            self._told.settimeout(timeout)
            try:
                said = self._told.recv(100)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(AFFRAY, timeout or 0) from None
            self._told.close()
            self.returncode = int(said)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def start(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdout: int | IO[bytes] = subprocess.DEVNULL,
    stderr: int | IO[bytes] | None = None,
) -> Process:
    """Start a command.

    `stdout` and `stderr` are arguments of `subprocess.Popen`. `subprocess.STDOUT` is not supported.
    """
    ours: IO[bytes] | None = None
    passed = [os.open(os.devnull, os.O_RDONLY)]
    try:
        for number, stream in ((1, stdout), (2, stderr)):
            if stream == subprocess.PIPE:
                assert number == 1, "only stdout has a pipe"
                reading, writing = os.pipe()
                ours = os.fdopen(reading, "rb")
                passed.append(writing)
            elif stream == subprocess.DEVNULL:
                passed.append(os.open(os.devnull, os.O_WRONLY))
            else:
                passed.append(os.dup(number if stream is None else _number(stream)))
        told = socket.socket(socket.AF_UNIX)
        told.connect(_parent())
        environment = dict(os.environ if env is None else env)
        order = {"arguments": arguments, "env": environment, "cwd": str(cwd or Path.cwd())}
        text = json.dumps(order).encode()
        socket.send_fds(told, [len(text).to_bytes(4, "big")], passed)
        told.sendall(text)
    finally:
        for number in passed:
            os.close(number)
    pid = int.from_bytes(told.recv(4), "big")
    return Process(told, pid, ours)


def _number(stream: int | IO[bytes]) -> int:
    return stream if isinstance(stream, int) else stream.fileno()


def run(
    *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    with TemporaryDirectory(prefix="affray-run-") as folder:
        paths = [Path(folder, name) for name in ("stdout", "stderr")]
        with paths[0].open("wb") as stdout, paths[1].open("wb") as stderr:
            status = start(*arguments, env=env, cwd=cwd, stdout=stdout, stderr=stderr).wait()
        out, error = (path.read_text() for path in paths)
    return subprocess.CompletedProcess([AFFRAY, *arguments], status, out, error)


@cache
def _parent() -> str:
    """Start the parent process of all commands; return the path of its socket."""
    folder = TemporaryDirectory(prefix="affray-commands-")
    path = str(Path(folder.name) / "socket")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.commands", path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"

    def end() -> None:
        process.communicate()
        folder.cleanup()

    atexit.register(end)
    return path


# ---- the parent


def _serve(path: str) -> None:
    """Fork a command for each connection, until the input ends."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(100)
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _woken)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the tests, and they end this process
    gc.freeze()
    running: dict[int, socket.socket] = {}
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listening, woken, sys.stdin], [], [])
        if woken in ready:
            woken.recv(1000)
            _reap(running)
        if sys.stdin in ready:
            return
        if listening in ready:
            told, _ = listening.accept()
            size, passed, _, _ = socket.recv_fds(told, 4, 3)
            text = b""
            while len(text) < int.from_bytes(size, "big"):
                text += told.recv(1_000_000)
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                for opened in (listening, woken, wakes, told, *running.values()):
                    opened.close()
                _become(json.loads(text), passed)
            for number in passed:
                os.close(number)
            running[pid] = told
            told.sendall(pid.to_bytes(4, "big"))


def _woken(number: int, frame: FrameType | None) -> None:
    """Do nothing: Python writes the signal to the wakeup descriptor."""


def _reap(running: dict[int, socket.socket]) -> None:
    """Send the exit status of each command that has ended."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        told = running.pop(pid)
        with suppress(OSError), told:  # the test may no longer wait for this command
            told.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _become(order: dict[str, Any], passed: Sequence[int]) -> NoReturn:
    """Turn this process into the command."""
    for target, number in enumerate(passed):
        os.dup2(number, target)
        os.close(number)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    added = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [*filter(None, added), *(path for path in sys.path if path != str(ROOT))]
    sys.stdin = open(0)  # noqa: SIM115 - open until the process ends
    sys.stdout = open(1, "w")  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace")  # noqa: SIM115
    sys.argv = [AFFRAY, *order["arguments"]]
    sys.exit(cli.main())


if __name__ == "__main__":
    _serve(sys.argv[1])
