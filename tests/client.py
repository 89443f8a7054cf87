"""A small client of the API for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

NEEDED: Mapping[str, Mapping[str, Any]] = {"definitions": {"death_roll": "all-equal"}}
"""Options that a rulebook requires."""


class Client:
    """A client of one combat. `open` sets the combat, and `token` to the GM's token."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.combat = ""
        self.token = ""

    async def open(self, ruleset: str, combatants: Sequence[Mapping[str, Any]], **more: Any) -> Any:
        """Open a combat with `combatants`, a list of sheets."""
        options = {**NEEDED.get(ruleset, {}), **more.pop("options", {})}
        joining = [{"sheet": combatant} for combatant in combatants]
        body = {"ruleset": ruleset, "combatants": joining, "options": options, **more}
        answer = await self.http.post("/v1/combats", json=body)
        assert answer.status_code == 201, answer.text
        self.combat, self.token = answer.json()["combat"], answer.json()["token"]
        return answer.json()

    async def call(
        self,
        method: str,
        path: str = "",
        body: Any = None,
        *,
        token: str | None = None,
        **more: Any,
    ) -> httpx.Response:
        """Send a request about the combat."""
        headers = {"Authorization": f"Bearer {token or self.token}", **more.pop("headers", {})}
        json = {} if body is None and method in ("POST", "PUT", "PATCH") else body
        return await self.http.request(
            method, f"/v1/combats/{self.combat}{path}", json=json, headers=headers, **more
        )

    async def get(self, path: str = "", **more: Any) -> httpx.Response:
        return await self.call("GET", path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return await self.call("POST", path, body, **more)

    async def done(self, path: str, body: Any = None, **more: Any) -> Any:
        """Send a POST that must succeed, and return its JSON."""
        answer = await self.post(path, body, **more)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    async def act(self, who: str, action: str, **inputs: Any) -> Any:
        return await self.done("/actions", {"combatant": who, "action": action, "inputs": inputs})

    async def refused(self, who: str, action: str, **inputs: Any) -> Any:
        """Declare an action that the rules must refuse, and return the problem."""
        answer = await self.post("/actions", {"combatant": who, "action": action, "inputs": inputs})
        assert answer.status_code == 409, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        return answer.json()

    async def answer(self, prompt: str, option: str | None = None, **inputs: Any) -> Any:
        body = {"inputs": inputs} if option is None else {"option": option, "inputs": inputs}
        return await self.done(f"/prompts/{prompt}", body)

    async def prompts(self, token: str | None = None) -> list[Any]:
        answer = await self.get("/prompts", token=token)
        prompts: list[Any] = answer.json()["prompts"]
        return prompts

    async def player(self, *combatants: str, role: str = "player", owner: str | None = None) -> str:
        """Create a token, and return it."""
        body = {"role": role, "combatants": list(combatants), "owner": owner}
        token: str = (await self.done("/tokens", body))["token"]
        return token
