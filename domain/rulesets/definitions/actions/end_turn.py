"""`end-turn`, `delay`, `resume-from-delay` (DEF-TRN-03, DEF-DLY)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Id
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.definitions import costs, triggers
from domain.rulesets.definitions.facts import ACTED, IMMEDIATE, RESUMED, RESUMES, TURN_OVER
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import asked, unable


def end_turn(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    yield TURN_OVER.set(who, True, rules=("DEF-TRN-03",))
    yield from triggers.occurred(play, "acts", who, action="end-turn")


END_TURN = Action(
    "end-turn",
    NoInputs,
    label="End the turn",
    procedure=end_turn,
    cost="none",
    rules=("DEF-TRN-03",),
).shown("end")


@rule("DEF-DLY-01", "Delay before any action, without a trigger")
@rule("DEF-DLY-07", "Reactions stay. A resumed turn is not delayed again")
def may_delay(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    """Before any action of the turn, free and immediate ones too; not twice (DEF-DLY-01, -07)."""
    combatant = play.combat[who]
    if RESUMED.of(combatant):
        yield Illegal("DEF-DLY-07", "cannot-delay", "a resumed turn is not delayed again")
    if ACTED.of(combatant) or IMMEDIATE.of(combatant).times:
        yield Illegal(
            "DEF-DLY-01", "cannot-delay", f"{combatant.name} has done something this turn"
        )


def delay(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """No action now, and no trigger (DEF-DLY-01)."""
    yield ConditionGained(who, "delaying", rules=("DEF-DLY-01",))
    yield TURN_OVER.set(who, True, rules=("DEF-DLY-01",))
    yield from triggers.occurred(play, "acts", who, action="delay")


DELAY = Action(
    "delay",
    NoInputs,
    may_delay,
    label="Delay",
    procedure=delay,
    cost="the turn, later",
    rules=("DEF-DLY-01", "DEF-DLY-03"),
).shown("wait")


def may_resume(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    """Refuse except between two turns, when it is asked (DEF-DLY-04)."""
    yield from costs.begun(play.combat)
    stop = unable(play.combat, who)
    if stop is not None:
        yield stop
    if not asked(play.combat, "resume", who):
        detail = "a delayed turn is resumed after another's turn, when it is asked for"
        yield Illegal("DEF-DLY-04", "cannot-resume", detail)


def resume_from_delay(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """The same as answering `act-now`: its question lapses, and it acts."""
    yield RESUMES.set(who, True, rules=("DEF-DLY-04",))


RESUME_FROM_DELAY = Action(
    "resume-from-delay",
    NoInputs,
    may_resume,
    label="Resume a delayed turn",
    procedure=resume_from_delay,
    interjection=True,
    cost="none",
    rules=("DEF-DLY-04", "DEF-DLY-05"),
).shown("wait", "Resume the delayed turn")
