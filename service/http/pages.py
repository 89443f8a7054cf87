"""Pages and files that the service itself sends. They are compressed in memory, with an ETag."""

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from litestar import Response
from litestar.handlers import HTTPRouteHandler, route
from litestar.response import Redirect

from service.http.door import UNCOMPRESSED
from service.http.handlers import has_named
from service.http.operation import Request

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
"""The usual Content-Security-Policy: nothing from elsewhere, no script within the page."""


@dataclass(frozen=True)
class Asset:
    """Content in the form in which Affray sends it. `tag` changes with the content."""

    body: bytes
    compressed: bytes
    tag: str
    headers: Mapping[str, str]


def asset_of(body: bytes, media_type: str, policy: str = POLICY) -> Asset:
    """Return content that is compressed once, for all requests."""
    headers = {"Content-Type": media_type, "Cache-Control": "no-cache"}
    if media_type.startswith("text/html"):
        headers |= {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    tag = blake2b(body, digest_size=9).hexdigest()
    return Asset(body, gzip.compress(body, 9, mtime=0), tag, headers)


def page(path: str) -> Callable[[Callable[[Request], Asset | Redirect]], HTTPRouteHandler]:
    """Answer GET and HEAD of a path with the asset that the function finds."""

    def made(find: Callable[[Request], Asset | Redirect]) -> HTTPRouteHandler:
        async def answer(request: Request) -> Response[Any]:
            page = find(request)
            return _sent(request, page) if isinstance(page, Asset) else page

        return route(
            path,
            http_method=["GET", "HEAD"],
            include_in_schema=False,
            opt={UNCOMPRESSED: True},
        )(answer)

    return made


def _sent(request: Request, asset: Asset) -> Response[bytes]:
    headers = {**asset.headers, "ETag": f'"{asset.tag}"'}
    if has_named(request, asset.tag):
        del headers["Content-Type"]
        return Response(b"", status_code=304, headers=headers)
    body = asset.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = asset.compressed
    headers["Content-Length"] = str(len(body))
    return Response(b"" if request.method == "HEAD" else body, headers=headers)
