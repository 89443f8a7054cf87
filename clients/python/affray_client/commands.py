"""Conversion of offers to commands, by their fields `prompt` and `kind`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from affray_client import operations, shapes
from affray_client.operation import Operation


@dataclass(frozen=True)
class Sent:
    """An offer as a command. `command` is its name in a preview."""

    operation: Operation[shapes.Committed]
    command: str
    path: dict[str, object]
    body: dict[str, Any]


def route(offer: shapes.OfferView, inputs: Mapping[str, Any] | None) -> Sent:
    """Return the command of an offer with these inputs."""
    given = dict(inputs or {})
    if offer.prompt is not None:
        body: dict[str, Any] = {"option": offer.id, "inputs": given}
        return Sent(operations.answer_prompt, "answer", {"prompt": offer.prompt}, body)
    if offer.kind == "ruling":
        return Sent(operations.make_ruling, "rule", {}, {"ruling": offer.id, "inputs": given})
    body = {"combatant": offer.who, "action": offer.id, "inputs": given}
    return Sent(operations.declare_action, "act", {}, body)


def ruling_body(sent: Sent, reason: str | None) -> dict[str, Any]:
    """Return the body. Only rulings have a reason."""
    if reason is None or sent.operation is not operations.make_ruling:
        return sent.body
    return {**sent.body, "reason": reason}
