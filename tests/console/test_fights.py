"""Test a complete fight of each rulebook that a person plays only by clicks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import pytest
from playwright.async_api import expect

from domain.rulesets import installed
from tests.console.conftest import Seat
from tests.console.table import Table
from tests.forms import forms

pytestmark = pytest.mark.browser

ENOUGH = 60
"""Maximum number of clicks in a duel of weak combatants."""


@dataclass(frozen=True)
class Duel:
    """A ready fight between weak combatants that are easy to hit, so that it ends soon.

    With `by_hand`, the test clicks every die.

    With `by_gm`, the GM ends the fight. The rulebook asks the GM, and by default a ready fight
    continues (SOV-SEQ-08, VD-END-01).
    """

    party: str
    weak: Mapping[str, Mapping[str, str]]
    by_hand: bool = False
    away: tuple[str, ...] = field(default=())
    by_gm: bool = False


DUELS = {
    "definitions": Duel(
        "A duel", {"Brand": {"Max HP": "2"}, "Karr": {"Max HP": "2"}}, by_hand=True
    ),
    "free-hit": Duel("The troll on the bridge", {"Lin": {"Max HP": "2"}, "Troll": {"Max HP": "1"}}),
    "hallowed-earth": Duel(
        "The crypt",
        {
            "Brand": {"Max stress": "0", "Max wound points": "1"},
            "Ghoul": {"Max stress": "0", "Max wound points": "1"},
        },
        by_hand=True,
    ),
    "sovereign": Duel(
        "Knives in the alley",
        {"Dara": {"Max HP": "1", "AC": "0"}, "Bandit": {"Max HP": "1", "AC": "0"}},
        away=("Cole",),
        by_gm=True,
    ),
    "vile-darkness": Duel(
        "Two swords",
        {"Brand": {"AAC0": "10"}, "Knight": {"Max HP": "1", "AC": "10"}},
        by_gm=True,
    ),
}


async def weakened(table: Table, duel: Duel) -> None:
    """Set the fight up in its forms."""
    page = table.page
    await page.get_by_role("button", name=f"Change it first: {duel.party}").click()
    for name in duel.away:
        await page.get_by_role("button", name=f"Remove {name}", exact=True).click()
    for name, points in duel.weak.items():
        sheet = page.get_by_role("group", name=f"Sheet of {name}", exact=True)
        await sheet.get_by_role("button", name="Sheet", exact=True).click()
        for label, value in points.items():
            number = sheet.get_by_role("spinbutton", name=label, exact=True)
            if not await number.count():
                await sheet.locator(".rest > summary").last.click()
            await number.fill(value)
    if duel.by_hand:
        for whose in ("The GM's dice", "The players' dice"):
            await page.get_by_role("group", name=whose).get_by_text("Rolled by hand").click()
    await page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()


@forms("ruleset", "free-hit", long=sorted({*installed()} - {"free-hit"}))
async def test_a_whole_fight_by_clicks(seat: Seat, ruleset: str) -> None:
    table = await seat()
    duel = DUELS[ruleset]
    await weakened(table, duel)
    rulings = table.page.get_by_label("Another ruling").locator("option")
    labels = await rulings.all_inner_texts()
    assert len(labels) == len({*labels})
    chance = Random(7)
    over = table.page.get_by_role("button", name="End the fight…")
    for _ in range(ENOUGH):
        if duel.by_gm and await over.count():
            break
        if not await table.step(chance, highest=duel.by_hand):
            break
    if (await table.asked(""))["status"] == "running":  # nobody has answered the end prompt
        before = await table.version()
        await over.click()
        await table.page.get_by_role("button", name="End the fight", exact=True).click()
        await table.happened(before)
    await expect(table.page.get_by_role("heading", name="The fight is over")).to_be_visible()
    board = await table.asked("")
    assert (board["status"], len(board["winners"])) == ("ended", 1)
    await expect(table.page.get_by_text(f"won by the {board['winners'][0]}")).to_be_visible()
    shown = await table.page.locator("section.order").inner_text()
    for combatant in board["combatants"]:
        assert combatant["name"] in shown
    rolled = (await table.asked("/events?type=rolled"))["events"]
    hands = {event["data"].get("by", "server") for event in rolled}
    assert rolled
    assert hands == {"manual" if duel.by_hand else "server"}


@pytest.mark.sampled(0)
async def test_why_the_hero_fell(seat: Seat) -> None:
    """A click on the hit points explains the last blow with its roll and its rules."""
    table = await seat()
    await weakened(table, Duel("The troll on the bridge", {"Lin": {"Max HP": "3"}}, by_hand=True))
    page = table.page
    await table.option(table.card("It is Lin's turn"), "End the turn")
    await table.option(table.card("It is Troll's turn"), "Strike Lin with")
    await table.dice(table.card("rolls 1d20"), [15])  # 15 + 3 Accuracy: a normal hit
    await table.dice(table.card("rolls 1d6"), [6])  # 6 + 3 Strength − 1 mail = 8 of 3
    await expect(page.get_by_role("heading", name="The fight is over")).to_be_visible()
    await page.locator("[data-combatant=Lin] .pool.health").click()
    window = page.get_by_role("dialog")
    last = window.locator("ol.why > li").first
    await expect(last).to_contain_text(re.compile(r"Lin takes \d+ physical damage from Troll"))
    await expect(last).to_contain_text("Troll hits Lin: 15 (1d20)")
    await last.get_by_role("button", name="FH-DMG-06").click()
    await expect(window.locator(".ruletext")).not_to_have_text("…")
    await last.get_by_role("button", name="Look at the moment before").click()
    await expect(page.get_by_text("Not the present.")).to_be_visible()
    await expect(page.locator("[data-combatant=Lin] .pool.health")).not_to_contain_text(" 0/3")


async def test_faces_that_no_die_has_are_not_sent(seat: Seat) -> None:
    table = await seat()
    await table.page.get_by_role("button", name="Change it first: The troll on the bridge").click()
    await (
        table.page.get_by_role("group", name="The players' dice")
        .get_by_text("Rolled by hand")
        .click()
    )
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    await table.option(table.card("It is Lin's turn"), "Strike Troll with")
    card = table.card("rolls 1d20")
    field = card.get_by_label("Die 1 of 1, d20")
    await expect(field).to_be_visible()
    await table.settled()
    before = await table.version()
    await field.fill("21")
    await field.press("Enter")
    assert await table.version() == before
    await field.fill("17")
    await field.press("Enter")
    await table.happened(before)
    log = table.page.get_by_role("region", name="Log")
    await expect(log.get_by_text(re.compile(r"17 \(1d20\)"))).to_be_visible()
