"""Test how `affray-client` sends and repeats requests, and reports refusals."""

import asyncio
import time

import pytest
from affray_client import (
    Affray,
    AsyncAffray,
    AsyncCombat,
    Problem,
    Unreachable,
    compare,
    operations,
)

from tests.clients.scripted import broken, document, scripted
from tests.server import free_port

COMMITTED = {
    "version": 3,
    "events": [],
    "prompts": [],
    "result": {
        "verdict": None,
        "sentence": "",
        "sum": None,
        "changes": [],
        "kind": None,
        "blows": [],
        "acts": True,
    },
}
BUSY = {"type": "/problems/unavailable", "title": "The database did not answer", "status": 503}


def seat(url: str, patience_s: float = 60) -> AsyncCombat:
    return AsyncAffray(f"{url}/", patience_s=patience_s).combat("c1", "affray_token")


async def test_a_post_without_an_answer_is_sent_again_with_the_same_key() -> None:
    done = document(200, COMMITTED, {"ETag": '"3"'})
    async with scripted(broken, document(503, BUSY), done) as script:
        committed = await seat(script.url).roll("Lin:1", [4])
    assert (committed.version, committed.etag) == (3, '"3"')
    assert len(script.requests) == 3
    assert {request.body for request in script.requests} == {'{"inputs":{"faces":[4]}}'}
    (key,) = {request.headers["idempotency-key"] for request in script.requests}
    assert len(key) == 32
    assert script.requests[0].url == "/v1/combats/c1/prompts/Lin%3A1"
    assert script.requests[0].headers["authorization"] == "Bearer affray_token"


async def test_two_commands_have_two_keys() -> None:
    async with scripted(document(200, COMMITTED), document(200, COMMITTED)) as script:
        lina = seat(script.url)
        await lina.begin()
        await lina.begin()
    first, second = script.requests
    assert first.headers["idempotency-key"] != second.headers["idempotency-key"]


async def test_retry_after_is_waited_for() -> None:
    many = document(429, {"type": "/problems/too-many-requests"}, {"Retry-After": "1"})
    async with scripted(many, document(200, COMMITTED)) as script:
        before = time.monotonic()
        await seat(script.url).begin()
    assert time.monotonic() - before >= 1


async def test_an_answer_that_would_come_after_the_patience_is_not_waited_for() -> None:
    async with scripted(document(503, BUSY, {"Retry-After": "30"})) as script:
        with pytest.raises(Problem) as given_up:
            await seat(script.url, 2).begin()
    assert given_up.value.kind == "unavailable"
    assert len(script.requests) == 1


def test_a_service_that_is_not_there_is_told_at_once_and_given_up_after_the_patience() -> None:
    waits: list[str] = []
    url = f"http://127.0.0.1:{free_port()}"
    with Affray(url, patience_s=1, on_wait=lambda why: waits.append(str(why))) as affray:
        with pytest.raises(Unreachable, match=r"^POST http:.*combats: no answer \(.+\)") as told:
            affray.open("free-hit", {})
    assert waits[0] == str(told.value)


async def test_a_delete_without_an_answer_is_not_repeated() -> None:
    async with scripted(broken) as script:
        with pytest.raises(Unreachable):
            await seat(script.url).call(operations.delete_combat)
    assert len(script.requests) == 1


async def test_a_delete_is_repeated_if_nothing_was_stored() -> None:
    async with scripted(document(503, BUSY), document(204, None)) as script:
        await seat(script.url).call(operations.delete_combat)
    assert len(script.requests) == 2


async def test_a_refusal_has_rule_reason_pointer_and_what_is_allowed() -> None:
    refusal = {
        "type": "/problems/illegal-action",
        "title": "The rules do not allow this",
        "status": 409,
        "detail": "it is not Troll's turn",
        "rule": "FH-SEQ-05",
        "reason": "not-your-turn",
        "pointer": "/combatant",
        "allowed": ["Lin"],
        "closed": {"how": "overtaken", "successor": "Lin:2"},
    }
    async with scripted(document(409, refusal)) as script:
        with pytest.raises(Problem, match="it is not Troll's turn") as refused:
            await seat(script.url).begin()
    problem = refused.value
    assert (problem.status, problem.kind, problem.rule) == (409, "illegal-action", "FH-SEQ-05")
    assert (problem.reason, problem.pointer) == ("not-your-turn", "/combatant")
    assert (problem.allowed, problem.successor) == (("Lin",), "Lin:2")
    assert len(script.requests) == 1


@pytest.mark.parametrize("body", ["<html>no</html>", ["no"], {"title": 3}, None])
async def test_a_page_of_a_proxy_is_a_problem_too(body: object) -> None:
    async with scripted(document(403, body)) as script:
        with pytest.raises(Problem) as refused:
            await seat(script.url).begin()
    assert (refused.value.status, refused.value.kind) == (403, "about:blank")


async def test_the_service_key_goes_where_it_is_needed() -> None:
    opened = document(401, {"type": "/problems/unauthorized"})
    async with scripted(opened, opened) as script:
        affray = AsyncAffray(script.url, service_key="secret")
        with pytest.raises(Problem):
            await affray.open("free-hit", {})
        with pytest.raises(Problem):
            await affray.combat("c1", "token").call(operations.fork_combat, body={})
    opening, fork = script.requests
    assert opening.headers["authorization"] == "Bearer secret"
    assert fork.headers["authorization"] == "Bearer token"
    assert fork.headers["affray-service-key"] == "secret"


async def test_threads_share_one_client() -> None:
    health = {"status": "ok", "version": "0.1.9"}
    async with scripted(*[document(200, health)] * 4) as script:
        with Affray(script.url) as affray:
            asked = [asyncio.to_thread(affray.compatibility) for _ in range(4)]
            compatibilities = await asyncio.gather(*asked)
    assert {compatibility.relation for compatibility in compatibilities} == {"newer"}


@pytest.mark.parametrize(
    ("client", "service", "relation"),
    [
        ("0.1.1", "0.1.1", "same"),
        ("0.1.1", "0.1.2", "newer"),
        ("0.1.1", "0.1.0", "older"),
        ("0.1.1", "0.2.0", "other"),
        ("0.1.1", "1.1.1", "other"),
        ("0.1.1", None, "other"),
        ("1.2.3", "1.3.0", "newer"),
        ("1.2.3", "1.2.2", "older"),
        ("1.2.3", "2.0.0", "other"),
        ("1.2.3", "0.2.3", "other"),
    ],
)
def test_versions_compare_as_the_page_on_stability_promises(
    client: str, service: str | None, relation: str
) -> None:
    assert compare(client, service).relation == relation
