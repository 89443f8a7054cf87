"""Operations: what one route wants and gives, and the one way in which all are served.

A handler gets a `Call`: the token believed, the query and the body read strictly into Structs, the
combat loaded. It returns a `Reply`. Everything wrong on the way is a problem document.
"""

import hashlib
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler, route
from litestar.response.base import ASGIResponse
from msgspec import Struct

from domain.errors import Forbidden, Malformed, Unknown
from domain.rulebook.ruleset import pointer
from service import problems, tokens
from service.combats import Answer, Combats, Hot, Idempotency
from service.problems import Refusal
from service.store import TokenRow

log = logging.getLogger("affray")

MAX_BODY: Final = 1024 * 1024
"""Bytes of a request body, but for imports."""

MAX_DEPTH: Final = 60
"""Nesting of a request body."""

JSON: Final = "application/json"

_WHOLE: Final = re.compile(r"-?\d{1,25}")


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No query parameters."""


class Viewed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"as_": "as"}):
    """`as`: through the eyes of another token, by its id; for the GM."""

    as_: str | None = None


@dataclass(frozen=True)
class Reply:
    """An answer: content to encode (or bytes as they are), with its ETag."""

    content: Any
    status: int = 200
    etag: str | None = None
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Call:
    """One request, read and believed."""

    combats: Combats
    service: Any
    request: Request[Any, Any, Any]
    params: Mapping[str, str]
    query: Any
    body: Any
    raw: bytes
    hot: Hot | None
    token: TokenRow | None
    idempotency: Idempotency | None

    @property
    def combat(self) -> Hot:
        """The combat of the path."""
        assert self.hot is not None
        return self.hot

    @property
    def row(self) -> TokenRow:
        """The token of the caller."""
        assert self.token is not None
        return self.token

    @property
    def viewer(self) -> TokenRow:
        """Whose eyes are used: the caller's, or those that a GM asks for with `as`.

        Raises `Forbidden`, `Unknown`.
        """
        id = self.query.as_ if isinstance(self.query, Viewed) else None
        if id is None:
            return self.row
        if self.row.role != "gm":
            raise Forbidden("only the GM looks through other eyes")
        found = self.combat.tokens.get(id)
        if found is None:
            raise Unknown("token", id, tuple(self.combat.tokens))
        return found

    @property
    def if_match(self) -> str | None:
        """The If-Match header."""
        return self.request.headers.get("if-match")


Who = Literal["anybody", "service", "token", "gm"]


@dataclass(frozen=True)
class Operation:
    """A route. `who` may call it: anybody, who knows the service key, a token, the GM's token.

    `answer` is the Struct of the success, or a media type's name for other content. `examples`
    are request bodies by name.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    id: str
    summary: str
    tag: str
    handler: Callable[[Call], Awaitable[Reply]]
    answer: Any
    who: Who = "token"
    status: int = 200
    body: Any = None
    query: type[Struct] = NoQuery
    errors: tuple[int, ...] = ()
    limit: int = MAX_BODY
    media_types: tuple[str, ...] = (JSON,)
    body_type: str = JSON
    links: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the path's parameters."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def conditional(self) -> bool:
        """Whether it answers with an ETag."""
        return self.who in ("token", "gm")


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
    hot, row = await _believe(service, operation, request, params)
    query = _query(operation, request)
    raw = await _body(operation, request)
    body = None if operation.body is None else _decode(raw, operation.body)
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
        _idempotency(operation, request, raw),
    )
    reply = await operation.handler(call)
    return _respond(request, reply)


def _respond(request: Request[Any, Any, Any], reply: Reply) -> ASGIResponse:
    headers = dict(reply.headers)
    head = request.method == "HEAD"
    status, content = reply.status, reply.content
    if reply.etag is not None:
        headers["ETag"] = f'"{reply.etag}"'
        headers["Vary"] = "Authorization"
        headers.setdefault("Cache-Control", "no-cache")
        asked = request.headers.get("if-none-match")
        if asked is not None and (head or request.method == "GET") and _names(asked, reply.etag):
            status = 304
    if status in (204, 304):
        content = b""
    elif not isinstance(content, bytes):
        content = msgspec.json.encode(content)
    return _wire(content, status, reply.media_type, headers, head=head)


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


