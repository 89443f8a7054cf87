"""The documentation at `/docs`, as `make docs` built it, and the pages of problem types.

Without a built site, `/docs` redirects to the reference at `/schema`, and a problem type answers
only with its title.
"""

import mimetypes
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from litestar.exceptions import NotFoundException
from litestar.response import Redirect

from service.http.operation import Request
from service.http.pages import POLICY, Asset, asset_of, page
from service.http.problems import TITLES

FOLDER: Final = Path(__file__).parents[1] / "site"

_INLINE: Final = re.compile(rb"<script>(.*?)</script>", re.S)


@cache
def _file(path: Path) -> Asset:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    body = path.read_bytes()
    return asset_of(body, text, _policy(body))


def _policy(body: bytes) -> str:
    """Return the Content-Security-Policy that allows exactly the page's own inline scripts."""
    digests = (b64encode(sha256(script).digest()).decode() for script in _INLINE.findall(body))
    allowed = "".join(f" 'sha256-{digest}'" for digest in dict.fromkeys(digests))
    return POLICY.replace("script-src 'self'", f"script-src 'self'{allowed}")


@page("/docs")
def front(request: Request) -> Redirect:
    """Redirect to the first page, or to the reference if the site is not built."""
    return Redirect("/docs/index.html" if (FOLDER / "index.html").is_file() else "/schema")


@page("/docs/{path:path}")
def document(request: Request) -> Asset:
    """Return a file of the site."""
    file = (FOLDER / str(request.path_params["path"]).removeprefix("/")).resolve()
    if not file.is_file() or not file.is_relative_to(FOLDER.resolve()):
        raise NotFoundException("there is no such page; `make docs` builds the documentation")
    return _file(file)


@page("/problems/{name:str}")
def problem(request: Request) -> Asset | Redirect:
    """Explain a type of problem."""
    name = request.path_params["name"]
    if name not in TITLES:
        raise NotFoundException(f"there are the problem types {', '.join(TITLES)}")
    if (FOLDER / "how-to" / "errors.html").is_file():
        return Redirect(f"/docs/how-to/errors.html#{name}")
    status, title = TITLES[name]
    return asset_of(f"{status} {title}\n".encode(), "text/plain; charset=utf-8")


HANDLERS: Final = (front, document, problem)
