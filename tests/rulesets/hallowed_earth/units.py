"""Sheets for tests with the minimum that an example needs."""

from typing import Any

from tests.spec import Spec


def hero(name: str, **fields: Any) -> dict[str, Any]:
    """Return a hero with attributes of 10, 10 Wound Points and no Stress."""
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


def begin(spec: Spec, *faces: int, **declared: tuple[str, dict[str, Any]] | str) -> Spec:
    """Begin with these initiative dice. Then declare in this order."""
    spec.begin(*(("initiative", face) for face in faces))
    return declare(spec, **declared)


def begun(spec: Spec, *faces: int, **declared: tuple[str, dict[str, Any]] | str) -> Spec:
    """Begin with these initiative dice, and let the GM answer every ruling. Then declare."""
    spec.begin().answer(None, "as-given", *(("initiative", face) for face in faces))
    return declare(spec, **declared)


def declare(spec: Spec, **declared: tuple[str, dict[str, Any]] | str) -> Spec:
    """Declare actions, as in `Ana="full-defense"` or `Ana=("attack", {"weapon": "sword"})`."""
    for who, what in declared.items():
        action, inputs = (what, {}) if isinstance(what, str) else what
        spec.act(who, action, **inputs)
    return spec


def attack(weapon: str) -> tuple[str, dict[str, Any]]:
    return ("attack", {"weapon": weapon})


def fact(spec: Spec, who: str, key: str) -> Any:
    return spec[who].facts.get(key)


def shown(spec: Spec, who: str, key: str) -> Any:
    """Return a derived number as the board shows it."""
    return spec.ruleset.derived(spec.combat, who)[key]


def queue(spec: Spec) -> list[tuple[str, int]]:
    """Return combatant and initiative number of each coming turn, and of the current turns."""
    return [(place.who, place.key[0]) for place in spec.combat.queue]
