"""Serving: the one way in which all operations are served.

Litestar finds the operation; what it does between a route and its handler (a request, parameters,
dependencies, a response) costs as much as a read does, and nothing of it is wanted here. So the
operation answers in the route's middleware.
"""

import logging
from collections.abc import Iterable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler, route
from litestar.response.streaming import ASGIStreamingResponse

from domain.engine.faults import point
from domain.errors import Unknown
from domain.record.pages import Away
from service.hot import Hot
from service.http import problems
from service.http.access import believe
from service.http.door import STRAIGHT, WAY
from service.http.operation import JSON, MAX_BODY, Call, Operation, Reply
from service.http.reading import body_of, decoded, idempotency_of, query_of
from service.http.request import Gone, Request
from service.store.rows import TokenRow

log = logging.getLogger("affray")

Headers = list[tuple[bytes, bytes]]

_TYPES: Final = {one: (b"content-type", one.encode()) for one in (JSON, problems.MEDIA_TYPE)}
_BODY: Final = "http.response.body"
_VARY: Final = (b"vary", b"Authorization")
_NO_CACHE: Final = (b"cache-control", b"no-cache")
_NO_STORE: Final = (b"cache-control", b"no-store")


class Serving:
    """One operation as an ASGI application; `app` is never reached."""

    def __init__(self, app: Any, service: Any, operation: Operation) -> None:
        self.service = service
        self.operation = operation

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        found = scope.get(WAY)
        if found is not None:
            found(self, scope)
        request = Request(scope, receive)
        try:
            reply = await _reply(self.service, self.operation, request)
            if reply.stream is not None:
                await _stream(scope, receive, send, reply)
                return
            status, headers, body = _answer(self.operation, request, reply)
        except Gone:
            status, headers, body = 400, [], b""  # nobody reads it
        except Exception as error:
            status, body, more = problems.answer(error)
            if status == 500:
                log.exception("fault in %s", self.operation.id)
            headers = [_TYPES[problems.MEDIA_TYPE], _length(body), *_encoded(more)]
        if request.method == "HEAD":
            body = b""
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await scope.get(STRAIGHT, send)({"type": _BODY, "body": body})


def handler(service: Any, operation: Operation) -> HTTPRouteHandler:
    """The Litestar handler of an operation."""
    methods: list[Any] = [operation.method]
    if operation.method == "GET":
        methods.append("HEAD")

    async def serve() -> None:
        raise AssertionError("the operation has answered")

    serve.__doc__ = operation.handler.__doc__
    return route(
        _path(operation),
        http_method=methods,
        name=operation.id,
        operation_id=operation.id,
        status_code=200,  # each answer has its own
        middleware=[partial(Serving, service=service, operation=operation)],
        include_in_schema=False,
    )(serve)


def options(operations: Iterable[Operation]) -> HTTPRouteHandler:
    """OPTIONS of the path of these operations: every method that it has."""
    found = list(operations)
    methods = {"OPTIONS"} | {one.method for one in found}
    if "GET" in methods:
        methods.add("HEAD")
    allow = {"Allow": ", ".join(sorted(methods))}

    async def answer() -> Response[bytes]:
        return Response(b"", status_code=204, headers=allow)

    return route(
        _path(found[0]), http_method=["OPTIONS"], status_code=200, include_in_schema=False
    )(answer)


def _path(operation: Operation) -> str:
    """As Litestar writes it."""
    path = operation.path
    for name in operation.parameters:
        path = path.replace("{" + name + "}", "{" + name + ":str}")
    return path


async def _reply(service: Any, operation: Operation, request: Request) -> Reply:
    hot, row = await believe(service, operation, request)
    query = query_of(operation, request)
    if operation.limit > MAX_BODY and _is_large(request):
        uploads = service.limiter.uploads
        uploads.check("")
        with uploads.taken(""):
            return await _read_and_done(service, operation, request, query, hot, row)
    return await _read_and_done(service, operation, request, query, hot, row)


def _is_large(request: Request) -> bool:
    """Whether a body is larger than that of a command, or may be."""
    length = request.headers.get("content-length", "")
    return not length.isdecimal() or int(length) > MAX_BODY


async def _read_and_done(
    service: Any,
    operation: Operation,
    request: Request,
    query: Any,
    hot: Hot | None,
    row: TokenRow | None,
) -> Reply:
    raw = await body_of(operation, request)
    if raw and hot is not None and not operation.commits:
        hot, row = await believe(service, operation, request)  # a body may come slowly
    body = None if operation.body is None else decoded(raw, operation.body)
    key = idempotency_of(operation, request, raw)
    call = Call(service.combats, service, request, query, body, raw, hot, row, key)
    try:
        return await _done(operation, call)
    except Unknown as error:
        point(error, "/query", query)
        point(error, "", body)
        raise


async def _done(operation: Operation, call: Call) -> Reply:
    try:
        return await operation.handler(call)
    except Away:  # it looks further back than memory goes, and is done again with what it needs
        if call.hot is None or operation.stores:
            raise
        again = partial(operation.handler, call)
        reply: Reply = await call.combats.recalling(call.hot.id, again)
        return reply


def _answer(operation: Operation, request: Request, reply: Reply) -> tuple[int, Headers, bytes]:
    """Status, headers and body; to HEAD the body is not sent."""
    status, content, tag = reply.status, reply.content, reply.etag
    if status != 204 and not isinstance(content, bytes):
        content = msgspec.json.encode(content)
    if reply.weighed:
        tag = blake2b(content, digest_size=9).hexdigest()
    headers = _encoded(reply.headers) if reply.headers else []
    says_cache = "Cache-Control" in reply.headers
    if tag is not None:
        headers += [(b"etag", b'"%s"' % tag.encode()), _VARY]
        if not says_cache:
            headers.append(_NO_CACHE)
        asked = request.headers.find("if-none-match")
        if asked is not None and request.method in ("GET", "HEAD") and _names(asked, tag):
            status = 304
    elif operation.who != "anybody" and not says_cache:
        headers.append(_NO_STORE)
    if status in (204, 304):
        return status, headers, b""
    headers += [_type(reply.media_type), _length(content)]
    return status, headers, content


async def _stream(scope: Any, receive: Any, send: Any, reply: Reply) -> None:
    """Server-Sent Events; a listener that takes nothing for a while is let go, and comes back."""
    assert reply.stream is not None
    caching = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    streaming = Streaming(
        iterator=reply.stream,
        media_type="text/event-stream",
        headers={**reply.headers, **caching},
        status_code=200,
    )
    streaming.straight = scope.get(STRAIGHT, send)
    await streaming(scope, receive, send)


class Streaming(ASGIStreamingResponse):
    """Pieces as they come, straight to the wire: a thousand listeners wait for each other.

    Who takes nothing is cut off by the wire (`wire.READ_S`).
    """

    straight: Any

    async def _stream(self, send: Any) -> None:
        try:
            async for piece in self.iterator:
                await self.straight({"type": _BODY, "body": piece, "more_body": True})
            await send({"type": _BODY, "body": b"", "more_body": False})
        finally:
            close = getattr(self.iterator, "aclose", None)
            if close is not None:
                await close()


def _type(media_type: str) -> tuple[bytes, bytes]:
    return _TYPES.get(media_type) or (b"content-type", media_type.encode())


def _length(body: bytes) -> tuple[bytes, bytes]:
    return b"content-length", b"%d" % len(body)


def _encoded(headers: Mapping[str, str]) -> Headers:
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]


def _names(header: str, etag: str) -> bool:
    named = [one.strip().removeprefix("W/") for one in header.split(",")]
    return "*" in named or f'"{etag}"' in named
