"""A fight in which a walker can reach every action, condition and rule."""

from typing import Any

from tests.rulesets.hallowed_earth.units import hero, monster, weapon

SPELLS: list[dict[str, Any]] = [
    {
        "id": "ember", "casting_tn": 12, "mana_cost": 2, "casting_bonus": 3, "range_ft": 60,
        "attack": {
            "attack_bonus": 4, "damage": "2d6", "damage_types": ["fire", "blunt"],
            "crit_multiplier": 2, "crit_range": 17,
        },
    },
    {"id": "mend", "speed": 2, "mana_cost": 1, "heals": {"stress": "1d4", "wound_points": "1d6"}},
    {"id": "rot", "speed": 1, "damage": {"formula": "1d6", "types": ["unholy"]}},
    {"id": "hold", "speed": 3, "conditions": [{"id": "half-speed", "duration": 2}]},
    {"id": "odd", "speed": 0, "effect": "something strange", "needs_body": False},
]  # fmt: skip

ABILITIES: list[dict[str, Any]] = [
    {"id": "second-wind", "cost": "free", "heals": {"stress": "1d6"}},
    {"id": "rage", "cost": "none", "stress_cost": 1, "conditions": [{"id": "prone"}]},
    {"id": "dodge", "cost": "reaction", "trigger": "attacked", "effect": "a dodge"},
    {
        "id": "whirl", "stress_cost": 2, "initiative_modifier": 3,
        "attack": {"attack_bonus": 3, "damage": "1d8", "damage_types": ["slashing"]},
    },
]  # fmt: skip

ITEMS: list[dict[str, Any]] = [
    {"id": "potion", "quantity": 3, "heals": {"wound_points": "1d8"}},
    {"id": "root", "quantity": 2, "chewed": True, "hand": "off", "effect": "bitter"},
    {
        "id": "flask", "kind": "throwable", "quantity": 3,
        "throw": {"attack_bonus": 2, "damage": "1d6", "damage_types": ["fire"], "range_ft": 30},
    },
]  # fmt: skip


def maul(id: str = "maul", **fields: Any) -> dict[str, Any]:
    given = {"damage_types": ["blunt"], "crit_range": 14, "crit_multiplier": 3, "attack_bonus": 5}
    return weapon(id, "1d10", 7, **{**given, **fields})


def fight() -> list[dict[str, Any]]:
    """Return two sides, close together, with every field that a sheet can have."""
    return [
        hero(
            "Ana", owner="anna", at=[0, 0], attributes={"agility": 14, "strength": 15},
            max_stress=12, skills={"heal": 6, "intimidation": 8, "balance": 2},
            weapons=[maul(), weapon("dagger", "1d4", 1, hand="off", attack_bonus=3)],
            shield={"defense_bonus": 2, "armour_bonus": 1}, items=ITEMS, abilities=ABILITIES,
            armour=[{"id": "mail", "armour_bonus": 2}],
        ),
        hero(
            "Mag", at=[-1, 2], hit_dice=["3d6"], max_stress=None, max_mana=6, spells=SPELLS,
            abilities=ABILITIES,
            weapons=[weapon("staff", "1d6", 3, reach_ft=10, damage_types=["blunt"], hand="both")],
            skills={"heal": 9}, attributes={"insight": 14},
        ),
        hero(
            "Tam", at=[1, 2], attributes={"strength": 12}, max_stress=4, wound_points=0,
            weapons=[weapon("axe", "1d8", 5, attack_bonus=4, crit_range=15, crit_multiplier=4)],
            items=ITEMS,
        ),
        monster(
            "Orc", at=[1, 0], attributes={"strength": 14, "agility": 9}, max_stress=5, hd=2,
            weapons=[maul("fists", strikes=2, crit_range=16), weapon("spear", "1d8", 5,
                     kind="thrown", range_ft=30, damage_types=["piercing", "blunt"])],
        ),
        monster(
            "Wolf-1", at=[3, 1], initiative_group="wolves", attributes={"agility": 13},
            weapons=[weapon("bite", "1d6", 0, hand="none", attack_bonus=4, crit_range=15)],
        ),
        monster(
            "Wolf-2", at=[2, 3], initiative_group="wolves", attributes={"agility": 13},
            weapons=[weapon("bite", "1d6", 0, hand="none", attack_bonus=4)], surprised=True,
        ),
        monster(
            "Hexer", at=[5, 5], max_mana=9, spells=SPELLS, max_stress=3, hd=3,
            weapons=[weapon("bow", "1d8", 4, kind="ranged", range_ft=120, attack_bonus=5)],
        ),
    ]  # fmt: skip
