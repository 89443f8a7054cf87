"""A fight played only by clicks."""

import pytest
from playwright.async_api import expect

from tests.console.conftest import Seat

pytestmark = pytest.mark.browser


async def test_one_click_leads_to_a_card_that_asks_something(seat: Seat) -> None:
    table = await seat()
    await table.begin("The troll on the bridge")
    await expect(table.card("It is Lin's turn")).to_be_visible()
    order = table.page.get_by_role("region", name="Order")
    await expect(order.get_by_text("acts")).to_be_visible()
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text("The fight begins")).to_be_visible()


async def test_what_happens_is_shown_when_the_service_says_so(seat: Seat) -> None:
    table = await seat()
    await table.begin("The troll on the bridge")
    card = table.card("It is Lin's turn")
    await table.option(card, "+1 to hit")
    await expect(table.page.locator("[data-combatant=Lin] .budget")).to_contain_text(
        "Bonus action 1"
    )
    await expect(table.page.get_by_role("region", name="Log")).to_contain_text("boost hit")


async def test_what_is_refused_says_why(seat: Seat) -> None:
    table = await seat()
    await table.begin("The troll on the bridge")
    card = table.card("It is Lin's turn")
    await card.get_by_text("not now").click()
    await expect(card.get_by_text("Lin is not prone")).to_be_visible()
