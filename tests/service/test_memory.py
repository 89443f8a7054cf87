"""Test that memory never deviates from the log, with two replicas and database faults."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from domain.engine.read_proxy import Lasting
from domain.record.verify import verify
from service.app import Service, create_app
from service.settings import Settings
from service.store.rows import Append, Conflict, Head, OutcomeUnknown, Unavailable
from tests.client import Client
from tests.conftest import RULESETS
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.service.test_refusals import problem
from tests.walks import FIGHTS

ANA, IMP = unit("Ana", agility=5, weapons=[SWORD], max_hp=900), foe("Imp", max_hp=900)


@dataclass
class Replica:
    """A replica and a client of it."""

    service: Service
    client: Client

    @property
    def store(self) -> Any:
        return self.service.combats.store

    def on(self, other: "Replica") -> "Replica":
        """Continue with the combat of another replica's client."""
        self.client.combat, self.client.token = other.client.combat, other.client.token
        return self


@pytest.fixture
async def replicas(dsn: str, tmp_path: Path) -> AsyncIterator[tuple[Replica, Replica]]:
    """Yield two replicas on one database, with memory for two combats each."""
    async with AsyncExitStack() as stack:
        started = []
        for _ in range(2):
            app = create_app(Settings(dsn, tmp_path, hot_combats=2), RULESETS)
            service: Service = app.state.service
            await stack.enter_async_context(service.running(app))
            transport = httpx.ASGITransport(app=service.asgi)
            http = httpx.AsyncClient(transport=transport, base_url="http://localhost")
            started.append(Replica(service, Client(await stack.enter_async_context(http))))
        yield started[0], started[1]


async def fight(replica: Replica) -> Client:
    await replica.client.open("free-hit", [ANA, IMP])
    await replica.client.done("/begin")
    return replica.client


def base(client: Client) -> str:
    return f"/v1/combats/{client.combat}"


async def sound(client: Client) -> None:
    """Check the hash chain and all dice."""
    report = verify((await client.get("/export")).content)
    assert report.sound, report.text()


async def notes(client: Client) -> list[str]:
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    return [event["data"]["text"] for event in events if event["type"] == "noted"]


