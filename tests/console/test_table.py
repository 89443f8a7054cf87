"""Test several browsers at one table, each with the rights of its reader."""

import asyncio
import re

import pytest
from playwright.async_api import Route, expect

from tests.console.conftest import Seat, Watch
from tests.console.table import Table
from tests.server import Server

pytestmark = pytest.mark.browser

AMBUSH = "Bandits at the ford"


async def invited(gm: Table, label: str) -> str:
    """Create a link as the GM, and return it."""
    await gm.page.get_by_role("button", name="Share").click()
    window = gm.page.get_by_role("dialog")
    await window.wait_for()  # it opens after the click, and shows all earlier links
    links = window.locator(".fresh input")  # the newest comes first
    earlier = await links.count()
    await window.locator(".option").filter(has_text=label).click()
    await expect(links).to_have_count(earlier + 1)
    url = await links.first.input_value()
    await gm.page.keyboard.press("Escape")
    return url


async def test_three_browsers_at_one_table(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(AMBUSH)
    lin = await seat(await invited(gm, "Lin's player"), width=400)
    screen = await seat(await invited(gm, "A screen for everyone"), width=1920, scheme="dark")
    assert "t=" not in lin.page.url  # the token leaves the address at once
    card = lin.card("It is Lin's turn")
    await expect(card).to_be_visible()
    await lin.option(card, "Boost the aim")
    for other in (gm, screen):
        await expect(
            other.page.get_by_text(
                re.compile(r"Lin takes aim: \+1 to hit|Lin gains: hit boost")
            ).first
        ).to_be_visible()
    await expect(screen.page.get_by_role("button", name="Take back")).to_have_count(0)
    await lin.option(lin.card("It is Lin's turn"), "End the turn")
    await expect(lin.page.get_by_text("Waiting for Mara.")).to_be_visible()
    await expect(gm.card("It is Mara's turn")).to_be_visible()


async def test_a_player_sees_words_where_the_gm_sees_numbers(seat: Seat) -> None:
    """In the view of a player, the GM sees the words that the player sees, and no options."""
    gm = await seat()
    await gm.begin(AMBUSH)
    lin = await seat(await invited(gm, "Lin's player"), width=400)
    parts = lin.page.get_by_role("navigation", name="Parts")
    await parts.get_by_role("button", name="Fight").click()
    bandit = lin.page.locator("[data-combatant=Bandit]")
    await expect(bandit.get_by_text("unhurt")).to_be_visible()
    assert "9" not in await bandit.inner_text()
    await expect(lin.page.get_by_role("region", name="Rule")).to_have_count(0)
    theirs = gm.page.locator("[data-combatant=Bandit]")
    await expect(theirs).to_contain_text("9/9")
    await gm.page.get_by_role("button", name="Share").click()
    await gm.page.get_by_role("button", name="Look as Lin's player").click()
    await expect(gm.page.get_by_text("Through the eyes of Lin's player.")).to_be_visible()
    await expect(theirs).not_to_contain_text("9/9")
    await expect(gm.cards()).to_have_count(0)
    await expect(gm.page.get_by_role("region", name="Time")).to_have_count(0)
    await gm.page.get_by_role("button", name="Back to your own").click()
    await expect(theirs).to_contain_text("9/9")
    await gm.page.get_by_role("button", name="More about Bandit 3").click()
    change = gm.page.get_by_role("group", name="Change Bandit 3")
    await change.get_by_role("button", name="Hide").click()
    await expect(change.get_by_role("button", name="Show to everybody")).to_be_visible()
    await expect(lin.page.locator("[data-combatant=Bandit-3]")).to_have_count(0)
    await change.get_by_role("button", name="Change the sheet").click()
    await change.get_by_label("Name", exact=True).fill("The captain")
    await change.get_by_role("button", name="Set", exact=True).click()
    row = gm.page.locator("[data-combatant=Bandit-3]")
    await expect(row).to_contain_text("The captain")
    await gm.page.get_by_role("button", name="Take out of the fight").click()
    await gm.page.get_by_role("dialog").get_by_role("button", name="Take The captain out").click()
    await expect(row).to_have_count(0)
    assert "captain" not in await lin.page.locator("body").inner_text()


@pytest.mark.sampled(0)
async def test_who_comes_too_late_is_told(seat: Seat) -> None:
    """If another answer arrives while a form is open, the page explains this and sends nothing."""
    gm = await seat()
    await gm.begin(AMBUSH)
    lin = await seat(await invited(gm, "Lin's player"))
    token = await gm.token()

    async def overtaken(route: Route) -> None:
        """Let the GM's answer arrive first."""
        await gm.page.request.post(
            route.request.url,
            headers={"Authorization": f"Bearer {token}"},
            data={"option": "end-turn"},
        )
        await route.continue_()

    await lin.page.route("**/prompts/*", overtaken)
    await lin.card("It is Lin's turn").locator(".option").filter(has_text="Boost the aim").click()
    late = lin.page.get_by_text(re.compile("answered: “End the turn” by the GM"))
    await expect(late.first).to_be_visible()
    await expect(gm.card("It is Mara's turn")).to_be_visible()


@pytest.mark.sampled(0)
async def test_a_token_that_is_revoked_while_the_page_is_open(seat: Seat, watch: Watch) -> None:
    watch.quiet.append("status of 401")
    gm = await seat()
    await gm.begin(AMBUSH)
    lin = await seat(await invited(gm, "Lin's player"))
    await expect(lin.card("It is Lin's turn")).to_be_visible()
    await gm.page.get_by_role("button", name="Share").click()
    await gm.page.get_by_role("button", name="Revoke Lin's player").click()
    sure = gm.page.get_by_role("dialog", name="Revoke this link?")
    await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    await expect(lin.cards()).to_have_count(1)  # nothing has happened yet
    await sure.get_by_role("button", name="Revoke Lin's player").click()
    await expect(lin.page.get_by_text("This link is not in force any more.")).to_be_visible()
    await expect(lin.cards()).to_have_count(0)


async def test_the_service_is_killed_and_comes_back(
    seat: Seat, server: Server, watch: Watch
) -> None:
    watch.quiet += ["ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY", "network error"]
    table = await seat()
    await table.begin("The troll on the bridge")
    card = table.card("It is Lin's turn")
    await asyncio.to_thread(server.kill)
    await expect(table.page.get_by_text("connection lost")).to_be_visible()
    await expect(card).to_be_visible()  # known facts stay readable
    before = await table.version()
    await card.locator(".option").filter(has_text="Boost the aim").click()
    await asyncio.to_thread(server.start)
    await table.happened(before)
    await expect(table.page.get_by_text("live", exact=True)).to_be_visible()
    await expect(table.page.locator("[data-combatant=Lin] .budget")).to_have_text(
        re.compile("Bonus action 1")
    )  # the boost has applied once, not twice


async def test_what_a_busy_service_does_not_answer_is_asked_again(seat: Seat, watch: Watch) -> None:
    """If the service answers `503`, the page asks again. Otherwise, the log would miss a line."""
    watch.quiet.append("status of 503")
    table = await seat()
    await table.begin("The troll on the bridge")
    left = [503, 503]

    async def busy(route: Route) -> None:
        if left:
            await route.fulfill(status=left.pop(), body="{}")
        else:
            await route.continue_()

    await table.page.route("**/timeline?*", busy)
    await table.told("/notes", {"text": "thunder far away"})
    log = table.page.get_by_role("region", name="Log")
    await expect(log).to_contain_text("thunder far away")
    assert not left


async def test_a_tab_that_nobody_sees_holds_no_stream(seat: Seat) -> None:
    table = await seat()
    await table.begin("The troll on the bridge")
    turn = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    before = await table.version()
    await table.page.evaluate(turn, True)
    await table.told("/notes", {"text": "unseen"})
    await table.page.wait_for_timeout(500)
    assert await table.version() == before
    await table.page.evaluate(turn, False)
    await table.happened(before)
    await expect(table.page.get_by_text("live", exact=True)).to_be_visible()


HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


async def test_what_somebody_named_itself_is_text(seat: Seat) -> None:
    table = await seat(heard=True)
    table.page.on("dialog", lambda dialog: pytest.fail("a script of a name ran"))
    await table.page.get_by_role("button", name="Change it first: The troll on the bridge").click()
    await table.page.get_by_label("Name", exact=True).nth(2).fill(HOSTILE)
    await table.page.get_by_role("button", name="Open the table first").click()
    await expect(table.page.get_by_text("The fight has not begun")).to_be_visible()
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    await expect(table.card("It is Lin's turn")).to_be_visible()
    await table.settled()
    await expect(table.page.get_by_role("region", name="Order")).to_contain_text(HOSTILE)
    await expect(table.page.get_by_role("region", name="Log")).to_contain_text("onerror")
    assert await table.page.locator("img, section script").count() == 0
