"""Test `@affray/client` in a browser, on a page of another origin. `.ci/clients` builds it."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.async_api import async_playwright

from tests.clients.environment import ROOT
from tests.console.conftest import FLAGS, chromium
from tests.server import Server

HOME = ROOT / "clients" / "typescript"
(EXAMPLE, *_) = re.findall(r"^```js\n(.*?)^```", (HOME / "README.md").read_text(), re.S | re.M)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="no Chromium here (apt-get install chromium)"),
    pytest.mark.skipif(
        not (HOME / "dist" / "index.js").exists(), reason="not built: make test-clients"
    ),
]


@pytest.fixture
async def open_server(dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """Run a service that lets every page call it."""
    monkeypatch.setenv("AFFRAY_CORS_ORIGINS", "*")
    running = Server(dsn).start()
    yield running
    running.stop()


@contextmanager
def site(files: dict[str, str]) -> Iterator[str]:
    """Serve `files` and the built package, and yield the address.

    The address is local, because browsers block calls from public pages to local services.
    """

    class Pages(SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(HOME))

        def do_GET(self) -> None:
            if self.path not in files:
                return super().do_GET()
            kind = "text/javascript" if self.path.endswith(".js") else "text/html"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(files[self.path].encode())
            return None

        def log_message(self, *said: Any) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def test_the_example_plays_a_fight_on_a_page_of_another_origin(open_server: Server) -> None:
    page_text = f"""<!doctype html><title>Table</title>
<script type="importmap">{json.dumps({"imports": {"@affray/client": "/dist/index.js"}})}</script>
<script>globalThis.process = {{ env: {{ AFFRAY_URL: {json.dumps(open_server.url)} }} }};</script>
<script type="module" src="/fight.js"></script>"""
    told: list[str] = []
    with site({"/": page_text, "/fight.js": EXAMPLE}) as url:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            page = await browser.new_page()
            page.on("console", lambda message: told.append(message.text))
            page.on("pageerror", lambda error: told.append(f"error: {error}"))
            async with page.expect_console_message(
                lambda message: "# The bridge" in message.text, timeout=120_000
            ):
                await page.goto(url)
            await browser.close()
    assert not [line for line in told if "rror" in line and "favicon" not in line]
    assert re.search(r"Lin (hits|misses) Troll[^:]*: \d+ \(1d20\)", " ".join(told))
    assert re.search(r"The fight ends; the (heroes|monsters) won", told[-1])
