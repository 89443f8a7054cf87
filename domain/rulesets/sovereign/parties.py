"""The ready fights of the rulebook, for a first try."""

from typing import Any

from domain.rulebook.party import Party


def _combatant(name: str, side: str, at: list[int], **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "at": at, **fields}


_SWORD = {
    "id": "sword", "name": "sword", "kind": "melee", "damage": "1d8",
    "shock": {"value": 2, "ac": 13},
}  # fmt: skip
_KNIFE = {
    "id": "knife", "name": "knife", "kind": "melee", "damage": "1d4",
    "shock": {"value": 1, "ac": 15},
}  # fmt: skip
_BOW = {
    "id": "bow", "name": "bow", "kind": "bow", "damage": "1d6",
    "range": {"normal": 100, "long": 600},
}  # fmt: skip
_CLAWS = {"id": "claws", "name": "claws", "kind": "melee", "damage": "1d6+1", "natural": True}

DARA = _combatant(
    "Dara", "party", [1, 1], owner="Dara's player", kind="character", max_hp=8, ac=14,
    weapons=[_SWORD], attack_bonus=1, modifiers={"str": 1}, skills={"stab": 1},
)  # fmt: skip
COLE = _combatant(
    "Cole", "party", [0, 0], owner="Cole's player", kind="character", max_hp=6, ac=12,
    weapons=[_BOW, _KNIFE], attack_bonus=1, modifiers={"dex": 1}, skills={"shoot": 1},
)  # fmt: skip
WREN = _combatant(
    "Wren", "party", [0, 2], owner="Wren's player", kind="character", max_hp=5, ac=11,
    weapons=[_KNIFE], attack_bonus=0, skills={"magic": 1},
    spells=[{
        "id": "dart", "name": "Fire dart", "range_ft": 60, "damage": "2d4",
        "save": {"type": "evasion", "on_success": "half"}, "uses": 3,
    }],
)  # fmt: skip


def _bandit(at: list[int], morale: str = "normal") -> dict[str, Any]:
    return _combatant(
        "Bandit", "bandits", at, kind="npc", max_hp=5, ac=13, weapons=[_SWORD], attack_bonus=1,
        morale=morale,
    )  # fmt: skip


_WALL = {"min": [3, -1], "max": [4, 1]}

PARTIES = (
    Party(
        "alley",
        "Knives in the alley",
        "Two against one, with Instants between roll and effect, and with Shock",
        (COLE, DARA, _bandit([2, 1], "fearless")),
        {"rulings": "default"},
    ),
    Party(
        "gate",
        "The broken gate",
        "Three against three, with a wall to hide behind",
        (COLE, DARA, WREN, _bandit([6, 0]), _bandit([6, 1]), _bandit([5, 3])),
        {"rulings": "default"},
        {"solids": [_WALL], "difficult": [[4, 2], [4, 3]]},
    ),
    Party(
        "beast",
        "A beast in the hills",
        "One strong foe that the party brings down with a swarm",
        (
            DARA,
            COLE,
            _combatant(
                "Beast", "beasts", [4, 1], kind="npc", hd=4, space=2, max_hp=18, ac=14,
                weapons=[_CLAWS], attack_bonus=4, morale="normal",
            ),
        ),
        {"rulings": "default"},
    ),
)  # fmt: skip
