"""The page at `/`: static files, compressed in memory, with a Content-Security-Policy of their own.

The paths of the page's files contain the edition (`/console/@1a2b…/main.js`). Therefore, a browser
can cache the files and request only the page again. Modules import each other by relative paths.
The page uses only the public API, and this module does not depend on the page's content.
"""

import re
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from litestar.exceptions import NotFoundException

from service.http.operation import Request
from service.http.pages import Asset, asset_of, page

FOLDER: Final = Path(__file__).parents[1] / "console"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'"
)
"""The Content-Security-Policy of the page.

The page loads nothing from other hosts, runs no inline code, and makes no markup from texts. It
reads a picture with a token, and shows the picture from memory (`blob:`).
"""

TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}

MODULES: Final = "<!-- modules -->"

KEEP: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def assets() -> dict[str, Asset]:
    """Return every file of the page, by its path. The page preloads all of its modules."""
    files = _found()
    modules = sorted(name for name in files if name.endswith(".js"))
    links = "\n".join(f'<link rel="modulepreload" href="/console/{name}">' for name in modules)
    index = files["index.html"].replace(MODULES.encode(), links.encode())
    index = index.replace(b'"/console/', f'"/console/{edition()}/'.encode())
    return {
        name: asset_of(body, f"{TYPES[Path(name).suffix]}; charset=utf-8", POLICY)
        for name, body in {**files, "index.html": index}.items()
    }


@cache
def edition() -> str:
    """Return a name for the current content of all files."""
    whole = blake2b(digest_size=9)
    for name, body in _found().items():
        whole.update(name.encode() + b"\0" + body)
    return f"@{whole.hexdigest()}"


def _found() -> dict[str, bytes]:
    return {
        path.relative_to(FOLDER).as_posix(): _sent(path)
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in TYPES
    }


_COMMENTS: Final = {
    ".js": re.compile(rb"^[ \t]*//.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*", re.M),
    ".css": re.compile(rb"/\*(?:[^*]|\*(?!/))*\*/[ \t]*"),
}
"""Comments by file type. Of scripts: those on lines of their own, or that describe types."""


def _sent(path: Path) -> bytes:
    """Return a file without comments, which no browser needs. Every line keeps its number."""
    body, comment = path.read_bytes(), _COMMENTS.get(path.suffix)
    if comment is None or path.parent.name == "vendor":
        return body
    return comment.sub(lambda match: b"\n" * match[0].count(b"\n"), body)


@page("/")
def index(request: Request) -> Asset:
    """Return the page."""
    return assets()["index.html"]


@page("/console/{path:path}")
def asset(request: Request) -> Asset:
    """Return a file of the page. If the path has another edition, caches do not store it."""
    name = str(request.path_params["path"]).removeprefix("/")
    stamp, _, rest = name.partition("/")
    file = assets().get(rest if stamp.startswith("@") else name)
    if file is None:
        raise NotFoundException("there is no such file")
    return replace(file, headers={**file.headers, **KEEP}) if stamp == edition() else file


HANDLERS: Final = (index, asset)
