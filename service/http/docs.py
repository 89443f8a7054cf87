"""The reference of the API in a browser: Scalar from our own files, without the internet.

It shows one rulebook at a time. The contract of all of them is too large to be read at once.
"""

import gzip
import json
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from domain.errors import Unknown
from domain.rulesets import installed
from service.http import asyncapi, problems
from service.http.contract import contract, examples_of

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
"""Of Scalar: whatever calls other hosts is off."""


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
def _script() -> bytes:
    return gzip.decompress((files("service") / "assets" / "scalar.js.gz").read_bytes())


@cache
def _contract(ruleset: str | None) -> tuple[bytes, str]:
    content = msgspec.json.encode(contract(ruleset))
    return content, blake2b(content, digest_size=9).hexdigest()


@get("/schema", include_in_schema=False)
async def page() -> Response[str]:
    """Return the page."""
    return Response(PAGE, media_type="text/html; charset=utf-8")


@get("/schema/openapi.json", include_in_schema=False)
async def document(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the contract; `?ruleset=free-hit` cuts it to one rulebook."""
    try:
        content, tag = _contract(request.query_params.get("ruleset"))
    except Unknown as error:
        status, content, _ = problems.answer(error)
        return Response(content, status_code=status, media_type=problems.MEDIA_TYPE)
    headers = {"ETag": f'"{tag}"', "Cache-Control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, headers=headers, media_type="application/vnd.oai.openapi+json")


@get("/schema/asyncapi.json", include_in_schema=False)
async def stream_document() -> Response[bytes]:
    """Return the contract of the stream."""
    return Response(asyncapi.encoded(), media_type="application/json")


@get("/schema/scalar.js", include_in_schema=False)
async def script() -> Response[bytes]:
    """Return the viewer."""
    return Response(_script(), media_type="text/javascript")


@get("/schema/start.js", include_in_schema=False)
async def start() -> Response[str]:
    """Return what starts the viewer: pages hold no scripts themselves."""
    return Response(_start(), media_type="text/javascript")


@get("/docs", include_in_schema=False)
async def front() -> Redirect:
    """Where others keep theirs."""
    return Redirect("/schema")


@get("/openapi.json", include_in_schema=False)
async def guessed() -> Redirect:
    """Where others keep their contract."""
    return Redirect("/schema/openapi.json")


HANDLERS: tuple[HTTPRouteHandler, ...] = (
    front,
    guessed,
    page,
    document,
    stream_document,
    start,
    script,
)
