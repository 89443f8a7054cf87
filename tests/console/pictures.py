"""Take pictures of the page in real fights, and measure its speed.

`python -m tests.console.pictures URL` writes docs/pictures and prints medians of a few visits. They
depend on the service and the machine.
"""

import asyncio
import sys
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from playwright.async_api import Browser, async_playwright

from service.http.console import assets
from tests.console.conftest import FLAGS, chromium
from tests.console.table import Table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


async def table(
    browser: Browser, url: str, at: str, width: int, height: int, dark: bool = False
) -> Table:
    """Open a page in a new window."""
    page = await browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    await page.goto(at)
    return Table(page, url)


async def link(gm: Table, name: str) -> str:
    """Create a link as the GM, and return it."""
    await gm.page.get_by_role("button", name="Share").click()
    window = gm.page.get_by_role("dialog")
    await window.wait_for()  # it opens after the click, and shows all earlier links
    links = window.locator(".fresh input")  # the newest comes first
    earlier = await links.count()
    await window.locator(".option").filter(has_text=name).click()
    await links.nth(earlier).wait_for()
    made = await links.first.input_value()
    await gm.page.keyboard.press("Escape")
    return made


async def pictures(browser: Browser, url: str) -> None:
    """Take pictures of the main views."""
    FOLDER.mkdir(exist_ok=True)
    gm = await table(browser, url, url, 1280, 800)
    await gm.page.get_by_role("button", name="Begin Bandits at the ford").wait_for()
    await gm.page.screenshot(path=FOLDER / "begin.png")
    await gm.begin("Bandits at the ford")
    chance = Random(7)
    for _ in range(16):
        await gm.step(chance)
    player = await link(gm, "Lin's player")
    screen = await link(gm, "A screen for everyone")
    await gm.page.evaluate("document.activeElement.blur()")
    await gm.page.screenshot(path=FOLDER / "table.png")
    phone = await table(browser, url, player, 400, 800, dark=True)
    await phone.settled()
    await phone.page.screenshot(path=FOLDER / "phone.png")
    wall = await table(browser, url, screen, 1280, 720, dark=True)
    await wall.page.locator(".says p").first.wait_for()
    await wall.page.screenshot(path=FOLDER / "screen.png")
    await gm.page.keyboard.press("ArrowLeft")
    await gm.page.get_by_text("Not the present.").wait_for()
    await gm.page.screenshot(path=FOLDER / "past.png")
    await gm.page.keyboard.press("End")
    ribbon = gm.page.get_by_role("region", name="Time")
    await ribbon.get_by_role("button", name="Compare").click()
    for _ in range(4):
        await ribbon.get_by_role("slider", name="First moment").press("ArrowLeft")
    await gm.page.wait_for_timeout(1000)
    await gm.page.screenshot(path=FOLDER / "compared.png")
    setup = await table(browser, url, url, 1000, 800)
    await setup.page.get_by_role("button", name="Change it first: The shrine").click()
    await setup.page.get_by_role("button", name="Sheet", exact=True).first.click()
    await setup.page.locator(".nested > summary").first.click()
    await setup.page.screenshot(path=FOLDER / "sheet.png")


async def figures(browser: Browser, url: str) -> None:
    """Measure the time to the first useful content, and from a click to its result."""
    first, usable, answered, loaded = [], [], [], []
    for _ in range(5):
        context = await browser.new_context()
        page = await context.new_page()
        page.set_default_timeout(20_000)
        begun = perf_counter()
        await page.goto(url)
        await page.get_by_role("button", name="Begin Bandits at the ford").wait_for()
        usable.append(perf_counter() - begun)
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
        first.append(await page.evaluate(paint))
        sent = "performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)"
        loaded.append(await page.evaluate(sent))
        seat = Table(page, url)
        await seat.begin("The troll on the bridge")
        for name in ("Boost the aim", "Boost the dodge"):
            card = seat.card("It is Lin's turn")
            before = await seat.version()
            begun = perf_counter()
            await card.locator(".option").filter(has_text=name).click()
            await seat.happened(before)
            answered.append(perf_counter() - begun)
        await context.close()
    weight = sum(len(asset.compressed) for asset in assets().values())
    print(f"weight, compressed: {weight / 1000:.0f} kB in {len(assets())} files")
    print(f"over the network until a ready fight can be begun: {median(loaded) / 1000:.0f} kB")
    print(f"first paint: {median(first):.2f} s")
    print(f"until a ready fight can be begun: {median(usable):.2f} s")
    print(f"from an answer to what came of it, new options included: {median(answered):.2f} s")


async def main(url: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        await pictures(browser, url)
        await figures(browser, url)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1].rstrip("/")))
