"""The webhooks of all combats: their messages, and the position of each.

The position advances only after the address has accepted a message, in a statement that checks the
claim of the worker. Therefore, a kill at any moment repeats at most one message. If two replicas
deliver to one address, only the one with the newer claim continues.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

import asyncpg
import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from service.store.database import Database
from service.store.rows import INSERT_ANSWER, Conflict, FirstAnswer, Head


class Delivered(Struct, frozen=True):
    """A call to an address.

    - `at`: the time at which the call ended (RFC 3339).
    - `version`: the version of its message, in the audience's numbers.
    - `problem`: the reason why the address did not accept it.
    """

    id: Annotated[str, Meta(description="The `webhook-id` of the call")]
    type: Annotated[str, Meta(description="Occasion of the call")]
    version: Annotated[
        int, Meta(description="Version of the last event in the call, in the audience's numbers")
    ]
    at: Annotated[
        str,
        Meta(description="Time of its end (RFC 3339)", extra_json_schema={"format": "date-time"}),
    ]
    taken: Annotated[bool, Meta(description="Whether the address accepted it")]
    problem: Annotated[str, Meta(description="Reason of the failure. Empty: no failure")] = ""


class Webhook(Struct, frozen=True):
    """A webhook as the database stores it.

    - `made_by`, `audience`: ids of tokens.
    - `secret`: the secret in the stored form.
    - `told`: the number of the last sent event, in the audience's numbers.
    - `looked`: the version of the combat up to which the webhook needs no more calls.
    - `failures`: the number of failures since the last success. `problem`: the last failure.
    - `due`: the time of the next attempt.
    - `claim`: the number of the worker's claim. A newer claim replaces it.
    - `taken`: the number of calls that the address has accepted.
    - `previous`: the secret before this one, which also signs until `previous_until`.
    - `deliveries`: the last calls, the newest first, in the stored form.
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
    taken: int = 0
    previous: bytes | None = None
    previous_until: datetime | None = None
    deliveries: str = "[]"

    @property
    def last(self) -> tuple[Delivered, ...]:
        """Return the last calls, the newest first."""
        return msgspec.json.decode(self.deliveries, type=tuple[Delivered, ...])

    def after(self, call: Delivered) -> "Webhook":
        """Return the webhook with one more call in its list."""
        log = msgspec.json.encode((call, *self.last)[:KEPT]).decode()
        return replace(self, deliveries=log)

    @property
    def host(self) -> str:
        """Return the host and port of the address, as `_HOST` finds them."""
        return self.url.partition("://")[2].partition("/")[0]

    @property
    def is_doubtful(self) -> bool:
        """Return true unless the address has accepted calls, including the last one."""
        return not self.taken or self.failures > 0

    def secrets(self, now: datetime) -> tuple[bytes, ...]:
        """Return the stored secrets that sign a call, the newest first."""
        if self.previous is None or self.previous_until is None or self.previous_until <= now:
            return (self.secret,)
        return (self.secret, self.previous)


class Slots(Struct, frozen=True):
    """Limits of the calls that may begin: in all, and at once for one host or combat.

    `hosts` and `combats` count the calls under way. `doubted` counts calls to doubtful addresses.
    """

    free: int
    hosts: Mapping[str, int] = {}
    combats: Mapping[UUID, int] = {}
    doubted: int = 0


KEPT: Final = 20
"""The limit of calls in the log of a webhook."""

PER_HOST: Final = 15
"""The limit of calls to one host at the same time."""

PER_COMBAT: Final = 10
"""The limit of calls of one combat at the same time."""

DOUBTED: Final = 25
"""The limit of calls to doubtful addresses at the same time.

It is half of all slots, so that silent addresses never take the slots of the others.
"""

_COLUMNS: Final = (
    "webhooks.combat_id, webhooks.webhook_id, made_by, audience, url, occasions, secret, told,"
    " looked, given_up, failures, problem, due, claim, created_at, taken, previous_secret,"
    " previous_until, deliveries"
)

