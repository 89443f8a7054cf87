"""The rulebook definitions: reactions, manoeuvres, grapples and three styles of death rolls.

It has:

- initiative on a d20
- a standard, a move, a swift and an immediate action
- attacks of opportunity during movement and manoeuvres
- immediate actions of three categories, of which a combatant uses one in a round
- hit points that stop at 0
"""

from domain.rulebook.presence import in_fight
from domain.rulebook.ruleset import Ruleset
from domain.rulesets.definitions import board_data, conditions, death_saves, flow, sheet, states
from domain.rulesets.definitions.actions import ACTIONS
from domain.rulesets.definitions.actions.attack import omitted
from domain.rulesets.definitions.board_data import between
from domain.rulesets.definitions.catalogue import CATALOGUE
from domain.rulesets.definitions.consequences import consequences
from domain.rulesets.definitions.deed import off_turn
from domain.rulesets.definitions.facts import FACTS
from domain.rulesets.definitions.parties import PARTIES
from domain.rulesets.definitions.rules import CARDS
from domain.rulesets.definitions.rulings import DEFINITIONS_RULINGS

D20 = (
    "initiative", "initiative-tie", "attack", "touch", "confirm", "save-fortitude", "save-reflex",
    "save-will", "level-check", "opposed-attack", "opposed-dexterity", "opposed-grapple",
    "opposed-strength", "skill-acrobatics", "skill-beguile", "skill-discern_intent",
    "skill-escape_artist", "skill-<name>",
)  # fmt: skip
D100 = ("miss-chance", "spell-failure")

RULESET = Ruleset(
    id="definitions",
    title="Definitions",
    prefix="DEF",
    summary="Reactions, manoeuvres, grapples, death rolls in three styles",
    sheet=sheet.Combatant,
    options=sheet.Options,
    tracks=states.tracks,
    check_sheet=conditions.check,
    check_options=death_saves.check_options,
    settled=lambda combat, who: {"conditions": "begin and end them by rulings"},
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=ACTIONS,
    rulings=DEFINITIONS_RULINGS,
    arrival=conditions.arrive,
    entry=flow.entry,
    unable=states.unable,
    consequences=consequences,
    facts=FACTS,
    off_turn=off_turn,
    numbers=board_data.NUMBERS,
    shown=board_data.shown,
    between=between,
    omitted=omitted,
    public=("space",),
    conditions=conditions.CONDITIONS,
    brought=conditions.Brought,
    rules=CARDS.rules,
    parties=PARTIES,
    wound=board_data.wound_word,
    in_fight=in_fight,
    map=sheet.Map,
    catalogue=CATALOGUE,
    purposes=(*D20, *D100, "death-save", "damage", "extra-damage", "healing"),
    dice=lambda combat: {
        **dict.fromkeys(D20, "1d20"),
        **dict.fromkeys(D100, "1d100"),
        "death-save": "1d100" if combat.options.get("death_roll") == "all-equal" else "1d20",
    },
)
