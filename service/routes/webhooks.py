"""Webhooks: addresses that the service calls when something happens at the table."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal
from uuid import uuid4

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.errors import Malformed, Unfitting, Unknown
from domain.record.combat import Id
from service.answers import Answer, Secret, keep
from service.hot_combat import Hot
from service.http.operation import Call, Operation, Reply, finished
from service.live import addresses
from service.live.calls import Occasion
from service.live.delivery import reader_of
from service.store.rows import TokenRow
from service.store.webhooks import Delivered, Webhook

MOST: Final = 20
"""The limit of webhooks of one combat."""


class RegisterWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """An address for Affray to call. Affray signs the calls by the scheme of Standard Webhooks.

    `occasions` cause a call:

    - `turn`: a prompt for a turn or a round.
    - `prompt`: any prompt.
    - `ended`: the end of the combat.
    - `command`: every command.

    `audience` is the id of the token whose view the calls use, or `null` for your token. When the
    token ends, so does the webhook.
    """

    url: Annotated[str, Meta(max_length=addresses.MOST)]
    occasions: Annotated[tuple[Occasion, ...], Meta(min_length=1, max_length=4)]
    audience: Annotated[
        Id | None, Meta(description="Id of the token whose view the calls use. `null`: your own")
    ] = None


class ChangeWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """New values. `null`: unchanged. A new `url` begins without failures."""

    url: Annotated[
        Annotated[str, Meta(max_length=addresses.MOST)] | None,
        Meta(description="The address that the service calls. `null`: as before"),
    ] = None
    occasions: Annotated[
        Annotated[tuple[Occasion, ...], Meta(min_length=1, max_length=4)] | None,
        Meta(description="Occasions for a call. `null`: as before"),
    ] = None


class DeliveryList(Struct, frozen=True):
    """The last calls of a webhook, the newest first, at most 20."""

    deliveries: Annotated[
        tuple[Delivered, ...], Meta(description="The last calls, the newest first")
    ]


class ReplayWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """Affray sends the messages after `version` again. The audience's numbers apply."""

    version: Annotated[
        int,
        Meta(
            description="Version, in the audience's numbers. Affray repeats all later messages",
            ge=0,
        ),
    ]


class RotateSecret(Struct, frozen=True, forbid_unknown_fields=True):
    """The time `overlap_s`, in seconds, in which the current secret also signs calls."""

    overlap_s: Annotated[int, Meta(ge=0, le=7 * 86_400)] = 86_400


class RotatedSecret(Struct, frozen=True):
    """The new `secret` of a webhook. Store it, because Affray shows it only once.

    It signs all calls from now on. Until `previous_until`, each call has a second signature with
    the previous secret.
    """

    id: str
    secret: str
    previous_until: Annotated[
        datetime,
        Meta(description="Time until which calls have a second signature (RFC 3339)", tz=True),
    ]


class WebhookLine(Struct, frozen=True):
    """A webhook. Its address has received everything up to `version`, in the audience's numbers.

    - `failing`: the address did not accept the last call, for the reason in `problem`. Affray
      repeats the call at `due`.
    - `given-up`: Affray no longer calls the address. To resume, replay the webhook.
    """

    id: str
    url: str
    occasions: tuple[str, ...]
    audience: Annotated[str, Meta(description="Id of the token whose view the calls use")]
    made_by: Annotated[str, Meta(description="Id of the token that registered it")]
    state: Annotated[
        Literal["active", "failing", "given-up"],
        Meta(description="Whether the address accepts calls"),
    ]
    version: Annotated[
        int, Meta(description="Version up to which the address has received everything")
    ]
    failures: Annotated[int, Meta(description="Number of failed attempts of the last call")]
    problem: Annotated[str, Meta(description="Reason for the failure. Empty: none")]
    due: Annotated[
        datetime | None, Meta(description="Time of the next attempt. `null`: none is planned")
    ]
    created_at: Annotated[datetime, Meta(description="Time of registration (RFC 3339)", tz=True)]


class RegisteredWebhook(Struct, frozen=True):
    """A new webhook. Store the `secret` that signs its calls, because Affray shows it only once."""

    id: str
    secret: str
    version: Annotated[
        int, Meta(description="Version after which calls begin, in the audience's numbers")
    ]


class WebhookList(Struct, frozen=True):
    """The webhooks of a combat, the oldest first."""

    webhooks: Annotated[tuple[WebhookLine, ...], Meta(description="The webhooks, the oldest first")]


