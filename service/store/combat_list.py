"""The list of combats, page by page, as the projection `combats` has built it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

import asyncpg
from msgspec import Meta, Struct

from domain.errors import Malformed
from service.store.log import Store
from service.store.rows import Unavailable


class CombatLine(Struct, frozen=True):
    """One combat in the list."""

    id: Annotated[str, Meta(description="Id of the combat", extra_json_schema={"format": "uuid"})]
    name: str
    ruleset: str
    status: str
    round: int
    created_at: Annotated[
        str,
        Meta(description="Time of opening (RFC 3339)", extra_json_schema={"format": "date-time"}),
    ]
    updated_at: Annotated[
        str,
        Meta(
            description="Time of the last change (RFC 3339)",
            extra_json_schema={"format": "date-time"},
        ),
    ]
    labels: tuple[str, ...]


class CombatPage(Struct, frozen=True):
    """A page of the list. `next` is the cursor of the next page."""

    combats: Annotated[
        tuple[CombatLine, ...], Meta(description="The combats, the most recently changed first")
    ]
    next: str | None = None


@dataclass(frozen=True)
class Wanted:
    """The filters of the list of combats.

    - `search`: a text in the name or in a label.
    - `label`: a complete label.
    - `since`, `until`: limits of the time of the last change. `until` itself is excluded.
    - `application`: the key to which the combats belong, or `None` for all combats.
    """

    ruleset: str | None = None
    status: str | None = None
    search: str | None = None
    label: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    cursor: str | None = None
    limit: int = 50
    application: str | None = None


class Listing:
    """Reads the list. Deleted combats are missing at once, even before the projection knows."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def page(self, wanted: Wanted) -> CombatPage:
        """Return the most recently changed combats. Raises `Malformed` for an invalid cursor."""
        after, id = _read(wanted.cursor)
        try:
            rows = await self._rows(wanted, after, id)
        except asyncpg.UndefinedColumnError:  # a list of another release, until it is rebuilt
            raise Unavailable("the list is being made") from None
        lines = tuple(
            CombatLine(
                str(row[0]),
                row[1],
                row[2],
                row[3],
                row[4],
                row[5].isoformat(),
                row[6].isoformat(),
                tuple(row[7]),
            )
            for row in rows
        )
        following = _write(rows[-1]) if len(rows) == wanted.limit else None
        return CombatPage(lines, following)

    async def _rows(self, wanted: Wanted, after: datetime | None, id: UUID | None) -> Sequence[Any]:
        rows: Sequence[Any] = await self.store.database.ask(
            lambda connection: connection.fetch(
                "SELECT combat_id, name, ruleset, status, round, created_at, updated_at, labels"
                " FROM projection_combats.combats JOIN heads USING (combat_id)"
                " WHERE ($1::text IS NULL OR ruleset = $1) AND ($2::text IS NULL OR status = $2)"
                " AND ($3::text IS NULL OR position(lower($3) IN lower(name)) > 0"
                " OR EXISTS (SELECT FROM unnest(labels) AS label"
                " WHERE position(lower($3) IN lower(label)) > 0))"
                " AND ($9::text IS NULL OR labels @> ARRAY[$9])"
                " AND ($10::text IS NULL OR EXISTS (SELECT FROM key_combats AS k"
                " WHERE k.combat_id = heads.combat_id AND k.key_id = $10))"
                " AND ($4::timestamptz IS NULL OR (updated_at, combat_id) < ($4, $5))"
                " AND ($7::timestamptz IS NULL OR updated_at >= $7)"
                " AND ($8::timestamptz IS NULL OR updated_at < $8)"
                " ORDER BY updated_at DESC, combat_id DESC LIMIT $6",
                wanted.ruleset,
                wanted.status,
                wanted.search,
                after,
                id,
                wanted.limit,
                wanted.since,
                wanted.until,
                wanted.label,
                wanted.application,
            )
        )
        return rows


def _write(row: Any) -> str:
    text = f"{row[6].isoformat()} {row[0]}"
    return urlsafe_b64encode(text.encode()).decode()


def _read(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    if cursor is None:
        return None, None
    try:
        text, _, id = urlsafe_b64decode(cursor.encode()).decode().partition(" ")
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None and 1 < at.year < 9999:  # valid in every time zone
            return at.astimezone(UTC), UUID(id)
    except ValueError:
        pass
    raise Malformed("/query/cursor", "this is no cursor of a page of combats")
