"""The examples of the contract equal the answers of the running service."""

import asyncio
from pathlib import Path

import pytest

from service.http.contract import FOLDER
from tests.examples import record
from tests.server import Server


async def test_the_examples_are_those_of_the_running_service(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_WEBHOOK_NETWORKS", "203.0.113.0/24")
    server = await asyncio.to_thread(Server(dsn).start)
    try:
        await asyncio.to_thread(record, server.url, tmp_path)
    finally:
        server.stop()
    published = texts(FOLDER / "examples")
    recorded = texts(tmp_path)
    assert recorded.keys() == published.keys()
    stale = [name for name, text in sorted(recorded.items()) if text != published[name]]
    assert stale == [], "run: python -m tests.examples URL"


def texts(folder: Path) -> dict[str, str]:
    """Return the texts of a folder's files by name."""
    return {file.name: file.read_text() for file in folder.iterdir()}
