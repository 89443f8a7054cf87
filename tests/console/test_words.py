"""No ids, developer words or repeated labels on cards and sheets."""

import re
from collections import Counter

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat

pytestmark = pytest.mark.browser

FORBIDDEN = (
    r"\(/combatants/",
    r"null = ",
    r"\bnull\b",
    r"\bundefined\b",
    r"\bIds? of\b",
    r": ·",
    r"Aa / Ba / Ma",
    r"\[object ",
    r"\b[A-Z][a-z]+-\d\b",  # Goblin-4
    r"\b[a-z]+_[a-z]+\b",  # field_name
)
"""Forms that no card and no sheet shows."""

FIGHTS = (
    "Goblins in the cellar",
    "Bandits at the ford",
    "Among the graves",
    "The broken gate",
    "The stairs below",
)


@pytest.mark.parametrize("fight", FIGHTS)
async def test_cards_and_sheets_speak_plainly(seat: Seat, fight: str) -> None:
    """The set-up of a ready fight, its first cards with their forms, and a combatant's numbers."""
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
    seen.append(await page.locator("section.order").inner_text())
    found = {
        (form, hit[0]) for form in FORBIDDEN for text in seen for hit in re.finditer(form, text)
    }
    assert found == set()
    labels = Counter(await numbers.all_inner_texts())
    assert [label for label, count in labels.items() if count > 1] == []
