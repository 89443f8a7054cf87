"""The rulebook sovereign, with initiative by side and Instants that follow the dice.

- Each side rolls 1d8 for initiative.
- A combatant has one Main and one Move in each round.
- An attack rolls 1d20 and the attack bonus against the AC.
- A melee attack with a Shock weapon can deal damage even if it misses.
- Total Defense and Snap Attacks are possible outside the turn. Each gives up the Main.
- Cover depends on geometry.
"""

from domain.rulebook.presence import in_fight
from domain.rulebook.ruleset import Ruleset
from domain.rulesets.sovereign import (
    arrivals,
    board,
    board_data,
    consequences,
    costs,
    flow,
    opening,
    sheet,
)
from domain.rulesets.sovereign.actions import ACTIONS
from domain.rulesets.sovereign.catalogue import CATALOGUE
from domain.rulesets.sovereign.conditions import CONDITIONS, Flags
from domain.rulesets.sovereign.facts import FACTS
from domain.rulesets.sovereign.parties import PARTIES
from domain.rulesets.sovereign.phrases import omitted
from domain.rulesets.sovereign.rules import CARDS
from domain.rulesets.sovereign.rulings import SOVEREIGN_RULINGS

CHECKS = (
    "surprise-check", "screen", "shove", "grapple", "grapple-escape", "grapple-move", "execution",
    "skill", "stabilize",
)  # fmt: skip
DICE = {
    "initiative": "1d8", "initiative-tie": "1d8", "attack": "1d20", "save": "1d20",
    **dict.fromkeys(CHECKS, "2d6"),
}  # fmt: skip

RULESET = Ruleset(
    id="sovereign",
    title="Sovereign",
    prefix="SOV",
    summary="Side initiative, instants after the dice, Shock, swarms, cover by geometry",
    sheet=sheet.Combatant,
    options=sheet.Options,
    tracks=sheet.tracks,
    side_of=lambda page: page.space,
    check_sheet=arrivals.check,
    settled=arrivals.settled,
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=ACTIONS,
    rulings=SOVEREIGN_RULINGS,
    entry=opening.entry,
    arrival=arrivals.arrive,
    unable=consequences.unable,
    consequences=consequences.consequences,
    facts=FACTS,
    off_turn=costs.off_turn,
    numbers=board_data.NUMBERS,
    shown=board_data.shown,
    between=board_data.between,
    omitted=omitted,
    public=("armed", "space"),
    conditions=CONDITIONS,
    brought=Flags,
    rules=CARDS.rules,
    parties=PARTIES,
    wound=board_data.wound_word,
    in_fight=in_fight,
    unlimited={
        "draw": "SOV-ITEM-02",
        "sheathe": "SOV-ITEM-02",
        "wield": "SOV-ITEM-02",
        "speak": "SOV-ACT-06",
        "improvise": "SOV-ACT-09",
        "prepare-execution": "SOV-EXEC-02",
    },
    map=sheet.Map,
    edges=board.edges,
    catalogue=CATALOGUE,
    purposes=(*DICE, "damage", "grapple-damage", "heal", "effect"),
    dice=lambda combat: DICE,
)
