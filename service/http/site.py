"""The documentation at `/docs`, as `make docs` built it, and the pages of problem types.

Without a built site, `/docs` leads to the reference at `/schema`, and a problem type answers with
its title alone.
"""

import mimetypes
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler, get, route
from litestar.params import FromPath
from litestar.response import Redirect

from service.http.console import Asset, asset_of, sent
from service.http.door import PAGE_POLICY, UNCOMPRESSED
from service.http.operation import Request
from service.http.problems import TITLES

FOLDER: Final = Path(__file__).parents[1] / "site"

_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.S)


@cache
def _file(path: Path) -> Asset:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return asset_of(path.read_bytes(), text)


def _policy(page: bytes) -> str:
    """Return the Content-Security-Policy that allows exactly the page's own inline scripts."""
    digests = (b64encode(sha256(script).digest()).decode() for script in _INLINE.findall(page))
    allowed = "".join(f" 'sha256-{digest}'" for digest in dict.fromkeys(digests))
    policy = PAGE_POLICY["Content-Security-Policy"]
    return policy.replace("script-src 'self'", f"script-src 'self'{allowed}")


@get("/docs", include_in_schema=False)
async def front() -> Redirect:
    """Lead to the first page, or to the reference if the site is not built."""
    return Redirect("/docs/index.html" if (FOLDER / "index.html").is_file() else "/schema")


@route(
    "/docs/{path:path}",
    http_method=["GET", "HEAD"],
    include_in_schema=False,
    opt={UNCOMPRESSED: True},
)
async def page(request: Request, path: FromPath[str]) -> Response[bytes]:
    """Return a file of the site."""
    file = (FOLDER / path.removeprefix("/")).resolve()
    if not file.is_file() or not file.is_relative_to(FOLDER.resolve()):
        raise NotFoundException("there is no such page; `make docs` builds the documentation")
    asset = _file(file)
    answer = sent(request, asset)
    if asset.media_type.startswith("text/html"):
        answer.headers["Content-Security-Policy"] = _policy(asset.body)
    return answer


@get("/problems/{name:str}", include_in_schema=False)
async def problem(name: FromPath[str]) -> Redirect | Response[str]:
    """Explain a type of problem."""
    if name not in TITLES:
        raise NotFoundException(f"there are the problem types {', '.join(TITLES)}")
    if (FOLDER / "how-to" / "errors.html").is_file():
        return Redirect(f"/docs/how-to/errors.html#{name}")
    status, title = TITLES[name]
    return Response(f"{status} {title}\n", media_type="text/plain; charset=utf-8")


HANDLERS: tuple[HTTPRouteHandler, ...] = (front, page, problem)
