"""Fixtures that drive the system's Chromium with Playwright and watch its pages for errors."""

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
"""Sets `window.at` to the folder of the page's modules, so that a test imports the same modules."""

Seat = Callable[..., Awaitable[Table]]


def chromium() -> str | None:
    """Return the path of the browser. `AFFRAY_BROWSER` overrides the system's Chromium."""
    named = os.environ.get("AFFRAY_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the browser tests with a reason if there is no browser."""
    if chromium() is not None:
        return
    reason = "no Chromium here (apt-get install chromium): the page is not tried in a browser"
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
async def server(server_dsn: str) -> AsyncIterator[Server]:
    """Run one service for all tests of the page. Each test opens separate fights."""
    async with database(server_dsn) as dsn:
        running = Server(dsn).start()
        yield running
        running.stop()


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield started
        await started.close()


class Watch:
    """A recorder of the errors of pages.

    `quiet` holds parts of messages that the test expects.
    """

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.faults: list[str] = []
        self.quiet: list[str] = []

    def over(self, page: Page) -> None:
        """Start to record the errors of a page."""
        page.on("pageerror", self._failed)
        page.on("console", self._logged)
        page.on("request", self._asked)

    def off(self, page: Page) -> None:
        """Stop recording the errors of a page, which the next test uses."""
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
            return  # the browser logs each refusal of the rules
        if not any(part in text for part in self.quiet):
            self.faults.append(text)


@pytest.fixture
async def watch(server: Server) -> AsyncIterator[Watch]:
    """Fail the test if a page logs an error or sends a request to another origin."""
    watching = Watch(server.url)
    yield watching
    assert watching.faults == []


class Place:
    """A browser context with one tab. Tests reuse it, because pages load slower in a new tab."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.tab: Page | None = None

    async def taken(self, size: tuple[int, int], scheme: Literal["dark", "light"]) -> Page:
        if self.tab is None:
            self.tab = await self.context.new_page()
            await self.tab.add_init_script(AT)
            self.tab.set_default_timeout(20_000)
        await self.tab.set_viewport_size({"width": size[0], "height": size[1]})
        await self.tab.emulate_media(media="null", color_scheme=scheme)
        return self.tab

    async def left(self, *, closed: bool) -> None:
        """Clear the storage, routes and pages of the test. If `closed`, also close the tab."""
        pages = [page for page in self.context.pages if not page.is_closed()]
        if pages:
            await pages[0].evaluate("localStorage.clear()")
        for page in pages:
            if page is not self.tab or closed:
                await page.close()
        if self.tab is None or self.tab.is_closed():
            self.tab = None
            return
        await self.tab.unroute_all(behavior="ignoreErrors")  # a route may still be answering
        await self.tab.evaluate("sessionStorage.clear()")
        await self.tab.goto("about:blank")


@pytest.fixture(scope="session")
async def places(browser: Browser) -> AsyncIterator[list[Place]]:
    """Keep the browser contexts of earlier tests, in the order of their seats."""
    made: list[Place] = []
    yield made
    for place in made:
        await place.context.close()


@pytest.fixture
async def seat(
    browser: Browser, server: Server, watch: Watch, places: list[Place]
) -> AsyncIterator[Seat]:
    """Return a function that opens a page with separate storage: `await seat(url, width=400)`.

    With `heard=True`, the test listens to events of the tab, and the fixture closes the tab at the
    end.
    """
    numbers = count()  # of seats, some taken concurrently
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