_HOST: Final = "split_part(split_part(url, '://', 2), '/', 1)"

_CLAIM: Final = f"""
WITH news AS (
    SELECT combat_id, webhook_id, due, failures > 0 OR taken = 0 AS doubtful,
        row_number() OVER (PARTITION BY {_HOST} ORDER BY due) + coalesce(hosts.busy, 0) AS of_host,
        row_number() OVER (PARTITION BY combat_id ORDER BY due) + coalesce(combats.busy, 0)
            AS of_combat
    FROM webhooks JOIN heads USING (combat_id)
    LEFT JOIN unnest($3::text[], $4::int[]) AS hosts(host, busy) ON hosts.host = {_HOST}
    LEFT JOIN unnest($5::uuid[], $6::int[]) AS combats(id, busy) ON combats.id = combat_id
    WHERE NOT given_up AND due <= now() AND heads.version > looked
), fair AS (
    SELECT combat_id, webhook_id, due, doubtful, greatest(of_host, of_combat) AS turn,
        row_number() OVER (PARTITION BY doubtful ORDER BY greatest(of_host, of_combat), due)
            AS of_kind
    FROM news WHERE of_host <= {PER_HOST} AND of_combat <= {PER_COMBAT}
), chosen AS (
    SELECT combat_id, webhook_id FROM fair WHERE NOT doubtful OR of_kind <= $7
    ORDER BY turn, due LIMIT $1
), free AS (
    SELECT combat_id, webhook_id FROM webhooks JOIN chosen USING (combat_id, webhook_id)
    WHERE NOT given_up AND due <= now() FOR UPDATE OF webhooks SKIP LOCKED
)
UPDATE webhooks SET claim = claim + 1, due = now() + make_interval(secs => $2)
FROM free WHERE (webhooks.combat_id, webhooks.webhook_id) = (free.combat_id, free.webhook_id)
RETURNING {_COLUMNS}
"""

_HELD: Final = "WHERE combat_id = $1 AND webhook_id = $2 AND claim = $3 RETURNING true"


