"""Actions on the turn itself: end it, delay it (FH-TRN-02, FH-INI-09 to -11)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Place
from domain.record.events import InitiativeSet, TurnEnded
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.inputs import Creature
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.facts import ACTED
from domain.rulesets.free_hit.numbers import agility
from domain.rulesets.free_hit.states import in_fight


class Delay(Struct, frozen=True, forbid_unknown_fields=True):
    """Act right after this unit, this round only."""

    after: Creature


def end_turn_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if who not in play.combat.acting:
        yield paying.off_turn(play.combat, who, "end-turn")


END_TURN = Action(
    "end-turn", NoInputs, end_turn_refusals, label="End the turn", cost="none",
    rules=("FH-TRN-02",),
).shown("end")  # fmt: skip


# ---- delaying


def to_come(combat: Combat, who: Id) -> list[Id]:
    """Units whose turn is still to come in this round."""
    return [place.who for place in combat.queue if place.who != who and in_fight(combat, place.who)]


def delay_refusals(play: Play, who: Id, inputs: Delay) -> Iterator[Illegal]:
    """First thing in the turn, behind somebody still to act (FH-INI-10)."""
    after = to_come(play.combat, who)
    play.combat[inputs.after]
    if ACTED.of(play.combat[who]):
        detail = "an action was spent in this turn already"
        yield Illegal("FH-INI-10", "cannot-delay", detail)
    elif inputs.after not in after:
        detail = f"{inputs.after} has no turn to come in this round"
        yield Illegal("FH-INI-10", "cannot-delay", detail, after)


def delay_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"after": other} for other in to_come(play.combat, who))


def delay(play: Play, who: Id, after: Id, tag: str) -> Procedure[None]:
    """It acts right after that unit, this round only; its budget waits (FH-INI-09, -11)."""
    yield TurnEnded(who, tag, rules=("FH-INI-09",))
    queue = list(play.combat.queue)
    at = max(n for n, place in enumerate(queue) if place.who == after)
    queue.insert(at + 1, Place(who, (agility(play.combat[who]).value,), "delayed"))
    yield InitiativeSet(tuple(queue), rules=("FH-INI-09",))


DELAY = Action(
    "delay", Delay, delay_refusals, delay_candidates, "Act later this round",
    cost="none", rules=("FH-INI-09", "FH-INI-10", "FH-INI-11"),
).shown("wait", "Act after {after}")  # fmt: skip
