"""The base class of all answers of the service."""

from __future__ import annotations

from typing import Any

import msgspec


class Shape(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An answer, or a part of an answer. It ignores fields that this client does not know."""

    @property
    def etag(self) -> str | None:
        """Return the ETag of the answer for `if_match`, or `None` without one.

        A part of an answer has no ETag.
        """
        tag: str | None = self.__dict__.get("_etag")
        return tag


def mark(answer: Any, etag: str | None) -> None:
    """Remember the ETag of an answer."""
    if etag is not None and isinstance(answer, Shape):
        answer.__dict__["_etag"] = etag
