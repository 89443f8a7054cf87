"""Immediate actions: three categories that shut each other out (DEF-IMM)."""

from collections.abc import Iterator
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import FactSet
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulesets.definitions.costs import begun
from domain.rulesets.definitions.facts import IMMEDIATE, Used
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import sheet_of, unable

rule("DEF-IMM-03", "Three categories", f"{__name__}.Category")
Category = Literal["aoo", "counterspell", "other"]
CLOSES = {"other": "DEF-IMM-04", "aoo": "DEF-IMM-05", "counterspell": "DEF-IMM-06"}
COUNTED = {"aoo": "DEF-AOO-03", "counterspell": "DEF-IMM-06", "other": "DEF-IMM-02"}


@rule("DEF-IMM-01", "At any point of a round, by who can act")
@rule("DEF-IMM-02", "One in the own round")
@rule("DEF-IMM-04", "Another one closes opportunities and counterspells")
@rule("DEF-IMM-05", "An opportunity closes the others")
@rule("DEF-IMM-06", "A counterspell closes the others")
def refusals(combat: Combat, who: Id, category: Category, extra: int = 0) -> Iterator[Illegal]:
    """Able, and the own round still has one of this category (DEF-IMM-02 to -08, DEF-IMM-01)."""
    yield from begun(combat)
    stop = unable(combat, who)
    if stop is not None:
        yield stop
    used = IMMEDIATE.of(combat[who])
    if used.category not in ("none", category):
        detail = f"{combat[who].name} has used an immediate action of another kind: {used.category}"
        yield refuse(CLOSES[used.category], "immediate-exclusive", detail, NO_FIELD)
    elif used.times >= most(combat, who, category) + extra:
        detail = f"{combat[who].name} has no immediate action of this kind left ({category})"
        yield refuse(COUNTED[category], "immediate-used", detail, NO_FIELD)


@rule("DEF-IMM-08", "The first one fixes the category")
@rule("DEF-AOO-03", "1 + Battle Prowess in the own round")
@rule("DEF-AOO-08", "Battle Prowess opens nothing else")
def most(combat: Combat, who: Id, category: str) -> int:
    """One, and what feats add to this category alone (DEF-IMM-08, DEF-AOO-03, DEF-AOO-08)."""
    feats = sheet_of(combat[who]).feats
    more = {
        "aoo": feats.battle_prowess,
        "counterspell": feats.extra_counterspells,
        "other": feats.extra_immediates,
    }
    return 1 + more[category]


@rule("DEF-IMM-07", "The attempt counts. Passing, holding and losing do not")
@rule("DEF-IMM-09", "Until the next own turn, whenever it was used")
def use(combat: Combat, who: Id, category: Category) -> FactSet:
    """An attempt counts (DEF-IMM-07); it holds until the start of the own next turn."""
    times = IMMEDIATE.of(combat[who]).times
    used = Used(category=category, times=times + 1)
    return IMMEDIATE.set(who, used, rules=(COUNTED[category], "DEF-IMM-09"))
