"""Silent receivers delay no other webhook, and a rotation of secrets loses no call."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.app import Service, create_app
from service.live import delivery
from service.settings import Settings
from service.store.webhooks import PER_HOST
from tests.client import Client
from tests.conftest import database
from tests.service.receiver import OK, Got, Receiver, answer
from tests.service.test_deadlines import SHEETS


@pytest.fixture
async def calling(server_dsn: str, tmp_path: Path) -> AsyncIterator[Service]:
    """Run a service with a separate database. Its webhooks may call this machine."""
    here = (ip_network("127.0.0.0/8"),)
    async with database(server_dsn) as dsn:
        app = create_app(Settings(dsn, tmp_path, webhook_networks=here))
        running: Service = app.state.service
        async with running.running(app):
            yield running


@pytest.fixture
async def http(calling: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=calling.asgi)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def silent(got: Got) -> bytes:
    """Receive the call and never answer."""
    await asyncio.sleep(60)
    return OK


async def opened(http: httpx.AsyncClient, *urls: str) -> Client:
    """Open a fight in preparation, with a webhook for each address."""
    client = Client(http)
    await client.open("free-hit", SHEETS)
    for url in urls:
        await client.done("/webhooks", {"url": url, "occasions": ["command"]})
    return client


async def seconds_until_told(fight: Client, receiver: Receiver) -> float:
    """Return the seconds until a good receiver gets the next call."""
    receiver.got.clear()
    began = time.monotonic()
    await fight.done("/notes", {"text": "now"})
    await receiver.until(lambda: bool(receiver.taken), 30)
    return time.monotonic() - began


async def test_silent_webhooks_of_one_host_leave_slots_to_others(http: httpx.AsyncClient) -> None:
    good, bad = await Receiver().start(), await Receiver(silent).start()
    fights = [await opened(http, *[f"{bad.url}/{n}" for n in range(20)]) for _ in range(4)]
    fight = await opened(http, good.url)
    for other in fights:
        await other.done("/begin")
    await asyncio.sleep(1)
    assert len(bad.got) <= PER_HOST
    assert await seconds_until_told(fight, good) < 3
    for receiver in (good, bad):
        await receiver.stop()


async def test_silent_webhooks_of_many_hosts_leave_slots_to_those_that_answer(
    http: httpx.AsyncClient,
) -> None:
    good = await Receiver().start()
    bad = await asyncio.start_server(lambda reader, writer: None, "0.0.0.0", 0)
    port = bad.sockets[0].getsockname()[1]
    fight = await opened(http, good.url)
    await seconds_until_told(fight, good)  # the good receiver has accepted a call
    for combat in range(5):
        hosts = (f"http://127.0.{combat}.{host}:{port}/" for host in range(1, 21))
        other = await opened(http, *hosts)
        await other.done("/begin")
    await asyncio.sleep(1)
    assert await seconds_until_told(fight, good) < 3
    await good.stop()
    bad.close()


async def test_a_receiver_that_keeps_failing_is_waited_for_shorter(
    http: httpx.AsyncClient, calling: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "ANSWER_S", 0.6)
    monkeypatch.setattr(delivery, "SHORT_ANSWER_S", 0.1)
    calling.delivery.pauses = (0.05, 0.05, 0.05)
    bad = await Receiver(silent).start()
    fight = await opened(http, bad.url)
    await fight.done("/begin")
    async with asyncio.timeout(20):
        while True:
            (hook,) = (await fight.get("/webhooks")).json()["webhooks"]
            if hook["state"] == "given-up":
                break
            await asyncio.sleep(0.05)
    assert hook["problem"] == "it did not answer within 0 s"
    assert hook["failures"] == 4
    await bad.stop()


async def test_pauses_grow_and_keep_the_receiver_alone(
    http: httpx.AsyncClient, calling: Service
) -> None:
    """The pauses before retries follow the list, ± 20 %. No retry follows the last pause."""
    calling.delivery.pauses = (0.5, 2.0)
    failing = await Receiver().start()
    times: list[float] = []

    async def noted(got: Got) -> bytes:
        times.append(time.monotonic())
        return answer(500)

    failing.answers = noted
    fight = await opened(http, failing.url)
    await fight.done("/begin")
    await failing.until(lambda: len(times) == 3, 20)
    first, second = times[1] - times[0], times[2] - times[1]
    assert 0.4 <= first < 1.6
    assert 1.6 <= second < 4
    await asyncio.sleep(1)
    assert len(times) == 3, "it is given up after the last pause"
    await failing.stop()


def signed_by(got: Got, secret: str) -> bool:
    """Return true if a receiver with this secret accepts the call."""
    try:
        Webhook(secret).verify(got.body, got.headers)
    except WebhookVerificationError:
        return False
    return True


async def rotated(fight: Client, hook: Any, **more: Any) -> Any:
    return await fight.done(f"/webhooks/{hook}/secret", more)


async def test_a_rotated_secret_signs_beside_the_one_of_before(http: httpx.AsyncClient) -> None:
    receiver = await Receiver().start()
    fight = await opened(http)
    hook = await fight.done("/webhooks", {"url": receiver.url, "occasions": ["command"]})
    new = await rotated(fight, hook["id"], overlap_s=3600)
    ends = datetime.fromisoformat(new["previous_until"]) - datetime.now(UTC)
    assert timedelta(minutes=59) < ends <= timedelta(hours=1)
    await seconds_until_told(fight, receiver)
    assert signed_by(receiver.taken[0], new["secret"])
    assert signed_by(receiver.taken[0], hook["secret"])
    newest = await rotated(fight, hook["id"])
    await seconds_until_told(fight, receiver)
    by = [signed_by(receiver.taken[0], made["secret"]) for made in (newest, new, hook)]
    assert by == [True, True, False]
    await receiver.stop()


async def test_a_secret_that_is_known_to_others_ends_at_once(
    http: httpx.AsyncClient, calling: Service
) -> None:
    receiver = await Receiver().start()
    fight = await opened(http)
    hook = await fight.done("/webhooks", {"url": receiver.url, "occasions": ["command"]})
    new = await rotated(fight, hook["id"], overlap_s=0)
    await seconds_until_told(fight, receiver)
    by = [signed_by(receiver.taken[0], made["secret"]) for made in (new, hook)]
    assert by == [True, False]
    last = await rotated(fight, hook["id"], overlap_s=60)
    await calling.store.pool.execute("UPDATE webhooks SET previous_until = now()")
    await seconds_until_told(fight, receiver)
    by = [signed_by(receiver.taken[0], made["secret"]) for made in (last, new)]
    assert by == [True, False], "the overlap has ended"
    await receiver.stop()


async def test_who_may_rotate_and_what_is_refused(http: httpx.AsyncClient) -> None:
    receiver = await Receiver().start()
    fight = await opened(http)
    hook = await fight.done("/webhooks", {"url": receiver.url, "occasions": ["command"]})
    path = f"/webhooks/{hook['id']}/secret"
    player = await fight.player("Ana")
    assert (await fight.post(path, {}, token=player)).status_code == 403
    assert (await fight.post("/webhooks/none/secret", {})).status_code == 404
    for seconds in (-1, 604_801, "soon"):
        refused = await fight.post(path, {"overlap_s": seconds})
        assert (refused.status_code, refused.json()["pointer"]) == (400, "/overlap_s")
    key = {"Idempotency-Key": "rotate-1"}
    first = await fight.post(path, {}, headers=key)
    again = await fight.post(path, {}, headers=key)
    assert first.json() == again.json()
    assert again.headers["cache-control"] == "no-store"
    await receiver.stop()


async def test_a_webhook_is_called_again_for_about_17_hours(calling: Service) -> None:
    """The pauses begin with 2 s and grow, as the documentation of registration promises."""
    pauses = calling.delivery.pauses
    assert pauses[0] == 2
    assert list(pauses) == sorted(set(pauses))
    assert 17 <= sum(pauses) / 3600 < 19
