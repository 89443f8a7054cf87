"""Test hosts, origins, headers and slow bodies of HTTP, and signals that stop."""

import asyncio
import os
import socket
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from service import serve
from service.app import Service, create_app
from service.http import request_reader
from service.settings import BadSetting, Settings, unknown
from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.server import Server
from tests.service.forging import forged
from tests.service.test_refusals import problem

ANA, IMP = unit("Ana", agility=5, weapons=[SWORD]), foe("Imp")
HEAD = b"Host: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.1", "[::1]:8000", "10.0.0.7:1"])
async def test_its_own_names(client: Client, host: str) -> None:
    answer = await client.http.get("/v1/rulesets", headers={"Host": host})
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", ""])
async def test_a_name_of_somebody_else_s(client: Client, host: str) -> None:
    answer = await client.http.get("/v1/rulesets", headers={"Host": host})
    assert "AFFRAY_HOSTS" in problem(answer, 421, "wrong-host")["detail"]


@asynccontextmanager
async def set_up(dsn: str, folder: Path, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of a service with these settings."""
    service: Service = create_app(Settings(dsn, folder, **settings)).state.service
    async with service.running(service.asgi):
        transport = httpx.ASGITransport(app=service.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield http


async def test_names_that_are_set(dsn: str, tmp_path: Path) -> None:
    async with set_up(dsn, tmp_path, hosts=("table.example",)) as http:
        assert (await http.get("http://Table.example/v1/rulesets")).status_code == 200
        assert (await http.get("http://other.example/v1/rulesets")).status_code == 421
        assert (await http.get("http://other.example/v1/nowhere")).status_code == 421


async def test_headers_that_every_answer_has(client: Client) -> None:
    opened = await client.http.post(
        "/v1/combats", json={"ruleset": "free-hit", "combatants": [{"sheet": ANA}]}
    )
    assert opened.headers["cache-control"] == "no-store"
    page = await client.http.get("/schema")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "<script>" not in page.text
    for answer in (opened, page, await client.http.get("/v1/nowhere")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "", 200),
        ("GET", "/", 200),
        ("HEAD", "", 200),
        ("OPTIONS", "", 204),
        ("PUT", "", 405),
        ("GET", "/nothing", 404),
        ("GET", "/prompts", 200),
        ("GET", "/prompts?at=1", 200),
        ("GET", "/prompts?at=99", 404),
    ],
)
async def test_what_was_found_before_is_answered_the_same(
    client: Client, method: str, path: str, status: int
) -> None:
    fight = Client(client.http)
    await fight.open("free-hit", [ANA])
    headers = {"Authorization": f"Bearer {fight.token}", "X-Request-Id": "mine"}
    address = f"/v1/combats/{fight.combat}{path}"
    answers = [await client.http.request(method, address, headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [status] * 3
    assert len({answer.content for answer in answers}) == 1
    assert answers[1].headers == answers[2].headers == answers[0].headers
    other = await client.http.request(method, address, headers={**headers, "Host": "local host"})
    assert other.status_code in (400, 421)
    nobody = await client.http.request(method, address)
    assert nobody.status_code == (401 if status == 200 or "=99" in path else status)


@pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json"])
async def test_what_a_newcomer_tries_leads_somewhere(client: Client, path: str) -> None:
    assert (await client.http.get(path, follow_redirects=True)).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/docs",
        "/openapi.json",
        "/problems/stale",
        "/schema",
        "/schema/asyncapi.json",
        "/schema/openapi.json",
        "/schema/openapi.json?ruleset=free-hit",
        "/schema/scalar.js",
        "/schema/start.js",
        "/v1/rulesets",
    ],
)
async def test_head_has_the_headers_of_get(client: Client, path: str) -> None:
    get, head = await client.http.get(path), await client.http.head(path)
    assert (head.status_code, head.content) == (get.status_code, b"")
    for name in ("content-type", "etag", "location", "cache-control"):
        assert head.headers.get(name) == get.headers.get(name)
    assert get.headers["content-type"].count("charset") <= 1
    allowed = (await client.http.options(path)).headers["allow"]
    assert {"GET", "HEAD", "OPTIONS"} == set(allowed.split(", "))


@pytest.mark.parametrize("query", ["rulset=free-hit", "ruleset=free-hit&ruleset=sovereign"])
async def test_a_parameter_of_the_contract_is_checked(client: Client, query: str) -> None:
    refused = problem(await client.http.get(f"/schema/openapi.json?{query}"), 400, "malformed")
    assert refused["pointer"] in ("/query/rulset", "/query/ruleset")


async def test_other_origins_only_by_setting(dsn: str, tmp_path: Path, client: Client) -> None:
    asks = {"Origin": "https://table.example", "Access-Control-Request-Method": "POST"}
    closed = await client.http.options("/v1/combats", headers=asks)
    assert "access-control-allow-origin" not in closed.headers
    async with set_up(dsn, tmp_path, cors_origins=("https://table.example",)) as http:
        opened = await http.options("/v1/combats", headers=asks)
        assert opened.status_code == 204
        assert opened.headers["access-control-allow-origin"] == "https://table.example"
        assert "idempotency-key" in opened.headers["access-control-allow-headers"].lower()
        other = {**asks, "Origin": "https://evil.example"}
        refused = await http.options("/v1/combats", headers=other)
        assert "access-control-allow-origin" not in refused.headers
        for path, status in (("/v1/rulesets", 200), ("/v1/nowhere", 404)):
            read = await http.get(path, headers={"Origin": "https://table.example"})
            assert read.status_code == status
            assert read.headers["access-control-allow-origin"] == "https://table.example"
            assert "ETag" in read.headers["access-control-expose-headers"]
            assert read.headers.get_list("vary", split_commas=True) == [
                "Accept-Encoding",
                "Authorization",
                "Origin",
            ]
        read = await http.get("/v1/rulesets", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in read.headers
        assert "Origin" in read.headers["vary"]  # so that caches separate origins


@pytest.fixture
async def keyed(dsn: str, tmp_path: Path) -> AsyncIterator[Client]:
    """Yield a client of a service that has a service key."""
    async with set_up(dsn, tmp_path, service_key="sesame") as http:
        yield Client(http)


async def test_the_service_key_guards_all_that_makes_combats(keyed: Client) -> None:
    body = {"ruleset": "free-hit", "combatants": [{"sheet": ANA}, {"sheet": IMP}]}
    key = {"Authorization": "Bearer sesame"}
    problem(await keyed.http.post("/v1/combats", json=body), 401, "unauthorized")
    problem(await keyed.http.get("/v1/combats"), 401, "unauthorized")
    opened = (await keyed.http.post("/v1/combats", json=body, headers=key)).json()
    keyed.combat, keyed.token = opened["combat"], opened["token"]
    problem(await keyed.post("/fork"), 401, "unauthorized")
    forked = await keyed.post("/fork", headers={"Affray-Service-Key": "sesame"})
    assert forked.status_code == 201
    file = (await keyed.get("/export")).content
    assert (await keyed.call("DELETE")).status_code == 204
    headers = {"Content-Type": "application/x-ndjson"}
    url = "/v1/combats/import"
    problem(await keyed.http.post(url, content=file, headers=headers), 401, "unauthorized")
    taken = await keyed.http.post(url, content=file, headers={**headers, **key})
    assert taken.status_code == 201


async def test_an_import_may_be_larger_than_other_bodies(client: Client) -> None:
    headers = {"Content-Type": "application/x-ndjson"}
    answer = await client.http.post(
        "/v1/combats/import", content=b"x" * (12 * 1024 * 1024) + b"\n", headers=headers
    )
    problem(answer, 400, "malformed")  # the body is read, but it is no export


async def test_an_import_whose_seed_is_no_seed(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    await client.done("/seed")
    file = (await client.get("/export")).content
    assert b'"seed":"' in file
    for seed in ("xyz", "00" * 32):
        bad = forged(file, seed)
        headers = {"Content-Type": "application/x-ndjson"}
        answer = await client.http.post("/v1/combats/import", content=bad, headers=headers)
        assert "seed" in problem(answer, 400, "malformed")["detail"]


async def test_a_body_that_does_not_come(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_reader, "BODY_S", 0.2)
    await client.open("free-hit", [ANA, IMP])

    async def dribble() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.02)

    headers = {"Authorization": f"Bearer {client.token}", "Content-Type": "application/json"}
    url = f"/v1/combats/{client.combat}/notes"
    answer = await asyncio.wait_for(client.http.post(url, content=dribble(), headers=headers), 5)
    problem(answer, 408, "too-slow")


async def test_sigterm_ends_it_with_half_a_body_open(dsn: str) -> None:
    server = await asyncio.to_thread(Server(dsn).start)
    peer = socket.create_connection(("127.0.0.1", server.port))
    peer.sendall(
        b"POST /v1/combats HTTP/1.1\r\n" + HEAD + b"Content-Length: 1000\r\n\r\n" + b'{"ruleset'
    )
    await asyncio.sleep(0.3)
    began = time.monotonic()
    await asyncio.to_thread(server.stop)
    assert time.monotonic() - began < serve.STOP_S + 4
    assert server.process is not None
    assert server.process.returncode == 0


HANGING = """
import asyncio, sys
from service import serve
from service.cli import main
from service.live.notices import Notices

async def never(self):
    await asyncio.shield(asyncio.Event().wait())

Notices.stop, serve.LAST_S = never, 1.0
sys.exit(main(["serve"]))
"""


async def test_sigterm_ends_it_though_something_hangs(dsn: str) -> None:
    environment = {**os.environ, "DATABASE_URL": dsn, "AFFRAY_PORT": "0"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HANGING, env=environment, stdout=PIPE, stderr=PIPE
    )
    assert process.stdout is not None
    assert (await asyncio.wait_for(process.stdout.readline(), 60)).startswith(b"Affray on")
    process.terminate()
    _, said = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode == 1
    assert b"did not end within 1 s" in said


def test_settings_are_read_and_others_named() -> None:
    settings = Settings.from_environment(
        {"AFFRAY_HOSTS": "table.example, b.example", "AFFRAY_CORS_ORIGINS": "https://a.example"}
    )
    assert (settings.hosts, settings.cors_origins) == (
        ("table.example", "b.example"),
        ("https://a.example",),
    )
    nets = Settings.from_environment({"AFFRAY_WEBHOOK_NETWORKS": "10.0.0.0/8, fd00::/8"})
    assert [str(webhook_network) for webhook_network in nets.webhook_networks] == [
        "10.0.0.0/8",
        "fd00::/8",
    ]
    wrong: list[dict[str, Any]] = [
        {"AFFRAY_HOSTS": "http://table.example"},
        {"AFFRAY_CORS_ORIGINS": "table.example"},
        {"AFFRAY_WEBHOOK_NETWORKS": "192.168.0.1/16"},
        {"AFFRAY_WEBHOOK_NETWORKS": "home"},
        {"AFFRAY_PORT": "99999"},
        {"AFFRAY_PORT": "-1"},
        {"AFFRAY_PORT": "²"},
    ]
    for environment in wrong:
        with pytest.raises(BadSetting, match=next(iter(environment))):
            Settings.from_environment(environment)
    assert unknown({"AFFRAY_PROT": "1", "HOME": "/"}) == [
        "the variable AFFRAY_PROT means nothing: is AFFRAY_PORT meant?"
    ]
