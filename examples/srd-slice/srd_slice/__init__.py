"""srd-slice: a slice of the SRD 5.1, as an example of a ruleset package.

This work includes material taken from the System Reference Document 5.1 ("SRD 5.1") by Wizards of
the Coast LLC and available at https://dnd.wizards.com/resources/systems-reference-document. The
SRD 5.1 is licensed under the Creative Commons Attribution 4.0 International License available at
https://creativecommons.org/licenses/by/4.0/legalcode.
"""

from domain.rulebook.gm import RULINGS
from domain.rulebook.ruleset import Ruleset
from srd_slice import flow, harm, sheet, states
from srd_slice.catalogue import CATALOGUE
from srd_slice.numbers import NUMBERS
from srd_slice.parties import PARTIES
from srd_slice.rules import RULES

RULESET = Ruleset(
    id="srd-slice",
    title="SRD 5.1, a slice",
    prefix="SRD",
    summary="Actions and reactions, advantage, opportunity attacks, death saves, concentration",
    sheet=sheet.Creature,
    options=sheet.Options,
    tracks=sheet.tracks,
    check_sheet=sheet.check,
    flow=flow.flow,
    procedures=flow.PROCEDURES,
    actions=flow.ACTIONS,
    off_turn=flow.off_turn,
    rulings={**RULINGS, **harm.SRD_RULINGS},
    unable=states.unable,
    consequences=harm.consequences,
    facts=states.FACTS,
    conditions=states.CONDITIONS,
    numbers=NUMBERS,
    wound=states.wound,
    in_fight=states.in_fight,
    rules=RULES,
    parties=PARTIES,
    catalogue=CATALOGUE,
    purposes=(
        "initiative", "attack", "damage", "death-save", "concentration", "save", "medicine",
        "healing",
    ),
)  # fmt: skip
