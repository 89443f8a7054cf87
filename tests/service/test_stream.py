"""Test that a stream repeats and omits nothing, and shows no more than the reader's board."""

import asyncio
import json
import re
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest
import uvicorn

from service import serve
from service.app import Service
from service.live import table, tickets
from service.live.messages import told
from service.live.places import Place
from service.settings import Settings
from tests.client import Client
from tests.forms import forms
from tests.fuzz.test_walker import HttpWalker
from tests.rulesets.free_hit.units import foe, unit
from tests.server import Server

ANA = unit("Ana", agility=5, owner="anna")
IMP = foe("Imp", agility=1)
Message = tuple[str, int | None, Any]


def parsed(text: str) -> list[Message]:
    """Return event, id and data of each message of an ended stream."""
    messages: list[Message] = []
    for block in text.split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in block.split("\n") if ": " in line and line[0] != ":"
        )
        if "data" in fields:
            id = int(fields["id"].partition("-")[0]) if "id" in fields else None
            messages.append((fields["event"], id, json.loads(fields["data"])))
    return messages


async def read(client: Client, *, last: int | str | None = None, **more: Any) -> list[Message]:
    """Return the messages that are ready now."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    params = {"wait": "0", **more.pop("params", {})}
    answer = await client.get("/stream", headers=headers, params=params, **more)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return parsed(answer.text)


async def place(client: Client, token: str) -> str:
    """Return the complete id of a stream's first message."""
    answer = await client.get("/stream", token=token, params={"wait": "0"})
    return answer.text.partition("\nid: ")[2].partition("\n")[0]


async def board(client: Client, token: str | None = None) -> Any:
    return (await client.get("", token=token)).json()


