"""Provide minimal sheets for tests."""

from typing import Any


def unit(name: str, side: str = "heroes", **fields: Any) -> dict[str, Any]:
    """Return a unit with Agility 0, Accuracy 0 and 20 hit points by default."""
    return {"name": name, "side": side, "agility": 0, "accuracy": 0, "max_hp": 20, **fields}


def foe(name: str, **fields: Any) -> dict[str, Any]:
    return unit(name, "foes", **fields)


def weapon(id: str, damage: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "damage": damage, **fields}


SWORD = weapon("sword", "1d8")
BOW = weapon("bow", "1d6", kind="ranged")
