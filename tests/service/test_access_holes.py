"""Who may see and do what: one test for each check whose loss no other test noticed."""

import httpx
import pytest

from service.app import Service
from tests.client import Client
from tests.service.test_deadlines import SHEETS
from tests.service.test_webhook_fairness import calling as calling  # a fixture
from tests.service.test_webhook_fairness import http as http


async def begun(client: Client) -> None:
    await client.open("free-hit", SHEETS)
    await client.done("/begin")


@pytest.mark.parametrize("how", ["revoked", "ended"])
async def test_a_webhook_ends_with_the_token_that_made_it(
    http: httpx.AsyncClient, calling: Service, how: str
) -> None:
    """Its audience is still in force; whoever made it is not."""
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
        assert await calling.combats.store.pool.fetchval(left) == 0
    else:
        pool = calling.combats.store.pool
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
    """Boards are kept by audience: no player gets one that was made for another."""
    await begun(client)
    first, second = await client.player("Ana"), await client.player("Imp")
    boards = [(await client.get(token=token)).json() for token in (first, second, first)]
    assert [board["you"]["combatants"] for board in boards] == [["Ana"], ["Imp"], ["Ana"]]
    assert [len(board["prompts"]) for board in boards] == [1, 0, 1]
    tags = [(await client.get(token=token)).headers["etag"] for token in (first, second)]
    assert tags[0] != tags[1]
