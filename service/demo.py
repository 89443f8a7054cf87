"""`affray demo`: a complete combat over HTTP, with its dice and its log in plain English.

A script sets the dice, so the story is the same each time. The demo uses only the public API.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from service.stories import Story

Faces = Sequence[int | tuple[int, ...]]


class Demo:
    """A client that plays the story and prints the service's answers."""

    def __init__(self, story: Story, url: str, key: str | None) -> None:
        self.story = story
        self.http = httpx.Client(base_url=url, timeout=10)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.path = ""

    def play(self) -> None:
        """Open, begin and play a fight, undo a command, continue to the end, and read the log."""
        story = self.story
        print(f"== A fight under the rulebook {story.ruleset}\n")
        body = {
            "name": story.name,
            "ruleset": story.ruleset,
            "options": story.options,
            "combatants": [{"sheet": combatant} for combatant in story.combatants],
            "dice": {"gm": "manual", "players": "manual"},
        }
        opened = self.call("POST", "/v1/combats", body)
        self.path = f"/v1/combats/{opened['combat']}"
        self.headers = {"Authorization": f"Bearer {opened['token']}"}
        self.post("/begin", {})
        self.roll(story.opening)
        for text, steps in story.scenes:
            print(f"\n-- {text}")
            for step in steps:
                self.step(*step)
        print("\n-- Was that right? The GM steps back one command, and forward again.")
        self.post("/undo", {"reason": "let me see that again"})
        self.post("/redo", {})
        board = self.call("GET", self.path)
        winners = ", ".join(board.get("winners", []))
        print(f"\nThe fight has {board['status']}: {winners or 'nobody'} won.")
        print("\n== The log\n")
        print(self.timeline())
        print(f"Everything about it: {self.http.base_url}{self.path}/events")
        print(f"Its token (keep it): {self.headers['Authorization'].removeprefix('Bearer ')}")

    def step(self, who: str | None, what: str, inputs: Mapping[str, Any], faces: Faces) -> None:
        """Send one declaration or answer, and then the dice that it asks for."""
        prompt = next(prompt for prompt in self.prompts() if prompt["who"] == who)
        print(f"   {who or 'The GM'}: {what} {dict(inputs) or ''}")
        if prompt["kind"] in ("turn", "declare"):
            self.post("/actions", {"combatant": who, "action": what, "inputs": dict(inputs)})
        else:
            self.post(f"/prompts/{prompt['id']}", {"option": what, "inputs": dict(inputs)})
        self.roll(faces)

    def roll(self, faces: Faces) -> None:
        """Send the requested dice, one roll after the other."""
        for face in faces:
            (roll,) = [prompt for prompt in self.prompts() if prompt["kind"] == "roll"]
            thrown = face if isinstance(face, tuple) else (face,)
            print(f"      {roll['text']}: {', '.join(map(str, thrown))}")
            self.post(f"/prompts/{roll['id']}", {"inputs": {"faces": thrown}})

    def prompts(self) -> list[Any]:
        prompts: list[Any] = self.call("GET", f"{self.path}/prompts")["prompts"]
        return prompts

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
