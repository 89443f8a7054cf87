"""Serving: the one way in which all operations are served."""

import logging
from collections.abc import AsyncIterator, Iterable
from hashlib import blake2b
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler, route
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse

from service.http import problems
from service.http.access import believe
from service.http.operation import Call, Operation, Reply
from service.http.reading import Gone, body_of, decoded, idempotency_of, query_of

log = logging.getLogger("affray")


def handler(service: Any, operation: Operation) -> HTTPRouteHandler:
    """The Litestar handler of an operation."""
    path = operation.path
    for name in operation.parameters:
        path = path.replace("{" + name + "}", "{" + name + ":str}")
    methods: list[Any] = [operation.method]
    if operation.method == "GET":
        methods.append("HEAD")

    async def serve(request: Request[Any, Any, Any]) -> ASGIResponse:
        try:
            return await _serve(service, operation, request)
        except Gone:
            return _wire(b"", 400, problems.MEDIA_TYPE, {}, head=False)  # nobody reads it
        except Exception as error:
            status, body, headers = problems.answer(error)
            if status == 500:
                log.exception("fault in %s", operation.id)
            head = request.method == "HEAD"
            return _wire(body, status, problems.MEDIA_TYPE, headers, head=head)

    serve.__doc__ = operation.handler.__doc__
    return route(
        path,
        http_method=methods,
        name=operation.id,
        operation_id=operation.id,
        status_code=200,  # each Response has its own
        include_in_schema=False,
    )(serve)


def options(path: str, operations: Iterable[Operation]) -> HTTPRouteHandler:
    """OPTIONS of a path: every method that it has."""
    methods = {"OPTIONS"} | {one.method for one in operations}
    if "GET" in methods:
        methods.add("HEAD")
    allow = {"Allow": ", ".join(sorted(methods))}
    for name in next(iter(operations)).parameters:
        path = path.replace("{" + name + "}", "{" + name + ":str}")

    async def answer() -> Response[bytes]:
        return Response(b"", status_code=204, headers=allow)

    return route(path, http_method=["OPTIONS"], status_code=200, include_in_schema=False)(answer)


async def _serve(
    service: Any, operation: Operation, request: Request[Any, Any, Any]
) -> ASGIResponse:
    params = {name: str(request.path_params[name]) for name in operation.parameters}
    hot, row = await believe(service, operation, request, params)
    query = query_of(operation, request)
    raw = await body_of(operation, request)
    if raw and hot is not None and not operation.commits:
        hot, row = await believe(service, operation, request, params)  # a body may come slowly
    body = None if operation.body is None else decoded(raw, operation.body)
    call = Call(
        service.combats,
        service,
        request,
        params,
        query,
        body,
        raw,
        hot,
        row,
        idempotency_of(operation, request, raw),
    )
    reply = await operation.handler(call)
    return _respond(operation, request, reply)


def _respond(operation: Operation, request: Request[Any, Any, Any], reply: Reply) -> ASGIResponse:
    headers = dict(reply.headers)
    if reply.stream is not None:
        return _streamed(request, reply.stream, headers)
    head = request.method == "HEAD"
    status, content, tag = reply.status, reply.content, reply.etag
    if status != 204 and not isinstance(content, bytes):
        content = msgspec.json.encode(content)
    if reply.weighed:
        tag = blake2b(content, digest_size=9).hexdigest()
    if tag is None and operation.who != "anybody":
        headers.setdefault("Cache-Control", "no-store")
    if tag is not None:
        headers["ETag"] = f'"{tag}"'
        headers["Vary"] = "Authorization"
        headers.setdefault("Cache-Control", "no-cache")
        asked = request.headers.get("if-none-match")
        if asked is not None and (head or request.method == "GET") and _names(asked, tag):
            status = 304
    if status in (204, 304):
        content = b""
    return _wire(content, status, reply.media_type, headers, head=head)


def _streamed(
    request: Request[Any, Any, Any], pieces: AsyncIterator[bytes], headers: dict[str, str]
) -> ASGIResponse:
    """Server-Sent Events; a listener that takes nothing for a while is let go, and comes back."""
    headers |= {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    head = request.method == "HEAD"
    return Streaming(
        iterator=pieces,
        media_type="text/event-stream",
        headers=headers,
        is_head_response=head,
        status_code=200,
    )


class Streaming(ASGIStreamingResponse):
    """Pieces as they come. Who takes nothing is cut off by the wire (`wire.READ_S`)."""

    async def _stream(self, send: Any) -> None:
        try:
            await super()._stream(send)
        finally:
            close = getattr(self.iterator, "aclose", None)
            if close is not None:
                await close()


def _wire(
    content: bytes, status: int, media_type: str, headers: dict[str, str], *, head: bool
) -> ASGIResponse:
    """The answer; to HEAD without its body."""
    return ASGIResponse(
        body=b"" if head else content,
        content_length=len(content),
        status_code=status,
        media_type=media_type,
        headers=headers,
        is_head_response=head,
    )


def _names(header: str, etag: str) -> bool:
    named = [one.strip().removeprefix("W/") for one in header.split(",")]
    return "*" in named or f'"{etag}"' in named
