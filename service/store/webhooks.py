"""The webhooks of all combats: who is to be told what, and how far each has been told.

Its place moves only after the address has taken a message, in a statement that names the claim
under which that was sent. So a kill at any moment repeats one message at most, and of two replicas
that deliver to one address only the one with the newer claim goes on.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from service.store.database import Database
from service.store.rows import INSERT_ANSWER, Conflict, FirstAnswer, Head


class Webhook(Struct, frozen=True):
    """An address. `made_by` and `audience` are ids of tokens; `secret` is as it is stored.

    told      the number, of the audience's own, up to which it has been told
    looked    the version of the combat up to which there is nothing more to tell
    failures  since the last success; `problem` is the last one; `due` when it is tried again
    claim     of whoever delivers; another one makes it void
    """

    combat: UUID
    id: str
    made_by: str
    audience: str
    url: str
    occasions: tuple[str, ...]
    secret: bytes
    told: int
    looked: int
    given_up: bool
    failures: int
    problem: str
    due: datetime
    claim: int
    created_at: datetime


_COLUMNS: Final = (
    "webhooks.combat_id, webhooks.webhook_id, made_by, audience, url, occasions, secret, told,"
    " looked, given_up, failures, problem, due, claim, created_at"
)

_CLAIM: Final = f"""
WITH free AS (
    SELECT combat_id, webhook_id FROM webhooks JOIN heads USING (combat_id)
    WHERE NOT given_up AND due <= now() AND heads.version > looked
    ORDER BY due LIMIT $1 FOR UPDATE OF webhooks SKIP LOCKED
)
UPDATE webhooks SET claim = claim + 1, due = now() + make_interval(secs => $2)
FROM free WHERE (webhooks.combat_id, webhooks.webhook_id) = (free.combat_id, free.webhook_id)
RETURNING {_COLUMNS}
"""

_HELD: Final = "WHERE combat_id = $1 AND webhook_id = $2 AND claim = $3 RETURNING true"


class Webhooks:
    """Those of all combats."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(
        self, webhook: Webhook, before: Head, most: int, first: FirstAnswer | None
    ) -> bool:
        """Register it; False when the combat has `most` already.

        Raises `Conflict` when the combat is gone or its tokens have changed.
        """

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                await _hold(connection, webhook.combat, before)
                count = "SELECT count(*) FROM webhooks WHERE combat_id = $1"
                if await connection.fetchval(count, webhook.combat) >= most:
                    return False
                await connection.execute(
                    "INSERT INTO webhooks (combat_id, webhook_id, made_by, audience, url,"
                    " occasions, secret, told, looked) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    webhook.combat,
                    webhook.id,
                    webhook.made_by,
                    webhook.audience,
                    webhook.url,
                    list(webhook.occasions),
                    webhook.secret,
                    webhook.told,
                    webhook.looked,
                )
                await _keep(connection, webhook.combat, first)
                return True

        return await self._run(work)

    async def again(
        self, webhook: Webhook, told: int, before: Head, first: FirstAnswer | None
    ) -> bool:
        """Tell it anew what follows the number `told`, at once; False when it is gone.

        Raises `Conflict` as `add` does.
        """

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                await _hold(connection, webhook.combat, before)
                done = await connection.fetchval(
                    "UPDATE webhooks SET told = $3, looked = 0, given_up = false, failures = 0,"
                    " problem = '', due = now(), claim = claim + 1"
                    " WHERE combat_id = $1 AND webhook_id = $2 RETURNING true",
                    webhook.combat,
                    webhook.id,
                    told,
                )
                await _keep(connection, webhook.combat, first)
                return bool(done)

        return await self._run(work)

    async def _run(self, work: Any) -> bool:
        try:
            return bool(await self.database.run(work))
        except asyncpg.UniqueViolationError:  # the key was answered before
            raise Conflict from None

    async def remove(self, combat: UUID, id: str) -> bool:
        """Forget one; whether it was there."""
        done = await self.database.run(
            lambda one: one.fetchval(
                "DELETE FROM webhooks WHERE combat_id = $1 AND webhook_id = $2 RETURNING true",
                combat,
                id,
            )
        )
        return bool(done)

    async def of(self, combat: UUID) -> list[Webhook]:
        """Those of a combat, the oldest first."""
        rows = await self.database.ask(
            lambda one: one.fetch(
                f"SELECT {_COLUMNS} FROM webhooks WHERE combat_id = $1"
                " ORDER BY created_at, webhook_id",
                combat,
            )
        )
        return [_webhook(row) for row in rows]

    # ---- delivering

    async def claim(self, most: int, seconds: float) -> list[Webhook]:
        """Those for which there is news, each for this caller alone, for so long."""
        rows = await self.database.run(lambda one: one.fetch(_CLAIM, most, seconds))
        return [_webhook(row) for row in rows]

    async def told(self, webhook: Webhook, number: int, seconds: float) -> Webhook | None:
        """It was told up to `number`, and is ours for so long again; None = not ours any more."""
        done = await self.database.run(
            lambda one: one.fetchval(
                "UPDATE webhooks SET told = $4, failures = 0, problem = '',"
                f" due = now() + make_interval(secs => $5) {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                number,
                seconds,
            )
        )
        return replace(webhook, told=number, failures=0, problem="") if done else None

    async def rest(self, webhook: Webhook, looked: int) -> None:
        """There is nothing more for it up to the version `looked`."""
        await self.database.run(
            lambda one: one.fetchval(
                f"UPDATE webhooks SET looked = $4, due = now() {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                looked,
            )
        )

    async def failed(self, webhook: Webhook, problem: str, pause: float | None) -> None:
        """It did not take a message: again after a pause (seconds), or never (None)."""
        await self.database.run(
            lambda one: one.fetchval(
                "UPDATE webhooks SET failures = failures + 1, problem = $4, given_up = $5,"
                f" due = now() + make_interval(secs => $6) {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                problem,
                pause is None,
                pause or 0,
            )
        )


async def _hold(connection: Any, combat: UUID, before: Head) -> None:
    """Hold the combat as it is known. Raises `Conflict`."""
    if not await connection.fetchval(
        "SELECT true FROM heads WHERE combat_id = $1 AND life = $2 AND tokens = $3 FOR UPDATE",
        combat,
        before.life,
        before.tokens,
    ):
        raise Conflict


async def _keep(connection: Any, combat: UUID, first: FirstAnswer | None) -> None:
    if first is not None:
        await connection.execute(INSERT_ANSWER, *first.inserted(combat))


def _webhook(row: Any) -> Webhook:
    combat, id, made_by, audience, url, occasions, *rest = row
    return Webhook(combat, id, made_by, audience, url, tuple(occasions), *rest)
