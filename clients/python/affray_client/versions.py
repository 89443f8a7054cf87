"""The contract of a client and that of a service."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Compatibility:
    """How a service's contract compares with that of this client.

    `relation` compares the service with the client:

    - `same`: the versions are equal.
    - `newer`, `older`: the versions differ by a patch. Everything that both know works.
    - `other`: names may differ. Install the client of the service's version.
    """

    client: str
    service: str | None
    relation: Literal["same", "newer", "older", "other"]


def compare(client: str, service: str | None) -> Compatibility:
    """Compare versions by the rules of `docs/stability.md`."""
    ours, theirs = _parts(client), _parts(service or "")
    named = 2 if ours[0] == 0 else 1
    if service is None or ours[:named] != theirs[:named]:
        return Compatibility(client, service, "other")
    if ours == theirs:
        return Compatibility(client, service, "same")
    return Compatibility(client, service, "newer" if theirs > ours else "older")


def _parts(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in re.findall(r"\d+", re.split(r"[-+]", version)[0])]
    return tuple([*numbers, 0, 0, 0][:3])
