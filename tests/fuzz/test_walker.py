"""Walk over HTTP by random answers until every action, condition and rule was used.

Fold, rebuild and board must agree.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from domain.engine.caller import Caller
from domain.engine.session import Session
from domain.record.export import read
from domain.rulesets import installed
from projections.board import board
from projections.eyes import Eyes
from tests.client import Client
from tests.forms import forms
from tests.walks import FIGHTS

LONG = os.environ.get("AFFRAY_FUZZ") == "long"
HEALED = {"hallowed-earth": "wound_points"}
"""The pool that the ruling `heal` restores, if it is not `hp`."""

IDLE = "nothing-changes"
"""The reason for which the rules may refuse a ruling that no offer proposes."""

WITH_INPUTS = (
    "unnoticed", "consequence", "surprise", "obvious", "injury", "damage", "healing", "conditions",
    "names", "placed",
)  # fmt: skip
"""Options of GM prompts that need inputs."""


class HttpWalker:
    """A walker that plays one ruleset from the offers of the API."""

    def __init__(self, client: Client, ruleset: str, random: Random) -> None:
        self.client, self.random = client, random
        self.ruleset = installed()[ruleset]
        self.fired: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("actions", "conditions", "purposes", "rules")
        }
        self.commands = 0

    async def fight(self) -> None:
        """Open a fight. Most fights begin at once."""
        await self.client.open(
            self.ruleset.id,
            list(FIGHTS[self.ruleset.id]()),
            dice={"gm": "manual", "players": "manual"},
        )
        if self.random.random() < 0.7:
            await self.do("/begin", {})

    async def walk(self, commands: int) -> None:
        """Send `commands` commands, in new fights if necessary."""
        await self.fight()
        while self.commands < commands:
            state = (await self.client.get()).json()
            if state["status"] == "ended" or self.commands % 150 == 149:
                await self.fight()
                continue
            await self.step(state)
            if LONG and self.commands % 20:
                continue
            await self.agree()

    async def step(self, state: Any) -> None:
        """Send one legal answer, action or undo."""
        if self.random.random() < 0.04:
            await self.client.post("/undo", {})
            return
        prompts = [prompt for prompt in state["prompts"] if not prompt["suspended"]]
        if self.random.random() < 0.06:
            await self.rule(self.random.choice(state["combatants"]))
            return
        if state["status"] == "opening" and not prompts and self.random.random() < 0.4:
            await self.do("/begin", {})
            return
        if not prompts or self.random.random() < 0.08:
            who = self.random.choice(state["combatants"])["id"]
            if await self.act(who):
                return
        if not prompts:
            await self.do("/begin", {})
            return
        prompt = self.random.choice(
            [prompt for prompt in prompts if not prompt["answer"]] or prompts
        )
        if prompt["kind"] == "roll":
            faces = [self.face(sides) for sides in prompt["data"]["dice"]]
            await self.do(f"/prompts/{prompt['id']}", {"inputs": {"faces": faces}})
        elif prompt["who"] is None:
            await self.do(f"/prompts/{prompt['id']}", self.plain(prompt))
        else:
            await self.act(prompt["who"], prompt["id"])

    def plain(self, prompt: Any) -> dict[str, Any]:
        """Return an answer of the GM's that needs no inputs, or only a DC."""
        plain = [option for option in prompt["options"] if option not in WITH_INPUTS]
        option = self.random.choice(plain or prompt["options"])
        return {"option": option, "inputs": {"dc": 12} if option == "dc" else {}}

    async def rule(self, combatant: Any) -> None:
        """Make a random ruling about a combatant. Some rulebooks do not heal the dead."""
        who = combatant["id"]
        dead = any(held["id"] == "dead" for held in combatant.get("conditions", ()))
        condition = self.random.choice(list(self.ruleset.conditions))
        ruling, inputs = self.random.choice(
            [
                ("set-condition", {"combatant": who, "condition": condition}),
                ("heal", {"combatant": who, HEALED.get(self.ruleset.id, "amount"): 6}),
                ("damage", {"combatant": who, "amount": 3}),
                *(
                    [("check", {"combatant": who, "difficulty": 9})]
                    if "check" in self.ruleset.rulings
                    else []
                ),
            ]
        )
        if condition not in ("modifier", "channeling") and not (dead and ruling == "heal"):
            await self.do("/rulings", {"ruling": ruling, "inputs": inputs}, unless=IDLE)
            self.fired["rules"].update(self.ruleset.rulings[ruling].rules)

    async def act(self, who: str, prompt: str | None = None) -> bool:
        """Declare a random legal action."""
        params = {"combatant": who, "include": "refused"}
        answer = await self.client.get("/options", params=params)
        options = answer.json()["options"]
        for offer in options:
            self.fired["rules"].update(refusal["rule"] for refusal in offer["refusals"])
        legal = [option for option in options if option["legal"] and option["prompt"] == prompt]
        if not legal:
            return False
        weights = [min(len(offer["examples"]), 12) for offer in legal]
        (option,) = self.random.choices(legal, weights)
        inputs = self.random.choice(option["examples"])
        if option["kind"] in ("turn", "declare", "interjection"):
            body = {"combatant": who, "action": option["id"], "inputs": inputs}
            await self.do("/actions", body)
            if option["id"] in self.ruleset.actions:
                self.fired["rules"].update(self.ruleset.actions[option["id"]].rules)
        else:
            await self.do(f"/prompts/{prompt}", {"option": option["id"], "inputs": inputs})
        self.fired["actions"][option["id"]] += 1
        return True

    async def do(self, path: str, body: Any, unless: str = "") -> None:
        """Send a legal command that the service must accept.

        `unless` is a reason for which it may refuse the command.
        """
        answer = await self.client.post(path, body)
        if unless and answer.status_code == 409 and answer.json().get("reason") == unless:
            return
        assert answer.status_code == 200, (path, body, answer.text)
        self.commands += 1
        for event in answer.json()["events"]:
            data = event["data"]
            self.fired["rules"].update(event["rules"])
            if event["type"] == "rolled":
                self.fired["purposes"][data["purpose"]] += 1
                self.fired["rules"].update(term[2] for term in data.get("terms", ()) if term[2])
            if event["type"] == "damaged":
                self.fired["rules"].update(term[2] for term in data.get("terms", ()) if term[2])
            if event["type"] == "condition-gained":
                self.fired["conditions"][data["condition"]] += 1

    async def agree(self) -> None:
        """Check that the stored events fold to the board that the service returns."""
        served = (await self.client.get()).json()
        stored = read((await self.client.get("/export")).content)
        live = Session(self.ruleset, stored.recorded)
        made = board(live, Eyes(live.history, Caller("gm", "gm")))
        assert msgspec.json.decode(msgspec.json.encode(made)) == served
        waiting = [prompt["id"] for prompt in served["prompts"] if not prompt["suspended"]]
        assert list(live.open_prompts()) == waiting

    def face(self, sides: int) -> int:
        luck = self.random.random()
        if luck < 0.12:
            return 1
        return sides if luck < 0.3 else self.random.randint(1, sides)

    def report(self) -> str:
        """Return the names that were used, and those that were not."""
        wanted = {
            "actions": list(self.ruleset.actions),
            "conditions": list(self.ruleset.conditions),
            "purposes": list(self.ruleset.purposes),
            "rules": [rule.id for rule in self.ruleset.rules],
        }
        lines = [f"{self.ruleset.id}: {self.commands} commands"]
        for kind, names in wanted.items():
            missing = [name for name in names if name not in self.fired[kind]]
            lines.append(f"  {kind}: {len(names) - len(missing)} of {len(names)}; not: {missing}")
        return "\n".join(lines)


@pytest.mark.sampled
@pytest.mark.parametrize("ruleset", FIGHTS)
@forms("commands", 60, long=[6000 if LONG else 300])
async def test_the_walker(
    client: Client, ruleset: str, commands: int, capsys: pytest.CaptureFixture[str]
) -> None:
    walker = HttpWalker(client, ruleset, Random(11))
    await walker.walk(commands)
    with capsys.disabled():
        print("\n" + walker.report())
    assert len(walker.fired["actions"]) > len(walker.ruleset.actions) // 3
