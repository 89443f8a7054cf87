"""The rule cards of the rulebook. Each card is next to its code, in `@rule` or in `@action`."""

from functools import partial

from domain.rulebook.declaration import declared
from domain.rulebook.rules import Cards

CARDS = Cards(
    "DEF",
    "GEN HP NLD REC WLD UNT DTH DAE DST DBR STB INC WND MAS INI DLY RND SPC RCH SIZ OPP TRN"
    " MOV STD FRE SWI FUL IMM AOO CNT HLD ATK RNG SHB MUL DMG CRT REK DEF STN TCH RTC CST CHG"
    " DIS MAN FEI FDF GRP GRB GRE GRM GRS GPN KSH GSP SHT SHV SWL TRM TRP",
)

rule = CARDS.rule

action = partial(declared, CARDS)
