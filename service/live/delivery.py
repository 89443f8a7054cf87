"""Delivery calls each webhook at least once per message, in the order of its combat.

- A free worker takes webhooks with waiting messages from the store. For a limited time, its claim
  keeps other workers away.
- Before each call, the database confirms the combat and both tokens of the webhook.
- The position of the webhook advances only when the address has accepted the call.
- The service's log names a webhook by its id, never by its address or secret.
"""

import asyncio
import contextlib
import logging
import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final
from uuid import uuid4

import httpx

from service.background import Background
from service.combats import Combats
from service.hot_combat import Hot
from service.live.addresses import Network
from service.live.calls import WebhookCall, WebhookPing, next_call
from service.live.line import ANSWER_S, Line, Refused
from service.loader import NotHere
from service.quarantine import LATER_S, Aside
from service.store.order import Order
from service.store.outage import Outage
from service.store.rows import TokenRow, Unavailable
from service.store.webhooks import Delivered, Slots, Webhook, Webhooks

log = logging.getLogger("affray")

WORKER: Final = "webhooks"

PAUSES_S: Final = (2, 10, 60, 300, 1800, 7200, 18_000, 36_000)
"""Seconds of pause after each failure in a row, ±20 %.

They add up to about 17 hours. After one more failure, Affray gives the webhook up.
"""

CLAIM_S: Final = 15.0
"""Seconds of a claim, longer than a call may take. Each call renews the claim."""

FEW_FAILURES: Final = 2
SHORT_ANSWER_S: Final = 3.0
"""Seconds for an answer of an address after `FEW_FAILURES` failures in a row."""

AT_ONCE: Final = 50
"""The limit of webhooks that one replica calls at the same time."""

PATROL_S: Final = 0.5
"""Seconds until the next search for messages if nothing wakes the delivery.

This search also finds webhooks whose pause has ended.
"""

BREATH_S: Final = 0.05
LONGEST_BREATH_S: Final = 1.0
"""The shortest and the longest pause between two searches, in seconds.

A search compares every webhook, so the pause is ten times as long as the search. It has a limit,
because a search can also take long while it waits for the database.
"""


