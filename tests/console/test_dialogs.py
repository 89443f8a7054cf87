"""Test that axe reports nothing in any dialog, in both colour schemes."""

import re

import pytest
from playwright.async_api import Page, expect

from domain.rulesets import installed
from tests.console.conftest import Seat
from tests.console.test_reading import violations
from tests.console.test_table import invited
from tests.forms import forms

pytestmark = pytest.mark.browser

CELLAR = "Goblins in the cellar"


async def faults(page: Page) -> list[str]:
    """Return the violations of WCAG 2.2 A and AA that axe reports, with their places."""
    tags = "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],"
    return [
        f"{violation['id']}: {node['target']} {node['html'][:120]}"
        for violation in await violations(page, tags)
        for node in violation["nodes"]
    ]


async def test_axe_finds_nothing_in_any_dialog(seat: Seat) -> None:
    table = await seat()
    page = table.page
    faults_of: dict[str, list[str]] = {"first page": await faults(page)}
    await page.get_by_role("button", name=f"Change it first: {CELLAR}").click()
    await page.get_by_role("button", name="Sheet", exact=True).first.click()
    faults_of["set-up"] = await faults(page)
    await page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()
    for name in ("Share", "Dice proof", "Keys", "End…"):
        await page.get_by_role("button", name=name, exact=True).click()
        await page.locator("dialog[open]").wait_for()
        if name == "Share":
            await page.locator("dialog .option").first.click()
            await page.locator(".qr").wait_for()
            faults_of[name] = await faults(page)
            await page.get_by_role("button", name="Revoke GM").click()
            faults_of["Revoke"] = await faults(page)
            await page.keyboard.press("Escape")
        elif name == "Dice proof":
            await page.get_by_role("button", name="Reveal the seed…").click()
            faults_of["Reveal"] = await faults(page)
            await page.keyboard.press("Escape")
        faults_of[name] = await faults(page)
        await page.keyboard.press("Escape")
    await page.locator("[data-combatant=Ana] .pool.health").click()
    await page.locator("#quick-hp").fill("-3")
    faults_of["Picked"] = await faults(page)
    await page.get_by_role("button", name="Why: Ana 30").click()
    await page.locator("dialog[open]").wait_for()
    faults_of["Why"] = await faults(page)
    await page.keyboard.press("Escape")
    await table.end()
    await page.get_by_role("region", name="Summary").wait_for()
    faults_of["Summary"] = await faults(page)
    assert {place: texts for place, texts in faults_of.items() if texts} == {}


BRIDGE = "The troll on the bridge"


@pytest.mark.sampled(0)
async def test_axe_finds_nothing_in_the_other_dialogs(seat: Seat) -> None:
    """Check confirmations, a past moment, an amendment, and the dialogs of a player."""
    table = await seat()
    await table.begin(BRIDGE)
    page, faults_of = table.page, {}

    async def window(name: str, verdict: str) -> None:
        """Wait for a dialog, check it, and close it."""
        dialog = page.get_by_role("dialog", name=re.compile(name))
        await dialog.wait_for()
        await page.wait_for_timeout(150)  # wait for the requests of the dialog
        faults_of[verdict] = await faults(page)
        await page.keyboard.press("Escape")
        await dialog.wait_for(state="detached")

    player = await seat(await invited(table, "Lin's player"), width=390, height=844)
    faults_of["a player"] = await faults(player.page)
    await player.page.get_by_role("button", name="Menu").click()
    faults_of["menu"] = await faults(player.page)
    await player.page.get_by_role("button", name="My sheet").click()
    await player.page.get_by_role("dialog").wait_for()
    faults_of["my sheet"] = await faults(player.page)
    await player.page.keyboard.press("Escape")
    await player.page.get_by_role("region", name="Ask the GM").locator("summary").click()
    await player.page.get_by_role("button", name="Ruling").click()
    await page.get_by_role("article", name="Request of Lin").wait_for()
    faults_of["a request"] = await faults(page)
    await page.get_by_role("button", name="Decline").click()
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    await page.get_by_role("button", name="What if…", exact=True).last.click()
    await window("^What if", "what if, from now on")
    line = page.locator(".log .told", has_text="Lin takes aim").first
    await line.click()
    await page.locator(".unfolded").get_by_role("button", name="Why?").click()
    await window("^Why", "why of a line")
    for verb in ("Change this…", "What if…"):
        await page.locator(".moment:visible").get_by_role("button", name=verb).click()
        await window("^(Change this|What if)", verb)
    await page.get_by_role("button", name="More about Lin").click()
    await page.get_by_role("button", name="Take out of the fight…").click()
    await window("^Take out", "taking somebody out")
    for tool in ("Somebody joins", "The map", "The clock"):
        await page.get_by_role("button", name=tool, exact=True).click()
        faults_of[tool] = await faults(page)
    await table.end()
    await page.get_by_role("button", name="Delete fight").click()
    await window("^Delete", "deleting")
    await page.locator(".home").click()
    await page.get_by_role("button", name=f"Forget {BRIDGE}").click()
    await window("^Forget", "forgetting")
    assert {place: texts for place, texts in faults_of.items() if texts} == {}


FIGHTS = [party.name for ruleset in installed().values() for party in ruleset.parties[:1]]


@pytest.mark.sampled
@forms("fight", *FIGHTS[:2], long=FIGHTS[2:])
async def test_axe_finds_nothing_in_a_turn(seat: Seat, fight: str) -> None:
    """Check the first card with its forms, a hidden combatant and a fallen one."""
    table = await seat()
    await table.begin(fight)
    page, faults_of = table.page, {}
    faults_of["card"] = await faults(page)
    forms = table.cards().first.locator(".option[aria-expanded]")
    for index in range(min(3, await forms.count())):
        await forms.nth(index).click()
        faults_of[f"form {index}"] = await faults(page)
    first, *_, last = (await table.asked(""))["combatants"]
    await table.told(f"/combatants/{first['id']}", {"hidden": True}, method="PATCH")
    fall = {"ruling": "damage", "inputs": {"combatant": last["id"], "amount": 500}}
    await table.told("/rulings", fall)
    await table.settled()
    await page.locator(f"[data-combatant='{first['id']}'] .name").click()
    await page.wait_for_timeout(200)
    faults_of["hidden and fallen"] = await faults(page)
    assert {place: texts for place, texts in faults_of.items() if texts} == {}


async def test_keys_reach_nothing_behind_a_dialog(seat: Seat) -> None:
    """Keys do not reach the page behind a dialog, even if nothing in the dialog has the focus."""
    table = await seat()
    await table.begin(CELLAR)
    page = table.page
    before = await table.version()
    await table.option(table.cards().first, "End the turn")
    done = await table.version()
    assert done > before
    await page.get_by_role("button", name="Share", exact=True).click()
    await page.locator("dialog[open]").wait_for()
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("u")
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)
    await table.settled()
    assert await table.version() == done
