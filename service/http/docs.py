"""The reference of the API in a browser: Scalar from our own files, without the internet.

It shows one rulebook at a time, because the contract of all of them is too long to read.
"""

import gzip
import json
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from litestar.response import Redirect
from msgspec import Struct

from domain.rulesets import installed
from service.http import asyncapi
from service.http.contract import contract, examples_of
from service.http.operation import Request
from service.http.pages import Asset, asset_of, page
from service.http.request_reader import query_of

PAGE: Final = b"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Affray: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><div id="docs"></div>
<script src="/schema/scalar.js"></script>
<script src="/schema/start.js"></script>
</body></html>
"""

SETTINGS: Final = {
    "withDefaultFonts": False,
    "telemetry": False,
    "persistAuth": False,  # no token stays in the browser
    "hideClientButton": True,
    "hideModels": True,
    "showDeveloperTools": "never",
    "documentDownloadType": "none",
    "agent": {"disabled": True},
    "mcp": {"disabled": True},
}
"""Options of Scalar that call other hosts are off."""


class ContractQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`ruleset` limits the contract to one rulebook."""

    ruleset: str | None = None


def _start() -> str:
    first_examples = sorted(installed().values(), key=lambda ruleset: ruleset.id != examples_of())
    sources = [
        {
            "title": f"{ruleset.id}: {ruleset.title}",
            "slug": ruleset.id,
            "url": f"/schema/openapi.json?ruleset={ruleset.id}",
        }
        for ruleset in first_examples
    ]
    forget = 'localStorage.removeItem("authorized")\n'  # an earlier release kept tokens there
    settings = json.dumps({**SETTINGS, "sources": sources})
    return f'{forget}Scalar.createApiReference("#docs", {settings})\n'


@cache
def _script() -> Asset:
    packed = (files("service") / "assets" / "scalar.js.gz").read_bytes()
    return asset_of(gzip.decompress(packed), "text/javascript; charset=utf-8")


@cache
def _contract(ruleset: str | None) -> Asset:
    content = msgspec.json.encode(contract(ruleset))
    return asset_of(content, "application/vnd.oai.openapi+json")


@page("/schema")
def viewer(request: Request) -> Asset:
    """Return the page."""
    return asset_of(PAGE, "text/html; charset=utf-8")


@page("/schema/openapi.json")
def document(request: Request) -> Asset:
    """Return the contract. `?ruleset=free-hit` limits it to one rulebook."""
    return _contract(query_of(ContractQuery, request).ruleset)


@page("/schema/asyncapi.json")
def stream_document(request: Request) -> Asset:
    """Return the contract of the stream."""
    return _stream_contract()


@cache
def _stream_contract() -> Asset:
    return asset_of(asyncapi.encoded(), "application/json")


@page("/schema/scalar.js")
def script(request: Request) -> Asset:
    """Return the viewer."""
    return _script()


@page("/schema/start.js")
def start(request: Request) -> Asset:
    """Return the script that starts the viewer, because pages contain no scripts."""
    return asset_of(_start().encode(), "text/javascript; charset=utf-8")


@page("/openapi.json")
def guessed(request: Request) -> Redirect:
    """Redirect from an address where other services publish their contract to Affray's contract."""
    return Redirect("/schema/openapi.json")


HANDLERS: Final = (guessed, viewer, document, stream_document, start, script)
