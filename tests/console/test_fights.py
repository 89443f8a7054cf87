"""A whole fight of each rulebook, played by nothing but clicks."""

import re
from random import Random

import pytest
from playwright.async_api import expect

from domain.rulesets import installed
from tests.console.conftest import Seat

pytestmark = pytest.mark.browser

STEPS = 12
"""Clicks through a fight before the GM calls it a day."""


@pytest.mark.parametrize("ruleset", sorted(installed()))
async def test_a_whole_fight_by_clicks(seat: Seat, ruleset: str) -> None:
    table = await seat()
    await table.begin(installed()[ruleset].parties[0].name)
    chance = Random(7)
    for _ in range(STEPS):
        if not await table.step(chance):
            break
    await table.end()
    await expect(table.page.get_by_text("The fight is over")).to_be_visible()
    shown = await table.page.locator("section.order").inner_text()
    told = await table.asked("")
    for one in told["combatants"]:
        assert one["name"] in shown


@pytest.mark.parametrize("ruleset", ["free-hit", "hallowed-earth"])
async def test_with_dice_by_hand(seat: Seat, ruleset: str) -> None:
    table = await seat()
    party = installed()[ruleset].parties[0].name
    await table.page.get_by_role("button", name=f"Change it first: {party}").click()
    for whose in ("The GM's dice", "The players' dice"):
        await table.page.get_by_role("group", name=whose).get_by_text("Manual").click()
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    await expect(table.cards().first).to_be_visible()
    chance = Random(3)
    for _ in range(8):
        assert await table.step(chance)
    rolled = await table.asked("/events?type=rolled")
    assert rolled["events"]
    assert {one["data"]["by"] for one in rolled["events"]} == {"manual"}


async def test_faces_that_no_die_has_are_not_sent(seat: Seat) -> None:
    table = await seat()
    await table.page.get_by_role("button", name="Change it first: The troll on the bridge").click()
    await table.page.get_by_role("group", name="The players' dice").get_by_text("Manual").click()
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    await table.option(table.card("It is Lin's turn"), "Attack")
    card = table.card("rolls 1d20")
    field = card.get_by_label("Die 1 of 1, d20")
    before = await table.version()
    await field.fill("21")
    await field.press("Enter")
    assert await table.version() == before
    await field.fill("17")
    await field.press("Enter")
    await table.happened(before)
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text(re.compile("1d20 → 17"))).to_be_visible()
