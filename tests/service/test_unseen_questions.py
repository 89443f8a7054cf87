"""Test that a prompt which a reader does not see suspends the reader's prompts.

The answer to this prompt records no event that the reader sees. Nevertheless, the reader's stream
and ETag change.
"""

import json
from typing import Any
from uuid import UUID

from service.app import Service
from service.live.calls import next_call
from tests.client import Client
from tests.rulesets.free_hit.units import foe, unit


class Phone:
    """A client that builds its board only from the messages of its stream."""

    def __init__(self, client: Client, token: str) -> None:
        self.client, self.token = client, token
        self.last: str | None = None
        self.board: Any = None

    async def hear(self) -> list[str]:
        """Take the messages that are ready now, and return their kinds."""
        headers = {} if self.last is None else {"Last-Event-ID": self.last}
        answer = await self.client.get(
            "/stream", token=self.token, headers=headers, params={"wait": "0", "board": "full"}
        )
        assert answer.status_code == 200, answer.text
        kinds = []
        for block in answer.text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "data" in fields:
                data = json.loads(fields["data"])
                self.board = data if fields["event"] == "board" else data.get("board", self.board)
                self.last = fields["id"]
                kinds.append(fields["event"])
        return kinds

    async def etag(self) -> str:
        return (await self.client.get(token=self.token)).headers["ETag"]

    async def agrees(self) -> None:
        assert self.board == (await self.client.get(token=self.token)).json()

    @property
    def asked(self) -> list[str]:
        """Return the prompts that it may answer now."""
        return [prompt["id"] for prompt in self.board["prompts"] if not prompt["suspended"]]


async def begin(client: Client) -> tuple[Phone, Phone]:
    """Begin the party's turn. Return the clients of Cole, and of Dara and Wren."""
    parties = (await client.http.get("/v1/rulesets/sovereign")).json()["parties"]
    (gate,) = [party for party in parties if party["id"] == "gate"]
    await client.open(
        "sovereign", gate["sheets"], name=gate["name"], options=gate["options"], map=gate["map"]
    )
    cole, ann = await client.player("Cole"), await client.player("Dara", "Wren")
    await client.done("/begin")
    while "Cole" not in (await client.get()).json()["acting"]:  # the bandits may be first
        await client.answer((await client.prompts())[-1]["id"], "end-turn")
    inputs = {"combatant": "Cole", "purpose": "attack", "faces": [2]}  # a miss hurts nobody
    await client.done("/rulings", {"ruling": "force-roll", "inputs": inputs})
    return Phone(client, cole), Phone(client, ann)


async def pass_for_the_bandit(client: Client) -> None:
    (asked,) = [prompt for prompt in await client.prompts() if not prompt["suspended"]]
    assert (asked["who"], asked["name"]) == ("Bandit-3", "instant")
    await client.answer(asked["id"], "pass")


async def test_a_phone_is_asked_again_when_a_foe_does_not_react(client: Client) -> None:
    cole, ann = await begin(client)
    assert await ann.hear() == ["board"]
    await cole.hear()
    asked = [prompt["id"] for prompt in ann.board["prompts"]]
    assert len(asked) == 2
    assert (ann.asked, ann.board["awaited"]) == (asked, ["Dara", "Wren"])

    await client.act("Cole", "ranged-attack", target="Bandit-3")
    await ann.hear()
    await cole.hear()
    assert (ann.asked, cole.asked) == ([], [])
    assert ann.board["awaited"] == cole.board["awaited"] == [None]
    before = await ann.etag()
    await pass_for_the_bandit(client)  # the miss opens no prompt

    assert await ann.hear() == ["command"]
    assert (ann.asked, ann.board["awaited"]) == (asked, ["Dara", "Wren"])
    await ann.agrees()
    options = await client.get("/options", token=ann.token)
    body = {"combatant": "Dara", "action": "end-turn"}
    for tag, status in (before, 412), (options.headers["ETag"], 200):
        headers = {"If-Match": tag}
        answer = await client.post("/actions", body, token=ann.token, headers=headers)
        assert answer.status_code == status, answer.text
    assert await ann.hear() == ["command"]
    await cole.hear()
    await cole.agrees()
    assert cole.board["awaited"] == ["Cole"]
    for phone in ann, cole:
        assert await phone.hear() == []


