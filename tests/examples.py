"""Write openapi/examples: a request and its answer for each operation of a running service.

`python -m tests.examples URL` plays one fight. Start the service with
`AFFRAY_WEBHOOK_NETWORKS=203.0.113.0/24`, a network that has no hosts. The program replaces ids,
tokens, times and hashes with the same values in every run. It keeps the first entries of long
lists. A test plays the fight again, and compares its requests and answers with the files.
"""

import json
import re
import sys
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx

from service.http.contract import FOLDER
from service.routes import OPERATIONS
from tests.rulesets.free_hit.units import SWORD, foe, unit

COMBATANTS = [
    unit("Lin", agility=4, accuracy=3, strength=1, weapons=[SWORD], at=[0, 0], owner="lina"),
    foe("Troll", agility=1, accuracy=3, max_hp=17, weapons=[SWORD], at=[1, 0]),
]


LONGEST: Final = 3
"""Number of list entries that an example shows."""


def shortened(value: Any) -> Any:
    """Return an example with only the first entries of its lists of objects."""
    if isinstance(value, dict):
        return {name: shortened(inner) for name, inner in value.items()}
    if isinstance(value, list):
        objects = any(isinstance(inner, dict) for inner in value)
        return [shortened(inner) for inner in (value[:LONGEST] if objects else value)]
    return value


