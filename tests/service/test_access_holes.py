"""Test access checks that no other test covers: without a check, only these tests fail."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from service.app import Service
from tests.client import Client
from tests.service.test_deadlines import SHEETS, lapsed
from tests.service.test_webhook_fairness import calling as calling  # a fixture
from tests.service.test_webhook_fairness import http as http


async def begun(client: Client) -> None:
    await client.open("free-hit", SHEETS)
    await client.done("/begin")


@pytest.mark.parametrize("how", ["revoked", "ended"])
async def test_a_webhook_ends_with_the_token_that_made_it(
    http: httpx.AsyncClient, calling: Service, how: str
) -> None:
    """If the token that made a webhook ends, the webhook ends too.

    The token that is its audience is still valid.
    """
    client = Client(http)
    await client.open("free-hit", SHEETS)
    watching = await client.done("/tokens", {"role": "spectator"})
    maker = await client.done("/tokens", {"role": "gm"})
    body = {"url": "http://127.0.0.1:9/", "occasions": ["command"], "audience": watching["id"]}
    made = await client.post("/webhooks", body, token=maker["token"])
    assert made.status_code == 201
    assert len((await client.get("/webhooks")).json()["webhooks"]) == 1
    if how == "revoked":
        assert (await client.call("DELETE", f"/tokens/{maker['id']}")).status_code == 204
        left = "SELECT count(*) FROM webhooks"
        assert await calling.store.pool.fetchval(left) == 0
    else:
        pool = calling.store.pool
        await pool.execute("UPDATE tokens SET ends_at = now() WHERE token_id = $1", maker["id"])
        await pool.execute("UPDATE heads SET tokens = tokens + 1")
    assert (await client.get("/webhooks")).json()["webhooks"] == []


async def test_an_idempotency_key_belongs_to_one_path(client: Client) -> None:
    await begun(client)
    key = {"Idempotency-Key": "once"}
    assert (await client.post("/undo", {}, headers=key)).status_code == 200
    other = await client.post("/redo", {}, headers=key)
    assert (other.status_code, other.json()["type"]) == (422, "/problems/idempotency-key-reused")
    assert (await client.get()).json()["status"] == "opening"


@pytest.mark.parametrize("header", ["*", '"no-such-version", *'])
async def test_if_match_of_any_version_is_taken(client: Client, header: str) -> None:
    await begun(client)
    answer = await client.post("/notes", {"text": "any"}, headers={"If-Match": header})
    assert answer.status_code == 201, answer.text
    stale = await client.post("/notes", {"text": "n"}, headers={"If-Match": '"no-such-version"'})
    assert stale.status_code == 412


async def test_each_player_has_a_board_of_its_own(client: Client) -> None:
    """Although the service caches boards by audience, each player gets its own board."""
    await begun(client)
    first, second = await client.player("Ana"), await client.player("Imp")
    boards = [(await client.get(token=token)).json() for token in (first, second, first)]
    assert [board["you"]["combatants"] for board in boards] == [["Ana"], ["Imp"], ["Ana"]]
    assert [len(board["prompts"]) for board in boards] == [1, 0, 1]
    tags = [(await client.get(token=token)).headers["etag"] for token in (first, second)]
    assert tags[0] != tags[1]


async def test_each_player_has_statistics_of_its_own(client: Client) -> None:
    """Only a combatant's side knows its lost points."""
    await begun(client)
    ana, imp = await client.player("Ana"), await client.player("Imp")
    for who, amount in (("Ana", 3), ("Imp", 2)):
        ruling = {"ruling": "damage", "inputs": {"combatant": who, "amount": amount}}
        await client.done("/rulings", ruling)
    for token, known in ((ana, "Ana"), (imp, "Imp"), (ana, "Ana")):
        figures = (await client.get("/statistics", token=token)).json()["combatants"]
        assert [figure["combatant"] for figure in figures if figure["taken"]] == [known]


async def test_each_player_is_sent_messages_of_its_own(client: Client) -> None:
    """Although the service caches messages by audience, each player gets its own messages."""
    await begun(client)
    ana, imp = await client.player("Ana"), await client.player("Imp")
    for number in range(2):
        places = [(await board_of(client, token))["version"] for token in (ana, imp)]
        await client.done(
            "/rulings", {"ruling": "damage", "inputs": {"combatant": "Ana", "amount": 3}}
        )
        for token, after, told in ((ana, places[0], True), (imp, places[1], False)):
            for _ in range(2):
                headers = {"Last-Event-ID": str(after)}
                answer = await client.get(
                    "/stream", token=token, headers=headers, params={"wait": "0"}
                )
                assert ('"amount":3' in answer.text) is told, (number, answer.text)


async def board_of(client: Client, token: str) -> Any:
    return (await client.get(token=token)).json()


async def test_if_none_match_of_any_version_is_taken(client: Client) -> None:
    await begun(client)
    tag = (await client.get()).headers["etag"]
    for header, status in (("*", 304), (tag, 304), (f"W/{tag}", 304), (f'"no", W/{tag}', 304),
                           ('"no", *', 304), ('"no"', 200), (tag.strip('"'), 200)):  # fmt: skip
        answer = await client.get(headers={"If-None-Match": header})
        assert answer.status_code == status, header


async def test_a_token_that_has_ended_is_no_token(client: Client) -> None:
    """An expired token is not listed, gives the GM no view, and its ticket opens no stream."""
    await begun(client)
    ends = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    body = {"role": "player", "combatants": ["Ana"], "ends_at": ends}
    made = await client.done("/tokens", body)
    ticket = (await client.done("/tickets", token=made["token"]))["ticket"]
    assert (await client.get(f"?as={made['id']}")).status_code == 200
    await asyncio.sleep(1.1)
    address = f"/v1/combats/{client.combat}/stream"
    opened = await client.http.get(address, params={"ticket": ticket, "wait": "0"})
    assert opened.status_code == 401, opened.text
    assert [token["role"] for token in (await client.get("/tokens")).json()["tokens"]] == ["gm"]
    assert (await client.get(f"?as={made['id']}")).status_code == 404


async def test_the_clock_needs_no_token_that_has_ended(client: Client) -> None:
    """Deadlines still work if the oldest of the GM's tokens has expired."""
    await client.open("free-hit", SHEETS, deadlines={"turn": 2})
    (first,) = (await client.get("/tokens")).json()["tokens"]
    ends = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    await client.done("/tokens", {"role": "gm", "ends_at": ends})
    client.token = (await client.done("/tokens", {"role": "gm"}))["token"]
    assert (await client.call("DELETE", f"/tokens/{first['id']}")).status_code == 204
    await client.done("/begin")
    assert await lapsed(client, 1)