async def test_a_question_to_the_gm_holds_up_what_a_player_is_asked(client: Client) -> None:
    sheets = [unit("Ana", agility=9, at=[0, 0]), foe("Orc", at=[1, 0])]
    await client.open("free-hit", sheets, options={"rulings": "ask"})
    ana = Phone(client, await client.player("Ana"))
    await client.done("/begin")
    await ana.hear()
    asked = ana.asked
    assert (len(asked), ana.board["awaited"]) == (1, ["Ana"])
    forced = {"combatant": "Ana", "purpose": "check", "faces": [20]}
    await client.done("/rulings", {"ruling": "force-roll", "inputs": forced})
    await client.done("/rulings", {"ruling": "check", "inputs": {"combatant": "Ana"}})
    (question,) = [prompt for prompt in await client.prompts() if not prompt["suspended"]]
    assert (question["who"], question["name"]) == (None, "escalation")
    await ana.hear()
    assert (ana.asked, ana.board["awaited"]) == ([], [None])
    await ana.agrees()
    answer = await client.post(f"/prompts/{asked[0]}", {"option": "end-turn"}, token=ana.token)
    assert (answer.status_code, answer.json()["reason"]) == (409, "prompt-suspended")
    version, before = ana.board["version"], await ana.etag()
    await client.answer(question["id"], "none")
    assert await ana.etag() != before
    cached = await client.get(token=ana.token, headers={"If-None-Match": before})
    assert cached.status_code == 200
    assert await ana.hear() == ["board"]  # no event of the answer is for the player
    assert (ana.asked, ana.board["awaited"]) == (asked, ["Ana"])
    assert ana.board["version"] == version
    await ana.agrees()


async def test_a_later_reader_does_not_learn_of_a_question_to_the_gm(client: Client) -> None:
    """A reader that connects after the GM's answer does not notice that the GM had a prompt."""
    sheets = [unit("Ana", agility=9, at=[0, 0]), foe("Orc", at=[1, 0])]
    await client.open("free-hit", sheets, options={"rulings": "ask"})
    ana = Phone(client, await client.player("Ana"))
    await client.done("/begin")
    await ana.hear()
    start, asked = ana.last, ana.asked
    forced = {"combatant": "Ana", "purpose": "check", "faces": [20]}
    await client.done("/rulings", {"ruling": "force-roll", "inputs": forced})
    await client.done("/rulings", {"ruling": "check", "inputs": {"combatant": "Ana"}})
    assert await ana.hear() == ["command"]
    assert ana.asked == []
    (question,) = [prompt for prompt in await client.prompts() if not prompt["suspended"]]
    await client.answer(question["id"], "none")

    later = Phone(client, ana.token)
    later.last = start
    assert await later.hear() == ["command"]
    assert later.asked == asked
    await later.agrees()
    assert await later.hear() == []
    assert await ana.hear() == ["board"]
    assert ana.asked == asked


async def test_a_webhook_is_called_once_for_a_question_that_is_held_up(
    client: Client, service: Service
) -> None:
    cole, ann = await begin(client)
    await ann.hear()
    await client.act("Cole", "ranged-attack", target="Bandit-3")
    await pass_for_the_bandit(client)
    await client.act("Cole", "end-turn")
    await cole.hear()
    assert cole.asked == []

    hot = await service.combats.confirmed(UUID(client.combat))
    (row,) = [row for row in hot.tokens.values() if row.combatants == ("Dara", "Wren")]
    eyes, after, called = hot.seen_by(row), 0, []
    while after < eyes.sequence:
        after, call = next_call(hot.live, eyes, after, ("prompt",))
        if call is not None:
            called.append([prompt.id for prompt in call.data.prompts])
    assert called == [ann.asked]
