"""Two combats that look equal to a player, and every request that a player can send.

The function `requests` builds the requests from the list of operations. It thus includes every
new route.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, product
from typing import Any, Literal, get_args, get_origin
from zlib import crc32

import httpx
import msgspec

from domain.engine.commands import Act
from service.http.operation import Operation
from service.routes import OPERATIONS
from tests.client import Client

MANUAL = {"gm": "manual", "players": "manual"}

QUIET = ("pass", "nobody", "no", "end-turn", "hold", "stand-still", "normal")
"""Options with which the GM continues the fight, in order of preference."""


class Table:
    """One of two combats, with its GM and the readers' tokens."""

    def __init__(self, client: Client, own: str) -> None:
        self.client = Client(client.http)
        self.own = own
        self.hidden: list[str] = []
        self.purpose = ""  # the purpose of a roll
        self.tokens: dict[str, str] = {}

    async def open(self, ruleset: str, sheets: list[Any], hidden: list[Any]) -> None:
        """Open the combat: the visible combatants join first, then the hidden ones.

        A player plays the first visible combatant.
        """
        await self.client.open(ruleset, sheets, dice=MANUAL)
        self.hidden = [entry["name"] for entry in hidden]
        for sheet in hidden:
            await self.client.done("/combatants", {"sheet": sheet, "hidden": True})
        self.tokens = {
            "player": await self.client.player(self.own),
            "spectator": await self.client.player(role="spectator"),
        }

    async def rule(self, ruling: str, **inputs: Any) -> None:
        await self.client.done("/rulings", {"ruling": ruling, "inputs": inputs})

    async def begin(self) -> None:
        await self.quiet()
        if (await self.client.get()).json()["status"] == "opening":
            await self.client.done("/begin")
        await self.quiet()

    async def quiet(self) -> bool:
        """Answer all prompts of others until the player has one, or none is open.

        Return false if the player's combatant no longer fights.
        """
        for _ in range(100):
            board = (await self.client.get()).json()
            combatant = next(
                combatant for combatant in board["combatants"] if combatant["id"] == self.own
            )
            if not combatant["in_fight"] or board["status"] == "ended":
                return False
            asked = [prompt for prompt in await self.client.prompts() if not prompt["suspended"]]
            others = [
                prompt for prompt in asked if prompt["who"] != self.own and prompt["answer"] is None
            ]
            if others:
                await self.answer(others[0])
            elif any(prompt["kind"] == "roll" for prompt in asked):
                await self.answer(asked[0])
            else:
                return True
        raise AssertionError(f"the GM does not come to an end: {asked}")

    async def answer(self, prompt: Any) -> None:
        """Answer a prompt so that the fight continues. Equal prompts get equal answers."""
        if prompt["kind"] == "roll":
            fell = faces(prompt)
            if prompt["who"] in self.hidden:
                fell = [1] * len(fell)
            await self.client.answer(prompt["id"], faces=fell)
        elif prompt["default"] is not None:
            await self.client.done("/close", {"prompts": [prompt["id"]]})
        else:
            options = (await self.client.get("/options")).json()["options"]
            legal = [
                offer for offer in options if offer["prompt"] == prompt["id"] and offer["legal"]
            ]
            legal.sort(key=lambda entry: QUIET.index(entry["id"]) if entry["id"] in QUIET else 99)
            inputs = legal[0]["examples"][0] if legal[0]["examples"] else {}
            await self.client.answer(prompt["id"], legal[0]["id"], **inputs)

    async def head(self) -> int:
        """Return the current version, for a later goto."""
        version: int = (await self.client.get()).json()["version"]
        return version


def faces(prompt: Any) -> list[int]:
    """Return faces above 1 that depend only on the prompt, so both combats get the same faces."""
    luck = crc32(f"{prompt['id']} {prompt['name']}".encode())
    dice = enumerate(prompt["data"]["dice"])
    return [2 + (luck >> 3 * at) % (sides - 1) if sides > 1 else 1 for at, sides in dice]


@dataclass(frozen=True)
class Request:
    """One request of one operation. Each table fills in placeholders such as `{own_prompt}`."""

    operation: str
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None

    def __str__(self) -> str:
        return f"{self.operation} {self.path} {dict(self.query)} {self.body}"


