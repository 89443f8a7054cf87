"""The ready fights of the rulebook, for a first try."""

from typing import Any

from domain.rulebook.party import Party


def _one(name: str, side: str, at: list[int], **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "at": at, **fields}


_AXE = {"id": "axe", "name": "axe", "damage": "1d8", "speed": 7}
_SWORD = {"id": "sword", "name": "sword", "damage": "1d8", "speed": 5}
_KNIFE = {"id": "knife", "name": "knife", "damage": "1d4", "speed": 2}
_BOW = {"id": "bow", "name": "bow", "kind": "missile", "damage": "1d6", "range_ft": 120, "speed": 4}

MIRA = _one(
    "Mira", "party", [0, 2], owner="Mira's player", max_hp=9, ac=8, aac0=20, weapons=[_KNIFE],
    abilities=[{
        "id": "fire", "name": "Fire", "category": "incantation", "segments": 3, "uses": 2,
        "range_ft": 100, "targets": "creature", "damage": "2d6",
    }],
)  # fmt: skip
BRAND = _one(
    "Brand", "party", [1, 0], owner="Brand's player", max_hp=14, ac=4, aac0=18, weapons=[_AXE],
)  # fmt: skip
SABLE = _one(
    "Sable", "party", [0, 0], owner="Sable's player", max_hp=10, ac=6, aac0=19,
    weapons=[_BOW, _KNIFE],
)  # fmt: skip


def _cultist(at: list[int]) -> dict[str, Any]:
    return _one("Cultist", "cult", at, max_hp=5, ac=7, aac0=20, weapons=[_KNIFE])


HEXER = _one(
    "Hexer", "cult", [6, 2], max_hp=6, ac=9, aac0=20, weapons=[_KNIFE],
    abilities=[{
        "id": "sting", "name": "Sting", "category": "incantation", "segments": 2,
        "range_ft": 100, "targets": "creature", "damage": "1d4",
    }],
)  # fmt: skip

PARTIES = (
    Party(
        "shrine",
        "The shrine",
        "Spell against spell, with secret declarations, a die for each group, and segments",
        (MIRA, BRAND, HEXER, _cultist([3, 0])),
        {"rulings": "default"},
    ),
    Party(
        "stairs",
        "The stairs below",
        "Steel and a bow against four cultists",
        (BRAND, SABLE, MIRA, *(_cultist(at) for at in ([4, 0], [4, 1], [5, 0], [5, 2]))),
        {"rulings": "default"},
    ),
    Party(
        "duel",
        "Two swords",
        "One against one",
        (
            _one("Brand", "party", [0, 0], max_hp=14, ac=4, aac0=18, weapons=[_SWORD]),
            _one("Knight", "order", [1, 0], max_hp=16, ac=3, aac0=17, weapons=[_SWORD]),
        ),
        {"rulings": "default"},
    ),
)
