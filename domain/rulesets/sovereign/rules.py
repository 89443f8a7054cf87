"""The rule cards of the rulebook.

`@rule` and `@action` declare each card at the code that applies it.
"""

from functools import partial

from domain.rulebook.declaration import declared
from domain.rulebook.rules import Cards

CARDS = Cards(
    "SOV",
    "GRID LOS SEQ INIT SURP ACT INST AOO MEL RNG SNAP SWARM CHG SCRN TD RUN DIS SKILL ITEM RLD"
    " STAND PRONE HOLD ATK DMG SHOCK SHOVE GRAP DUAL EXEC MOR CHK SAVE DOWN SPELL",
)

rule = CARDS.rule

action = partial(declared, CARDS)
