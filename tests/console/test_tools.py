"""Test the GM's tools, such as newcomers, walls, the clock and standing orders."""

import re
from typing import Any

import pytest
from playwright.async_api import Request, expect

from tests.console.conftest import Seat, Watch
from tests.console.table import Table

pytestmark = pytest.mark.browser


async def sent(table: Table, form: str, button: str) -> None:
    """Send a form as the GM, and wait for its result."""
    before = await table.version()
    await (
        table.page.get_by_role("form", name=form)
        .get_by_role("button", name=button, exact=True)
        .click()
    )
    await table.happened(before)


@pytest.mark.sampled(0)
async def test_newcomers_the_clock_and_standing_orders(seat: Seat) -> None:
    table = await seat()
    await table.begin("Bandits at the ford")
    page = table.page

    await page.get_by_role("button", name="Somebody joins").click()
    form = page.get_by_role("form", name="Somebody joins")
    await expect(form.get_by_label("Like").locator("option").first).to_have_text("Another Bandit")
    side, stands = (form.get_by_role("group", name=name) for name in ("Fights for", "Stands at"))
    await expect(side.get_by_role("button", pressed=True)).to_have_text("bandits")
    await expect(stands.get_by_role("button", name="Choose on the map")).to_be_visible()
    beside = await stands.locator("output").inner_text()
    taken = [
        tuple(combatant["position"][:2]) for combatant in (await table.asked(""))["combatants"]
    ]
    assert tuple(map(int, re.findall(r"-?\d+", beside.replace("−", "-")))) not in taken
    await form.get_by_label("Like").select_option(label="Troll (The troll on the bridge)")
    await expect(side.get_by_role("button", pressed=True)).to_have_text("bandits")  # not "monsters"
    await form.get_by_label("Like").select_option(label="Another Bandit")
    await form.get_by_role("button", name="One Bandit more").click()
    await sent(table, "Somebody joins", "Join")
    order = page.get_by_role("region", name="Order")
    for name in ("Bandit 4", "Bandit 5"):
        await expect(order.get_by_role("button", name=name, exact=False).first).to_be_visible()
    places = [tuple(combatant["position"]) for combatant in (await table.asked(""))["combatants"]]
    assert len(places) == len(set(places)) == 8

    await page.get_by_role("button", name="The clock", exact=True).click()
    await page.get_by_role("form", name="The clock").get_by_label("A turn").fill("90")
    await sent(table, "The clock", "Set the clock")
    await expect(table.card("It is Lin's turn").locator("time")).to_have_text(
        re.compile(r"1:[012]\d")
    )
    await page.get_by_role("button", name="The clock", exact=True).click()
    await sent(table, "The clock", "Stop the clock")
    await expect(table.card("It is Lin's turn").locator("time")).to_have_count(0)
    assert (await table.asked(""))["deadlines"]["stopped"] is True

    await page.get_by_role("button", name="More about Lin").click()
    await page.get_by_role("button", name="Add standing order").click()
    filling = page.get_by_role("group", name="A standing order")
    await filling.get_by_label("Asked").select_option(label="whether it takes a free hit")
    await filling.get_by_label("Answers").select_option(label="Pass")
    await filling.get_by_label("About").select_option(label="Bandit 4")
    before = await table.version()
    await filling.get_by_role("button", name="Give the order").click()
    await table.happened(before)
    orders = page.get_by_role("group", name="Standing orders of Lin")
    told = "whether it takes a free hit: Pass, about Bandit 4"
    await expect(orders.get_by_text(told)).to_be_visible()
    before = await table.version()
    await orders.get_by_role("button", name=f"Remove the order: {told}").click()
    await table.happened(before)
    await expect(orders.get_by_text(told)).to_have_count(0)


async def test_walls_are_drawn_on_the_map(seat: Seat) -> None:
    table = await seat()
    await table.begin("Goblins in the cellar")
    page = table.page
    walls = page.locator(".map rect.ground")
    before = await walls.count()
    await page.get_by_role("button", name="The map", exact=True).click()
    form = page.get_by_role("form", name="The map")
    field = form.get_by_role("textbox")
    was = await field.input_value()
    await field.focus()
    await page.locator(".map svg").focus()
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        await page.keyboard.press(key)
    await expect(field).not_to_have_value(was)
    await expect(walls).to_have_count(before + 1)  # drawn, but not sent yet
    await sent(table, "The map", "Set the map")
    assert len((await table.asked(""))["map"]["blocked"]) == before + 1
    await page.get_by_role("button", name="Take back").click()
    await expect(walls).to_have_count(before)
    await the_map_shows_zones_and_moves(table)
    await page.locator(".order .comes").first.click()
    window = page.get_by_role("dialog")
    await expect(window).to_contain_text(re.compile(r"rolls initiative: \d+ \(1d20\)"))
    await window.get_by_role("button", name="Close").click()
    await page.locator(".combatant.acts .budget .left").first.click()
    await expect(window).to_contain_text("action")
    await expect(window.locator("tr.total")).to_be_visible()