class Webhooks:
    """The webhooks of all combats."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(
        self, webhook: Webhook, before: Head, most: int, first: FirstAnswer | None
    ) -> bool:
        """Register a webhook. Return false if the combat already has `most`.

        Raise `Conflict` if the combat was deleted or its tokens have changed.
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
        """Send the events after the number `told` again. Return false if the webhook was deleted.

        Raise `Conflict` as `add` does.
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

    async def rotate(self, webhook: Webhook, before: Head, first: FirstAnswer | None) -> bool:
        """Store the secrets of a webhook. Return false if it was deleted.

        The worker repeats a call that is in progress. Raise `Conflict` as `add` does.
        """

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                await _hold(connection, webhook.combat, before)
                done = await connection.fetchval(
                    "UPDATE webhooks SET secret = $3, previous_secret = $4, previous_until = $5,"
                    " claim = claim + 1, due = least(due, now())"
                    " WHERE combat_id = $1 AND webhook_id = $2 RETURNING true",
                    webhook.combat,
                    webhook.id,
                    webhook.secret,
                    webhook.previous,
                    webhook.previous_until,
                )
                await _keep(connection, webhook.combat, first)
                return bool(done)

        return await self._run(work)

    async def change(self, webhook: Webhook, before: Head) -> bool:
        """Store the address and the occasions of a webhook. Return false if it was deleted.

        The worker repeats a call that is in progress. Raise `Conflict` as `add` does.
        """

        async def work(connection: Any) -> bool:
            async with connection.transaction():
                await _hold(connection, webhook.combat, before)
                done = await connection.fetchval(
                    "UPDATE webhooks SET url = $3, occasions = $4, given_up = $5, failures = $6,"
                    " problem = $7, taken = $8, due = least(due, $9), claim = claim + 1"
                    " WHERE combat_id = $1 AND webhook_id = $2 RETURNING true",
                    webhook.combat,
                    webhook.id,
                    webhook.url,
                    list(webhook.occasions),
                    webhook.given_up,
                    webhook.failures,
                    webhook.problem,
                    webhook.taken,
                    webhook.due,
                )
                return bool(done)

        return await self._run(work)

    async def _run(self, work: Any) -> bool:
        try:
            return bool(await self.database.change(work))
        except asyncpg.UniqueViolationError:  # the key already has an answer
            raise Conflict from None

    async def remove(self, combat: UUID, id: str) -> bool:
        """Delete a webhook. Return true if it existed."""
        done = await self.database.change(
            lambda connection: connection.fetchval(
                "DELETE FROM webhooks WHERE combat_id = $1 AND webhook_id = $2 RETURNING true",
                combat,
                id,
            )
        )
        return bool(done)

    async def of(self, combat: UUID) -> list[Webhook]:
        """Return the webhooks of a combat, the oldest first."""
        rows = await self.database.ask(
            lambda connection: connection.fetch(
                f"SELECT {_COLUMNS} FROM webhooks WHERE combat_id = $1"
                " ORDER BY created_at, webhook_id",
                combat,
            )
        )
        return [_webhook(row) for row in rows]

    # ---- delivering

    async def claim(self, slots: Slots, seconds: float) -> list[Webhook]:
        """Return webhooks with waiting messages. This caller claims each for `seconds`.

        Hosts and combats take turns.
        """
        rows = await self.database.run(
            lambda connection: connection.fetch(
                _CLAIM,
                slots.free,
                seconds,
                list(slots.hosts),
                list(slots.hosts.values()),
                list(slots.combats),
                list(slots.combats.values()),
                max(0, DOUBTED - slots.doubted),
            )
        )
        return [_webhook(row) for row in rows]

    async def told(
        self, webhook: Webhook, number: int, seconds: float, *, call: Delivered | None = None
    ) -> Webhook | None:
        """Store the position `number` and extend the claim. Return `None` if the claim is lost.

        `call` is a call that the address has accepted, if any.
        """
        now = webhook if call is None else webhook.after(call)
        done = await self.database.run(
            lambda connection: connection.fetchval(
                "UPDATE webhooks SET told = $4, failures = 0, problem = '', taken = taken + $6,"
                f" deliveries = $7, due = now() + make_interval(secs => $5) {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                number,
                seconds,
                int(call is not None),
                now.deliveries,
            )
        )
        if not done:
            return None
        taken = webhook.taken + (call is not None)
        return replace(now, told=number, failures=0, problem="", taken=taken)

    async def rest(self, webhook: Webhook, looked: int) -> None:
        """Record that the webhook needs no calls up to the version `looked`."""
        await self.database.run(
            lambda connection: connection.fetchval(
                f"UPDATE webhooks SET looked = $4, due = now() {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                looked,
            )
        )

    async def postpone(self, webhook: Webhook, seconds: float) -> None:
        """Postpone the next claim of the webhook by this many seconds.

        This does not count as a failure of its address.
        """
        await self.database.run(
            lambda connection: connection.fetchval(
                f"UPDATE webhooks SET due = now() + make_interval(secs => $4) {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                seconds,
            )
        )

    async def failed(self, webhook: Webhook, call: Delivered, pause: float | None) -> None:
        """Record that the address did not accept a message.

        Repeat the call after `pause` seconds, or never if `pause` is `None`.
        """
        await self.database.run(
            lambda connection: connection.fetchval(
                "UPDATE webhooks SET failures = failures + 1, problem = $4, given_up = $5,"
                f" deliveries = $7, due = now() + make_interval(secs => $6) {_HELD}",
                webhook.combat,
                webhook.id,
                webhook.claim,
                call.problem,
                pause is None,
                pause or 0,
                webhook.after(call).deliveries,
            )
        )


async def _hold(connection: Any, combat: UUID, before: Head) -> None:
    """Lock the combat at the expected head. Raises `Conflict`."""
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
