"""Rulesets that each break one promise, which the kit must notice."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Any

from srd_slice import RULESET, flow
from srd_slice.sheet import Creature

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.record.events import Noted
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.ruleset import Rule, Ruleset, Step


def noting(text: Callable[[Play, Id], Iterable[str]]) -> Ruleset:
    """Return the example rulebook with notes at the beginning of each turn."""

    def turn(play: Play, who: Id) -> Procedure[None]:
        for line in text(play, who):
            yield Noted(line)
        yield from flow.turn(play, who)

    return replace(RULESET, procedures={**flow.PROCEDURES, "turn": turn})


def stops_after_a_round(combat: Combat) -> Step | None:
    return None if combat.round and not combat.queue else flow.flow(combat)


STUCK = replace(RULESET, flow=stops_after_a_round)


class Lenient(Creature, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """A sheet that accepts unknown fields."""


LENIENT = replace(RULESET, sheet=Lenient)


def refused_too_late(play: Play, who: Id, inputs: Any) -> Procedure[None]:
    yield from ()
    raise Illegal("SRD-TRN-01", "not-today", "not today")


SHOUT = Action("shout", label="Shout", procedure=refused_too_late, interjection=True)
LATE = replace(RULESET, actions={**RULESET.actions, "shout": SHOUT})

TELLTALE = noting(
    lambda play, who: [
        f"{max(combatant.tracks['hp'].value for combatant in play.combat)} hp is the most"
    ]
)
UNORDERED = noting(lambda play, who: list({combatant.id for combatant in play.combat}))

CALLS = count()


def remembers_in_python(combat: Combat) -> Step | None:
    step = flow.flow(combat)
    fanfare = step is not None and step.procedure == "turn" and next(CALLS) % 3 == 0
    return Step("fanfare") if fanfare else step


def fanfare(play: Play) -> Procedure[None]:
    yield Noted("A fanfare")


MINDFUL = replace(
    RULESET, flow=remembers_in_python, procedures={**flow.PROCEDURES, "fanfare": fanfare}
)

UNLISTED = replace(RULESET, rules=RULESET.rules[1:])
UNCITED = replace(
    RULESET, rules=(*RULESET.rules, Rule("SRD-FLY-01", "Wings fly", "srd_slice.moving.move"))
)
LOST = replace(
    RULESET, rules=(*RULESET.rules, Rule("SRD-TRN-04", "Nobody waits", "srd_slice.flow.delay"))
)
NOTHING_READY = replace(RULESET, parties=())
