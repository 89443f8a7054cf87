"""Test explanations over HTTP: as JSON, as Markdown, in the past, and for players."""

from typing import Any

from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit

MARKDOWN = {"Accept": "text/markdown"}


async def fight(client: Client) -> str:
    """Open a fight of Ana against an Imp and a hidden Rat. Return the token of Ana's player."""
    ana = unit("Ana", agility=4, owner="anna", at=[0, 0], weapons=[SWORD])
    await client.open("free-hit", [ana, foe("Imp", at=[1, 0], weapons=[SWORD])])
    await client.done("/combatants", {"sheet": foe("Rat", agility=1), "hidden": True})
    await client.done("/begin")
    return await client.player(owner="anna")


async def number(client: Client, who: str, name: str, **more: Any) -> Any:
    answer = await client.get(f"/combatants/{who}/explain/{name}", **more)
    assert answer.status_code == 200, answer.text
    (single,) = answer.json()["numbers"]
    return single


async def test_a_number_with_all_that_makes_it(client: Client) -> None:
    await fight(client)
    target = await number(client, "Ana", "target_number")
    assert (target["value"], target["formula"]) == (14, "10 base + 4 Agility = 14")
    assert target["parts"][1] == {
        "label": "Agility",
        "op": "add",
        "value": 4,
        "makes": 14,
        "origin": "sheet",
        "rule": "FH-ATK-02",
        "says": "An attack hits if d20 + Accuracy is at least 10 + the target's Agility",
    }
    assert target["absent"][0]["why"] == "it has none"
    every = (await client.get("/combatants/Ana/explain")).json()["numbers"]
    names = [entry["name"] for entry in every]
    assert {"target_number", "hp", "budget.aa", "summoning_slots.used"} <= set(names)


async def test_as_markdown(client: Client) -> None:
    await fight(client)
    answer = await client.get("/combatants/Ana/explain/target_number", headers=MARKDOWN)
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "## Number that an attack on it must reach: 14" in answer.text
    assert "- + 4 Agility → 14 _(sheet, FH-ATK-02: " in answer.text


async def test_as_it_was(client: Client) -> None:
    await fight(client)
    before = (await client.get()).json()["version"]
    ruling = {"ruling": "set-condition", "inputs": {"combatant": "Ana", "condition": "prone"}}
    await client.done("/rulings", ruling)
    assert (await number(client, "Ana", "target_number"))["value"] == 9  # 5 + 4
    past = await number(client, "Ana", "target_number", params={"at": before})
    assert past["value"] == 14


async def test_whoever_may_not_know_a_number_does_not_know_that_it_is_there(
    client: Client,
) -> None:
    player = await fight(client)
    assert (await number(client, "Ana", "target_number", token=player))["value"] == 14
    unknown = await client.get("/combatants/Imp/explain/nothing", token=player)
    for who, name in (("Imp", "target_number"), ("Imp", "hp")):
        answer = await client.get(f"/combatants/{who}/explain/{name}", token=player)
        assert answer.status_code == unknown.status_code == 404
        assert answer.json()["allowed"] == unknown.json()["allowed"] == ["lineup", "size"]
    hidden = await client.get("/combatants/Rat/explain", token=player)
    nobody = await client.get("/combatants/Bat/explain", token=player)
    assert hidden.text.replace("Rat", "Bat") == nobody.text
