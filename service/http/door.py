"""Checks of the host and origin of each request, and headers for every answer.

Litestar does CORS and compression, and calls `Door.failed` for each error.
"""

import logging
from collections.abc import Iterable
from ipaddress import ip_address
from time import perf_counter
from typing import Any, Final

from litestar import Response
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware

from service import logs
from service.http import problems
from service.http.operation import Request
from service.http.problems import MEDIA_TYPE, Refusal
from service.http.request_reader import Gone
from service.metrics import Metrics

log = logging.getLogger("affray")

ANY: Final = "*"

_BEGAN: Final = "affray.began"
"""The key in the scope of a request for the moment at which its head was read."""

UNCOMPRESSED: Final = "uncompressed"
"""The key in the `opt` of a handler whose answers are not compressed."""

COMPRESSION: Final = CompressionConfig(
    "gzip", minimum_size=1000, gzip_compress_level=1, exclude_opt_key=UNCOMPRESSED
)


def cors(origins: Iterable[str]) -> CORSConfig | None:
    """Return Litestar's CORS settings for these origins, or `None` without origins."""
    allowed = list(origins)
    if not allowed:
        return None
    return CORSConfig(
        allow_origins=allowed,
        allow_methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
        allow_headers=[
            "Authorization",
            "Content-Type",
            "If-Match",
            "If-None-Match",
            "Idempotency-Key",
            "Last-Event-ID",
            "Affray-Service-Key",
            "X-Request-Id",
        ],
        expose_headers=[
            "ETag",
            "Location",
            "Idempotency-Replayed",
            "RateLimit",
            "RateLimit-Policy",
            "Retry-After",
            "WWW-Authenticate",
            "X-Request-Id",
        ],
    )


class Door(ASGIMiddleware):
    """A middleware that answers only for `hosts`, localhost and IP addresses.

    `*` allows any host. The check prevents DNS rebinding, by which a foreign page could reach a
    service on this machine.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(
        self, metrics: Metrics, hosts: Iterable[str] = (), *, has_origins: bool = False
    ) -> None:
        self.metrics = metrics
        self.hosts = frozenset(host.lower() for host in hosts)
        self._known: set[bytes] = set()
        vary = b"Accept-Encoding, Authorization" + (b", Origin" if has_origins else b"")
        self._added = [(b"x-content-type-options", b"nosniff"), (b"vary", vary)]

    async def handle(self, scope: Any, receive: Any, send: Any, next_app: Any) -> None:
        """Refuse a request for a foreign host."""
        scope[_BEGAN] = perf_counter()
        logs.REQUEST.set(_request_id(scope))
        logs.COMBAT.set(str(scope.get("path_params", {}).get("combat", "")))
        self._check(scope)
        await next_app(scope, receive, send)

    def failed(self, request: Request, error: Exception) -> Response[bytes]:
        """Return the problem document of an error from any source."""
        try:
            self._check(request.scope)  # Litestar calls no handler for an unknown path
        except Refusal as refusal:
            error = refusal
        if isinstance(error, Gone):
            return Response(b"", status_code=400)  # the client has gone
        status, body, headers = problems.answer(error)
        if status == 500:
            log.error("fault in %s", request.url.path, exc_info=error)
        headers |= {"Content-Type": MEDIA_TYPE, "Content-Length": str(len(body))}
        body = b"" if request.method == "HEAD" else body
        return Response(body, status_code=status, headers=headers)

    async def finish(self, message: Any, scope: Any) -> None:
        """Add the headers of every answer, and count it, unless the client has disconnected.

        `Vary` is complete here, because Litestar's CORS overwrites it.
        """
        if message["type"] == "http.response.start":
            operation = getattr(scope.get("route_handler"), "operation_id", None)
            if operation is not None:
                seconds = perf_counter() - scope[_BEGAN]
                self.metrics.answered(operation, message["status"], seconds)
            kept = [header for header in message["headers"] if header[0] != b"vary"]
            named = (b"x-request-id", _request_id(scope).encode())
            message["headers"] = [*kept, *self._added, named]

    def _check(self, scope: Any) -> None:
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if host not in self._known and not self._knows(host):
            name = _name(host)[:200]
            raise Refusal(
                "wrong-host",
                f"this service does not answer for the host {name!r}: name it in AFFRAY_HOSTS",
            )

    def _knows(self, header: bytes) -> bool:
        name = _name(header)
        if ANY not in self.hosts and name not in self.hosts and name != "localhost":
            try:
                ip_address(name)
            except ValueError:
                return False
        if len(self._known) < 100:
            self._known.add(header)
        return True


def _request_id(scope: Any) -> str:
    """Return the id in the header of a request, or a new id."""
    id: str | None = scope.get("affray.request")
    if id is None:
        sent = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
        id = scope["affray.request"] = logs.request_id(sent)
    return id


def _name(header: bytes) -> str:
    """Return the name in a Host header, without its port."""
    host = header.decode("latin-1")
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()