async def register_webhook(call: Call) -> Reply:
    """Register an address to be called. Answer each call with a `2xx` status within 10 s.

    - After two failures in a row, you have only 3 s.
    - Affray repeats a failed call after 2 s, and then after growing pauses, for about 17 h.
    - Calls come in order, and each comes at least once. Ignore a `webhook-id` that you know.
    - Affray refuses addresses that are not public.
    """
    body: RegisterWebhook = call.body
    await _check_address(call, body.url)
    hot, secret = call.combat, Secret(call.idempotency)
    sealed = call.combats.mapper.sealed(secret.raw)

    async def once(row: TokenRow) -> Answer:
        assert hot.head is not None
        audience = hot.in_force(body.audience or row.id)
        if audience is None:
            raise Unknown("token", body.audience or row.id, tuple(hot.valid_tokens))
        webhook = Webhook(
            hot.id, uuid4().hex[:12], row.id, audience.id, body.url, body.occasions, sealed,
            hot.seen_by(audience).sequence, hot.live.version, False, 0, "",
            due=datetime.now(UTC), claim=0, created_at=datetime.now(UTC),
        )  # fmt: skip

        def answer(text: str) -> Answer:
            made = RegisteredWebhook(webhook.id, text, webhook.told)
            return Answer(201, "", msgspec.json.encode(made))

        key = call.idempotency
        first = None if key is None else keep(row, key, answer(secret.kept))
        if not await call.service.webhooks.add(webhook, hot.head, MOST, first):
            raise Unfitting("too-many-webhooks", f"a combat has at most {MOST} webhooks")
        return answer(secret.text)

    return _unkept(await call.combats.changing(hot, call.row, call.idempotency, once))


async def _check_address(call: Call, text: str) -> None:
    """Refuse an address that may not be called."""
    try:
        url = addresses.looked_at(text, call.service.settings.webhook_networks)
        await addresses.resolved(url, call.service.settings.webhook_networks)
    except addresses.NotAllowed as error:
        raise Malformed("/url", str(error)) from None


async def list_webhooks(call: Call) -> Reply:
    """List the webhooks of this combat, with the state of each."""
    webhooks = await call.service.webhooks.of(call.combat.id)
    lines = tuple(
        _line(webhook) for webhook in webhooks if reader_of(call.combat, webhook) is not None
    )
    return Reply(WebhookList(lines), weighed=True)


async def change_webhook(call: Call) -> Reply:
    """Change the address or the occasions of a webhook.

    Calls continue with the next message. Affray may repeat a call that is under way.
    """
    body: ChangeWebhook = call.body
    hot = call.combat
    if body.url is not None:
        await _check_address(call, body.url)

    async def once(row: TokenRow) -> Answer:
        assert hot.head is not None
        now = await _found(call)
        if body.occasions is not None:
            now = replace(now, occasions=body.occasions)
        if body.url is not None and body.url != now.url:
            anew = datetime.now(UTC)
            now = replace(now, url=body.url, given_up=False, failures=0, problem="", taken=0)
            now = replace(now, due=anew)
        if not await call.service.webhooks.change(now, hot.head):
            raise _unknown(call)
        call.service.delivery.look()
        return Answer(200, "", msgspec.json.encode(_line(now)))

    return finished(await call.combats.changing(hot, call.row, None, once))


async def ping_webhook(call: Call) -> Reply:
    """Make a test call at once: `{"type": "ping"}`, signed like every call.

    The answer reports whether the address accepted the call, or the reason for the failure. Affray
    stores nothing.
    """
    pings = call.service.limiter.pings
    pings.check("")
    webhook = await _found(call)
    with pings.taken(""):
        return Reply(await call.service.delivery.ping(webhook))


async def list_deliveries(call: Call) -> Reply:
    """Return the last calls of a webhook, and whether the address accepted them."""
    return Reply(DeliveryList((await _found(call)).last), weighed=True)


async def remove_webhook(call: Call) -> Reply:
    """Remove a webhook. Affray no longer calls its address."""
    webhook = await _found(call)
    await call.service.webhooks.remove(webhook.combat, webhook.id)
    return Reply(None, 204)


async def replay_webhook(call: Call) -> Reply:
    """Send the messages after a version again, even if Affray has given the webhook up.

    A repeated call has the same `webhook-id`.
    """
    hot, version = call.combat, call.body.version

    async def once(row: TokenRow) -> Answer:
        assert hot.head is not None
        webhook = await _found(call)
        most = _sequence(hot, webhook)
        if version > most:
            raise Malformed("/version", f"there are versions up to {most}")
        now = replace(webhook, told=version, given_up=False, failures=0, problem="")
        answer = Answer(200, "", msgspec.json.encode(_line(now)))
        first = None if call.idempotency is None else keep(row, call.idempotency, answer)
        if not await call.service.webhooks.again(webhook, version, hot.head, first):
            raise _unknown(call)
        call.service.delivery.look()
        return answer

    return finished(await call.combats.changing(hot, call.row, call.idempotency, once))


