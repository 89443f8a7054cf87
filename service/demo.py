"""`affray demo`: a whole fight over HTTP, with the dice shown and the log in plain English.

The dice are scripted by hand, so that the same story is told each time. It uses nothing but the
public API.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

Step = tuple[str, str, Mapping[str, Any], Sequence[int]]
"""Who, which action or answer, its inputs, and the faces that fall in order."""


def _unit(name: str, side: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, **fields}


FREE_HIT: dict[str, Any] = {
    "name": "The bridge",
    "ruleset": "free-hit",
    "combatants": [
        _unit(
            "Lin", "heroes", agility=4, accuracy=3, strength=1, max_hp=18, at=[0, 0],
            weapons=[{"id": "sword", "name": "sword", "damage": "1d8"}],
        ),
        _unit(
            "Troll", "monsters", agility=1, accuracy=3, strength=3, max_hp=17, at=[1, 0],
            facing=[-1, 0],
            weapons=[{"id": "fist", "name": "fist", "damage": "1d6", "natural": True}],
            reductions=[{"source": "thick hide", "amount": 2}],
        ),
    ],
}  # fmt: skip

STORY: tuple[tuple[str, tuple[Step, ...]], ...] = (
    (
        "Lin stands first in the lineup. She buys +1 to hit and strikes at the troll's legs.",
        (
            ("Lin", "boost-hit", {}, ()),
            ("Lin", "attack", {"target": "Troll", "aim": "legs"}, (8, 7)),
        ),
    ),
    (
        "She circles the troll to get behind it. The third step inside its zone is one too many.",
        (
            ("Lin", "move", {"path": [[0, 1], [1, 1], [2, 1]]}, ()),
            ("Troll", "take", {"aim": "arms"}, (12, 5)),
            ("Lin", "end-turn", {}, ()),
        ),
    ),
    (
        "The troll rolls a natural 1, then a 4 on the d4: a tragedy. Lin strikes back for free.",
        (
            ("Troll", "attack", {"target": "Lin"}, (1, 4, 2)),
            ("Lin", "take", {"aim": "center-mass"}, (7,)),
        ),
    ),
)


def script() -> Iterator[tuple[str, Sequence[Step]]]:
    """The story, a few steps at a time."""
    return iter(STORY)


class Demo:
    """A client that plays the story and prints what the service says."""

    def __init__(self, url: str, key: str | None) -> None:
        self.http = httpx.Client(base_url=url, timeout=10)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.path = ""

    def play(self) -> None:
        """Open, begin, play, undo, go on to the end, read the log."""
        print("== A fight under the rulebook free-hit\n")
        sheets = [{"sheet": one} for one in FREE_HIT["combatants"]]
        dice = {"gm": "manual", "players": "manual"}
        opened = self.call("POST", "/v1/combats", {**FREE_HIT, "combatants": sheets, "dice": dice})
        self.path = f"/v1/combats/{opened['combat']}"
        self.headers = {"Authorization": f"Bearer {opened['token']}"}
        self.post("/begin", {})
        for text, steps in script():
            print(f"\n-- {text}")
            for step in steps:
                self.step(*step)
        print("\n-- Was that right? The GM steps back one command, and forward again.")
        self.post("/undo", {"reason": "let me see that again"})
        self.post("/redo", {})
        board = self.call("GET", self.path)
        print(f"\nThe fight has {board['status']}; {', '.join(board['winners'])} win.")
        print("\n== The log\n")
        print(self.timeline())
        print(f"Everything about it: {self.http.base_url}{self.path}/events")
        print(f"Its token (keep it): {self.headers['Authorization'].removeprefix('Bearer ')}")

    def step(self, who: str, what: str, inputs: Mapping[str, Any], faces: Sequence[int]) -> None:
        """One declaration or answer, and the dice that it asks for."""
        prompt = next(one for one in self.prompts() if one["who"] == who)
        print(f"   {who}: {what} {dict(inputs) or ''}")
        if prompt["kind"] == "turn":
            self.post("/actions", {"combatant": who, "action": what, "inputs": dict(inputs)})
        else:
            self.post(f"/prompts/{prompt['id']}", {"option": what, "inputs": dict(inputs)})
        for face in faces:
            (roll,) = [one for one in self.prompts() if one["kind"] == "roll"]
            print(f"      {roll['text']}: {face}")
            self.post(f"/prompts/{roll['id']}", {"inputs": {"faces": [face]}})

    def prompts(self) -> list[Any]:
        found: list[Any] = self.call("GET", f"{self.path}/prompts")["prompts"]
        return found

    def timeline(self) -> str:
        headers = {**self.headers, "Accept": "text/markdown"}
        return self.http.get(f"{self.path}/timeline?limit=500", headers=headers).text

    def post(self, path: str, body: Any) -> Any:
        return self.call("POST", self.path + path, body)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.http.request(method, path, json=body, headers=self.headers)
        if answer.is_error:
            raise SystemExit(f"affray demo: {method} {path}: {answer.text}")
        return answer.json()
