"""Build a fight in which random play can reach every action, condition and rule."""

from typing import Any

from tests.rulesets.sovereign.units import (
    BOW,
    DAGGER,
    FISTS,
    KNIFE,
    SPEAR,
    SWORD,
    hero,
    npc,
    weapon,
)

MAP: dict[str, Any] = {
    "solids": [
        {"min": [3, -4], "max": [4, -2]},
        {"min": [5, 4, 0], "max": [5.2, 8, 0.5]},
    ],
    "difficult": [[2, 2], [2, 3]],
    "impassable": [[-3, -3]],
}

CROSSBOW = weapon("xbow", "1d8", kind="crossbow", range={"normal": 80, "long": 240})
LUCK = {
    "id": "luck", "name": "Luck", "windows": ["attack-rolled"], "uses": 2, "per": "round",
    "effects": [{"type": "miss-to-hit"}, {"type": "hit-to-miss"}],
}  # fmt: skip
AGAIN = {
    "id": "again", "name": "Once more", "windows": ["rolled", "attack-rolled"],
    "effects": [{"type": "reroll"}], "uses": 3,
}  # fmt: skip
BURST = {
    "id": "burst", "name": "Burst", "action": "main",
    "effects": [
        {"type": "damage", "dice": "1d4"},
        {"type": "condition", "condition": "dazed", "data": {"attack": -1}, "until": "round"},
    ],
}  # fmt: skip
STEEL = {
    "id": "steel", "name": "Steel", "action": "instant", "uses": 1,
    "effects": [{"type": "shock-immune"}, {"type": "heal", "dice": "1d4"}],
}  # fmt: skip
SPELLS: list[dict[str, Any]] = [
    {"id": "bolt", "name": "Bolt", "attack": True, "damage": "2d6", "range_ft": 60},
    {
        "id": "blast", "name": "Blast", "damage": "2d6", "radius_ft": 10, "range_ft": 60,
        "save": {"type": "evasion", "on_success": "half"}, "uses": 3,
    },
    {
        "id": "mend", "name": "Mend", "uses": 2, "heal": "1d6", "range_ft": 30, "action": "move",
        "provokes": True,
    },
    {
        "id": "blind", "name": "Blind", "range_ft": 60,
        "save": {"type": "mental", "on_success": "negates"},
        "conditions": [{"id": "blind", "until": "next-turn", "data": {"blinded": True}}],
    },
]  # fmt: skip


def fight() -> list[dict[str, Any]]:
    """Return the sheets of three sides that stand close together.

    Together, the sheets set every field that a sheet can have.
    """
    return [
        hero(
            "Ana", at=[0, 0], max_hp=14, ac=14, shield={"name": "shield"}, owner="anna",
            attributes={"strength": 14, "dexterity": 12}, attack_bonus=4,
            skills={"stab": 1, "brawl": 1, "heal": 1}, unarmed=FISTS,
            weapons=[SPEAR, KNIFE, SWORD], abilities=[LUCK, STEEL],
            items=[
                {"id": "kit", "name": "kit", "tags": ["healers-kit"]},
                {"id": "potion", "name": "potion", "effect": {"type": "heal", "dice": "1d6"}},
                {"id": "rope", "name": "rope", "state": "stowed"},
                {"id": "lamp", "name": "lamp", "state": "dropped", "at": [0, 1]},
            ],
        ),
        hero(
            "Bo", at=[1, 1], max_hp=10, ac=13, modifiers={"dex": 2}, attack_bonus=1,
            skills={"stab": 1, "shoot": 1, "brawl": 0}, weapons=[SWORD, DAGGER, BOW],
            wielding=["sword", "dagger"], unarmed=FISTS,
            damage_modifiers=[{"value": 1, "reason": "killing", "adds_to_shock": True}],
            saves={"physical": 12},
        ),
        hero(
            "Mag", at=[-1, 1], max_hp=8, ac=11, spells=SPELLS, abilities=[AGAIN, BURST],
            weapons=[weapon("staff", "1d6", hands=2, attributes=["str", "dex"])],
            skills={"shoot": -1}, system_strain={"max": 8},
        ),
        npc(
            "Orc", at=[2, 0], max_hp=10, ac=13, morale="normal", important=True,
            hd=2, attack_bonus=4,
            weapons=[SPEAR, KNIFE], unarmed=FISTS, disciplined=True,
        ),
        npc(
            "Gob", at=[2, 1], max_hp=8, ac=12, morale="normal", skill_modifier=1,
            weapons=[DAGGER, CROSSBOW],
            skills={"stab": 1, "shoot": 0}, alertness="unsuspecting",
        ),
        npc(
            "Imp", at=[1, -1], max_hp=8, ac=12, spells=SPELLS, important=True,
            weapons=[weapon("claws", "1d4", natural=True, shock={"value": 1, "ac": None})],
            unarmed=FISTS,
        ),
        npc(
            "Ogre", at=[4, 4], space=2, max_hp=20, ac=11, skill_modifier=2, hd=4,
            attack_bonus=None, size_category="larger-humanoid", can_dual_wield=True,
            weapons=[weapon("club", "1d10", reach_ft=10), weapon("axe", "1d8")], unarmed=FISTS,
        ),
        npc("Wolf", "beasts", at=[-2, 4], max_hp=20, weapons=[
            weapon("bite", "1d6", natural=True),
        ]),
    ]  # fmt: skip