async def rotate_secret(call: Call) -> Reply:
    """Sign the calls of a webhook with a new secret.

    For `overlap_s` seconds, each call also has a signature with the previous secret. Change the
    secret in your receiver within this time. If you rotate again within it, the older of the two
    secrets ends at once.
    """
    body: RotateSecret = call.body
    hot, secret = call.combat, Secret(call.idempotency)
    sealed = call.combats.mapper.sealed(secret.raw)

    async def once(row: TokenRow) -> Answer:
        assert hot.head is not None
        webhook = await _found(call)
        until = datetime.now(UTC) + timedelta(seconds=body.overlap_s)
        previous = webhook.secret if body.overlap_s else None
        now = replace(webhook, secret=sealed, previous=previous, previous_until=until)

        def answer(text: str) -> Answer:
            return Answer(200, "", msgspec.json.encode(RotatedSecret(webhook.id, text, until)))

        key = call.idempotency
        first = None if key is None else keep(row, key, answer(secret.kept))
        if not await call.service.webhooks.rotate(now, hot.head, first):
            raise _unknown(call)
        call.service.delivery.look()
        return answer(secret.text)

    return _unkept(await call.combats.changing(hot, call.row, call.idempotency, once))


async def _found(call: Call) -> Webhook:
    webhooks: list[Webhook] = await call.service.webhooks.of(call.combat.id)
    for webhook in webhooks:
        if webhook.id == call.params["webhook"] and reader_of(call.combat, webhook) is not None:
            return webhook
    raise _unknown(call)


def _unknown(call: Call) -> Unknown:
    return Unknown("webhook", call.params["webhook"], ())


def _sequence(hot: Hot, webhook: Webhook) -> int:
    reader = reader_of(hot, webhook)
    assert reader is not None
    return hot.seen_by(reader).sequence


def _line(webhook: Webhook) -> WebhookLine:
    state: Literal["active", "failing", "given-up"] = "failing" if webhook.failures else "active"
    return WebhookLine(
        webhook.id,
        webhook.url,
        webhook.occasions,
        webhook.audience,
        webhook.made_by,
        "given-up" if webhook.given_up else state,
        webhook.told,
        webhook.failures,
        webhook.problem,
        webhook.due if state == "failing" and not webhook.given_up else None,
        webhook.created_at,
    )


def _unkept(answer: Answer) -> Reply:
    """Forbid caches to keep a secret."""
    reply = finished(answer)
    return replace(reply, headers={**reply.headers, "Cache-Control": "no-store"})


_THESE: Final = {
    "replay": (
        "replayWebhook",
        {"combat": "$request.path.combat", "webhook": "$response.body#/webhooks/0/id"},
    ),
    "remove": (
        "removeWebhook",
        {"combat": "$request.path.combat", "webhook": "$response.body#/webhooks/0/id"},
    ),
}

OPERATIONS = (
    Operation(
        "POST",
        "/v1/combats/{combat}/webhooks",
        "registerWebhook",
        "Register a webhook",
        "Webhooks",
        register_webhook,
        RegisteredWebhook,
        "gm",
        201,
        RegisterWebhook,
        errors=(404, 409),
        links={"list": ("listWebhooks", {"combat": "$request.path.combat"})},
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/webhooks",
        "listWebhooks",
        "List webhooks",
        "Webhooks",
        list_webhooks,
        WebhookList,
        "gm",
        errors=(404,),
        links=_THESE,
    ),
    Operation(
        "PATCH",
        "/v1/combats/{combat}/webhooks/{webhook}",
        "changeWebhook",
        "Change a webhook",
        "Webhooks",
        change_webhook,
        WebhookLine,
        "gm",
        body=ChangeWebhook,
        errors=(404,),
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/webhooks/{webhook}/ping",
        "pingWebhook",
        "Make a test call",
        "Webhooks",
        ping_webhook,
        Delivered,
        "gm",
        errors=(404,),
    ),
    Operation(
        "GET",
        "/v1/combats/{combat}/webhooks/{webhook}/deliveries",
        "listDeliveries",
        "List the last calls of a webhook",
        "Webhooks",
        list_deliveries,
        DeliveryList,
        "gm",
        errors=(404,),
    ),
    Operation(
        "DELETE",
        "/v1/combats/{combat}/webhooks/{webhook}",
        "removeWebhook",
        "Remove a webhook",
        "Webhooks",
        remove_webhook,
        None,
        "gm",
        204,
        errors=(404,),
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/webhooks/{webhook}/replay",
        "replayWebhook",
        "Replay a webhook",
        "Webhooks",
        replay_webhook,
        WebhookLine,
        "gm",
        body=ReplayWebhook,
        errors=(404, 409),
    ),
    Operation(
        "POST",
        "/v1/combats/{combat}/webhooks/{webhook}/secret",
        "rotateWebhookSecret",
        "Rotate the secret of a webhook",
        "Webhooks",
        rotate_secret,
        RotatedSecret,
        "gm",
        body=RotateSecret,
        errors=(404, 409),
    ),
)
