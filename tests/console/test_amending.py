"""Test amendments at the page, from the report to the undo, and the requests of players."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

BRIDGE = "The troll on the bridge"


def entry(table: Table, text: str) -> Locator:
    """Return the command of the log with this text."""
    return table.page.locator(".command:not(.undone)").filter(has_text=text).first


async def asks(table: Table, text: str, button: str) -> Locator:
    """Open a line of the log, and click a button in its menu."""
    line = entry(table, text).locator(".told").first
    menu = entry(table, text).locator(".moment")
    await expect(menu).to_be_hidden()  # it covers no other line
    await line.click()
    above, below = await line.bounding_box(), await menu.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] >= above["y"] + above["height"]
    await entry(table, text).get_by_role("button", name=button).click()
    return table.page.get_by_role("dialog")


async def boosted(seat: Seat) -> Table:
    """Open a fight in which Lin has bought +1 to hit and ended the turn."""
    table = await seat()
    await table.begin(BRIDGE)
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    await table.option(table.card("It is Lin's turn"), "End")
    return table


async def test_a_command_is_dropped_and_put_back_by_one_undo(seat: Seat) -> None:
    table = await boosted(seat)
    page = table.page
    window = await asks(table, "+1 to hit", "Change this")
    await window.get_by_role("button", name="Not at all").click()
    await window.get_by_role("button", name="What would have happened?").click()
    report = window.get_by_role("region", name="What would be")
    await expect(report).to_contain_text("Not given")
    await expect(report).to_contain_text("1 deed stays as before")
    await expect(report.locator(".difference")).to_contain_text(re.compile("hit boost", re.I))
    before = await table.version()
    await window.get_by_label("Reason").fill("it was no bonus action")
    await expect(report).not_to_contain_text(re.compile("command|report", re.I))
    await window.get_by_role("button", name="Apply").click()
    await table.happened(before)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_text("The past is changed.")).to_be_visible()
    lin = page.locator("[data-combatant=Lin]")
    await expect(lin).not_to_contain_text("Hit boost")
    before = await table.version()
    await page.get_by_role("button", name="Undo that").click()
    await table.happened(before)
    await expect(lin).to_contain_text("Hit boost")
    log = page.get_by_role("region", name="Log")
    await expect(log.get_by_text(re.compile("^The GM leaves out “Lin takes aim"))).to_be_visible()
    await expect(log).not_to_contain_text(re.compile("version|amendment sets"))
    amended = (await table.asked("/events?type=reverted"))["events"][0]
    assert amended["data"]["reason"] == "it was no bonus action"


async def test_what_if_stores_nothing_and_may_become_a_change(seat: Seat) -> None:
    table = await boosted(seat)
    before = await table.version()
    window = await asks(table, "+1 to hit", "What if")
    await window.get_by_role("button", name="Something else").click()
    await window.get_by_label("Instead").select_option(label="+1 to dodge")
    await window.get_by_role("button", name="What would have happened?").click()
    report = window.get_by_role("region", name="What would be")
    await expect(report.locator(".amended.different").first).to_contain_text("now:")
    await expect(window.get_by_role("button", name="Apply")).to_have_count(0)
    assert await table.version() == before
    assert (await table.asked(""))["version"] == before
    await window.get_by_role("button", name="Make it so").click()
    await expect(table.page.get_by_role("button", name="Apply")).to_be_visible()


@pytest.mark.sampled(0)
async def test_a_ruling_is_put_before_a_command(seat: Seat) -> None:
    table = await boosted(seat)
    window = await asks(table, "Lin ends the turn", "Change this")
    await window.get_by_role("button", name="A ruling before it").click()
    await window.get_by_label("Ruling").select_option(label="Damage")
    await window.get_by_role("group", name="Combatant").get_by_role("button", name="Troll").click()
    await window.get_by_role("spinbutton", name="Amount").fill("4")
    await window.get_by_role("button", name="What would have happened?").click()
    report = window.get_by_role("region", name="What would be")
    await expect(report.locator(".amended.added")).to_contain_text("17 → 13")
    await expect(report.locator(".difference")).to_contain_text("Troll")


@pytest.mark.sampled(0)
async def test_a_new_prompt_is_answered_in_the_report(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    await table.option(table.card("It is Lin's turn"), "End")
    await table.option(table.card("It is Troll's turn"), "End")
    window = await asks(table, "Lin ends the turn", "Change this")
    await window.get_by_role("button", name="Not at all").click()
    await window.get_by_role("button", name="What would have happened?").click()
    report = window.get_by_role("region", name="What would be")
    needed = report.get_by_role("group", name="New questions")
    await expect(needed).to_contain_text("It is Lin's turn")
    await expect(window.get_by_role("button", name="Apply")).to_be_visible()
    await needed.get_by_role("button", name="End turn").click()
    await expect(report.locator(".amended.same, .amended.not-asked").first).to_be_visible()
    await expect(needed).to_have_count(0)


@pytest.mark.sampled(0)
async def test_a_player_asks_and_the_gm_settles(seat: Seat) -> None:
    table = await boosted(seat)
    token = await table.invited({"role": "player", "combatants": ["Lin"], "label": "Lin's player"})
    player = await seat(f"/#c={table.combat}&t={token}")
    await player.settled()
    ask = player.page.get_by_role("region", name="Ask the GM")
    await ask.get_by_text("Ask the GM", exact=True).click()
    await ask.get_by_label("Words for the GM").fill("I meant to strike")
    await ask.get_by_role("button", name="Undo").click()
    await expect(ask).to_contain_text("Waiting for the GM: undo")
    card = table.page.get_by_role("article", name="Request of Lin")
    await expect(card).to_contain_text("I meant to strike")
    before = await table.version()
    await card.get_by_label("Answer").fill("this once")
    await card.get_by_role("button", name="Take it back").click()
    await table.happened(before)
    await expect(card).to_have_count(0)
    await expect(ask).not_to_contain_text("Waiting")
    await expect(player.page.locator(".log")).to_contain_text(re.compile("this once"))
    await expect(table.card("It is Lin's turn")).to_be_visible()
    await ask.locator("summary").click()  # the form closed after the request
    await ask.get_by_role("button", name="Pause").click()
    before = await table.version()
    await card.get_by_role("button", name="Decline").click()
    await table.happened(before)
    await expect(card).to_have_count(0)


async def test_an_undo_after_others_have_played_is_settled_in_one_more_tap(seat: Seat) -> None:
    table = await boosted(seat)
    token = await table.invited({"role": "player", "combatants": ["Lin"], "label": "Lin's player"})
    hurt = {"ruling": "damage", "inputs": {"combatant": "Troll", "amount": 1}}
    await table.told("/rulings", hurt)
    await table.told("/requests", {"combatant": "Lin", "kind": "undo"}, token)
    card = table.page.get_by_role("article", name="Request of Lin")
    await expect(card.locator(".deed")).to_have_text("Lin ends the turn.")
    await card.get_by_role("button", name="Take it back").click()
    await expect(card.get_by_role("alert")).to_have_text("Others have played since that deed.")
    await card.get_by_role("button", name="Change only that deed…").click()
    window = table.page.get_by_role("dialog")
    await expect(window.get_by_role("button", name="Not at all")).to_be_visible()
    await table.page.keyboard.press("Escape")
    await card.get_by_role("button", name="Take back all since then").click()
    await expect(card).to_have_count(0)
    await expect(table.card("It is Lin's turn")).to_be_visible()
    damaged = (await table.asked("/events?type=damaged"))["events"]
    assert not [event for event in damaged if not event["undone"]]


@pytest.mark.sampled(0)
async def test_a_player_asks_what_if_and_learns_no_roll(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    token = await table.invited({"role": "player", "combatants": ["Lin"]})
    player = await seat(f"/#c={table.combat}&t={token}")
    await player.settled()
    before = await player.version()
    await player.page.get_by_role("button", name="What if…").click()
    window = player.page.get_by_role("dialog")
    await window.get_by_label("First").select_option(label="Lin: Boost the aim")
    await window.get_by_role("button", name="What would happen?").click()
    seen = window.get_by_role("region", name="What would be")
    await expect(seen).to_contain_text("Lin takes aim")
    await window.get_by_label("Then").select_option(label="Lin: Strike Troll with the sword")
    await window.get_by_role("button", name="And then?").click()
    await expect(seen).to_contain_text("depends on something that you do not know")
    assert await player.version() == before


async def test_the_gm_tries_what_comes_next(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    before = await table.version()
    await table.page.get_by_role("button", name="What if…").click()
    window = table.page.get_by_role("dialog")
    await window.get_by_label("First").select_option(label="Lin: End the turn")
    await window.get_by_role("button", name="What would happen?").click()
    seen = window.get_by_role("region", name="What would be")
    await expect(seen.locator(".amended.added")).to_contain_text("Lin ends the turn")
    assert await table.version() == before


@pytest.mark.sampled(0)
async def test_every_number_of_an_event_leads_to_its_sources(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    rolled = table.page.locator(".line.rolled").first
    await rolled.locator(".told").click()
    await rolled.get_by_role("button", name="Why?").click()
    window = table.page.get_by_role("dialog")
    await expect(window.get_by_role("region", name="The number")).to_contain_text("1d20")
    target = window.get_by_role("region", name="The target number")
    await expect(target.locator("tr.total")).to_be_visible()
    rules = window.get_by_role("region", name="Rules")
    await expect(rules.get_by_role("listitem").filter(has_text="hit boost")).to_contain_text(
        "for +"
    )
    numbers = window.get_by_role("region", name="The number")
    await expect(numbers.locator("tr:not(.absent) .hint")).to_have_count(0)  # rules are below, once
    await expect(window.get_by_role("region", name="What led to it")).to_contain_text("Lin")


@pytest.mark.sampled(0)
async def test_a_branch_beside_the_present_and_the_whole_verified(seat: Seat) -> None:
    table = await boosted(seat)
    page = table.page
    before = await table.version()
    await page.get_by_role("button", name="Take back").click()
    await table.happened(before)
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    await page.get_by_role("button", name="Beside the present").click()
    window = page.get_by_role("dialog")
    await expect(window.get_by_role("region", name="Taken back")).to_contain_text("ends the turn")
    await expect(window.get_by_role("region", name="Now")).to_contain_text("Lin takes aim")
    await window.get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Dice proof").click()
    await page.get_by_role("button", name="Verify", exact=True).click()
    await expect(page.locator(".verified")).to_contain_text("Sound: nobody has changed")
