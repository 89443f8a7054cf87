"""The rulebook free-hit: static order, free hits, aimed blows and escalating criticals.

It has:

- one lineup, by Agility
- 1 AA, 1 MA and 2 BA in a turn
- d20 + Accuracy against 10 + Agility
- armour that lowers damage
- free hits against a unit that leaves a zone or rolls a natural 1
"""

from domain.rulebook.ruleset import Ruleset
from domain.rulesets.free_hit import arrival, board, flow, payment, sheet, states
from domain.rulesets.free_hit.actions import ACTIONS
from domain.rulesets.free_hit.catalogue import CATALOGUE
from domain.rulesets.free_hit.conditions import CONDITIONS, State
from domain.rulesets.free_hit.consequences import consequences
from domain.rulesets.free_hit.distances import between
from domain.rulesets.free_hit.escalation import CHECK
from domain.rulesets.free_hit.facts import FACTS
from domain.rulesets.free_hit.omitted import omitted
from domain.rulesets.free_hit.parties import PARTIES
from domain.rulesets.free_hit.rules import CARDS
from domain.rulesets.free_hit.rulings import FREE_HIT_RULINGS

DICE = {
    "attack": "1d20", "check": "1d20", "initiative-tie": "1d20", "fatal": "1d4",
    **{f"{chain}-d{sides}": f"1d{sides}" for chain in ("auto-fail", "critical") for sides in CHECK},
}  # fmt: skip

RULESET = Ruleset(
    id="free-hit",
    title="Quest",
    prefix="FH",
    summary="Static order, free hits, aimed blows, escalating criticals",
    sheet=sheet.Unit,
    options=sheet.Options,
    tracks=sheet.tracks,
    side_of=lambda unit: unit.size,
    check_sheet=sheet.check,
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=ACTIONS,
    rulings=FREE_HIT_RULINGS,
    arrival=arrival.arrive,
    unable=states.unable,
    consequences=consequences,
    facts=FACTS,
    settled=sheet.settled,
    off_turn=payment.off_turn,
    numbers=board.NUMBERS,
    shown=board.shown,
    between=between,
    omitted=omitted,
    public=("lineup", "size"),
    conditions=CONDITIONS,
    brought=State,
    rules=CARDS.rules,
    parties=PARTIES,
    wound=board.wound_word,
    in_fight=states.in_fight,
    unlimited={"delay": "FH-INI-10"},
    catalogue=CATALOGUE,
    purposes=(*DICE, "damage", "sneak-damage", "healing"),
    dice=lambda combat: DICE,
)
