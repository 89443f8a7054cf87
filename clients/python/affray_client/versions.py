"""Comparison of the contracts of a client and a service."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Compatibility:
    """The relation of a service's contract to the contract of this client.

    `relation` is one of these:

    - `same`: the versions are equal.
    - `newer`, `older`: the service differs by a patch. All operations and fields of both work.
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
