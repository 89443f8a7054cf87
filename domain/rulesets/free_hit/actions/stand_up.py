"""Stand up: any one action. Out of turn, the next turn owes it (FH-PRN-04 to -07)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionLost
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.free_hit import paying
from domain.rulesets.free_hit.facts import OWED, UNDER_ATTACK
from domain.rulesets.free_hit.numbers import fresh_budget, owed
from domain.rulesets.free_hit.paying import KINDS
from domain.rulesets.free_hit.states import is_waiting


class StandUp(Struct, frozen=True, forbid_unknown_fields=True):
    pay_with: paying.Kind = "ba"


def stand_up_refusals(play: Play, who: Id, inputs: StandUp) -> Iterator[Illegal]:
    """On the own turn from this turn's budget; else from the next one's (FH-PRN-04 to -07)."""
    combat = play.combat
    one = combat[who]
    if not paying.is_fought(combat):
        yield paying.off_turn(combat, who, "stand-up")
    yield from paying.able(combat, who)
    if paying.mid_action(combat, who):
        detail = f"{one.name} is in the middle of its own action"
        yield Illegal("FH-PRN-05", "mid-action", detail)
    if who in combat.acting:
        yield from paying.lacking(combat, who, paying.one(inputs.pay_with))
    if not one.has("prone"):
        yield Illegal("FH-PRN-04", "not-prone", f"{one.name} is not prone")
    if who not in combat.acting and left_next_turn(combat, one)[inputs.pay_with] < 1:
        kind = paying.IN_WORDS[inputs.pay_with]
        detail = f"no {kind} of the next turn is left to pledge"
        yield Illegal("FH-PRN-06", "no-actions-next-turn", detail)
    if who in UNDER_ATTACK.of(combat):
        detail = f"an attack on {one.name} is being resolved"
        yield Illegal("FH-PRN-07", "mid-attack", detail)


def left_next_turn(combat: Combat, one: Combatant) -> dict[str, int]:
    """Return the budget of the next turn, or of the turn that waits (FH-PRN-05, -06)."""
    if is_waiting(combat, one.id):
        return {kind: one.budget.get(kind, 0) for kind in KINDS}
    debt = owed(one)
    return {kind: amount - debt[kind] for kind, amount in fresh_budget(one).items()}


def pay_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    return ({"pay_with": kind} for kind in KINDS)


def stand_up(play: Play, who: Id, inputs: StandUp) -> Procedure[None]:
    """FH-PRN-04, -05."""
    if who in play.combat.acting or is_waiting(play.combat, who):
        yield from paying.pay(play, who, paying.one(inputs.pay_with), "FH-PRN-04")
    else:
        debt = owed(play.combat[who])
        debt[inputs.pay_with] += 1
        yield OWED.set(who, debt, rules=("FH-PRN-05",))
    yield ConditionLost(who, "prone", reason="stood up", rules=("FH-PRN-04",))


STAND_UP = Action(
    "stand-up", StandUp, stand_up_refusals, pay_candidates, "Stand up", procedure=stand_up,
    interjection=True, cost=f"{paying.EACH}; out of turn: of the next turn",
    rules=("FH-PRN-04", "FH-PRN-05", "FH-PRN-06", "FH-PRN-07"),
).shown("move")  # fmt: skip
