"""The rule cards of the rulebook.

`@rule` and `@action` declare each card at the code that applies it.
"""

from functools import partial

from domain.rulebook.declaration import declared
from domain.rulebook.rules import Cards

CARDS = Cards(
    "VD",
    "TIME SEQ DECL INIT FAST MULTI GRP E END MAJ MIN IMM CONC DELAY CPLX DLYG SIMP ATTR ABIL ATK AC"
    " AAC0 HD DMG EHD CALL FOIL SPELL TGT LOE LOS GRID MELEE SPACE ROUT FREE IMMA",
)

rule = CARDS.rule

action = partial(declared, CARDS)