async def _believe(
    service: Any, operation: Operation, request: Request[Any, Any, Any], params: dict[str, str]
) -> tuple[Hot | None, TokenRow | None]:
    """The combat of the path and the caller's token; refuses who may not."""
    if operation.who == "anybody":
        return None, None
    header = request.headers.get("authorization", "")
    scheme, _, text = header.partition(" ")
    bearer = text.strip() if scheme.lower() == "bearer" else ""
    if operation.who == "service":
        service.check_key(bearer)
        return None, None
    if not bearer:
        raise Refusal("unauthorized", "send the combat's token: Authorization: Bearer affray_…")
    presented = tokens.read(bearer)
    if presented is None:
        raise Refusal("unauthorized", "this is no token of a combat")
    missing = Refusal("not-found", f"no combat {params['combat']!r} for this token")
    try:
        id = UUID(params["combat"])
    except ValueError:
        raise missing from None
    if presented.combat != id:
        raise missing
    hot = await service.combats.get(id)
    if hot is None:
        raise missing
    row = hot.tokens.get(presented.id)
    if row is None or not tokens.matches(presented, row):
        raise Refusal("unauthorized", "this token is not in force")
    if operation.who == "gm" and row.role != "gm":
        raise Refusal("forbidden", f"only the GM may do this, not a {row.role}")
    return hot, row


def _query(operation: Operation, request: Request[Any, Any, Any]) -> Any:
    raw: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in raw:
            raise Malformed(f"/query/{name}", f"the parameter {name!r} is given twice")
        raw[name] = value
    plain: dict[str, str | int] = {}
    if raw:
        numbers = _numbers(operation.query)
        plain = {
            name: int(value) if name in numbers and _WHOLE.fullmatch(value) else value
            for name, value in raw.items()
        }
        _plain(plain, "/query", 0)
    try:
        return msgspec.convert(plain, operation.query)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at `$")
        known = [one.encode_name for one in msgspec.structs.fields(operation.query)]
        raise Malformed(f"/query{pointer(path.rstrip('`'))}", detail, known) from None


@cache
def _numbers(query: type[Struct]) -> frozenset[str]:
    """The parameters that are whole numbers."""
    fields = msgspec.structs.fields(query)
    return frozenset(one.encode_name for one in fields if "int" in str(one.type))


async def _body(operation: Operation, request: Request[Any, Any, Any]) -> bytes:
    if operation.body is None and operation.body_type == JSON:
        return b""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > operation.limit:
        raise Refusal("too-large", f"a body has at most {operation.limit} bytes here")
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != operation.body_type:
        raise Refusal(
            "unsupported-media-type", f"send Content-Type: {operation.body_type}, not {media!r}"
        )
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > operation.limit:
            raise Refusal("too-large", f"a body has at most {operation.limit} bytes here")
        chunks.append(chunk)
    return b"".join(chunks)


def _decode(raw: bytes, kind: Any) -> Any:
    if not raw.strip():
        raise Malformed("", "the body is empty; a JSON object is wanted")
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise Malformed("", f"the body is not UTF-8: byte {error.start}") from None
    try:
        plain = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed("", f"the body is not JSON: {error}") from None
    try:
        return msgspec.convert(_plain(plain, "", 0), kind)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at `$")
        raise Malformed(pointer(path.rstrip("`")), detail) from None


def _plain(value: Any, at: str, depth: int) -> Any:
    """The value, with whole numbers as such; refuses what others could not hold.

    That is NUL and half surrogate pairs in texts, and numbers beyond ±2^53.
    """
    if depth > MAX_DEPTH:
        raise Malformed(at, f"the body is nested more than {MAX_DEPTH} deep")
    match value:
        case str():
            if "\x00" in value:
                raise Malformed(at, "a text holds the character NUL")
            try:
                value.encode()
            except UnicodeEncodeError:
                raise Malformed(at, "a text holds half a surrogate pair") from None
        case bool() | None:
            pass
        case int() | float():
            if not -(2**53) < value < 2**53:
                raise Malformed(at, "a number is beyond ±2^53")
            return int(value) if isinstance(value, float) and value.is_integer() else value
        case list():
            return [_plain(one, f"{at}/{index}", depth + 1) for index, one in enumerate(value)]
        case dict():
            return {
                _plain(key, at, depth): _plain(one, f"{at}/{key}", depth + 1)
                for key, one in value.items()
            }
        case _:
            raise Malformed(at, "this is no JSON value")
    return value


def _idempotency(
    operation: Operation, request: Request[Any, Any, Any], raw: bytes
) -> Idempotency | None:
    key = request.headers.get("idempotency-key")
    if key is None or operation.method != "POST":
        return None
    if not 1 <= len(key) <= 200 or not key.isprintable() or not key.isascii():
        raise Malformed("/headers/idempotency-key", "an idempotency key has 1 to 200 ASCII signs")
    fingerprint = hashlib.sha256(f"{operation.method} {request.url.path}\n".encode() + raw).digest()
    return Idempotency(key, fingerprint)


def finished(answer: Answer) -> Reply:
    """A committed command's answer."""
    headers = {"Idempotency-Replayed": "true"} if answer.replayed else {}
    return Reply(answer.body, answer.status, answer.etag, headers=headers)
