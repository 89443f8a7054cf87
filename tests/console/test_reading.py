"""Test that axe finds no serious issue, and that no text is clipped."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.console.conftest import Seat

pytestmark = pytest.mark.browser

AXE = gzip.decompress((Path(__file__).parent / "axe" / "axe.min.js.gz").read_bytes()).decode()


COLOURS = "runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }"
"""Options of axe for the dark scheme, which changes only colours."""


async def violations(page: Page, only: str = "") -> list[Any]:
    """Return all violations in the light scheme, and violations by colours in the dark scheme."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    light = await page.evaluate(f"axe.run(document, {{ {only} resultTypes: ['violations'] }})")
    await page.emulate_media(color_scheme="dark")
    dark = await page.evaluate(f"axe.run(document, {{ {COLOURS}, resultTypes: ['violations'] }})")
    await page.emulate_media(color_scheme="light")
    every: list[Any] = [*light["violations"], *dark["violations"]]
    return every


async def serious(page: Page) -> list[Any]:
    """Return violations that axe calls serious or critical, by rule and place."""
    return [
        (violation["id"], [node["target"] for node in violation["nodes"]][:3])
        for violation in await violations(page)
        if violation["impact"] in ("serious", "critical")
    ]


@pytest.mark.sampled(0)
async def test_axe_finds_nothing_serious(seat: Seat) -> None:
    table = await seat()
    page = table.page
    await expect(page.get_by_role("button", name="Begin Bandits at the ford")).to_be_visible()
    assert await serious(page) == []
    await page.get_by_role("button", name="Change it first: Bandits at the ford").click()
    await page.get_by_role("button", name="Sheet", exact=True).first.click()
    await page.locator(".nested > summary").first.click()
    await page.locator(".sheet > .form > .rest > summary").click()
    assert await serious(page) == []
    await page.get_by_role("button", name="Back").click()
    await table.begin("Bandits at the ford")
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    card = table.card("It is Lin's turn")
    await card.locator(".option").filter(has_text="Move…").click()
    await card.get_by_text("not now").click()
    await page.get_by_role("button", name="More about Lin").click()
    await page.get_by_role("button", name="Damage", exact=True).click()
    await page.get_by_role("button", name="Add standing order").click()
    await page.get_by_role("button", name="The clock", exact=True).click()
    await page.get_by_role("region", name="Time").get_by_role("button", name="Compare").click()
    await expect(page.get_by_role("complementary", name="Comparison")).to_be_visible()
    assert await serious(page) == []
    ids = await page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    await page.get_by_role("button", name="Somebody joins").click()
    await page.get_by_role("button", name="Close the comparison").click()
    assert await serious(page) == []
    await page.get_by_role("button", name="Share").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await serious(page) == []
    await page.keyboard.press("Escape")
    await page.locator(".home").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_text("Not the present.")).to_be_visible()
    assert await serious(page) == []


async def test_axe_on_a_phone(seat: Seat) -> None:
    table = await seat(width=400)
    await table.begin("Bandits at the ford")
    for part in ("Act", "Fight", "Map", "Log"):
        parts = table.page.get_by_role("navigation", name="Parts")
        await parts.get_by_role("button", name=part).click()
        assert await serious(table.page) == []
        width = await table.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 400, part


async def test_by_keys_alone(seat: Seat) -> None:
    table = await seat()
    page = table.page
    await page.get_by_role("button", name="Begin The troll on the bridge").focus()
    await page.keyboard.press("Enter")
    await table.settled()
    await page.keyboard.press("j")
    before = await table.version()
    names = await table.cards().first.locator(".option").all_inner_texts()
    boost = next(at for at, name in enumerate(names) if name.startswith("Boost the aim")) + 1
    await page.keyboard.press(str(boost))
    await table.happened(before)
    await page.keyboard.press("u")
    await expect(page.get_by_text("Taken back", exact=False).first).to_be_visible()
    await page.keyboard.press("m")
    focused = await page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("Map")
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_text("(1, 0): Troll")).to_be_attached()
