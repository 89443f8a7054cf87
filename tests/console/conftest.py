"""A real browser: the system's Chromium, driven by Playwright. Its pages are watched."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    async_playwright,
)

from tests.conftest import database
from tests.console.table import Table
from tests.server import Server

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

AT = """Object.defineProperty(window, "at", {
  get: () => document.querySelector("script[type=module]").src.replace("main.js", ""),
})"""
"""Where the page's modules are: a test that imports one gets the page's own."""

Seat = Callable[..., Awaitable[Table]]


def chromium() -> str | None:
    """Where the system's browser is; AFFRAY_BROWSER names another."""
    named = os.environ.get("AFFRAY_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser, its tests are left out, and the report says so."""
    if chromium() is not None:
        return
    reason = "no Chromium here (apt-get install chromium): the page is not tried in a browser"
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
async def server(server_dsn: str) -> AsyncIterator[Server]:
    """One service for all tests of the page: each test opens fights of its own."""
    async with database(server_dsn) as dsn:
        running = Server(dsn).start()
        yield running
        running.stop()


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the whole run."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield started
        await started.close()


class Watch:
    """The errors of a page. `quiet`: parts of expected messages."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.faults: list[str] = []
        self.quiet: list[str] = []

    def over(self, page: Page) -> None:
        """Watch it."""
        page.on("pageerror", self._failed)
        page.on("console", self._logged)
        page.on("request", self._asked)

    def off(self, page: Page) -> None:
        """Leave it to the next test."""
        page.remove_listener("pageerror", self._failed)
        page.remove_listener("console", self._logged)
        page.remove_listener("request", self._asked)

    def _failed(self, error: Error) -> None:
        self._fault(f"error: {error}")

    def _logged(self, told: ConsoleMessage) -> None:
        if told.type == "error":
            self._fault(told.text)

    def _asked(self, request: Request) -> None:
        url = request.url
        if urlsplit(url).scheme not in ("data", "blob") and not url.startswith(self.origin):
            self._fault(f"left the origin: {url}")

    def _fault(self, text: str) -> None:
        if "status of 409" in text:
            return  # the browser logs every refusal of the rules
        if not any(part in text for part in self.quiet):
            self.faults.append(text)


@pytest.fixture
async def watch(server: Server) -> AsyncIterator[Watch]:
    """Fails the test when a page logs an error or asks somebody else for something."""
    watching = Watch(server.url)
    yield watching
    assert watching.faults == []


class Place:
    """One browser storage with one tab. Tests take turns at it: a warm tab loads twice as fast."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.tab: Page | None = None

    async def taken(self, size: tuple[int, int], scheme: Literal["dark", "light"]) -> Page:
        """Return the tab for the next test."""
        if self.tab is None:
            self.tab = await self.context.new_page()
            await self.tab.add_init_script(AT)
            self.tab.set_default_timeout(20_000)
        await self.tab.set_viewport_size({"width": size[0], "height": size[1]})
        await self.tab.emulate_media(media="null", color_scheme=scheme)
        return self.tab

    async def left(self, *, closed: bool) -> None:
        """Clear what the test has stored, routed and opened. `closed`: also close the tab."""
        pages = [page for page in self.context.pages if not page.is_closed()]
        if pages:
            await pages[0].evaluate("localStorage.clear()")
        for page in pages:
            if page is not self.tab or closed:
                await page.close()
        if self.tab is None or self.tab.is_closed():
            self.tab = None
            return
        await self.tab.unroute_all(behavior="ignoreErrors")  # one may still be answering
        await self.tab.evaluate("sessionStorage.clear()")
        await self.tab.goto("about:blank")


@pytest.fixture(scope="session")
async def places(browser: Browser) -> AsyncIterator[list[Place]]:
    """The places of earlier tests, the first seat's first."""
    made: list[Place] = []
    yield made
    for place in made:
        await place.context.close()


@pytest.fixture
async def seat(
    browser: Browser, server: Server, watch: Watch, places: list[Place]
) -> AsyncIterator[Seat]:
    """Opens a page of its own, with storage of its own: `await seat(url, width=400)`.

    `heard=True`: the test listens to the tab's events, and the tab is closed afterwards.
    """
    numbers = count()  # of seats, some of which are taken at the same time
    opening = asyncio.Lock()
    taken: list[tuple[Place, Page, bool]] = []

    async def sit(
        address: str = "/",
        width: int = 1280,
        height: int = 800,
        scheme: Literal["dark", "light"] = "light",
        heard: bool = False,
    ) -> Table:
        number = next(numbers)
        async with opening:
            while len(places) <= number:
                places.append(Place(await browser.new_context()))
        place = places[number]
        page = await place.taken((width, height), scheme)
        taken.append((place, page, heard))
        watch.over(page)
        await page.goto(address if "://" in address else server.url + address)
        return Table(page, server.url)

    yield sit
    for place, page, heard in taken:
        await place.left(closed=heard)
        watch.off(page)
