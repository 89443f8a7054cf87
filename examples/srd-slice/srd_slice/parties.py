"""A ready fight, with all sheets, for a first try of the rulebook."""

from typing import Any

from domain.rulebook.party import Party


def _weapon(id: str, to_hit: int, damage: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "to_hit": to_hit, "damage": damage, **more}


_BOW = _weapon("shortbow", 4, "1d6+2", range_ft=80, long_ft=320)
_SCIMITAR = _weapon("scimitar", 4, "1d6+2")


def _goblin(name: str, at: list[int]) -> dict[str, Any]:
    return {
        "name": name, "side": "goblins", "at": at, "ac": 15, "max_hp": 7, "dex": 2,
        "death_saves": False, "weapons": [_SCIMITAR, _BOW],
    }  # fmt: skip


MIRA = {
    "name": "Mira", "side": "heroes", "owner": "Mira's player", "at": [0, 0], "ac": 18,
    "max_hp": 12, "dex": 1, "saves": {"con": 4}, "weapons": [_weapon("longsword", 5, "1d8+3")],
}  # fmt: skip
TOBIN = {
    "name": "Tobin", "side": "heroes", "owner": "Tobin's player", "at": [-1, 1], "ac": 13,
    "max_hp": 9, "dex": 2, "medicine": 4, "saves": {"con": 2, "wis": 4},
    "weapons": [_weapon("mace", 2, "1d6")], "spell_mod": 3, "spell_dc": 13, "slots_1": 4,
    "slots_2": 2, "spells": ["magic-missile", "healing-word", "hold-person"],
}  # fmt: skip

PARTIES = (
    Party(
        "ambush",
        "Ambush on the road",
        "Two heroes against three goblins: blows, darts, a hold and a healing word",
        (MIRA, TOBIN, _goblin("Snag", [2, 0]), _goblin("Rip", [3, 2]), _goblin("Tooth", [5, 0])),
    ),
)
