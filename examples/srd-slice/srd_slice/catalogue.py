"""The catalogue: prompts, pools, words for fields, and sentences of the log."""

from domain.rulebook.catalogue import Blows, Catalogue, Pool, Question, Word
from domain.rulebook.phrases import Phrases
from srd_slice.attack import STRIKE

PHRASES = Phrases(
    actions={
        "attack": "{who} attacks {target}[ with {weapon}]",
        "move": "{who} moves[ to {path}]",
        "dash": "{who} dashes",
        "dodge": "{who} dodges",
        "disengage": "{who} disengages",
        "stabilize": "{who} gives {target} first aid",
        "magic-missile": "{who} casts magic missile at {targets}",
        "healing-word": "{who} speaks a healing word to {target}",
        "hold-person": "{who} tries to hold {target}",
        "end-turn": "{who} ends the turn",
    },
    answers={
        ("opportunity-attack", "strike"): "{who} strikes at {mover}[ with {weapon}]",
        ("opportunity-attack", "pass"): "{who} lets {mover} go",
    },
    conditions={
        "dying": ("{who} falls unconscious and is dying", "{who} is dying no more"),
        "stable": ("{who} is stable", "{who} is stable no more"),
        "dead": ("{who} dies", "{who} lives"),
        "paralyzed": ("{who} is paralyzed", "{who} can move again"),
        "concentrating": ("{who} concentrates", "{who} concentrates no more"),
        "dodging": ("", ""),
        "disengaged": ("", ""),
    },
    rolls={
        "attack": "to hit",
        "save": "Wisdom save",
        "concentration": "Constitution save",
        "death-save": "death save",
        "medicine": "Medicine",
    },
    quiet=frozenset({"end-turn"}),
)

CATALOGUE = Catalogue(
    questions=(
        Question(
            "turn", "turn", "combatant", "What it does on its turn", ("SRD-TRN-01",),
            actions=("turn",),
        ),
        Question(
            "opportunity-attack", "reaction", "combatant",
            "Whether it strikes at an enemy that leaves its reach", ("SRD-OPP-01",), STRIKE,
        ),
    ),
    pools={
        "hp": Pool("Hit points", "health", "At 0 it falls"),
        "slots_1": Pool("Slots of level 1", "magic", "One for each spell of level 1"),
        "slots_2": Pool("Slots of level 2", "magic", "One for each spell of level 2"),
    },
    wounds=("unhurt", "hurt", "bloodied", "stable", "dying", "dead"),
    budget={"action": "action", "bonus": "bonus action", "reaction": "reaction", "ft": "feet"},
    derived={"armor_class": Word("Armor class: what an attack must reach")},
    words={
        "ac": Word("Armor class"),
        "speed_ft": Word("Speed, in feet a turn"),
        "dex": Word("Dexterity modifier, for initiative"),
        "medicine": Word("Bonus to Wisdom (Medicine)"),
        "saves": Word("Bonuses to saving throws"),
        "con": Word("Bonus to Constitution saves"),
        "wis": Word("Bonus to Wisdom saves"),
        "humanoid": Word("Whether it is a humanoid"),
        "death_saves": Word("Whether it makes death saves; most monsters die at 0 hp"),
        "spell_mod": Word("Spellcasting modifier"),
        "spell_dc": Word("Difficulty of saves against its spells"),
        "slots_1": Word("Spell slots of level 1"),
        "slots_2": Word("Spell slots of level 2"),
        "spells": Word("Spells that it has prepared"),
        "to_hit": Word("Bonus to hit, all modifiers included"),
        "reach_ft": Word("Reach, in feet"),
        "range_ft": Word("Normal range, in feet; null = a melee weapon"),
        "long_ft": Word("Long range, in feet"),
    },
    blows=Blows(hits=("hit",), criticals=("critical",), misses=("miss",)),
    phrases=PHRASES,
)  # fmt: skip
