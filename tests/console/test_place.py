"""Test that a device remembers the GM's token, and that a reload keeps half-filled forms."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

AMBUSH = "Bandits at the ford"


async def test_a_gm_who_closes_the_tab_still_has_the_fight(seat: Seat) -> None:
    """A new tab opens the fight as the GM, from the first page or from the fight's address."""
    gm = await seat()
    await gm.begin(AMBUSH)
    combat, context = gm.combat, gm.page.context
    await gm.page.close()
    page = await context.new_page()
    await page.goto(gm.url)
    fights = page.get_by_role("region", name="Your fights on this device")
    fight = fights.get_by_role("button", name=re.compile(f"^{AMBUSH}"))
    await expect(fight).to_contain_text(re.compile(r"\d{4}.* · round 1 · GM"))
    await fight.click()
    await expect(page.get_by_role("button", name="End…")).to_be_visible()  # the GM's
    assert combat in page.url
    other = await context.new_page()
    await other.goto(f"{gm.url}/#c={combat}")
    await expect(Table(other, gm.url).card("It is Lin's turn")).to_be_visible()
    await other.close()
    await page.evaluate("localStorage.clear()")
    await page.close()


@pytest.mark.sampled(0)
async def test_the_gm_keeps_the_place_beside_a_players_link(seat: Seat) -> None:
    """If the GM's device opens a player's link, the device still keeps the GM's token."""
    gm = await seat()
    await gm.begin(AMBUSH)
    combat = gm.combat
    token = await gm.invited({"role": "player", "label": "Lin", "combatants": ["Lin"]})
    trial = await gm.page.context.new_page()
    await trial.goto(f"{gm.url}/#c={combat}&t={token}")
    await expect(trial.locator(".role")).to_have_text("player")
    await trial.wait_for_function("localStorage.getItem('affray-kept').includes('\"Lin\"')")
    await trial.close()
    again = await gm.page.context.new_page()
    await again.goto(f"{gm.url}/#c={combat}")
    await expect(again.locator(".role")).to_have_text("GM")
    await again.close()
    await gm.page.locator(".home").click()
    places = gm.page.locator(".shelf li")
    await expect(places.filter(has_text="round 1 · GM")).to_have_count(1)
    await expect(places.filter(has_text="round 1 · Lin")).to_have_count(1)


async def test_forgetting_asks_and_can_be_undone(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(AMBUSH)
    await gm.page.locator(".home").click()
    fight = gm.page.locator(".shelf").get_by_role("button", name=re.compile(f"^{AMBUSH}"))
    forget = gm.page.get_by_role("button", name=f"Forget {AMBUSH}")
    sure = gm.page.get_by_role("dialog", name="Forget this fight?")
    await forget.click()
    await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    await gm.page.keyboard.press("Escape")
    await expect(sure).to_have_count(0)
    await expect(fight).to_be_visible()
    await forget.click()
    await sure.get_by_role("button", name=f"Forget {AMBUSH}").click()
    await expect(fight).to_have_count(0)
    assert await gm.page.evaluate("localStorage.getItem('affray-kept')") == "[]"
    await gm.page.get_by_role("button", name=f"Undo: keep {AMBUSH}").click()
    await fight.click()
    await expect(gm.card("It is Lin's turn")).to_be_visible()


async def test_a_fight_that_is_here_already_is_imported_as_a_copy(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(AMBUSH)
    combat = gm.combat
    await gm.page.get_by_role("button", name="Dice proof").click()
    async with gm.page.expect_download() as saving:
        await gm.page.get_by_role("button", name="Export the fight").click()
    file = await (await saving.value).path()
    await gm.page.keyboard.press("Escape")
    await gm.page.locator(".home").click()
    await gm.page.locator(".drop input").set_input_files(file)
    await expect(gm.page.get_by_text("This fight is here already.")).to_be_visible()
    await gm.page.get_by_role("button", name="Import as a copy").click()
    await expect(gm.card("It is Lin's turn")).to_be_visible()
    assert gm.combat != combat


@pytest.mark.sampled(0)
async def test_a_reload_keeps_forms_that_are_half_filled(seat: Seat) -> None:
    gm = await seat()
    page = gm.page
    await page.get_by_role("button", name=f"Change it first: {AMBUSH}").click()
    await page.get_by_label("Name", exact=True).nth(1).fill("Linnea")
    await page.reload()
    await expect(page.get_by_label("Name", exact=True).nth(1)).to_have_value("Linnea")
    await page.get_by_role("button", name="Begin", exact=True).click()
    await gm.settled()

    card = gm.card("It is Linnea's turn")
    await card.locator(".option").filter(has_text="Act later this round").click()
    await card.locator("form.filling").get_by_role("button", name="Bandit 2", exact=True).click()
    await page.get_by_label("A note for the log").fill("the ford is deep")
    rule = page.get_by_role("region", name="Rule")
    await rule.get_by_role("button", name="Damage", exact=True).click()
    form = page.get_by_role("form", name="Ruling: Damage")
    await form.get_by_role("button", name="Bandit", exact=True).click()
    await form.get_by_label("Reason").fill("fell into the water")
    await page.reload()
    await gm.settled()
    chosen = card.locator("form.filling").get_by_role("button", name="Bandit 2", exact=True)
    await expect(chosen).to_have_attribute("aria-pressed", "true")
    await expect(page.get_by_label("A note for the log")).to_have_value("the ford is deep")
    await expect(form.get_by_label("Reason")).to_have_value("fell into the water")
    target = form.get_by_role("button", name="Bandit", exact=True)
    await expect(target).to_have_attribute("aria-pressed", "true")
    before = await gm.version()
    await page.get_by_role("button", name="Write", exact=True).click()
    await gm.happened(before)
    await page.reload()
    await expect(page.get_by_label("A note for the log")).to_have_value("")  # no draft of a note
