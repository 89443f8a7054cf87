"""Screens that follow a combat over any replica, lose connections, and resume."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

IMPATIENT = httpx.Timeout(10, read=5, pool=60)
"""A screen reconnects after 5 s without a message, perhaps to another replica."""


@dataclass
class Screen:
    """One reader's board, built from its messages."""

    path: str
    headers: dict[str, str]
    last: int | None = None
    place: str = ""
    board: Any = None
    counts: Counter[str] = field(default_factory=Counter)

    async def follow(self, where: Callable[[], str], http: httpx.AsyncClient, luck: Random) -> None:
        """Follow the combat until cancelled."""
        while True:
            try:
                await self._once(where(), http, luck.choice((1, 5, 20, 1000)))
            except httpx.HTTPError as error:
                self.counts[type(error).__name__] += 1
                await asyncio.sleep(0.05)

    async def _once(self, url: str, http: httpx.AsyncClient, most: int) -> None:
        """Take some messages, then disconnect."""
        headers = dict(self.headers)
        if self.last is not None:
            headers["Last-Event-ID"] = self.place
        params = {"board": "full"}
        address = f"{url}{self.path}/stream"
        async with http.stream(
            "GET", address, headers=headers, params=params, timeout=IMPATIENT
        ) as answer:
            if answer.status_code != 200:
                assert answer.status_code == 503, await answer.aread()
                self.counts["503"] += 1
                return
            fields: dict[str, str] = {}
            async for line in answer.aiter_lines():
                if not line and "data" in fields:
                    self.place = fields["id"]
                    number = int(self.place.partition("-")[0])
                    self._take(fields["event"], number, json.loads(fields["data"]))
                    most -= 1
                    if not most:
                        self.counts["left"] += 1
                        return
                    fields = {}
                name, _, value = line.partition(": ")
                fields[name] = value

    def _take(self, kind: str, id: int, data: Any) -> None:
        """Take a message, and check that numbers are consecutive."""
        if kind == "board":
            changed = id == self.last and data != self.board
            assert self.last is None or changed, "a board that says nothing new"
            self.board = data
        else:
            assert kind == "command", kind
            numbers = [event["version"] for event in data["events"]]
            assert self.last is not None
            assert numbers == list(range(self.last + 1, self.last + 1 + len(numbers)))
            assert id == data["version"] == numbers[-1]
            self.board = data.get("board", self.board)
        self.last = id
        self.counts["messages"] += 1

    async def agrees(self, url: str, http: httpx.AsyncClient) -> None:
        """Check that the screen's board equals the board of GET, once it is up to date."""
        present = (await http.get(f"{url}{self.path}", headers=self.headers)).json()
        async with asyncio.timeout(60):
            while True:
                await asyncio.sleep(0.05)
                assert self.last is None or self.last <= present["version"]
                if self.board == present:
                    break
        assert self.last == present["version"]
