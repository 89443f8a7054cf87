"""Test listeners and webhooks under faults. `make soak` runs the long forms."""

import asyncio
import json
import time
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.rulesets.free_hit.units import foe
from tests.server import Server, started
from tests.service.proxy import Proxy
from tests.service.receiver import OK, Got, Receiver, answer
from tests.service.screens import Screen
from tests.service.test_proofs import PATIENT, SIZE, sized, told
from tests.service.writers import Table, crowd, table


async def sent(http: httpx.AsyncClient, url: str, at: Table, path: str, body: Any) -> Any:
    """Send a POST of the GM's until it succeeds."""
    headers = {**at.headers, "Idempotency-Key": str(uuid4())}
    while True:
        with suppress(httpx.HTTPError):
            got = await http.post(f"{url}{at.path}{path}", json=body, headers=headers)
            if got.status_code in (200, 201):
                return got.json()
            assert got.status_code == 503, got.text
        await asyncio.sleep(0.05)


async def readers(http: httpx.AsyncClient, url: str, at: Table) -> dict[str, dict[str, str]]:
    """Return headers of a GM, a player and a spectator.

    The GM hides one combatant from the player and the spectator.
    """
    hidden = {"sheet": foe("Lurker", max_hp=10_000), "hidden": True}
    await sent(http, url, at, "/combatants", hidden)
    headers = {"gm": at.headers}
    for role, combatants in (("player", ["Ana"]), ("spectator", [])):
        issued = await sent(http, url, at, "/tokens", {"role": role, "combatants": combatants})
        headers[role] = {"Authorization": f"Bearer {issued['token']}"}
    return headers


async def meddle(http: httpx.AsyncClient, url: str, at: Table, luck: Random) -> None:
    """Send commands that readers see differently: hidden damage, private notes, undo."""
    hurt = {"combatant": luck.choice(("Ana", "Lurker")), "amount": 1}
    for path, body in (
        ("/rulings", {"ruling": "damage", "inputs": hurt}),
        ("/notes", {"text": "secret", "private": True}),
        ("/undo", {"over": "command", "reason": "once more"}),
    ):
        if luck.random() < 0.6:
            await sent(http, url, at, path, body)


