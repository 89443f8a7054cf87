"""Sheets for tests: what an example needs and nothing else."""

from typing import Any


def hero(name: str, **fields: Any) -> dict[str, Any]:
    """A character of the heroes: every attribute 10, 10 Wound Points, no Stress."""
    return {"name": name, "side": "heroes", "max_stress": 0, **fields}


def monster(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": "foes", "kind": "monster", "max_stress": 0, **fields}


def weapon(id: str, damage: str = "1d6", speed: int = 0, **fields: Any) -> dict[str, Any]:
    given = {"id": id, "damage": damage, "speed": speed, "damage_types": ["slashing"]}
    return {**given, **fields}


def agility(score: int, **others: int) -> dict[str, int]:
    return {"agility": score, **others}


SWORD = weapon("sword", "1d8")
CLUB = weapon("club", "1d6", damage_types=["blunt"])