async def test_refused_events_stay_nowhere_when_the_reload_fails(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    await other.done("/notes", {"text": "theirs"})
    really = replica.store.heads

    async def gone(combats: Any) -> Any:
        monkeypatch.setattr(replica.store, "heads", really)
        raise Unavailable("a bad network")

    monkeypatch.setattr(replica.store, "heads", gone)
    assert (await client.post("/notes", {"text": "refused"})).status_code == 503
    assert await notes(client) == ["theirs"]
    await client.done("/notes", {"text": "kept"})
    assert await notes(client) == await notes(other) == ["theirs", "kept"]
    await sound(other)


async def test_when_all_connections_were_cut_nobody_reads_the_past(
    replicas: tuple[Replica, Replica], dsn: str
) -> None:
    replica, two = replicas
    client = await fight(replica)
    spectator = await client.player(role="spectator")
    other = two.on(replica).client
    for reader in (client, other):
        assert (await reader.get(token=spectator)).status_code == 200
    cutter = await asyncpg.connect(dsn)
    await cutter.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await cutter.close()
    for number in range(20):
        version = (await other.done("/notes", {"text": f"note {number}"}))["version"]
        assert (await client.get()).json()["version"] == version
    lines = (await other.get("/tokens")).json()["tokens"]
    (id,) = [line["id"] for line in lines if line["role"] == "spectator"]
    assert (await other.call("DELETE", f"/tokens/{id}")).status_code == 204
    assert (await client.get(token=spectator)).status_code == 401


async def test_a_read_is_not_older_than_a_write_answered_before_it_began(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    really, loading, gate = two.store.events, asyncio.Event(), asyncio.Event()

    async def slowly(*args: Any) -> Any:
        answer = await really(*args)
        loading.set()
        await gate.wait()
        return answer

    monkeypatch.setattr(two.store, "events", slowly)
    early = asyncio.create_task(other.get())
    await asyncio.wait_for(loading.wait(), 30)
    version = (await client.done("/notes", {"text": "news"}))["version"]
    late = asyncio.create_task(other.get())
    await asyncio.sleep(0.05)
    gate.set()
    assert (await early).json()["version"] <= version
    assert (await late).json()["version"] == version


async def test_a_combat_that_is_pushed_out_while_in_use_stays_one(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, _ = replicas
    client = await fight(replica)
    really, entered, gate = replica.store.append, asyncio.Event(), asyncio.Event()

    async def slowly(command: Append) -> None:
        if str(command.combat) == first.combat and not entered.is_set():
            entered.set()
            await gate.wait()
        await really(command)

    first = Client(client.http)
    first.combat, first.token = client.combat, client.token
    monkeypatch.setattr(replica.store, "append", slowly)
    writing = asyncio.create_task(first.done("/notes", {"text": "slow"}))
    await asyncio.wait_for(entered.wait(), 30)
    for _ in range(3):  # memory has room for two combats
        await client.open("free-hit", [ANA, IMP])
    before = (await first.get()).json()["version"]
    behind = asyncio.create_task(first.done("/notes", {"text": "behind it"}))
    await asyncio.sleep(0.02)
    gate.set()
    assert (await writing)["version"] == before + 1
    assert (await behind)["version"] == before + 2
    assert await notes(first) == ["slow", "behind it"]
    assert replica.service.combats.counts["conflicts"] == 0
    await sound(first)


async def test_a_deleted_combat_stays_deleted(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    file = (await other.get("/export")).content
    really, entered, gate = two.store.append, asyncio.Event(), asyncio.Event()

    async def slowly(command: Append) -> None:
        entered.set()
        await gate.wait()
        await really(command)

    monkeypatch.setattr(two.store, "append", slowly)
    writing = asyncio.create_task(other.post("/notes", {"text": "too late"}))
    await asyncio.wait_for(entered.wait(), 30)
    assert (await client.call("DELETE")).status_code == 204
    gate.set()
    assert (await writing).status_code == 404
    for reader in (client, other):
        assert (await reader.get()).status_code == 404
    listed = (await client.http.get("/v1/combats")).json()["combats"]
    assert client.combat not in [line["id"] for line in listed]
    # An import of the same combat does not revive the old token on any replica.
    headers = {"Content-Type": "application/x-ndjson"}
    again = await client.http.post("/v1/combats/import", content=file, headers=headers)
    assert again.status_code == 201
    for reader in (client, other):
        assert (await reader.get()).status_code == 401
        assert (await reader.get(token=again.json()["token"])).status_code == 200


async def test_two_gms_cannot_revoke_each_other(replicas: tuple[Replica, Replica]) -> None:
    replica, two = replicas
    for _ in range(8):
        client = await fight(replica)
        other = two.on(replica).client
        other.token = await client.player(role="gm")
        ids = [line["id"] for line in (await other.get("/tokens")).json()["tokens"]]
        await asyncio.gather(
            client.call("DELETE", f"/tokens/{ids[1]}"), other.call("DELETE", f"/tokens/{ids[0]}")
        )
        statuses = sorted([(await client.get()).status_code, (await other.get()).status_code])
        assert statuses == [200, 401]


async def test_a_body_that_comes_slowly_does_not_outlive_its_token(
    replicas: tuple[Replica, Replica],
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    doomed = await client.player(role="gm")
    (id,) = [
        line["id"] for line in (await other.get("/tokens")).json()["tokens"] if line["role"] == "gm"
    ][1:]
    headers = {"Authorization": f"Bearer {doomed}", "Content-Type": "application/json"}
    begun, gate = asyncio.Event(), asyncio.Event()

    async def body(text: bytes) -> AsyncIterator[bytes]:
        begun.set()
        await gate.wait()
        yield text

    def send(path: str, text: bytes) -> asyncio.Task[httpx.Response]:
        url = f"/v1/combats/{client.combat}{path}"
        return asyncio.create_task(client.http.post(url, content=body(text), headers=headers))

    assert (await client.get(token=doomed)).status_code == 200
    note = send("/notes", b'{"text": "x"}')
    await asyncio.wait_for(begun.wait(), 5)
    begun.clear()
    preview = send("/preview", b'{"command": "rule", "ruling": "x"}')
    await asyncio.wait_for(begun.wait(), 5)
    assert (await other.call("DELETE", f"/tokens/{id}")).status_code == 204
    gate.set()
    assert [(await slow).status_code for slow in (note, preview)] == [401, 401]
    assert await notes(client) == []


async def test_erasing_reaches_every_replica_and_every_etag(
    replicas: tuple[Replica, Replica],
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    player = await client.player("Ana")
    version = (await client.done("/notes", {"text": "Rumpelstiltskin"}))["version"]
    tags: dict[tuple[str, str], str] = {}
    for path in ("", "/events", "/timeline", "/export"):
        for token in (client.token, player):
            answer = await other.get(path, token=token)
            if answer.status_code == 200:
                tags[path, token] = answer.headers["etag"]
    assert (await client.post("/erase", {"version": version})).status_code == 204
    for (path, token), tag in tags.items():
        answer = await other.get(path, token=token, headers={"If-None-Match": tag})
        if path or token == client.token:
            assert answer.status_code == 200, path
        assert "Rumpelstiltskin" not in answer.text
    # A replica with the erased text in memory must not store it again.
    await other.done("/notes", {"text": "after"})
    for table, column in (("idempotency", "body"), ("stored_events", "state")):
        count = await replica.store.pool.fetchval(
            f"SELECT count(*) FROM {table} WHERE position('\\x{b'Rumpel'.hex()}' IN {column}) > 0"
        )
        assert count == 0, table
    await sound(other)


NAME = "Rumpel Stiltskin"


@pytest.mark.parametrize("way", ["erased", "deleted"])
async def test_a_name_that_is_to_be_forgotten_is_in_no_memory(
    replicas: tuple[Replica, Replica], way: str
) -> None:
    replica, two = replicas
    client = replica.client
    await client.open("definitions", FIGHTS["definitions"]()[1:4])
    ana = {**FIGHTS["definitions"]()[0], "name": NAME}
    assert (await client.post("/combatants", {"id": "Ana", "sheet": ana})).status_code == 201
    await client.done("/begin")
    other = two.on(replica).client
    for reader, points in ((client, 3), (other, 2)):  # both read, then decide something
        for path in ("", "/options", "/timeline", "/statistics"):
            assert (await reader.get(path)).status_code == 200
        hurt = {"combatant": "Ana", "track": "hp", "value": points}
        await reader.done("/rulings", {"ruling": "set-track", "inputs": hurt})
    assert _known_by(NAME)
    if way == "erased":
        assert (await client.post("/erase", {"combatant": "Ana"})).status_code == 204
        await sound(other)
    else:
        assert (await client.call("DELETE", "")).status_code == 204
        assert (await other.get()).status_code == 404
    gc.collect()
    assert not _known_by(NAME)


def _known_by(name: str) -> list[object]:
    """Return the cached objects in memory that describe a combatant with this name."""
    return [
        thing for thing in gc.get_objects() if isinstance(thing, Lasting) and thing.name == name
    ]


async def test_what_was_done_before_an_erasing_is_not_done_again(
    replicas: tuple[Replica, Replica],
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    key = {"Idempotency-Key": "once"}
    first = await client.post("/notes", {"text": "Rumpelstiltskin"}, headers=key)
    token = await client.post("/tokens", {"role": "spectator"}, headers={"Idempotency-Key": "two"})
    ticket = (await client.done("/tickets"))["ticket"]
    stream = {"ticket": ticket, "wait": 0}
    assert (await client.http.get(f"{base(client)}/stream", params=stream)).status_code == 200
    erased = {"version": first.json()["version"]}
    for _ in range(2):  # the second changes nothing
        answer = await client.post("/erase", erased, headers={"Idempotency-Key": "three"})
        assert answer.status_code == 204
    for reader in (client, other):
        again = await reader.post("/notes", {"text": "Rumpelstiltskin"}, headers=key)
        refusal = problem(again, 410, "answer-erased")
        assert refusal["command"] == first.json()["events"][0]["command"]
        assert "Rumpel" not in again.text
        changed = await reader.post("/notes", {"text": "another"}, headers=key)
        problem(changed, 422, "idempotency-key-reused")
        same = await reader.post(
            "/tokens", {"role": "spectator"}, headers={"Idempotency-Key": "two"}
        )
        assert same.content == token.content
        assert (await reader.http.get(f"{base(client)}/stream", params=stream)).status_code == 401
    assert len(await notes(client)) == 1
    assert len((await client.get("/tokens")).json()["tokens"]) == 2


async def test_an_idempotency_key_works_on_every_post_and_keeps_no_token(
    replicas: tuple[Replica, Replica],
) -> None:
    first, two = replicas
    key = {"Idempotency-Key": "nobody-can-guess-this-one"}
    body = {"ruleset": "free-hit", "combatants": [{"sheet": ANA}, {"sheet": IMP}]}
    raced = await asyncio.gather(
        *(
            replica.client.http.post("/v1/combats", json=body, headers=key)
            for replica in replicas * 6
        )
    )
    assert {answer.status_code for answer in raced} == {201}
    assert len({answer.content for answer in raced}) == 1
    client, opened = first.client, raced[0].json()
    client.combat, client.token = opened["combat"], opened["token"]
    other = two.on(first).client
    assert (await other.get()).status_code == 200
    secrets = [opened["token"]]
    for path, wanted in (("/tokens", {"role": "spectator"}), ("/fork", {"name": "What if"})):
        answers = await asyncio.gather(
            *(
                reader.post(path, wanted, headers={"Idempotency-Key": "one"})
                for reader in (client, other) * 3
            )
        )
        assert {answer.status_code for answer in answers} == {201}, path
        assert len({answer.content for answer in answers}) == 1, path
        secrets.append(answers[0].json()["token"])
    fork = Client(client.http)
    fork.combat, fork.token = answers[0].json()["combat"], answers[0].json()["token"]
    assert (await fork.get()).status_code == 200
    assert len((await client.get("/tokens")).json()["tokens"]) == 2
    file = (await client.get("/export")).content
    assert (await client.call("DELETE")).status_code == 204
    headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "import-once-and-no-more"}
    imports = [
        await client.http.post("/v1/combats/import", content=file, headers=headers)
        for _ in range(2)
    ]
    assert [answer.status_code for answer in imports] == [201, 201]
    assert imports[0].content == imports[1].content
    secrets.append(imports[0].json()["token"])
    kept = await first.store.pool.fetch("SELECT key, body FROM idempotency")
    assert len(kept) >= 2
    for row in kept:
        assert row["key"] not in ("one", key["Idempotency-Key"])
        for secret in secrets:
            assert secret[30:].encode() not in row["body"]


async def test_a_503_says_what_is_known(
    replicas: tuple[Replica, Replica], monkeypatch: pytest.MonkeyPatch
) -> None:
    replica, _ = replicas
    client = await fight(replica)
    really = replica.store.append

    async def stored_and_lost(command: Append) -> None:
        await really(command)
        raise OutcomeUnknown(command.command)

    monkeypatch.setattr(replica.store, "append", stored_and_lost)
    key = {"Idempotency-Key": "again"}
    first = await client.post("/notes", {"text": "once"}, headers=key)
    assert first.status_code == 503
    assert first.json()["type"] == "/problems/outcome-unknown"
    assert "nothing" not in first.json()["detail"]
    monkeypatch.setattr(replica.store, "append", really)
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    assert events[-1]["command"] == first.json()["command"]
    again = await client.post("/notes", {"text": "once"}, headers=key)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
    assert await notes(client) == ["once"]

    async def refused(command: Append) -> None:
        raise Unavailable("no connection")

    monkeypatch.setattr(replica.store, "append", refused)
    lost = await client.post("/notes", {"text": "never"})
    assert (lost.status_code, lost.json()["type"]) == (503, "/problems/unavailable")
    assert "nothing of this request was stored" in lost.json()["detail"]


async def test_a_token_ends_on_its_own(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    past = await client.post("/tokens", {"role": "gm", "ends_at": "2020-01-01T00:00:00Z"})
    assert past.status_code == 409
    wanted = {"role": "gm", "ends_at": "2999-01-01T00:00:00Z"}
    ending = await client.done("/tokens", wanted)
    lines = (await client.get("/tokens")).json()["tokens"]
    assert [line["ends_at"] for line in lines] == [None, "2999-01-01T00:00:00Z"]
    # The last permanent token of a GM stays, even if another GM revokes it.
    revoked = await client.call("DELETE", f"/tokens/{lines[0]['id']}", token=ending["token"])
    assert (revoked.status_code, revoked.json()["reason"]) == (409, "last-gm")


async def test_who_has_no_token_makes_nothing_load(
    replicas: tuple[Replica, Replica],
) -> None:
    replica, two = replicas
    client = await fight(replica)
    other = two.on(replica).client
    forged = client.token[:-4] + "AAAA"
    assert (await other.get(token=forged)).status_code == 401
    assert (await other.post("/notes", {"text": "x"}, token=forged)).status_code == 401
    assert two.service.combats.counts["loads"] == 0
    assert len(two.service.combats.recent) == 0


async def test_a_head_knows_what_it_covers() -> None:
    head = Head(UUID(int=1), 7, "h", 2, 0)
    assert head.covers(Head(UUID(int=1), 6, "g", 2, 0))
    assert not head.covers(Head(UUID(int=1), 6, "g", 3, 0))
    assert not head.covers(Head(UUID(int=2), 6, "g", 2, 0))
    assert issubclass(Conflict, Exception)
