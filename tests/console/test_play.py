"""Test how the page sends options, shows their results, and repeats a turn."""

import re
from random import Random

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat
from tests.console.test_map import dragged, where

pytestmark = pytest.mark.browser


async def test_one_click_leads_to_a_card_that_asks_something(seat: Seat) -> None:
    """The result appears when the service confirms it. A refusal gives its reason."""
    table = await seat()
    await table.begin("The troll on the bridge")
    card = table.card("It is Lin's turn")
    await expect(card).to_be_visible()
    order = table.page.get_by_role("region", name="Order")
    await expect(order.get_by_text("acts")).to_be_visible()
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text("The fight begins")).to_be_visible()

    await card.get_by_text("not now").click()
    await expect(card.get_by_text("Lin is not prone")).to_be_visible()

    await table.option(card, "Boost the aim")
    await expect(table.page.locator("[data-combatant=Lin] .budget")).to_contain_text(
        "Bonus action 1"
    )
    await expect(log).to_contain_text("Lin takes aim: +1 to hit")
    heard = table.page.get_by_role("log", name="What has just happened")
    await expect(heard).to_contain_text("Lin takes aim: +1 to hit (bonus action).")
    await expect(heard).not_to_contain_text("..")
    asked = card.locator(".option:focus")  # the focus follows to the next prompt
    await expect(asked).to_contain_text("Strike Troll with the sword")

    await expect(card.get_by_role("button", name="Strike Troll with the sword")).to_be_visible()
    await card.get_by_role("button", name="More choices: Attack", exact=True).click()
    form = card.locator("form.filling")
    strike = form.get_by_role("button", name="Strike Troll with the sword")
    await expect(strike).to_be_visible()
    await table.settled()  # a click just after a change does not count
    await form.get_by_role("button", name="Legs").click()
    chosen = re.compile(r"^Strike Troll with the sword \(legs\)$", re.IGNORECASE)
    await expect(form.locator("button.primary")).to_have_text(chosen)
    await form.get_by_role("button", name="What would happen?").click()
    await expect(form.get_by_text("One possible roll")).to_be_visible()


async def test_what_is_not_sent_is_not_shown_as_done(seat: Seat) -> None:
    """The page sends one request at a time. A second request fails with a message."""
    table = await seat()
    await table.begin("The troll on the bridge")
    first, second = await table.page.evaluate(
        """async () => {
          const { attempt } = await import(window.at + "play/act.js");
          const note = (text) => attempt("/notes", { text, private: false });
          return Promise.all([note("first"), note("second")]);
        }"""
    )
    assert first is None
    assert second["text"].startswith("What was sent before is still on its way.")
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text("first")).to_be_visible()
    await expect(log.get_by_text("second")).to_have_count(0)


async def test_the_rest_of_a_turn_stops_where_somebody_falls(seat: Seat) -> None:
    """One tap repeats the attack and ends the turn, unless the attack fells a combatant."""
    table = await seat()
    await table.begin("Bandits at the ford")
    x, y, _ = await where(table, "Bandit")
    beside = {"combatant": "Lin", "to": [x - 1, y, 0]}
    await table.told("/rulings", {"ruling": "move", "inputs": beside})
    for points, face in ((500, 2), (1, 19)):
        hale = {"combatant": "Bandit", "track": "hp", "value": points, "maximum": 500}
        await table.told("/rulings", {"ruling": "set-track", "inputs": hale})
        forced = {"combatant": "Lin", "purpose": "attack", "faces": [face]}
        await table.told("/rulings", {"ruling": "force-roll", "inputs": forced})
        lin = table.card("It is Lin's turn")
        again = lin.get_by_role("button", name=re.compile("^As last round"))
        if points > 1:
            await table.option(lin, "Strike Bandit with")
            for _ in range(6):
                await table.option(table.cards().first, "End the turn")
    await expect(again).to_have_text("As last round: strike Bandit with the sword, end the turn")
    await again.click()
    await expect(table.page.get_by_text("Stopped: Bandit has fallen.")).to_be_visible()
    await expect(lin).to_be_visible()  # the option may still act


