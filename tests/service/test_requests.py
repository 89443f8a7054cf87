"""Test that players can ask the GM for something while play continues."""

from typing import Any

from tests.client import Client
from tests.service.test_play import fight
from tests.service.test_refusals import problem


async def asked(client: Client, kind: str, token: str, text: str = "") -> Any:
    body = {"combatant": "Ana", "kind": kind, "text": text}
    return await client.done("/requests", body, token=token)


async def settle(client: Client, request: str, *, granted: bool, **more: Any) -> Any:
    return await client.done(f"/requests/{request}", {"granted": granted, **more})


async def requests(client: Client, token: str | None = None) -> list[Any]:
    open_requests: list[Any] = (await client.get("/requests", token=token)).json()["requests"]
    return open_requests


async def test_a_granted_undo_happens_at_once(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    before = (await client.get()).json()
    await client.act("Ana", "boost-hit")
    made = await asked(client, "undo", player, "the wrong button")
    assert [event["type"] for event in made["events"]] == ["requested"]
    (request,) = await requests(client)
    assert request == {
        "id": "Ana:request-1",
        "combatant": "Ana",
        "kind": "undo",
        "text": "the wrong button",
        "deed": before["version"] + 1,
    }
    assert await requests(client, player) == [{**request, "deed": None}]
    done = await settle(client, request["id"], granted=True)
    assert [event["type"] for event in done["events"]] == ["reverted", "request-settled"]
    assert {**(await client.get()).json(), "version": 0} == {**before, "version": 0}
    assert await requests(client) == []
    again = await client.post(f"/requests/{request['id']}", {"granted": True})
    problem(again, 404, "not-found")
    entries = (await client.get("/timeline", params={"limit": 500})).json()["entries"]
    struck = {entry["lines"][0]["type"]: entry["undone"] for entry in entries}
    # The undo does not undo the request itself.
    assert (struck["action-declared"], struck["requested"]) == (True, False)


async def test_an_undo_takes_back_the_deed_with_its_dice(client: Client) -> None:
    """A request to undo an attack with manual dice undoes the attack, not only the last die."""
    await fight(client)
    player = await client.player("Ana")
    before = (await client.get()).json()
    roll = (await client.act("Ana", "attack", target="Imp"))["prompts"][0]["id"]
    await client.answer(roll, faces=[9])  # 9 + 4 = 13 against 11: a hit
    await asked(client, "undo", player)
    (request,) = await requests(client)
    assert request["deed"] == before["version"] + 1
    await settle(client, request["id"], granted=True)
    assert {**(await client.get()).json(), "version": 0} == {**before, "version": 0}


async def test_a_granted_undo_takes_back_nothing_of_others(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    begun = (await client.get()).json()["version"]
    await client.act("Ana", "boost-hit")
    await client.done("/rulings", {"ruling": "damage", "inputs": {"combatant": "Imp", "amount": 1}})
    await asked(client, "undo", player)
    (request,) = await requests(client)
    assert request["deed"] == begun + 1
    refused = await client.post(f"/requests/{request['id']}", {"granted": True})
    assert problem(refused, 409, "unfitting")["reason"] == "played-since"
    assert str(begun + 1) in refused.json()["detail"]
    await client.done("/goto", {"version": begun})
    done = await settle(client, request["id"], granted=True)
    assert [event["type"] for event in done["events"]] == ["request-settled"]


async def test_an_undo_before_any_deed_is_not_granted(client: Client) -> None:
    await fight(client)
    await asked(client, "undo", await client.player("Ana"))
    (request,) = await requests(client)
    assert request["deed"] is None
    refused = await client.post(f"/requests/{request['id']}", {"granted": True})
    assert problem(refused, 409, "unfitting")["reason"] == "nothing-to-undo"
    await settle(client, request["id"], granted=False)


async def test_requests_are_no_steps_of_undo_and_outlive_it(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    before = (await client.get()).json()
    await client.act("Ana", "boost-hit")
    await asked(client, "ruling", player)
    await client.done("/undo")
    assert {**(await client.get()).json(), "version": 0} == {**before, "version": 0}
    (request,) = await requests(client)
    await settle(client, request["id"], granted=False, text="later")
    await client.done("/redo")
    assert await requests(client) == []
    await asked(client, "ruling", player)
    assert [request["id"] for request in await requests(client)] == ["Ana:request-2"]


async def test_a_granted_pause_stops_the_deadlines(client: Client) -> None:
    await fight(client)
    await client.call("PUT", "/deadlines", {"turn": 600})
    player = await client.player("Ana")
    assert (await client.get()).json()["prompts"][0]["until"] is not None
    await asked(client, "pause", player, "the door bell")
    await settle(client, "Ana:request-1", granted=True)
    board = (await client.get()).json()
    assert board["deadlines"]["stopped"]
    assert board["prompts"][0]["until"] is None
    lines = (await client.get("/timeline", token=player)).text
    assert "Ana asks for a pause: the door bell" in lines
    assert "The GM grants Ana a pause" in lines


async def test_a_request_is_between_a_player_and_the_gm(client: Client) -> None:
    await fight(client)
    ana, imp = await client.player("Ana"), await client.player("Imp")
    before = await client.get(token=imp)
    await asked(client, "ruling", ana, "may I swing from the lamp?")
    assert await requests(client, imp) == []
    assert (await client.get(token=imp)).content == before.content
    assert "lamp" not in (await client.get("/events", token=imp)).text
    other = {"combatant": "Ana", "kind": "undo"}
    problem(await client.post("/requests", other, token=imp), 403, "forbidden")
    granted = await client.post("/requests/Ana:request-1", {"granted": True}, token=ana)
    problem(granted, 403, "forbidden")
    spectator = await client.player(role="spectator")
    problem(await client.post("/requests", other, token=spectator), 403, "forbidden")
    for _ in range(4):
        await asked(client, "undo", ana)
    body = {"combatant": "Ana", "kind": "undo"}
    problem(await client.post("/requests", body, token=ana), 409, "unfitting")


async def test_an_amendment_leaves_requests_alone(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    begun = (await client.get()).json()["version"]
    await asked(client, "ruling", player)
    await client.act("Ana", "boost-hit")
    report = await client.done("/amend", {"since": begun})
    assert {line["verdict"] for line in report["lines"]} == {"same"}
    assert report["commands"] == 2
    assert len(await requests(client)) == 1
