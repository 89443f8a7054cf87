"""One request: its headers, its retries, and the safety of a retry. This module does no I/O."""

from __future__ import annotations

import random
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Final, NoReturn
from urllib.parse import quote, urlencode

import msgspec

from affray_client.operation import Operation
from affray_client.problems import Problem, Unreachable
from affray_client.shape import Shape

FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 5.0

TRANSIENT: Final = (429, 502, 503, 504)
"""Statuses after which the same request may succeed."""

NOTHING_DONE: Final = ("too-many-requests", "too-many-listeners", "unavailable", "full")
"""Types of problems after which nothing was stored, so any request may be repeated."""


@dataclass(frozen=True)
class Settings:
    """The settings of a client for one service.

    - `url`: the address of the service, such as `http://127.0.0.1:8000`.
    - `service_key`: the service's key, if it has one. You need it to open, import, fork and list
      combats.
    - `patience_s`: seconds for which the client repeats a request without an answer.
    - `timeout_s`: seconds that one attempt waits for a piece of the answer.
    - `on_wait`: a function to call before each repetition, with the reason.
    """

    url: str
    service_key: str | None = None
    patience_s: float = 20.0
    timeout_s: float = 30.0
    on_wait: Callable[[Problem | Unreachable], None] | None = None


@dataclass(frozen=True)
class Request:
    """A request ready to send. If `repeatable`, a retry is safe even after a success."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    repeatable: bool


@dataclass(frozen=True)
class Call:
    """The inputs of one call."""

    path: Mapping[str, object] = field(default_factory=dict)
    query: Mapping[str, object] = field(default_factory=dict)
    body: Any = None
    accept: str = "application/json"
    if_match: Shape | str | None = None
    if_none_match: str | None = None
    key: str | None = None


def prepare(
    settings: Settings, token: str | None, operation: Operation[Any], call: Call
) -> Request:
    """Return the request of an operation."""
    headers = {"Accept": call.accept}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    if operation.service_key and settings.service_key is not None:
        headers["Affray-Service-Key"] = settings.service_key
    if operation.media is not None:
        headers["Content-Type"] = operation.media
    if operation.keyed:
        headers["Idempotency-Key"] = call.key or secrets.token_hex(16)
    if call.if_match is not None:
        headers["If-Match"] = etag_of(call.if_match)
    if call.if_none_match is not None:
        headers["If-None-Match"] = call.if_none_match
    # A repeated PUT with a version would fail (412), because the first attempt changed the
    # version.
    repeatable = (
        operation.keyed
        or operation.method == "GET"
        or (operation.method == "PUT" and call.if_match is None)
        or operation.id == "preview"
    )
    content = None if operation.media is None else content_of(call.body)
    url = url_of(settings, operation.path, call.path, call.query)
    return Request(operation.method, url, headers, content, repeatable)


def url_of(
    settings: Settings, path: str, filled: Mapping[str, object], query: Mapping[str, object]
) -> str:
    """Return a URL with its parameters. Omit parameters that are `None`."""
    whole = re.sub(r"\{(\w+)\}", lambda name: quote(str(filled[name[1]]), safe=""), path)
    asked = {name: value for name, value in query.items() if value is not None}
    return settings.url.rstrip("/") + whole + (f"?{urlencode(asked)}" if asked else "")


def content_of(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    return msgspec.json.encode({} if body is None else body)


def etag_of(seen: Shape | str) -> str:
    """Return the ETag of an answer, or `seen` itself if it is a text."""
    etag = seen if isinstance(seen, str) else seen.etag
    if etag is None:
        raise ValueError("if_match: it was read by no request (boards of a stream have no ETag)")
    return etag


class Patience:
    """Decides how often a request is repeated."""

    def __init__(self, settings: Settings, request: Request) -> None:
        self._settings = settings
        self._request = request
        self._until = time.monotonic() + settings.patience_s
        self._wait = FIRST_WAIT_S

    def unreachable(self, error: Exception) -> Unreachable:
        """Return the error for an attempt without an answer."""
        why = str(error) or type(error).__name__
        failure = Unreachable(f"{self._request.method} {self._request.url}: no answer ({why})")
        failure.__cause__ = error
        return failure

    def pause_s(self, failure: Problem | Unreachable, headers: Mapping[str, str]) -> float:
        """Return the seconds to wait before the next attempt. After the last, raise `failure`."""
        if isinstance(failure, Problem):
            if failure.status not in TRANSIENT:
                self._give_up(failure)
            if not self._request.repeatable and failure.kind not in NOTHING_DONE:
                self._give_up(failure)
        elif not self._request.repeatable:
            self._give_up(failure)
        pause = max(self._wait * random.uniform(0.5, 1.0), retry_after_s(headers))
        if time.monotonic() + pause > self._until:
            self._give_up(failure)
        self._wait = min(self._wait * 2, LONGEST_WAIT_S)
        if self._settings.on_wait is not None:
            self._settings.on_wait(failure)
        return pause

    def _give_up(self, failure: Problem | Unreachable) -> NoReturn:
        raise failure


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return the seconds of `Retry-After`, a number or a date. Without the header, return 0."""
    text = headers.get("retry-after", "")
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return 0.0
