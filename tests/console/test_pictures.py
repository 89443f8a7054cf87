"""Test pictures of tokens and of the map, and who can see them."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.async_api import FilePayload, expect

from tests.console.conftest import Seat
from tests.console.table import Table
from tests.console.test_map import token
from tests.console.test_table import invited

pytestmark = pytest.mark.browser

DUEL = "A duel"


def file(colour: str, size: tuple[int, int] = (300, 300)) -> FilePayload:
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return {"name": f"{colour}.png", "mimeType": "image/png", "buffer": out.getvalue()}


async def named(table: Table) -> tuple[str, str]:
    """Return id and name of the first combatant."""
    first = (await table.asked(""))["combatants"][0]
    return first["id"], first["name"]


async def give(table: Table, name: str, picture: FilePayload) -> None:
    page = table.page
    since = await table.version()
    await page.get_by_role("button", name=f"More about {name}").click()
    await page.get_by_role("button", name="Change the sheet").click()
    group = page.get_by_role("group", name=f"Picture of {name}")
    await group.locator("input[type=file]").set_input_files(picture)
    await expect(group.locator("img")).to_be_visible()
    await (
        page.get_by_role("form", name=f"Sheet of {name}")
        .get_by_role("button", name="Set", exact=True)
        .click()
    )
    await table.happened(since)


@pytest.mark.sampled(0)
async def test_a_token_shows_the_picture_of_its_sheet_until_undo(seat: Seat) -> None:
    table = await seat()
    await table.begin(DUEL)
    id, name = await named(table)
    await give(table, name, file("purple"))
    face = token(table, id).locator("image.face")
    await expect(face).to_have_count(1)
    assert (await face.get_attribute("href") or "").startswith("blob:")
    await expect(token(table, id).locator("rect.hp")).to_have_count(1)
    since = await table.version()
    await table.page.keyboard.press("Control+z")
    await table.happened(since)
    await expect(face).to_have_count(0)


@pytest.mark.sampled(0)
async def test_a_phone_and_the_television_show_it_and_the_hidden_is_nowhere(seat: Seat) -> None:
    table = await seat()
    await table.begin(DUEL)
    id, name = await named(table)
    await give(table, name, file("green"))
    phone = await seat(await invited(table, f"{name}'s player"), width=390, height=844)
    screen = await seat(await invited(table, "A screen for everyone"), width=1920, height=1080)
    for other in (phone, screen):
        await expect(token(other, id).locator("image.face")).to_have_count(1)
    since = await table.version()
    await table.page.get_by_role("button", name="Hide", exact=True).click()
    await table.happened(since)
    await expect(screen.page.locator("image.face")).to_have_count(0)


async def test_set_up_gives_pictures_before_the_fight_is_there(seat: Seat) -> None:
    table = await seat()
    page = table.page
    await page.get_by_role("button", name=f"Change it first: {DUEL}").click()
    await page.get_by_role("button", name="Sheet", exact=True).first.click()
    group = page.get_by_role("group", name="Picture of").first
    await group.locator("input[type=file]").set_input_files(file("orange", (900, 300)))
    await expect(group.locator("img")).to_be_visible()
    await page.reload()
    await page.get_by_role("button", name="Sheet", exact=True).first.click()
    await expect(group.locator("img")).to_be_visible()
    await page.get_by_role("button", name="Begin", exact=True).click()
    await page.locator(".table").wait_for()
    await expect(page.locator("image.face")).to_have_count(1)


async def test_the_map_has_a_background_with_a_place_and_a_width(seat: Seat) -> None:
    table = await seat()
    await table.begin(DUEL)
    page = table.page
    since = await table.version()
    await page.get_by_role("button", name="The map").click()
    await page.get_by_role("button", name="Add background").click()
    group = page.get_by_role("group", name="Picture", exact=True)
    await group.locator("input[type=file]").set_input_files(file("khaki", (400, 200)))
    await expect(group.locator("img")).to_be_visible()
    await page.get_by_label("Columns").fill("12.5")
    await page.get_by_role("button", name="Set the map").click()
    await table.happened(since)
    background = page.locator(".map image.background")
    await expect(background).to_have_attribute("width", "12.5")
    await expect(background).to_have_attribute("height", "6.25")


async def test_what_is_no_picture_is_said_in_words(seat: Seat) -> None:
    table = await seat()
    await table.begin(DUEL)
    _, name = await named(table)
    page = table.page
    await page.get_by_role("button", name=f"More about {name}").click()
    await page.get_by_role("button", name="Change the sheet").click()
    group = page.get_by_role("group", name=f"Picture of {name}")
    text: FilePayload = {"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"}
    await group.locator("input[type=file]").set_input_files(text)
    await expect(group.get_by_role("alert")).to_contain_text("This is no picture")
