"""Test a fight over HTTP with manual dice, from its opening to its end."""

from domain.rulesets import installed
from tests.client import Client
from tests.rulesets.definitions import units as fighters
from tests.rulesets.free_hit.units import SWORD, foe, unit

MANUAL = {"gm": "manual", "players": "manual"}
ANA = unit("Ana", agility=3, accuracy=4, strength=1, weapons=[SWORD], at=[0, 0], owner="anna")
IMP = foe("Imp", agility=1, max_hp=6, at=[1, 0], weapons=[SWORD])


async def fight(client: Client) -> None:
    await client.open("free-hit", [ANA, IMP], dice=MANUAL)
    await client.done("/begin")


async def test_a_fight_to_its_end(client: Client) -> None:
    await fight(client)
    declared = await client.act("Ana", "attack", target="Imp")
    (roll,) = declared["prompts"]
    assert (roll["kind"], roll["name"], roll["data"]["dice"]) == ("roll", "attack", [20])
    hit = await client.answer(roll["id"], faces=[9])
    rolled = [event["data"] for event in hit["events"] if event["type"] == "rolled"]
    assert [
        (operation["total"], operation["target"], operation["outcome"]) for operation in rolled
    ] == [(13, 11, "hit")]
    (roll,) = hit["prompts"]
    killed = await client.answer(roll["id"], faces=[5])  # 5 + 1 = 6
    assert [event["type"] for event in killed["events"]].count("downed") == 1
    board = (await client.get()).json()
    assert (board["status"], board["winners"]) == ("ended", ["heroes"])
    assert board["seed"] is not None
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))


async def test_options_agree_with_refusals(client: Client) -> None:
    await fight(client)
    answer = await client.get("/options", params={"combatant": "Ana", "include": "refused"})
    options = {option["id"]: option for option in answer.json()["options"]}
    assert {"target": "Imp", "weapon": "sword", "aim": None, "from_behind": False} in options[
        "attack"
    ]["examples"]
    assert [(option["rule"], option["reason"]) for option in options["stand-up"]["refusals"]] == [
        ("FH-PRN-04", "not-prone")
    ]
    problem = await client.refused("Ana", "stand-up")
    assert (problem["rule"], problem["reason"]) == ("FH-PRN-04", "not-prone")


async def test_undo_and_redo_over_http(client: Client) -> None:
    await fight(client)
    before = (await client.get()).json()
    await client.act("Ana", "boost-hit")
    after = (await client.get()).json()
    await client.done("/undo", {"reason": "wrong button"})
    undone = (await client.get()).json()
    assert {**undone, "version": 0} == {**before, "version": 0}
    await client.done("/redo")
    assert {**(await client.get()).json(), "version": 0} == {**after, "version": 0}
    events = (await client.get("/events", params={"limit": 500})).json()["events"]
    assert "reverted" in {event["type"] for event in events}


async def test_a_past_state_is_read_by_its_version(client: Client) -> None:
    await fight(client)
    version = (await client.get()).json()["version"]
    await client.act("Ana", "boost-hit")
    past = await client.get(params={"at": version})
    assert past.json()["combatants"][0]["budget"] == {"aa": 1, "ma": 1, "ba": 2}
    assert past.json()["prompts"] != []
    assert (await client.get(params={"at": 10_000})).status_code == 404


async def test_a_preview_stores_nothing(client: Client) -> None:
    await fight(client)
    before = (await client.get()).content
    body = {"command": "act", "combatant": "Ana", "action": "boost-hit"}
    seen = await client.done("/preview", body)
    assert seen["board"]["combatants"][0]["budget"]["ba"] == 1
    assert (await client.get()).content == before


async def test_a_preview_says_whether_dice_fell(client: Client) -> None:
    bridge = installed()["free-hit"].parties[0]
    await client.open("free-hit", list(bridge.sheets))
    await client.done("/begin")
    boost = {"command": "act", "combatant": "Lin", "action": "boost-hit"}
    assert (await client.done("/preview", boost))["chance"] is False
    attack = {"command": "act", "combatant": "Lin", "action": "attack"}
    seen = await client.done("/preview", {**attack, "inputs": {"target": "Troll"}})
    assert (seen["chance"], seen["heading"]) == (
        True,
        "One possible roll: the dice to come are other ones",
    )


async def test_a_preview_says_who_may_react(client: Client) -> None:
    """Ilse shoots next to the Hag, so the Hag gets an opportunity (DEF-AOO)."""
    sheets = [
        fighters.fighter("Ilse", at=[0, 0], weapons=[fighters.BOW]),
        fighters.foe("Hag", at=[1, 0], weapons=[fighters.SWORD]),
    ]
    await client.open("definitions", sheets, options={"death_roll": "all-equal"})
    ilse = await client.player("Ilse")
    await client.done("/begin")
    while "Ilse" not in (await client.get()).json()["acting"]:
        await client.answer((await client.prompts())[-1]["id"], "end-turn")
    shot = {"command": "act", "combatant": "Ilse", "action": "ranged-attack"}
    for token in (None, ilse):
        seen = await client.done(
            "/preview", {**shot, "inputs": {"target": "Hag", "weapon": "bow"}}, token=token
        )
        assert [reaction["combatant"] for reaction in seen["reactions"]] == ["Hag"], seen["lines"]
        assert seen["lines"][-1] == "Hag may react to this."
        assert seen["needs"] == []


async def test_a_preview_tells_the_gm_alone_what_an_attack_needs(client: Client) -> None:
    """Ana adds 4 against a target number of 11, so she needs 7 or more on the die."""
    await client.open("free-hit", [ANA, IMP])
    player = await client.player("Ana")
    await client.done("/begin")
    attack = {"command": "act", "combatant": "Ana", "action": "attack"}
    body = {**attack, "inputs": {"target": "Imp", "weapon": "sword"}}
    seen = await client.done("/preview", body)
    assert seen["needs"] == [{"combatant": "Ana", "against": "Imp", "die": "d20", "least": 7}]
    assert "Ana needs 7 or more on the d20 to hit Imp." in seen["lines"]
    assert (await client.done("/preview", body, token=player))["needs"] == []


async def test_a_standing_order_answers_by_itself(client: Client) -> None:
    await fight(client)
    orders = {"orders": [{"prompt": "free-hit", "option": "pass"}]}
    put = await client.call("PUT", "/combatants/Imp/standing-orders", orders)
    assert put.status_code == 200
    roll = (await client.act("Ana", "attack", target="Imp"))["prompts"][0]["id"]
    roll = (await client.answer(roll, faces=[1]))["prompts"][0]["id"]
    passed = await client.answer(roll, faces=[2])
    assert "standing-order" in {event["data"].get("by") for event in passed["events"]}
