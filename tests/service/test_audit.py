"""Test the sources of events, comparisons of branches and complete checks over HTTP."""

import json

from tests.client import Client
from tests.service.test_history import hit
from tests.service.test_play import fight
from tests.service.test_refusals import problem


async def test_a_roll_is_traced_to_its_sources(client: Client) -> None:
    await hit(client)
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    attack = next(event for event in events if event["data"].get("purpose") == "attack")
    answer = (await client.get(f"/events/{attack['version']}/why")).json()
    assert (answer["formula"], answer["faces"], answer["sum"]["total"]) == ("1d20", [9], 13)
    assert [(term["source"], term["value"]) for term in answer["sum"]["terms"]] == [("Accuracy", 4)]
    assert answer["target"]["total"] == 11
    assert sum(term["value"] for term in answer["target"]["terms"]) == 11
    assert all(rule["says"] for rule in answer["rules"])
    (choice,) = [cause for cause in answer["causes"] if cause["type"] == "action-declared"]
    assert "Ana attacks Imp" in choice["text"]
    assert answer["replays"] is None
    problem(await client.get("/events/9999/why"), 404, "not-found")
    problem(await client.get("/events/first/why"), 404, "not-found")


async def test_the_sources_of_a_foes_roll_are_the_gms(client: Client) -> None:
    await hit(client)
    imp = await client.player("Imp")
    events = (await client.get("/events", params={"limit": 500}, token=imp)).json()["events"]
    attack = next(event for event in events if event["data"].get("purpose") == "attack")
    answer = (await client.get(f"/events/{attack['version']}/why", token=imp)).json()
    assert (answer["faces"], answer["formula"], answer["sum"]) == (None, None, None)
    assert "4 Accuracy" not in json.dumps(answer)


async def test_two_branches_in_words(client: Client) -> None:
    await fight(client)
    start = (await client.get()).json()["version"]
    await client.act("Ana", "boost-hit")
    boosted = (await client.get()).json()["version"]
    await client.done("/undo")
    await client.done("/rulings", {"ruling": "damage", "inputs": {"combatant": "Imp", "amount": 2}})
    ruled = (await client.get()).json()["version"]
    answer = (await client.get("/compare", params={"a": boosted, "b": ruled})).json()
    assert answer["common"] == start
    (left,), (right,) = answer["a"], answer["b"]
    assert "Ana" in left["lines"][0]
    assert right["result"]["changes"][0]["combatant"] == "Imp"
    assert "Imp: Hit points 6 → 4" in answer["end"]["text"]
    player = await client.player("Ana")
    hidden = await client.get("/compare", params={"a": boosted, "b": ruled}, token=player)
    problem(hidden, 403, "forbidden")
    problem(await client.get("/compare", params={"a": 1, "b": 9999}), 404, "not-found")


async def test_a_combat_is_verified_without_a_shell(client: Client) -> None:
    await client.open("free-hit", [], dice={"gm": "server", "players": "server"})
    await hit(client)
    answer = (await client.get("/verify")).json()
    assert answer["sound"]
    assert answer["faults"] == []
    assert answer["manual_rolls"] == 2
    report = await client.done("/amend", {"since": 4})
    done = await client.post(
        "/amend",
        {"since": 4, "commit": True, "digest": report["digest"]},
        headers={"If-Match": f'"{report["version"]}"'},
    )
    assert done.status_code == 200
    answer = (await client.get("/verify")).json()
    assert (answer["sound"], answer["manual_rolls"]) == (True, 4)
