"""The ready fights of the rulebook, for a first try."""

from typing import Any

from domain.rulebook.party import Party


def _unit(name: str, side: str, at: list[int], **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "at": at, **fields}


_SWORD = {"id": "sword", "name": "sword", "damage": "1d8"}
_KNIFE = {"id": "knife", "name": "knife", "damage": "1d4"}
_BOW = {"id": "bow", "name": "bow", "kind": "ranged", "damage": "1d6", "range": 20}
_CLUB = {"id": "club", "name": "club", "damage": "1d8"}
_MAIL = {"source": "mail", "amount": 1}
_HEAL = {
    "id": "mend", "name": "Mend", "mp_cost": 2, "range": 6, "healing": "1d6+1",
    "cast_time": {"aa": 1},
}  # fmt: skip
_SPARK = {
    "id": "spark", "name": "Spark", "mp_cost": 1, "range": 8, "attack": True, "damage": "1d6",
    "cast_time": {"aa": 1},
}  # fmt: skip


def _bandit(name: str, at: list[int]) -> dict[str, Any]:
    return _unit(
        name, "bandits", at, agility=2, accuracy=2, max_hp=9, weapons=[_KNIFE], facing=[-1, 0]
    )


LIN = _unit(
    "Lin", "heroes", [0, 0], owner="Lin's player", agility=4, accuracy=3, strength=1, max_hp=18,
    weapons=[_SWORD], reductions=[_MAIL],
)  # fmt: skip
MARA = _unit(
    "Mara", "heroes", [-1, 2], owner="Mara's player", agility=3, accuracy=2, max_hp=13, max_mp=8,
    weapons=[_KNIFE], spells=[_HEAL, _SPARK],
)  # fmt: skip
ODO = _unit(
    "Odo", "heroes", [-2, -1], owner="Odo's player", agility=3, accuracy=4, max_hp=14,
    weapons=[_BOW, _KNIFE],
)  # fmt: skip

PARTIES = (
    Party(
        "bridge",
        "The troll on the bridge",
        "One against one: aimed blows, free hits, a thick hide",
        (
            LIN,
            _unit(
                "Troll", "monsters", [1, 0], agility=1, accuracy=3, strength=3, max_hp=17,
                facing=[-1, 0], reductions=[{"source": "thick hide", "amount": 2}],
                weapons=[{"id": "fist", "name": "fist", "damage": "1d6", "natural": True}],
            ),
        ),
    ),
    Party(
        "ambush",
        "Bandits at the ford",
        "Three heroes, three bandits: a bow, spells, room to move",
        (LIN, MARA, ODO, _bandit("Bandit", [5, 0]), _bandit("Bandit", [5, 2]),
         _bandit("Bandit", [6, 1])),
    ),
    Party(
        "ogre",
        "An ogre and its friends",
        "Somebody large, who fills four squares",
        (
            LIN,
            ODO,
            _unit(
                "Ogre", "monsters", [4, 0], size=2, agility=1, accuracy=3, strength=4, max_hp=31,
                facing=[-1, 0], weapons=[_CLUB],
            ),
            _bandit("Bandit", [4, 3]),
        ),
    ),
)  # fmt: skip
