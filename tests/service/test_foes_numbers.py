"""Test over HTTP that no read, stream, webhook or preview reveals a foe's numbers.

Two fights differ in the numbers of a foe. The faces of its rolls compensate for the difference, so
both fights take the same course. A player and a spectator get equal answers in both fights, byte
for byte (`tests.service.pairs`).
"""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest

from domain.engine.commands import Act, Begin, Close, Command, GmRuling, Open, Reply, SetOrders
from domain.rulesets import installed
from tests.client import Client
from tests.projections.test_foes_numbers import FIGHTS, OWN_ROLLS
from tests.service.pairs import Names, Request, Table, difference, requests, told
from tests.service.receiver import Receiver
from tests.service.test_noninterference import ask, sample
from tests.service.test_stream import read
from tests.service.test_webhook_fairness import calling as calling  # a fixture
from tests.service.test_webhook_fairness import http as http  # a fixture
from tests.spec import Spec


class Script(Spec):
    """A fight that records its commands."""

    def __init__(self, ruleset: str) -> None:
        super().__init__(installed()[ruleset])


async def opened(client: Client, script: Script) -> Table:
    """Open a combat over HTTP with the sheets of the script. A player plays Ana."""
    table, first = Table(client, "Ana"), script.commands[0]
    assert isinstance(first, Open)
    await _open(table, first)
    return table


async def played(client: Client, script: Script) -> Table:
    """Play the fight of the script over HTTP."""
    table = await opened(client, script)
    for command in script.commands[1:]:
        await _send(table.client, command)
    return table


async def _open(table: Table, command: Open) -> None:
    gm = table.client
    sheets = [joining.sheet for joining in command.combatants]
    dice = msgspec.to_builtins(command.dice)
    await gm.open(command.ruleset, sheets, dice=dice, options=dict(command.options))
    table.tokens = {
        "player": await gm.player(owner="anna"),
        "spectator": await gm.player(role="spectator"),
    }


async def _listen(table: Table, receiver: Receiver) -> int:
    """Register the player's webhook. Return the version at which it starts."""
    tokens = (await table.client.get("/tokens")).json()["tokens"]
    player = next(token["id"] for token in tokens if token["role"] == "player")
    hook = {"url": receiver.url, "occasions": ["command"], "audience": player}
    made = await table.client.done("/webhooks", hook)
    return int(made["version"])


async def _send(gm: Client, command: Command) -> None:
    match command:
        case Begin():
            await gm.done("/begin")
        case Act(combatant=who, action=action, inputs=inputs):
            await gm.act(who, action, **inputs)
        case Reply(prompt=prompt, option=option, inputs=inputs):
            await gm.answer(prompt, option, **inputs)
        case GmRuling(ruling=ruling, inputs=inputs):
            await gm.done("/rulings", {"ruling": ruling, "inputs": inputs})
        case Close(prompts=prompts):
            await gm.done("/close", {"prompts": list(prompts)})
        case SetOrders(who=who, orders=orders):
            body = {"orders": msgspec.to_builtins(orders)}
            answer = await gm.call("PUT", f"/combatants/{who}/standing-orders", body)
            assert answer.status_code == 200, answer.text
        case _:
            raise AssertionError(f"no request for {command}")


def reads(names: Names) -> list[Request]:
    """Return every read and preview, and the stream from the beginning."""
    looks = [
        request
        for request in requests(names)
        if request.method == "GET" or request.operation == "preview"
    ]
    every = {"limit": 500}
    return [
        *sample(looks, 25),
        Request("listEvents", "GET", "/events", every),
        Request("readTimeline", "GET", "/timeline", {**every, "detail": "full"}),
        Request("readTimeline", "GET", "/timeline", {**every, "detail": "story"}),
        *(
            Request("explainTrack", "GET", f"/combatants/{who}/why", {"track": track})
            for who in (names.own, names.foe)
            for track in ("hp", "stress", "wound_points")
        ),
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
async def test_a_player_reads_the_same_of_two_foes(client: Client, ruleset: str) -> None:
    scripts = [Script(ruleset) for _ in range(2)]
    for more, script in enumerate(scripts):
        FIGHTS[ruleset](script, more)
    await _same(client, ruleset, scripts)


@pytest.mark.sampled
@pytest.mark.parametrize("roll", OWN_ROLLS)
async def test_a_player_reads_the_same_of_a_roll_against_two_foes(
    client: Client, roll: str
) -> None:
    """The player's answers from both tables are equal before and after the roll."""
    ruleset, begin, faces = OWN_ROLLS[roll]
    scripts = [Script(ruleset) for _ in range(2)]
    for more, script in enumerate(scripts):
        begin(script, more)
    await _same(client, ruleset, scripts)
    for script in scripts:
        script.throw(*faces)
    await _same(client, ruleset, scripts)


async def _same(client: Client, ruleset: str, scripts: list[Script]) -> None:
    """Send all requests to both tables. Only the GM sees differences."""
    tables = [await played(client, script) for script in scripts]
    rules = (await client.http.get(f"/v1/rulesets/{ruleset}")).json()
    foe = next(combatant.id for combatant in scripts[0].combat if combatant.id != "Ana")
    names = Names("Ana", foe, "Nobody else", rules)
    for role, token in tables[0].tokens.items():
        gm = tables[0].client
        names.prompts = await gm.prompts(token)
        options = await gm.get("/options", token=token, params={"include": "refused"})
        names.offers = options.json()["options"]
        for request in reads(names):
            ours, other = [await ask(table, role, request) for table in tables]
            assert not (leak := difference(ours, other)), f"{role}: {request}{leak}"
        missed = [await _streamed(table, token=table.tokens[role]) for table in tables]
        assert len(missed[0][2]) > 200
        assert not (leak := difference(*missed)), f"{role}: the stream{leak}"
    whole = [await _streamed(table, token=table.client.token) for table in tables]
    assert whole[0] != whole[1]


async def _streamed(table: Table, token: str) -> tuple[int, str, str]:
    """Return the messages for a reader that has missed everything since the first event."""
    headers, params = {"Last-Event-ID": "1"}, {"wait": "0"}
    return told(await table.client.get("/stream", headers=headers, params=params, token=token))


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
async def test_a_webhook_tells_the_same_of_two_foes(http: httpx.AsyncClient, ruleset: str) -> None:
    heard: list[list[Any]] = []
    for more in range(2):
        script = Script(ruleset)
        FIGHTS[ruleset](script, more)
        receiver = await Receiver().start()
        table = await opened(Client(http), script)
        start = await _listen(table, receiver)
        for command in script.commands[1:]:
            await _send(table.client, command)
        missed = await read(table.client, last=start, token=table.tokens["player"])
        calls = await receiver.calls(len(missed))
        await receiver.stop()
        heard.append([_plain(call) for call in calls])
    assert len(heard[0]) > 3
    assert heard[0] == heard[1]


def _plain(call: Mapping[str, Any]) -> str:
    """Return a call without its random ids and its time."""
    text = msgspec.json.encode(call).decode()
    return told(httpx.Response(200, text=text))[2]
