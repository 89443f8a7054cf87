"""Clients that repeat each note with the same idempotency key until a replica answers.

Some clients stop if the answer promises that nothing was stored.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from domain.record.verify import verify
from tests.histories.__main__ import told
from tests.histories.checker import check
from tests.histories.history import Recorder
from tests.rulesets.free_hit.units import SWORD, foe, unit

SHEETS = [
    unit("Ana", agility=5, weapons=[SWORD], max_hp=10_000),
    foe("Imp", weapons=[SWORD], max_hp=10_000),
]


@dataclass
class Table:
    """A combat with its acknowledged notes and its readers' results.

    `history` records all of its notes and reads.
    """

    path: str
    headers: dict[str, str]
    acknowledged: dict[str, int] = field(default_factory=dict)
    newest: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    refused: set[str] = field(default_factory=set)
    history: Recorder = field(default_factory=Recorder)
    base: int = 0

    def begins(self, version: int) -> None:
        """Begin the history, with the version before the first note."""
        self.base = version
        self.history = Recorder()
        self.history.opened(self.path, version)

    async def write(
        self,
        where: Callable[[], str],
        http: httpx.AsyncClient,
        text: str,
        tries: int = 200,
        *,
        yields: bool = False,
    ) -> bool:
        """Write a note until a replica acknowledges it.

        With `yields`, stop if the first answer promises that nothing was stored.
        """
        headers = {**self.headers, "Idempotency-Key": f"{text} {uuid4()}"}
        call = self.history.append(text.rpartition(".")[0], self.path, text)
        for attempt in range(tries):
            try:
                answer = await http.post(
                    f"{where()}{self.path}/notes", json={"text": text}, headers=headers
                )
            except httpx.HTTPError as error:
                self.answers[type(error).__name__] += 1
                await asyncio.sleep(0.05)
                continue
            self.answers[_kind(answer)] += 1
            if answer.status_code == 201:
                version = answer.json()["version"]
                call.end("stored", version)
                self.acknowledged[text] = version
                self.newest = max(self.newest, version)
                return True
            assert answer.status_code == 503, answer.text
            if yields and attempt == 0 and _kind(answer) == "unavailable":
                call.end("denied")
                self.refused.add(text)
                return False
            await asyncio.sleep(0.02)
        return False

    async def read(self, url: str, http: httpx.AsyncClient) -> None:
        """Check that a read is not older than the notes acknowledged before it."""
        newest = self.newest
        call = self.history.read("reader", self.path)
        try:
            answer = await http.get(f"{url}{self.path}", headers=self.headers)
        except httpx.HTTPError:
            return
        if answer.status_code == 200:
            self.answers["reads"] += 1
            call.end("read", answer.json()["version"])
            assert answer.json()["version"] >= newest, "a stale read"
        else:
            assert answer.status_code == 503, answer.text

    async def check(self, url: str, http: httpx.AsyncClient) -> None:
        """Check that each acknowledged note is stored once at its version, in a valid chain.

        No note may be stored if its writer was promised that nothing was stored.
        """
        file = await self._told(f"{url}{self.path}/export", http)
        report = verify(file.content)
        assert report.sound, report.text()
        call = self.history.read("auditor", self.path)
        events: list[Any] = []
        following: str | None = None
        while True:
            params = {"limit": "500", **({"cursor": following} if following else {})}
            page = await self._told(f"{url}{self.path}/events", http, params)
            events += page.json()["events"]
            following = page.json()["next"]
            if following is None:
                break
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        notes = [event for event in events if event["type"] == "noted"]
        added = [event["data"].get("text", event["type"]) for event in events[self.base :]]
        call.end("read", len(events), added)
        texts = {note["data"]["text"]: note["version"] for note in notes}
        assert len(texts) == len(notes), "a note is there twice"
        assert self.acknowledged.items() <= texts.items()
        assert not self.refused & texts.keys(), "stored, though the answer denied it"

    async def _told(
        self, url: str, http: httpx.AsyncClient, params: dict[str, str] | None = None
    ) -> httpx.Response:
        """Return the answer of a read, after the database is back.

        A kill of the database may take effect after the last note. This read then gets
        `503` until the database is back.
        """
        for _ in range(200):
            answer = await http.get(url, params=params, headers=self.headers)
            if answer.status_code == 200:
                return answer
            assert answer.status_code == 503, answer.text
            await asyncio.sleep(0.05)
        raise AssertionError("the service does not come back")


def linearizable(tables: Sequence[Table], file: Path) -> str:
    """Write the tables' history, check that it is linearizable, and return its statistics.

    `python -m tests.histories` checks the file again.
    """
    history = Recorder(calls=[call for table in tables for call in table.history.calls])
    history.write(file)
    violations = check(history.operations)
    assert not violations, f"{file}\n" + "\n".join(map(str, violations))
    return f"linearizable: {told(history.operations)}"


def _kind(answer: httpx.Response) -> str:
    if answer.status_code == 503:
        return str(answer.json()["type"]).removeprefix("/problems/")
    replayed = answer.headers.get("idempotency-replayed")
    return f"{answer.status_code}{' replayed' if replayed else ''}"


async def table(url: str, http: httpx.AsyncClient) -> Table:
    """Open a fight and begin it."""
    body = {"ruleset": "free-hit", "combatants": [{"sheet": sheet} for sheet in SHEETS]}
    headers = {"Idempotency-Key": f"table {uuid4()}"}
    while True:
        opened = await http.post(f"{url}/v1/combats", json=body, headers=headers)
        if opened.status_code == 201:
            break
    response = Table(
        f"/v1/combats/{opened.json()['combat']}",
        {"Authorization": f"Bearer {opened.json()['token']}"},
    )
    headers = {**response.headers, "Idempotency-Key": "begin"}
    while True:
        begun = await http.post(f"{url}{response.path}/begin", json={}, headers=headers)
        if begun.status_code == 200:
            response.begins(begun.json()["version"])
            return response


async def crowd(
    tables: Sequence[Table],
    where: Callable[[], str],
    http: httpx.AsyncClient,
    writers: int,
    notes: int,
    random: Random,
    prefix: str = "",
) -> None:
    """Let `writers` clients write `notes` notes in all, with occasional reads."""

    async def write(number: int) -> None:
        for note in range(notes // writers):
            at = random.choice(tables)
            text = f"{prefix}{number}.{note}"
            done = await at.write(where, http, text, yields=note % 3 == 0)
            assert done or text in at.refused, at.answers
            if note % 5 == 0:
                await at.read(where(), http)

    async with asyncio.TaskGroup() as group:
        for number in range(writers):
            group.create_task(write(number))
