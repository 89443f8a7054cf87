"""The door: whom the service answers at all, and the headers that every answer has.

A plain ASGI application around the routes. Checks the Host header, so that a page of somebody
else's cannot reach a service on this machine under a name of its own (DNS rebinding); answers
browsers that ask whether another origin may call (CORS).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import Any, Final

import msgspec

from service.http.problems import MEDIA_TYPE, problem

ANY: Final = "*"

STRAIGHT: Final = "affray.send"
"""In a request's scope: the server's own `send`, for what follows the head of an answer."""

WAY: Final = "affray.way"
"""In a request's scope: where the operation that Litestar finds is noted, and by what name."""

MOST_WAYS: Final = 4096
"""Requests whose operation is known, before all are forgotten."""

LONGEST_WAY: Final = 256
"""Signs of a path that is remembered."""

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'"
)
"""Content-Security-Policy of pages: nothing from elsewhere, no script within the page."""

_NO_SNIFFING: Final = (b"x-content-type-options", b"nosniff")
_METHODS: Final = b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
_ASKED: Final = (
    b"Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID,"
    b" Affray-Service-Key"
)
_SHOWN: Final = b"ETag, Location, Idempotency-Replayed, Retry-After, WWW-Authenticate"


@dataclass(frozen=True)
class Found:
    """What Litestar has found for a host, a method and a path: the operation, and the path's
    parameters."""

    operation: Any
    path: str
    params: Mapping[str, str]


class Ways:
    """What Litestar has found before: it takes as long as a quarter of a read."""

    def __init__(self) -> None:
        self._found: dict[tuple[bytes, str, str], Found] = {}

    def taken(self, scope: Any, host: bytes) -> Any:
        """The operation of a request, which is told its parameters; None = not known yet."""
        way = (host, scope["method"], scope["path"])
        found = self._found.get(way)
        if found is None:
            if len(scope["path"]) <= LONGEST_WAY:
                scope[WAY] = partial(self._note, way)
            return None
        scope["path"], scope["path_params"] = found.path, found.params
        return found.operation

    def _note(self, way: tuple[bytes, str, str], operation: Any, scope: Any) -> None:
        if len(self._found) >= MOST_WAYS:
            self._found.clear()
        self._found[way] = Found(operation, scope["path"], scope["path_params"])


class Door:
    """`hosts` beside localhost and addresses, and `origins` that may call; "*" = any."""

    def __init__(self, app: Any, hosts: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origins)
        self._known: set[bytes] = set()
        self._ways = Ways()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        host = origin = b""
        for name, value in scope["headers"]:
            if name == b"host":
                host = value
            elif name == b"origin":
                origin = value
        allowed = self._allowed(origin)
        if host not in self._known and not self._knows(host):
            await _refuse(send, host)
            return
        if origin and scope["method"] == "OPTIONS" and _is_preflight(scope):
            await _preflight(send, allowed)
            return

        scope[STRAIGHT] = send

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_added(message["headers"], allowed)]
                if self.origins:
                    message["headers"].append((b"vary", b"Origin"))
            await send(message)

        operation = None
        if not scope["query_string"]:  # Litestar reads those
            operation = self._ways.taken(scope, host)
        await (operation or self.app)(scope, receive, with_headers)

    def _knows(self, header: bytes) -> bool:
        """Whether the service goes by this name."""
        name = _name(header.decode("latin-1"))
        if ANY not in self.hosts and name not in self.hosts and name != "localhost":
            try:
                ip_address(name)
            except ValueError:
                return False
        if len(self._known) < 100:
            self._known.add(header)
        return True

    def _allowed(self, origin: bytes) -> bytes:
        """The value of Access-Control-Allow-Origin, b"" = none."""
        if not origin or not self.origins:
            return b""
        if ANY in self.origins:
            return b"*"
        return origin if origin.decode("latin-1") in self.origins else b""


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _is_preflight(scope: Any) -> bool:
    return any(name == b"access-control-request-method" for name, _ in scope["headers"])


def _added(headers: list[tuple[bytes, bytes]], allowed: bytes) -> list[tuple[bytes, bytes]]:
    """What an answer lacks."""
    found = [_NO_SNIFFING]
    if any(name.lower() == b"content-type" and _is_page(value) for name, value in headers):
        if all(name.lower() != b"content-security-policy" for name, _ in headers):
            found.append((b"content-security-policy", PAGE_POLICY.encode()))
        found.append((b"referrer-policy", b"no-referrer"))
    if allowed:
        found.append((b"access-control-allow-origin", allowed))
        found.append((b"access-control-expose-headers", _SHOWN))
    return found


def _is_page(media_type: bytes) -> bool:
    return media_type.startswith(b"text/html")


async def _preflight(send: Any, allowed: bytes) -> None:
    headers = [(b"vary", b"Origin"), (b"content-length", b"0")]
    if allowed:
        headers += [
            (b"access-control-allow-origin", allowed),
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _ASKED),
            (b"access-control-max-age", b"600"),
        ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Any, host: bytes) -> None:
    name = _name(host.decode("latin-1"))[:200]
    detail = f"this service does not answer for the host {name!r}: name it in AFFRAY_HOSTS"
    found = problem("wrong-host", detail)
    body = msgspec.json.encode(found)
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", b"%d" % len(body)),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": found.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