async def test_the_first_message_is_the_board(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    ((kind, id, data),) = await read(client)
    assert kind == "board"
    assert data == await board(client)
    assert id == data["version"]


async def test_who_comes_back_gets_exactly_what_was_missed(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    ((_, start, _),) = await read(client)
    await client.done("/begin")
    await client.act("Ana", "boost-hit")
    messages = await read(client, last=start)
    assert [kind for kind, _, _ in messages] == ["command", "command"]
    versions = [event["version"] for _, _, told in messages for event in told["events"]]
    now = await board(client)
    assert start is not None
    assert versions == list(range(start + 1, now["version"] + 1))
    assert messages[-1][1] == now["version"]
    assert messages[-1][2]["prompts"] == now["prompts"]
    assert 0 < len(messages[0][2]["sentences"]) <= len(messages[0][2]["events"])
    assert all(all(told["sentences"]) for _, _, told in messages)
    assert await read(client, last=now["version"]) == []


async def test_the_board_comes_along_when_it_is_asked_for(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    ((_, start, _),) = await read(client)
    await client.done("/begin")
    await client.act("Ana", "boost-hit")
    messages = await read(client, last=start, params={"board": "full"})
    assert "board" not in messages[0][2]
    assert messages[1][2]["board"] == await board(client)


async def test_the_offers_of_those_who_are_prompted_come_along_when_asked_for(
    client: Client,
) -> None:
    await client.open("free-hit", [ANA, IMP])
    await client.done("/combatants", {"sheet": {**IMP, "name": "Lurker"}, "hidden": True})
    await client.done("/begin")
    player = await client.player("Ana")
    for token in (client.token, await client.player(role="spectator"), player):
        wanted = {"offers": "prompted"}
        (_, start, _), (kind, id, told) = await read(client, token=token, params=wanted)
        assert (kind, id, told["version"]) == ("offers", None, start)
        every = (await client.get("/options", token=token, params={"schemas": "cite"})).json()
        answers = [offer for offer in every["options"] if offer["prompt"] is not None]
        assert told["options"] == answers
        assert told["schemas"].items() <= every["schemas"].items()
        assert told["cited"].items() <= every["cited"].items()
        assert "Lurker" not in json.dumps(told) or token == client.token
        assert bool(answers) == (token in (client.token, player))
    await client.act("Ana", "boost-hit")
    await client.done("/combatants", {"sheet": {**IMP, "name": "Other"}, "hidden": True})
    messages = await read(client, last=start, token=player, params=wanted)
    assert [kind for kind, _, _ in messages] == ["command", "offers"]


async def test_undo_is_told(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    await client.done("/begin")
    before = (await board(client))["version"]
    await client.done("/undo", {"reason": "oops"})
    ((_, _, told),) = await read(client, last=before)
    assert [event["type"] for event in told["events"]] == ["reverted"]


async def test_a_player_is_told_no_more_than_its_board(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    token = await client.player("Ana")
    await client.done("/combatants", {"sheet": {**IMP, "name": "Lurker"}, "hidden": True})
    ((_, start, data),) = await read(client, token=token)
    assert "Lurker" not in json.dumps(data)
    whole = await place(client, token)
    assert await read(client, last=start, token=token) == [("board", start, data)]
    await client.done(
        "/rulings", {"ruling": "damage", "inputs": {"combatant": "Lurker", "amount": 3}}
    )
    assert await read(client, last=whole, token=token) == []
    assert await read(client, last=start, token=token) == [("board", start, data)]
    await client.done("/begin")
    messages = await read(client, last=start, token=token)
    assert "Lurker" not in json.dumps(messages)
    assert messages[-1][1] == (await board(client, token))["version"]


@pytest.mark.parametrize(
    "id", ["", "-1", "x", "1e3", "99999", "9" * 40, "1-", "1-0123456G", "1-00000000"]
)
async def test_a_broken_last_event_id_is_refused(client: Client, id: str) -> None:
    await client.open("free-hit", [ANA, IMP])
    answer = await client.get("/stream", headers={"Last-Event-ID": id}, params={"wait": "0"})
    assert answer.status_code == 400
    assert answer.json()["pointer"] == "/header/Last-Event-ID"
    answer = await client.get("/stream", params={"after": id, "wait": "0"})
    assert (answer.status_code, answer.json()["pointer"]) == (400, "/query/after")


async def test_an_id_of_another_stream_is_refused(client: Client) -> None:
    """A stream refuses an id from another combat, another reader or a deleted combat."""
    await client.open("free-hit", [ANA, IMP])
    other = Client(client.http)
    await other.open("free-hit", [ANA, IMP])
    spectators = [await client.player(role="spectator") for _ in range(2)]

    async def id_of(fight: Client, token: str | None = None) -> str:
        answer = await fight.get("/stream", params={"wait": "0"}, token=token)
        (id,) = re.findall(r"^id: (\S+)$", answer.text, re.M)
        return str(id)

    async def refused(id: str, token: str | None = None) -> str | None:
        answer = await client.get(
            "/stream", headers={"Last-Event-ID": id}, params={"wait": "0"}, token=token
        )
        assert answer.status_code in (200, 400)
        return answer.json()["detail"] if answer.status_code == 400 else None

    own = await id_of(client)
    assert await refused(own) is None
    assert await id_of(client) == own
    for stranger in (await id_of(other), await id_of(client, spectators[0])):
        assert "of another combat's stream, or of another reader" in str(await refused(stranger))
    assert await refused(await id_of(client, spectators[0]), spectators[1]) is None  # sees the same
    players = [await client.player("Ana"), await client.player("Ana")]
    assert "of another reader" in str(await refused(await id_of(client, players[0]), players[1]))
    file = (await client.get("/export")).content
    await client.call("DELETE")
    headers = {"Content-Type": "application/x-ndjson"}
    again = await client.http.post("/v1/combats/import", content=file, headers=headers)
    client.token = again.json()["token"]
    assert await refused(own) is not None


async def test_a_ticket_is_good_once(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    token = await client.player("Ana")
    ticket = (await client.done("/tickets", token=token))["ticket"]
    address = f"/v1/combats/{client.combat}/stream"
    params = {"wait": "0", "ticket": ticket}
    first = await client.http.get(address, params=params)
    assert parsed(first.text)[0][2] == await board(client, token)
    second = await client.http.get(address, params=params)
    assert second.status_code == 401
    for bad in ("ticket_", "ticket_abc", "nonsense", ticket[:-2] + "aa"):
        answer = await client.http.get(address, params={"wait": "0", "ticket": bad})
        assert answer.status_code == 401, bad


async def test_a_ticket_lasts_a_minute(client: Client, service: Service) -> None:
    await client.open("free-hit", [ANA, IMP])
    hot = await service.combats.confirmed(UUID(client.combat))
    (row,) = hot.tokens.values()
    address = f"/v1/combats/{client.combat}/stream"
    for age, status in ((59, 200), (62, 401)):
        ticket, _ = tickets.issue(row, hot.id, time.time() - age)
        answer = await client.http.get(address, params={"wait": "0", "ticket": ticket})
        assert answer.status_code == status


async def test_a_ticket_that_was_used_stays_so_when_texts_are_erased(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    used, fresh = [(await client.done("/tickets"))["ticket"] for _ in range(2)]
    address = f"/v1/combats/{client.combat}/stream"
    params = {"wait": "0", "ticket": used}
    assert (await client.http.get(address, params=params)).status_code == 200
    erased = await client.post("/erase", {"combatant": "Ana", "version": None})
    assert erased.status_code == 204
    assert (await client.http.get(address, params=params)).status_code == 401
    params = {"wait": "0", "ticket": fresh}
    assert (await client.http.get(address, params=params)).status_code == 200


async def test_a_ticket_is_worth_no_more_than_its_token(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    token = await client.player("Ana")
    ticket = (await client.done("/tickets", token=token))["ticket"]
    (line,) = [
        token
        for token in (await client.get("/tokens")).json()["tokens"]
        if token["role"] == "player"
    ]
    elsewhere = Client(client.http)
    await elsewhere.open("free-hit", [ANA, IMP])
    for combat, path in ((elsewhere.combat, "/stream"), (client.combat, "")):
        address = f"/v1/combats/{combat}{path}"
        answer = await client.http.get(address, params={"ticket": ticket})
        assert answer.status_code in (400, 401), answer.text  # valid only for that stream
    await client.call("DELETE", f"/tokens/{line['id']}")
    address = f"/v1/combats/{client.combat}/stream"
    answer = await client.http.get(address, params={"wait": "0", "ticket": ticket})
    assert answer.status_code == 401


async def test_erasing_is_told(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    ((_, start, _),) = await read(client)
    listening = asyncio.create_task(read(client, last=start, params={"wait": "2"}))
    await asyncio.sleep(0.3)
    await client.post("/erase", {"combatant": "Ana", "version": None})
    ((kind, id, data),) = await listening
    assert (kind, id) == ("erased", start)
    assert data == await board(client)


async def test_what_was_erased_behind_the_screen_is_told_to_the_gm_alone(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    token = await client.player("Ana")
    await client.done("/combatants", {"sheet": {**IMP, "name": "Lurker"}, "hidden": True})
    secret = (await client.done("/notes", {"text": "secret", "private": True}))["version"]
    spoken = (await client.done("/notes", {"text": "spoken"}))["version"]
    start = await place(client, token)
    ((_, all, _),) = await read(client)
    listening = asyncio.create_task(read(client, last=start, token=token, params={"wait": "2"}))
    await asyncio.sleep(0.3)
    for body in ({"version": secret}, {"combatant": "Lurker"}):
        assert (await client.post("/erase", body)).status_code == 204
    await client.done("/notes", {"text": "go on"})
    assert [kind for kind, _, _ in await listening] == ["command"]
    assert [kind for kind, _, _ in await read(client, last=start, token=token)] == ["command"]
    assert [kind for kind, _, _ in await read(client, last=all)] == ["erased", "command"]
    assert (await client.post("/erase", {"version": spoken})).status_code == 204
    kinds = [kind for kind, _, _ in await read(client, last=start, token=token)]
    assert kinds == ["erased", "command"]


async def test_who_comes_back_learns_what_was_erased_and_misses_nothing(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    ((_, start, before),) = await read(client)
    await client.post("/erase", {"combatant": "Ana", "version": None})
    await client.done("/begin")
    (kind, id, data), (then, end, told) = await read(client, last=start)
    assert (kind, id, data["version"]) == ("erased", start, start)
    assert data["status"] == before["status"] == "opening"
    assert "Ana" not in [combatant["name"] for combatant in data["combatants"]]
    assert (then, end) == ("command", (await board(client))["version"])
    assert start is not None
    assert told["events"][0]["version"] == start + 1


async def test_a_stream_begins_with_the_board_though_memory_is_doubted_meanwhile(
    client: Client, service: Service
) -> None:
    """The stream begins with the board, even if another request doubts the memory meanwhile."""
    await client.open("free-hit", [ANA, IMP])
    present = await board(client)
    hot = await service.combats.confirmed(UUID(client.combat))
    (row,) = hot.tokens.values()

    async def first(after: Place | None) -> list[Message]:
        pieces = await service.streams.listen(hot, row, after=after, full=False, wait_s=0)
        hot.doubt()
        messages = parsed(b"".join([piece async for piece in pieces]).decode())
        await service.combats.confirmed(hot.id)
        return messages

    assert await first(None) == [("board", present["version"], present)]
    assert await first(Place(present["version"])) == []


async def test_who_goes_before_the_first_piece_is_not_counted(
    client: Client, service: Service
) -> None:
    await client.open("free-hit", [ANA, IMP])
    hot = await service.combats.confirmed(UUID(client.combat))
    (row,) = hot.tokens.values()
    pieces: Any = await service.streams.listen(hot, row, after=None, full=False, wait_s=None)
    await pieces.aclose()
    assert service.streams.listeners == 0


async def test_a_message_is_made_once_also_when_its_audience_was_away(
    client: Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await client.open("free-hit", [ANA, IMP])
    spectators = [await client.player(role="spectator") for _ in range(2)]
    made: list[str] = []

    def counted(live: Any, eyes: Any, *rest: Any, **more: Any) -> Any:
        made.append(eyes.caller.role)
        return told(live, eyes, *rest, **more)

    monkeypatch.setattr(table, "told", counted)
    master = asyncio.create_task(read(client, params={"wait": "3"}))  # the table is never empty

    async def listen_while(token: str, text: str) -> None:
        there = service.streams.listeners
        listening = asyncio.create_task(read(client, token=token, params={"wait": "1"}))
        for _ in range(500):
            if service.streams.listeners > there:
                break
            await asyncio.sleep(0.01)
        await client.done("/notes", {"text": text})
        await listening

    await listen_while(spectators[0], "one")
    await client.done("/notes", {"text": "nobody hears it"})
    last = (await board(client, spectators[0]))["version"]
    await client.done("/notes", {"text": "both are told of it"})
    for token in spectators:
        assert len(await read(client, last=last, token=token)) == 1
    assert made.count("spectator") == 2
    await master


async def test_there_is_an_end_to_listeners(client: Client, service: Service) -> None:
    await client.open("free-hit", [ANA, IMP])
    here = service.streams
    here.at_one, kept = 0, here.at_one
    try:
        answer = await client.get("/stream", params={"wait": "0"})
    finally:
        here.at_one = kept
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"


# ---- over a socket


class Listener:
    """A reader of a stream, message by message."""

    def __init__(self, pieces: AsyncIterator[str]) -> None:
        self.lines = pieces

    async def message(self) -> Message:
        fields: dict[str, str] = {}
        async for line in self.lines:
            if not line and "data" in fields:
                id = int(fields["id"].partition("-")[0]) if "id" in fields else None
                return fields["event"], id, json.loads(fields["data"])
            name, _, value = line.partition(": ")
            if name:
                fields[name] = value
        raise EOFError


async def listening(
    http: httpx.AsyncClient, client: Client, token: str, **params: str
) -> httpx.Response:
    request = http.build_request(
        "GET",
        f"/v1/combats/{client.combat}/stream",
        params=params,
        headers={"Authorization": f"Bearer {token}"},
    )
    return await http.send(request, stream=True)


async def test_news_come_at_once_and_from_the_other_replica(dsn: str, server: Server) -> None:
    other = Server(dsn).start()
    try:
        async with (
            httpx.AsyncClient(base_url=server.url, timeout=10) as async_client,
            httpx.AsyncClient(base_url=other.url, timeout=10) as two,
        ):
            client = Client(async_client)
            await client.open("free-hit", [ANA, IMP])
            player = await client.player("Ana")
            there = await listening(two, client, player)
            heard = Listener(there.aiter_lines())
            assert (await heard.message())[0] == "board"
            await client.done("/begin")
            kind, id, told = await asyncio.wait_for(heard.message(), 3)
            assert kind == "command"
            assert told["prompts"][0]["who"] == "Ana"
            assert id == (await board(client, player))["version"]
            (line,) = [
                token
                for token in (await client.get("/tokens")).json()["tokens"]
                if token["role"] == "player"
            ]
            await client.call("DELETE", f"/tokens/{line['id']}")
            assert await asyncio.wait_for(heard.message(), 3) == (
                "closed", None, {"reason": "revoked"},
            )  # fmt: skip
            master = Listener((await listening(two, client, client.token)).aiter_lines())
            assert (await master.message())[0] == "board"
            await client.call("DELETE")
            assert await asyncio.wait_for(master.message(), 3) == (
                "closed", None, {"reason": "deleted"},
            )  # fmt: skip
    finally:
        other.stop()


async def test_each_player_has_a_stream_of_its_own(server: Server) -> None:
    """Two players listen at once. Each sees the points and offers of its own side only."""
    async with httpx.AsyncClient(base_url=server.url, timeout=10) as http:
        client = Client(http)
        await client.open("free-hit", [ANA, IMP])
        heard = {}
        for who in ("Ana", "Imp"):
            token = await client.player(who)
            there = await listening(http, client, token, offers="prompted")
            heard[who] = Listener(there.aiter_lines())
            await kinds(heard[who], "board", "offers")
        hurt = {"ruling": "damage", "inputs": {"combatant": "Ana", "amount": 3}}
        await client.done("/rulings", hurt)
        for who, listener in heard.items():
            told, _ = await kinds(listener, "command", "offers")
            (damaged,) = [event for event in told["events"] if event["type"] == "damaged"]
            assert ("amount" in damaged["data"]) == (who == "Ana")
        await client.done("/begin")
        for who, listener in heard.items():
            _, offered = await kinds(listener, "command", "offers")
            assert bool(offered["options"]) == (who == "Ana")  # it is her turn


async def kinds(listener: Listener, *expected: str) -> list[Any]:
    """Return the data of the next messages, which must have these kinds."""
    messages = [await asyncio.wait_for(listener.message(), 5) for _ in expected]
    assert [kind for kind, _, _ in messages] == list(expected)
    return [data for _, _, data in messages]


async def test_who_takes_nothing_is_let_go_and_holds_up_nobody(
    client: Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "READ_S", 0.5)
    await client.open("free-hit", [ANA, IMP])
    listening = serve.listen(Settings("", Path(), port=0))
    port = listening.getsockname()[1]
    config = uvicorn.Config(service.asgi, ws="none", lifespan="off", log_level="warning")
    running = uvicorn.Server(config)
    serving = asyncio.create_task(running.serve([listening]))
    for _ in range(500):
        if running.started:
            break
        await asyncio.sleep(0.02)
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(deaf, ("127.0.0.1", port))
    request = (
        f"GET /v1/combats/{client.combat}/stream?board=full HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {client.token}\r\n\r\n"
    )
    await loop.sock_sendall(deaf, request.encode())
    try:
        for _ in range(100):
            if service.streams.listeners:
                break
            await asyncio.sleep(0.02)
        assert service.streams.listeners == 1
        text = "x" * 2000
        for _ in range(1000):
            await client.done("/notes", {"text": text})
            if not service.streams.listeners:
                break
        assert service.streams.listeners == 0
    finally:
        deaf.close()
        running.should_exit = True
        await serving


def test_the_client_of_the_docs(server: Server) -> None:
    """The client reconnects after a cut, and continues at its last message."""
    page = Path(__file__).parents[2] / "docs" / "live.md"
    text, *_ = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    names: dict[str, Any] = {}
    exec(text, names)
    body = {"ruleset": "free-hit", "combatants": [{"sheet": ANA}, {"sheet": IMP}]}
    opened = httpx.post(f"{server.url}/v1/combats", json=body).json()
    combat = f"{server.url}/v1/combats/{opened['combat']}"
    headers = {"Authorization": f"Bearer {opened['token']}"}
    heard: list[tuple[str, Any]] = []

    def told(kind: str, data: str) -> bool:
        heard.append((kind, json.loads(data)))
        if len(heard) == 1:
            httpx.post(f"{combat}/begin", json={}, headers=headers)
        return len(heard) < 2

    names["follow"](f"{combat}/stream?wait=1", opened["token"], told)
    assert [kind for kind, _ in heard] == ["board", "command"]
    assert heard[1][1]["version"] == httpx.get(combat, headers=headers).json()["version"]


async def test_a_service_that_stops_says_goodbye(dsn: str) -> None:
    other = Server(dsn).start()
    async with httpx.AsyncClient(base_url=other.url, timeout=10) as http:
        client = Client(http)
        await client.open("free-hit", [ANA, IMP])
        heard = Listener((await listening(http, client, client.token)).aiter_lines())
        assert (await heard.message())[0] == "board"
        began = time.monotonic()
        stopping = asyncio.create_task(asyncio.to_thread(other.stop))
        assert await heard.message() == ("closed", None, {"reason": "stopping"})
        await stopping
        assert time.monotonic() - began < 4


class Reader:
    """A client that reads from time to time, and stores the number of its last message."""

    def __init__(self, client: Client, token: str) -> None:
        self.client, self.token = client, token
        self.last: int | None = None
        self.board: Any = None

    async def look(self) -> None:
        """Read new messages, and check consecutive numbers and the final board."""
        before = self.last
        messages = await read(self.client, last=before, token=self.token, params={"board": "full"})
        for kind, id, data in messages:
            assert kind in ("board", "command")
            if kind == "command":
                numbers = [event["version"] for event in data["events"]]
                assert before is not None
                assert numbers == list(range(before + 1, before + 1 + len(numbers)))
                assert id == data["version"] == numbers[-1]
            before = id
            self.board = data if kind == "board" else data.get("board", self.board)
        self.last = before
        assert self.board == await board(self.client, self.token)


@forms("seed", 0, long=[1, 2])
async def test_readers_who_come_and_go_see_what_there_is(client: Client, seed: int) -> None:
    random = Random(seed)
    walker = HttpWalker(client, "free-hit", random)
    await walker.fight()
    await client.done("/combatants", {"sheet": foe("Lurker", max_hp=30), "hidden": True})
    ids = [combatant["id"] for combatant in (await board(client))["combatants"]]
    tokens = [
        client.token,
        await client.player(ids[0]),
        await client.player(*ids[1:3]),
        await client.player(role="spectator"),
    ]
    readers = [Reader(client, token) for token in tokens]
    for _ in range(40):
        state = await board(client)
        if state["status"] == "ended":
            break
        await walker.step(state)
        for reader in readers:
            if random.random() < 0.4:
                await reader.look()
    for reader in readers:
        await reader.look()


async def test_who_has_a_stream_open_is_told(server: Server) -> None:
    """A player learns which players of known combatants are online. The GM sees all players."""
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as http:
        sheets = [{"sheet": ANA}, {"sheet": IMP, "hidden": True}]
        body = {"ruleset": "free-hit", "combatants": sheets}
        opened = (await http.post("/v1/combats", json=body)).json()
        path, gm = f"/v1/combats/{opened['combat']}", {"Authorization": f"Bearer {opened['token']}"}

        async def issued(**whom: Any) -> dict[str, str]:
            answer = await http.post(f"{path}/tokens", headers=gm, json=whom)
            return {"Authorization": f"Bearer {answer.json()['token']}"}

        anna = await issued(role="player", label="Anna", owner="anna")
        await issued(role="player", label="The imp's", combatants=["Imp"])

        async def seats(stream: AsyncIterator[str]) -> dict[str, bool]:
            async for line in stream:
                if line.startswith('data: {"seats"'):
                    seats = json.loads(line.removeprefix("data: "))["seats"]
                    return {token["label"]: token["here"] for token in seats}
            raise AssertionError("the stream has ended")

        url = f"{path}/stream?presence=seats&wait=20"
        async with http.stream("GET", url, headers=gm) as told:
            lines = told.aiter_lines()
            assert await seats(lines) == {"GM": True, "Anna": False, "The imp's": False}
            async with http.stream("GET", url, headers=anna) as hers:
                assert await seats(hers.aiter_lines()) == {"GM": True, "Anna": True}
                assert await seats(lines) == {"GM": True, "Anna": True, "The imp's": False}
            assert await seats(lines) == {"GM": True, "Anna": False, "The imp's": False}
