"""Test the set-up of a new fight, from empty sheets to the links for the players."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

MODELS = {"Lin": "Lin (The troll on the bridge)", "Troll": "Troll (The troll on the bridge)"}


async def begun(table: Table, *models: str, book: str = "Quest") -> Page:
    """Open the set-up of a new fight, and add a copy of each model."""
    page = table.page
    await page.get_by_role("button", name=f"Put it together: {book}").click()
    for model in models:
        label = MODELS.get(model, model)
        await page.get_by_label("Like").select_option(label=f"like {label}")
        await page.get_by_role("button", name="Add somebody").click()
    return page


def sheet(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=f"Sheet of {name}", exact=True)


async def opened(table: Table) -> dict[str, dict[str, Any]]:
    """Begin the fight. Return its combatants by name."""
    await table.page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()
    return {combatant["name"]: combatant for combatant in (await table.asked(""))["combatants"]}


async def test_a_fighter_from_an_empty_sheet_needs_few_fields(seat: Seat) -> None:
    """Every reader sees the name of a weapon. The page makes the weapon's id from this name."""
    table = await seat()
    page = await begun(table, "Troll", "an empty sheet")
    kara = sheet(page, "Somebody")
    await kara.get_by_role("button", name="Sheet", exact=True).click()
    await expect(kara.get_by_role("spinbutton", name="Max HP")).not_to_have_value("1")
    await expect(kara.get_by_text(re.compile(r"Ready fights: \d+ to \d+")).first).to_be_visible()
    labels = kara.locator(".form").first.locator(":scope > .field > .label")
    shown = [label.partition("\n")[0] for label in await labels.all_inner_texts()]
    assert "Weapons" in shown
    assert not {"Name", "Side", "Owner", "Id"} & {*shown}
    assert len(shown) <= 8
    await kara.get_by_role("button", name="Add weapon").click()
    weapon = kara.get_by_role("group", name="Weapon 1", exact=True)
    fields = weapon.locator(".form").first.locator(":scope > .field > .label")
    seen = [label.partition("\n")[0] for label in await fields.all_inner_texts()]
    assert seen[:2] == ["Name", "Damage"]
    await weapon.get_by_role("textbox", name="Name", exact=True).fill("Two-handed axe")
    await weapon.get_by_role("textbox", name="Damage", exact=True).fill("1d8")
    await kara.get_by_label("Name", exact=True).first.fill("Kara")
    fighters = await opened(table)
    (axe,) = fighters["Kara"]["sheet"]["weapons"]
    assert (axe["id"], axe["name"]) == ("two-handed-axe", "Two-handed axe")


async def test_sides_are_chosen_from_those_that_exist(seat: Seat) -> None:
    """An empty sheet joins the players' side. The page reports a new side."""
    table = await seat()
    book = "Sovereign"
    dara = "Dara (Knives in the alley)"
    page = await begun(table, dara, "Bandit (Knives in the alley)", "an empty sheet", book=book)
    side = page.get_by_label("Side of Somebody")
    await expect(side).to_have_value("party")
    sides = page.get_by_role("group", name="Sides")
    await expect(sides).to_contain_text("party: Dara, Somebody")
    await expect(sides.get_by_role("status")).to_have_count(0)
    await side.select_option(label="another side…")
    await page.get_by_label("Side of Somebody").fill("partey")
    await page.get_by_label("Side of Somebody").press("Tab")
    await expect(sides.get_by_role("status")).to_contain_text("partey")
    await sides.get_by_role("button", name="Put all on party").click()
    await expect(page.get_by_label("Side of Somebody")).to_have_value("party")
    await expect(sides.get_by_role("status")).to_have_count(0)


