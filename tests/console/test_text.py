"""Test names in any script, and the contrast of every text on the screen."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page

from domain.rulesets import installed
from tests.console.conftest import Seat
from tests.console.table import Table
from tests.forms import forms

pytestmark = pytest.mark.browser

PARTY = "Bandits at the ford"
HERO, FOE, FIGHT = "שרה", "דן", "הגשר"
"""Names that are written from right to left, one word each."""

REORDERED = """() => {
  const lines = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let block = node.parentElement;
    if (!block.checkVisibility() || block.closest("option, textarea, svg, .unseen")) continue;
    while (getComputedStyle(block).display.startsWith("inline") &&
           getComputedStyle(block).display === "inline") block = block.parentElement;
    for (const hit of node.data.matchAll(/\\S+/g)) {
      const range = new Range();
      range.setStart(node, hit.index);
      range.setEnd(node, hit.index + hit[0].length);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      lines.set(block, [...(lines.get(block) ?? []), { text: hit[0], box }]);
    }
  }
  const wrong = [];
  for (const words of lines.values()) {
    for (const [index, word] of words.entries()) {
      const after = words[index + 1];
      if (!after || Math.abs(after.box.top - word.box.top) > 6) continue;
      if (after.box.left >= word.box.left) continue;
      const line = words.map((one) => one.text).join(" ");
      wrong.push(`${word.text} | ${after.text}: ${line}`);
    }
  }
  return wrong;
}"""
"""Returns words that are left of the previous word, on the same line of a sentence."""

FADED = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility()) continue;
    let opacity = 1;
    for (let one = element; one; one = one.parentElement) {
      opacity *= Number(getComputedStyle(one).opacity);
    }
    const style = getComputedStyle(element);
    if (element.closest("svg")) opacity *= Number(style.fillOpacity);
    const alpha = /rgba\\(.*, ([\\d.]+)\\)$/.exec(style.color);
    if (alpha) opacity *= Number(alpha[1]);
    const text = node.data.trim().slice(0, 60);
    if (opacity < 1) found.push(`${opacity}: ${element.className} ${text}`);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const pseudo of ["::before", "::after", "::placeholder"]) {
      const style = getComputedStyle(element, pseudo);
      const text = pseudo === "::placeholder" ? element.placeholder : style.content;
      if (!text || text === "none" || text === '""' || !element.checkVisibility()) continue;
      let opacity = Number(style.opacity);
      for (let one = element; one; one = one.parentElement) {
        opacity *= Number(getComputedStyle(one).opacity);
      }
      if (opacity < 1) found.push(`${opacity}: ${element.className}${pseudo} ${text}`);
    }
  }
  return [...new Set(found)];
}"""
"""Returns visible texts with a lower opacity than their colour."""


async def named(table: Table) -> None:
    """Open a fight of combatants with these names."""
    page = table.page
    await page.get_by_role("button", name=f"Change it first: {PARTY}").click()
    await page.get_by_label("Name", exact=True).first.fill(FIGHT)
    for old, new in (("Lin", HERO), ("Bandit", FOE)):
        sheet = page.get_by_role("group", name=f"Sheet of {old}", exact=True)
        await sheet.get_by_label("Name", exact=True).first.fill(new)


