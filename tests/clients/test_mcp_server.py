"""Test `affray-mcp` from its wheel, with the official MCP client over stdio."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from tests.clients.environment import ROOT, Environment, wheel
from tests.server import Server, free_port

WEAPON = {"id": "sword", "name": "sword", "damage": "1d8"}
SHEETS = [
    {
        "name": name,
        "side": side,
        "at": at,
        "agility": 3,
        "accuracy": 3,
        "max_hp": 12,
        "weapons": [WEAPON],
    }
    for name, side, at in (("Lin", "heroes", [0, 0]), ("Troll", "foes", [1, 0]))
]
COMMANDS = 400


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment that holds the two wheels and their declared dependencies."""
    made = Environment(tmp_path_factory.mktemp("mcp") / "venv")
    names = ("affray_client", "affray_mcp")
    made.install(*(wheel(name, tmp_path_factory.mktemp(name)) for name in names))
    return made


class Model:
    """A stand-in for a language model that calls tools."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must succeed, and return its text."""
        failed, told = await self.ask(tool, **arguments)
        assert not failed, told
        return told

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail, and return its text."""
        failed, told = await self.ask(tool, **arguments)
        assert failed, told
        return told

    async def ask(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        result = await self.client.call_tool(tool, arguments)
        texts = [part.text for part in result.content if isinstance(part, TextContent)]
        return bool(result.is_error), "\n".join(texts)


@asynccontextmanager
async def model(environment: Environment, url: str, **variables: str) -> AsyncIterator[Model]:
    command = str(environment.bin / "affray-mcp")
    parameters = StdioServerParameters(command=command, env={"AFFRAY_URL": url, **variables})
    async with Client(parameters, read_timeout_seconds=60) as client:
        yield Model(client)


def choices(told: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the options that a text lists with inputs, as tools and arguments."""
    calls = []
    for line in told.splitlines():
        if said := re.match(r"- (answer|act) (.*?): .*? inputs: (\{.*?\})(?: also: .*)?$", line):
            tool, named, inputs = said.groups()
            arguments = dict(part.split("=", 1) for part in named.split(" "))
            calls.append((tool, {**arguments, "inputs": json.loads(inputs)}))
    return calls


async def test_every_tool_and_argument_is_described(
    environment: Environment, server: Server
) -> None:
    async with model(environment, server.url) as player:
        tools = (await player.client.list_tools()).tools
    assert {"open", "options", "act", "answer", "rule", "log", "why", "undo", "board"} <= {
        tool.name for tool in tools
    }
    for tool in tools:
        assert tool.description
        for name, argument in tool.input_schema["properties"].items():
            assert argument.get("description"), (tool.name, name)


async def test_a_model_plays_a_ready_party_to_the_end(
    environment: Environment, server: Server
) -> None:
    async with model(environment, server.url) as player:
        listed = await player.call("rulebooks")
        assert set(re.findall(r"^(\S+): ", listed, re.M)) >= {"definitions", "free-hit"}
        (party, *_) = re.findall(r"party (\S+):", listed.partition("\nfree-hit: ")[2])
        opened = await player.call("open", ruleset="free-hit", party=party)
        assert "call `begin`" in opened
        told = await player.call("begin")
        for _ in range(COMMANDS):
            if "The fight has ended" in told:
                break
            ready = choices(await player.call("options"))
            asked = [choice for choice in ready if choice[0] == "answer"]
            attacks = [choice for choice in asked if "target" in choice[1]["inputs"]]
            tool, arguments = (attacks or asked)[0]
            told = await player.call(tool, **arguments)
        assert re.search(r"The fight has ended\. Winners: \w+", told)
        assert "attacks" in await player.call("log", limit=200)


