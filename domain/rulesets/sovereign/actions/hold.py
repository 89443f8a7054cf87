"""The question of a turn; hold-action, trigger-held, end-turn (SOV-SEQ-02, -03, SOV-HOLD)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Json, Until
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, TurnBegan, TurnEnded
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask, lastly, while_able
from domain.rulebook.inputs import SquareInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, NoInputs, Prompt
from domain.rulesets.sovereign import costs, windows
from domain.rulesets.sovereign.numbers import able
from domain.rulesets.sovereign.rules import rule

HELD = "held"
"""The tag of a turn that was held back."""


REACTIONS = ("attack-of-opportunity", "trigger-held")
"""Actions of the list that are no options of a turn."""


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
        stands=lambda now: able(now, who) and who in now.acting,
    )


def take(play: Play, who: Id, answer: Answer) -> Procedure[None]:
    """Carry out the choice if the actor is able and the target is there (SOV-INST-07)."""
    action = play.ruleset.actions[answer.option]
    if action.id not in ("end-turn", "prepare-execution", "execution-attack"):
        yield from costs.busy(play.combat, who)
    doing = action.procedure(play, who, answer.inputs)
    at: Id | None = getattr(answer.inputs, "target", None)
    yield from while_able(play, who, doing, action.id, at=at)


# ---- hold-action


class Hold(costs.Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


@rule("SOV-HOLD-06", "Not with a spent Move, not twice")
def hold_refusals(play: Play, who: Id, inputs: Hold) -> Iterator[Illegal]:
    if play.combat[who].has("holding"):
        yield Illegal("SOV-HOLD-06", "already-holding", f"{play.combat[who].name} holds already")
    yield from costs.move_refusals(play.combat, who, inputs.pay, "SOV-HOLD-06")


def pay_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {}
    yield {"pay": "main"}


@rule("SOV-HOLD-01", "A Move to hold the rest of the turn")
def hold_action(play: Play, who: Id, inputs: Hold) -> Procedure[None]:
    """A Move: the rest of the turn may come later, as an Instant (SOV-HOLD-01)."""
    yield costs.pay_move(who, inputs.pay, "SOV-HOLD-01")
    yield from windows.declared(play, who, "hold-action")
    yield ConditionGained(who, "holding", until=(Until("round-end"),), rules=("SOV-HOLD-01",))


HOLD_ACTION = costs.on_turn(
    "hold-action", Hold, hold_action, "Hold an action", "SOV-HOLD-01", "SOV-HOLD-06", cost="Move",
    refusals=hold_refusals, candidates=pay_candidates,
).shown("wait", "Hold the action")  # fmt: skip


# ---- trigger-held


class Trigger(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`at`: the square of a declared path at which it is triggered (SOV-INST-08)."""

    at: SquareInput | None = None


def trigger_refusals(play: Play, who: Id, inputs: Trigger) -> Iterator[Illegal]:
    yield from costs.instant_refusals(play.combat, who)
    if not play.combat[who].has("holding"):
        yield Illegal("SOV-HOLD-01", "not-holding", f"{play.combat[who].name} holds nothing")


@rule("SOV-HOLD-03", "One turn with what is left")
@rule("SOV-HOLD-05", "A held attack has no −4. Other instants stay possible")
def trigger_held(play: Play, who: Id, inputs: Trigger) -> Procedure[None]:
    """Take one turn with the rest of the budget, which ends the hold (SOV-HOLD-03, -05)."""
    if not (yield from costs.plausible(play, who, "instant", TRIGGER_HELD, inputs)):
        return
    yield ConditionLost(who, "holding", reason="triggered", rules=("SOV-HOLD-03",))
    yield TurnBegan(who, HELD, rules=("SOV-HOLD-01",))
    yield from lastly(rest_of_turn(play, who), lambda: ended(play.combat, who))


def rest_of_turn(play: Play, who: Id) -> Procedure[None]:
    while who in play.combat.acting:
        answer = yield from ask(prompt(play, who))
        if answer.option == "end-turn":
            return
        yield from take(play, who, answer)


def ended(combat: Combat, who: Id) -> Iterator[AnyEvent]:
    """End the rest of a held turn, also in the own side turn (GAP-33)."""
    yield from costs.move_lapses(combat[who], "SOV-HOLD-03")
    if who in combat.acting:
        yield TurnEnded(who, HELD, rules=("SOV-HOLD-03",))
        if any(place.who == who for place in combat.queue):
            yield TurnEnded(who, rules=("SOV-HOLD-03",))


TRIGGER_HELD = Action(
    "trigger-held", Trigger, trigger_refusals, label="Take the turn that was held",
    procedure=trigger_held, interjection=True, cost="Instant", rules=("SOV-HOLD-02", "SOV-HOLD-03"),
).shown("wait", "Take the turn that was held")  # fmt: skip


# ---- end-turn


def end_turn(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """It acts no more in this side turn (SOV-SEQ-03)."""
    yield TurnEnded(who, rules=("SOV-SEQ-03",))


END_TURN = costs.on_turn(
    "end-turn", NoInputs, end_turn, "End the turn", "SOV-SEQ-03", cost="none"
).shown("end")
