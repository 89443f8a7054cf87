"""Several people are asked: one card with a row for each, and one tap for all of them."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

CULT = "The stairs below"
"""Seven combatants: three of the party, four of the cult."""

QUIET = 6
"""Clicks that a round may take in which nobody does anything."""


async def round_of(table: Table) -> int:
    return int((await table.asked(""))["round"])


async def answers(table: Table) -> list[tuple[str, str]]:
    """Return what the combatants have declared: who, and which action."""
    events = (await table.asked("/events?type=action-declared&limit=500"))["events"]
    return [(event["data"]["who"], event["data"]["action"]) for event in events]


async def clicked(table: Table, button: Locator) -> None:
    """Clicks, and waits until all that it sends is shown."""
    before = await table.version()
    await button.click()
    await table.happened(before)
    await expect(table.page.locator("button[aria-disabled=true]")).to_have_count(0)
    await table.settled()


async def test_a_quiet_round_of_seven_takes_six_clicks(seat: Seat) -> None:
    """One for all declarations, then one for each slot in which somebody is asked."""
    table = await seat()
    await table.begin(CULT)
    clicks = 0
    while await round_of(table) == 1:
        everyone = table.page.get_by_role("button", name="All pass")
        locator = table.cards().first.locator(".apart .option")
        await clicked(table, everyone if await everyone.count() else locator)
        clicks += 1
        assert clicks <= QUIET
    assert len((await table.asked(""))["combatants"]) == 7
    await expect(table.cards()).to_have_count(7)  # the second round asks everybody


async def test_the_same_for_all_of_a_side_and_as_last_round(seat: Seat) -> None:
    table = await seat()
    await table.begin(CULT)
    card = table.page.get_by_role("region", name="Asked together")
    cult = card.locator(".same").filter(has_text="cult: the same for all four")
    await clicked(table, cult.get_by_role("button", name="Attack", exact=True))
    assert await answers(table) == [
        (who, "attack") for who in ("Cultist", "Cultist-2", "Cultist-3", "Cultist-4")
    ]
    while await round_of(table) == 1:
        everyone = table.page.get_by_role("button", name="All pass")
        locator = table.cards().first.locator(".apart .option")
        attack = table.cards().first.locator(".option").first
        choose = (
            everyone if await everyone.count() else locator if await locator.count() else attack
        )
        await clicked(table, choose)
    before = len(await answers(table))
    await clicked(table, card.get_by_role("button", name="As last round"))
    again = (await answers(table))[before:]
    assert [(who, "attack") for who in ("Cultist", "Cultist-2", "Cultist-3", "Cultist-4")] == [
        (who, option) for who, option in again if who.startswith("Cultist")
    ]


async def test_a_row_names_its_best_target_and_the_rest_is_under_more(seat: Seat) -> None:
    table = await seat()
    await table.begin(CULT)
    row = table.page.locator("article.row").filter(has_text="Cultist 2")
    await expect(row.get_by_role("button", name=re.compile("^Attack "))).to_have_count(1)
    await expect(row.get_by_role("button", name="Parley")).to_have_count(0)
    await row.get_by_role("button", name="More", exact=True).click()
    await expect(row.get_by_role("button", name="Parley")).to_be_visible()