class Delivery:
    """The calls of one replica.

    `allowed`: networks that may be called although they are not public.
    """

    def __init__(
        self,
        combats: Combats,
        webhooks: Webhooks,
        order: Order,
        allowed: Sequence[Network],
        aside: Aside,
    ) -> None:
        self.combats, self.webhooks, self.order, self.allowed = combats, webhooks, order, allowed
        self.aside = aside
        self.pauses: Sequence[float] = PAUSES_S
        for name in ("httpx", "httpcore"):  # they would log every address
            logging.getLogger(name).setLevel(logging.WARNING)
        self._trust = httpx.create_ssl_context()
        self._busy: set[Webhook] = set()
        self._waker = order.waker()
        self._background = Background()

    def start(self) -> None:
        """Start the delivery."""
        self._background.begin(self._run())

    async def stop(self) -> None:
        """Stop the delivery. The next worker repeats calls that are under way."""
        self.order.forget(self._waker)
        await self._background.end()

    def look(self) -> None:
        """Wake the delivery, because messages may be waiting."""
        self._waker.set()

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        outage = Outage("the delivery to webhooks")
        while True:
            self._waker.clear()
            began = clock()
            try:
                with outage.told():
                    if len(self._busy) < AT_ONCE:
                        for webhook in await self.webhooks.claim(self._slots(), CLAIM_S):
                            self._busy.add(webhook)
                            self._background.begin(self._of(webhook))
            except Exception:
                log.exception("webhooks are not called")
            await asyncio.sleep(min(LONGEST_BREATH_S, max(BREATH_S, 10 * (clock() - began))))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATROL_S):
                    await self._waker.wait()

    def _slots(self) -> Slots:
        """Return the free slots, and the holders of the others."""
        return Slots(
            AT_ONCE - len(self._busy),
            Counter(webhook.host for webhook in self._busy),
            Counter(webhook.combat for webhook in self._busy),
            sum(webhook.is_doubtful for webhook in self._busy),
        )

    async def _of(self, webhook: Webhook) -> None:
        """Send one webhook all of its waiting calls."""
        try:
            secrets = [
                self.combats.mapper.opened(secret) for secret in webhook.secrets(datetime.now(UTC))
            ]
            patience = ANSWER_S if webhook.failures < FEW_FAILURES else SHORT_ANSWER_S
            async with Line(webhook.url, secrets, self.allowed, self._trust, patience) as line:
                await self._tell(webhook, line)
        except Unavailable:  # the next search reports it
            pass
        except Exception as error:
            await self._set_aside(webhook, error)
        else:
            self.aside.discard(WORKER, webhook.combat)
        finally:
            self._busy.discard(webhook)
            self.look()  # there may be later events

    async def _set_aside(self, webhook: Webhook, error: Exception) -> None:
        """Skip a webhook for a while, because its combat cannot be read."""
        self.aside.add(WORKER, webhook.combat, error)
        with contextlib.suppress(Unavailable):  # in that case the claim expires
            await self.webhooks.postpone(webhook, LATER_S)

    async def _tell(self, webhook: Webhook, line: Line) -> None:
        ours: Webhook | None = webhook
        while ours is not None:
            try:
                hot = await self.combats.confirmed(ours.combat)
            except NotHere:
                return  # the combat was deleted with its webhooks
            reader = reader_of(hot, ours)
            if reader is None:
                await self.webhooks.remove(ours.combat, ours.id)
                return
            version = hot.live.version
            next_one = partial(_next_call, hot, reader, ours)
            number, call = await self.combats.recall(ours.combat, next_one)
            if call is None and number == ours.told:
                await self.webhooks.rest(ours, version)
                return
            made = None
            if call is not None:
                id = f"{ours.id}-{number}"
                try:
                    await line.call(id, call)
                except Refused as refused:
                    await self._failed(ours, refused, _made(id, call, number, str(refused)))
                    return
                made = _made(id, call, number)
            ours = await self.webhooks.told(ours, number, CLAIM_S, call=made)

    async def _failed(self, webhook: Webhook, refused: Refused, call: Delivered) -> None:
        pause: float | None = None
        if webhook.failures < len(self.pauses) and not refused.for_good:
            pause = self.pauses[webhook.failures] * random.uniform(0.8, 1.2)
        what = "is given up" if pause is None else f"is called again in {pause:.0f} s"
        log.info("webhook %s %s: %s", webhook.id, what, refused)
        await self.webhooks.failed(webhook, call, pause)

    async def ping(self, webhook: Webhook) -> Delivered:
        """Make a test call at once, outside the order. Affray stores nothing about it."""
        now = datetime.now(UTC)
        secrets = [self.combats.mapper.opened(secret) for secret in webhook.secrets(now)]
        id, problem = f"{webhook.id}-ping-{uuid4().hex[:8]}", ""
        async with Line(webhook.url, secrets, self.allowed, self._trust) as line:
            try:
                await line.call(id, WebhookPing(_text(now), str(webhook.combat)))
            except Refused as refused:
                problem = str(refused)
        return Delivered(id, "ping", webhook.told, _text(datetime.now(UTC)), not problem, problem)


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _made(id: str, call: WebhookCall, number: int, problem: str = "") -> Delivered:
    now = _text(datetime.now(UTC))
    return Delivered(id, call.type, number, now, not problem, problem)


def _next_call(hot: Hot, reader: TokenRow, webhook: Webhook) -> tuple[int, WebhookCall | None]:
    return next_call(hot.live, hot.seen_by(reader), webhook.told, webhook.occasions)


def reader_of(hot: Hot, webhook: Webhook) -> TokenRow | None:
    """Return the token of a webhook's view, or `None` unless both tokens are valid."""
    made_by, reader = hot.in_force(webhook.made_by), hot.in_force(webhook.audience)
    return None if made_by is None else reader
