"""The page at `/`: our own files, whole and compressed in memory, under a policy of their own.

The page names its files with the edition in their paths (`/console/@1a2b…/main.js`), so that a
browser keeps them and asks for the page alone; modules import each other by relative paths. The
page uses the public API alone, and this module does not know its purpose.
"""

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler, route
from litestar.params import FromPath

from service.http.door import UNCOMPRESSED
from service.http.handlers import has_named
from service.http.operation import Request

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'"
)
"""Content-Security-Policy: nothing from elsewhere, nothing inline, no markup made of texts."""

POLICIES: Final = {"Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}

TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}

MODULES: Final = "<!-- modules -->"

KEEP: Final = "public, max-age=31536000, immutable"
ASK: Final = "no-cache"


@dataclass(frozen=True)
class Asset:
    """A file in the form that is sent. `tag` changes with its content."""

    body: bytes
    compressed: bytes
    media_type: str
    tag: str


@cache
def assets() -> dict[str, Asset]:
    """Every file of the page, by its path; the page itself asks for all modules at once."""
    found = _found()
    modules = sorted(name for name in found if name.endswith(".js"))
    links = "\n".join(f'<link rel="modulepreload" href="/console/{name}">' for name in modules)
    page = found["index.html"].replace(MODULES.encode(), links.encode())
    page = page.replace(b'"/console/', f'"/console/{edition()}/'.encode())
    return {name: _asset(name, body) for name, body in {**found, "index.html": page}.items()}


@cache
def edition() -> str:
    """Return a name for the present content of all files."""
    whole = blake2b(digest_size=9)
    for name, body in _found().items():
        whole.update(name.encode() + b"\0" + body)
    return f"@{whole.hexdigest()}"


def _found() -> dict[str, bytes]:
    return dict(_walk(files("service") / "console", ""))


def _walk(folder: Traversable, at: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for traversable in sorted(folder.iterdir(), key=lambda traversable: traversable.name):
        if traversable.is_dir():
            found += _walk(traversable, f"{at}{traversable.name}/")
        elif _suffix(traversable.name) in TYPES:
            found.append((at + traversable.name, traversable.read_bytes()))
    return found


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]


def _asset(name: str, body: bytes) -> Asset:
    return asset_of(body, f"{TYPES[_suffix(name)]}; charset=utf-8")


def asset_of(body: bytes, media_type: str) -> Asset:
    """Return content that is compressed once, for all who ask for it."""
    tag = blake2b(body, digest_size=9).hexdigest()
    return Asset(body, gzip.compress(body, 9, mtime=0), media_type, tag)


def sent(request: Request, asset: Asset, cache: str = ASK) -> Response[bytes]:
    """Return the answer with an asset; 304 if the client has it."""
    headers = {"ETag": f'"{asset.tag}"', "Cache-Control": cache}
    if asset.media_type.startswith("text/html"):
        headers |= POLICIES
    if has_named(request, asset.tag):
        return Response(b"", status_code=304, headers=headers)
    body = asset.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = asset.compressed
    headers |= {"Content-Type": asset.media_type, "Content-Length": str(len(body))}
    return Response(b"" if request.method == "HEAD" else body, headers=headers)


@route("/", http_method=["GET", "HEAD"], include_in_schema=False, opt={UNCOMPRESSED: True})
async def page(request: Request) -> Response[bytes]:
    """Return the page."""
    return sent(request, assets()["index.html"])


@route(
    "/console/{path:path}",
    http_method=["GET", "HEAD"],
    include_in_schema=False,
    opt={UNCOMPRESSED: True},
)
async def asset(request: Request, path: FromPath[str]) -> Response[bytes]:
    """Return a file of the page; caches do not keep it under the path of another edition."""
    name = path.removeprefix("/")
    stamp, _, rest = name.partition("/")
    found = assets().get(rest if stamp.startswith("@") else name)
    if found is None:
        raise NotFoundException("there is no such file")
    return sent(request, found, KEEP if stamp == edition() else ASK)


HANDLERS: tuple[HTTPRouteHandler, ...] = (page, asset)
