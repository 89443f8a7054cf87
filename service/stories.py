"""The stories of `affray demo`, one for each rulebook, with scripted dice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Step = tuple[str | None, str, Mapping[str, Any], Sequence[int | tuple[int, ...]]]
"""A combatant (None = the GM), its action or answer, the inputs, and the faces of each roll in
order.
"""

Scene = tuple[str, Sequence[Step]]
"""A sentence, and the steps that it describes."""


@dataclass(frozen=True)
class Story:
    """A fight: its combatants, the faces of the opening, and its events."""

    name: str
    ruleset: str
    combatants: Sequence[Mapping[str, Any]]
    scenes: Sequence[Scene]
    opening: Sequence[int] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


def _unit(name: str, side: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "side": side, **fields}


FREE_HIT = Story(
    "The bridge",
    "free-hit",
    (
        _unit(
            "Lin", "heroes", agility=4, accuracy=3, strength=1, max_hp=18, at=[0, 0],
            weapons=[{"id": "sword", "name": "sword", "damage": "1d8"}],
        ),
        _unit(
            "Troll", "monsters", agility=1, accuracy=3, strength=3, max_hp=17, at=[1, 0],
            facing=[-1, 0],
            weapons=[{"id": "fist", "name": "fist", "damage": "1d6", "natural": True}],
            reductions=[{"source": "thick hide", "amount": 2}],
        ),
    ),
    (
        (
            "Lin stands first in the lineup. She buys +1 to hit and strikes at the troll's legs.",
            (
                ("Lin", "boost-hit", {}, ()),
                ("Lin", "attack", {"target": "Troll", "aim": "legs"}, (8, 7)),
            ),
        ),
        (
            "She circles the troll to get behind it. The third step in its zone is one too many.",
            (
                ("Lin", "move", {"path": [[0, 1], [1, 1], [2, 1]]}, ()),
                ("Troll", "take", {"aim": "arms"}, (12, 5)),
                ("Lin", "end-turn", {}, ()),
            ),
        ),
        (
            "The troll rolls a 1, then a 4 on the d4: a tragedy. Lin strikes back for free.",
            (
                ("Troll", "attack", {"target": "Lin"}, (1, 4, 2)),
                ("Lin", "take", {"aim": "center-mass"}, (7,)),
            ),
        ),
    ),
)  # fmt: skip

HALLOWED_EARTH = Story(
    "The crypt",
    "hallowed-earth",
    (
        _unit(
            "Brand", "heroes", attributes={"strength": 12, "agility": 12}, max_stress=2,
            weapons=[{
                "id": "axe", "damage": "1d8", "damage_types": ["chopping"], "speed": 4,
                "attack_bonus": 3,
            }],
        ),
        _unit(
            "Ghoul", "monsters", kind="monster", attributes={"strength": 14}, max_stress=6,
            weapons=[{
                "id": "claws", "damage": "1d12", "damage_types": ["slashing"], "speed": 0,
                "attack_bonus": 4,
            }],
        ),
    ),
    (
        (
            "Both declare before anything happens. Full-Defense is quick: 3 − 1. Claws: 7 + 0.",
            (
                ("Brand", "full-defense", {}, ()),
                ("Ghoul", "attack", {"weapon": "claws"}, ()),
                ("Brand", "full-defense", {}, ()),
                ("Brand", "end-turn", {}, ()),
            ),
        ),
        (
            "The ghoul strikes at 7 and misses. Who is attacked on Full-Defense may answer.",
            (
                ("Ghoul", "attack", {"target": "Brand"}, (5,)),
                ("Brand", "take", {"weapon": "axe"}, (12, 7)),
                ("Ghoul", "end-turn", {}, ()),
            ),
        ),
        (
            "Round 2: the axe is slow, 3 + 4. Both act at 7, at the same time.",
            (
                ("Brand", "attack", {"weapon": "axe"}, ()),
                ("Ghoul", "attack", {"weapon": "claws"}, ()),
                ("Brand", "attack", {"target": "Ghoul"}, ()),
            ),
        ),
        (
            "A critical hit goes past Stress; and nobody's fall prevents the other's blow.",
            (("Ghoul", "attack", {"target": "Brand"}, (20, 5, 40, 12, 12)),),
        ),
        (
            "A double knock-out. The ghoul does not lose heart; but nobody is left to fight.",
            (("Brand", "end-turn", {}, ()), ("Ghoul", "end-turn", {}, ((4, 4, 3),))),
        ),
    ),
    opening=(4, 7),
    options={"rulings": "default"},
)  # fmt: skip

_SWORD = {"id": "sword", "name": "sword", "kind": "melee", "damage": "1d8"}

SOVEREIGN = Story(
    "The alley",
    "sovereign",
    (
        _unit("Cole", "party", kind="character", max_hp=3, ac=12, at=[0, 0], weapons=[_SWORD]),
        _unit(
            "Dara", "party", kind="character", max_hp=8, ac=13, at=[1, 1], weapons=[_SWORD],
            attack_bonus=1, modifiers={"str": 1}, skills={"stab": 1},
        ),
        _unit(
            "Bandit", "bandits", kind="npc", max_hp=5, ac=13, at=[1, 0], weapons=[_SWORD],
            attack_bonus=1, morale="fearless",
        ),
    ),
    (
        (
            "Nobody is surprised. Sides act one after the other; the bandits are quicker.",
            ((None, "nobody", {}, (4, 6)),),
        ),
        (
            "The bandit declares an attack on Cole, who has 3 hit points. Nobody interrupts it.",
            (
                ("Bandit", "melee-attack", {"target": "Cole", "weapon": "sword"}, ()),
                ("Cole", "pass", {}, ()),
                ("Dara", "pass", {}, (14,)),
            ),
        ),
        (
            "It hits. But the damage is not rolled yet: Dara gives up her Main for a Snap Attack.",
            (
                ("Cole", "pass", {}, ()),
                ("Dara", "snap-attack", {"target": "Bandit", "weapon": "sword"}, (15, 5)),
            ),
        ),
        (
            "The bandit is dead before its hit is resolved; Cole keeps his 3 hit points.",
            ((None, "end", {}, ()),),
        ),
    ),
)  # fmt: skip

VILE_DARKNESS = Story(
    "The shrine",
    "vile-darkness",
    (
        _unit(
            "Mira", "party", max_hp=9, ac=8, aac0=20,
            abilities=[{
                "id": "fire", "category": "incantation", "segments": 3, "uses": 1,
                "range_ft": 100, "targets": "creature", "damage": "2d6",
            }],
        ),
        _unit(
            "Brand", "party", max_hp=14, ac=4, aac0=18,
            weapons=[{"id": "axe", "name": "axe", "damage": "1d8", "speed": 7}],
        ),
        _unit(
            "Hexer", "cult", max_hp=6, ac=9, aac0=20,
            abilities=[{
                "id": "sting", "category": "incantation", "segments": 2,
                "range_ft": 100, "targets": "creature", "damage": "1d4",
            }],
        ),
        _unit(
            "Cultist", "cult", max_hp=5, ac=7, aac0=20,
            weapons=[{"id": "knife", "name": "knife", "damage": "1d4", "speed": 2}],
        ),
    ),
    (
        (
            "Nobody is surprised. Two casters declare: fire takes 3 segments, a sting takes 2.",
            (
                (None, "set", {}, ()),
                (None, "set", {}, ()),
                ("Mira", "cast", {"spell": "fire"}, ()),
                ("Mira", "done", {}, ()),
                ("Hexer", "cast", {"spell": "sting"}, ()),
                ("Hexer", "done", {}, ()),
                ("Brand", "done", {}, ()),
                ("Cultist", "done", {}, (5, 2)),
            ),
        ),
        (
            "The party is HIGH. Mira names her target; Brand cuts the cultist down.",
            (
                ("Mira", "target", {"combatant": "Hexer"}, ()),
                ("Brand", "attack", {"target": "Cultist"}, (12, 6)),
                (None, "dead", {}, ()),
                ("Brand", "pass", {}, ()),
                ("Mira", "pass", {}, ()),
            ),
        ),
        (
            "The cult is LOW. But spells go by segments, and the sting is there in the second.",
            (
                ("Hexer", "target", {"combatant": "Mira"}, ()),
                ("Hexer", "pass", {}, (3,)),
            ),
        ),
        (
            "3 points are enough: Mira's fire is lost in its casting, as if it had been cast.",
            (
                ("Mira", "pass", {}, ()),
                ("Hexer", "pass", {}, ()),
                (None, "next-round", {}, ()),
                ("Brand", "charge", {"target": "Hexer"}, ()),
                ("Brand", "done", {}, ()),
                ("Mira", "done", {}, ()),
                ("Hexer", "done", {}, (4, 4)),
            ),
        ),
        (
            "Round 2. A charge comes before everything else, whatever the dice say.",
            (
                ("Brand", "charge", {}, (15, 7)),
                (None, "dead", {}, ()),
                ("Mira", "pass", {}, ()),
                ("Brand", "pass", {}, ()),
                (None, "end-combat", {}, ()),
            ),
        ),
    ),
)  # fmt: skip

DEFINITIONS = Story(
    "The ford",
    "definitions",
    (
        _unit(
            "Ana", "heroes", hit_dice=6, max_hp=30, base_attack_bonus=6, at=[0, 0],
            abilities={"strength": 16}, armor_class={"armor": 5},
            weapons=[{"id": "sword", "name": "sword", "damage": "1d8"}],
        ),
        _unit(
            "Ilse", "heroes", hit_dice=5, max_hp=18, base_attack_bonus=2, at=[0, 3],
            abilities={"wisdom": 14},
            abilities_list=[{
                "id": "unravel", "name": "Unravel",
                "counterspell": {"check": "level-check", "dc": 14},
            }],
        ),
        _unit(
            "Hag", "monsters", hit_dice=5, max_hp=20, base_attack_bonus=4, at=[4, 0],
            abilities={"strength": 16}, armor_class={"natural": 3}, saves={"fortitude": 4},
            weapons=[{"id": "claws", "name": "claws", "kind": "natural", "damage": "1d8"}],
            spells=[{"id": "bolt", "name": "Bolt", "damage": "2d6", "range_ft": 60}],
        ),
    ),
    (
        (
            "Ana holds her attack: when the hag steps next to her, she strikes.",
            (
                (
                    "Ana", "hold-action",
                    {
                        "slot": "standard",
                        "action": {"action": "attack", "inputs": {"target": "Hag"}},
                        "trigger": {"event": "moves-next-to", "who": "Hag"},
                    },
                    (),
                ),
                ("Ana", "end-turn", {}, ()),
                ("Ilse", "end-turn", {}, ()),
            ),
        ),
        (
            "The hag comes. The third step is the one; from now on Ana acts after her.",
            (
                ("Hag", "move", {"path": [[3, 0], [2, 0], [1, 0]]}, ()),
                ("Ana", "resolve", {}, (12, 5)),
            ),
        ),
        (
            "She casts under the nose of Ana, who may not react again. Ilse unravels the spell.",
            (
                ("Hag", "cast-spell", {"spell": "bolt", "targets": ["Ilse"]}, ()),
                ("Ilse", "counterspell", {"ability": "unravel"}, (9,)),
                ("Hag", "end-turn", {}, ()),
            ),
        ),
        (
            "Round 2: the hag strikes. Then Ana trips her, and is struck on the way: −4.",
            (
                ("Ilse", "end-turn", {}, ()),
                ("Hag", "attack", {"target": "Ana"}, (10, 4)),
                ("Hag", "end-turn", {}, ()),
                ("Ana", "trip", {"target": "Hag"}, (7,)),
                ("Hag", "aoo", {}, (9, 3, 14, 10, 15, 6)),
            ),
        ),
        (
            "A tie was rolled again; the hag is down. The second attack is more than half of her.",
            (("Ana", "attack", {"target": "Hag"}, (12, 8, 5)),),
        ),
    ),
    opening=(18, 15, 12),
    options={"death_roll": "brutality", "rulings": "default"},
)  # fmt: skip

STORIES: Mapping[str, Story] = {
    story.ruleset: story
    for story in (DEFINITIONS, FREE_HIT, HALLOWED_EARTH, SOVEREIGN, VILE_DARKNESS)
}

LOGS: Mapping[str, tuple[str, int, Mapping[str, Any]]] = {
    "definitions": ("goblins", 23, {}),
    "free-hit": ("ogre", 18, {}),
    "hallowed-earth": ("graves", 5, {}),
    "sovereign": ("gate", 28, {"rulings": "ask"}),
    "vile-darkness": ("stairs", 48, {}),
}
"""The ready fight of each rulebook in `docs/logs`, the first seed to try, and other options.

In `sovereign`, the GM answers rulings. By default, foes whose morale fails would retreat.
"""
