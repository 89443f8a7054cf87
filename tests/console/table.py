"""A person at the page, who looks, clicks and types. Tests find everything by role and name."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from playwright.async_api import Locator, Page, expect
from playwright.async_api import TimeoutError as Late

expect.set_options(timeout=20_000)  # for a busy machine


class Table:
    """One browser's page at a table."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    async def begin(self, party: str) -> None:
        """Begin a ready fight with one click."""
        await self.page.get_by_role("button", name=f"Begin {party}", exact=True).click()
        await self.settled()

    @property
    def combat(self) -> str:
        """Return the combat's id from the address."""
        return self.page.url.partition("#c=")[2].partition("&")[0]

    async def token(self) -> str:
        """Return the token that the tab stores."""
        kept: str = await self.page.evaluate(f"sessionStorage.getItem('affray:{self.combat}')")
        return kept

    async def asked(self, path: str) -> Any:
        """Return the service's answer about the combat for the tab's token."""
        answer = await self.page.request.get(
            f"{self.url}/v1/combats/{self.combat}{path}",
            headers={"Authorization": f"Bearer {await self.token()}"},
        )
        return await answer.json()

    async def told(
        self, path: str, body: object, token: str | None = None, method: str = "POST"
    ) -> Any:
        """Send a request to the service with `token`, or with the tab's token."""
        answer = await self.page.request.fetch(
            f"{self.url}/v1/combats/{self.combat}{path}",
            method=method,
            headers={"Authorization": f"Bearer {token or await self.token()}"},
            data=body,
        )
        assert answer.ok, await answer.text()
        return await answer.json()

    async def invited(self, whom: object) -> str:
        """Create a token, and return it."""
        issued = await self.told("/tokens", whom)
        return str(issued["token"])

    async def end(self) -> None:
        """End the fight as the GM, unless it has ended already."""
        button = self.page.get_by_role("button", name="End…")
        if await button.count():
            before = await self.version()
            await button.click()
            await self.page.get_by_role("button", name="End the fight").click()
            await self.happened(before)

    def cards(self) -> Locator:
        """Return the cards of open prompts."""
        return self.page.locator("article.card.ask")

    def card(self, text: str) -> Locator:
        return self.cards().filter(has_text=text).first

    async def version(self) -> int:
        return int(await self.page.locator(".table").get_attribute("data-version") or 0)

    async def settled(self) -> None:
        """Wait until the page has received the answers to all its requests."""
        await expect(self.page.locator(".table[data-version][aria-busy=false]")).to_be_visible()
        await expect(self.page.locator(".cards.fresh")).to_have_count(0)  # clicks count again

    async def happened(self, since: int) -> None:
        """Wait until the page shows a version after `since` completely."""
        await self.page.wait_for_function(
            "since => Number(document.querySelector('.table')?.dataset.version) > since", arg=since
        )
        await self.settled()

    async def option(self, card: Locator, name: str) -> None:
        """Click an option, and send its form if it has one."""
        before = await self.version()
        await card.locator(".option").filter(has_text=re.compile(rf"^{re.escape(name)}")).click()
        form = card.locator("form.filling")
        if await form.count():
            await form.locator("[type=submit]").click()
        await self.happened(before)

    async def dice(self, card: Locator, faces: Sequence[int]) -> None:
        """Enter dice by click, or by key for large dice, and send them."""
        before = await self.version()
        for index, face in enumerate(faces):
            button = card.locator(".die").get_by_role("button", name=str(face), exact=True)
            if await button.count():
                await button.click()
            else:
                await card.locator(".faces input").nth(index).fill(str(face))
        await card.locator(".faces [type=submit]").click()
        await self.happened(before)

    async def step(self, chance: Random, highest: bool = False) -> bool:
        """Answer one card as a fighter would. Return false if no prompt is open.

        With `highest`, manual dice always show their highest faces.
        """
        await self.settled()
        card = self.cards().first
        if not await card.count():
            return False
        inputs = card.locator(".faces input")
        if await inputs.count():
            sides = [int(await locator.get_attribute("max") or 6) for locator in await inputs.all()]
            faces = [most if highest else chance.randint(1, most) for most in sides]
            await self.dice(card, faces)
            return True
        shown = [await locator.inner_text() for locator in await card.locator(".option").all()]
        names = [text.partition("\n")[0] for text in shown]
        wanted = [
            name
            for name in names
            if re.search(r"attack|strike|charge|shoot|target|take", name, re.I)
        ]
        usual = [
            name for text, name in zip(shown, names, strict=True) if "\nchosen if nobody" in text
        ]
        for name in (*wanted[:2], *usual, *names):
            before = await self.version()
            await card.locator(".option").nth(names.index(name)).click()
            form = card.locator("form.filling")
            try:
                if await form.count():
                    await form.locator("[type=submit]").click(timeout=5000)
                await self.happened_or_refused(before, card)
            except (AssertionError, Late):
                await self.settled()
                if await self.version() == before:
                    continue
            return True
        raise AssertionError(f"nothing can be answered: {await card.inner_text()}")

    async def happened_or_refused(self, since: int, card: Locator) -> None:
        """Wait for a new version. A refusal raises an AssertionError with its text."""
        await self.page.wait_for_function(
            """since => Number(document.querySelector('.table')?.dataset.version) > since
              || document.querySelector('.card .fault, .card .field.wrong')""",
            arg=since,
        )
        if await self.version() <= since:
            raise AssertionError(await card.locator(".fault, .field.wrong").first.inner_text())
        await self.settled()
