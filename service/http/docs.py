"""The reference of the API in a browser: Scalar from our own files, without the internet.

It shows one rulebook at a time. The contract of all of them is too large to be read at once.
"""

import gzip
import json
from functools import cache
from importlib.resources import files

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from domain.rulesets import installed
from service.http import asyncapi
from service.http.console import Asset, asset_of, sent
from service.http.contract import contract, examples_of
from service.http.door import PAGE_POLICY, UNCOMPRESSED
from service.http.operation import Request

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Affray: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><div id="docs"></div>
<script src="/schema/scalar.js"></script>
<script src="/schema/start.js"></script>
</body></html>
"""

SETTINGS = {
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
    forget = 'localStorage.removeItem("authorized")\n'  # an earlier viewer kept tokens there
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


@cache
def _stream_contract() -> Asset:
    return asset_of(asyncapi.encoded(), "application/json")


@get("/schema", include_in_schema=False)
async def page() -> Response[str]:
    """Return the page."""
    return Response(PAGE, media_type="text/html; charset=utf-8", headers=PAGE_POLICY)


@get("/schema/openapi.json", include_in_schema=False, opt={UNCOMPRESSED: True})
async def document(request: Request) -> Response[bytes]:
    """Return the contract; `?ruleset=free-hit` cuts it to one rulebook."""
    return sent(request, _contract(request.query_params.get("ruleset")))


@get("/schema/asyncapi.json", include_in_schema=False, opt={UNCOMPRESSED: True})
async def stream_document(request: Request) -> Response[bytes]:
    """Return the contract of the stream."""
    return sent(request, _stream_contract())


@get("/schema/scalar.js", include_in_schema=False, opt={UNCOMPRESSED: True})
async def script(request: Request) -> Response[bytes]:
    """Return the viewer."""
    return sent(request, _script())


@get("/schema/start.js", include_in_schema=False)
async def start() -> Response[str]:
    """Return what starts the viewer: pages hold no scripts themselves."""
    return Response(_start(), media_type="text/javascript")


@get("/openapi.json", include_in_schema=False)
async def guessed() -> Redirect:
    """Where others keep their contract."""
    return Redirect("/schema/openapi.json")


HANDLERS: tuple[HTTPRouteHandler, ...] = (
    guessed,
    page,
    document,
    stream_document,
    start,
    script,
)
