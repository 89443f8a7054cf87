"""Write the database of a past release: `python -m tests.upgrades.write CHECKOUT NAME`.

CHECKOUT is a work tree of that release. Its code runs with the packages of this environment.
"""

import asyncio
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from urllib.parse import quote

import httpx

from service.embedded import EmbeddedServer, plan
from tests.conftest import database, enterable
from tests.server import free_port

HERE = Path(__file__).parent


def announce(checkout: Path) -> None:
    """Write the metadata of an installed package, so that the release finds its rulebooks."""
    points = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["entry-points"]
    lines: list[str] = []
    for group, entries in points.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    folder = checkout / "affray-0.1.0.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: affray\nVersion: 0.1.0\n")
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n")


def environment(checkout: Path, dsn: str, port: int) -> dict[str, str]:
    """Return the environment of a process with the code of the checkout."""
    return {
        **os.environ,
        "PYTHONPATH": str(checkout),
        "DATABASE_URL": dsn,
        "AFFRAY_PORT": str(port),
    }


def serve(checkout: Path, dsn: str, port: int) -> "subprocess.Popen[bytes]":
    """Start the service of a checkout, and return when it answers."""
    program = "from service.cli import main; import sys; sys.exit(main(['serve']))"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=checkout,
        env=environment(checkout, dsn, port),
        stdout=subprocess.DEVNULL,
    )
    for _ in range(300):
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health/ready").status_code == 200:
                return process
        except httpx.HTTPError:
            assert process.poll() is None, "the service of then does not start"
        time.sleep(0.2)
    process.kill()
    raise AssertionError("the service of then does not answer")


async def main(checkout: Path, name: str) -> None:
    announce(checkout)
    with enterable() as folder, tempfile.TemporaryDirectory() as scratch:
        embedded = EmbeddedServer(folder / "data")
        async with database(await embedded.start()) as dsn:
            port = free_port()
            process = await asyncio.to_thread(serve, checkout, dsn, port)
            export = Path(scratch) / "export"
            played = await asyncio.to_thread(
                subprocess.check_output,
                [
                    sys.executable,
                    str(HERE / "play.py"),
                    f"http://127.0.0.1:{port}",
                    str(export),
                ],
                cwd=checkout,
                env=environment(checkout, dsn, port),
                text=True,
            )
            process.terminate()
            process.wait(30)
            programs = plan(folder / "data")
            sql = await asyncio.to_thread(
                subprocess.check_output,
                [
                    str(programs.bin / "pg_dump"),
                    *("--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges"),
                    dsn.replace("postgres:@", "postgres@").replace(
                        f"host={programs.socket}", f"host={quote(str(programs.socket))}"
                    ),
                ],
                text=True,
            )
        await embedded.stop()
        fights = json.loads(played.strip().splitlines()[-1])
        (HERE / f"{name}.json").write_text(json.dumps(fights, indent=1) + "\n")
        # psql's commands, and settings that older servers do not know
        lines = [line for line in sql.splitlines() if not line.startswith(("\\", "SET ", "--"))]
        text = "\n".join(line for line in lines if line)
        (HERE / f"{name}.sql.xz").write_bytes(lzma.compress(text.encode(), preset=9))
        (HERE / f"{name}.jsonl.xz").write_bytes(lzma.compress(export.read_bytes(), preset=9))
        print(name, len(fights), "fights,", (HERE / f"{name}.sql.xz").stat().st_size, "bytes")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).absolute(), sys.argv[2]))
