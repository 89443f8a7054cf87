"""Test amendments over HTTP, from the report to the undo."""

import asyncio
import json
from typing import Any

import pytest

from domain.record.verify import verify
from service.app import Service
from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe
from tests.service.test_play import ANA, IMP, fight
from tests.service.test_refusals import problem

SERVER = {"gm": "server", "players": "server"}
BOOST = {"type": "act", "combatant": "Ana", "action": "boost-hit", "inputs": {}}


async def missed(client: Client) -> int:
    """Return the version of Ana's attack, which misses with 6 + 4 = 10 against 11."""
    await fight(client)
    declared = await client.act("Ana", "attack", target="Imp")
    rolled = await client.answer(declared["prompts"][0]["id"], faces=[6])
    assert "miss" in {event["data"].get("outcome") for event in rolled["events"]}
    version: int = next(
        event["version"] for event in declared["events"] if event["type"] == "action-declared"
    )
    return version


async def dry(client: Client, body: Any) -> Any:
    answer = await client.post("/amend", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def commit(client: Client, body: Any, **more: Any) -> Any:
    """Commit the result of a dry run."""
    report = await dry(client, body)
    answer = await client.post(
        "/amend",
        {**body, "commit": True, "digest": report["digest"]},
        headers={"If-Match": f'"{report["version"]}"'},
        **more,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_dry_run_stores_nothing_and_says_what_would_be(client: Client) -> None:
    attack = await missed(client)
    before = (await client.get()).json()
    body = {"changes": [{"kind": "insert", "at": attack, "command": BOOST}], "reason": "forgotten"}
    report = await dry(client, body)
    assert report["stored"] is None
    added, declared, different = report["lines"]
    assert (added["verdict"], added["at"]) == ("added", attack)
    assert declared["verdict"] == "different"  # the prompt shows another sum
    assert different["verdict"] == "different"
    assert different["before"]["verdict"] == "miss"
    assert different["after"]["verdict"] == "hit"
    assert different["after"]["sum"].startswith("6 (1d20)")
    assert (report["kept"], report["fresh"], report["chance"]) == (1, 0, False)
    assert "Ana: gains hit boost; Bonus action 2 → 1" in report["end"]["text"]
    assert (await client.get()).json() == before
    assert await dry(client, body) == report


async def test_a_commit_stores_it_and_one_undo_takes_it_back(client: Client) -> None:
    attack = await missed(client)
    before = (await client.get()).json()
    body = {"changes": [{"kind": "insert", "at": attack, "command": BOOST}], "reason": "forgotten"}
    report = await commit(client, body)
    board = (await client.get()).json()
    assert report["stored"] == board["version"]
    assert [prompt["name"] for prompt in board["prompts"]] == ["damage"]
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    amended = [event for event in events if event["version"] > before["version"]]
    assert [event["type"] for event in amended[:2]] == ["reverted", "amended"]
    assert amended[0]["data"] == {"to": attack - 1, "kind": "amend", "reason": "forgotten"}
    file = (await client.get("/export")).content
    assert verify(file).sound
    await client.answer(board["prompts"][0]["id"], faces=[2])
    await client.done("/undo")
    assert {**(await client.get()).json(), "version": 0} == {**board, "version": 0}
    undone = await client.done("/undo")
    assert "takes back the amendment" in undone["result"]["sentence"], undone["result"]
    assert {**(await client.get()).json(), "version": 0} == {**before, "version": 0}
    await client.done("/redo")
    assert {**(await client.get()).json(), "version": 0} == {**board, "version": 0}


async def test_a_stale_report_is_not_committed(client: Client) -> None:
    attack = await missed(client)
    body = {"changes": [{"kind": "insert", "at": attack, "command": BOOST}]}
    report = await dry(client, body)
    whole = {**body, "commit": True, "digest": report["digest"]}
    match = {"If-Match": f'"{report["version"]}"'}
    problem(await client.post("/amend", whole), 400, "malformed")
    problem(await client.post("/amend", {**body, "commit": True}, headers=match), 400, "malformed")
    other = {**whole, "reason": "another"}
    problem(await client.post("/amend", other, headers=match), 412, "stale")
    await client.done("/notes", {"text": "meanwhile"})
    problem(await client.post("/amend", whole, headers=match), 412, "stale")
    assert "amended" not in {
        event["type"] for event in (await client.get("/events")).json()["events"]
    }


async def test_what_cannot_be_amended_is_refused(client: Client) -> None:
    attack = await missed(client)
    for changes, status, kind in (
        ([{"kind": "drop", "at": 1}], 409, "unfitting"),
        ([{"kind": "drop", "at": 9999}], 404, "not-found"),
        ([{"kind": "bend", "at": attack}], 400, "malformed"),
        ([{"kind": "set-faces", "roll": attack, "faces": [1]}], 409, "unfitting"),
        ([{"kind": "replace", "at": attack, "command": {**BOOST, "action": "fly"}}], 404,
         "not-found"),
    ):  # fmt: skip
        problem(await client.post("/amend", {"changes": changes}), status, kind)
    player = await client.player("Ana")
    problem(await client.post("/amend", {"changes": []}, token=player), 403, "forbidden")


async def test_undecided_commands_are_not_committed(client: Client) -> None:
    rat = foe("Rat", agility=1, max_hp=6, at=[9, 9], weapons=[SWORD])
    await client.open("free-hit", [ANA, IMP, rat], dice={"gm": "manual", "players": "manual"})
    await client.done("/begin")
    declared = await client.act("Ana", "attack", target="Imp")
    attack = declared["events"][0]["version"]
    leave = {"type": "leave", "who": "Imp"}
    changes = [{"kind": "insert", "at": attack, "command": leave}]
    body = {"changes": changes, "impossible": "ask"}
    report = await dry(client, body)
    assert report["ended"]["why"] == "impossible"
    assert not report["ended"]["decided"]
    whole = {**body, "commit": True, "digest": report["digest"]}
    match = {"If-Match": f'"{report["version"]}"'}
    problem(await client.post("/amend", whole, headers=match), 409, "unfitting")
    decided = {**body, "changes": [*changes, {"kind": "drop", "at": attack}]}
    assert "dropped" in {line["verdict"] for line in (await dry(client, decided))["lines"]}


async def test_a_dry_run_shows_no_face_of_the_real_dice(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP], dice=SERVER)
    begun = await client.done("/begin")
    other = {"type": "act", "combatant": "Ana", "action": "attack", "inputs": {"target": "Imp"}}
    await client.act("Ana", "end-turn")
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    ended = next(event["version"] for event in events if event["type"] == "action-declared")
    assert ended > begun["version"]
    body = {"changes": [{"kind": "replace", "at": ended, "command": other}], "impossible": "skip"}
    seen = {json.dumps((await dry(client, body))["lines"][0]["after"]["sum"]) for _ in range(12)}
    assert len(seen) > 1  # real faces would always be equal
    reports = [await dry(client, body) for _ in range(3)]
    assert len({report["digest"] for report in reports}) == 1
    assert all(report["chance"] for report in reports)
    assert (await commit(client, body))["stored"]


async def pieces(client: Client, token: str | None, after: int | str) -> list[tuple[str, Any]]:
    """Return the messages of a stream after a number or an id, by kind."""
    params = {"wait": "0", "after": str(after)}
    text = (await client.get("/stream", params=params, token=token)).text
    messages = []
    for piece in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in piece.splitlines() if ": " in line)
        if "event" in lines:
            messages.append((lines["event"], json.loads(lines["data"])))
    return messages


