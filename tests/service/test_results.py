"""Test that answer, stream and timeline give each reader the same result."""

from typing import Any

from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.service.test_stream import read

ANA = unit("Ana", agility=9, accuracy=5, weapons=[SWORD], owner="anna", at=[0, 0])
IMP = foe("Imp", agility=1, max_hp=20, weapons=[SWORD], at=[1, 0])
GHOST = foe("Ghost", agility=0, max_hp=10, at=[5, 5])


async def results(client: Client, token: str) -> tuple[Any, Any]:
    """Return the newest result in a reader's timeline, and in its stream."""
    page = (await client.get("/timeline", token=token, params={"order": "newest"})).json()
    ((_, sequence, _),) = await read(client, token=token)
    assert sequence is not None
    heard = await read(client, last=page["entries"][0]["first"] - 1, token=token)
    return page["entries"][0]["result"], heard[-1][2]["result"]


async def test_answer_stream_and_timeline_have_the_same_result(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP], dice={"gm": "server", "players": "server"})
    await client.done("/begin")
    player = await client.player(owner="anna")
    body = {"combatant": "Ana", "action": "attack", "inputs": {"target": "Imp", "weapon": "sword"}}
    answer = await client.done("/actions", body, token=player)
    result = answer["result"]
    assert await results(client, player) == (result, result)
    assert result["sentence"] == "Ana attacks Imp with the sword (attack action)."
    assert result["verdict"] in ("hit", "critical", "super-critical", "miss", "auto-fail")
    assert "(1d20)" in result["sum"]
    assert "against" not in result["sum"]  # a foe's number is secret
    assert not any(isinstance(change["after"], int) for change in result["changes"])
    told, heard = await results(client, client.token)
    assert told == heard
    assert "against" in told["sum"]


async def test_a_hidden_combatant_is_in_no_result_of_a_player(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP])
    await client.done("/combatants", {"sheet": GHOST, "hidden": True})
    await client.done("/begin")
    player = await client.player(owner="anna")
    targets = [{"combatant": who} for who in ("Ghost", "Imp")]
    inputs = {"ruling": "damage", "targets": targets, "inputs": {"amount": 3}}
    answer = await client.done("/rulings", {"ruling": "several", "inputs": inputs})
    hurt = [change for change in answer["result"]["changes"] if change["combatant"] == "Ghost"]
    assert {"combatant": "Ghost", "name": "Ghost", "what": "HP", "before": 10, "after": 7} in hurt
    told, heard = await results(client, player)
    assert told == heard
    assert "Ghost" not in str(told)
    assert told["changes"] == [
        {"combatant": "Imp", "name": "Imp", "what": "wound", "before": "unhurt", "after": "hurt"}
    ]