@pytest.mark.sampled(0)
async def test_a_game_master_leads_a_fight_of_its_own_sheets(
    environment: Environment, server: Server
) -> None:
    async with model(environment, server.url) as gm:
        assert "Call `open`" in await gm.refused("board")
        opened = await gm.call("open", ruleset="free-hit", sheets=SHEETS, name="The bridge")
        combat, token = re.findall(r"^(?:Combat|Token): (\S+)$", opened, re.M)
        reinforcement = {**SHEETS[1], "name": "Ogre", "at": [5, 5]}
        assert "Ogre" in await gm.call("add_combatant", sheet=reinforcement, hidden=True)
        invited = await gm.call("invite", role="player", combatants=["Lin"], label="Lina")
        await gm.call("begin")
        ruled = await gm.call(
            "rule",
            ruling="damage",
            inputs={"combatant": "Troll", "amount": 5},
            reason="a rock falls",
        )
        assert "a rock falls" in ruled
        assert "Troll (foes); hp 7/12" in await gm.call("board")
        why = await gm.call("why", combatant="Troll", track="hp")
        assert "→ 7" in why
        assert "a rock falls" in why
        await gm.call("undo", reason="the rock missed")
        assert "Troll (foes); hp 12/12" in await gm.call("board")
        assert "only one" in await gm.refused("why", combatant="Troll")
        rule = await gm.call("rules", ruleset="free-hit", prefix="FH-ATK-02")
        assert rule.startswith("FH-ATK-02: ")
        assert "rule ruling=damage" in await gm.call("options", rulings=True)
        assert "NOT ALLOWED" in await gm.call("options", refused=True)
    player_token = invited.split(": ")[-1]
    seat = {"AFFRAY_COMBAT": combat, "AFFRAY_TOKEN": player_token}
    async with model(environment, server.url, **seat) as player:
        board = await player.call("board")
        assert "You are: player" in board
        assert "Ogre" not in board
        assert "Refused" in await player.refused("end")
    async with model(environment, server.url) as again:
        assert "You are: gm" in await again.call("join", combat=combat, token=token)
        ended = await again.call("end", winners=["heroes"], reason="the troll runs")
        assert "The fight has ended. Winners: heroes" in ended


async def test_a_refusal_says_what_would_be_allowed(
    environment: Environment, server: Server
) -> None:
    async with model(environment, server.url) as gm:
        await gm.call("open", ruleset="free-hit", sheets=SHEETS)
        told = await gm.call("begin")
        who = re.findall(r"for (Lin|Troll):", told)[0]
        other = {"Lin": "Troll", "Troll": "Lin"}[who]
        unknown = await gm.refused("act", combatant=who, action="attack", inputs={"target": "Bo"})
        assert "Field: /inputs/target" in unknown
        assert re.search(rf"Allowed: .*{other}", unknown)
        early = await gm.refused("act", combatant=other, action="attack", inputs={"target": who})
        assert re.search(r"Rule: FH-\S+ \(\S+\)", early)
        assert "Allowed" in early
        prompt = re.findall(r"^- (\S+) \(turn\)", told, re.M)[0]
        wrong = await gm.refused("answer", prompt=prompt, option="fly")
        assert "Allowed" in wrong
        party = await gm.refused("open", ruleset="free-hit", party="nobody")
        assert "Allowed: " in party


async def test_a_service_that_is_not_there_is_told(environment: Environment) -> None:
    async with model(environment, f"http://127.0.0.1:{free_port()}") as gm:
        assert "Is the Affray service running?" in await gm.refused("rulebooks")


def test_the_configuration_of_the_readme_names_real_settings() -> None:
    page = (ROOT / "clients" / "mcp" / "README.md").read_text()
    (configured,) = re.findall(r"^```json\n(.*?)^```", page, re.S | re.M)
    (named,) = json.loads(configured)["mcpServers"].values()
    source = (ROOT / "clients" / "mcp" / "affray_mcp" / "server.py").read_text()
    assert Path(named["command"]).name == "affray-mcp"
    assert all(f'"{name}"' in source for name in named["env"])
