"""Test the screen for everyone, and the summary at the end."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.console.conftest import Seat
from tests.console.test_table import invited

pytestmark = pytest.mark.browser

CELLAR = "Goblins in the cellar"
BRIDGE = "The troll on the bridge"

SMALLEST = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("title, .unseen, .toast")) continue;
    if (element.getClientRects().length === 0) continue;
    const svg = element.closest("svg");
    const scale = svg ? svg.getScreenCTM().a : 1;
    sizes.push([parseFloat(getComputedStyle(element).fontSize) * scale, node.data.trim()]);
  }
  return sizes.sort((a, b) => a[0] - b[0])[0];
}"""


async def smallest(page: Page) -> float:
    """Return the smallest font size on the page, in px."""
    size, text = await page.evaluate(SMALLEST)
    print(f"smallest text: {size:.1f} px, {text!r}")
    return float(size)


@pytest.mark.sampled(0)
async def test_nothing_on_the_screen_is_small(seat: Seat) -> None:
    gm = await seat()
    await gm.begin(CELLAR)
    screen = await seat(await invited(gm, "A screen for everyone"), width=1920, height=1080)
    row = screen.page.locator("[data-combatant=Ana]")
    await expect(row).to_contain_text("unhurt")
    await expect(screen.page.get_by_role("region", name="What happens")).to_contain_text("'s turn")
    assert await smallest(screen.page) >= 27.9
    bar, whole = await row.locator(".bar").bounding_box(), await row.bounding_box()
    assert bar is not None
    assert whole is not None
    assert bar["width"] >= 0.9 * whole["width"]
    assert not await screen.page.evaluate("document.documentElement.scrollHeight > innerHeight")
    fall = {"ruling": "damage", "inputs": {"combatant": "Goblin-3", "amount": 7}}
    await gm.told("/rulings", fall)
    sentence = screen.page.get_by_role("region", name="Result").locator(".sentence")
    await expect(sentence).to_contain_text("is down")
    told = await sentence.bounding_box()
    assert told is not None
    assert told["x"] + told["width"] <= 1920  # the text is not clipped
    shades = await screen.page.evaluate(
        """() => {
          const result = document.querySelector(".result");
          result.className = "result dead";
          return [".verdict", ".sentence"].map(part =>
            getComputedStyle(result.querySelector(part)).color);
        }"""
    )
    assert shades[0] == shades[1]  # the verdict is as light as the sentence
    numbers = await seat(await invited(gm, "with the players' numbers"), width=1920, height=1080)
    await expect(numbers.page.locator("[data-combatant=Ana]")).to_contain_text("30 / 30")
    await expect(numbers.page.locator("[data-combatant=Goblin]")).to_contain_text("unhurt")
    assert await smallest(numbers.page) >= 27.9


@pytest.mark.sampled(0)
async def test_the_screen_names_nobody_who_is_asked_in_secret(seat: Seat) -> None:
    """All combatants declare in secret, so the screen does not name those who have not answered."""
    gm = await seat()
    await gm.begin("Among the graves")
    screen = await seat(await invited(gm, "A screen for everyone"), width=1920, height=1080)
    told = screen.page.get_by_role("region", name="What happens").get_by_role("heading")
    await expect(told).to_have_text("Waiting for answers")


async def test_the_end_brings_a_summary(seat: Seat) -> None:
    table = await seat()
    await table.begin(BRIDGE)
    page = table.page
    for who, points in (("Troll", 9), ("Lin", 3), ("Troll", 2)):
        ruling = {"ruling": "damage", "inputs": {"combatant": who, "amount": points}}
        await table.told("/rulings", ruling)
    corrected = {"combatant": "Lin", "track": "hp", "value": 9}  # no attack and no turning point
    await table.told("/rulings", {"ruling": "set-track", "inputs": corrected})
    await table.end()
    summary = page.get_by_role("region", name="Summary")
    troll = summary.get_by_role("row", name="Troll")
    await expect(troll).to_contain_text("11")  # 9 + 2 taken
    await expect(troll).to_contain_text("6 of 17, bloodied")
    turns = summary.locator(".turns li")
    await expect(turns).to_have_count(3)
    await expect(turns.first).to_contain_text("17 → 8")
    falls = [{"type": "damaged", "before": 6, "after": 0, "round": 1, "version": 7}]
    rounds = await page.evaluate(
        """async entry => (await import(window.at + "audit/summary.js"))
          .turns([entry]).map(turn => turn.round)""",
        {"round": 2, "undone": False, "lines": falls},  # the command also began round 2
    )
    assert rounds == [1]
    player = await seat(await invited(table, "Lin's player"))
    seen = player.page.get_by_role("region", name="Summary").get_by_role("row", name="Who")
    await expect(seen).to_contain_text("Hits")
    await expect(seen).not_to_contain_text("Dealt")  # players do not know it
    await page.emulate_media(media="print")
    await expect(summary).to_be_visible()
    await expect(page.get_by_role("region", name="Map")).to_be_hidden()
    await expect(page.locator(".topbar .menu")).to_be_hidden()
    await expect(page.locator(".topbar .role")).to_be_hidden()
    cut = await page.evaluate(
        """() => [...document.querySelectorAll(".summary, .summary *")].map(element => {
          const box = element.closest(".cards");
          return element.getBoundingClientRect().bottom > box.getBoundingClientRect().bottom + 1
            || box.scrollHeight > box.clientHeight + 1;
        }).some(Boolean)"""
    )
    assert not cut
    paper = page.get_by_role("region", name="Log on paper")
    await expect(paper).to_contain_text("Round 1")
    await expect(paper).to_contain_text("The fight begins.")
    await expect(paper.locator("p")).to_contain_text("20")  # the day, with its year
    await page.emulate_media(media="screen")
    await expect(paper).to_be_hidden()


async def test_a_screen_sums_the_fight_up_and_tells_a_death_by_ruling(seat: Seat) -> None:
    """The summary includes a death by ruling, although no damage caused it."""
    gm = await seat()
    await gm.begin("Among the graves")
    screen = await seat(await invited(gm, "A screen for everyone"), width=1920, height=1080)
    dead = {"ruling": "set-condition", "inputs": {"combatant": "Ghoul", "condition": "dead"}}
    await gm.told("/rulings", dead)
    await gm.end()
    summary = screen.page.get_by_role("region", name="Summary")
    await expect(summary.locator(".turns li")).to_have_text(
        "Round 1 By the GM's ruling, Ghoul is dead."
    )
    await expect(summary.get_by_role("row", name="Ghoul", exact=False).first).to_contain_text(
        "dead"
    )
    await expect(summary.get_by_role("button")).to_have_count(0)  # nothing to click
    await expect(screen.page.locator(".screen .map")).to_have_count(0)
    size, text = await screen.page.evaluate(SMALLEST)
    assert size >= 28, text


@pytest.mark.sampled(0)
async def test_the_screen_shows_the_part_of_the_round_in_which_somebody_acts(seat: Seat) -> None:
    """In vile-darkness, initiative decides who acts in HIGH and who in LOW."""
    gm = await seat()
    await gm.begin("Two swords")
    screen = await seat(await invited(gm, "A screen for everyone"), width=1920, height=1080)
    row = screen.page.locator("[data-combatant=Brand]")
    await expect(row).to_be_visible()
    await expect(row).not_to_contain_text(re.compile("HIGH|LOW"))
    for prompt in (await gm.asked(""))["prompts"]:
        await gm.told(f"/prompts/{prompt['id']}", {"option": "done", "inputs": {}})
    await expect(row).to_contain_text(re.compile("HIGH|LOW"))