OWN = re.compile(r'(?<="id":")[0-9a-f]{12}(?=","role")')
"""Matches the random id of a reader's token."""

IDS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\b[0-9a-f]{64}\b|(?:-[0-9a-f]{8})+(?=\ndata: )|(?:affray|ticket)_[A-Za-z0-9_-]+"
    r'|(?<="seconds_per_decision":)[\d.]+|(?<="ends_at":)\d+|\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|\+00:00)'
)


WEIGHS = re.compile(r"\b[0-9a-f]{8}\b|\b[0-9a-f]{18}\b")
"""Matches the checksum of a body, which contains random ids."""


def told(answer: httpx.Response) -> tuple[int, str, str]:
    """Return status, headers and body, with placeholders for ids, checksums and times."""
    headers = {
        name: WEIGHS.sub("#", value) if name == "etag" else IDS.sub("#", value)
        for name, value in answer.headers.items()
        # Ids have equal lengths, so the bodies' lengths tell nothing. Request ids are random.
        if name not in ("content-length", "date", "x-request-id")
    }
    text = IDS.sub("#", OWN.sub("#", answer.text))
    return answer.status_code, str(headers), text


def difference(first: tuple[int, str, str], other: tuple[int, str, str]) -> str:
    """Return the ends of both answers, from the first difference on, or "" if they are equal."""
    if first == other:
        return ""
    a, b = (f"{status} {tag} {text}" for status, tag, text in (first, other))
    if '"events":[' in a and '"events":[' in b:  # events say more than numbers
        a, b = (text[text.index('"events":[') :] for text in (a, b))
    at = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return f"\n  {a[max(0, at - 200) : at + 80]}\n  {b[max(0, at - 200) : at + 80]}"


# ---- requests from the list of operations


@dataclass
class Names:
    """Names for requests: visible, hidden and unknown combatants."""

    own: str
    foe: str
    hidden: str
    ruleset: Any
    offers: list[Any] = field(default_factory=list)
    prompts: list[Any] = field(default_factory=list)

    @property
    def everybody(self) -> tuple[str, ...]:
        return (self.own, self.foe, self.hidden, "Nobody")

    @property
    def prompt_ids(self) -> tuple[str, ...]:
        ids = [prompt["id"] for prompt in self.prompts]
        return (*ids, *(f"{who}:{n}" for who in (*self.everybody, "gm") for n in (1, 2)))


def requests(names: Names) -> Iterator[Request]:
    """Yield every request about a combat that needs a token."""
    for operation in OPERATIONS:
        if "{combat}" not in operation.path:
            assert operation.who in ("anybody", "service"), (
                f"{operation.id} wants a token and has no combat"
            )
            continue
        for path in _paths(operation, names):
            for query in _queries(operation, names):
                for body in _bodies(operation, names):
                    yield Request(operation.id, operation.method, path, query, body)


def _paths(operation: Operation, names: Names) -> Iterator[str]:
    path = operation.path.removeprefix("/v1/combats/{combat}")
    rest = [name for name in operation.parameters if name != "combat"]
    if not rest:
        yield path
        return
    known = {
        "combatant": names.everybody,
        "prompt": names.prompt_ids,
        "version": tuple(map(str, (1, 2, 5, *range(8, 40, 3), 9999))),
        "id": tuple(f"{who}:request-1" for who in names.everybody),
        "number": ("ac", "defense", "effective_ac", "hp", "target_number", "no-such-thing"),
    }
    for values in product(*(known.get(name, ("0123456789ab", names.hidden)) for name in rest)):
        filled = path
        for name, value in zip(rest, values, strict=True):
            filled = filled.replace("{" + name + "}", value)
        yield filled


def _queries(operation: Operation, names: Names) -> Iterator[Mapping[str, Any]]:
    fields = msgspec.structs.fields(operation.query)
    base = {
        field.encode_name: _values(field.encode_name, field.type, names)[0]
        for field in fields
        if field.required
    }
    if any(field.encode_name == "wait" for field in fields):
        base["wait"] = 0  # a stream must not wait
    yield base
    for info in fields:
        if info.encode_name != "wait":
            for value in _values(info.encode_name, info.type, names):
                yield {**base, info.encode_name: value}
    if any(field.encode_name == "include" for field in fields):
        yield {**base, "include": "refused"}
    if any(field.encode_name == "reach" for field in fields):
        yield {**base, "reach": "yes"}


