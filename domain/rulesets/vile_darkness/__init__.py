"""The rulebook vile-darkness, in which combatants declare before anybody acts.

- A round is one minute and has ten segments.
- Each group rolls one die in each round. The highest group is HIGH, and the others are LOW.
- The type of an action decides its place in the round.
- Free and immediate attacks interrupt other actions.
- A spell completes in a segment of the round. Damage breaks the caster's concentration.
- Armour Class descends. One number, the AAC0, gives the roll needed against each Armour Class.
"""

from domain.rulebook.ruleset import Ruleset
from domain.rulesets.vile_darkness import flow, numbers, options, sheet, sheet_faults, slots
from domain.rulesets.vile_darkness.actions import ACTIONS
from domain.rulesets.vile_darkness.board import NUMBERS, PUBLIC, between, omitted, shown
from domain.rulesets.vile_darkness.catalogue import CATALOGUE
from domain.rulesets.vile_darkness.consequences import consequences
from domain.rulesets.vile_darkness.facts import CONDITIONS, FACTS, Brought
from domain.rulesets.vile_darkness.parties import PARTIES
from domain.rulesets.vile_darkness.places import edges
from domain.rulesets.vile_darkness.rules import CARDS
from domain.rulesets.vile_darkness.rulings import VILE_DARKNESS_RULINGS

DICE = {"group-initiative": "1d6", "attack": "1d20", "save": "1d20"}

RULESET = Ruleset(
    id="vile-darkness",
    title="Vile Darkness",
    prefix="VD",
    summary="Declare, a die for each group, actions by type, segments, spells, descending AC",
    sheet=sheet.Creature,
    options=options.Options,
    tracks=sheet.tracks,
    check_sheet=sheet_faults.check,
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=ACTIONS,
    rulings=VILE_DARKNESS_RULINGS,
    arrival=flow.arrive,
    unable=slots.unable,
    consequences=consequences,
    facts=FACTS,
    off_turn=slots.off_turn,
    numbers=NUMBERS,
    shown=shown,
    between=between,
    omitted=omitted,
    public=PUBLIC,
    conditions=CONDITIONS,
    brought=Brought,
    catalogue=CATALOGUE,
    rules=CARDS.rules,
    parties=PARTIES,
    wound=numbers.wound_word,
    in_fight=numbers.in_fight,
    unlimited={
        "simple": "VD-MIN-01",
        "delaying": "VD-MIN-01",
        "innate": "VD-MIN-01",
        "position": "VD-MIN-01",
    },
    map=options.Map,
    edges=edges,
    purposes=(*DICE, "damage", "special-damage", "hit-points", "morale", "ongoing-damage"),
    dice=lambda combat: DICE,
)
