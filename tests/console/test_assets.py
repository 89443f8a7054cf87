"""Test the size of the page's files, their imports and their headers."""

import posixpath
import re
from graphlib import TopologicalSorter

from service.http.console import assets
from tests.client import Client

IMPORT = re.compile(
    r"""^(?:import|export)\b[^;"'=(]*["']([^"'\n]+)["']|[}\w]from["']([^"']+)["']""", re.M
)
"""Matches imports as people write them and as minifiers do."""


def test_the_page_is_light() -> None:
    sent = sum(len(asset.compressed) for asset in assets().values())
    assert sent < 180_000


def test_modules_are_found_by_relative_paths() -> None:
    """Modules import only paths, because the content policy forbids the map for bare names."""
    for name, asset in assets().items():
        if name.endswith(".js"):
            for wanted in IMPORT.findall(asset.body.decode()):
                assert "".join(wanted).startswith("."), (name, wanted)


def test_no_module_leads_back_to_itself() -> None:
    """The page's modules have no import cycles, so each can be understood and moved alone."""
    ours = {
        name: [
            posixpath.normpath(posixpath.join(posixpath.dirname(name), "".join(word)))
            for word in IMPORT.findall(asset.body.decode())
        ]
        for name, asset in assets().items()
        if name.endswith(".js") and not name.startswith("vendor/")
    }
    assert set(ours) <= set(TopologicalSorter(ours).static_order())


def test_only_one_module_knows_the_libraries() -> None:
    for name, asset in assets().items():
        if name.endswith(".js") and name != "view.js" and not name.startswith("vendor/"):
            assert "vendor/" not in asset.body.decode(), name


def test_only_one_module_calls_the_service_beside_the_stream() -> None:
    callers = [name for name, asset in assets().items() if re.search(rb"\bfetch\(", asset.body)]
    assert [caller for caller in callers if not caller.startswith("vendor/")] == [
        "http.js",
        "sse.js",
    ]


async def test_the_page_is_sent_under_a_strict_policy(client: Client) -> None:
    page = await client.http.get("/")
    policy = page.headers["content-security-policy"]
    assert page.status_code == 200
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert re.findall(r"<script[^>]*>[^<]", page.text) == []


async def test_files_are_compressed_and_kept(client: Client) -> None:
    first = await client.http.get("/console/main.js")
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["content-type"].startswith("text/javascript")
    tag = first.headers["etag"]
    again = await client.http.get("/console/main.js", headers={"If-None-Match": tag})
    assert again.status_code == 304
    plain = await client.http.get("/console/main.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content


async def test_what_the_page_names_is_kept_until_something_changes(client: Client) -> None:
    page = await client.http.get("/")
    assert page.headers["cache-control"] == "no-cache"
    named = re.findall(r'(?:href|src)="(/console/[^"]+)"', page.text)
    editions = {path.split("/")[2] for path in named}
    assert len(editions) == 1
    main = await client.http.get(next(path for path in named if path.endswith("/main.js")))
    assert "immutable" in main.headers["cache-control"]
    older = await client.http.get("/console/@123456789/main.js")
    assert (older.headers["cache-control"], older.content) == ("no-cache", main.content)


async def test_there_is_nothing_else(client: Client) -> None:
    for path in ("/console/none.js", "/console/../app.py", "/console/vendor/renew"):
        assert (await client.http.get(path)).status_code == 404
    assert (await client.http.head("/")).status_code == 200
