"""Build a fight in which random play can reach every action, condition and rule."""

from typing import Any

from tests.rulesets.free_hit.units import BOW, SWORD, foe, unit, weapon

BONES = {
    "name": "Bones", "agility": 2, "accuracy": 4, "max_hp": 9, "level": 1,
    "weapons": [weapon("claw", "1d4", natural=True)],
}  # fmt: skip

SPELLS: list[dict[str, Any]] = [
    {
        "id": "bolt", "name": "Bolt", "cast_time": {"aa": 2, "ma": 1}, "mp_cost": 4,
        "attack": True, "physical": True, "damage": "3d6", "range": 30,
        "notes": [{"id": "bigger", "ba": 1, "changes": {"damage": "4d6"}}],
    },
    {"id": "mend", "name": "Mend", "cast_time": {"ma": 1}, "mp_cost": 1, "healing": "2d6"},
    {"id": "close", "name": "Close wounds", "cast_time": {"ba": 1}, "removes_wound": True},
    {"id": "fire", "name": "Fire", "damage": "2d6", "damage_type": "fire", "mp_cost": 1},
    {
        "id": "ward", "name": "Ward", "toggle": True, "upkeep": {"mp": 1}, "mp_cost": 1,
        "conditions": [{"id": "prone", "until": "round"}],
        "modifiers": [
            {"key": "dodge", "value": 2, "source": "ward", "until": "battle"},
            {"key": "damage", "value": 1, "when": "melee", "until": "next-turn"},
        ],
    },
    {"id": "slip", "name": "Slip", "cast_time": {"ma": 1}, "grants_disengage": True},
    {"id": "call", "name": "Call", "mp_cost": 1, "summon": {"sheet": BONES}},
]  # fmt: skip


def fight() -> list[dict[str, Any]]:
    """Return the sheets of two sides that stand close together.

    Together, the sheets set every field that a sheet can have.
    """
    armour = [
        {"source": "mail", "kind": "armor", "amount": 2},
        {"source": "ward", "kind": "resistance", "percent": 50, "applies_to": "fire"},
    ]
    return [
        unit(
            "Ana", agility=4, accuracy=5, strength=2, max_hp=60, owner="anna", at=[0, 0],
            weapons=[SWORD, weapon("dagger", "1d4", drawn=False), BOW],
            feats={
                "sneak_attack": True, "athlete": True, "weapon_focus": ["sword"],
                "extra_attack": [{"id": "quick", "cooldown": 2, "interrupt": True}],
            },
            reductions=armour, items=[{"id": "torch", "name": "Torch", "at": [0, 1]}],
            facing=[1, 0],
        ),
        unit(
            "Mag", agility=1, accuracy=4, max_hp=50, max_mp=30, level=3, at=[-2, 1], spells=SPELLS,
            weapons=[weapon("staff", "1d6", reach=2)], feats={"battle_caster": True},
        ),
        unit(
            "Pet", agility=0, accuracy=2, max_hp=30, at=[-1, 3],
            summon={"summoner": "Mag", "summoned_in": "before"},
            weapons=[weapon("bite", "1d6", natural=True)],
        ),
        foe(
            "Orc", agility=2, accuracy=4, strength=3, max_hp=60, at=[1, 0],
            weapons=[weapon("axe", "1d10")], feats={"reach": True}, undetected_by=["Mag"],
        ),
        foe(
            "Imp", agility=3, accuracy=4, max_hp=40, at=[2, 2], max_mp=20, spells=SPELLS,
            weapons=[weapon("claws", "1d4", natural=True), BOW],
            feats={"maneuverer": True, "legion_leader": True},
            modifiers=[{"key": "accuracy", "value": 1, "feat": True, "source": "keen"}],
        ),
        foe("Ogre", agility=-1, accuracy=3, strength=4, max_hp=80, size=2, at=[4, 4],
            weapons=[weapon("club", "2d6"), weapon("rock", "1d8", kind="ranged", range=6)],
            at_max_capacity=True),
    ]  # fmt: skip
