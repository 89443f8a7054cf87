"""What a unit does with its turn itself: end it, delay it, give up, flee (FH-INI-09, FH-SEQ-09)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Place
from domain.record.events import ConditionGained, InitiativeSet, TurnEnded
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Prompt, choices
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.harm import out_of_fight
from domain.rulesets.free_hit.numbers import agility, in_fight


class Delay(Struct, frozen=True, forbid_unknown_fields=True):
    """Act right after this unit, this round only."""

    after: Id


def end_turn_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    if who not in play.combat.acting:
        yield paying.off_turn(play.combat, who, "end-turn")


def end_turn(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """What is left is lost (FH-TRN-02); the turn procedure does it."""
    yield from ()


# ---- delaying


def to_come(combat: Combat, who: Id) -> list[Id]:
    """Units whose turn is still to come in this round."""
    return [place.who for place in combat.queue if place.who != who and in_fight(combat, place.who)]


def delay_refusals(play: Play, who: Id, inputs: Delay) -> Iterator[Illegal]:
    """First thing in the turn, behind somebody still to act (FH-INI-10)."""
    yield from paying.turn(play.combat, who)
    after = to_come(play.combat, who)
    play.combat[inputs.after]
    if play.combat[who].facts.get("acted"):
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
    queue.insert(at + 1, Place(who, (agility(play.combat[who]),), "delayed"))
    yield InitiativeSet(tuple(queue), rules=("FH-INI-09",))


def delay_action(play: Play, who: Id, inputs: Delay) -> Procedure[None]:
    """The turn procedure does it."""
    yield from ()


# ---- leaving the fight


def leave_refusals(play: Play, who: Id, inputs: NoInputs) -> Iterator[Illegal]:
    yield from paying.turn(play.combat, who)


def yield_(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Lose the will to fight (FH-SEQ-09)."""
    yield from _leave(play, who, "yield", "yielded")


def flee(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Flee (FH-SEQ-09)."""
    yield from _leave(play, who, "flee", "fled")


def _leave(play: Play, who: Id, name: str, condition: str) -> Procedure[None]:
    """No roll, no cost; the GM confirms it."""
    answer = yield from ask(
        Prompt(
            kind="ruling",
            name=name,
            who=None,
            text=f"{play.combat[who].id} wants to {name}. Is it so?",
            options=choices("yes", "no"),
            rules=("FH-SEQ-09",),
            default="yes",
            data={"unit": who},
        )
    )
    if answer.option == "yes":
        yield ConditionGained(who, condition, rules=("FH-SEQ-09",))
        yield from out_of_fight(play, who)
