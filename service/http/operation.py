"""Operations: the inputs and the answers of each route.

A handler receives a `Call`. Affray has already done the following:

- checked the token
- read the query and the body strictly into Structs
- loaded the combat

The handler returns a `Reply`. Every error becomes a problem document.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import quote
from uuid import UUID

import litestar
from msgspec import Struct

from domain.errors import Forbidden, Unknown
from service.answers import Answer, Idempotency
from service.combats import Combats
from service.hot_combat import Hot
from service.limits import address_of
from service.store.rows import TokenRow

MAX_BODY: Final = 1024 * 1024
"""The limit of bytes of a request body, except for imports."""

JSON: Final = "application/json"

Request: TypeAlias = litestar.Request[Any, Any, Any]

OCTETS: Final = "application/octet-stream"
"""The media type that Affray accepts for a file."""


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No query parameters."""


class Viewed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"as_": "as"}):
    """Let the GM use the view of another token. `as` is the id of that token."""

    as_: str | None = None


class Reply(Struct, frozen=True):
    """An answer: content to encode (or encoded bytes), with its ETag.

    If `weighed` is true, the ETag ends with a checksum of the content. Instead of content, a Reply
    may have a `stream`, to send piece by piece.
    """

    content: Any
    status: int = 200
    etag: str | None = None
    media_type: str = JSON
    headers: Mapping[str, str] = {}
    weighed: bool = False
    stream: AsyncGenerator[bytes] | None = None


@dataclass
class Call:
    """One request with its inputs and its checked token."""

    combats: Combats
    service: Any
    request: Request
    query: Any
    body: Any
    raw: bytes
    hot: Hot | None
    token: TokenRow | None
    idempotency: Idempotency | None

    @property
    def params(self) -> Mapping[str, str]:
        """Return the parameters of the path."""
        return self.request.path_params

    @property
    def path(self) -> str:
        """Return the path as it appears in a URL."""
        return path_of(self.request)

    def header(self, name: str) -> str | None:
        """Return a header of the request, or `None` if it is missing."""
        return self.request.headers.get(name)

    @property
    def combat(self) -> Hot:
        """Return the combat of the path."""
        assert self.hot is not None
        return self.hot

    @property
    def row(self) -> TokenRow:
        """Return the caller's token."""
        assert self.token is not None
        return self.token

    @property
    def viewer(self) -> TokenRow:
        """Return the token whose view the request uses: the caller's, or the one in `as`.

        Raise `Forbidden` or `Unknown`.
        """
        id = self.query.as_ if isinstance(self.query, Viewed) else None
        if id is None:
            return self.row
        if self.row.role != "gm":
            raise Forbidden("only the GM looks through other eyes")
        token = self.combat.in_force(id)
        if token is None:
            raise Unknown("token", id, tuple(self.combat.valid_tokens))
        return token

    @property
    def address(self) -> str:
        """Return the address that the request comes from."""
        return address_of(self.request.scope, self.service.settings.proxies)

    @property
    def application(self) -> str | None:
        """Return the id of the application's key in the request."""
        application: str | None = getattr(self.request.state, "application", None)
        return application

    @property
    def if_match(self) -> str | None:
        """Return the If-Match header."""
        return self.header("if-match")


def path_of(request: Request) -> str:
    """Return the path as it appears in a URL."""
    return quote(request.scope["path"])


Who = Literal["anybody", "service", "token", "gm"]


@dataclass(frozen=True)
class Operation:
    """A route.

    - `who`: the allowed callers: anybody, clients with the service key, any token, or a GM's token.
    - `answer`: the Struct of the successful answer, or the name of a media type for other content.
    - `commits`: whether one statement stores the result and confirms combat and token.
    - `tickets`: whether a ticket in the query may replace a token.
    - `messages`: the Struct of the data of each of a stream's events.
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
    commits: bool = False
    tickets: bool = False
    messages: Mapping[str, type[Struct]] = field(default_factory=dict)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the path's parameters."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def takes_no_fields(self) -> bool:
        """Return true if the body may be left out, because it has no fields."""
        return getattr(self.body, "__struct_fields__", None) == ()

    @property
    def stores(self) -> bool:
        """Return true if a repeated request would change something a second time."""
        harmless = ("preview", "askWhatIf", "issueTicket", "pingWebhook")
        return self.method != "GET" and self.id not in harmless

    @property
    def conditional(self) -> bool:
        """Return true if the operation answers with an ETag."""
        return (self.who in ("token", "gm") or self.tag == "Rulebooks") and not self.tickets


def finished(answer: Answer) -> Reply:
    """Return a committed command's answer."""
    headers = {"Idempotency-Replayed": "true"} if answer.replayed else {}
    return Reply(answer.body, answer.status, answer.etag or None, headers=headers)


def created(answer: Answer, id: UUID) -> Reply:
    """Return a new combat's answer, with its address."""
    reply = finished(answer)
    # The answer holds a token, so no cache may keep it.
    headers = {**reply.headers, "Location": f"/v1/combats/{id}", "Cache-Control": "no-store"}
    return Reply(reply.content, reply.status, reply.etag, headers=headers)