async def test_players_get_one_message_and_nothing_of_the_request(client: Client) -> None:
    attack = await missed(client)
    player = await client.player("Ana")
    before = (await client.get(token=player)).json()["version"]
    reason = "the-gm-forgot"
    body = {"changes": [{"kind": "insert", "at": attack, "command": BOOST}], "reason": reason}
    await commit(client, body)
    for token in (player, None):
        number = (await client.get(token=token)).json()["version"]
        start = before if token else number - 1
        if token:
            ((kind, message),) = await pieces(client, token, start)
            assert kind == "amended"
            assert message["version"] == number
            assert message["back_to"] < before
            assert message["board"] == (await client.get(token=token)).json()
            assert message["sentences"]
            text = json.dumps(message)
            assert reason not in text
            assert "insert" not in text
    seen = (await client.get("/events", params={"limit": 500}, token=player)).json()["events"]
    assert "amended" not in {event["type"] for event in seen}
    assert reason not in json.dumps(seen)
    timeline = (await client.get("/timeline", token=player)).text
    assert "The GM changes the past from “Ana attacks Imp" in timeline


async def test_who_could_see_nothing_of_it_is_told_nothing(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP], dice={"gm": "manual", "players": "manual"})
    await client.done("/notes", {"text": "for me alone", "private": True})
    noted = (await client.get()).json()["version"]
    await client.done("/notes", {"text": "this too", "private": True})
    player = await client.player("Ana")
    before = await client.get(token=player)
    stream = (await client.get("/stream", params={"wait": "0"}, token=player)).text
    last = stream.partition("\nid: ")[2].partition("\n")[0]
    report = await commit(client, {"changes": [{"kind": "drop", "at": noted}]})
    assert report["lines"][0]["verdict"] == "dropped"
    after = await client.get(token=player)
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])
    assert await pieces(client, player, last) == []


async def test_a_cold_combat_is_amended_with_the_rights_of_its_players(
    client: Client, service: Service
) -> None:
    attack = await missed(client)
    player = await client.player("Ana")
    await client.done("/undo")
    await client.done("/undo")
    answer = await client.post(
        "/actions",
        {"combatant": "Ana", "action": "attack", "inputs": {"target": "Imp"}},
        token=player,
    )
    declared = answer.json()["prompts"][0]["id"]
    await client.post(f"/prompts/{declared}", {"inputs": {"faces": [6]}}, token=player)
    service.combats.recent.clear()
    report = await dry(client, {"since": attack - 1})
    assert [line["verdict"] for line in report["lines"]] == ["same"]


