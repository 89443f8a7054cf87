"""The service as a process of its own, on a free port, with a database of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Server:
    """`affray serve` against a database."""

    dsn: str
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    log: Path | None = None  # what it says of itself, when that is of interest

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Server":
        """Start it and wait until it serves."""
        environment = {**os.environ, "DATABASE_URL": self.dsn, "AFFRAY_PORT": str(self.port)}
        command = [str(Path(sys.executable).parent / "affray"), "serve"]
        with (self.log or Path(os.devnull)).open("ab") as log:
            told = log if self.log is not None else None
            self.process = subprocess.Popen(
                command, env=environment, stdout=subprocess.DEVNULL, stderr=told
            )
        for _ in range(300):
            try:
                if httpx.get(f"{self.url}/health/ready").status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError("the service does not start")

    def kill(self) -> None:
        """SIGKILL: no goodbye."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """SIGTERM."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
