"""Test complete fights that a person plays only by the keyboard."""

import re

import pytest
from playwright.async_api import Locator, expect

from tests.console.conftest import Seat
from tests.console.table import Table

pytestmark = pytest.mark.browser

BRIDGE = "The troll on the bridge"
SWORDS = "Two swords"

FAR = 150
"""Maximum number of Tab steps on a first page or a set-up."""
NEAR = 14
"""Maximum number of Tab steps within a dialog or a form."""


class Hands:
    """A person with a keyboard, who looks and types."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.page = table.page

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def tab(self, goal: Locator, most: int = NEAR, key: str = "Tab") -> None:
        """Press Tab until the goal has the focus."""
        await expect(goal).to_be_attached()
        for _ in range(most + 1):
            if await goal.evaluate("goal => goal === document.activeElement"):
                return
            await self.press(key)
        raise AssertionError(f"{most} steps of {key} do not lead to {goal}")

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)

    async def replace(self, text: str) -> None:
        """Replace the text of the field."""
        await self.press("Control+a")
        await self.type(text)

    async def focused(self) -> str:
        """Return the text of the focused element."""
        text: str = await self.page.evaluate(
            """() => {
              const at = document.activeElement;
              return at.getAttribute("aria-label") ?? at.innerText;
            }"""
        )
        return text

    async def asked(self, words: str) -> None:
        """Wait until the first control of a card with these words has the focus."""
        card = self.table.cards().filter(has_text=words)
        await expect(card.first).to_be_visible()
        await self.table.settled()
        await expect(card.locator(":focus")).to_have_count(1)

    async def option(self, name: str) -> None:
        """Press the digit of an option of the focused card."""
        card = self.page.locator("article.card.ask:focus-within")
        card = card if await card.count() else self.table.cards()
        shown = await card.first.locator(".option").all_inner_texts()
        place = next(at for at, text in enumerate(shown, 1) if text.startswith(name))
        await self.press(str(place))

    async def happens(self, *keys: str) -> None:
        """Press keys, and wait until the page shows their result."""
        before = await self.table.version()
        await self.press(*keys)
        await self.table.happened(before)

    async def rolls(self, *faces: int) -> None:
        """Type dice. Enter sends the last one."""
        before = await self.table.version()
        for face in faces:
            await self.type(str(face))
            await self.press("Enter")
        await self.table.happened(before)

    async def set_up(self, party: str, hit_points: dict[str, int]) -> None:
        """Set up weak combatants for a short fight with manual dice."""
        page = self.page
        await self.tab(page.get_by_role("button", name=f"Change it first: {party}"), FAR)
        await self.press("Enter")
        for name, points in hit_points.items():
            sheet = page.get_by_role("group", name=f"Sheet of {name}", exact=True)
            await self.tab(sheet.get_by_role("button", name="Sheet", exact=True), FAR)
            await self.press("Enter")
            field = sheet.get_by_role("spinbutton", name="Max HP", exact=True)
            await self.tab(field, FAR)
            await self.replace(str(points))
        for whose in ("The GM's dice", "The players' dice"):
            dice = page.get_by_role("group", name=whose).get_by_role(
                "button", name="Rolled by hand"
            )
            await self.tab(dice, FAR)
            await self.press("Enter")
        await self.tab(page.get_by_role("button", name="Begin", exact=True), FAR)
        await self.press("Enter")
        await self.table.settled()

    async def made(self, window: Locator, whom: str) -> None:
        """Create the link for a player of the ready fight, or for another person by name."""
        ready = window.locator(".option").filter(has_text=whom)
        if await ready.count():
            await self.tab(ready)
            await self.press("Enter")
            return
        await self.tab(window.get_by_text("For somebody else"))
        await self.press("Enter")
        await self.tab(window.get_by_role("group", name="Plays").get_by_role("button", name=whom))
        await self.press("Enter")
        await self.tab(window.get_by_label("Name of the player"))
        await self.type(f"{whom}'s player")
        await self.press("Enter")

    async def invited(self, whom: str) -> str:
        """Create a link as the GM. The dialog takes the focus and gives it back."""
        before = await self.focused()
        await self.press("s")
        window = self.page.get_by_role("dialog")
        await expect(window.locator(":focus")).to_have_count(1)
        links = window.locator(".fresh input")  # the newest comes first
        earlier = await links.count()
        await self.made(window, whom)
        await expect(links).to_have_count(earlier + 1)
        link = await links.first.input_value()
        await self.press("Escape")
        await expect(window).to_have_count(0)
        assert await self.focused() == before
        return link


@pytest.mark.sampled(0)
async def test_a_fight_of_free_hit_by_keys(seat: Seat) -> None:
    """The GM plays the troll, a player plays Lin, and both roll by hand."""
    gm = Hands(await seat())
    await gm.set_up(BRIDGE, {"Lin": 30, "Troll": 9})
    player = Hands(await seat(await gm.invited("Lin's player")))
    await player.asked("It is Lin's turn")
    await gm.press("?")
    keys = gm.page.get_by_role("dialog", name="Keys")
    await expect(keys.get_by_text("end the turn")).to_be_visible()
    await gm.press("Escape")
    await expect(keys).to_have_count(0)

    await player.option("Strike Troll with")
    await player.asked("rolls 1d20")
    await player.rolls(17)  # 17 + 5 accuracy: a hit
    await player.asked("rolls 1d")
    await player.rolls(4)
    await player.asked("It is Lin's turn")
    troll = gm.page.locator("[data-combatant=Troll] .pool.health")
    hurt = await troll.inner_text()
    assert not hurt.startswith("9")

    await gm.happens("u")  # the GM undoes the damage, and the player rolls again
    await player.asked("rolls 1d")
    await player.rolls(4)
    await expect(troll).to_have_text(hurt, use_inner_text=True)
    await player.asked("It is Lin's turn")
    await player.happens("e")
    await expect(player.page.get_by_text("Waiting for Troll.")).to_be_visible()

    await gm.press("Escape")  # the key returns the focus to the card
    await gm.asked("It is Troll's turn")
    await gm.option("Strike Lin with")
    await gm.asked("rolls 1d20")
    await gm.rolls(18)
    await gm.asked("rolls 1d")
    await gm.rolls(3)
    await gm.press("o")
    await gm.tab(gm.page.locator("[data-combatant=Troll] .name"), key="ArrowDown")
    await gm.press("Enter")
    before = await gm.table.version()
    await gm.type("=1")
    await gm.press("Enter")
    await gm.table.happened(before)
    await expect(troll).to_contain_text("1/9")
    await gm.press("Escape", "Escape")
    await gm.asked("It is Troll's turn")
    await gm.happens("e")
    await player.asked("It is Lin's turn")
    await player.option("Strike Troll with")
    await player.asked("rolls 1d20")
    await player.rolls(19)
    await player.asked("rolls 1d")
    await player.rolls(5)
    for hands in (gm, player):
        await expect(hands.page.get_by_role("heading", name="The fight is over")).to_be_visible()


@pytest.mark.long
async def test_a_fight_of_vile_darkness_by_keys(seat: Seat) -> None:
    """The player and the GM declare each round, until the GM ends the fight."""
    gm = Hands(await seat())
    await gm.set_up(SWORDS, {"Knight": 1})
    player = Hands(await seat(await gm.invited("Brand")))
    await player.asked("Brand")
    over = gm.page.get_by_role("button", name="End the fight…")
    heading = gm.page.get_by_role("heading", name="The fight is over")
    for _ in range(60):
        if await over.count():
            break
        for hands in (player, gm):
            await answer(hands)
    await gm.press("k", "k")  # the card before the prompt
    await expect(over).to_be_focused()
    await gm.press("Enter")
    window = gm.page.get_by_role("dialog", name="End the fight?")
    await expect(window.locator(":focus")).to_have_count(1)
    await gm.tab(window.get_by_role("button", name="End the fight", exact=True))
    await gm.press("Enter")
    await expect(heading).to_be_visible()
    await expect(player.page.get_by_role("heading", name="The fight is over")).to_be_visible()


async def answer(hands: Hands) -> None:
    """Answer the first card, if there is one, as a fighter would."""
    await hands.table.settled()
    if not await hands.table.cards().count():
        return
    await hands.press("Escape")
    card = hands.page.locator("article.card.ask:focus-within")
    await expect(card).to_have_count(1)
    before = await hands.table.version()
    dice = card.locator(".faces input")
    if await dice.count():
        sides = [int(await locator.get_attribute("max") or 6) for locator in await dice.all()]
        await hands.rolls(*sides)
        return
    shown = await card.locator(".option").all_inner_texts()
    place = next((at for at, text in enumerate(shown, 1) if re.match("Attack|Strike", text)), 1)
    await hands.press(str(place))
    if await card.locator("form.filling").count():
        await hands.press("Enter")
    await hands.table.happened(before)


async def test_a_form_takes_digits_and_gives_the_focus_back(seat: Seat) -> None:
    hands = Hands(await seat())
    page = hands.page
    await hands.tab(page.get_by_role("button", name="Begin Bandits at the ford"), FAR)
    await hands.press("Enter")
    await hands.asked("It is Lin's turn")
    card = page.locator("article.card.ask:focus-within")
    await hands.option("Act later this round")
    form = card.locator("form.filling")
    await expect(form.locator("[type=submit]")).to_be_focused()
    await hands.press("Escape")
    await expect(form).to_have_count(0)
    await expect(card.locator(".option:focus")).to_contain_text("Act later this round")
    await hands.press("Enter")
    chips = form.locator(".chips").first.get_by_role("button")
    await expect(chips.nth(1)).to_be_visible()
    await hands.press("2")
    await expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")
    await expect(form.locator("[type=submit]")).to_be_focused()
    await hands.happens("Enter")
    await hands.asked("It is Mara's turn")


async def test_the_map_is_walked_with_arrows(seat: Seat) -> None:
    hands = Hands(await seat())
    page = hands.page
    await hands.tab(page.get_by_role("button", name=f"Begin {BRIDGE}"), FAR)
    await hands.press("Enter")
    await hands.asked("It is Lin's turn")
    before = (await hands.table.asked(""))["combatants"][0]["position"]
    await hands.press("m", "m")  # the first m goes to the map, the second selects the token on turn
    await hands.press("ArrowDown")
    await expect(page.locator(".says.move")).to_contain_text(re.compile("Move|square|ft", re.I))
    await hands.happens("Enter")
    after = (await hands.table.asked(""))["combatants"][0]["position"]
    assert after != before
    await hands.press("Escape")
    await hands.asked("It is Lin's turn")


async def test_windows_and_removed_things_give_the_focus_back(seat: Seat) -> None:
    """The focus returns to the opener of a closed dialog, or leaves a removed row for another.

    One of the dialogs is on top of another dialog.
    """
    hands = Hands(await seat())
    page = hands.page
    await hands.tab(page.get_by_role("button", name=f"Change it first: {BRIDGE}"), FAR)
    await hands.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    await hands.tab(page.get_by_role("button", name="Remove Troll"), FAR)
    await hands.press("Enter")
    assert await page.evaluate("document.activeElement !== document.body")
    await hands.tab(page.get_by_role("button", name="← Back"), FAR, key="Shift+Tab")
    await hands.press("Enter")
    assert await page.evaluate("document.activeElement !== document.body")
    await hands.tab(page.get_by_role("button", name=f"Begin {BRIDGE}"), FAR)
    await hands.press("Enter")
    await hands.asked("It is Lin's turn")
    await hands.press("s")
    window = page.get_by_role("dialog", name="Who else is at the table")
    revoke = window.get_by_role("button", name="Revoke GM")
    await hands.tab(revoke)
    await hands.press("Enter")
    sure = page.get_by_role("dialog", name="Revoke this link?")
    await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    for leave in ("Enter", "Escape"):
        await hands.press(leave)
        await expect(page.locator("dialog")).to_have_count(1)
        await expect(revoke).to_be_focused()
        await hands.press("Enter")
        await expect(sure.get_by_role("button", name="Cancel")).to_be_focused()
    await hands.press("Escape")
    await expect(revoke).to_be_focused()
    await hands.press("Escape")
    await hands.asked("It is Lin's turn")
