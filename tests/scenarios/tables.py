"""Places to play a scenario: in this process with the proofs of `Spec`, or over HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.errors import Illegal
from domain.rulesets import installed
from tests.client import Client
from tests.scenarios.player import Dice, Result, Scenario, Step, Wrong
from tests.spec import Spec

Json = Any


class InProcess:
    """The engine in this process."""

    def __init__(self) -> None:
        self.spec: Spec

    async def given(self, scenario: Scenario) -> None:
        self.spec = Spec(installed()[scenario.ruleset])
        self.spec.given(*scenario.given, map=scenario.map, **scenario.options)

    async def do(self, step: Step) -> Result:
        spec, body = self.spec, dict(step.body)
        dice = [(purpose, *faces) for purpose, faces in step.dice]
        try:
            match step.command:
                case "begin":
                    spec.begin(*dice)
                case "act":
                    spec.act(body["combatant"], body["action"], *dice, **body.get("inputs", {}))
                case "answer":
                    who = None if body["combatant"] == "GM" else body["combatant"]
                    inputs = body.get("inputs", {})
                    spec.answer(who, body["option"], *dice, name=body.get("name"), **inputs)
                case "rule":
                    spec.rule(body["ruling"], *dice, **body.get("inputs", {}))
                case "join":
                    spec.join(*dice, **body)
                case "leave":
                    spec.leave(body["combatant"])
                case "undo":
                    spec.undo(body.get("over", "command"))
                case _:
                    spec.redo()
        except Illegal as illegal:
            return Result((), {"rule": illegal.rule, "reason": illegal.code})
        except AssertionError as wrong:
            raise Wrong(str(wrong)) from None
        events = [_plain(event) for event in spec.told()]
        return Result(events)

    async def asked(self) -> Sequence[tuple[str, str, str]]:
        return [(who or "GM", kind, name) for kind, name, who in self.spec.open()]

    async def state(self, who: str) -> Mapping[str, Json]:
        combatant = self.spec[who]
        return {
            **self.spec.ruleset.derived(self.spec.combat, who),
            **{name: track.value for name, track in combatant.tracks.items()},
            "conditions": [condition.id for condition in combatant.conditions],
            "budget": dict(combatant.budget),
        }


class OverHttp:
    """A running service, from the GM's view."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def given(self, scenario: Scenario) -> None:
        more: dict[str, Json] = {} if scenario.map is None else {"map": scenario.map}
        dice = {"gm": "manual", "players": "manual"}
        options = dict(scenario.options)
        await self.client.open(scenario.ruleset, scenario.given, options=options, dice=dice, **more)

    async def do(self, step: Step) -> Result:
        body, dice = dict(step.body), Dice(list(step.dice))
        path = {"act": "/actions", "rule": "/rulings", "join": "/combatants"}.get(
            step.command, f"/{step.command}"
        )
        if step.command == "answer":
            path, body = await self._reply(body)
        if step.command == "join":
            body = {"sheet": body}
        if step.command == "leave":
            answer = await self.client.call("DELETE", f"/combatants/{body['combatant']}")
        else:
            answer = await self.client.post(path, body)
        told = answer.json()
        if answer.status_code == 409:
            return Result((), {name: told.get(name) or "" for name in ("rule", "reason")})
        if answer.status_code >= 300:
            raise Wrong(f"{answer.status_code}: {told}")
        events = list(told["events"])
        while roll := await self._roll():
            faces = dice.next(roll["name"])
            if faces is None:
                break
            thrown = await self.client.post(f"/prompts/{roll['id']}", {"inputs": {"faces": faces}})
            if thrown.status_code != 200:
                raise Wrong(f"{thrown.status_code}: {thrown.json()}")
            events += thrown.json()["events"]
        dice.over()
        return Result([(event["type"], event["data"]) for event in events])

    async def _reply(self, body: Mapping[str, Json]) -> tuple[str, dict[str, Json]]:
        who = None if body["combatant"] == "GM" else body["combatant"]
        prompts = [
            prompt
            for prompt in await self.client.prompts()
            if prompt["who"] == who and body.get("name") in (None, prompt["name"])
        ]
        if not prompts:
            raise Wrong(f"nothing asks {who or 'the GM'}")
        prompts.sort(key=lambda prompt: prompt.get("answered") is not None)
        reply = {"option": body["option"], "inputs": body.get("inputs", {})}
        return f"/prompts/{prompts[0]['id']}", reply

    async def _roll(self) -> Mapping[str, Json] | None:
        rolls = [prompt for prompt in await self.client.prompts() if prompt["kind"] == "roll"]
        return rolls[0] if rolls else None

    async def asked(self) -> Sequence[tuple[str, str, str]]:
        prompts = await self.client.prompts()
        return [(prompt["who"] or "GM", prompt["kind"], prompt["name"]) for prompt in prompts]

    async def state(self, who: str) -> Mapping[str, Json]:
        board = (await self.client.get()).json()
        [combatant] = [it for it in board["combatants"] if it["id"] == who]
        return {
            **combatant["derived"],
            **{name: track["value"] for name, track in combatant["tracks"].items()},
            "conditions": [condition["id"] for condition in combatant.get("conditions", ())],
            "budget": combatant.get("budget", {}),
        }


def _plain(event: Any) -> tuple[str, Mapping[str, Json]]:
    fields = msgspec.to_builtins(event)
    return fields.pop("type"), fields
