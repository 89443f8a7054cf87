"""Test changes without a form, such as hit points, conditions and undo."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

CELLAR = "Goblins in the cellar"


def health(table: Table, who: str) -> Locator:
    """Return the hit points of a combatant in the order."""
    return table.page.locator(f"[data-combatant='{who}'] .pool.health")


async def test_click_hit_points_and_type_a_number(seat: Seat) -> None:
    table = await seat()
    await table.begin(CELLAR)
    page, before = table.page, await table.version()
    await health(table, "Ana").click()
    await expect(page.locator("#quick-hp")).to_be_focused()
    await page.keyboard.type("-7")
    await expect(page.get_by_role("button", name="Why: Ana 30")).to_contain_text("30 → 23")
    await page.keyboard.press("Enter")
    await table.happened(before)
    await expect(health(table, "Ana")).to_contain_text("23/30")
    before = await table.version()
    await page.keyboard.type("+2")
    await page.keyboard.press("Enter")
    await table.happened(before)
    await expect(health(table, "Ana")).to_contain_text("25/30")
    before = await table.version()
    await page.keyboard.type("=12")
    await page.keyboard.press("Enter")
    await table.happened(before)
    await expect(health(table, "Ana")).to_contain_text("12/30")
    await expect(page.get_by_role("region", name="Sheet of Ana").first).to_contain_text("Touch AC")
    await expect(page.get_by_role("region", name="Sheet of Ana").first).to_contain_text("Will 2")


async def test_one_number_for_several_is_one_command(seat: Seat) -> None:
    table = await seat()
    await table.begin(CELLAR)
    page, before = table.page, await table.version()
    for who in ("Ana", "Brand", "Ilse"):
        await page.locator(f"[data-combatant={who}] .name").click(modifiers=["Shift"])
    await page.keyboard.press("h")
    await page.keyboard.type("-8")
    await page.get_by_role("button", name="half for Brand").click()
    await page.get_by_role("button", name="none for Ilse").click()
    await page.get_by_role("button", name="Harm", exact=True).click()
    await table.happened(before)
    await expect(health(table, "Ana")).to_contain_text("22/30")
    await expect(health(table, "Brand")).to_contain_text("22/26")
    await expect(health(table, "Ilse")).to_contain_text("18/18")
    await page.locator(".quick h2").click()
    before = await table.version()
    await page.keyboard.press("Control+z")
    await table.happened(before)
    await expect(health(table, "Ana")).to_contain_text("30/30")
    await expect(health(table, "Brand")).to_contain_text("26/26")


async def test_a_click_picks_one_and_more_only_when_asked(seat: Seat) -> None:
    """The button `+ more` lets a person without a Shift key select several combatants."""
    table = await seat()
    await table.begin(CELLAR)
    page = table.page
    picked = page.locator(".order .name[aria-pressed=true]")
    for who in ("Ana", "Brand"):
        await page.locator(f"[data-combatant={who}] .name").click()
        await expect(picked).to_have_text([re.compile(who)])
    await page.get_by_role("button", name="+ more").click()
    await page.locator("[data-combatant=Ilse] .name").click()
    await expect(picked).to_have_count(2)
    await health(table, "Ana").click()
    await expect(picked).to_have_count(3)
    await page.get_by_role("button", name="Pick nobody").click()
    await page.locator("[data-combatant=Ana] .name").click()
    await health(table, "Brand").click()
    await expect(picked).to_have_text([re.compile("Brand")])


async def test_a_condition_and_hiding_take_one_click(seat: Seat) -> None:
    table = await seat()
    await table.begin(CELLAR)
    page = table.page
    await page.locator("[data-combatant=Goblin-3] .name").click()
    picked = page.get_by_role("region", name="Picked")
    goblin = page.locator("[data-combatant=Goblin-3]")
    for shown in (1, 0):
        before = await table.version()
        await picked.get_by_role("button", name="Prone", exact=True).click()
        await table.happened(before)
        await expect(goblin.locator(".condition")).to_have_count(shown)
    before = await table.version()
    await picked.get_by_role("button", name="Hide", exact=True).click()
    await table.happened(before)
    await expect(goblin.locator(".tag", has_text="hidden")).to_be_visible()
    before = await table.version()
    await page.keyboard.press("v")
    await table.happened(before)
    await expect(goblin.locator(".tag", has_text="hidden")).to_have_count(0)


async def test_a_ruling_is_found_by_the_words_of_a_gm(seat: Seat) -> None:
    """Frequent rulings come first. The GM finds others by words for their effect."""
    table = await seat()
    await table.begin(CELLAR)
    rule = table.page.get_by_role("region", name="Rule")
    for name in ("Set Hit points, or another pool", "Hide or reveal"):
        await expect(rule.get_by_role("button", name=name)).to_be_visible()
    await rule.get_by_label("Find a ruling").fill("initiative")
    await expect(rule.locator(".option")).to_have_text(["Set the order of turns"])
    await rule.get_by_label("Find a ruling").fill("reveal")
    await expect(rule.locator(".option")).to_have_text(["Hide or reveal"])
