"""A fight in which a walker can reach every action, condition and rule."""

from typing import Any

from tests.rulesets.vile_darkness.units import BOW, foe, hero, power, spell, weapon

SPELLS: list[dict[str, Any]] = [
    spell("bolt", 3, uses=3, save={"category": "spells", "on_success": "half"}),
    spell("long", "1 round", damage="2d6", counts_as_spell=True),
    spell("ward", 2, targets="self", range_ft=0, damage=None, concentration_to_maintain=True,
          effects=[{"condition": "warded", "modifiers": {"ac": 2}}]),
    spell("blast", 9, targets="point", radius_ft=10, attributes=["fear"]),
    spell("fog", 4, targets="area", damage=None, effects=[{"condition": "fogged", "rounds": 2}]),
    spell("wand", 1, category="invocation"),
    spell("rod", 4, category="invocation", effects=[{"condition": "cold", "segments": 15}]),
]  # fmt: skip

POWERS: list[dict[str, Any]] = [
    power("gaze", save={"category": "spells"}, attributes=["fear"],
          effects=[{"condition": "afraid", "rounds": 2, "flags": ["impedes_action"],
                    "modifiers": {"attack": -2}}]),
    power("hex", counts_as_spell="ask", damage="1d4", uses=2),
    power("shout", action_type="immediate", damage="1d2", uses=4),
    power("omen", timing="go_first", targets="self", range_ft=0, uses=2),
    power("curse", timing="go_last", damage="1d3", uses=2),
    power("brew", action_type="delaying", targets="self", range_ft=0),
    power("rite", action_type="complex", segments="2 rounds", targets="self", range_ft=0),
]  # fmt: skip

ACTIVITIES: list[dict[str, Any]] = [
    {"id": "barricade", "kind": "complex"},
    {"id": "tune", "kind": "complex", "rounds": 2, "concentration": True},
    {"id": "fumble", "segments": 6},
]

HALBERD = weapon(
    "halberd", "1d10", 9, space_ft=6, reach_ft=10,
    modes=[{"id": "pierce", "space_ft": 2, "damage": "1d6", "speed": 6}],
    multipliers=[{"when": "set-for-charge", "factor": 2}],
)  # fmt: skip
CROSSBOW = weapon(
    "crossbow", "1d6", kind="missile", range_ft=120, loading="load-light-crossbow", loaded=True
)


def fight() -> list[dict[str, Any]]:
    """Return two sides, close together, with every field that a sheet can have."""
    saves = {"spells": 13}
    return [
        hero(
            "Ana", owner="anna", at=[0, 0], weapons=[HALBERD, CROSSBOW], saves=saves,
            shield={"name": "buckler", "ac_bonus": 1}, activities=ACTIVITIES,
            abilities=[POWERS[2], POWERS[3]], attack_modifiers=[{"value": 1, "reason": "Strength"}],
        ),
        hero(
            "Mira", owner="mia", at=[-2, 2], aac0=18, abilities=[*SPELLS, *POWERS],
            weapons=[weapon("staff", "1d4", 3)], max_hp=9, saves=saves,
            movement={"walk": {"rate": 90}, "fly": {"rate": 180}},
        ),
        hero(
            "Knight", at=[1, 1], weapons=[weapon("blade", "1d8", 5), BOW], saves=saves,
            routines=[
                {"id": "blade", "kind": "melee", "attacks": [{"weapon": "blade", "count": 2}]},
                {"id": "kick", "kind": "melee", "attacks": [{"damage": ["1d3"]}]},
            ],
            multi_attack={"routines": 3, "list": ["blade", "kick", "blade"]},
        ),
        foe(
            "Orc", at=[2, 1], weapons=[weapon("axe", "1d8", 7, attack_modifier=1)], saves=saves,
            contact_barriers=[{"against": "Mira"}], dead_at=-5,
        ),
        foe(
            "Wight", at=[3, 0], hit_dice="4+4", max_hp=None, aac0=15, group="undead", saves=saves,
            stat_line="MELEE: 2 claws (1d4/1d4) and touch (1d6 1d4 cold; AAC0 14) plus weakened;",
            attack_immunities=[{"to": "non-magical"}], immunities=["fear"], abilities=[POWERS[0]],
        ),
        foe(
            "Hexer", at=[5, 4], abilities=[*SPELLS, POWERS[1], POWERS[4]], weapons=[BOW],
            max_hp=8, saves=saves, activities=ACTIVITIES,
        ),
    ]  # fmt: skip
