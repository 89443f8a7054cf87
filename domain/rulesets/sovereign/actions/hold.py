"""The prompt of a turn, and the actions `hold-action`, `trigger-held` and `end-turn`.

SOV-SEQ-02, SOV-SEQ-03, SOV-HOLD.
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.record.combat import Combat, Id, Until
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, TurnBegan, TurnEnded
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure, ask, lastly, while_able
from domain.rulebook.inputs import SquareInput
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, NoInputs, Prompt
from domain.rulesets.sovereign import costs, windows
from domain.rulesets.sovereign.numbers import able
from domain.rulesets.sovereign.rules import action

HELD = "held"
"""The tag of a held turn."""


REACTIONS = ("attack-of-opportunity", "trigger-held")
"Actions that are not options of a turn."


def prompt(play: Play, who: Id) -> Prompt:
    """Return the prompt of a turn. By default, the turn ends."""
    return Prompt(
        kind="turn",
        name="turn",
        who=who,
        text=f"It is {who}'s turn",
        options=tuple(action for id, action in play.ruleset.actions.items() if id not in REACTIONS),
        rules=("SOV-SEQ-02",),
        default="end-turn",
        stands=lambda now: able(now, who) and who in now.acting,
    )


def take(play: Play, who: Id, answer: Answer) -> Procedure[None]:
    """Take the chosen action while the actor is able and the target is present (SOV-INST-07)."""
    action = play.ruleset.actions[answer.option]
    if action.id not in ("end-turn", "prepare-execution", "execution-attack"):
        yield from costs.busy(play.combat, who)
    doing = action.procedure(play, who, answer.inputs)
    at: Id | None = getattr(answer.inputs, "target", None)
    yield from while_able(play, who, doing, action.id, at=at)


# ---- hold-action


class Hold(costs.Paid, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


@action(
    "hold-action", "Hold an action", Hold,
    cost="Move", category="wait", headline="Hold the action",
    rules={
        "SOV-HOLD-01": "A Move lets a combatant hold the rest of its turn",
        "SOV-HOLD-06": "Holding is refused with a spent Move, or while the combatant already holds",
    },
    refusals=(
        costs.own_turn,
        Refusal("SOV-HOLD-06", "already-holding", "{actor} holds already",
                lambda act: act.actor.has("holding")),
        lambda act: costs.move_refusals(act.combat, act.who, act.inputs.pay, "SOV-HOLD-06"),
    ),
    propose=costs.either_pays,
)  # fmt: skip
def hold_action(act: Act[Hold]) -> Procedure[None]:
    """Hold the turn, so that the combatant can take it later as an Instant (SOV-HOLD-01)."""
    yield costs.pay_move(act.who, act.inputs.pay, "SOV-HOLD-01")
    yield from windows.declared(act.play, act.who, "hold-action")
    yield ConditionGained(act.who, "holding", until=(Until("round-end"),), rules=("SOV-HOLD-01",))


# ---- trigger-held


class Trigger(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs of a held turn.

    `at` is the square of a declared path at which the held turn begins (SOV-INST-08).
    """

    at: SquareInput | None = None


@action(
    "trigger-held", "Take the turn that was held", Trigger,
    cost="Instant", category="wait", headline="Take the turn that was held",
    rules={
        "SOV-HOLD-03": "A held turn is one turn with the rest of the budget",
        "SOV-HOLD-05": "A held attack has no −4, and other instants stay possible",
    },
    also=("SOV-HOLD-02",),
    refusals=(
        costs.at_once,
        Refusal("SOV-HOLD-01", "not-holding", "{actor} holds nothing",
                lambda act: not act.actor.has("holding")),
    ),
    interjection=True,
)  # fmt: skip
def trigger_held(act: Act[Trigger]) -> Procedure[None]:
    """End the hold, and take one turn with the budget that is left (SOV-HOLD-03).

    The attacks of this turn are not snap attacks (SOV-HOLD-05).
    """
    play, who = act.play, act.who
    if not (yield from costs.plausible(play, who, "instant", trigger_held, act.inputs)):
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
    """End a held turn. If the combatant's side is acting, its usual turn ends too (GAP-33)."""
    yield from costs.move_lapses(combat[who], "SOV-HOLD-03")
    if who in combat.acting:
        yield TurnEnded(who, HELD, rules=("SOV-HOLD-03",))
        if any(place.who == who for place in combat.queue):
            yield TurnEnded(who, rules=("SOV-HOLD-03",))


# ---- end-turn


@action(
    "end-turn", "End the turn",
    cost="none", category="end", rules={}, also=("SOV-SEQ-03",),
    refusals=(costs.own_turn,),
)  # fmt: skip
def end_turn(act: Act[NoInputs]) -> Procedure[None]:
    """End the combatant's part in this side turn (SOV-SEQ-03)."""
    yield TurnEnded(act.who, rules=("SOV-SEQ-03",))
