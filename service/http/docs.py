"""The interactive documentation: Swagger UI from our own files, without the internet."""

import gzip
from functools import cache
from importlib.resources import files

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from service.http import asyncapi
from service.http.contract import encoded

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Affray</title>
<link rel="stylesheet" href="/schema/swagger-ui.css"></head>
<body><div id="docs"></div>
<script src="/schema/swagger-ui-bundle.js"></script>
<script src="/schema/start.js"></script>
</body></html>
"""


START = """SwaggerUIBundle({url: "/schema/openapi.json", dom_id: "#docs", deepLinking: true,
  persistAuthorization: true, tryItOutEnabled: true, docExpansion: "list"})
"""


@cache
def _asset(name: str) -> bytes:
    return gzip.decompress((files("service") / "assets" / f"{name}.gz").read_bytes())


@cache
def _contract() -> bytes:
    return encoded()


@get("/schema", include_in_schema=False)
async def page() -> Response[str]:
    """The page."""
    return Response(PAGE, media_type="text/html; charset=utf-8")


@get("/schema/openapi.json", include_in_schema=False)
async def document() -> Response[bytes]:
    """The contract."""
    return Response(_contract(), media_type="application/vnd.oai.openapi+json")


@get("/schema/asyncapi.json", include_in_schema=False)
async def stream_document() -> Response[bytes]:
    """The contract of the stream."""
    return Response(asyncapi.encoded(), media_type="application/json")


@get("/schema/swagger-ui-bundle.js", include_in_schema=False)
async def script() -> Response[bytes]:
    """Swagger UI."""
    return Response(_asset("swagger-ui-bundle.js"), media_type="text/javascript")


@get("/schema/swagger-ui.css", include_in_schema=False)
async def style() -> Response[bytes]:
    """Its style."""
    return Response(_asset("swagger-ui.css"), media_type="text/css")


@get("/schema/start.js", include_in_schema=False)
async def start() -> Response[str]:
    """What starts Swagger UI: pages hold no scripts themselves."""
    return Response(START, media_type="text/javascript")


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
    style,
)
