"""The actions `end-turn`, `delay` and `resume-from-delay` (DEF-TRN-03, DEF-DLY)."""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.events import ConditionGained
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.prompts import NoInputs
from domain.rulesets.definitions import triggers
from domain.rulesets.definitions.deed import begun
from domain.rulesets.definitions.facts import ACTED, IMMEDIATE, RESUMED, RESUMES, TURN_OVER
from domain.rulesets.definitions.rules import action
from domain.rulesets.definitions.states import asked, unable


@action(
    "end-turn", "End the turn",
    cost="none", category="end",
    rules={},
    also=("DEF-TRN-03",),
)  # fmt: skip
def end_turn(act: Act[NoInputs]) -> Procedure[None]:
    """End the turn. The combatant loses its unused actions (DEF-TRN-03)."""
    yield TURN_OVER.set(act.who, True, rules=("DEF-TRN-03",))
    yield from triggers.occurred(act.play, "acts", act.who, action="end-turn")


def has_acted(act: Act[NoInputs]) -> bool:
    """Return true if the combatant has acted in this turn, even by a free or immediate action."""
    return ACTED.of(act.actor) or bool(IMMEDIATE.of(act.actor).times)


@action(
    "delay", "Delay",
    cost="the turn, later", category="wait",
    rules={
        "DEF-DLY-01": "A combatant can delay before any action, without naming a trigger",
        "DEF-DLY-07": "A delaying combatant can react. It cannot delay a resumed turn again",
    },
    also=("DEF-DLY-03",),
    refusals=(
        Refusal("DEF-DLY-07", "cannot-delay", "a resumed turn is not delayed again",
                lambda act: RESUMED.of(act.actor)),
        Refusal("DEF-DLY-01", "cannot-delay", "{actor} has done something this turn", has_acted),
    ),
)  # fmt: skip
def delay(act: Act[NoInputs]) -> Procedure[None]:
    """Delay the turn. The combatant names neither an action nor a trigger (DEF-DLY-01)."""
    yield ConditionGained(act.who, "delaying", rules=("DEF-DLY-01",))
    yield TURN_OVER.set(act.who, True, rules=("DEF-DLY-01",))
    yield from triggers.occurred(act.play, "acts", act.who, action="delay")


def between_turns(act: Act[NoInputs]) -> Iterator[Illegal]:
    """Refuse to resume a delayed turn unless the combatant has the prompt for it (DEF-DLY-04)."""
    yield from begun(act.combat)
    stop = unable(act.combat, act.who)
    if stop is not None:
        yield stop
    if not asked(act.combat, "resume", act.who):
        detail = "a delayed turn is resumed after another's turn, when it is asked for"
        yield refuse("DEF-DLY-04", "cannot-resume", detail, NO_FIELD)


@action(
    "resume-from-delay", "Resume a delayed turn",
    cost="none", category="wait", headline="Resume the delayed turn",
    rules={},
    also=("DEF-DLY-04", "DEF-DLY-05"),
    refusals=(between_turns,),
    interjection=True,
)  # fmt: skip
def resume_from_delay(act: Act[NoInputs]) -> Procedure[None]:
    """Answer the prompt with `act-now`. The prompt lapses, and the combatant acts."""
    yield RESUMES.set(act.who, True, rules=("DEF-DLY-04",))
