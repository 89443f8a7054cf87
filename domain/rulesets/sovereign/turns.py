"""The question of a turn, ending it, and turns that are held back (SOV-SEQ-02, SOV-HOLD)."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Until
from domain.record.events import ConditionGained, ConditionLost, TurnBegan, TurnEnded
from domain.rulebook.effects import Procedure, ask
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Prompt
from domain.rulesets.sovereign import paying, windows
from domain.rulesets.sovereign.numbers import able

REACTIONS = ("attack-of-opportunity", "trigger-held")
"""Actions of the list that are no options of a turn."""

HOLD = "held"
"""The tag of a turn that was held back."""


def prompt(play: Play, who: Id) -> Prompt:
    """Any action; the default ends the turn."""
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn",
        options=tuple(one for id, one in play.ruleset.actions.items() if id not in REACTIONS),
        rules=("SOV-SEQ-02",),
        default="end-turn",
        stands=lambda now: able(now, who) and who in now.acting and now.phase != "ending",
    )


def take(play: Play, who: Id, answer: Answer) -> Procedure[None]:
    """Do what was chosen."""
    if answer.option not in ("end-turn", "prepare-execution", "execution-attack"):
        yield from paying.busy(play.combat, who)
    yield from play.ruleset.actions[answer.option].procedure(play, who, answer.inputs)


# ---- end-turn


def end_turn_refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)


def end_turn(play: Play, who: Id, inputs: Any) -> Procedure[None]:
    """It acts no more in this side turn (SOV-SEQ-03)."""
    yield TurnEnded(who, rules=("SOV-SEQ-03",))


# ---- hold-action


class Hold(paying.Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


def hold_refusals(play: Play, who: Id, inputs: Hold) -> Iterator[Illegal]:
    yield from paying.turn_refusals(play.combat, who)
    if play.combat[who].has("holding"):
        yield Illegal("SOV-HOLD-06", "already-holding", f"{play.combat[who].name} holds already")
    yield from paying.move_refusals(play.combat, who, inputs.pay, "SOV-HOLD-06")


def pay_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    yield {"pay": "main"}


def hold_action(play: Play, who: Id, inputs: Hold) -> Procedure[None]:
    """A Move: the rest of the turn may come later, as an Instant (SOV-HOLD-01)."""
    yield paying.pay_move(who, inputs.pay, "SOV-HOLD-01")
    yield from windows.declared(play, who, "hold-action")
    if not able(play.combat, who):
        return
    yield ConditionGained(who, "holding", until=(Until("round-end"),), rules=("SOV-HOLD-01",))
    yield TurnEnded(who, rules=("SOV-HOLD-01",))


# ---- trigger-held


class Trigger(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`at`: the square of a declared path at which it is triggered (SOV-INST-08)."""

    at: tuple[int, ...] | None = None


def trigger_refusals(play: Play, who: Id, inputs: Trigger) -> Iterator[Illegal]:
    yield from paying.instant_refusals(play.combat, who)
    if not play.combat[who].has("holding"):
        yield Illegal("SOV-HOLD-01", "not-holding", f"{play.combat[who].name} holds nothing")


def trigger_held(play: Play, who: Id, inputs: Trigger) -> Procedure[None]:
    """One turn with what is left; it ends the hold, used up or not (SOV-HOLD-03)."""
    if not (yield from paying.plausible(play, who, "instant")):
        return
    yield ConditionLost(who, "holding", reason="triggered", rules=("SOV-HOLD-03",))
    yield TurnBegan(who, HOLD, rules=("SOV-HOLD-01",))
    while on_turn(play.combat, who):
        answer = yield from ask(prompt(play, who))
        if answer.option == "end-turn":
            break
        yield from take(play, who, answer)
    if who in play.combat.acting:
        yield TurnEnded(who, HOLD, rules=("SOV-HOLD-03",))


def on_turn(combat: Combat, who: Id) -> bool:
    return able(combat, who) and who in combat.acting and combat.phase != "ending"
