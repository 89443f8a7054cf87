"""Ready fights."""

from typing import Any

from domain.rulebook.party import Party


def _one(name: str, side: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, **fields}


_AXE = {
    "id": "axe", "damage": "1d8", "damage_types": ["chopping"], "speed": 4, "attack_bonus": 3,
}  # fmt: skip
_DAGGER = {
    "id": "dagger", "damage": "1d4", "damage_types": ["piercing"], "speed": 1, "attack_bonus": 2,
}  # fmt: skip
_CLAWS = {
    "id": "claws", "damage": "1d8", "damage_types": ["slashing"], "speed": 0, "attack_bonus": 3,
}  # fmt: skip
_SALVE = {"id": "salve", "heals": {"stress": "1d4+1"}, "quantity": 2}

BRAND = _one(
    "Brand", "heroes", owner="Brand's player", attributes={"strength": 14, "agility": 12},
    max_stress=9, weapons=[_AXE], items=[_SALVE],
    shield={"id": "shield", "defense_bonus": 2},
)  # fmt: skip
TESS = _one(
    "Tess", "heroes", owner="Tess's player", attributes={"agility": 15, "memory": 14},
    max_stress=7, max_mana=6, weapons=[_DAGGER],
    spells=[{
        "id": "ember", "speed": 3, "mana_cost": 2, "range_ft": 60,
        "attack": {"attack_bonus": 3, "damage": "1d8", "damage_types": ["fire"]},
    }],
)  # fmt: skip


def _ghoul(**fields: Any) -> dict[str, Any]:
    return _one(
        "Ghoul", "monsters", kind="monster", attributes={"strength": 12}, max_stress=5,
        weapons=[_CLAWS], **fields,
    )  # fmt: skip


PARTIES = (
    Party(
        "crypt",
        "The crypt",
        "One against one: declare, then count up",
        (BRAND, _ghoul()),
        {"rulings": "default"},
    ),
    Party(
        "graves",
        "Among the graves",
        "Two heroes, three ghouls: spells, salves, Stress",
        (BRAND, TESS, _ghoul(), _ghoul(), _ghoul()),
        {"rulings": "default"},
    ),
)
