"""hallowed-earth: declare first, then count up. Stress comes before Wound Points.

- one die per combat, plus the speed of the declared action in each round
- low numbers act first, and ties act together
- a combatant that comes too late acts twice in the next round
- a Reposte is the only answer to an attack
"""

from domain.rulebook.presence import in_fight
from domain.rulebook.ruleset import Ruleset
from domain.rulesets.hallowed_earth import action_costs, board_data, flow, initiative, sheet, states
from domain.rulesets.hallowed_earth.actions import ACTIONS
from domain.rulesets.hallowed_earth.catalogue import CATALOGUE
from domain.rulesets.hallowed_earth.conditions import CONDITIONS
from domain.rulesets.hallowed_earth.consequences import consequences
from domain.rulesets.hallowed_earth.distances import between
from domain.rulesets.hallowed_earth.facts import FACTS
from domain.rulesets.hallowed_earth.omitted import omitted
from domain.rulesets.hallowed_earth.parties import PARTIES
from domain.rulesets.hallowed_earth.rules import CARDS
from domain.rulesets.hallowed_earth.rulings import HALLOWED_EARTH_RULINGS

DICE = {"initiative": "1d12", "injury-chance": "1d100", "injury-side": "1d4", "morale": "3d6"}
CHECKS = ("attack", "reposte-attack", "casting", "heal", "intimidation", "skill")
OTHERS = ("stress", "damage", "reposte-damage", "healing", "injury", "injury-damage")

RULESET = Ruleset(
    id="hallowed-earth",
    title="Hallowed Earth",
    prefix="HE",
    summary="Declare, then count up, with simultaneous ties, Stress and Wound Points",
    sheet=sheet.Creature,
    options=sheet.Options,
    tracks=sheet.tracks,
    check_sheet=sheet.check,
    faulty=sheet.faulty,
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=ACTIONS,
    rulings=HALLOWED_EARTH_RULINGS,
    arrival=initiative.arrive,
    entry=flow.entry,
    off_turn=action_costs.off_turn,
    unable=action_costs.unable,
    consequences=consequences,
    facts=FACTS,
    settled=sheet.settled,
    numbers=board_data.NUMBERS,
    shown=board_data.shown,
    between=between,
    omitted=omitted,
    public=("round_initiative", "declared"),
    conditions=CONDITIONS,
    rules=CARDS.rules,
    parties=PARTIES,
    wound=board_data.wound_word,
    in_fight=in_fight,
    catalogue=CATALOGUE,
    purposes=(*DICE, *CHECKS, *OTHERS),
    dice=lambda combat: {**DICE, **dict.fromkeys(CHECKS, states.options(combat).check_dice)},
)
