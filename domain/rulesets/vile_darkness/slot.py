"""One slot: ask who is in it, sort, carry out in batches, until nobody has more (GAP-11, GAP-55).

In a contested slot all intents are collected, then sorted by (`delayed`, time component); equals
are one batch: rolls for all, then results for all. Else each action is carried out at once.
"""

from domain.record.events import PhaseBegan
from domain.rulebook.effects import Procedure, ask_all, ask_each
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness import members
from domain.rulesets.vile_darkness.carrying import carry_out, taken, what_is_due
from domain.rulesets.vile_darkness.committing import Pending
from domain.rulesets.vile_darkness.facts import ROUTINES
from domain.rulesets.vile_darkness.question import Course, prompts_of
from domain.rulesets.vile_darkness.slots import GO_LAST, step
from domain.rulesets.vile_darkness.steps import fast, go_last, spells_of


def slot(play: Play, name: str) -> Procedure[None]:
    """Everything that happens in it."""
    yield PhaseBegan(name, rules=(rule_of(name),))
    match name.partition("/")[0]:
        case "fast":
            yield from fast(play, name)
        case "spells":
            yield from spells_of(play, name)
        case "go-last":
            yield from go_last(play)
        case _:
            yield from deeds_of(play, name)


def rule_of(name: str) -> str:
    """The rule that brings a slot."""
    kind = name.partition("/")[0]
    of_kind = {
        "fast": "VD-SEQ-05",
        "multi-primary": "VD-SEQ-06",
        "group": "VD-SEQ-07",
        "multi-rest": "VD-SEQ-08",
        "spells": "VD-SEQ-09",
        GO_LAST: "VD-CPLX-02",
    }
    return of_kind[kind]


def deeds_of(play: Play, name: str) -> Procedure[None]:
    """Steps 4, 5 and 6: what waits for the slot, then wave after wave of what is chosen."""
    course = Course(name)
    due = yield from what_is_due(play, name)
    if due and members.contested(play.combat, name):
        due += yield from everybody(play, course)
    yield from carry_out(play, course, due)
    while True:
        yield from routines_lapse(play, name)
        if not prompts_of(play.combat, course):
            return
        if members.contested(play.combat, name):
            yield from carry_out(play, course, (yield from everybody(play, course)))
        else:
            yield from carry_out(play, course, (yield from one_of_them(play, course)))


def routines_lapse(play: Play, name: str) -> Procedure[None]:
    """In step 6 a routine without a legal target is passed over (GAP-06)."""
    if step(play.combat) != "multi-rest":
        return
    for one in members.of_rank(play.combat, name):
        left = members.routines_with_target(play.combat, one)
        if left != ROUTINES.of(one):
            yield ROUTINES.set(one.id, left, rules=("VD-MULTI-02",))


def everybody(play: Play, course: Course) -> Procedure[list[Pending]]:
    """Contested: all intents first, hidden from the others (VD-INIT-05 to -07)."""
    found = prompts_of(play.combat, course)
    answers = yield from ask_all(found, sealed=True, more=lambda combat: prompts_of(combat, course))
    pending: list[Pending] = []
    for answer in answers:
        pending += yield from taken(play, course, answer)
    return pending


def one_of_them(play: Play, course: Course) -> Procedure[list[Pending]]:
    """Nobody opposes: in any order that their owners like (VD-INIT-11)."""
    found = prompts_of(play.combat, course)
    answer = yield from ask_each(found, more=lambda combat: prompts_of(combat, course))
    return (yield from taken(play, course, answer))
