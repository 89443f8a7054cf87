"""A person at the page: look, click, type. Everything is found by role and name."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from playwright.async_api import Locator, Page, expect
from playwright.async_api import TimeoutError as Late

expect.set_options(timeout=20_000)  # a machine may have other work


class Table:
    """One browser's page at a table."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    async def begin(self, party: str) -> None:
        """One click: a ready fight."""
        await self.page.get_by_role("button", name=f"Begin {party}", exact=True).click()
        await self.settled()

    @property
    def combat(self) -> str:
        """The combat's id, from the address."""
        return self.page.url.partition("#c=")[2].partition("&")[0]

    async def token(self) -> str:
        """The token that the tab keeps."""
        kept: str = await self.page.evaluate(f"sessionStorage.getItem('affray:{self.combat}')")
        return kept

    async def asked(self, path: str) -> Any:
        """The service's answer about the combat, with the tab's own token."""
        answer = await self.page.request.get(
            f"{self.url}/v1/combats/{self.combat}{path}",
            headers={"Authorization": f"Bearer {await self.token()}"},
        )
        return await answer.json()

    async def told(
        self, path: str, body: object, token: str | None = None, method: str = "POST"
    ) -> Any:
        """Tells the service something, as whoever has that token; else as the tab."""
        answer = await self.page.request.fetch(
            f"{self.url}/v1/combats/{self.combat}{path}",
            method=method,
            headers={"Authorization": f"Bearer {token or await self.token()}"},
            data=body,
        )
        assert answer.ok, await answer.text()
        return await answer.json()

    async def invited(self, whom: object) -> str:
        """A new token."""
        issued = await self.told("/tokens", whom)
        return str(issued["token"])

    async def end(self) -> None:
        """The GM ends the fight, where it has not ended by itself."""
        button = self.page.get_by_role("button", name="End…")
        if await button.count():
            before = await self.version()
            await button.click()
            await self.page.get_by_role("button", name="End the fight").click()
            await self.happened(before)

    def cards(self) -> Locator:
        """The open prompts."""
        return self.page.locator("article.card.ask")

    def card(self, text: str) -> Locator:
        return self.cards().filter(has_text=text).first

    async def version(self) -> int:
        return int(await self.page.locator(".table").get_attribute("data-version") or 0)

    async def settled(self) -> None:
        """Waits until the page has asked all that it wants to know."""
        await expect(self.page.locator(".table[data-version][aria-busy=false]")).to_be_visible()
        await expect(self.page.locator(".cards.fresh")).to_have_count(0)  # clicks count again

    async def happened(self, since: int) -> None:
        """Waits until the page shows something newer, whole."""
        await self.page.wait_for_function(
            "since => Number(document.querySelector('.table')?.dataset.version) > since", arg=since
        )
        await self.settled()

    async def option(self, card: Locator, name: str) -> None:
        """Clicks an option, and sends its form where it has one."""
        before = await self.version()
        await card.locator(".option").filter(has_text=re.compile(rf"^{re.escape(name)}")).click()
        form = card.locator("form.filling")
        if await form.count():
            await form.locator("[type=submit]").click()
        await self.happened(before)

    async def dice(self, card: Locator, faces: Sequence[int]) -> None:
        """Clicks what fell and sends it; large dice are typed."""
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
        """Answers one card as somebody would who wants to fight; False when nothing is asked.

        `highest`: dice by hand always fall well.
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
        names = [one.partition("\n")[0] for one in shown]
        wanted = [
            name
            for name in names
            if re.search(r"attack|strike|charge|shoot|target|take", name, re.I)
        ]
        usual = [
            name for one, name in zip(shown, names, strict=True) if "\nchosen if nobody" in one
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
                continue
            return True
        raise AssertionError(f"nothing can be answered: {await card.inner_text()}")

    async def happened_or_refused(self, since: int, card: Locator) -> None:
        """Waits for something new; a refusal is an AssertionError with its words."""
        await self.page.wait_for_function(
            """since => Number(document.querySelector('.table')?.dataset.version) > since
              || document.querySelector('.card .fault, .card .field.wrong')""",
            arg=since,
        )
        if await self.version() <= since:
            raise AssertionError(await card.locator(".fault, .field.wrong").first.inner_text())
        await self.settled()
