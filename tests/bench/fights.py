"""The measured fights: free-hit combatants with swords and so many hit points that few fall."""

import json
from typing import Any

import httpx

from domain.rulesets.free_hit import RULESET
from tests.bench.load import Wire
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.spec import Spec

PASSED = ("free-hit", "free-critical-hit")
"""Prompts that standing orders answer, so that an attack is one command."""


def sheets(heroes: int = 1, foes: int = 3) -> list[dict[str, Any]]:
    """Return heroes in a row and foes opposite them. Each combatant has an enemy within reach."""
    common: dict[str, Any] = {"weapons": [SWORD], "max_hp": 90_000}
    return [
        *(unit(f"Ana{n}", agility=5, at=[n, 0], **common) for n in range(heroes)),
        *(foe(f"Imp{n}", at=[n - 1 if heroes == 1 else n, 1], **common) for n in range(foes)),
    ]


class Fight:
    """A fight over HTTP. The combatant on turn attacks, then ends its turn."""

    def __init__(self, url: str, heroes: int = 1, foes: int = 3) -> None:
        self.url = url
        combatants = sheets(heroes, foes)
        body = {
            "ruleset": "free-hit",
            "options": {"rulings": "default"},
            "combatants": [{"sheet": combatant} for combatant in combatants],
        }
        self.heroes = [str(combatant["name"]) for combatant in combatants[:heroes]]
        self.foes = [str(combatant["name"]) for combatant in combatants[heroes:]]
        with httpx.Client() as client:
            opened = client.post(f"{url}/v1/combats", json=body).raise_for_status().json()
            self.id = str(opened["combat"])
            self.path = f"/v1/combats/{self.id}"
            self.headers = {"Authorization": f"Bearer {opened['token']}"}
            orders = {"orders": [{"prompt": p, "option": "pass"} for p in PASSED]}
            for combatant in combatants:
                address = f"{url}{self.path}/combatants/{combatant['name']}/standing-orders"
                client.put(address, json=orders, headers=self.headers).raise_for_status()
            begun = client.post(f"{url}{self.path}/begin", json={}, headers=self.headers)
        self.take_turns(begun.raise_for_status().content)

    def take_turns(self, answer: bytes) -> None:
        """Remember the combatant on turn, which an answer or the open prompts name.

        One attack in 240 defeats or kills its target outright. If this ends the fight, undo it.
        """
        turns = [load["who"] for load in json.loads(answer)["prompts"] if load["kind"] == "turn"]
        if turns:
            (self.turn,) = turns
        else:
            address, body = f"{self.url}{self.path}/undo", {"reason": "the fight goes on"}
            undone = httpx.post(address, json=body, headers=self.headers).raise_for_status()
            self.take_turns(undone.content)

    def prompts(self) -> bytes:
        """Return the open prompts, after a refused command."""
        address = f"{self.url}{self.path}/prompts"
        return httpx.get(address, headers=self.headers).raise_for_status().content

    def players(self) -> list[dict[str, str]]:
        """Create a token for each hero, and return the headers of its player."""
        headers = []
        for who in self.heroes:
            body = {"role": "player", "label": who, "combatants": [who]}
            address = f"{self.url}{self.path}/tokens"
            made = httpx.post(address, json=body, headers=self.headers).raise_for_status()
            headers.append({"Authorization": f"Bearer {made.json()['token']}"})
        return headers

    def attack(self) -> bytes:
        """Attack the opposite combatant with the combatant on turn."""
        others = self.foes if self.turn in self.heroes else self.heroes
        place = min(int(self.turn.lstrip("AnaImp")), len(others) - 1)
        return self._act("attack", target=others[place])

    def end_turn(self) -> bytes:
        return self._act("end-turn")

    def board(self, headers: dict[str, str] | None = None) -> bytes:
        return Wire.request("GET", self.path, headers or self.headers, b"")

    def post(self, what: str, body: Any) -> bytes:
        return Wire.request("POST", f"{self.path}/{what}", self.headers, json.dumps(body).encode())

    def _act(self, action: str, **inputs: str) -> bytes:
        return self.post("actions", {"combatant": self.turn, "action": action, "inputs": inputs})


def fought(events: int, heroes: int = 1, foes: int = 3) -> Spec:
    """Return a fight in memory with at least `events` events."""
    spec = Spec(RULESET)
    spec.prove = lambda: None  # type: ignore[method-assign]
    spec.given(*sheets(heroes, foes), rulings="default").begin()
    while spec.live.version < events:
        who = spec.prompt().who or ""
        spec.act(who, "boost-hit").act(who, "boost-dodge").act(who, "end-turn")
    return spec