async def test_a_fight_of_one_side_is_warned_of(seat: Seat) -> None:
    table = await seat()
    page = await begun(table)
    await page.get_by_role("button", name="Begin", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("Add somebody")
    await page.get_by_role("button", name="Add somebody").click()
    sides = page.get_by_role("group", name="Sides")
    await expect(sides.get_by_role("status")).to_contain_text("no foe")


async def test_everybody_stands_on_a_square_of_an_own_fight(seat: Seat) -> None:
    """The page puts each combatant on a free square near its side, unless a square is typed."""
    table = await seat()
    page = await begun(table, "Troll", "an empty sheet", "an empty sheet")
    names = page.get_by_label("Name", exact=True)
    await names.nth(2).fill("Kara")
    await names.nth(3).fill("Brun")
    square = page.get_by_label("Square of Brun")
    await expect(square).to_have_attribute("placeholder", re.compile(r"-?\d+, -?\d+"))
    await page.get_by_label("Square of Kara").fill("4, 4")
    fighters = await opened(table)
    places = {name: fighter["position"] for name, fighter in fighters.items()}
    assert places["Kara"][:2] == [4, 4]
    assert None not in places.values()
    assert len({tuple(place) for place in places.values()}) == 3


async def test_everybody_stands_on_a_square_of_a_ready_fight(seat: Seat) -> None:
    """The page gives squares to sheets without any, so that the two sides are in reach."""
    table = await seat()
    await table.begin("Among the graves")
    places = [combatant.get("position") for combatant in (await table.asked(""))["combatants"]]
    assert None not in places
    assert len({tuple(place) for place in places}) == 5
    assert {place[0] for place in places} == {0, 1}


async def test_a_fight_without_a_map_has_no_squares(seat: Seat) -> None:
    table = await seat()
    page = await begun(table, "Lin", "Troll")
    await page.get_by_role("group", name="Map").get_by_text("Without a map").click()
    await expect(page.get_by_label("Square of Lin")).to_have_count(0)
    fighters = await opened(table)
    assert [fighter.get("position") for fighter in fighters.values()] == [None, None]


async def test_a_chip_is_dragged_onto_the_map(seat: Seat) -> None:
    table = await seat()
    await table.begin("The troll on the bridge")
    where = {"combatant": "Troll", "to": None}
    before = await table.version()
    await table.told("/rulings", {"ruling": "move", "inputs": where, "reason": ""})
    await table.happened(before)
    page = table.page
    chip = page.get_by_role("list", name="Without a square").locator("li").first
    box = await chip.locator("b").bounding_box()
    plan = await page.locator(".map svg[role=application]").bounding_box()
    assert box is not None
    assert plan is not None
    before = await table.version()
    await page.mouse.move(box["x"] + 4, box["y"] + 4)
    await page.mouse.down()
    to = plan["x"] + plan["width"] / 2, plan["y"] + plan["height"] / 3
    await page.mouse.move(*to, steps=4)
    wanted = await page.evaluate(
        """([x, y]) => {
          const map = document.querySelector(".map svg[role=application]");
          const at = new DOMPoint(x, y).matrixTransform(map.getScreenCTM().inverse());
          return [Math.floor(at.x), Math.floor(at.y)];
        }""",
        list(to),
    )
    await page.mouse.up()
    await table.happened(before)
    troll = (await table.asked(""))["combatants"][1]
    assert troll["position"][:2] == wanted
    assert await page.evaluate("getSelection().toString()") == ""


async def test_links_stay_in_view_and_each_character_has_one(seat: Seat) -> None:
    """The page makes links for new characters. A second link does not hide the first link."""
    table = await seat()
    page = await begun(table, "Lin", "Troll", "an empty sheet")
    await page.get_by_label("Name", exact=True).last.fill("Kara")
    await opened(table)
    await page.get_by_role("button", name="Share").click()
    window = page.get_by_role("dialog")
    before = await table.version()
    await window.locator(".option").filter(has_text="Kara's player").click()
    await expect(window.get_by_role("textbox", name="Link for Kara's player")).to_be_visible()
    await table.happened(before)
    await expect(window.locator(".option").filter(has_text="Kara's player")).to_have_count(1)
    await window.locator(".option").filter(has_text="Lin's player").click()
    await expect(window.get_by_role("textbox", name="Link for Lin's player")).to_be_visible()
    await expect(window.get_by_role("textbox", name="Link for Kara's player")).to_be_visible()
    await expect(window.locator(".option").filter(has_text="Troll's player")).to_have_count(0)
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Share").click()
    await expect(window.get_by_role("textbox", name="Link for Kara's player")).to_be_visible()
    owners = {
        combatant["name"]: combatant.get("owner")
        for combatant in (await table.asked(""))["combatants"]
    }
    assert owners["Kara"] == "Kara's player"


async def test_a_preview_of_points_goes_no_higher_than_they_can(seat: Seat) -> None:
    table = await seat()
    await table.begin("The troll on the bridge")
    page = table.page
    await page.get_by_role("region", name="Order").get_by_role("button", name="Lin").first.click()
    picked = page.get_by_role("region", name="Picked")
    most = (await table.asked(""))["combatants"][0]["tracks"]["hp"]["maximum"]
    await picked.locator("#quick-hp").fill(f"={most + 35}")
    await expect(picked.locator(".points li b").last).to_have_text(str(most))
    await expect(picked).to_contain_text(f"{most} is the most")
