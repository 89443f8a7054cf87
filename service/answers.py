"""Answers to commands, and the first answers that idempotency keys replay."""

import hashlib
import os
import re
from base64 import b64encode
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from msgspec import Struct

from domain.errors import Refused
from service.store.port import Log
from service.store.rows import ERASED_STATUS, FirstAnswer, TokenRow
from service.store.tokens import derived, issue


class KeyReused(Refused):
    """The idempotency key belongs to another request."""


class AnswerErased(Refused):
    """The first answer to this request was erased with other texts, but `command` was stored."""

    def __init__(self, command: UUID | None) -> None:
        super().__init__(f"the request was done once, as the command {command}")
        self.command = command


class Idempotency(Struct, frozen=True):
    """An Idempotency-Key with the fingerprint of its request.

    `key` is the hash of the Idempotency-Key. `secret` is derived from the key and the caller's
    token or service key. Affray does not store the secret, so only the first caller can get the
    issued token again.
    """

    key: str
    fingerprint: bytes
    secret: bytes


class Answer(Struct, frozen=True):
    """A finished answer to a command: status, ETag and bytes."""

    status: int
    etag: str
    body: bytes
    replayed: bool = False


class Issue:
    """A new token within an answer. `text` is the sent form, and `kept` is the stored form."""

    def __init__(
        self,
        combat: UUID,
        idempotency: Idempotency | None,
        role: str,
        label: str,
        owner: str | None = None,
        combatants: tuple[str, ...] = (),
        ends_at: datetime | None = None,
    ) -> None:
        nonce = uuid4().hex
        raw = None if idempotency is None else derived(idempotency.secret, nonce)
        self.text, self.row = issue(combat, role, label, owner, combatants, ends_at, raw=raw)
        self.kept = f"{_KEPT}{nonce}"


class Secret:
    """A new secret of a webhook within an answer.

    `text` is the sent form, and `kept` is the stored form. `raw` is the signing key.
    """

    def __init__(self, idempotency: Idempotency | None) -> None:
        nonce = uuid4().hex
        self.raw = os.urandom(30) if idempotency is None else derived(idempotency.secret, nonce)
        self.text = _signing(self.raw)
        self.kept = f"{_KEPT}{nonce}"


def _signing(raw: bytes) -> str:
    """Return a secret in the form of Standard Webhooks."""
    return f"whsec_{b64encode(raw).decode()}"


_KEPT: Final = "kept:"
_PLACE: Final = re.compile(rb'"(token|secret)":"kept:([0-9a-f]{32})"')


async def first_answer(
    store: Log, combat: UUID, token: str, idempotency: Idempotency | None
) -> Answer | None:
    """Return the first answer to an idempotency key, or `None` for a new key.

    Raise `AnswerErased` if the answer was erased. Raise `KeyReused` if the key belongs to another
    request.
    """
    if idempotency is None:
        return None
    answer = await store.answer(combat, token, idempotency.key)
    if answer is None:
        return None
    if answer.fingerprint != idempotency.fingerprint:
        raise KeyReused(
            "this idempotency key belongs to another request: send a new key with each new request"
        )
    if answer.status == ERASED_STATUS:
        raise AnswerErased(answer.command)
    body = _whole(answer.body, combat, idempotency)
    return Answer(answer.status, answer.etag, body, replayed=True)


def keep(token: TokenRow | None, idempotency: Idempotency, answer: Answer) -> FirstAnswer:
    """Return the row of a first answer. Without `token`, every caller with the key may get it."""
    return FirstAnswer(
        "" if token is None else token.id,
        idempotency.key,
        idempotency.fingerprint,
        answer.status,
        answer.etag,
        answer.body,
    )


def _whole(body: bytes, combat: UUID, idempotency: Idempotency) -> bytes:
    """Return a stored answer with its token or secret put back."""
    place = _PLACE.search(body)
    if place is None:
        return body
    name = place[1].decode()
    raw = derived(idempotency.secret, place[2].decode())
    text = issue(combat, "", "", raw=raw)[0] if name == "token" else _signing(raw)
    return body[: place.start()] + f'"{name}":"{text}"'.encode() + body[place.end() :]


def hashed(key: str) -> str:
    """Return the hash of an idempotency key. Affray stores only this hash."""
    return hashlib.sha256(b"affray idempotency key " + key.encode()).hexdigest()
