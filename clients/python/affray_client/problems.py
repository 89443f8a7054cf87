"""Errors: the service refuses a request, or does not answer."""

from __future__ import annotations

from typing import Any

import msgspec

from affray_client import shapes


class AffrayError(Exception):
    """Base of the errors of this client."""


class Problem(AffrayError):
    """The service refused a request with a problem document (RFC 9457)."""

    def __init__(self, status: int, document: shapes.Problem) -> None:
        super().__init__(document.detail or document.title or f"status {status}")
        self.status = status
        """The HTTP status."""
        self.document = document
        """The whole document."""
        self.kind = document.type.rsplit("/", 1)[-1]
        """The last word of `type`, such as `illegal-action`. Decide by it."""
        self.title = document.title
        """The kind of problem, in a sentence."""
        self.detail = str(self)
        """The fault in a sentence. Show it to people."""
        self.rule = document.rule
        """Id of the rule that refuses."""
        self.reason = document.reason
        """The rulebook's short word for the reason."""
        self.pointer = document.pointer
        """JSON pointer of the faulty field of the body, such as `/inputs/target`."""
        self.allowed = document.allowed
        """The values that would be accepted."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.document)

    @property
    def is_stale(self) -> bool:
        """Return true if the version of `if_match` is not the current one."""
        return self.status == 412

    @property
    def successor(self) -> str | None:
        """Return the id of the open prompt that replaces a closed one. Answer it instead."""
        return self.document.closed.successor if self.document.closed else None


class Unreachable(AffrayError):
    """The service did not answer, so a command may or may not be stored."""


def problem_of(status: int, content: bytes) -> Problem:
    """Return the problem in an answer. A proxy's error page becomes a problem without a type."""
    blank = {"type": "about:blank", "title": f"Status {status}"}
    try:
        document = msgspec.json.decode(content)
        return Problem(
            status, msgspec.convert({**blank, **document, "status": status}, shapes.Problem)
        )
    except (msgspec.MsgspecError, TypeError):
        return Problem(status, msgspec.convert({**blank, "status": status}, shapes.Problem))
