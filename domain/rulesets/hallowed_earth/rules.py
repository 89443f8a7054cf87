"""The rule cards of the rulebook. Each card is next to its code.

The code has a card in `@rule`, in `@action` or in `@StandardAction`.
"""

from functools import partial

from domain.rulebook.declaration import declared
from domain.rulebook.rules import Cards

CARDS = Cards(
    "HE",
    "SEQ SURP INIT SHARE LATE DECL MOD TIE ACT MOVE FDEF DATK REP ATK ARM STRESS WP INC DYING"
    " STAB CRIT INJ BLUNT ATTR MAG ITEM MOR END",
)

rule = CARDS.rule

action = partial(declared, CARDS)