async def test_screens_agree_with_the_board_over_a_network_that_cuts(
    dsn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """All screens show the board of a read, although proxies cut their connections.

    A proxy is in front of the database of each replica, and another in front of each replica.
    """
    rounds = sized(1, 20)
    notes, replicas, of_each = (100, 3, 3) if SIZE else (16, 2, 1)
    inner = [Proxy(dsn, rate=0, seed=number) for number in range(replicas)]
    servers = await started(*[Server(await proxy.start()) for proxy in inner])
    outer = [Proxy(server.url, rate=0.03, seed=number) for number, server in enumerate(servers)]
    doors = [f"http://127.0.0.1:{urlsplit(await proxy.start()).port}" for proxy in outer]
    direct = [server.url for server in servers]
    luck = Random(11)
    began = time.monotonic()
    following: list[asyncio.Task[None]] = []
    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            at = await table(direct[0], http)
            tokens = await readers(http, direct[0], at)
            screens = [Screen(at.path, token) for token in tokens.values() for _ in range(of_each)]
            for network in inner:
                network.rate = 0.01
            following = [
                asyncio.create_task(screen.follow(lambda: luck.choice(doors), http, luck))
                for screen in screens
            ]
            for number in range(rounds):
                await crowd(
                    [at], lambda: luck.choice(direct), http, 4, notes, luck, prefix=f"{number}."
                )
                await meddle(http, luck.choice(direct), at, luck)
            for network in (*inner, *outer):
                network.rate = 0
            all_follow(following)
            for screen in screens:
                await screen.agrees(direct[0], http)
            await ended(following)  # before their client is closed
    finally:
        with suppress(Exception):
            await ended(following)
        for server in servers:
            await asyncio.to_thread(server.stop)
        for proxy in (*inner, *outer):
            await proxy.stop()
    counts = sum((screen.counts for screen in screens), Counter())
    faults = sum((proxy.faults for proxy in (*inner, *outer)), Counter())
    told(
        f"screens: {len(screens)} over {replicas} replicas, {screens[0].last} versions,"
        f" {time.monotonic() - began:.0f} s, {dict(counts)}, faults {dict(faults)}",
        capsys,
    )


def all_follow(screens: list[asyncio.Task[None]]) -> None:
    """Raise the error of a screen that has stopped."""
    for task in screens:
        if task.done():
            task.result()


async def ended(screens: list[asyncio.Task[None]]) -> None:
    """Stop all screens. Raise the first error of a screen."""
    for task in screens:
        task.cancel()
    answers = await asyncio.gather(*screens, return_exceptions=True)
    screens.clear()
    for error in answers:
        if isinstance(error, Exception):
            raise error


class Called:
    """A webhook with its receiver."""

    def __init__(self, luck: Random) -> None:
        self.luck = luck
        self.receiver = Receiver(self._sometimes)
        self.version = 0

    async def _sometimes(self, got: Got) -> bytes:
        return answer(503) if self.luck.random() < 0.02 else OK

    @property
    def versions(self) -> list[int]:
        """Return the versions of accepted calls, each once."""
        first = {call.id: call for call in self.receiver.taken}
        return [
            event["version"] for call in first.values() for event in call.call["data"]["events"]
        ]

    async def has_all(self, upto: int) -> None:
        """Check that the versions are in order and without a gap."""
        await self.receiver.until(lambda: self._newest() >= upto, 90)
        assert self.versions == list(range(self.version + 1, upto + 1))

    def _newest(self) -> int:
        taken = self.receiver.taken
        return max((json.loads(call.body)["data"]["version"] for call in taken[-5:]), default=0)


async def test_kills_of_replicas_under_listeners_and_webhooks(
    dsn: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Screens and webhooks miss no message while the test kills one replica after another.

    The short form has no webhooks, because another replica repeats the call of a killed replica
    only after 15 s.
    """
    monkeypatch.setenv("AFFRAY_WEBHOOK_NETWORKS", "127.0.0.0/8")
    seconds, replicas = (sized(1, 60), 3) if SIZE else (1, 2)
    luck = Random(7)
    servers = await started(*[Server(dsn) for _ in range(replicas)])
    following: list[asyncio.Task[None]] = []
    hooks = [Called(luck) for _ in range(3)] if SIZE else []
    kills = 0

    def anywhere() -> str:
        return luck.choice(servers).url

    try:
        async with httpx.AsyncClient(timeout=PATIENT) as http:
            at = await table(servers[0].url, http)
            tokens = await readers(http, servers[0].url, at)
            listed = (
                await http.get(f"{servers[0].url}{at.path}/tokens", headers=at.headers)
            ).json()
            for hook, line in zip(hooks, listed["tokens"], strict=False):
                await hook.receiver.start()
                body = {
                    "url": hook.receiver.url,
                    "occasions": ["command"],
                    "audience": line["id"],
                }
                hook.version = (await sent(http, servers[0].url, at, "/webhooks", body))["version"]
            screens = [Screen(at.path, token) for token in tokens.values() for _ in range(2)]
            following = [
                asyncio.create_task(screen.follow(anywhere, http, luck)) for screen in screens
            ]
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                writing = asyncio.create_task(
                    crowd([at], anywhere, http, 4, 40, luck, prefix=f"{kills}.")
                )
                await asyncio.sleep(luck.random())
                gone = servers.pop(luck.randrange(replicas))
                await asyncio.to_thread(gone.kill)
                servers.append(await asyncio.to_thread(Server(dsn).start))
                kills += 1
                await writing
                await meddle(http, servers[0].url, at, luck)
            all_follow(following)
            for screen in screens:
                await screen.agrees(servers[0].url, http)
            for hook, headers in zip(hooks, tokens.values(), strict=False):
                board = await http.get(f"{servers[0].url}{at.path}", headers=headers)
                await hook.has_all(board.json()["version"])
            await ended(following)
    finally:
        with suppress(Exception):
            await ended(following)
        for server in servers:
            await asyncio.to_thread(server.stop)
        for hook in hooks:
            await hook.receiver.stop()
    counts = sum((screen.counts for screen in screens), Counter())
    calls = [len(called.receiver.taken) for called in hooks]
    again = sum(calls) - sum(len({got.id for got in called.receiver.taken}) for called in hooks)
    told(
        f"kills: {kills} in {seconds} s, {screens[0].last} versions, {dict(counts)},"
        f" calls taken {calls}, of these twice {again}",
        capsys,
    )
