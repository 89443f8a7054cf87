"""Build a fight in which random play can reach every action, condition and rule."""

from typing import Any

from tests.rulesets.definitions.units import (
    AXE,
    BITE,
    BOW,
    DAGGER,
    FIST,
    SPEAR,
    SWORD,
    fighter,
    foe,
)

SPELLS: list[dict[str, Any]] = [
    {
        "id": "bolt", "name": "Bolt", "damage": "2d6", "range_ft": 100,
        "save": {"kind": "reflex", "dc": 12, "on_success": "half"}, "damage_type": "fire",
    },
    {
        "id": "ray", "name": "Ray", "attack": "ranged-touch", "cost": "attack_action",
        "damage": "1d6", "extra_damage": [{"formula": "1d4", "source": "imbued"}],
    },
    {"id": "grasp", "name": "Grasp", "attack": "melee-touch", "damage": "1d8", "nld": "1d4"},
    {"id": "mend", "name": "Mend", "healing": "1d8", "cost": "swift", "somatic": False},
    {"id": "glamour", "name": "Glamour"},
    {
        "id": "ward", "name": "Ward", "cost": "immediate",
        "modifiers": [
            {"target": "ac", "value": 2, "type": "deflection", "until": "turn-start:Mia"},
        ],
    },
    {
        "id": "undo", "name": "Undo", "cost": "immediate",
        "counterspell": {"matches": "any", "check": "level-check", "dc": 10, "extra": 1},
    },
]  # fmt: skip
ABILITIES: list[dict[str, Any]] = [
    {"id": "roar", "name": "Roar", "cost": "free", "conditions": [{"id": "flat-footed"}]},
    {"id": "unweave", "name": "Unweave", "counterspell": {"matches": "any"}},
    {"id": "touch", "name": "Touch", "attack": "melee-touch", "cost": "attack_action",
     "nld": "2d6"},
]  # fmt: skip
ITEMS: list[dict[str, Any]] = [
    {"id": "potion", "name": "potion", "kind": "potion", "stored": "easy",
     "effect": {"healing": "1d8"}},
    {"id": "oil", "name": "oil", "kind": "oil"},
    {"id": "top", "name": "top", "activation": "motion", "effect": {"damage": "1d4"}},
    {"id": "wand", "name": "wand", "activation": "use", "effect": {"damage": "1d6"}},
    {"id": "ring", "name": "ring", "activation": "command", "effect": {"nld": "1d6"}},
    {"id": "lamp", "name": "lamp", "stored": "ground", "at": [0, 1]},
]  # fmt: skip


def fight() -> list[dict[str, Any]]:
    """Return the sheets of three sides that stand close together.

    Together, the sheets set every field that a sheet can have.
    """
    return [
        fighter(
            "Ana", at=[0, 0], owner="anna", hit_dice=6, max_hp=30, base_attack_bonus=6,
            abilities={"strength": 16, "dexterity": 13, "constitution": 12},
            armor_class={"armor": 3, "luck": 1}, weapons=[SWORD, SPEAR, BOW, FIST],
            shield={"id": "rim", "kind": "buckler", "name": "rim", "ac_bonus": 1, "item_hp": 4},
            second_shield={"id": "wall", "kind": "tower", "name": "wall", "ac_bonus": 4},
            saves={"fortitude": 4}, items=ITEMS, potion_belt=True,
            skills={"beguile": 5, "acrobatics": 4, "escape_artist": 2, "history": 1},
            feats={"battle_prowess": 1, "extra_immediates": 1},
        ),
        fighter(
            "Mia", at=[-1, 1], hit_dice=4, max_hp=16, base_attack_bonus=2, spells=SPELLS,
            abilities_list=ABILITIES, weapons=[DAGGER],
            focus={"id": "orb", "name": "orb"}, second_focus={"id": "rod", "name": "rod"},
            abilities={"dexterity": 16, "wisdom": 14}, feats={"signless_spell": True},
            skills={"escape_artist": 6},
        ),
        fighter("Tom", at=[0, 2], max_hp=12, weapons=[AXE], wielded={"offhand": None}),
        foe(
            "Orc", at=[2, 0], hit_dice=5, max_hp=22, base_attack_bonus=5,
            abilities={"strength": 17}, weapons=[{**AXE, "item_hp": 8, "hardness": 2}, FIST],
            armor={"name": "rags", "trained": False, "check_penalty": 2, "item_hp": 5},
            reductions=[{"amount": 1, "types": "all", "source": "hide"}],
            saves={"fortitude": 5}, skills={"discern_intent": 3}, feats={"battle_prowess": 2},
        ),
        foe(
            "Hex", at=[3, 1], hit_dice=3, max_hp=14, base_attack_bonus=1, spells=SPELLS,
            weapons=[{**DAGGER, "trained": False}, BITE], abilities_list=ABILITIES,
            armor={"name": "plate", "trained": False, "check_penalty": -4},
        ),
        foe(
            "Maw", at=[4, 4], size="huge", hit_dice=8, max_hp=60, base_attack_bonus=8,
            abilities={"strength": 22}, weapons=[{**BITE, "extra_damage": [
                {"formula": "1d4", "source": "acid", "damage_type": "acid"},
            ]}], feats={"swallow_bigger": True}, size_modifiers={"attack": -2, "maneuver": 4},
        ),
        fighter(
            "Imp", "imps", at=[1, 3], size="tiny", max_hp=8, base_attack_bonus=1,
            weapons=[{**BITE, "non_lethal": True, "crit_range": 15}],
            abilities={"dexterity": 18},
        ),
        fighter("Ghost", "imps", at=None, max_hp=10, weapons=[FIST]),
    ]  # fmt: skip
