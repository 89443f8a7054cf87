"""Test that older fights continue by new rules, if the GM helps."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.record.combat import Id
from domain.record.events import Noted, TurnBegan, TurnEnded
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option, Prompt
from domain.rulebook.ruleset import Ruleset
from service.app import Service, create_app
from service.settings import Settings
from tests.client import Client
from tests.conftest import RULESETS
from tests.domain.toy import TOY

SHEETS = [{"name": "Ann", "side": "heroes", "owner": "anna"}, {"name": "Bob", "side": "foes"}]


def asks_otherwise(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield from ask(Prompt("turn", "go", who, "Go on?", (Option("go"),), (), "go"))
    yield TurnEnded(who)


def does_more(play: Play, who: Id) -> Procedure[None]:
    yield TurnBegan(who)
    yield Noted("a new thing happens first", rules=("TOY-07",))
    yield from asks_otherwise(play, who)


def has_other_arguments(play: Play, somebody: Id) -> Procedure[None]:
    yield TurnBegan(somebody)


def without_turns() -> Ruleset:
    """Return a rulebook without the procedure `turn`."""
    procedures = {name: it for name, it in TOY.procedures.items() if name != "turn"}
    return replace(TOY, procedures=procedures)


def with_turns(turn: Callable[..., Procedure[None]]) -> Ruleset:
    return replace(TOY, procedures={**TOY.procedures, "turn": turn})


@asynccontextmanager
async def release(dsn: str, folder: Path, toy: Ruleset) -> AsyncIterator[httpx.AsyncClient]:
    """Run a service with these rules."""
    app = create_app(Settings(dsn, folder), {**RULESETS, "toy": toy})
    running: Service = app.state.service
    async with running.running(app):
        transport = httpx.ASGITransport(app=running.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield http


async def begun(dsn: str, folder: Path) -> tuple[Client, str]:
    """Open a fight under the older rules, and begin it. Return it with a player's token."""
    async with release(dsn, folder, TOY) as http:
        client = Client(http)
        await client.open("toy", SHEETS, options={"declare": False})
        player = await client.player("Ann", owner="anna")
        await client.done("/begin")
        (turn,) = await client.prompts()
        assert turn["name"] == "turn"
        return client, player


async def told(client: Client, kind: str) -> list[Any]:
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    return [event for event in events if event["type"] == kind]


CHANGED = {
    "another question": with_turns(asks_otherwise),
    "another event": with_turns(does_more),
    "other arguments": with_turns(has_other_arguments),
    "another name": without_turns(),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", list(CHANGED))
async def test_what_new_rules_no_longer_match_is_abandoned_as_soon_as_they_load_it(
    dsn: str, tmp_path: Path, name: str
) -> None:
    client, player = await begun(dsn, tmp_path)
    async with release(dsn, tmp_path, CHANGED[name]) as http:
        client.http = http
        board = (await client.get()).json()
        (prompt,) = board["prompts"]
        assert (prompt["name"], prompt["who"]) == ("procedure-abandoned", None)
        assert prompt["options"] == ["go-on"]
        for way in ("turn of Ann", "abandoned", "Rule", "undo", "go-on"):
            assert way in prompt["text"]
        assert prompt["data"]["abandoned"] == [{"kind": "flow", "procedure": "turn", "who": "Ann"}]
        (event,) = await told(client, "procedure-abandoned")
        assert event["data"]["reason"].startswith("the rules have changed")
        assert await client.prompts(player) == []
        again = (await client.get()).json()
        assert again["version"] == board["version"]  # the change is stored once
        await client.done(
            "/rulings", {"ruling": "damage", "inputs": {"combatant": "Ann", "amount": 1}}
        )
        if name in ("another question", "another event"):
            await client.answer(prompt["id"], "go-on")
            assert (await client.get()).json().get("stalled") is None
            asked = await client.prompts()
            assert all(prompt["name"] != "procedure-abandoned" for prompt in asked)


async def test_resume_answers_the_prompt(dsn: str, tmp_path: Path) -> None:
    client, _ = await begun(dsn, tmp_path)
    async with release(dsn, tmp_path, CHANGED["another question"]) as http:
        client.http = http
        await client.done("/resume")
        (prompt,) = await client.prompts()
        assert prompt["name"] == "go"
        assert (await client.get()).json().get("stalled") is None


async def test_undo_leads_before_what_was_abandoned(dsn: str, tmp_path: Path) -> None:
    client, _ = await begun(dsn, tmp_path)
    async with release(dsn, tmp_path, CHANGED["another question"]) as http:
        client.http = http
        await client.get()
        await client.done("/undo", {"reason": "from the beginning"})
        assert (await client.get()).json()["status"] == "opening"
        await client.done("/begin")
        (prompt,) = await client.prompts()
        assert prompt["name"] == "go"
        # A goto to a version of the older rules abandons the procedure at once. The prompt of
        # the procedure never opens.
        await client.done("/goto", {"version": 8})
        (prompt,) = await client.prompts()
        assert prompt["name"] == "procedure-abandoned"


async def test_the_answer_to_a_prompt_of_then_says_what_became_of_it(
    dsn: str, tmp_path: Path
) -> None:
    client, player = await begun(dsn, tmp_path)
    async with release(dsn, tmp_path, CHANGED["another question"]) as http:
        client.http = http
        answer = await client.post("/prompts/Ann:1", {"option": "end-turn"}, token=player)
        assert answer.status_code == 409
        assert answer.json()["closed"]["how"] == "ended"
        (prompt,) = await client.prompts()
        assert prompt["name"] == "procedure-abandoned"


async def test_an_import_that_the_rules_do_not_match_goes_on(dsn: str, tmp_path: Path) -> None:
    client, _ = await begun(dsn, tmp_path)
    async with release(dsn, tmp_path, TOY) as http:
        client.http = http
        file = (await client.get("/export")).content
        await client.call("DELETE")
    async with release(dsn, tmp_path, CHANGED["another question"]) as http:
        headers = {"Content-Type": "application/x-ndjson"}
        answer = await http.post("/v1/combats/import", content=file, headers=headers)
        client.http, client.token = http, answer.json()["token"]
        (prompt,) = await client.prompts()
        await client.answer(prompt["id"], "go-on")
        (prompt,) = await client.prompts()
        assert prompt["name"] == "go"


async def test_rules_that_match_abandon_nothing(dsn: str, tmp_path: Path) -> None:
    client, player = await begun(dsn, tmp_path)
    async with release(dsn, tmp_path, replace(TOY, title="Newer")) as http:
        client.http = http
        assert await told(client, "procedure-abandoned") == []
        answer = await client.post("/prompts/Ann:1", {"option": "end-turn"}, token=player)
        assert answer.status_code == 200