async def test_a_walk_of_last_round_is_not_offered_again_but_the_blow_after_it(seat: Seat) -> None:
    """If a combatant has reached its foe, the repeated turn is the attack without the walk."""
    table = await seat()
    await table.begin("Bandits at the ford")
    hale = {"combatant": "Bandit", "track": "hp", "value": 500, "maximum": 500}
    await table.told("/rulings", {"ruling": "set-track", "inputs": hale})
    miss = {"combatant": "Lin", "purpose": "attack", "faces": [2]}  # other dice may ask more
    await table.told("/rulings", {"ruling": "force-roll", "inputs": miss})
    x, y, _ = await where(table, "Bandit")
    start, _, _ = await where(table, "Lin")
    await dragged(table, (start, y), (x - 1, y), drop=False)
    status = table.page.get_by_role("status", name="Move")
    await expect(status).to_contain_text("Nobody reacts.")
    before = await table.version()
    await table.page.mouse.up()
    await table.happened(before)
    assert await where(table, "Lin") == [x - 1, y, 0]
    await table.option(table.card("It is Lin's turn"), "Strike Bandit")
    for _ in range(6):
        await table.option(table.cards().first, "End the turn")
    await table.told("/rulings", {"ruling": "force-roll", "inputs": miss})
    await table.settled()
    lin = table.card("It is Lin's turn")
    again = lin.get_by_role("button", name=re.compile("^As last round"))
    await expect(again).to_have_text("As last round: strike Bandit with the sword, end the turn")
    await again.click()
    await expect(lin).to_have_count(0)
    await table.settled()
    acts = (await table.asked("/events?type=action-declared&limit=500"))["events"]
    assert [(act["data"]["who"], act["data"]["action"]) for act in acts][-2:] == [
        ("Lin", "attack"),
        ("Lin", "end-turn"),
    ]


async def test_a_way_out_of_the_fight_is_asked_once_more(seat: Seat) -> None:
    """A button that leaves the fight is away from "End the turn", and needs a confirmation."""
    table = await seat(width=390, height=844)
    await table.begin("Bandits at the ford")
    card = table.card("It is Lin's turn")
    end = await card.get_by_role("button", name="End the turn").bounding_box()
    assert end is not None
    for name in ("Give up…", "Flee…"):
        out = await card.get_by_role("button", name=name).bounding_box()
        assert out is not None
        beside = out["y"] < end["y"] + end["height"] and end["y"] < out["y"] + out["height"]
        assert not beside or out["x"] + out["width"] + 24 <= end["x"]
    before = await table.version()
    await card.get_by_role("button", name="Flee…").click()
    form = card.get_by_role("form", name="Flee")
    await expect(form).to_contain_text("Sure? Lin leaves the fight with it.")
    await form.get_by_role("button", name="Not this").click()
    await expect(form).to_have_count(0)
    assert await table.version() == before
    await card.get_by_role("button", name="Flee…").click()
    await form.get_by_role("button", name="Flee", exact=True).click()
    await table.happened(before)
    await expect(table.card("Lin wants to flee")).to_be_visible()


async def test_the_end_of_the_fight_beside_the_next_round_is_asked_once_more(seat: Seat) -> None:
    """With the option `rulings: ask`, the rulebook asks the GM after each round what follows."""
    table = await seat()
    rulebook = await (await table.page.request.get(f"{table.url}/v1/rulesets/vile-darkness")).json()
    party = next(party for party in rulebook["parties"] if party["name"] == "Two swords")
    fight = {
        "ruleset": "vile-darkness",
        "options": {**party["options"], "rulings": "ask"},
        "combatants": [{"sheet": sheet} for sheet in party["sheets"]],
    }
    opened = await (await table.page.request.post(f"{table.url}/v1/combats", data=fight)).json()
    await table.page.goto(f"{table.url}/#c={opened['combat']}&t={opened['token']}")
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    over = table.card("Round 1 is over. What follows?")
    for _ in range(20):
        await table.settled()
        if await over.count():
            break
        await table.step(Random(7))
    before = await table.version()
    await over.get_by_role("button", name="End combat").click()
    await expect(over.locator("form.filling")).to_contain_text("Sure? The fight ends with it.")
    await over.get_by_role("button", name="Not this").click()
    assert await table.version() == before
    await table.option(over, "Next round")
    await expect(table.page.locator(".topbar .status")).to_have_text("Round 2")
