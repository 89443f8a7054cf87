"""Test that an imported fight continues at the end of its file, with any open prompts."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from tests.client import Client
from tests.rulesets.definitions.units import SWORD, fighter, foe
from tests.rulesets.hallowed_earth.units import hero, monster, weapon
from tests.service.forging import forged_with
from tests.service.test_play import MANUAL
from tests.service.test_play import fight as free_hit

NDJSON = {"Content-Type": "application/x-ndjson"}

Step = Callable[[Client], Awaitable[Any]]


def act(who: str, action: str, **inputs: Any) -> Step:
    return lambda client: client.act(who, action, **inputs)


def answer(who: str | None, option: str, **inputs: Any) -> Step:
    """Return a step that answers the prompt of `who`, or the GM's prompt if `who` is `None`."""

    async def give(client: Client) -> None:
        (asked,) = [
            prompt
            for prompt in await client.prompts()
            if prompt["who"] == who and not prompt["suspended"]
        ]
        await client.answer(asked["id"], option, **inputs)

    return give


def dice(*rolls: tuple[str, int]) -> Step:
    """Return a step that gives each roll its face, in this order.

    The purpose identifies a roll. Any combatant may make it.
    """

    async def fall(client: Client) -> None:
        for purpose, face in rolls:
            roll = next(prompt for prompt in await client.prompts() if prompt["name"] == purpose)
            await client.answer(roll["id"], faces=[face])

    return fall


async def take(client: Client, steps: Sequence[Step]) -> None:
    for step in steps:
        await step(client)


async def told(client: Client) -> tuple[Any, list[Any]]:
    """Return the board and all events, without times and commands."""
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    return (await client.get()).json(), [
        (event["version"], event["type"], event["data"], event["rules"]) for event in events
    ]


async def in_between(client: Client) -> None:
    """Prepare Ana's turn."""
    await free_hit(client)


async def before_a_roll(client: Client) -> None:
    """Prepare an attack of Ana's without a roll."""
    await free_hit(client)
    await client.act("Ana", "attack", target="Imp")


async def amid_declarations(client: Client) -> None:
    """Prepare a round in which Ana has declared in secret, and the orc has not."""
    sword = weapon("sword", "1d8")
    heroes = hero("Ana", at=[0, 0], weapons=[sword], max_stress=20)
    orc = monster("Orc", at=[1, 0], weapons=[sword], max_stress=20)
    options = {"rulings": "default"}
    await client.open("hallowed-earth", [heroes, orc], dice=MANUAL, options=options)
    await client.done("/begin")
    await take(client, [dice(("initiative", 3), ("initiative", 6))])
    await client.act("Ana", "attack", weapon="sword", target="Orc")


async def before_a_ruling(client: Client) -> None:
    """Prepare the GM's prompt for surprise."""
    fighters = [hero("Ana", at=[0, 0]), monster("Orc", at=[1, 0])]
    await client.open("hallowed-earth", fighters, dice=MANUAL)
    await client.done("/begin")


async def three(client: Client, *, z: Sequence[int] = (3, 0)) -> None:
    """Prepare Y's turn. Z, a foe, is next."""
    fighters = [
        fighter("X", at=[0, 9]),
        fighter("Y", at=[0, 0], weapons=[SWORD]),
        foe("Z", at=list(z), weapons=[SWORD], max_hp=6),
        foe("Far", at=[9, 9]),
    ]
    await client.open("definitions", fighters, dice=MANUAL, options={"rulings": "default"})
    await client.done("/begin")
    rolled = [("initiative", face) for face in (20, 19, 18, 17)]
    await take(client, [dice(*rolled), act("X", "end-turn")])


async def with_a_held_action(client: Client) -> None:
    """Prepare Z's turn. Y holds an attack until Z comes near."""
    await three(client)
    held = {"action": "attack", "inputs": {"target": "Z"}, "attacks": 1}
    inputs = {"slot": "standard", "action": held, "trigger": {"event": "moves-next-to"}}
    await client.done("/actions", {"combatant": "Y", "action": "hold-action", "inputs": inputs})
    await client.act("Y", "end-turn")


async def amid_a_step(client: Client) -> None:
    """Prepare a move of Z away from Y, who may strike first."""
    await three(client, z=(1, 0))
    await client.act("Y", "end-turn")
    await client.act("Z", "move", path=[[2, 0], [3, 0]])


FIGHTS: tuple[tuple[Step, Sequence[Step], str], ...] = (
    (
        in_between,
        [act("Ana", "attack", target="Imp"), dice(("attack", 9), ("damage", 4))],  # 9 + 4 ≥ 11
        "damaged",
    ),
    (before_a_roll, [dice(("attack", 9), ("damage", 4))], "damaged"),
    (
        amid_declarations,
        [act("Orc", "no-action"), act("Ana", "end-turn")],
        "phase-began",
    ),
    (
        before_a_ruling,
        [answer(None, "as-given"), dice(("initiative", 3), ("initiative", 6))],
        "budget-set",
    ),
    (
        with_a_held_action,
        [
            act("Z", "move", path=[[2, 0], [1, 0]]),
            answer("Y", "resolve"),
            dice(("attack", 15), ("damage", 3)),  # 15 ≥ 10
        ],
        "damaged",
    ),
    (
        amid_a_step,
        [
            answer("Y", "aoo"),
            # 8 of 6, but no further fall
            dice(("attack", 15), ("damage", 8), ("save-fortitude", 20)),
        ],
        "stopped",
    ),
)


@pytest.mark.parametrize(
    ("until", "then", "brings"), FIGHTS, ids=lambda brings: getattr(brings, "__name__", "")
)
async def test_an_import_goes_on(
    client: Client, until: Step, then: Sequence[Step], brings: str
) -> None:
    """The import plays on like the original fight, and undo works."""
    await until(client)
    before, waiting = await told(client), await client.prompts()
    file = (await client.get("/export")).content
    await take(client, then)
    after = await told(client)
    assert brings in {kind for _, kind, _, _ in after[1][len(before[1]) :]}

    assert (await client.call("DELETE")).status_code == 204
    taken = await client.http.post("/v1/combats/import", content=file, headers=NDJSON)
    assert taken.status_code == 201, taken.text
    client.token = taken.json()["token"]
    assert (await told(client), await client.prompts()) == (before, waiting)
    await take(client, then)
    assert await told(client) == after

    while (await client.prompts()) != waiting:
        await client.done("/undo")
    await take(client, then)
    assert (await client.get()).json()["combatants"] == after[0]["combatants"]


async def test_what_an_older_release_left_undone_is_done_as_it_goes_on(client: Client) -> None:
    """The imported Imp has 0 hit points, but is not down until the next command (FH-DOWN)."""
    await free_hit(client)
    ruling = {"ruling": "set-track", "inputs": {"combatant": "Imp", "track": "hp", "value": 5}}
    await client.done("/rulings", ruling)
    file = forged_with((await client.get("/export")).content, "value", 0)
    assert (await client.call("DELETE")).status_code == 204
    taken = await client.http.post("/v1/combats/import", content=file, headers=NDJSON)
    assert taken.status_code == 201, taken.text
    client.token = taken.json()["token"]
    imp = taken.json()["board"]["combatants"][1]
    assert imp["tracks"]["hp"]["value"] == 0
    assert not imp.get("conditions")
    marked = {"ruling": "set-marker", "inputs": {"combatant": "Ana", "text": "laughs"}}
    done = await client.done("/rulings", marked)
    assert [event["type"] for event in done["events"]][:2] == ["ruled", "condition-gained"]
    assert (await client.get()).json()["winners"] == ["heroes"]