async def test_old_events_are_read_from_the_log(client: Client, service: Service) -> None:
    await fight(client)
    begun = (await client.get()).json()["version"]
    await client.act("Ana", "boost-hit")
    for number in range(180):
        await client.done("/notes", {"text": f"note {number}"})
    service.combats.recent.clear()
    body = {"changes": [{"kind": "drop", "at": begun + 1}], "prompts": "default"}
    report = await dry(client, body)
    assert [(line["verdict"], line.get("commands", 1)) for line in report["lines"]] == [
        ("dropped", 1),
        ("same", 180),
    ]
    service.combats.recent.clear()
    assert (await commit(client, body))["stored"]
    assert (await client.get("/verify")).json()["sound"]


async def test_a_walk_ends_when_its_client_is_gone(client: Client, service: Service) -> None:
    await fight(client)
    begun = (await client.get()).json()["version"]
    for number in range(60):
        await client.done("/notes", {"text": f"note {number}"})
    before = await client.get()
    body = json.dumps({"since": begun}).encode()
    sent: list[Any] = []
    parts = [
        {"type": "http.request", "body": body, "more_body": False},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": f"/v1/combats/{client.combat}/amend",
        "raw_path": f"/v1/combats/{client.combat}/amend".encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "headers": [
            (b"host", b"localhost"),
            (b"authorization", f"Bearer {client.token}".encode()),
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    await service.asgi(scope, receive, send)
    assert [event["status"] for event in sent if event["type"] == "http.response.start"] != [200]
    assert (await client.get()).content == before.content


async def test_the_gm_is_told_how_far_it_is(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = await missed(client)
    monkeypatch.setattr("service.amendments.PROGRESS_S", 0)
    number = (await client.get()).json()["version"]
    listening = asyncio.create_task(
        client.get("/stream", params={"wait": "2", "after": str(number)})
    )
    await asyncio.sleep(0.5)
    await dry(client, {"since": attack})
    text = (await listening).text
    assert 'event: progress\ndata: {"done":' in text


async def test_an_idempotency_key_amends_once(client: Client) -> None:
    attack = await missed(client)
    body = {"changes": [{"kind": "insert", "at": attack, "command": BOOST}]}
    report = await dry(client, body)
    whole = {**body, "commit": True, "digest": report["digest"]}
    headers = {"If-Match": f'"{report["version"]}"', "Idempotency-Key": "once"}
    first = await client.post("/amend", whole, headers=headers)
    again = await client.post("/amend", whole, headers=headers)
    assert first.content == again.content
    assert again.headers["idempotency-replayed"] == "true"


async def test_a_change_names_the_fields_of_its_own_kind(client: Client) -> None:
    await missed(client)
    for at in ({"at": 37}, {"roll": 37, "faces": [1], "at": 37}):
        body = {"changes": [{"kind": "set-faces", **at}]}
        refusal = problem(await client.post("/what-if", body), 400, "malformed")
        if "unknown" in refusal["detail"]:
            assert refusal["allowed"] == ["roll", "faces"]


async def test_what_if_tries_the_past_and_what_comes_next(client: Client) -> None:
    attack = await missed(client)
    before = await client.get()
    boosted = {"changes": [{"kind": "insert", "at": attack, "command": BOOST}]}
    report = (await client.done("/what-if", boosted))["report"]
    assert report["lines"][-1]["after"]["verdict"] == "hit"
    assert report["stored"] is None
    (turn,) = before.json()["prompts"]
    reply = {"type": "reply", "prompt": turn["id"], "option": turn["default"]}
    forward = (await client.done("/what-if", {"commands": [reply]}))["report"]
    assert [line["verdict"] for line in forward["lines"]] == ["added"]
    assert (await client.get()).content == before.content
    refused = {"commands": [{"type": "act", "combatant": "Ana", "action": "stand-up"}]}
    assert (await client.post("/what-if", refused)).status_code == 409


async def test_a_player_asks_what_if_as_far_as_a_preview_goes(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP], dice=SERVER)
    await client.done("/begin")
    player = await client.player("Ana")
    before = await client.get(token=player)
    boost = {"type": "act", "combatant": "Ana", "action": "boost-hit"}
    strike = {"type": "act", "combatant": "Ana", "action": "attack", "inputs": {"target": "Imp"}}
    body = {"commands": [boost, strike, strike]}
    foreseen = (await client.done("/what-if", body, token=player))["foreseen"]
    alone = await client.done(
        "/preview", {"command": "act", "combatant": "Ana", "action": "boost-hit"}, token=player
    )
    first, second = foreseen["steps"]
    assert first["lines"] == alone["lines"]
    assert foreseen["ended"]
    assert second["result"]["verdict"] is None
    assert "rolled" not in json.dumps(second)
    assert (await client.get(token=player)).content == before.content
    past = {"since": 3, "commands": [boost]}
    problem(await client.post("/what-if", past, token=player), 403, "forbidden")
    rule = {"type": "rule", "ruling": "damage", "inputs": {"combatant": "Imp", "amount": 1}}
    problem(await client.post("/what-if", {"commands": [rule]}, token=player), 403, "forbidden")
