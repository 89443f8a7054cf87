"""Test the limits by token and by address, which answer `429` with `Retry-After`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from service.app import create_app
from service.limits import Limits
from service.settings import BadSetting, Settings
from tests.client import Client
from tests.service.test_deadlines import SHEETS
from tests.service.test_imports import NDJSON

OPEN = {"ruleset": "free-hit", "combatants": [{"sheet": sheet} for sheet in SHEETS]}


@asynccontextmanager
async def limited(
    dsn: str, folder: Path, limits: Limits, address: str = "203.0.113.5", **more: Any
) -> AsyncIterator[Client]:
    app = create_app(Settings(dsn, folder, limits=limits, **more))
    async with app.state.service.running(app):
        transport = httpx.ASGITransport(app=app.state.service.asgi, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            client = Client(http)
            client.service = app.state.service  # type: ignore[attr-defined]
            yield client


@asynccontextmanager
async def at(client: Client, address: str) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client at another address."""
    service: Any = client.service  # type: ignore[attr-defined]
    transport = httpx.ASGITransport(app=service.asgi, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield http


def refused(answer: httpx.Response, words: str) -> None:
    assert answer.status_code == 429, answer.text
    assert answer.json()["type"] == "/problems/too-many-requests"
    assert words in answer.json()["detail"]
    wait = int(answer.headers["retry-after"])
    assert 1 <= wait <= 60
    name = answer.headers["ratelimit-policy"].partition(";")[0]
    assert answer.headers["ratelimit"] == f"{name};r=0;t={wait}"


async def test_openings_and_forks_of_one_address(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits(openings=3)) as client:
        await client.open("free-hit", SHEETS)
        assert (await client.post("/fork", {})).status_code == 201
        assert (await client.http.post("/v1/combats", json=OPEN)).status_code == 201
        refused(await client.http.post("/v1/combats", json=OPEN), "at most 3 combats are opened")
        answer = await client.post("/fork", {})
        refused(answer, "at most 3 combats are opened")
        assert answer.headers["ratelimit-policy"] == '"openings";q=3;w=60'
        assert (await client.get()).status_code == 200
        async with at(client, "203.0.113.6") as other:
            assert (await other.post("/v1/combats", json=OPEN)).status_code == 201


async def test_imports_of_one_address(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits(imports=2)) as client:
        url = "/v1/combats/import"
        for _ in range(2):
            answer = await client.http.post(url, content=b"nothing", headers=NDJSON)
            assert answer.status_code == 400
        refused(await client.http.post(url, content=b"nothing", headers=NDJSON), "imported")


async def test_streams_of_one_token_and_of_one_address(dsn: str, tmp_path: Path) -> None:
    limits = Limits(streams_per_token=2, streams_per_address=3)
    async with limited(dsn, tmp_path, limits) as client:
        await client.open("free-hit", SHEETS)
        watching = await client.player(role="spectator")
        service: Any = client.service  # type: ignore[attr-defined]
        places = service.limiter
        hot = await service.combats.confirmed(UUID(client.combat))
        row = next(row for row in hot.tokens.values() if row.role == "spectator")
        with places.streams_of_token.taken(f"{hot.id} {row.id}"):
            answer = await client.get("/stream", params={"wait": "0"}, token=watching)
            assert answer.status_code == 200
            with places.streams_of_token.taken(f"{hot.id} {row.id}"):
                answer = await client.get("/stream", params={"wait": "0"}, token=watching)
                refused(answer, "at most 2 streams with one token")
                policy = '"streams-per-token";q=2;qu="concurrent-requests"'
                assert answer.headers["ratelimit-policy"] == policy
                answer = await client.get("/stream", params={"wait": "0"})
                assert answer.status_code == 200
        with (
            places.streams_of_address.taken("203.0.113.5"),
            places.streams_of_address.taken("203.0.113.5"),
            places.streams_of_address.taken("203.0.113.5"),
        ):
            answer = await client.get("/stream", params={"wait": "0"})
            refused(answer, "at most 3 streams from one address")
        assert not places.streams_of_token._taken
        assert not places.streams_of_address._taken


async def test_a_stream_holds_its_places_and_gives_them_back(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits()) as client:
        await client.open("free-hit", SHEETS)
        service: Any = client.service  # type: ignore[attr-defined]
        hot = await service.combats.confirmed(UUID(client.combat))
        row = next(iter(hot.tokens.values()))
        pieces = await service.streams.listen(
            hot, row, after=None, full=False, wait_s=None, address="203.0.113.9"
        )
        await anext(pieces)
        assert service.limiter.streams_of_token._taken == {f"{hot.id} {row.id}": 1}
        assert service.limiter.streams_of_address._taken == {"203.0.113.9": 1}
        await pieces.aclose()
        assert not service.limiter.streams_of_token._taken
        assert not service.limiter.streams_of_address._taken


async def test_wrong_service_keys_of_one_address(dsn: str, tmp_path: Path) -> None:
    limits = Limits(wrong_keys=3)
    async with limited(dsn, tmp_path, limits, service_key="sesame") as client:
        for _ in range(3):
            wrong = {"Authorization": "Bearer open"}
            answer = await client.http.post("/v1/combats", json=OPEN, headers=wrong)
            assert answer.status_code == 401
        right = {"Authorization": "Bearer sesame"}
        answer = await client.http.post("/v1/combats", json=OPEN, headers=right)
        refused(answer, "at most 3 wrong keys")  # no further guess is possible
        async with at(client, "203.0.113.6") as other:
            answer = await other.post("/v1/combats", json=OPEN, headers=right)
            assert answer.status_code == 201


async def test_wrong_tokens_of_one_address(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits(wrong_keys=3)) as client:
        await client.open("free-hit", SHEETS)
        wrong = client.token[:-4] + "AAAA"
        for _ in range(3):
            assert (await client.get(token=wrong)).status_code == 401
        refused(await client.get(token=wrong), "at most 3 wrong keys")
        refused(await client.get("/stream", params={"ticket": "ticket_x"}), "at most 3 wrong keys")
        assert (await client.get()).status_code == 200  # valid tokens still work


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ({}, "10.0.0.1"),
        ({"X-Forwarded-For": "203.0.113.7"}, "203.0.113.7"),
        ({"X-Forwarded-For": "1.1.1.1, 203.0.113.7, 10.0.0.2"}, "203.0.113.7"),
        ({"X-Forwarded-For": "nonsense"}, "10.0.0.1"),
    ],
)
async def test_a_proxy_names_the_client(
    dsn: str, tmp_path: Path, headers: Mapping[str, str], address: str
) -> None:
    proxies = (ip_network("10.0.0.0/8"),)
    limits = Limits(openings=1)
    async with limited(dsn, tmp_path, limits, address="10.0.0.1", proxies=proxies) as client:
        answer = await client.http.post("/v1/combats", json=OPEN, headers=headers)
        assert answer.status_code == 201
        service: Any = client.service  # type: ignore[attr-defined]
        assert list(service.limiter.openings._free_at) == [address]


