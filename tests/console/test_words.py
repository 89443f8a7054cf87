"""Test that no screen shows ids, repeated labels, or the words of forbidden.txt."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from domain.rulesets import installed
from tests.console.conftest import Seat, Watch
from tests.console.table import Table
from tests.forms import forms

pytestmark = pytest.mark.browser

FORBIDDEN = [
    line
    for line in Path(__file__).with_name("forbidden.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
"""Patterns that the page must not show."""

RULE = r"\b[A-Z]{2,4}-[A-Z]{2,6}-\d\d\b"
"""The id of a rule. Cards show `§`, and its sentence on a click."""

FIGHTS = [ruleset.parties[0].name for ruleset in installed().values()]
OTHERS = [party.name for ruleset in installed().values() for party in ruleset.parties[1:]]
CLICKS = 10
"""Number of clicks in each fight, which include turns, reactions and results."""

READ = """() => {
  const read = [document.body.innerText];
  const names = ["aria-label", "title", "placeholder", "aria-valuetext"];
  for (const one of document.querySelectorAll(names.map((name) => `[${name}]`).join())) {
    if (one.checkVisibility()) read.push(...names.map((name) => one.getAttribute(name) ?? ""));
  }
  return read.join("\\n");
}"""
"""Returns every visible text, and the texts for pointers and screen readers."""


def forbidden(texts: Iterable[str]) -> set[tuple[str, str]]:
    """Return forbidden words with their context."""
    return {
        (form, text[max(0, hit.start() - 40) : hit.end() + 20])
        for form in FORBIDDEN
        for text in texts
        for hit in re.finditer(form, text)
    }


async def opened(table: Table) -> AsyncIterator[str]:
    """Yield the texts of the menu's dialogs and of a combatant's numbers."""
    page = table.page
    await page.get_by_role("button", name=re.compile("^More about ")).first.click()
    await expect(page.locator(".explained .number > span").first).to_be_visible()
    yield await page.evaluate(READ)
    for name in ("Share", "Dice proof", "Keys", "End…"):
        await page.locator(".menu").get_by_role("button", name=name).click()
        yield await page.get_by_role("dialog").inner_text()
        await page.keyboard.press("Escape")


@pytest.mark.sampled(0)
@forms("fight", *FIGHTS[:2], long=[*FIGHTS[2:], *OTHERS])
async def test_no_fight_shows_ids_or_words_of_developers(
    seat: Seat, watch: Watch, fight: str
) -> None:
    """Read a ready fight as the GM, click by click."""
    watch.quiet.append("status of 422")  # the rules refuse a walk without squares
    table = await seat()
    await table.begin(fight)
    seen = [text async for text in opened(table)]
    chance = Random(3)
    for _ in range(CLICKS):
        seen.append(await table.page.evaluate(READ))
        if not await table.step(chance):
            break
    seen.append(await table.page.evaluate(READ))
    assert forbidden(seen) == set()


SET_UPS = (
    "Goblins in the cellar",
    "Bandits at the ford",
    "Among the graves",
    "The broken gate",
    "The stairs below",
)


@pytest.mark.sampled
@forms("fight", SET_UPS[0], long=SET_UPS[1:])
async def test_cards_and_sheets_speak_plainly(seat: Seat, fight: str) -> None:
    """Read the set-up of a ready fight, its first cards with forms, and some numbers."""
    table = await seat()
    page = table.page
    await page.get_by_role("button", name=f"Change it first: {fight}").click()
    await page.get_by_role("button", name="Sheet", exact=True).first.click()
    seen = [await page.locator("main").inner_text()]
    await page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()
    seen.append(await page.locator("section.cards").inner_text())
    forms = table.cards().first.locator(".option[aria-expanded]")
    for index in range(min(4, await forms.count())):
        await forms.nth(index).click()
        seen.append(await page.locator("section.cards").inner_text())
    await page.get_by_role("button", name=re.compile("^More about ")).first.click()
    numbers = page.locator(".explained .number > span")
    await expect(numbers.first).to_be_visible()
    assert not [text for text in seen if re.search(RULE, text)]
    seen.append(await page.locator("section.order").inner_text())
    assert forbidden(seen) == set()
    labels = Counter(await numbers.all_inner_texts())
    assert [label for label, count in labels.items() if count > 1] == []


async def test_circumstances_keep_the_sign_and_leave_out_nothing_added(seat: Seat) -> None:
    table = await seat()
    told = await table.page.evaluate(
        """async (data) => (await import(window.at + "play/card.js")).circumstances(data)""",
        {"hp": -4, "round": 2, "attack_bonus": 0, "ac_penalty": -2, "outcome": "miss"},
    )
    assert told == ["HP: −4", "AC penalty: −2", "Outcome: miss"]


async def test_lengths_have_one_decimal_at_most(seat: Seat) -> None:
    table = await seat()
    told = await table.page.evaluate(
        """async (all) => { const { length } = await import(window.at + "map/wanted.js");
        return all.map(length); }""",
        [5, 50**0.5, 12.5],
    )
    assert told == ["5", "7.1", "12.5"]
