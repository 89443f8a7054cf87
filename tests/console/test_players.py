"""Test a player's phone: the code to join, the sheet, the dice and requests to the GM."""

import re

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat
from tests.console.test_table import invited

pytestmark = pytest.mark.browser

CELLAR = "Goblins in the cellar"
BRIDGE = "The troll on the bridge"


async def test_a_link_comes_with_a_code_for_cameras(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(CELLAR)
    await gm.page.get_by_role("button", name="Share").click()
    window = gm.page.get_by_role("dialog")
    await window.locator(".option").filter(has_text="Ana's player").click()
    code = window.get_by_role("img", name="Code for a camera: the link for Ana's player")
    side = int((await code.get_attribute("viewBox") or "").split()[2])
    link = await window.locator(".fresh input").input_value()
    drawn = await code.locator(".dark").get_attribute("d") or ""
    squares = await gm.page.evaluate(
        """async (link) => {
          const { encode } = await import(window.at + "vendor/uqr.js");
          return encode(link, { border: 2 }).data.flat().filter(Boolean).length;
        }""",
        link,
    )
    assert side > 30
    assert drawn.count("M") == squares
    await expect(window.get_by_text("This address works on this machine only.")).to_be_visible()


async def test_a_player_reads_the_own_sheet_and_keeps_a_plan(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(CELLAR)
    ana = await seat(await invited(gm, "Ana's player"), width=390, height=844)
    await ana.page.get_by_role("button", name="Menu").click()
    await ana.page.get_by_role("button", name="My sheet").click()
    sheet = ana.page.get_by_role("region", name="Sheet of Ana")
    await expect(ana.page.get_by_role("dialog")).to_contain_text("30 of 30")
    await expect(ana.page.get_by_role("group", name="Your hit points")).to_have_text("30/30")
    for text in ("Touch AC", "Fortitude 5", "sword", "1d8"):
        await expect(sheet).to_contain_text(text)
    plan = ana.page.get_by_label("Your plan, seen by nobody else")
    await plan.fill("Guard the stairs")
    await ana.page.reload()
    await ana.page.get_by_role("button", name="Menu").click()
    menu = ana.page.get_by_role("navigation", name="Fight")
    await expect(menu).to_be_visible()
    await ana.page.get_by_role("region", name="Result").click()  # a touch elsewhere folds it
    await expect(menu).to_be_hidden()
    await ana.page.get_by_role("button", name="Menu").click()
    await ana.page.get_by_role("button", name="My sheet").click()
    await expect(plan).to_be_visible()
    await expect(plan).to_have_value("Guard the stairs")
    await ana.page.keyboard.press("Escape")


async def test_everybody_sees_who_is_here_and_who_is_asked(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(CELLAR)
    link = await invited(gm, "Ana's player")
    players = gm.page.get_by_role("list", name="Players").get_by_role("listitem")
    await expect(players).to_have_text(re.compile("Ana's player.*away"))
    ana = await seat(link, width=390, height=844)
    await expect(players).to_have_text(re.compile("Ana's player(asked|here)"))
    await ana.page.close()
    await expect(players).to_have_text(re.compile("Ana's player.*away"))


async def test_the_service_rolls_for_a_player_who_asks(seat: Seat) -> None:
    table = await seat()
    await table.page.get_by_role("button", name=f"Change it first: {BRIDGE}").click()
    await (
        table.page.get_by_role("group", name="The players' dice")
        .get_by_text("Rolled by hand")
        .click()
    )
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    before = await table.version()
    await table.card("rolls 1d20").get_by_role("button", name="Roll for me").click()
    await table.happened(before)
    rolled = (await table.asked("/events?type=rolled"))["events"]
    assert [event["data"].get("by", "server") for event in rolled] == ["server"]


async def test_the_seed_is_revealed_only_after_a_question(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(CELLAR)
    published = (await gm.asked(""))["commitment"]
    await gm.page.get_by_role("button", name="Dice proof").click()
    await gm.page.get_by_role("button", name="Reveal the seed…").click()
    sure = gm.page.get_by_role("dialog", name="Reveal the seed?")
    await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    await sure.get_by_role("button", name="Reveal the seed").click()
    await expect(gm.page.locator("dl.proof dd").first).not_to_have_text(published)
    assert (await gm.asked("")).get("seed") is None


async def test_a_request_folds_its_drawer_and_a_pause_stays_in_sight(seat: Seat) -> None:
    """A sent request closes its form on the phone. The GM sees a pause until the pause ends."""
    gm = await seat()
    await gm.begin("Bandits at the ford")
    lin = await seat(await invited(gm, "Lin's player"), width=390, height=844)
    ask = lin.page.locator(".cards").get_by_role("region", name="Ask the GM")
    await ask.locator("summary").click()
    await ask.get_by_role("button", name="Pause").click()
    await expect(ask.get_by_role("button", name="Pause")).to_be_hidden()
    await (
        gm.page.get_by_role("article", name="Request of Lin")
        .get_by_role("button", name="Pause")
        .click()
    )
    await expect(gm.page.locator(".paused")).to_contain_text("Paused")
    await expect(lin.page.locator(".paused")).to_have_text("Paused")  # without the GM's button
    await gm.page.get_by_role("button", name="Go on").click()
    for table in (gm, lin):
        await expect(table.page.locator(".paused")).to_have_count(0)
    assert not (await gm.asked("")).get("deadlines", {}).get("stopped")


async def test_a_sheet_tells_the_parts_of_a_turn_by_their_names(seat: Seat) -> None:
    gm = await seat()
    await gm.begin("Bandits at the ford")
    await gm.page.get_by_role("button", name="More about Mara").click()
    sheet = gm.page.get_by_role("region", name="Sheet of Mara").first
    await expect(sheet).to_contain_text("cast time attack action")
    text = await sheet.inner_text()
    for raw in ("aa 1", "mp cost", "amount", "kind melee", "drawn"):
        assert raw not in text
    labels = await sheet.locator("dt").all_inner_texts()
    assert len(labels) == len({*labels})
