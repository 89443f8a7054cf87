"""Test that webhooks get their calls in order, and at least once."""

import asyncio
import json
import logging
import re
import threading
from collections.abc import AsyncIterator
from http.server import HTTPServer
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from standardwebhooks import Webhook

from service.app import Service, create_app
from service.live import delivery
from service.settings import Settings
from service.store.webhooks import KEPT, Delivered, Slots
from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.service.receiver import Got, Receiver, answer
from tests.service.test_stream import board, read

ANA = unit("Ana", agility=5, weapons=[SWORD], at=[0, 0], owner="anna")
IMP = foe("Imp", agility=1, weapons=[SWORD], at=[1, 0])
HERE = ip_network("127.0.0.0/8")


@pytest.fixture(scope="module")
async def calling(dsn: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """Run a service that may call this machine, with short pauses."""
    settings = Settings(dsn, tmp_path_factory.mktemp("data"), webhook_networks=(HERE,))
    app = create_app(settings)
    running: Service = app.state.service
    async with running.running(app):
        running.delivery.pauses = (0.05, 0.1, 0.2)
        yield running


@pytest.fixture
async def gm(calling: Service) -> AsyncIterator[Client]:
    """Yield the GM's client of a fight in preparation."""
    transport = httpx.ASGITransport(app=calling.asgi)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        client = Client(http)
        await client.open("free-hit", [ANA, IMP])
        yield client


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    running = await Receiver().start()
    yield running
    await running.stop()


async def register(gm: Client, receiver: Receiver, *occasions: str, **more: Any) -> Any:
    body = {"url": receiver.url, "occasions": occasions or ["command"], **more}
    return await gm.done("/webhooks", body)


async def line_of(gm: Client, id: str) -> Any:
    webhooks = (await gm.get("/webhooks")).json()["webhooks"]
    return next((entry for entry in webhooks if entry["id"] == id), None)


async def once(gm: Client, id: str, field: str, value: Any) -> Any:
    """Wait until a field of the webhook has this value, and return the webhook."""
    async with asyncio.timeout(10):
        while True:
            webhook = await line_of(gm, id)
            if webhook[field] == value:
                return webhook
            await asyncio.sleep(0.02)


async def state_is(gm: Client, id: str, state: str) -> Any:
    return await once(gm, id, "state", state)


async def token_id(gm: Client, role: str) -> str:
    tokens = (await gm.get("/tokens")).json()["tokens"]
    return next(str(token["id"]) for token in tokens if token["role"] == role)


# ---- the content of calls


async def test_every_command_is_told_as_the_stream_tells_it(gm: Client, receiver: Receiver) -> None:
    hook = await register(gm, receiver)
    await gm.done("/begin")
    await gm.act("Ana", "boost-hit")
    await gm.done("/undo", {"reason": "oops"})
    calls = await receiver.calls(3)
    stream = await read(gm, last=hook["version"])
    told = [call["data"] for call in calls]
    as_streamed = [data for _, _, data in stream]
    for messages in (*told, *as_streamed):
        for event in messages["events"]:
            del event["undone"]  # a call may precede the undo, but the stream was read after it
    assert told == as_streamed
    assert {call["type"] for call in calls} == {"command"}
    assert {call["combat"] for call in calls} == {gm.combat}
    assert calls[0]["timestamp"] == stream[0][2]["at"]
    assert [call.id for call in receiver.taken] == [f"{hook['id']}-{id}" for _, id, _ in stream]
    await once(gm, hook["id"], "version", stream[-1][1])


async def test_every_call_is_signed(gm: Client, receiver: Receiver) -> None:
    hook = await register(gm, receiver)
    await gm.done("/begin")
    await receiver.calls(1)
    (got,) = receiver.taken
    assert Webhook(hook["secret"]).verify(got.body, got.headers) == got.call


async def test_a_call_tells_no_more_than_its_audience_may_know(
    gm: Client, receiver: Receiver
) -> None:
    token = await gm.player("Ana")
    hook = await register(gm, receiver, audience=await token_id(gm, "player"))
    await gm.done("/combatants", {"sheet": {**IMP, "name": "Lurker"}, "hidden": True})
    await gm.done("/rulings", {"ruling": "damage", "inputs": {"combatant": "Lurker", "amount": 3}})
    await gm.done("/begin")
    calls = await receiver.calls(1)
    stream = await read(gm, last=hook["version"], token=token)
    assert [call["data"] for call in calls] == [data for _, _, data in stream]
    assert "Lurker" not in json.dumps(calls)


async def test_a_turn_is_told_when_somebody_of_the_audience_is_on_turn(
    gm: Client, receiver: Receiver
) -> None:
    await gm.player("Ana")
    hook = await register(gm, receiver, "turn", audience=await token_id(gm, "player"))
    begun = (await gm.done("/begin"))["version"]
    await gm.act("Ana", "boost-hit")  # still its turn: no call
    await gm.act("Ana", "end-turn")  # the Imp's turn is not for this audience
    await gm.act("Imp", "end-turn")
    calls = await receiver.calls(2)
    assert [call["type"] for call in calls] == ["turn", "turn"]
    assert calls[0]["data"]["version"] < begun  # the player sees no more than the GM
    assert [prompt["who"] for call in calls for prompt in call["data"]["prompts"]] == ["Ana", "Ana"]
    await once(gm, hook["id"], "version", calls[1]["data"]["version"])


async def test_the_end_is_told_once_for_each_that_wants_it(gm: Client, receiver: Receiver) -> None:
    await register(gm, receiver, "ended")
    await register(gm, receiver, "prompt", "ended")
    await gm.done("/begin")
    await gm.done("/end", {"winners": ["heroes"]})
    calls = await receiver.calls(3)
    assert sorted(call["type"] for call in calls) == ["ended", "ended", "prompt"]


# ---- at least once, in order


async def test_what_is_not_taken_is_sent_again_before_anything_else(
    gm: Client, receiver: Receiver
) -> None:
    left = [500, 503, 200, 429]

    async def now_and_then(got: Got) -> bytes:
        return answer(left.pop(0) if left else 200)

    receiver.answers = now_and_then
    await register(gm, receiver)
    await gm.done("/begin")
    await gm.act("Ana", "boost-hit")
    await receiver.calls(2)
    ids = [call.id for call in receiver.got]
    assert ids == [ids[0]] * 3 + [ids[3]] * 2
    assert [call.taken for call in receiver.got] == [False, False, True, False, True]


async def test_a_database_that_was_held_up_is_not_waited_for_tenfold(
    gm: Client, receiver: Receiver, dsn: str
) -> None:
    await register(gm, receiver)
    held = await asyncpg.connect(dsn)
    async with held.transaction():
        await held.execute("LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE")
        await asyncio.sleep(2)
    await held.close()
    await gm.done("/begin")
    await receiver.until(lambda: bool(receiver.got), 8)


async def test_who_never_takes_a_call_is_given_up_and_can_be_told_again(
    gm: Client, receiver: Receiver
) -> None:
    async def broken(got: Got) -> bytes:
        return answer(500)

    receiver.answers = broken
    hook = await register(gm, receiver)
    await gm.done("/begin")
    await state_is(gm, hook["id"], "failing")
    webhook = await state_is(gm, hook["id"], "given-up")
    assert webhook["failures"] == 4  # one call at once, and one after each of three pauses
    assert webhook["problem"] == "it answered 500"
    assert webhook["version"] == hook["version"]
    await gm.act("Ana", "boost-hit")
    receiver.answers = Receiver().answers
    receiver.got.clear()
    again = await gm.done(f"/webhooks/{hook['id']}/replay", {"version": hook["version"]})
    assert again["state"] == "active"
    calls = await receiver.calls(2)
    stream = await read(gm, last=hook["version"])
    assert [call["data"] for call in calls] == [data for _, _, data in stream]
    await once(gm, hook["id"], "version", stream[-1][1])


async def test_a_replay_has_the_same_ids(gm: Client, receiver: Receiver) -> None:
    hook = await register(gm, receiver)
    await gm.done("/begin")
    await gm.act("Ana", "boost-hit")
    await receiver.calls(2)
    await gm.done(f"/webhooks/{hook['id']}/replay", {"version": hook["version"]})
    await receiver.calls(4)
    ids = [call.id for call in receiver.taken]
    assert ids[:2] == ids[2:]
    future = {"version": 9999}
    refused = await gm.post(f"/webhooks/{hook['id']}/replay", future)
    assert (refused.status_code, refused.json()["pointer"]) == (400, "/version")


async def test_410_is_the_last_word(gm: Client, receiver: Receiver) -> None:
    async def gone(got: Got) -> bytes:
        return answer(410)

    receiver.answers = gone
    hook = await register(gm, receiver)
    await gm.done("/begin")
    await state_is(gm, hook["id"], "given-up")
    assert len(receiver.got) == 1


async def test_only_the_newest_claim_moves_a_webhook(
    calling: Service, gm: Client, receiver: Receiver
) -> None:
    """A worker that returns after its lease has ended changes nothing."""
    await calling.delivery.stop()
    try:
        await register(gm, receiver)
        await gm.done("/begin")
        (late,) = await calling.webhooks.claim(Slots(10), 0)
        (newer,) = await calling.webhooks.claim(Slots(10), 20)
        assert late.id == newer.id
        assert await calling.webhooks.claim(Slots(10), 20) == []
        assert await calling.webhooks.told(late, 99, 20) is None
        call = Delivered("late", "command", 99, "2026-01-01T00:00:00Z", False, "late")
        await calling.webhooks.failed(late, call, None)
        assert await calling.webhooks.told(newer, 3, 0) is not None
        (webhook,) = await calling.webhooks.of(newer.combat)
        assert (webhook.told, webhook.failures, webhook.given_up) == (3, 0, False)
    finally:
        calling.delivery.start()


async def test_the_last_calls_are_listed_with_what_became_of_them(
    gm: Client, receiver: Receiver
) -> None:
    told = asyncio.Event()

    async def sometimes(got: Got) -> bytes:
        return answer(204) if told.is_set() else answer(500)

    receiver.answers = sometimes
    hook = await register(gm, receiver)
    path = f"/webhooks/{hook['id']}/deliveries"
    assert (await gm.get(path)).json() == {"deliveries": []}
    version = (await gm.done("/begin"))["version"]
    await receiver.until(lambda: len(receiver.got) == 2)
    told.set()
    await once(gm, hook["id"], "version", version)
    failed, again, taken = reversed((await gm.get(path)).json()["deliveries"])
    assert failed["problem"] == "it answered 500"
    assert [body["taken"] for body in (failed, again, taken)] == [False, False, True]
    assert {entry["id"] for entry in (failed, again, taken)} == {f"{hook['id']}-{version}"}
    assert (taken["type"], taken["version"], taken["problem"]) == ("command", version, "")
    for number in range(KEPT + 3):
        version = (await gm.done("/notes", {"text": f"{number}"}))["version"]
    await once(gm, hook["id"], "version", version)
    deliveries = (await gm.get(path)).json()["deliveries"]
    assert len(deliveries) == KEPT
    assert deliveries[0]["version"] == version
    player = await gm.player("Ana")
    assert (await gm.get(path, token=player)).status_code == 403


async def test_a_ping_is_signed_and_says_what_the_address_answered(
    gm: Client, receiver: Receiver
) -> None:
    hook = await register(gm, receiver, "ended")
    path = f"/webhooks/{hook['id']}/ping"
    ping = await gm.done(path)
    assert (ping["type"], ping["taken"], ping["problem"]) == ("ping", True, "")
    (got,) = receiver.got
    assert got.id == ping["id"]
    call: Any = Webhook(hook["secret"]).verify(got.body, got.headers)
    assert (call["type"], call["combat"], call["data"]) == ("ping", gm.combat, {})

    async def broken(got: Got) -> bytes:
        return answer(503)

    receiver.answers = broken
    ping = await gm.done(path)
    assert (ping["taken"], ping["problem"]) == (False, "it answered 503")
    line = await line_of(gm, hook["id"])
    assert (line["state"], line["failures"]) == ("active", 0)
    assert (await gm.post("/webhooks/none/ping")).status_code == 404


async def test_a_webhook_is_changed_and_goes_on_where_it_was(
    gm: Client, receiver: Receiver
) -> None:
    async def no(got: Got) -> bytes:
        return answer(410)

    receiver.answers = no
    hook = await register(gm, receiver)
    version = (await gm.done("/begin"))["version"]
    await state_is(gm, hook["id"], "given-up")
    path = f"/webhooks/{hook['id']}"
    wrong = await gm.call("PATCH", path, {"url": "http://192.0.2.1/calls"})
    assert wrong.json()["pointer"] == "/url"
    unknown = await gm.call("PATCH", "/webhooks/none", {"occasions": ["ended"]})
    assert unknown.status_code == 404
    same = await gm.call("PATCH", path, {"occasions": ["command", "ended"]})
    assert (same.json()["state"], same.json()["url"]) == ("given-up", receiver.url)
    assert same.json()["occasions"] == ["command", "ended"]
    other = await Receiver().start()
    try:
        changed = await gm.call("PATCH", path, {"url": other.url})
        assert changed.json()["url"] == other.url
        assert (changed.json()["state"], changed.json()["failures"]) == ("active", 0)
        await once(gm, hook["id"], "version", version)
        (got,) = other.taken
        assert got.call["data"]["version"] == version
    finally:
        await other.stop()


# ---- ownership


async def test_a_webhook_ends_with_its_tokens(gm: Client, receiver: Receiver) -> None:
    master = gm.token
    await gm.player("Ana")
    player = await token_id(gm, "player")
    second = await gm.done("/tokens", {"role": "gm"})
    of_player = await register(gm, receiver, audience=player)
    gm.token = second["token"]
    of_second = await register(gm, receiver)
    gm.token = master
    stays = await register(gm, receiver)
    await gm.call("DELETE", f"/tokens/{player}")
    await gm.call("DELETE", f"/tokens/{second['id']}")
    assert await line_of(gm, of_player["id"]) is None
    assert await line_of(gm, of_second["id"]) is None
    await gm.done("/begin")
    await receiver.calls(1)
    assert [call.id.partition("-")[0] for call in receiver.taken] == [stays["id"]]


async def test_a_webhook_ends_when_its_token_does(
    calling: Service, gm: Client, receiver: Receiver
) -> None:
    soon = "2099-01-01T00:00:00Z"
    issued = await gm.done("/tokens", {"role": "spectator", "ends_at": soon})
    hook = await register(gm, receiver, audience=issued["id"])
    store = calling.store
    await store.pool.execute(
        "UPDATE tokens SET ends_at = now() WHERE combat_id = $1 AND token_id = $2",
        gm.combat,
        issued["id"],
    )
    await store.pool.execute("UPDATE heads SET tokens = tokens + 1 WHERE combat_id = $1", gm.combat)
    await gm.done("/begin")
    count = "SELECT count(*) FROM webhooks WHERE webhook_id = $1"
    async with asyncio.timeout(5):
        left = 1
        while left:
            await asyncio.sleep(0.02)
            left = await store.pool.fetchval(count, hook["id"])
    assert receiver.got == []


async def test_a_webhook_is_gone_with_its_combat(
    calling: Service, gm: Client, receiver: Receiver
) -> None:
    hook = await register(gm, receiver)
    await gm.call("DELETE")
    count = "SELECT count(*) FROM webhooks WHERE webhook_id = $1"
    assert await calling.store.pool.fetchval(count, hook["id"]) == 0


async def test_it_is_the_gms_alone(gm: Client, receiver: Receiver) -> None:
    token = await gm.player("Ana")
    hook = await register(gm, receiver)
    body = {"url": receiver.url, "occasions": ["turn"]}
    assert (await gm.post("/webhooks", body, token=token)).status_code == 403
    assert (await gm.get("/webhooks", token=token)).status_code == 403
    assert (await gm.call("DELETE", f"/webhooks/{hook['id']}")).status_code == 204
    assert (await gm.call("DELETE", f"/webhooks/{hook['id']}")).status_code == 404


async def test_there_is_an_end_to_webhooks(gm: Client, receiver: Receiver) -> None:
    for _ in range(20):
        await register(gm, receiver)
    refused = await gm.post("/webhooks", {"url": receiver.url, "occasions": ["turn"]})
    assert (refused.status_code, refused.json()["reason"]) == (409, "too-many-webhooks")


# ---- secrets


async def test_the_secret_is_shown_once(
    calling: Service, gm: Client, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    body = {"url": f"{receiver.url}?key=mine", "occasions": ["command"]}
    key = {"Idempotency-Key": "the same"}
    first = await gm.post("/webhooks", body, headers=key)
    assert first.status_code == 201
    assert first.headers["cache-control"] == "no-store"
    secret = first.json()["secret"]
    repeated = await gm.post("/webhooks", body, headers=key)
    assert repeated.json() == first.json()  # no second webhook exists
    assert repeated.headers["idempotency-replayed"] == "true"
    assert secret not in (await gm.get("/webhooks")).text
    assert len((await gm.get("/webhooks")).json()["webhooks"]) == 1
    kept = await calling.store.pool.fetch("SELECT body FROM idempotency")
    assert all(secret.encode() not in row[0] for row in kept)
    await gm.done("/begin")
    await receiver.calls(1)
    said = " ".join(
        log_record.getMessage() for log_record in caplog.records if log_record.name != "asyncio"
    )
    assert secret not in said
    assert "key=mine" not in said


# ---- answers


async def test_no_redirect_is_followed(gm: Client, receiver: Receiver) -> None:
    elsewhere = await Receiver().start()

    async def moved(got: Got) -> bytes:
        return answer(307, f"Location: {elsewhere.url}")

    receiver.answers = moved
    hook = await register(gm, receiver)
    await gm.done("/begin")
    webhook = await state_is(gm, hook["id"], "failing")
    assert webhook["problem"] == "it answered 307, and redirects are not followed"
    assert elsewhere.got == []
    await elsewhere.stop()


async def test_an_answer_has_its_time(
    gm: Client, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "ANSWER_S", 0.3)

    async def slow(got: Got) -> bytes:
        await asyncio.sleep(0.6)
        return answer(200)

    receiver.answers = slow
    hook = await register(gm, receiver)
    await gm.done("/begin")
    assert "did not answer within" in (await state_is(gm, hook["id"], "failing"))["problem"]


async def test_an_answer_has_its_size(gm: Client, receiver: Receiver) -> None:
    """The service accepts an endless answer, but reads only its beginning."""

    async def large(got: Got) -> bytes:
        return answer(200, "Content-Length: 9999999999", body=b"x" * 100_000)

    receiver.answers = large
    await register(gm, receiver)
    await gm.done("/begin")
    await gm.act("Ana", "boost-hit")
    await receiver.calls(2)


# ---- the docs


async def test_the_receiver_of_the_docs(gm: Client) -> None:
    page = Path(__file__).parents[2] / "docs/how-to/webhooks.md"
    (text,) = re.findall(r"```python\n([^`]*?standardwebhooks.*?)```", page.read_text(), re.S)
    names: dict[str, Any] = {}
    exec(text, names)
    heard: list[tuple[str, Any]] = []
    there = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told(kind: str, data: Any) -> None:
        heard.append((kind, data))
        loop.call_soon_threadsafe(there.set)

    handler = names["Receiver"]
    handler.told = staticmethod(told)
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        hook = await gm.done("/webhooks", {"url": url, "occasions": ["command"]})
        handler.secret = hook["secret"]
        forged = await asyncio.to_thread(httpx.post, url, json={"type": "turn", "data": {}})
        assert forged.status_code == 401
        await gm.done("/begin")
        async with asyncio.timeout(5):
            await there.wait()
        server.shutdown()
    assert [kind for kind, _ in heard] == ["command"]
    assert heard[0][1]["version"] == (await board(gm))["version"]
