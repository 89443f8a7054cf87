"""Request reader: read query, body and idempotency key strictly into Structs."""

import asyncio
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from litestar.exceptions import InternalServerException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from msgspec import Struct

from domain.errors import Malformed
from domain.rulebook.input_reader import malformed
from service.answers import Idempotency, hashed
from service.http.access import bearer_of
from service.http.operation import JSON, OCTETS, Operation, Request, path_of
from service.http.problems import Refusal

BODY_S: Final = 15.0
"""Seconds to receive a body, plus one second for each `BODY_RATE` bytes of it."""

BODY_RATE: Final = 256 * 1024

MAX_DEPTH: Final = 60
"""The deepest nesting of a request body."""

SHORTEST_KEY: Final = 16
"""The least length of an Idempotency-Key without a token, so that nobody can guess the key."""

IF_MATCH: Final = r'^\s*(\*|(W/)?"[^"]*")(\s*,\s*(\*|(W/)?"[^"]*"))*\s*$'
"""The pattern of an If-Match header: ETags in quotation marks, or * for any."""

_WHOLE: Final = re.compile(r"-?\d{1,25}")

SHORT: Final = 4096
"""The limit of bytes of a body that Affray decodes directly into its Struct.

Such a body contains nothing that `_UNUSUAL` finds.
"""

_UNUSUAL: Final = re.compile(rb"\\|\d{16}|\d[.eE]")
"""Escapes, long numbers and fractions. Affray checks each of them (`_plain`)."""

_DEFAULTS: Final[dict[type[Struct], Struct]] = {}


class Gone(Exception):
    """The client disconnected during its request."""


def query_of(query: type[Struct], request: Request) -> Any:
    if not request.scope["query_string"]:
        return _nothing_asked(query)
    raw: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in raw:
            raise Malformed(f"/query/{name}", f"the parameter {name!r} is given twice")
        raw[name] = value
    numbers = _numbers(query)
    plain: dict[str, str | int] = {
        name: int(value) if name in numbers and _WHOLE.fullmatch(value) else value
        for name, value in raw.items()
    }
    _plain(plain, "/query", 0)
    return _asked(plain, query)


def _nothing_asked(query: type[Struct]) -> Any:
    return _DEFAULTS.get(query) or _DEFAULTS.setdefault(query, _asked({}, query))


def _asked(plain: Mapping[str, str | int], query: type[Struct]) -> Any:
    try:
        return msgspec.convert(plain, query)
    except msgspec.ValidationError as error:
        fault = malformed(error, query, raw=plain)
        detail = fault.detail.replace(" or null", "")  # a query has no `null`
        raise Malformed(f"/query{fault.pointer}", detail, fault.allowed) from None


@cache
def _numbers(query: type[Struct]) -> frozenset[str]:
    """Return the parameters that are whole numbers."""
    fields = msgspec.structs.fields(query)
    return frozenset(field.encode_name for field in fields if "int" in str(field.type))


async def body_of(operation: Operation, request: Request) -> bytes:
    if operation.body is None and operation.body_type == JSON:
        return b""
    if operation.takes_no_fields and _has_no_body(request):
        return b"{}"
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = operation.body_type
    is_picture = wanted == OCTETS and media.startswith("image/")
    if media != wanted and not is_picture and (media != OCTETS or wanted == JSON):
        raise Refusal("unsupported-media-type", f"send Content-Type: {wanted}, not {media!r}")
    chunks: list[bytes] = []
    size = 0
    began = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(began + BODY_S) as deadline:
            async for chunk in request.stream():
                size += len(chunk)
                chunks.append(chunk)
                if size > BODY_RATE:
                    deadline.reschedule(began + BODY_S + size / BODY_RATE)
    except TimeoutError:
        raise Refusal("too-slow", f"a body has {BODY_S:.0f} s, and 1 s for each 256 KiB") from None
    except RequestEntityTooLarge:
        raise Refusal("too-large", f"a body has at most {operation.limit} bytes here") from None
    except InternalServerException:
        raise Gone from None
    return b"".join(chunks)


def _has_no_body(request: Request) -> bool:
    headers = request.headers
    return "transfer-encoding" not in headers and headers.get("content-length", "0") == "0"


def decoded(raw: bytes, kind: Any) -> Any:
    if not raw.strip():
        raise Malformed("", "the body is empty; a JSON object is wanted")
    if _is_usual(raw):
        try:
            return _decoder(kind).decode(raw)
        except msgspec.DecodeError:
            pass  # the code below finds the reason
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
        raise malformed(error, kind, raw=plain) from None


def _is_usual(raw: bytes) -> bool:
    """Return true if the body needs no check for values that are not portable."""
    return (
        len(raw) <= SHORT
        and raw.isascii()
        and raw.count(b"[") + raw.count(b"{") < MAX_DEPTH
        and _UNUSUAL.search(raw) is None
    )


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _plain(value: Any, at: str, depth: int) -> Any:
    """Return the value with whole numbers as `int`. Refuse values that are not portable.

    These are NUL and unpaired surrogates in texts, and numbers beyond ±2^53.
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
            return [_plain(item, f"{at}/{index}", depth + 1) for index, item in enumerate(value)]
        case dict():
            return {
                _plain(key, at, depth): _plain(item, f"{at}/{key}", depth + 1)
                for key, item in value.items()
            }
        case _:
            raise Malformed(at, "this is no JSON value")
    return value


def idempotency_of(operation: Operation, request: Request, raw: bytes) -> Idempotency | None:
    key = request.headers.get("idempotency-key")
    if key is None or operation.method != "POST":
        return None
    # A client with the key of an opening can repeat the request and get the token.
    low = SHORTEST_KEY if operation.who == "service" else 1
    if not low <= len(key) <= 200 or not key.isprintable() or not key.isascii():
        raise Malformed(
            "/headers/idempotency-key", f"an idempotency key has {low} to 200 ASCII signs here"
        )
    fingerprint = hashlib.sha256(f"{operation.method} {path_of(request)}\n".encode() + raw).digest()
    secret = hashlib.sha256(f"{key}\n{bearer_of(request)}".encode()).digest()
    return Idempotency(hashed(key), fingerprint, secret)