async def viewed(table: Table) -> list[str]:
    """Return left, top and width of the map's view. The height follows the strip above the map."""
    view = await table.page.locator(".map svg").get_attribute("viewBox")
    assert view is not None
    return view.split()[:3]


async def the_map_shows_zones_and_moves(table: Table) -> None:
    """Check that the button shows all zones, and that a drag moves the map and selects nothing."""
    page = table.page
    await expect(page.locator(".zone")).to_have_count(0)
    await page.get_by_role("button", name="Zones").click()
    many = 0
    for combatant in (await table.asked(""))["combatants"]:
        many += len(combatant["derived"]["threatened_squares"])
    assert many > 0
    await expect(page.locator(".zone")).to_have_count(many)
    svg = page.locator(".map svg")
    box = await svg.bounding_box()
    assert box is not None
    was = await viewed(table)
    x, y = box["x"] + 10, box["y"] + 80
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 80, y - 40, steps=3)
    await page.mouse.up()
    assert await viewed(table) != was
    await page.get_by_role("button", name="Fit").click()
    assert await viewed(table) == was


async def test_parts_of_a_sheet_are_forms_and_faults_stand_at_their_fields(
    seat: Seat, watch: Watch
) -> None:
    watch.quiet.append("status of 400")
    asked: list[str] = []
    table = await seat(heard=True)
    page = table.page

    def heard(request: Request) -> None:
        asked.append(request.url)

    page.on("request", heard)
    await page.reload()
    begin = page.get_by_role("button", name="Change it first: The troll on the bridge")
    await expect(begin).to_be_visible()
    paths = [url.removeprefix(table.url) for url in asked if "/v1/" in url]
    assert set(paths) == {"/v1/rulesets", "/v1/combats?limit=1"}  # no complete rulebook
    await begin.click()
    sheet = page.get_by_role("group", name="Sheet of Lin", exact=True)
    await sheet.get_by_role("button", name="Sheet", exact=True).click()
    await sheet.get_by_role("button", name="Add weapon").click()
    weapon = sheet.get_by_role("group", name="Weapon 2", exact=True)
    await weapon.get_by_role("textbox", name="Name", exact=True).fill("club")
    await weapon.get_by_role("textbox", name="Damage", exact=True).fill("much")
    await page.get_by_role("button", name="Begin", exact=True).click()
    wrong = weapon.locator(".field.wrong")
    await expect(wrong.locator(".label").first).to_have_text("Damage")
    await expect(wrong.get_by_role("alert")).to_contain_text("much")
    await weapon.get_by_role("textbox", name="Damage", exact=True).fill("1d4")
    await page.get_by_role("button", name="Begin", exact=True).click()
    await table.settled()
    lin = (await table.asked(""))["combatants"][0]
    assert [(weapon["name"], weapon["damage"]) for weapon in lin["sheet"]["weapons"]] == [
        ("sword", "1d8"),
        ("club", "1d4"),
    ]
    assert await page.locator("input.code").count() == 0


@pytest.mark.sampled(0)
async def test_one_tap_passes_a_reaction_for_the_rest_of_the_round(seat: Seat) -> None:
    """The tap answers now and gives a standing order. One undo takes back both."""
    gm = await seat()
    await gm.begin("The broken gate")
    for who, to in {"Dara": [5, 6], "Bandit": [6, 6]}.items():
        await gm.told("/rulings", {"ruling": "move", "inputs": {"combatant": who, "to": to}})

    async def asked() -> list[tuple[str, str]]:
        prompts = (await gm.asked(""))["prompts"]
        return [(prompt["who"], prompt["kind"]) for prompt in prompts if not prompt["suspended"]]

    async def orders() -> list[dict[str, Any]]:
        board = await gm.asked("")
        told = {combatant["id"]: combatant for combatant in board["combatants"]}
        orders: list[dict[str, Any]] = told["Bandit"].get("standing_orders", [])
        return orders

    while ("Dara", "turn") not in await asked():
        prompt = (await gm.asked(""))["prompts"][0]
        await gm.told(f"/prompts/{prompt['id']}", {"option": prompt["default"], "inputs": {}})
    turn = next(p for p in (await gm.asked(""))["prompts"] if p["who"] == "Dara")
    strike = {"target": "Bandit", "weapon": "sword"}
    await gm.told(f"/prompts/{turn['id']}", {"option": "melee-attack", "inputs": strike})
    await gm.settled()
    assert ("Bandit", "reaction") in await asked()
    before = await gm.version()
    await gm.page.get_by_role("button", name="Pass until the round ends").click()
    await gm.happened(before)
    await gm.settled()
    assert ("Bandit", "reaction") not in await asked()
    (order,) = await orders()
    assert (order["option"], order["until_round"]) == ("pass", 1)
    await gm.page.get_by_role("button", name="↶ Take back").click()
    await gm.settled()
    assert ("Bandit", "reaction") in await asked()
    assert await orders() == []
