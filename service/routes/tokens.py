"""Tokens: the GM gives players and spectators their keys, and takes them back."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.commands import Word
from domain.errors import Unfitting, Unknown
from domain.record.combat import Id
from service.http.operation import Call, Operation, Reply
from service.store import tokens
from service.store.log import TokenRow


class IssueToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A player plays the named `combatants`, and those whose sheet names `owner`."""

    role: Literal["gm", "player", "spectator"]
    label: Annotated[str, Meta(max_length=120)] = ""
    owner: Word | None = None
    combatants: Annotated[tuple[Id, ...], Meta(max_length=200)] = ()


class TokenLine(Struct, frozen=True):
    id: str
    role: str
    label: str
    owner: str | None
    combatants: tuple[Id, ...]


class Issued(Struct, frozen=True):
    """`token` is shown this once."""

    id: str
    token: str
    role: str


class Tokens(Struct, frozen=True):
    tokens: tuple[TokenLine, ...]


async def list_tokens(call: Call) -> Reply:
    """The tokens in force; their secrets are not known any more."""
    return Reply(Tokens(tuple(_line(row) for row in call.combat.tokens.values())))


async def issue_token(call: Call) -> Reply:
    """Issue a token for a GM, a player or a spectator."""
    body: IssueToken = call.body
    hot = call.combat
    for who in body.combatants:
        if who not in hot.live.combat.combatants:
            raise Unknown("combatant", who, tuple(hot.live.combat.combatants))
        if "," in who:
            raise Unknown("combatant", who)
    if len(hot.tokens) >= 200:
        raise Unfitting("too-many-tokens", "a combat has at most 200 tokens in force")
    text, row = tokens.issue(hot.id, body.role, body.label, body.owner, body.combatants)
    async with hot.lock:
        await call.combats.store.add_token(hot.id, row)
        await call.combats.reload_tokens(hot)
    return Reply(Issued(row.id, text, row.role), 201)


async def revoke_token(call: Call) -> Reply:
    """Revoke a token at once. The last GM token cannot be revoked."""
    hot, id = call.combat, call.params["token"]
    row = hot.tokens.get(id)
    if row is None:
        raise Unknown("token", id, tuple(hot.tokens))
    masters = [one for one in hot.tokens.values() if one.role == "gm"]
    if row.role == "gm" and len(masters) == 1:
        raise Unfitting("last-gm", "the last GM token cannot be revoked")
    async with hot.lock:
        await call.combats.store.revoke(hot.id, id)
        await call.combats.reload_tokens(hot)
    return Reply(None, 204)


def _line(row: TokenRow) -> TokenLine:
    return TokenLine(row.id, row.role, row.label, row.owner, row.combatants)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/combats/{combat}/tokens",
        "listTokens",
        "List tokens",
        "Access",
        list_tokens,
        Tokens,
        "gm",
        errors=(404,),
        links={
            "revoke": (
                "revokeToken",
                {"combat": "$request.path.combat", "token": "$response.body#/tokens/0/id"},
            )
        },
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/tokens",
        "issueToken",
        "Issue a token",
        "Access",
        issue_token,
        Issued,
        "gm",
        201,
        IssueToken,
        errors=(404, 409),
    ),
    Operation(
        "DELETE",
        "/v1/combats/{combat}/tokens/{token}",
        "revokeToken",
        "Revoke a token",
        "Access",
        revoke_token,
        None,
        "gm",
        204,
        errors=(404, 409),
    ),
)
