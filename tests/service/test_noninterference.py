"""Two combats that differ only in hidden facts give players and spectators equal answers.

The test sends every operation of the API (`tests.service.pairs`) at several moments of a fight in
every rulebook. It replaces ids of combats and commands, and times. Everything else must be equal,
byte for byte, including status and ETag.
"""

import os
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any
from zlib import crc32

import pytest

from domain.rulesets import installed
from tests.client import Client
from tests.forms import forms
from tests.service.pairs import Names, Request, Table, difference, requests, told
from tests.walks import FIGHTS

Busy = Callable[[Table], Awaitable[None]]

EVERY = 1 if os.environ.get("AFFRAY_FUZZ") == "long" else 5
"""The long form sends one in this many requests, and the first of each operation."""

SHORT = ("free-hit", "hallowed-earth")
"""The rulebooks of the short form, which sends one request in a hundred."""

pairs = forms(
    "ruleset, every",
    *((ruleset, 100) for ruleset in SHORT),
    long=[(ruleset, EVERY) for ruleset in FIGHTS],
)

CONDITION = {
    "definitions": "prone",
    "free-hit": "prone",
    "hallowed-earth": "prone",
    "sovereign": "prone",
    "vile-darkness": "delayed",
}
HARM = {"hallowed-earth": {"amount": 2, "type": "direct"}}


def cast(ruleset: str) -> tuple[list[Any], list[Any]]:
    """Return the visible combatants, and the last foe as the hidden one."""
    sheets = FIGHTS[ruleset]()
    return sheets[:4], [sheets[-1]]


async def pair(
    client: Client, ruleset: str, busy: Busy, *, absent: bool = False
) -> tuple[Table, Table, Names]:
    """Open a quiet table, and a busy table at which the GM acts in secret.

    If `absent`, the quiet table has no hidden combatant.
    """
    seen, hidden = cast(ruleset)
    own, foe, unseen = seen[0]["name"], seen[3]["name"], hidden[0]["name"]
    tables = Table(client, own), Table(client, own)
    rules = (await client.http.get(f"/v1/rulesets/{ruleset}")).json()
    for table in tables:
        table.purpose = rules["purposes"][0]
    for table, there in zip(tables, ([] if absent else hidden, hidden), strict=True):
        await table.open(ruleset, seen, there)
    await busy(tables[1])
    for table in tables:
        await table.begin()
    await busy(tables[1])
    for table in tables:
        await table.quiet()
    return *tables, Names(own, foe, unseen, rules)


async def ask(table: Table, role: str, request: Request) -> Any:
    answer = await table.client.call(
        request.method,
        request.path,
        request.body,
        token=table.tokens[role],
        params=dict(request.query) or None,
    )
    return told(answer)


def sample(among: Iterable[Request], every: int) -> Iterator[Request]:
    """Yield about one of `every` requests, and always the first request of each operation."""
    met: set[str] = set()
    for request in among:
        if request.operation not in met or crc32(str(request).encode()) % every == 0:
            met.add(request.operation)
            yield request


async def compare(
    quiet: Table, busy: Table, names: Names, every: int, *, absent: bool = False
) -> int:
    """Send all requests to both tables, and return their number.

    If `absent`, a command may end earlier at the busy table, because a hidden combatant has a
    prompt.
    """
    asked = 0
    for role in ("player", "spectator"):
        token = quiet.tokens[role]
        names.prompts = await quiet.client.prompts(token)
        options = await quiet.client.get("/options", token=token, params={"include": "refused"})
        names.offers = options.json()["options"]
        for request in sample(requests(names), every):
            compared = True
            changing = request.method != "GET"
            heads = [await table.head() if changing else 0 for table in (quiet, busy)]
            answers = [await ask(table, role, request) for table in (quiet, busy)]
            if changing and absent and answers[0][0] == answers[1][0] == 200:
                fighting = [await table.quiet() for table in (quiet, busy)]
                assert fighting[0] == fighting[1], request
                compared = fighting[0]  # with open prompts, one table may be further than the other
            else:
                assert not (leak := difference(*answers)), f"{role}: {request}{leak}"
            assert answers[0][0] < 500, f"{role}: {request}: {answers[0]}"
            asked += 1
            if changing and answers[0][0] < 300:
                if compared:
                    await same_reading(quiet, busy)
                for table, head in zip((quiet, busy), heads, strict=True):
                    if await table.head() != head:
                        await table.client.post("/goto", {"version": head})
    return asked