class Plain:
    """A replacer of values that differ from run to run."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.numbers = count(1)

    def text(self, text: str) -> str:
        """Return a text with the same ids, tokens, times and hashes in every run."""
        for pattern, form in VOLATILE.items():
            for word in re.findall(pattern, text):
                if word not in self.known:
                    self.known[word] = form.format(number=next(self.numbers))
                text = text.replace(word, self.known[word])
        return text


VOLATILE: Final = {
    r"affray_[A-Za-z0-9_-]{40,}": "affray_" + "A" * 40,
    r"whsec_[A-Za-z0-9+/=]{40,}": "whsec_" + "A" * 40,
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b": "00000000-0000-4000-8000-{number:012}",
    r"\b[0-9a-f]{64}\b": "{number:064}",
    r"\b[0-9a-f]{12}\b(?!-)": "{number:012}",
    r'"seconds_per_decision": [0-9.e-]+': '"seconds_per_decision": 3.5',
    r"\b20\d\d-\d\d-\d\dT[0-9:.]+(?:Z|\+00:00)": "2026-01-01T12:00:00Z",
}


class Recorder:
    """A client that calls operations by id and records requests and answers."""

    def __init__(self, url: str, folder: Path) -> None:
        self.folder = folder
        self.plain = Plain()
        self.http = httpx.Client(base_url=url, timeout=20)
        self.headers: dict[str, str] = {}
        self.values: dict[str, str] = {}

    def call(self, id: str, body: Any = None, **params: Any) -> Any:
        """Call one operation. `values` holds the path parameters."""
        (operation,) = [operation for operation in OPERATIONS if operation.id == id]
        path = operation.path.format_map(self.values)
        if isinstance(body, bytes):
            headers = {**self.headers, "Content-Type": operation.body_type}
            answer = self.http.request(operation.method, path, content=body, headers=headers)
        else:
            answer = self.http.request(
                operation.method, path, json=body, headers=self.headers, params=params
            )
        assert answer.status_code == operation.status, (id, answer.text)
        example: dict[str, Any] = {}
        if body is not None and not isinstance(body, bytes):
            example["request"] = body
        if answer.headers.get("content-type", "").startswith("application/json"):
            example["response"] = answer.json()
        text = self.plain.text(json.dumps(shortened(example), indent=1, ensure_ascii=False))
        (self.folder / f"{id}.json").write_text(text + "\n")
        return answer.json() if "response" in example else answer.content


def record(url: str, folder: Path) -> None:
    """Play a short fight that uses every operation, and write the requests and answers."""
    play = Recorder(url, folder)
    for id in ("listRulesets", "readLiveness", "readReadiness"):
        play.call(id)
    play.values["ruleset"] = "free-hit"
    play.call("readRuleset")
    play.call("readRules", prefix="FH-SNK")
    joining = [{"sheet": combatant} for combatant in COMBATANTS]
    opened = play.call(
        "openCombat", {"ruleset": "free-hit", "name": "The bridge", "combatants": joining}
    )
    play.values["combat"] = opened["combat"]
    play.headers = {"Authorization": f"Bearer {opened['token']}"}
    play.call("addSalt", {"by": "lina", "salt": "rhubarb"})
    play.call("joinCombat", {"sheet": foe("Rat", agility=-2, max_hp=3), "hidden": True})
    play.values["combatant"] = "Rat"
    play.call("changeCombatant", {"hidden": False})
    play.call("setStandingOrders", {"orders": [{"prompt": "free-hit", "option": "pass"}]})
    play.call("removeCombatant")
    play.call("setMap", {"map": None})
    play.call("changeCombat", {"labels": ["campaign 1", "session 4"]})
    play.call("beginCombat", {})
    issued = play.call("issueToken", {"role": "player", "label": "Lina", "owner": "lina"})
    play.call("listTokens")
    play.call("readYou")
    play.values["token_id"] = issued["id"]
    play.call("revokeToken")
    address = {"url": "https://203.0.113.7/calls", "occasions": ["turn", "ended"]}
    play.values["webhook"] = play.call("registerWebhook", address)["id"]
    play.call("listWebhooks")
    play.call("listDeliveries")
    play.call("changeWebhook", {"occasions": ["ended"]})
    play.call("replayWebhook", {"version": 3})
    play.call("rotateWebhookSecret", {"overlap_s": 3600})
    play.call("removeWebhook")
    turn = play.call("readCombat")["version"]
    play.call("readOptions", combatant="Lin")
    act = {"combatant": "Lin", "action": "boost-hit", "inputs": {}}
    play.call("preview", {"command": "act", **act})
    play.call("declareAction", act)
    play.call("undo", {"over": "command", "reason": "wrong button"})
    play.call("redo", {"reason": "it was right"})
    play.call("goto", {"version": turn, "reason": "once more"})
    prompts = play.call("readPrompts")["prompts"]
    play.values["prompt"] = prompts[0]["id"]
    play.call("answerPrompt", {"option": "boost-damage", "inputs": {}})
    play.call("closePrompts", {"prompts": []})
    play.call(
        "makeRuling",
        {
            "ruling": "damage",
            "inputs": {"combatant": "Troll", "amount": 3},
            "reason": "falling rocks",
        },
    )
    ruled = play.call("readCombat")["version"]
    play.call("writeNote", {"text": "The bridge creaks.", "private": False})
    change = {"kind": "drop", "at": ruled}
    play.call("amendCombat", {"changes": [change], "reason": "the rocks missed"})
    play.call("askWhatIf", {"changes": [change]})
    asked = {"combatant": "Lin", "kind": "pause", "text": "the door bell"}
    play.call("makeRequest", asked)
    play.values["id"] = play.call("readRequests")["requests"][0]["id"]
    play.call("settleRequest", {"granted": True, "text": "five minutes"})
    play.call("readCombat")
    play.call("readEvents", limit=3)
    play.call("readTimeline", limit=5, order="newest")
    play.values["version"] = str(ruled)
    play.call("readDerivation")
    play.call("compareBranches", a=turn, b=ruled)
    play.call("verifyCombat")
    play.call("readWhy", combatant="Troll", track="hp")
    play.values |= {"combatant": "Troll", "number": "target_number"}
    play.call("explainNumbers")
    play.call("explainNumber")
    play.call("readDiff", **{"from": 10})
    play.call("readTree")
    play.call("readStatistics")
    play.call("forkCombat", {"version": None, "name": "What if"})
    play.call("revealSeed", {})
    play.call("endCombat", {"winners": ["heroes"], "reason": "the troll runs away"})
    play.call("eraseTexts", {"combatant": "Troll", "version": None})
    file = play.call("exportCombat")
    play.call("deleteCombat")
    play.call("importCombat", file)
    listed: list[Any] = []
    # the list of combats lags behind the log
    while {line["status"] for line in listed} != {"ended", "running"}:
        listed = play.call("listCombats", limit=3)["combats"]


if __name__ == "__main__":
    record(sys.argv[1], FOLDER / "examples")
