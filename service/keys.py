"""The tokens of a combat: issue and revoke them. One GM token always remains."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from domain.errors import Unfitting, Unknown
from domain.record.combat import Combat, Id
from service.answers import Answer, Idempotency, Issue, keep
from service.combats import Combats
from service.hot_combat import Hot
from service.store import tokens
from service.store.port import Log
from service.store.rows import Conflict, TokenRow

MOST_TOKENS: Final = 200
"""The limit of valid tokens of one combat."""

RoleName = Literal["gm", "player", "spectator"]


class Issued(Struct, frozen=True, omit_defaults=True):
    """A new token. Store `token`, because Affray shows it only once.

    With `warning`, no combatant has this owner yet.
    """

    id: str
    token: str
    role: RoleName
    warning: Annotated[str, Meta(description="Advice for the GM, in a sentence. Empty: none")] = ""


@dataclass(frozen=True)
class Wanted:
    """The token that a GM requests."""

    role: RoleName
    label: str
    owner: str | None
    combatants: tuple[Id, ...]
    ends_at: datetime | None


async def issue(
    combats: Combats, hot: Hot, row: TokenRow, wanted: Wanted, idempotency: Idempotency | None
) -> Answer:
    """Issue a token."""

    async def once(row: TokenRow) -> Answer:
        assert hot.head is not None
        for index, who in enumerate(wanted.combatants):
            if who not in hot.live.combat.combatants or "," in who:
                unknown = Unknown("combatant", who, tuple(hot.live.combat.combatants))
                unknown.pointer = f"/combatants/{index}"
                raise unknown
        warning = _without_owner(hot.live.combat, wanted.owner)
        if len(hot.valid_tokens) >= MOST_TOKENS:
            raise Unfitting(
                "too-many-tokens", f"a combat has at most {MOST_TOKENS} tokens in force"
            )
        fresh = Issue(
            hot.id, idempotency, wanted.role, wanted.label, wanted.owner, wanted.combatants,
            wanted.ends_at,
        )  # fmt: skip

        def answer(token: str) -> Answer:
            return Answer(
                201, "", msgspec.json.encode(Issued(fresh.row.id, token, wanted.role, warning))
            )

        first = None if idempotency is None else keep(row, idempotency, answer(fresh.kept))
        await combats.store.add_token(hot.id, hot.head, fresh.row, first)
        hot.know_tokens({**hot.tokens, fresh.row.id: fresh.row})
        return answer(fresh.text)

    return await combats.changing(hot, row, idempotency, once)


def _without_owner(combat: Combat, owner: str | None) -> str:
    """Return a warning if no combatant has the owner of a token, or "".

    This is not an error, because a combatant of this owner may still join.
    """
    owners = dict.fromkeys(combatant.owner for combatant in combat if combatant.owner is not None)
    if owner is None or owner in owners:
        return ""
    there = f"; owners are: {', '.join(owners)}" if owners else ""
    return f"no combatant has the owner {owner!r} yet, so the token plays nobody{there}"


async def issue_anew(store: Log, combat: UUID, label: str) -> str | None:
    """Issue a GM token for the operator. Return its text, or `None` for an unknown combat.

    The head counts tokens, so replicas with the combat in memory notice the new token.
    """
    while (head := await store.head(combat)) is not None:
        text, row = tokens.issue(combat, "gm", label)
        try:
            await store.add_token(combat, head, row, None)
        except Conflict:  # a GM issued or revoked one at the same time
            continue
        return text
    return None


async def revoke(combats: Combats, hot: Hot, row: TokenRow, id: str) -> None:
    """Revoke a token. The last GM token that never expires cannot be revoked."""

    async def once(row: TokenRow) -> None:
        assert hot.head is not None
        token = hot.tokens.get(id)
        if token is None:
            raise Unknown("token", id, tuple(hot.tokens))
        lasting = [
            row.id for row in hot.tokens.values() if row.role == "gm" and row.ends_at is None
        ]
        if lasting == [id]:
            raise Unfitting("last-gm", "the last GM token without an end cannot be revoked")
        await combats.store.revoke(hot.id, hot.head, id)
        hot.know_tokens({key: row for key, row in hot.tokens.items() if key != id})

    await combats.changing(hot, row, None, once)
