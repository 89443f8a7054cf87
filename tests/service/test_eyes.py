"""Only the GM can view a combat as a player."""

from typing import Any

from tests.client import Client
from tests.rulesets.free_hit.units import SWORD, foe, unit
from tests.service.test_play import fight
from tests.service.test_refusals import problem


async def test_the_gm_sees_what_a_player_sees(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    lines = (await client.get("/tokens")).json()["tokens"]
    (id,) = [line["id"] for line in lines if line["role"] == "player"]
    for path in ("", "/prompts", "/events", "/timeline", "/options?combatant=Ana",
                 "/why?combatant=Imp&track=hp"):  # fmt: skip
        through = await client.get(f"{path}{'&' if '?' in path else '?'}as={id}")
        assert through.status_code == 200, through.text
        assert through.json() == (await client.get(path, token=player)).json(), path
    problem(await client.get(f"?as={id}", token=player), 403, "forbidden")
    problem(await client.get("?as=nobody"), 404, "not-found")


async def test_a_player_sees_words_instead_of_numbers(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    ana, imp = (await client.get(token=player)).json()["combatants"]
    assert ana["tracks"]["hp"]["value"] == 20
    assert "tracks" not in imp
    assert "sheet" not in imp
    assert imp["wound"] == "unhurt"
    assert [prompt["who"] for prompt in await client.prompts(player)] == ["Ana"]
    spectator = await client.player(role="spectator")
    assert await client.prompts(spectator) == []


async def test_a_token_asks_what_it_is(client: Client) -> None:
    await fight(client)
    body = {"role": "player", "label": "Anna's phone", "owner": "anna"}
    player = (await client.done("/tokens", body))["token"]
    answer = (await client.get("/you", token=player)).json()
    assert (answer["role"], answer["label"], answer["owner"]) == ("player", "Anna's phone", "anna")
    assert answer["combatants"] == ["Ana"]
    assert (await client.get("/you")).json()["combatants"] == ["Ana", "Imp"]
    viewer = await client.player(role="spectator")
    assert (await client.get("/you", token=viewer)).json()["combatants"] == []
    assert (await client.get(token=player)).json()["you"] == {
        "role": "player",
        "combatants": ["Ana"],
    }
    master = (await client.get()).json()["you"]
    assert master == {"role": "gm", "combatants": ["Ana", "Imp"]}


async def test_a_token_for_an_owner_that_nobody_has_comes_with_a_warning(client: Client) -> None:
    await fight(client)
    right = await client.done("/tokens", {"role": "player", "owner": "anna"})
    assert "warning" not in right
    wrong = await client.done("/tokens", {"role": "player", "owner": "ana"})
    assert wrong["warning"] == (
        "no combatant has the owner 'ana' yet, so the token plays nobody; owners are: anna"
    )
    named = await client.post("/tokens", {"role": "player", "combatants": ["Ana", "Inp"]})
    assert named.status_code == 404
    assert named.json()["pointer"] == "/combatants/1"
    assert named.json()["allowed"] == ["Ana", "Imp"]


async def test_who_is_awaited(client: Client) -> None:
    await fight(client)
    spectator = await client.player(role="spectator")
    for token in (None, spectator):
        assert (await client.get(token=token)).json()["awaited"] == ["Ana"]
    await client.call("PATCH", "/combatants/Ana", {"hidden": True})
    assert (await client.get()).json()["awaited"] == ["Ana"]
    assert (await client.get(token=spectator)).json()["awaited"] == [None]


async def test_the_options_of_a_token_are_all_that_it_may_do(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    answer = (await client.get("/options", token=player)).json()
    assert {option["who"] for option in answer["options"]} == {"Ana"}
    attack = next(option for option in answer["options"] if option["id"] == "attack")
    assert attack["label"]
    assert attack["candidates"]["target"] == ["Imp"]
    schema = answer["schemas"][attack["inputs"]]
    assert schema["properties"]["target"]["x-refers-to"] == "combatant"
    master = (await client.get("/options", params={"include": "refused"})).json()["options"]
    assert {prompt["kind"] for prompt in master} >= {"turn", "ruling", "interjection"}
    assert {prompt["who"] for prompt in master} == {None, "Ana", "Imp"}
    silent = [offer["id"] for offer in master if not offer["legal"] and not offer["refusals"]]
    assert silent == []


async def test_sight_tells_no_reader_the_arms_of_others(client: Client) -> None:
    ana = unit("Ana", agility=5, weapons=[SWORD], at=[0, 0])
    await client.open("free-hit", [ana, foe("Imp", weapons=[SWORD], at=[1, 1])])
    player = await client.player("Ana")

    async def seen(who: str, target: str, token: str) -> Any:
        asked = {"combatant": who, "target": target}
        return (await client.get("/sight", params=asked, token=token)).json()

    view = await seen("Ana", "Imp", player)
    assert (view["distance"], view["unit"], view["reach"]) == (1, "spaces", ["sword"])
    theirs = await seen("Imp", "Ana", player)
    assert (theirs["distance"], theirs["reach"]) == (1, None)
    assert (await seen("Imp", "Ana", client.token))["reach"] == ["sword"]


async def test_the_gm_rolls_by_what_the_options_say(client: Client) -> None:
    await fight(client)
    await client.act("Ana", "attack", target="Imp")
    answer = (await client.get("/options")).json()
    roll = next(option for option in answer["options"] if option["kind"] == "roll")
    faces = answer["schemas"][roll["inputs"]]["properties"]["faces"]
    assert (roll["id"], faces["anyOf"][0]["type"]) == ("roll", "array")
