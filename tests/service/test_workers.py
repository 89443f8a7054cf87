"""Test several workers on one port, which clients see as one service."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.server import free_port

AFFRAY = str(Path(sys.executable).parent / "affray")
HEROES = [{"sheet": unit("Ana", agility=5, weapons=[SWORD])}, {"sheet": foe("Imp")}]


def begun(dsn: str, port: int) -> "subprocess.Popen[str]":
    environment = {**os.environ, "DATABASE_URL": dsn, "AFFRAY_PORT": str(port)}
    process = subprocess.Popen(
        [AFFRAY, "serve", "--workers", "2"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.fixture
def serving(dsn: str) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    port = free_port()
    process = begun(dsn, port)
    yield process, f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(pid) for pid in children.read_text().split() if is_worker(pid)]


def is_worker(pid: str) -> bool:
    """Return true for a worker process, not for the resource tracker or an ended process."""
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(what: Callable[[], Any], seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until
        time.sleep(0.05)


def opened(url: str) -> tuple[str, dict[str, str]]:
    made = httpx.post(f"{url}/v1/combats", json={"ruleset": "free-hit", "combatants": HEROES})
    answer = made.raise_for_status().json()
    return f"{url}/v1/combats/{answer['combat']}", {"Authorization": f"Bearer {answer['token']}"}


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/ready", timeout=30).status_code == 200
    except httpx.TransportError:
        return False


def test_whoever_answers_knows_what_was_done(serving: "tuple[subprocess.Popen[str], str]") -> None:
    process, url = serving
    combat, headers = opened(url)

    def note(number: int) -> None:  # each request has a separate connection
        keyed = {"Idempotency-Key": f"note {number}"}
        body = {"text": f"note {number}"}
        first = http.post(f"{combat}/notes", json=body, headers=keyed).raise_for_status()
        version = first.json()["version"]
        assert http.get(combat).json()["version"] >= version
        again = http.post(f"{combat}/notes", json=body, headers=keyed).raise_for_status()
        assert again.content == first.content

    with (
        httpx.Client(headers={**headers, "Connection": "close"}) as http,
        ThreadPoolExecutor(8) as pool,
    ):
        list(pool.map(note, range(40)))
    events = httpx.get(f"{combat}/events?limit=500", headers=headers).json()["events"]
    texts = [event["data"]["text"] for event in events if event["type"] == "noted"]
    assert sorted(texts) == sorted(f"note {number}" for number in range(40))
    ticket = httpx.post(f"{combat}/tickets", headers=headers).json()["ticket"]
    streams = [httpx.get(f"{combat}/stream?wait=0&ticket={ticket}") for _ in range(6)]
    assert [answer.status_code for answer in streams].count(200) == 1
    process.terminate()
    assert process.wait(20) == 0


@pytest.mark.sampled(0)
def test_a_worker_that_dies_is_replaced(serving: "tuple[subprocess.Popen[str], str]") -> None:
    process, url = serving
    combat, headers = opened(url)
    before = workers_of(process)
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    assert answers(url)
    wait_for(lambda: len(set(workers_of(process)) - {before[0]}) == 2)
    assert httpx.get(combat, headers=headers).status_code == 200
    process.kill()  # workers end with their parent
    wait_for(lambda: not answers(url))


def test_what_keeps_it_from_beginning_is_told_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"postgresql://x@127.0.0.1:{taken.getsockname()[1]}/x"
        process = begun(nobody, free_port())
        _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told.count("DATABASE_URL") == 1