async def same_reading(quiet: Table, busy: Table) -> None:
    """Compare the player's later reads."""
    for path in (
        "/events?limit=500",
        "",
        "/timeline?limit=500",
        "/timeline?order=newest",
        "/prompts",
        "/options",
    ):
        for role in ("player", "spectator"):
            request = Request("read", "GET", path)
            answers = [await ask(table, role, request) for table in (quiet, busy)]
            assert not (leak := difference(*answers)), f"{role}: {path}{leak}"
    for role in ("player", "spectator"):
        streams = [await stream(table, role) for table in (quiet, busy)]
        assert not (leak := difference(*streams)), f"{role}: stream{leak}"


async def stream(table: Table, role: str) -> tuple[int, str, str]:
    """Return every message after the first event."""
    token = table.tokens[role]
    first = await table.client.get("/stream", token=token, params={"wait": 0})
    mark = first.text.partition("\nid: ")[2].partition("\n")[0].partition("-")[2]
    assert mark, first.text
    params = {"wait": 0, "after": f"1-{mark}"}
    return told(await table.client.get("/stream", token=token, params=params))


async def amend_what_is_hidden(client: Client) -> None:
    """Drop the last ruling about the hidden combatant, and decide the later commands again."""
    events = []
    for after in range(0, (await client.get()).json()["version"], 500):
        answer = await client.get("/events", params={"limit": 500, "after": after})
        events += answer.json()["events"]
    ruled = [
        event["version"] for event in events if event["type"] == "ruled" and not event["undone"]
    ]
    body = {"changes": [{"kind": "drop", "at": ruled[-1]}], "impossible": "skip"}
    report = await client.done("/amend", body)
    whole = {**body, "commit": True, "digest": report["digest"]}
    match = {"If-Match": f'"{report["version"]}"'}
    answer = await client.post("/amend", whole, headers=match)
    assert answer.status_code == 200, answer.text


@pytest.mark.sampled
@pairs
async def test_what_happens_to_the_hidden_is_not_told(
    client: Client, ruleset: str, every: int
) -> None:
    who = cast(ruleset)[1][0]["name"]

    async def busy(table: Table) -> None:
        await table.rule("set-condition", combatant=who, condition=CONDITION[ruleset])
        await table.rule("damage", combatant=who, **HARM.get(ruleset, {"amount": 2}))
        await table.client.done("/undo")
        await table.client.done("/notes", {"text": f"{who} waits", "private": True})
        await table.client.done("/notes", {"text": "waits", "who": who})
        await amend_what_is_hidden(table.client)

    quiet, loud, names = await pair(client, ruleset, busy)
    await same_reading(quiet, loud)
    assert await compare(quiet, loud, names, every) > 40


@pairs
async def test_what_the_gm_keeps_is_not_told(client: Client, ruleset: str, every: int) -> None:
    """Players see nothing of the GM's private notes and orders about visible combatants."""
    own, foe = (cast(ruleset)[0][at]["name"] for at in (0, 3))

    async def busy(table: Table) -> None:
        await table.rule("set-marker", combatant=foe, text=f"{own}'s brother")
        await table.rule("set-marker", combatant=own, text="cursed")
        asked = next(
            question.name
            for question in installed()[ruleset].catalogue.questions
            if question.asks == "combatant"
        )
        orders = [{"prompt": asked, "option": "ask", "against": own}]
        path = f"/combatants/{foe}/standing-orders"
        assert (await table.client.call("PUT", path, {"orders": orders})).status_code == 200
        await table.client.done("/notes", {"text": f"{foe} will flee", "private": True})
        assert (await table.client.call("PATCH", "", {"labels": ["the trap"]})).status_code == 200
        for faces in [1], []:
            purpose = table.purpose
            await table.rule("force-roll", combatant=foe, purpose=purpose, faces=faces)
        await table.client.player(foe)
        await table.client.done(
            "/preview",
            {
                "command": "rule",
                "ruling": "set-marker",
                "inputs": {"combatant": own, "text": "doomed"},
            },
        )

    quiet, loud, names = await pair(client, ruleset, busy)
    await same_reading(quiet, loud)
    asked = 0
    for role in ("player", "spectator"):
        for request in sample((r for r in requests(names) if r.method == "GET"), every):
            answers = [await ask(table, role, request) for table in (quiet, loud)]
            assert not (leak := difference(*answers)), f"{role}: {request}{leak}"
            asked += 1
    assert asked > 30


@pytest.mark.sampled
@pairs
async def test_that_somebody_hidden_is_there_is_not_told(
    client: Client, ruleset: str, every: int
) -> None:
    async def nothing(table: Table) -> None:
        pass

    quiet, there, names = await pair(client, ruleset, nothing, absent=True)
    await same_reading(quiet, there)
    assert await compare(quiet, there, names, every, absent=True) > 40
