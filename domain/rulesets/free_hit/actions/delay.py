"""The actions `end-turn` and `delay`."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Place
from domain.record.events import InitiativeSet, TurnEnded
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit.facts import ACTED
from domain.rulesets.free_hit.numbers import agility
from domain.rulesets.free_hit.rules import action
from domain.rulesets.free_hit.states import in_fight


def to_come(combat: Combat, who: Id) -> list[Id]:
    """Return the units whose turn is still to come in this round."""
    return [place.who for place in combat.queue if place.who != who and in_fight(combat, place.who)]


class Delay(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a delay. The unit acts right after the unit `after`, in this round only."""

    after: Annotated[Id, InputKind("combatant", proposes=to_come)]


def on_turn(act: Act[object]) -> Iterator[Illegal]:
    """Refuse unless it is the unit's turn."""
    if act.who not in act.combat.acting:
        yield payment.off_turn(act.combat, act.who, "end-turn")


@action(
    "end-turn", "End the turn", cost="none", category="end", rules={}, also=("FH-TRN-02",),
    refusals=(on_turn,),
)  # fmt: skip
def end_turn(act: Act[object]) -> Procedure[None]:
    """Do nothing here. The flow of the turn ends the turn."""
    yield from ()


def behind_somebody(act: Act[Delay]) -> Iterator[Illegal]:
    """Refuse a delay after another action, or behind a unit without a later turn (FH-INI-10)."""
    after = act.combat[act.inputs.after].id
    later = to_come(act.combat, act.who)
    if ACTED.of(act.actor):
        sentence = "an action was spent in this turn already"
        yield refuse("FH-INI-10", "cannot-delay", sentence, NO_FIELD)
    elif after not in later:
        sentence = f"{after} has no turn to come in this round"
        yield refuse("FH-INI-10", "cannot-delay", sentence, "after", later)


@action(
    "delay", "Act later this round", Delay,
    cost="none", category="wait", headline="Act after {after}",
    rules={
        "FH-INI-09": "A unit that delays acts right after a unit that is still to come, in this "
        "round only",
        "FH-INI-10": "A unit cannot delay after an action, or if nobody acts after it",
    },
    also=("FH-INI-11",),
    refusals=(behind_somebody,),
    propose=("after",),
)  # fmt: skip
def delay(act: Act[Delay]) -> Procedure[None]:
    """Do nothing here. The flow of the turn carries out the delay with `wait_for`."""
    yield from ()


def wait_for(play: Play, who: Id, after: Id, tag: str) -> Procedure[None]:
    """Move the unit's turn to the place after the unit `after`, in this round only.

    The unit keeps its budget (FH-INI-09, FH-INI-11).
    """
    yield TurnEnded(who, tag, rules=("FH-INI-09",))
    queue = list(play.combat.queue)
    at = max(n for n, place in enumerate(queue) if place.who == after)
    queue.insert(at + 1, Place(who, (agility(play.combat[who]).value,), "delayed"))
    yield InitiativeSet(tuple(queue), rules=("FH-INI-09",))
