"""Test the list of fights on the device, with buttons that delete or copy a fight."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat, Watch

pytestmark = pytest.mark.browser

AMBUSH = "Bandits at the ford"


async def test_deleting_a_fight_that_is_over_asks_first(seat: Seat) -> None:
    """The GM can delete an ended fight from the service and from the list. Players cannot."""
    gm = await seat()
    page = gm.page
    await gm.begin(AMBUSH)
    delete = page.get_by_role("button", name="Delete fight", exact=True)
    await expect(delete).to_have_count(0)
    await gm.end()
    player = await seat(f"/#c={gm.combat}&t={await gm.invited({'role': 'player', 'label': 'Lin'})}")
    await expect(player.page.get_by_role("heading", name="The fight is over")).to_be_visible()
    await expect(player.page.get_by_role("button", name="Delete fight")).to_have_count(0)
    await player.page.close()
    url = f"{gm.url}/v1/combats/{gm.combat}"
    headers = {"Authorization": f"Bearer {await gm.token()}"}
    sure = page.get_by_role("dialog", name="Delete this fight?")
    await delete.click()
    await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(sure).to_have_count(0)
    assert (await page.request.get(url, headers=headers)).status == 200
    await delete.click()
    await sure.get_by_role("button", name=f"Delete {AMBUSH}").click()
    await expect(page.get_by_role("heading", name="A new fight")).to_be_visible()
    await expect(page.get_by_role("button", name=re.compile(AMBUSH + r".*over"))).to_have_count(0)
    assert await page.evaluate("localStorage.getItem('affray-kept')") == "[]"
    assert (await page.request.get(url, headers=headers)).status == 404


async def test_a_fight_of_the_gm_is_copied(seat: Seat) -> None:
    """The copy has the same past and a new GM token. Only the GM can make a copy."""
    gm = await seat()
    page = gm.page
    await gm.begin(AMBUSH)
    await gm.option(gm.card("It is Lin's turn"), "End the turn")
    combat, version = gm.combat, (await gm.asked(""))["version"]
    token = await gm.invited({"role": "player", "label": "Lin", "combatants": ["Lin"]})
    player = await page.context.new_page()
    await player.goto(f"{gm.url}/#c={combat}&t={token}")
    await expect(player.locator(".role")).to_have_text("player")
    await player.close()
    await page.locator(".home").click()
    places = page.locator(".shelf li")
    await expect(places).to_have_count(2)
    await page.get_by_role("button", name=f"Copy {AMBUSH}", exact=True).click()
    await gm.settled()
    assert gm.combat != combat
    await expect(page.locator(".role")).to_have_text("GM")
    await expect(page.get_by_role("heading", name=f"{AMBUSH} (copy)")).to_be_visible()
    board = await gm.asked("")
    assert board["forked_from"] == {"combat": combat, "version": version}
    await page.locator(".home").click()
    await expect(places).to_have_count(3)


async def test_a_copy_of_a_fight_that_is_gone_says_why(seat: Seat, watch: Watch) -> None:
    """The row with the message fits a phone."""
    watch.quiet.append("status of 404")
    gm = await seat(width=400)
    page = gm.page
    await gm.begin(AMBUSH)
    url = f"{gm.url}/v1/combats/{gm.combat}"
    headers = {"Authorization": f"Bearer {await gm.token()}"}
    await page.locator(".home").click()
    copy = page.get_by_role("button", name=f"Copy {AMBUSH}", exact=True)
    await expect(copy).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (await page.request.delete(url, headers=headers)).ok
    await copy.click()
    await expect(page.locator("#page").get_by_role("alert")).to_be_visible()
    await expect(copy).to_have_attribute("aria-disabled", "false")


async def test_a_fight_is_put_together_from_nothing(seat: Seat) -> None:
    """The set-up offers the sheets of ready fights, and an empty sheet with its required fields."""
    table = await seat()
    page = table.page
    await page.get_by_role("button", name="Put it together: Quest").click()
    await page.get_by_label("Name", exact=True).fill("At the mill")
    add = page.get_by_role("button", name="Add somebody")
    for model in ("Lin (The troll on the bridge)", "Troll (The troll on the bridge)"):
        await page.get_by_label("Like").select_option(label=f"like {model}")
        await add.click()
    await page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()
    await expect(table.card("It is Lin's turn")).to_be_visible()
    assert (await table.asked(""))["name"] == "At the mill"