def _bodies(operation: Operation, names: Names) -> Iterator[Any]:
    if operation.body is None:
        yield None
        return
    seen: set[bytes] = set()
    for kind in get_args(operation.body) or (operation.body,):
        for body in chain(_structs(kind, names), _moves(kind, names)):
            key = msgspec.json.encode(body, order="deterministic")
            if key not in seen:
                seen.add(key)
                yield body


def _structs(kind: Any, names: Names) -> Iterator[dict[str, Any]]:
    """Yield bodies of a Struct.

    The first body has only the required fields. Each further body sets one field to one value.
    """
    fields = msgspec.structs.fields(kind)
    tag = kind.__struct_config__.tag
    base: dict[str, Any] = {kind.__struct_config__.tag_field: tag} if tag else {}
    for info in fields:
        if info.required:
            base[info.encode_name] = _values(info.encode_name, info.type, names)[0]
    yield base
    for info in fields:
        for value in _values(info.encode_name, info.type, names):
            yield {**base, info.encode_name: value}


def _moves(kind: Any, names: Names) -> Iterator[dict[str, Any]]:
    """Yield actions and answers with the inputs of each example.

    Further inputs name the hidden combatant, or a combatant that does not exist.
    """
    hints = {field.encode_name for field in msgspec.structs.fields(kind)}
    tag = kind.__struct_config__.tag
    base = {kind.__struct_config__.tag_field: tag} if tag else {}
    for offer in names.offers:
        for inputs in _inputs(offer, names):
            if {"combatant", "action", "inputs"} <= hints:
                yield {**base, "combatant": names.own, "action": offer["id"], "inputs": inputs}
            elif {"option", "inputs"} <= hints:
                body = {**base, "option": offer["id"], "inputs": inputs}
                if "prompt" in hints:
                    body["prompt"] = offer["prompt"] or f"{names.own}:1"
                yield body


def _inputs(offer: Any, names: Names) -> Iterator[dict[str, Any]]:
    examples = offer["examples"][:2] or [{}]
    yield from examples
    for name, value in examples[0].items():
        if value in names.everybody:
            for other in (names.hidden, "Nobody"):
                yield {**examples[0], name: other}
        elif isinstance(value, list) and value and value[0] in names.everybody:
            for other in (names.hidden, "Nobody"):
                yield {**examples[0], name: [other]}


def _commands(names: Names) -> tuple[Any, ...]:
    """Return lists of commands to preview: no command, each action once, and each action twice."""
    moves = list(_moves(Act, names))
    commands = [{"type": "act", **{k: v for k, v in move.items() if k != "type"}} for move in moves]
    return ([], *([command] for command in commands), *([command] * 2 for command in commands))


def _values(name: str, kind: Any, names: Names) -> tuple[Any, ...]:
    """Return the values to try for a field."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    named: dict[str, tuple[Any, ...]] = {
        "combatant": names.everybody,
        "combatants": tuple([who] for who in names.everybody),
        "who": names.everybody,
        "prompt": names.prompt_ids,
        "prompts": tuple([id] for id in names.prompt_ids),
        "action": (next((offer["id"] for offer in names.offers), "end-turn"), "no-such-thing"),
        "option": ("pass", "no-such-thing"),
        "track": ("hp", "stress", "no-such-thing"),
        "condition": ("prone", "no-such-thing"),
        "rule": ("FH-ATK", "HE-", "SOV-"),
        "type": ("moved", "rolled", "answered", "initiative-set"),
        "cursor": ("djoz", "nonsense"),
        "inputs": ({},),
        "sheet": ({},),
        "orders": (
            [],
            [{"prompt": "free-hit", "option": "pass", "against": names.hidden}],
            [{"prompt": "free-hit", "option": "pass", "against": "Nobody"}],
        ),
        "as": ("0123456789ab",),
        "map": (None,),
        "faces": ([1],),
    }
    if name == "commands":
        return _commands(names)
    if name in named:
        return named[name]
    text = str(kind)
    if "bool" in text:
        return (True, False)
    if "int" in text:
        return (1, 3, 9999)
    return (names.own, names.hidden)
