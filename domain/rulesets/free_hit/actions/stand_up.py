"""The action `stand-up`, which costs one action of any kind.

Out of turn, it costs an action of the unit's next turn.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant
from domain.record.events import ConditionLost
from domain.rulebook.declaration import Act, Refusal
from domain.rulebook.effects import Procedure
from domain.rulesets.free_hit import payment
from domain.rulesets.free_hit.facts import OWED, UNDER_ATTACK
from domain.rulesets.free_hit.numbers import fresh_budget, owed
from domain.rulesets.free_hit.payment import KINDS
from domain.rulesets.free_hit.rules import action
from domain.rulesets.free_hit.states import is_waiting


class StandUp(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: payment.Kind = "ba"


def in_battle(act: Act[StandUp]) -> Iterator[Illegal]:
    """Refuse before the battle and after it."""
    if not payment.is_fought(act.combat):
        yield payment.off_turn(act.combat, act.who, "stand-up")


def on_turn(act: Act[StandUp]) -> bool:
    """Return true if it is the unit's own turn."""
    return act.who in act.combat.acting


def lacking_now(act: Act[StandUp]) -> Iterator[Illegal]:
    """Refuse on the unit's own turn if its budget cannot pay (FH-PRN-04)."""
    return CANNOT_PAY(act) if on_turn(act) else iter(())


CANNOT_PAY = payment.lacking(payment.chosen)


def left_next_turn(combat: Combat, unit: Combatant) -> dict[str, int]:
    """Return the budget of the next turn, or of the delayed turn (FH-PRN-05, FH-PRN-06)."""
    if is_waiting(combat, unit.id):
        return {kind: unit.budget.get(kind, 0) for kind in KINDS}
    debt = owed(unit)
    return {kind: amount - debt[kind] for kind, amount in fresh_budget(unit).items()}


def cannot_pledge(act: Act[StandUp]) -> bool | Mapping[str, str]:
    """Return the kind of action for the refusal if the next turn has no action of this kind."""
    kind = act.inputs.pay_with
    spent = not on_turn(act) and left_next_turn(act.combat, act.actor)[kind] < 1
    return spent and {"kind": payment.IN_WORDS[kind]}


@action(
    "stand-up", "Stand up", StandUp,
    cost=f"{payment.EACH}; out of turn: of the next turn", category="move",
    rules={
        "FH-PRN-04": "Any one action lets a unit stand up",
        "FH-PRN-05": "A unit that stands up out of turn owes the action in its next turn",
        "FH-PRN-06": "A unit can only pledge actions that its next turn has",
        "FH-PRN-07": "A unit cannot stand up during an attack on it",
    },
    refusals=(
        in_battle,
        payment.able,
        Refusal("FH-PRN-05", "mid-action", "{actor} is in the middle of its own action",
                lambda act: payment.mid_action(act.combat, act.who)),
        lacking_now,
        Refusal("FH-PRN-04", "not-prone", "{actor} is not prone",
                lambda act: not act.actor.has("prone")),
        Refusal("FH-PRN-06", "no-actions-next-turn", "no {kind} of the next turn is left to pledge",
                cannot_pledge, field="pay_with"),
        Refusal("FH-PRN-07", "mid-attack", "an attack on {actor} is being resolved",
                lambda act: act.who in UNDER_ATTACK.of(act.combat)),
    ),
    propose=("pay_with",),
    interjection=True,
)  # fmt: skip
def stand_up(act: Act[StandUp]) -> Procedure[None]:
    """Pay now, or record the debt for the next turn (FH-PRN-04, FH-PRN-05)."""
    if on_turn(act) or is_waiting(act.combat, act.who):
        yield from payment.pay(act.play, act.who, payment.chosen(act), "FH-PRN-04")
    else:
        debt = owed(act.actor)
        debt[act.inputs.pay_with] += 1
        yield OWED.set(act.who, debt, rules=("FH-PRN-05",))
    yield ConditionLost(act.who, "prone", reason="stood up", rules=("FH-PRN-04",))