class Reader:
    """A collector of the results of a script on each screen."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.found: dict[str, Any] = {}

    async def look(self, screen: str, page: Page) -> None:
        """Record what the script finds, unless the page has changed it half a second later."""
        hits = await page.evaluate(self.script)
        if hits:
            await page.wait_for_timeout(500)
            hits = await page.evaluate(self.script)
        if hits:
            self.found[screen] = hits


async def shut(page: Page) -> None:
    await page.keyboard.press("Escape")
    await page.locator("dialog").wait_for(state="detached")


@pytest.mark.sampled(0)
async def test_names_from_right_to_left_turn_no_sentence_around(seat: Seat) -> None:
    gm = await seat()
    page, reader = gm.page, Reader(REORDERED)
    await named(gm)
    await reader.look("set-up", page)
    await page.get_by_role("button", name="Begin", exact=True).click()
    await gm.settled()
    token = await gm.invited({"role": "player", "label": HERO, "combatants": [(await hero(gm))]})
    link = f"{gm.url}/#c={gm.combat}&t={token}"
    player = await seat(link, width=390, height=844)
    screen = await seat(f"{link}&screen", width=1920, height=1080)
    await reader.look("first turn", page)
    for option in ("Move", "Act later this round", "Strike"):
        button = gm.card("turn").locator(".option").filter(has_text=option).first
        if await button.count() and "…" in await button.inner_text():
            await button.click()
            await reader.look(f"form of {option}", page)
    await page.locator(".filling").get_by_role("button", name="Not this").click()
    for ruling in (
        {"combatant": await hero(gm), "amount": 2},
        {"combatant": await foe(gm), "amount": 3},
    ):
        await gm.told(
            "/rulings", {"ruling": "damage", "inputs": ruling, "reason": f"{FOE} 2 {HERO}"}
        )
    await gm.told("/notes", {"text": f"{HERO} 3 {FOE} (4)"})
    await gm.option(gm.card("turn"), "End the turn")
    await page.wait_for_timeout(300)
    for name, other in (("the GM", gm), ("a player", player), ("the screen", screen)):
        await other.settled() if name != "the screen" else await other.page.wait_for_timeout(200)
        await reader.look(f"after a turn, {name}", other.page)
    for part in ("Fight", "Log"):
        await (
            player.page.get_by_role("navigation", name="Parts")
            .get_by_role("button", name=part)
            .click()
        )
        await reader.look(f"a player, {part}", player.page)
    await player.page.get_by_role("button", name="Menu").click()
    await player.page.get_by_role("button", name="My sheet").click()
    await reader.look("own sheet", player.page)
    await shut(player.page)
    for row in ("More about " + HERO, "More about " + FOE):
        await page.get_by_role("button", name=row, exact=True).click()
    await page.locator(f"[data-combatant='{await hero(gm)}'] .name").click()
    await page.locator("#quick-hp").fill("-2")
    await reader.look("picked", page)
    await page.locator(".quick .points li button").first.click()
    await page.locator("dialog .why li").first.wait_for()
    await reader.look("why", page)
    await shut(page)
    for name in ("Share", "Dice proof", "End…"):
        await page.get_by_role("button", name=name, exact=True).click()
        await page.locator("dialog[open]").wait_for()
        if name == "Share":
            await page.locator(".tokens li").first.wait_for()
            await page.get_by_role("button", name=f"Revoke {HERO}").click()
            await reader.look("revoke", page)
            await page.get_by_role("button", name="Cancel").click()
        await reader.look(name, page)
        await shut(page)
    await page.get_by_role("region", name="Time").get_by_role("button", name="Compare").click()
    await page.locator(".difference li").first.wait_for()
    await reader.look("compared", page)
    await page.get_by_role("button", name="Close the comparison").click()
    await page.locator(".home").focus()
    await page.keyboard.press("ArrowLeft")
    await page.get_by_text("Not the present.").wait_for()
    await reader.look("past", page)
    await page.keyboard.press("Escape")
    await gm.end()
    await page.locator(".turns li").first.wait_for()
    await reader.look("summary", page)
    await screen.page.get_by_text("The fight is over").wait_for()
    await reader.look("the screen at the end", screen.page)
    await page.locator(".home").click()
    await page.locator(".shelf li").first.wait_for()
    await reader.look("shelf", page)
    assert reader.found == {}


async def hero(table: Table) -> str:
    return await who(table, HERO)


async def foe(table: Table) -> str:
    return await who(table, FOE)


async def who(table: Table, name: str) -> str:
    """Return the id of the combatant with a name."""
    all_ = (await table.asked(""))["combatants"]
    print([entry["name"] for entry in all_])
    return str(next(entry["id"] for entry in all_ if entry["name"] == name))


SMALL = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest(".unseen")) continue;
    const svg = element.closest("svg");
    const scale = svg && element !== svg ? (svg.getScreenCTM()?.a ?? 1) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (element.closest("[data-token]")) continue; // initials are as large as the square
    const text = node.data.trim().slice(0, 40);
    if (size < 11.95) found.push(`${size.toFixed(1)}: ${element.className} ${text}`);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const pseudo of ["::before", "::after"]) {
      const style = getComputedStyle(element, pseudo);
      if (!/[\\p{L}\\d]/u.test(style.content) || style.content === "none") continue;
      if (!element.checkVisibility() || style.content === "normal") continue;
      const size = parseFloat(style.fontSize);
      if (size < 11.95) found.push(`${size}: ${element.className}${pseudo} ${style.content}`);
    }
  }
  return [...new Set(found)];
}"""
"""Returns texts below 12 px, also on the map."""

FIGHTS = [party.name for ruleset in installed().values() for party in ruleset.parties]


@pytest.mark.sampled
@forms("fight", FIGHTS[0], long=FIGHTS[1:])
async def test_no_text_is_faded_or_small(seat: Seat, fight: str) -> None:
    """Check refusals, a form, the past, and combatants that are out of the fight or hidden."""
    table = await seat()
    page, reader, small = table.page, Reader(FADED), Reader(SMALL)
    await reader.look("first page", page)
    await small.look("first page", page)
    await table.begin(fight)
    await small.look("first card", page)
    await reader.look("first card", page)
    forms = table.cards().first.locator(".option[aria-expanded=false]")
    if await forms.count():
        await forms.first.click()
        await reader.look("form", page)
    folded: Locator = page.locator("summary", has_text="not now").first
    if await folded.count():
        await folded.click()
        await reader.look("refusals", page)
    board = await table.asked("")
    last = board["combatants"][-1]
    await table.told(
        "/rulings", {"ruling": "damage", "inputs": {"combatant": last["id"], "amount": 500}}
    )
    await table.told(
        f"/combatants/{board['combatants'][0]['id']}", {"hidden": True}, method="PATCH"
    )
    await table.settled()
    await page.wait_for_timeout(200)
    await reader.look("fallen and hidden", page)
    await page.locator(".home").focus()
    await page.keyboard.press("ArrowLeft")
    await page.get_by_text("Not the present.").wait_for()
    await reader.look("past", page)
    await page.keyboard.press("Escape")
    await page.locator("[data-combatant] .name").first.click()
    await page.get_by_role("button", name="More about ", exact=False).first.click()
    await page.wait_for_timeout(200)
    await small.look("picked", page)
    await page.set_viewport_size({"width": 390, "height": 844})
    for part in ("Act", "Fight", "Log"):
        await page.get_by_role("navigation", name="Parts").get_by_role("button", name=part).click()
        await small.look(f"phone, {part}", page)
    assert (reader.found, small.found) == ({}, {})
