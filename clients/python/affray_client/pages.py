"""Results that a client builds from several answers: the log, and offers with their schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_plus

import msgspec

from affray_client import shapes

_NEXT = re.compile(r"\n\[What comes after\]\([^)]*[?&]cursor=([^)&]+)\)\s*$")


class Log:
    """The log in Markdown, page by page."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor: str | None = None

    def add(self, page: str) -> bool:
        """Add a page. Return true if there is another page, at `cursor`."""
        following = _NEXT.search(page)
        self.cursor = unquote_plus(following[1]) if following else None
        body = page[: following.start()] if following else page
        self.text += body.partition("\n")[2] if self.text else body
        return following is not None


def with_schemas(offers: shapes.OfferList, ruleset: Mapping[str, Any]) -> shapes.OfferList:
    """Return the offers with the schemas that they cite from the rulebook."""
    places = ruleset["schemas"]
    schemas = {key: _at(ruleset, places[key]["at"]) for key in offers.cited if key in places}
    return msgspec.structs.replace(offers, schemas={**offers.schemas, **schemas})


def _at(document: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document
