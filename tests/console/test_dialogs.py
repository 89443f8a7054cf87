"""Every dialog and the set-up, in both colour schemes: axe finds nothing."""

import pytest
from playwright.async_api import Page

from tests.console.conftest import Seat
from tests.console.test_reading import AXE

pytestmark = pytest.mark.browser

CELLAR = "Goblins in the cellar"


async def faults(page: Page) -> list[str]:
    """What axe finds by the rules of WCAG 2.2 A and AA, with the place."""
    await page.evaluate(AXE)
    tags = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']"
    options = f"{{ runOnly: {tags}, resultTypes: ['violations'] }}"
    found = await page.evaluate(f"axe.run(document, {options})")
    return [
        f"{one['id']}: {node['target']} {node['html'][:120]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_any_dialog(seat: Seat, scheme: str) -> None:
    table = await seat(scheme=scheme)
    page = table.page
    found: dict[str, list[str]] = {"first page": await faults(page)}
    await page.get_by_role("button", name=f"Change it first: {CELLAR}").click()
    await page.get_by_role("button", name="Sheet", exact=True).first.click()
    found["set-up"] = await faults(page)
    await page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()
    for name in ("Share", "Dice proof", "Keys", "End…"):
        await page.get_by_role("button", name=name, exact=True).click()
        await page.locator("dialog[open]").wait_for()
        if name == "Share":
            await page.locator("dialog .option").first.click()
            await page.locator(".qr").wait_for()
            found[name] = await faults(page)
            await page.get_by_role("button", name="Revoke GM").click()
            found["Revoke"] = await faults(page)
            await page.keyboard.press("Escape")
        elif name == "Dice proof":
            await page.get_by_role("button", name="Reveal the seed…").click()
            found["Reveal"] = await faults(page)
            await page.keyboard.press("Escape")
        found[name] = await faults(page)
        await page.keyboard.press("Escape")
    await page.locator("[data-combatant=Ana] .pool.health").click()
    await page.locator("#quick-hp").fill("-3")
    found["Picked"] = await faults(page)
    await page.get_by_role("button", name="Why: Ana 30").click()
    await page.locator("dialog[open]").wait_for()
    found["Why"] = await faults(page)
    await page.keyboard.press("Escape")
    await table.end()
    await page.get_by_role("region", name="Summary").wait_for()
    found["Summary"] = await faults(page)
    assert {place: texts for place, texts in found.items() if texts} == {}
