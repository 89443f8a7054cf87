"""Test that a hidden combatant's die does not change the players' timeline (HE-INIT-01)."""

import re
from typing import Any

import pytest

from tests.client import Client
from tests.rulesets.hallowed_earth.units import hero, monster

NUMBERS = re.compile(r"[0-9]+")

GMS = {"gm": "manual", "players": "server"}
ALL = {"gm": "manual", "players": "manual"}


async def told(client: Client, dice: Any, names: str, hidden: str) -> list[list[str]]:
    """Return the timeline of Ana's player at the first declaration: the lines of each command."""
    fight = Client(client.http)
    await fight.open("hallowed-earth", [], dice=dice, options={"rulings": "default"})
    for name in names.split():
        make = hero if name == "Ana" else monster
        sheet = make(
            name, at=[len(name), names.index(name)], owner="anna" if name == "Ana" else None
        )
        body = {"sheet": sheet, "hidden": name in hidden}
        assert (await fight.post("/combatants", body)).status_code == 201
    player = await fight.player("Ana", owner="anna")
    await fight.done("/begin")
    while asked := [prompt for prompt in await fight.prompts() if prompt["kind"] == "roll"]:
        await fight.answer(asked[0]["id"], faces=[5])
    entries = (await fight.get("/timeline", token=player)).json()["entries"]
    return [[NUMBERS.sub("N", line["text"]) for line in entry["lines"]] for entry in entries]


@pytest.mark.parametrize("dice", [GMS, ALL])
@pytest.mark.parametrize("names", ["Ana Orc Spy", "Spy Ana Orc", "Orc Ana Spy", "Orc Spy Ana"])
async def test_players_do_not_notice_a_hidden_die(client: Client, dice: Any, names: str) -> None:
    without = " ".join(name for name in names.split() if name != "Spy")
    seen = await told(client, dice, names, "Spy")
    assert seen[-2:] == (await told(client, dice, without, ""))[-2:]
