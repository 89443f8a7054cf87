"""The rulebook hallowed-earth: combatants declare first, then act as the Count goes up.

It has:

- one initiative die per combat, plus the speed of the declared action in each round
- a Count from low numbers to high ones, in which ties act together
- a second turn in the next round for a newcomer whose number has already passed
- Stress, which absorbs damage before Wound Points
- the Reposte as the only answer to an attack
"""

from domain.rulebook.presence import in_fight
from domain.rulebook.ruleset import Ruleset
from domain.rulesets.hallowed_earth import (
    action_costs,
    admission,
    board,
    declarations,
    flow,
    initiative,
)
from domain.rulesets.hallowed_earth.actions import ACTIONS
from domain.rulesets.hallowed_earth.catalogue import CATALOGUE
from domain.rulesets.hallowed_earth.conditions import CONDITIONS
from domain.rulesets.hallowed_earth.consequences import consequences
from domain.rulesets.hallowed_earth.facts import FACTS
from domain.rulesets.hallowed_earth.parties import PARTIES
from domain.rulesets.hallowed_earth.rules import CARDS
from domain.rulesets.hallowed_earth.rulings import HALLOWED_EARTH_RULINGS
from domain.rulesets.hallowed_earth.sheet import Creature, Options, options

DICE = {"initiative": "1d12", "injury-chance": "1d100", "injury-side": "1d4", "morale": "3d6"}
CHECKS = ("attack", "reposte-attack", "casting", "heal", "intimidation", "skill")
OTHERS = ("stress", "damage", "reposte-damage", "healing", "injury", "injury-damage")

RULESET = Ruleset(
    id="hallowed-earth",
    title="Hallowed Earth",
    prefix="HE",
    summary="Declare, then count up, with simultaneous ties, Stress and Wound Points",
    sheet=Creature,
    options=Options,
    tracks=admission.tracks,
    check_sheet=admission.check,
    faulty=admission.faulty,
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=ACTIONS,
    rulings=HALLOWED_EARTH_RULINGS,
    arrival=initiative.arrive,
    entry=initiative.entry,
    off_turn=action_costs.off_turn,
    unable=action_costs.unable,
    consequences=consequences,
    facts=FACTS,
    settled=admission.settled,
    numbers=board.NUMBERS,
    shown=board.shown,
    between=board.between,
    omitted=board.omitted,
    public=("round_initiative", "declared"),
    conditions=CONDITIONS,
    rules=CARDS.rules,
    parties=PARTIES,
    wound=board.wound_word,
    in_fight=in_fight,
    announced=declarations.announced,
    unlimited={"no-action": "HE-DECL-11"},
    catalogue=CATALOGUE,
    purposes=(*DICE, *CHECKS, *OTHERS),
    dice=lambda combat: {**DICE, **dict.fromkeys(CHECKS, options(combat).check_dice)},
)
