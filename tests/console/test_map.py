"""Test the map: drags of tokens, the ruler, areas, and the places of new combatants."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, Route, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

DUEL = "A duel"
TROLL = "The troll on the bridge"


def token(table: Table, who: str) -> Locator:
    return table.page.locator(f"[data-token='{who}']")


async def middle(table: Table, square: tuple[int, int]) -> tuple[float, float]:
    """Return the screen position of the centre of a square."""
    point: list[float] = await table.page.evaluate(
        """([x, y]) => {
          const svg = document.querySelector(".map svg");
          const at = new DOMPoint(x + 0.5, y + 0.5).matrixTransform(svg.getScreenCTM());
          return [at.x, at.y];
        }""",
        list(square),
    )
    return point[0], point[1]


async def dragged(table: Table, start: tuple[int, int], end: tuple[int, int], drop: bool) -> None:
    """Drag from one square to another, as a hand does."""
    mouse = table.page.mouse
    await mouse.move(*await middle(table, start))
    await mouse.down()
    await mouse.move(*await middle(table, end), steps=8)
    if drop:
        await mouse.up()


async def where(table: Table, who: str) -> Any:
    board = await table.asked("")
    return next(
        combatant["position"] for combatant in board["combatants"] if combatant["id"] == who
    )


async def test_a_token_is_dragged_where_nobody_reacts(seat: Seat) -> None:
    """A drag shows the cost of a move. The page sends the move when the person lets go."""
    table = await seat()
    await table.begin("Bandits at the ford")
    x, y, _ = await where(table, "Lin")
    say = table.page.get_by_role("status", name="Move")
    await dragged(table, (x, y), (x - 2, y), drop=False)
    await expect(say).to_contain_text("2 of 6 spaces")
    await expect(say).to_contain_text("Nobody reacts.")
    await expect(table.page.locator(".ghost")).to_have_count(1)
    assert await where(table, "Lin") == [x, y, 0]
    before = await table.version()
    await table.page.mouse.up()
    await table.happened(before)
    assert await where(table, "Lin") == [x - 2, y, 0]
    await expect(say).to_have_count(0)


async def test_a_drag_asks_again_when_the_fight_went_on_meanwhile(seat: Seat) -> None:
    table = await seat()
    await table.begin("Bandits at the ford")
    x, y, _ = await where(table, "Lin")

    async def overtaken(route: Route) -> None:
        late = await route.fetch()
        before = await table.version()
        hurt = {"combatant": "Lin", "track": "hp", "value": 1}
        await table.told("/rulings", {"ruling": "set-track", "inputs": hurt})
        await table.happened(before)
        await route.fulfill(response=late)

    await table.page.route("**/options?*reach=yes*", overtaken, times=1)
    await dragged(table, (x, y), (x - 2, y), drop=False)
    say = table.page.get_by_role("status", name="Move")
    await expect(say).to_contain_text("2 of 6 spaces")


async def test_a_declared_move_is_dragged_too(seat: Seat) -> None:
    """The form of a declared move has only one field, the path."""
    table = await seat()
    await table.begin("The stairs below")
    x, y, _ = await where(table, "Cultist-3")
    row = table.page.locator("article.row[data-prompt^='Cultist-3:']")
    await row.get_by_role("button", name="More", exact=True).click()
    await row.get_by_role("button", name="Move…", exact=True).click()
    labels = row.locator("form.filling .form > .field > .label")
    await expect(labels).to_have_text(["Path"])
    await row.get_by_role("button", name="Not this").click()
    say = table.page.get_by_role("status", name="Move")
    await dragged(table, (x, y), (x + 1, y), drop=False)
    await expect(say).to_contain_text("5 of 120 ft")
    before = await table.version()
    await table.page.mouse.up()
    await table.happened(before)
    events = (await table.asked("/events?type=action-declared&limit=500"))["events"]
    (move,) = (event["data"] for event in events if event["data"]["action"] == "move")
    assert (move["who"], move["inputs"]["path"]) == ("Cultist-3", [[x + 1, y, 0]])
    assert await where(table, "Cultist-3") == [x, y, 0]  # it moves in its turn


async def test_a_move_that_provokes_says_who_and_where_and_waits(seat: Seat) -> None:
    table = await seat()
    await table.begin(TROLL)
    await table.cards().first.get_by_role("button", name="Move…", exact=True).click()
    listed = table.page.get_by_label("Legal goals").locator("option").filter(has_text="past")
    await expect(listed.first).to_have_text(re.compile(r"^\(−?\d+, −?\d+\): \d+, past Troll$"))
    await table.page.get_by_role("button", name="Not this").click()
    x, y, _ = await where(table, "Lin")
    troll = await where(table, "Troll")
    away = (2 * x - troll[0], 2 * y - troll[1])
    await dragged(table, (x, y), away, drop=True)
    say = table.page.get_by_role("status", name="Move")
    await expect(say).to_contain_text(f"Troll may react at ({x}, {y})".replace("-", "−"))
    await expect(table.page.locator(".reaction text")).to_have_text("1")
    await expect(table.page.locator(".zone.side-1").first).to_be_attached()
    assert await where(table, "Lin") == [x, y, 0]
    before = await table.version()
    await say.get_by_role("button", name="Move, 1 reaction").click()
    await table.happened(before)
    await expect(table.cards().first).to_contain_text("Troll")  # the Troll may strike


async def test_escape_and_the_way_back_cancel_a_drag(seat: Seat) -> None:
    table = await seat()
    await table.begin(TROLL)
    x, y, _ = await where(table, "Lin")
    before = await table.version()
    await dragged(table, (x, y), (x + 1, y + 1), drop=False)
    await table.page.mouse.move(*await middle(table, (x, y)), steps=3)
    await table.page.mouse.up()
    await expect(table.page.get_by_role("status", name="Move")).to_have_count(0)
    await token(table, "Lin").click()  # tap the token, then the goal, then the button
    say = table.page.get_by_role("status", name="Move")
    await expect(say).to_contain_text("tap where to go")
    await table.page.mouse.click(*await middle(table, (x, y + 1)))
    await expect(say.get_by_role("button", name=re.compile("^Move"))).to_be_visible()
    await table.page.keyboard.press("m")
    await table.page.keyboard.press("Escape")
    await expect(say).to_have_count(0)
    assert await table.version() == before


async def test_the_gm_puts_somebody_anywhere_by_a_tap_of_its_own(seat: Seat) -> None:
    table = await seat()
    await table.begin(TROLL)
    x, y, _ = await where(table, "Troll")
    await dragged(table, (x, y), (x + 1, y - 2), drop=True)
    assert await where(table, "Troll") == [x, y, 0]
    before = await table.version()
    await table.page.get_by_role("button", name="Put it there").click()
    await table.happened(before)
    assert await where(table, "Troll") == [x + 1, y - 2, 0]


async def test_who_has_no_square_stands_beside_the_map(seat: Seat) -> None:
    table = await seat()
    await table.begin(TROLL)
    where_to = {"combatant": "Troll", "to": None}
    before = await table.version()
    await table.told("/rulings", {"ruling": "move", "inputs": where_to, "reason": ""})
    await table.happened(before)
    beside = table.page.get_by_role("list", name="Without a square")
    await expect(beside).to_contain_text("Troll has no square")
    before = await table.version()
    await beside.get_by_role("button", name="Place Troll").click()
    await table.page.mouse.click(*await middle(table, (2, -1)))
    await table.happened(before)
    assert await where(table, "Troll") == [2, -1, 0]
    await expect(beside).to_have_count(0)


async def test_tokens_show_hit_points_and_conditions(seat: Seat) -> None:
    table = await seat()
    await table.begin(TROLL)
    board = await table.asked("")
    lin = next(combatant for combatant in board["combatants"] if combatant["id"] == "Lin")
    whole = await token(table, "Lin").locator(".hp").get_attribute("width")
    half = {"combatant": "Lin", "amount": lin["tracks"]["hp"]["value"] // 2}
    before = await table.version()
    await table.told("/rulings", {"ruling": "damage", "inputs": half, "reason": ""})
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    assert await table.version() > before
    left = await token(table, "Lin").locator(".hp").get_attribute("width")
    assert float(left or 0) < 0.7 * float(whole or 0)
    held = [
        combatant for combatant in (await table.asked(""))["combatants"] if combatant["id"] == "Lin"
    ]
    assert len(held[0]["conditions"]) > 0
    await expect(token(table, "Lin").locator(".mark")).to_have_count(len(held[0]["conditions"]))


async def test_ruler_and_areas(seat: Seat) -> None:
    """Between two combatants, the ruler shows the distance that the rulebook defines."""
    table = await seat()
    await table.begin("Bandits at the ford")
    lin, bandit = await where(table, "Lin"), await where(table, "Bandit")
    said = table.page.locator("p.says")
    before = await table.version()
    await table.page.get_by_role("button", name="Ruler").click()
    await dragged(table, (lin[0], lin[1]), (bandit[0], bandit[1]), drop=True)
    sight = await table.asked("/sight?combatant=Lin&target=Bandit")
    await expect(said).to_contain_text(f"Lin to Bandit: {sight['distance']} {sight['unit']}")
    await table.page.get_by_role("button", name="Area").click()
    await table.page.get_by_label("Form of the area").select_option("circle")
    await table.page.get_by_label("Size of the area").select_option("1")
    await dragged(table, (lin[0], lin[1]), (bandit[0], bandit[1]), drop=True)
    await expect(said).to_have_text(re.compile(r"^Inside: Bandit[ ,.]"))
    await expect(table.page.locator(".template rect")).to_have_count(5)
    assert await table.version() == before


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_the_edges_number_the_squares(seat: Seat, size: tuple[int, int]) -> None:
    """Each number is in line with its column or row, also on a magnified map."""
    table = await seat()
    await table.page.set_viewport_size({"width": size[0], "height": size[1]})
    await table.begin("Bandits at the ford")
    x, y, _ = await where(table, "Lin")
    frame = table.page.locator(".map svg")
    for nearer in (False, True):
        if nearer:
            tools = table.page.get_by_role("button", name="Tools")  # folded on a phone
            if await tools.is_visible():
                await tools.click()
            await table.page.get_by_role("button", name="Closer").click()
        column = frame.locator(f"[data-column='{x}']")
        row = frame.locator(f"[data-row='{y}']")
        await expect(column).to_have_text(str(x))
        await expect(row).to_have_text(str(y))
        middle_x, middle_y = await middle(table, (x, y))
        outer, below, beside = [
            await part.bounding_box() or pytest.fail("not drawn") for part in (frame, column, row)
        ]
        assert abs(below["x"] + below["width"] / 2 - middle_x) < 2
        assert abs(beside["y"] + beside["height"] / 2 - middle_y) < 4
        assert abs(below["y"] + below["height"] - outer["y"] - outer["height"]) < 12
        assert abs(beside["x"] - outer["x"]) < 12


async def test_a_card_that_grows_moves_nobody_on_the_map(seat: Seat) -> None:
    """A larger card does not change the scale of the map or the places of the tokens."""
    table = await seat()
    await table.begin("Bandits at the ford")
    places = [await where(table, who) for who in ("Lin", "Bandit")]

    async def seen(cards: int) -> tuple[float, list[Any]]:
        """Set the height of the cards in px. Return the map's height and where both tokens are."""
        await table.page.evaluate(
            """async (height) => {
              const { style } = document.querySelector(".middle > .cards");
              [style.flex, style.height] = ["none", `${height}px`];
              for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
            }""",
            cards,
        )
        box = await table.page.locator(".map svg").bounding_box()
        assert box is not None
        return box["height"], [await middle(table, (x, y)) for x, y, _ in places]

    (low, before), (high, after) = await seen(250), await seen(120)
    assert high > low + 60
    for (x, y), (was_x, was_y) in zip(after, before, strict=True):
        assert max(abs(x - was_x), abs(y - was_y)) < 1


@pytest.mark.parametrize(
    ("form", "size", "count", "inside", "outside"),
    [
        ("circle", 2, 13, (2, 0), (2, 1)),
        ("square", 2, 25, (2, 2), (3, 0)),
        ("line", 4, 4, (4, 0), (3, 1)),
        ("cone", 3, 9, (3, 1), (1, 1)),
    ],
)
async def test_areas_cover_squares(
    seat: Seat, form: str, size: int, count: int, inside: Any, outside: Any
) -> None:
    """A template starts at `(0, 0)` and points east. A cone is as wide as it is long."""
    table = await seat()
    answer = await table.page.evaluate(
        """async ([form, size]) =>
          (await import(window.at + "map/areas.js")).covered({ form, size }, [0, 0], [5, 0])""",
        [form, size],
    )
    squares = {tuple(square) for square in answer}
    assert len(squares) == len(answer)
    assert inside in squares
    assert outside not in squares
    if form != "cone":
        assert len(squares) == count
