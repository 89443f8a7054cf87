"""Ready fights."""

from typing import Any

from domain.rulebook.party import Party


def _one(name: str, side: str, at: list[int], **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "at": at, **fields}


_SWORD = {"id": "sword", "name": "sword", "damage": "1d8", "damage_type": "slashing"}
_AXE = {"id": "axe", "name": "axe", "damage": "1d12", "hands": 2, "damage_type": "slashing"}
_BOW = {"id": "bow", "name": "bow", "kind": "ranged", "damage": "1d6", "range_ft": 60}
_SPEAR = {
    "id": "spear", "name": "spear", "damage": "1d8", "reach": True, "damage_type": "piercing"
}  # fmt: skip
_CLAWS = {"id": "claws", "name": "claws", "kind": "natural", "damage": "1d8"}
_KNIFE = {"id": "knife", "name": "knife", "damage": "1d4", "light": True}

ANA = _one(
    "Ana", "heroes", [0, 0], owner="Ana's player", hit_dice=6, max_hp=30, base_attack_bonus=6,
    abilities={"strength": 16, "dexterity": 12}, armor_class={"armor": 5},
    saves={"fortitude": 5, "reflex": 3, "will": 2}, weapons=[_SWORD],
)  # fmt: skip
BRAND = _one(
    "Brand", "heroes", [-1, 2], owner="Brand's player", hit_dice=4, max_hp=26,
    base_attack_bonus=4, abilities={"strength": 18, "constitution": 14},
    armor_class={"armor": 3}, saves={"fortitude": 5}, weapons=[_AXE],
)  # fmt: skip
ILSE = _one(
    "Ilse", "heroes", [0, 3], owner="Ilse's player", hit_dice=5, max_hp=18, base_attack_bonus=2,
    abilities={"wisdom": 14}, saves={"will": 5}, weapons=[_BOW],
    abilities_list=[{
        "id": "unravel", "name": "Unravel", "counterspell": {"check": "level-check", "dc": 14},
    }],
    spells=[{"id": "mend", "name": "Mend", "healing": "1d8+3", "range_ft": 30}],
)  # fmt: skip


def _goblin(at: list[int]) -> dict[str, Any]:
    return _one(
        "Goblin", "goblins", at, hit_dice=1, max_hp=7, base_attack_bonus=1, size="small",
        abilities={"dexterity": 14}, armor_class={"armor": 2}, weapons=[_KNIFE],
    )  # fmt: skip


PARTIES = (
    Party(
        "ford",
        "The hag at the ford",
        "A spell that can be unravelled, blows in passing, claws",
        (
            ANA,
            ILSE,
            _one(
                "Hag", "monsters", [4, 0], hit_dice=5, max_hp=20, base_attack_bonus=4,
                abilities={"strength": 16}, armor_class={"natural": 3}, saves={"fortitude": 4},
                weapons=[_CLAWS],
                spells=[{"id": "bolt", "name": "Bolt", "damage": "2d6", "range_ft": 60}],
            ),
        ),
        {"death_roll": "brutality", "rulings": "default"},
    ),
    Party(
        "goblins",
        "Goblins in the cellar",
        "Many small foes between walls",
        (ANA, BRAND, ILSE, *(_goblin(at) for at in ([4, 0], [5, 1], [5, 3], [6, 2]))),
        {"death_roll": "stats-matter", "rulings": "default"},
        {"blocked": [[2, -2], [2, -1], [3, 4], [3, 5], [2, 5]]},
    ),
    Party(
        "duel",
        "A duel",
        "One against one, with axe and spear: trips, grapples, reach",
        (
            BRAND,
            _one(
                "Karr", "rivals", [1, 2], hit_dice=4, max_hp=26, base_attack_bonus=4,
                abilities={"strength": 14, "dexterity": 14}, armor_class={"armor": 4},
                saves={"fortitude": 4, "reflex": 4}, weapons=[_SPEAR, _KNIFE],
            ),
        ),
        {"death_roll": "all-equal", "rulings": "default"},
    ),
)  # fmt: skip
