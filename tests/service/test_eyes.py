"""The GM looks through a player's eyes; nobody else does."""

from tests.client import Client
from tests.service.test_play import fight
from tests.service.test_refusals import problem


async def test_the_gm_sees_what_a_player_sees(client: Client) -> None:
    await fight(client)
    player = await client.player("Ana")
    lines = (await client.get("/tokens")).json()["tokens"]
    (id,) = [one["id"] for one in lines if one["role"] == "player"]
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
    assert [one["who"] for one in await client.prompts(player)] == ["Ana"]
    spectator = await client.player(role="spectator")
    assert await client.prompts(spectator) == []
