"""The Litestar handler of each operation, and its response."""

from collections.abc import Iterable
from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec
from litestar import Response
from litestar.background_tasks import BackgroundTask
from litestar.handlers import HTTPRouteHandler, route
from litestar.response import Stream

from domain.engine.faults import point
from domain.errors import Unknown
from domain.record.pages import Away
from service.hot_combat import Hot
from service.http.access import believe
from service.http.door import UNCOMPRESSED
from service.http.operation import JSON, MAX_BODY, Call, Operation, Reply, Request
from service.http.request_reader import body_of, decoded, idempotency_of, query_of
from service.store.rows import TokenRow


def handler(service: Any, operation: Operation) -> HTTPRouteHandler:
    """Return the Litestar handler of an operation."""

    async def serve(request: Request) -> Response[Any]:
        return _response(operation, request, await _reply(service, operation, request))

    serve.__doc__ = operation.handler.__doc__
    return route(
        _path(operation),
        http_method=["GET", "HEAD"] if operation.method == "GET" else [operation.method],
        name=operation.id,
        operation_id=operation.id,
        status_code=200,  # the response sets its own
        request_max_body_size=operation.limit,
        # A compressed answer with both a secret and the caller's text would leak the secret
        # (BREACH).
        opt={UNCOMPRESSED: operation.method != "GET" or bool(operation.messages)},
        include_in_schema=False,
    )(serve)


def options(operations: Iterable[Operation]) -> HTTPRouteHandler:
    """Return the handler of OPTIONS for the path of these operations. It lists their methods."""
    known = list(operations)
    methods = {"OPTIONS"} | {operation.method for operation in known}
    if "GET" in methods:
        methods.add("HEAD")
    allow = {"Allow": ", ".join(sorted(methods))}

    async def answer() -> Response[bytes]:
        return Response(b"", status_code=204, headers=allow)

    return route(
        _path(known[0]), http_method=["OPTIONS"], status_code=200, include_in_schema=False
    )(answer)


def _path(operation: Operation) -> str:
    """Return the path in the notation of Litestar."""
    path = operation.path
    for name in operation.parameters:
        path = path.replace("{" + name + "}", "{" + name + ":str}")
    return path


async def _reply(service: Any, operation: Operation, request: Request) -> Reply:
    hot, row = await believe(service, operation, request)
    query = query_of(operation.query, request)
    if operation.limit > MAX_BODY and _is_large(request):
        uploads = service.limiter.uploads
        uploads.check("")
        with uploads.taken(""):
            return await _read_and_done(service, operation, request, query, hot, row)
    return await _read_and_done(service, operation, request, query, hot, row)


def _is_large(request: Request) -> bool:
    """Return true if a body may be larger than that of a command."""
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
        hot, row = await believe(service, operation, request)  # a body may arrive slowly
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
    except Away:  # it needs older events than memory has, so it starts again with them
        if call.hot is None or operation.stores:
            raise
        again = partial(operation.handler, call)
        reply: Reply = await call.combats.recalling(call.hot.id, again)
        return reply


def _response(operation: Operation, request: Request, reply: Reply) -> Response[Any]:
    headers = dict(reply.headers)
    if reply.stream is not None:
        headers |= {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        close = BackgroundTask(reply.stream.aclose)  # even if the listener has disconnected
        return Stream(
            reply.stream, media_type="text/event-stream", headers=headers, background=close
        )
    status, content, tag = reply.status, reply.content, reply.etag
    if status != 204 and not isinstance(content, bytes):
        content = msgspec.json.encode(content)
    if reply.weighed:
        digest = blake2b(content, digest_size=9).hexdigest()
        tag = digest if tag is None else f"{tag}+{digest}"
    if tag is not None:
        headers["ETag"] = f'"{tag}"'
        headers.setdefault("Cache-Control", "no-cache")
        if request.method in ("GET", "HEAD") and has_named(request, tag):
            status = 304
    elif operation.who != "anybody":
        headers.setdefault("Cache-Control", "no-store")
    if status in (204, 304):
        return Response(b"", status_code=status, headers=headers)
    headers |= {"Content-Type": reply.media_type, "Content-Length": str(len(content))}
    content = b"" if request.method == "HEAD" else content
    return Response(content, status_code=status, headers=headers, media_type=JSON)


def has_named(request: Request, tag: str) -> bool:
    """Return true if the client already has this version, according to `If-None-Match`."""
    asked = request.headers.get("if-none-match")
    if asked is None:
        return False
    named = [part.strip().removeprefix("W/") for part in asked.split(",")]
    return "*" in named or f'"{tag}"' in named
