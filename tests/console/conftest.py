"""A real browser: the system's Chromium, driven by Playwright. Its pages are watched."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    async_playwright,
)

from tests.conftest import database
from tests.console.table import Table
from tests.server import Server

NAMES = ("chromium", "chromium-browser", "google-chrome")
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

Drawer = tuple[int, int, int, str]
"""Which seat of a test, width and height, light or dark."""

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
        page.on("pageerror", lambda error: self._fault(f"error: {error}"))
        page.on("console", self._logged)
        page.on("request", lambda request: self._left(request.url))

    def _logged(self, told: ConsoleMessage) -> None:
        if told.type == "error":
            self._fault(told.text)

    def _left(self, url: str) -> None:
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


@pytest.fixture(scope="session")
async def drawers(browser: Browser) -> AsyncIterator[dict[Drawer, BrowserContext]]:
    """Browsers that earlier tests have left, with the page's files in their caches."""
    kept: dict[Drawer, BrowserContext] = {}
    yield kept
    for browser_context in kept.values():
        await browser_context.close()


@pytest.fixture
async def seat(
    browser: Browser, server: Server, watch: Watch, drawers: dict[Drawer, BrowserContext]
) -> AsyncIterator[Seat]:
    """Opens a page of its own, with storage of its own: `await seat(url, width=400)`."""
    pages: list[Page] = []

    async def sit(address: str = "/", width: int = 1280, height: int = 800, **more: str) -> Table:
        scheme = "dark" if more.get("scheme") == "dark" else "light"
        drawer = (len(pages), width, height, scheme)
        if drawer not in drawers:
            drawers[drawer] = await browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
            )
        page = await drawers[drawer].new_page()
        await page.add_init_script(AT)
        pages.append(page)
        page.set_default_timeout(20_000)
        watch.over(page)
        await page.goto(address if "://" in address else server.url + address)
        return Table(page, server.url)

    yield sit
    for one in pages:
        if not one.is_closed():
            await one.evaluate("localStorage.clear()")
            await one.close()