async def test_nobody_but_a_proxy_names_another_address(dsn: str, tmp_path: Path) -> None:
    proxies = (ip_network("10.0.0.0/8"),)
    async with limited(dsn, tmp_path, Limits(openings=1), proxies=proxies) as client:
        for number in range(2):
            forwarded = {"X-Forwarded-For": f"203.0.113.{number}"}
            answer = await client.http.post("/v1/combats", json=OPEN, headers=forwarded)
        refused(answer, "opened")


def test_the_settings() -> None:
    environment = {
        "AFFRAY_STREAMS_PER_TOKEN": "10",
        "AFFRAY_STREAMS_PER_ADDRESS": "0",
        "AFFRAY_OPENINGS_PER_MINUTE": "30",
        "AFFRAY_IMPORTS_PER_MINUTE": "40",
        "AFFRAY_WRONG_KEYS_PER_MINUTE": "50",
        "AFFRAY_UPLOADS": "6",
        "AFFRAY_PROXIES": "10.0.0.0/8, 127.0.0.1",
    }
    settings = Settings.from_environment(environment)
    assert settings.limits == Limits(10, 0, 30, 40, 50, 6)
    assert settings.proxies == (ip_network("10.0.0.0/8"), ip_network("127.0.0.1/32"))
    assert Settings.from_environment({}).limits == Limits()
    for bad in ({"AFFRAY_UPLOADS": "-1"}, {"AFFRAY_PROXIES": "everywhere"}):
        with pytest.raises(BadSetting, match=next(iter(bad))):
            Settings.from_environment(bad)


async def test_the_metrics_want_the_service_key(dsn: str, tmp_path: Path) -> None:
    async with limited(dsn, tmp_path, Limits(), service_key="sesame") as client:
        assert (await client.http.get("/metrics")).status_code == 401
        right = {"Authorization": "Bearer sesame"}
        assert (await client.http.get("/metrics", headers=right)).status_code == 200
        assert (await client.http.get("/health/live")).status_code == 200
        start = (await client.http.get("/schema/start.js")).text
        assert '"persistAuth": false' in start
        assert 'localStorage.removeItem("authorized")' in start
