"""A real browser: the system's Chromium, driven by Playwright; its pages are watched."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright

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
    for one in items:
        if one.get_closest_marker("browser"):
            one.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the whole run."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield started
        await started.close()


class Watch:
    """What goes wrong on a page meanwhile. `quiet`: parts of messages that are expected."""

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
        if urlsplit(url).scheme != "data" and not url.startswith(self.origin):
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


@pytest.fixture
async def seat(browser: Browser, server: Server, watch: Watch) -> AsyncIterator[Seat]:
    """Opens a page of its own, with storage of its own: `await seat(url, width=400)`."""
    contexts = []

    async def sit(address: str = "/", width: int = 1280, height: int = 800, **more: str) -> Table:
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if more.get("scheme") == "dark" else "light",
        )
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(20_000)
        watch.over(page)
        await page.goto(address if "://" in address else server.url + address)
        return Table(page, server.url)

    yield sit
    for one in contexts:
        await one.close()
