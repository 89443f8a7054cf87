"""Tokens: the GM issues tokens for players and spectators, and revokes them."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.commands import Word
from domain.errors import Unfitting
from domain.record.combat import Id
from projections.board import reader
from service import keys
from service.http.operation import Call, Operation, Reply, finished
from service.store.rows import TokenRow


class IssueToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A new token. A player plays the `combatants`, and those whose sheet names `owner`.

    The token expires at `ends_at` (RFC 3339). With `null`, it is valid until you revoke it.
    """

    role: Literal["gm", "player", "spectator"]
    label: Annotated[str, Meta(max_length=120)] = ""
    owner: Annotated[
        Word | None,
        Meta(description="Owner: the token plays combatants whose sheet names it. `null`: none"),
    ] = None
    combatants: Annotated[
        tuple[Id, ...],
        Meta(description="Ids of further combatants that it plays", max_length=200),
    ] = ()
    ends_at: Annotated[datetime, Meta(tz=True)] | None = None


_Owner = Annotated[
    str | None,
    Meta(
        description="Owner: the token plays combatants whose sheet names this owner. `null`: none"
    ),
]


class TokenLine(Struct, frozen=True):
    """A token in force."""

    id: str
    role: Literal["gm", "player", "spectator"]
    label: str
    owner: _Owner
    combatants: Annotated[
        tuple[Id, ...],
        Meta(description="Ids from the issue of the token, without the combatants of its owner"),
    ]
    ends_at: datetime | None = None


class YourToken(Struct, frozen=True):
    """The token of the request, and the combatants that it plays now."""

    id: str
    role: Literal["gm", "player", "spectator"]
    label: str
    owner: _Owner
    combatants: Annotated[
        tuple[Id, ...],
        Meta(description="Ids of its combatants now, as in `you` of the board; for a GM, all"),
    ]
    ends_at: datetime | None = None


class TokenList(Struct, frozen=True):
    """The tokens in force."""

    tokens: Annotated[tuple[TokenLine, ...], Meta(description="The tokens in force")]


async def list_tokens(call: Call) -> Reply:
    """List the tokens in force, without their secrets, which are not stored."""
    return Reply(TokenList(tuple(_line(row) for row in call.combat.valid_tokens.values())))


async def read_you(call: Call) -> Reply:
    """Return the role and label of this token, and the combatants that it plays now."""
    line = _line(call.row)
    plays = reader(call.combat.live, call.combat.seen_by(call.row)).combatants
    return Reply(YourToken(line.id, line.role, line.label, line.owner, plays, line.ends_at))


async def issue_token(call: Call) -> Reply:
    """Issue a token for a GM, a player or a spectator."""
    body: IssueToken = call.body
    if body.ends_at is not None and body.ends_at <= datetime.now(UTC):
        raise Unfitting("already-ended", "the token would have ended before it begins")
    wanted = keys.Wanted(body.role, body.label, body.owner, body.combatants, body.ends_at)
    return finished(await keys.issue(call.combats, call.combat, call.row, wanted, call.idempotency))


async def revoke_token(call: Call) -> Reply:
    """Revoke a token at once. The last GM token that never expires cannot be revoked."""
    await keys.revoke(call.combats, call.combat, call.row, call.params["token_id"])
    return Reply(None, 204)


def _line(row: TokenRow) -> TokenLine:
    role: Literal["gm", "player", "spectator"] = (
        "gm" if row.role == "gm" else "player" if row.role == "player" else "spectator"
    )
    return TokenLine(row.id, role, row.label, row.owner, row.combatants, row.ends_at)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/you",
        "readYou",
        "Read the token's role and combatants",
        "Access",
        read_you,
        YourToken,
        errors=(404,),
        links={"board": ("readCombat", {"combat": "$request.path.combat"})},
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/tokens",
        "listTokens",
        "List tokens",
        "Access",
        list_tokens,
        TokenList,
        "gm",
        errors=(404,),
        links={
            "revoke": (
                "revokeToken",
                {"combat": "$request.path.combat", "token_id": "$response.body#/tokens/0/id"},
            )
        },
        commits=True,
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/tokens",
        "issueToken",
        "Issue a token",
        "Access",
        issue_token,
        keys.Issued,
        "gm",
        201,
        IssueToken,
        errors=(404, 409),
        links={
            "revoke": (
                "revokeToken",
                {"combat": "$request.path.combat", "token_id": "$response.body#/id"},
            )
        },
        commits=True,
    ),
    Operation(
        "DELETE",
        "/v1/combats/{combat}/tokens/{token_id}",
        "revokeToken",
        "Revoke a token",
        "Access",
        revoke_token,
        None,
        "gm",
        204,
        errors=(404, 409),
        commits=True,
    ),
)
