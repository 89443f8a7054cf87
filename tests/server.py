"""The service in a separate process with a separate database."""

import asyncio
import os
import selectors
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.commands import AFFRAY, Process, start

PATIENCE_S = 60
"""Time limit of a start. A busy machine can need 20 s."""


def free_port() -> int:
    """Return a port that is free now.

    Another process may take the port before the caller does. `Server` has no such race, because the
    service chooses its own port.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Server:
    """`affray serve` on one database. Later starts use the port of the first start."""

    dsn: str
    port: int = 0
    process: subprocess.Popen[bytes] | Process | None = None
    log: Path | None = None  # for the output, if the test reads it
    script: bool = False  # start the installed script, to measure it

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Server":
        """Start the service and wait until it serves.

        The method waits for the address that the service prints. An answer at the port would prove
        nothing, because another service may have the port.
        """
        environment = {**os.environ, "DATABASE_URL": self.dsn, "AFFRAY_PORT": str(self.port)}
        with (self.log or Path(os.devnull)).open("ab") as log:
            told = log if self.log is not None else None
            if self.script:
                self.process = subprocess.Popen(
                    [AFFRAY, "serve"], env=environment, stdout=subprocess.PIPE, stderr=told
                )
            else:
                self.process = start("serve", env=environment, stdout=subprocess.PIPE, stderr=told)
        line = self._first_line()
        if not line.startswith("Affray on http://127.0.0.1:"):
            self.process.kill()
            raise RuntimeError(f"the service does not start: {line!r}")
        self.port = int(line.split(" ")[2].rpartition(":")[2])
        return self

    def _first_line(self) -> str:
        """Return the first line that the service prints, or "" if none comes in time."""
        assert self.process is not None
        assert self.process.stdout is not None
        pipe, said, until = self.process.stdout.fileno(), b"", time.monotonic() + PATIENCE_S
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in said and selector.select(max(0.0, until - time.monotonic())):
                piece = os.read(pipe, 1000)
                if not piece:
                    break
                said += piece
        return said.decode().partition("\n")[0]

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self._ended()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self._ended()

    def _ended(self) -> None:
        assert self.process is not None
        self.process.wait(20)
        if self.process.stdout is not None:
            self.process.stdout.close()


async def started(*servers: Server) -> list[Server]:
    """Start all servers. If one does not start, kill them all."""
    tries = [asyncio.to_thread(server.start) for server in servers]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    for outcome in answers:
        if isinstance(outcome, BaseException):
            for server in servers:
                server.kill()
            raise outcome
    return list(servers)
