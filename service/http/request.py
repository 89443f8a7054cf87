"""A request as the operations see it: nothing of it is parsed before somebody asks for it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network
from typing import Any
from urllib.parse import quote

import litestar

from service.limits import address_of


class Gone(Exception):
    """The client has gone away in the midst of its request."""


class Headers:
    """The headers of a request, by name in lower case; of several with one name the first."""

    __slots__ = ("_raw",)

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        self._raw = raw

    def get(self, name: str, default: str = "") -> str:
        """The value of a header."""
        found = self.find(name)
        return default if found is None else found

    def find(self, name: str) -> str | None:
        """The value of a header, None = it was not sent."""
        wanted = name.encode()
        for one, value in self._raw:
            if one == wanted:
                return value.decode("latin-1")
        return None


class Request:
    """One request; `params` are those of its path."""

    __slots__ = ("_receive", "_scope", "headers", "method", "params")

    def __init__(self, scope: Any, receive: Any) -> None:
        self._scope, self._receive = scope, receive
        self.method: str = scope["method"]
        self.headers = Headers(scope["headers"])
        self.params: Mapping[str, str] = scope["path_params"]

    @property
    def path(self) -> str:
        """The path as it stands in an address."""
        return quote(self._scope["path"])

    def address(self, proxies: Sequence[IPv4Network | IPv6Network]) -> str:
        """The address that it comes from, through these proxies."""
        return address_of(self._scope, proxies)

    def query(self) -> list[tuple[str, str]]:
        """The parameters behind the question mark, in order."""
        if not self._scope["query_string"]:
            return []
        asked: litestar.Request[Any, Any, Any] = litestar.Request(self._scope)
        return list(asked.query_params.multi_items())

    async def body(self) -> AsyncIterator[bytes]:
        """The pieces of the body, as they come. Raises `Gone`."""
        more = True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise Gone
            if message.get("body"):
                yield message["body"]
            more = message.get("more_body", False)
