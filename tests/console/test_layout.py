"""Test that the map stays in view, and that the bar groups the options by cost."""

from typing import Any

import pytest

from tests.console.conftest import Seat
from tests.console.table import Table
from tests.forms import forms

pytestmark = pytest.mark.browser

SIZES = {(1280, 800): (756, 380), (390, 844): (390, 240)}
"""Minimum size of the map for each size of the screen."""

FIGHTS = (
    "Goblins in the cellar",
    "Bandits at the ford",
    "Among the graves",
    "The broken gate",
    "The stairs below",
)
"""A ready fight of each rulebook."""


async def boxes(table: Table) -> dict[str, Any]:
    """Return left, top, width and height of the map, the strip and the bar."""
    measured: dict[str, Any] = await table.page.evaluate(
        """names => Object.fromEntries(names.map(name => {
          const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
          return [name, [x, y, width, height]];
        }))""",
        [".map svg", ".middle > .result", ".cards", ".ribbon"],
    )
    return measured


@forms("fight", FIGHTS[0], long=FIGHTS[1:])
async def test_the_map_is_in_view_while_something_is_asked(seat: Seat, fight: str) -> None:
    """An open form grows the bar, not the page."""
    table = await seat()
    await table.begin(fight)
    forms = table.cards().first.locator(".costs:not(.idle) .option[aria-expanded]")
    for (wide, high), least in SIZES.items():
        await table.page.set_viewport_size({"width": wide, "height": high})
        for index in range(await forms.count() + 1):
            if index > 0:
                await forms.nth(index - 1).click()
            x, y, width, height = (await boxes(table))[".map svg"]
            assert width >= least[0]
            assert height >= least[1]
            assert x >= 0
            assert 0 <= y < y + height <= high
            scrolled = (
                "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
            )
            assert await table.page.evaluate(scrolled) == [high, wide]


async def test_results_stand_right_above_the_buttons(seat: Seat) -> None:
    """The map and the ribbon do not move when the next prompt opens."""
    table = await seat()
    await table.begin("Bandits at the ford")
    before = await boxes(table)
    await table.option(table.card("It is Lin's turn"), "Boost the aim")
    after = await boxes(table)
    assert before[".map svg"][:3] == after[".map svg"][:3]
    assert before[".ribbon"] == after[".ribbon"]
    strip, bar = after[".middle > .result"], after[".cards"]
    assert strip[3] >= 56
    assert 0 <= bar[1] - (strip[1] + strip[3]) <= 2


async def test_options_stand_by_cost_with_attacks_first(seat: Seat) -> None:
    """The button that ends the turn is separate. The first attack is highlighted."""
    table = await seat()
    await table.begin("The troll on the bridge")
    card = table.card("It is Lin's turn")
    first = card.locator(".costs").first
    await first.locator(".price").wait_for()
    assert (await card.locator(".option").first.inner_text()).startswith("Strike Troll")
    assert "primary" in str(await card.locator(".option").first.get_attribute("class"))
    apart = await card.locator(".apart .option").all_inner_texts()
    assert apart[0].startswith("End the turn")
    assert not any(text.startswith("Strike") for text in apart)
    for group in await card.locator(".costs:has(.price)").all():
        label = await group.get_attribute("aria-label")
        assert label == await group.locator(".price").inner_text()


async def test_the_order_follows_who_acts(seat: Seat) -> None:
    """The list of combatants scrolls until the combatant on turn is visible."""
    table = await seat(height=640)
    await table.begin("Bandits at the ford")
    for name in ("Lin", "Mara", "Odo", "Bandit"):
        await table.option(table.card(f"It is {name}'s turn"), "End the turn")
    acts = table.page.locator(".combatant.acts")
    inside = await acts.evaluate(
        """row => {
          const order = row.closest(".order").getBoundingClientRect();
          const { top, bottom } = row.getBoundingClientRect();
          return order.top <= top && bottom <= order.bottom + 1;
        }"""
    )
    assert inside


async def test_each_part_fills_the_phone_while_something_is_asked(seat: Seat) -> None:
    """On a phone, the order and the log are 240 px high or more, and the menu fits the width."""
    table = await seat()
    await table.begin("The stairs below")
    await table.page.set_viewport_size({"width": 390, "height": 844})
    parts = table.page.get_by_role("navigation", name="Parts")
    for part, column in (("Fight", ".column.left"), ("Log", ".column.right")):
        await parts.get_by_role("button", name=part).click()
        box = await table.page.locator(column).bounding_box()
        assert box is not None
        assert box["height"] >= 240
    await table.page.get_by_role("button", name="Menu").click()
    for button in await table.page.locator(".menu button").all():
        box = await button.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390


@pytest.mark.sampled
@pytest.mark.parametrize("size", sorted(SIZES))
async def test_a_form_that_opens_can_be_sent_where_it_opens(
    seat: Seat, size: tuple[int, int]
) -> None:
    """The submit button is in view for forms of any length."""
    table = await seat()
    await table.begin("Bandits at the ford")
    await table.page.set_viewport_size({"width": size[0], "height": size[1]})
    forms = table.cards().first.locator(".option[aria-expanded]")
    for index in range(await forms.count()):
        await forms.nth(index).click()
        send = table.cards().first.locator("form.filling [type=submit]")
        await send.wait_for()
        shown = await send.evaluate(
            """button => {
              const { left, top, width, height } = button.getBoundingClientRect();
              const hit = document.elementFromPoint(left + width / 2, top + height / 2);
              return button.contains(hit);
            }"""
        )
        assert shown, await forms.nth(index).inner_text()


async def test_what_sends_a_form_covers_no_field(seat: Seat) -> None:
    """The form of an aimed attack fits on a phone. In a longer form, only the fields scroll."""
    table = await seat(width=390, height=844)
    await table.begin("The troll on the bridge")
    card = table.card("It is Lin's turn")
    await card.get_by_role("button", name="More choices: Attack", exact=True).click()
    form = card.locator("form.filling")
    await form.wait_for()
    fields = form.locator("> .form")
    gap = """form => form.querySelector(":scope > .send").getBoundingClientRect().top
      - form.querySelector(":scope > .form").getBoundingClientRect().bottom"""
    for height in (844, 600):
        await table.page.set_viewport_size({"width": 390, "height": height})
        assert await form.evaluate(gap) >= 0  # both at one moment, because the card may scroll
        cut = await fields.evaluate("form => form.scrollHeight > form.clientHeight")
        assert cut == (height < 844)
