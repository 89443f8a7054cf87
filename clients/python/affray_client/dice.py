"""Dice by hand for a prompt of kind `roll`. The caller rolls the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from affray_client.shapes import PromptView


@dataclass(frozen=True)
class Die:
    """One die: the range of its faces."""

    minimum: int
    maximum: int


@dataclass(frozen=True)
class DiceTerm:
    """A number added to the dice."""

    source: str
    value: int
    rule: str


@dataclass(frozen=True)
class Dice:
    """A roll by hand, with the current numbers.

    - `purpose`: the rulebook's name of the roll, such as `attack`.
    - `formula`: the dice and constants, such as `1d8+3`.
    - `dice`: every die that needs a face, in this order.
    - `against`: the id of the target combatant, or `None` without a target.
    - `target`: the number to reach. It is `None` if there is none, or if this reader may not know
      it.
    """

    purpose: str
    formula: str
    dice: tuple[Die, ...]
    terms: tuple[DiceTerm, ...]
    against: str | None
    target: int | None


def dice_of(prompt: PromptView) -> Dice:
    """Return the dice for a prompt of kind `roll`. Send the faces with `combat.roll`."""
    data = prompt.data
    return Dice(
        data.get("purpose", ""),
        data.get("formula", ""),
        _ranges(data.get("faces", {})),
        tuple(DiceTerm(*term) for term in data.get("terms", ())),
        data.get("against"),
        data.get("target"),
    )


def _ranges(faces: dict[str, Any]) -> tuple[Die, ...]:
    items = faces.get("prefixItems")
    if items is None:
        entry = faces.get("items")
        items = [entry] * faces.get("minItems", 0) if isinstance(entry, dict) else []
    return tuple(Die(item["minimum"], item["maximum"]) for item in items)
