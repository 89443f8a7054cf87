"""The rule cards of the rulebook. Each card is next to its code, in `@rule` or in `@action`."""

from functools import partial

from domain.rulebook.declaration import declared
from domain.rulebook.rules import Cards

CARDS = Cards(
    "FH",
    "SEQ DUR INI TRN ACT BST MOV ATK DMG AIM WND CRT FUM ESC ZON FRE DSG FLT PRN DSM SPL CHN"
    " SMN THR SCK FLK SNK FT",
)

rule = CARDS.rule

action = partial(declared, CARDS)
