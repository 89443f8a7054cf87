"""Costs: the right to act, and the price of actions (SOV-ACT, SOV-SEQ-04).

Refusals come in this order: able, turn, Main and Move, then the requirements of the action.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import BudgetSet, ConditionLost, Spent, Stopped
from domain.rulebook import gm
from domain.rulebook.action import Action
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices, no_refusals, one_candidate
from domain.rulebook.reachability import Ways
from domain.rulebook.reactions import prevented, refusal_now
from domain.rulesets.sovereign import arms
from domain.rulesets.sovereign.facts import TAKEN
from domain.rulesets.sovereign.numbers import able, forbids
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import ActionType, Weapon

Refusals = Callable[[Play, Id, Any], Iterator[Illegal]]

INSTANT = "Instant, gives up the Main"

Pay = Literal["main", "move"]


class Paid(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`pay` "main": a Move action paid with the Main (SOV-ACT-04)."""

    pay: Pay = "move"


@rule("SOV-SEQ-04", "Off the own side turn only instants, opportunities and prompts")
def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Why an action is not open now (SOV-ACT-08, SOV-SEQ-04)."""
    for refusal in able_refusals(combat, who):
        return refusal
    detail = f"it is not {combat[who].name}'s turn"
    return Illegal("SOV-SEQ-04", "not-your-turn", detail, combat.acting)


@rule("SOV-ACT-08", "A disabled combatant takes no action")
def able_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """A combatant that is not able takes no action of any type (SOV-ACT-08, SOV-SURP-01)."""
    combatant = combat[who]
    if combatant.has("surprised"):
        yield Illegal("SOV-SURP-01", "surprised", f"{combatant.name} is surprised")
    elif not able(combat, who):
        what = ", ".join(words(held.id) for held in combatant.conditions if forbids(held))
        yield Illegal("SOV-ACT-08", "incapacitated", f"{combatant.name} is not able to act: {what}")


def turn_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Able, and on turn."""
    if not able(combat, who) or combat.status != "running" or who not in combat.acting:
        yield off_turn(combat, who, "")


def midst(combat: Combat, who: Id) -> Iterator[Illegal]:
    """While anything but a turn is asked only Instants come between (SOV-ACT-07)."""
    yield from turn_refusals(combat, who)
    if any(prompt.name != "turn" for prompt in combat.prompts.values()):
        detail = "something is under way: only Instants come between"
        yield Illegal("SOV-SEQ-04", "not-your-turn", detail)


@rule("SOV-INST-03", "Between windows instants interject at any prompt")
def instant_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Instants come at any moment of the fight (SOV-ACT-07, SOV-INST-03)."""
    if combat.status != "running":
        detail = "the fight has not begun"
        yield Illegal("SOV-SEQ-04", "not-your-turn", detail)
    else:
        yield from able_refusals(combat, who)


@rule("SOV-ACT-02", "One Main a round, back at round-start")
def main_refusals(combat: Combat, who: Id, rule: str = "SOV-ACT-02") -> Iterator[Illegal]:
    """One Main a round."""
    if combat[who].budget.get("main", 0) < 1:
        yield Illegal(rule, "main-spent", f"{combat[who].name} has no Main left this round")


@rule("SOV-ACT-03", "One Move a round")
def move_refusals(
    combat: Combat, who: Id, pay: Pay = "move", rule: str = "SOV-ACT-03", *, instead: bool = True
) -> Iterator[Illegal]:
    """One Move a round; the Main that is left can stand in for it (SOV-ACT-04), if `instead`."""
    budget = combat[who].budget
    if pay == "main":
        yield from main_refusals(combat, who)
    elif budget.get("move", 0) < 1:
        detail = f"{combat[who].name} has no Move left this round"
        left = instead and budget.get("main", 0) > 0
        yield Illegal(rule, "move-spent", detail, ("pay: main",) if left else ())


def still(who: Id, doing: str, refusals: Iterable[Illegal]) -> Procedure[bool]:
    """Return whether it continues. An impossible act is lost (SOV-INST-07)."""
    for stop in refusals:
        yield Stopped(who, doing, stop.code, stop.detail, rules=("SOV-INST-07",))
        return False
    return True


def spend(who: Id, kind: Pay, *rules: str) -> Spent:
    """One Main or one Move."""
    return Spent(who, {kind: 1}, rules=rules)


@rule("SOV-ACT-04", "The Main can pay for a Move, not the reverse")
def pay_move(who: Id, pay: Pay, *rules: str) -> Spent:
    """A Move, or the Main in its place (SOV-ACT-04)."""
    also = ("SOV-ACT-04",) if pay == "main" else ("SOV-ACT-03",)
    return spend(who, pay, *rules, *also)


def move_lapses(combatant: Combatant, rule: str) -> Iterator[BudgetSet]:
    """Remove an unspent Move."""
    if combatant.budget.get("move", 0) > 0:
        yield BudgetSet(combatant.id, {**combatant.budget, "move": 0}, rules=(rule,))


def busy(combat: Combat, who: Id) -> tuple[ConditionLost, ...]:
    """End its own execution when a combatant does anything else (SOV-EXEC-03)."""
    if not combat[who].has("preparing-execution"):
        return ()
    lost = ConditionLost(
        who, "preparing-execution", reason="did something else", rules=("SOV-EXEC-03",)
    )
    return (lost,)


# ---- what data say that it costs


def kind_refusals(combat: Combat, who: Id, kind: ActionType, pay: Pay) -> Iterator[Illegal]:
    """A Main, or a Move; Free and Instant Actions have no end (SOV-ACT-02, -03)."""
    if kind == "main":
        yield from main_refusals(combat, who)
    elif kind == "move":
        yield from move_refusals(combat, who, pay)


def paid(
    play: Play, who: Id, kind: ActionType, action: Action, inputs: Any, rule: str
) -> Procedure[bool]:
    """Its Main, its Move, or one more that the GM finds plausible; whether it is done."""
    if kind == "main":
        yield spend(who, "main", rule)
    elif kind == "move":
        yield pay_move(who, inputs.pay, rule)
    elif not (yield from plausible(play, who, kind, action, inputs)):
        return False
    yield from busy(play.combat, who)
    return True


# ---- actions of the own turn


def on_turn(
    id: str,
    inputs: type[Struct],
    procedure: Callable[[Play, Id, Any], Procedure[None]],
    label: str,
    *rules: str,
    cost: str,
    paid: Refusals = no_refusals,
    refusals: Refusals = no_refusals,
    candidates: gm.Candidates = one_candidate,
    ways: Callable[[Play, Id], Ways | None] | None = None,
    stops: bool = False,
) -> Action:
    """Wrap an action of the own turn. Turn and payment are checked before its own refusals."""

    def every(play: Play, who: Id, given: Any) -> Iterator[Illegal]:
        yield from turn_refusals(play.combat, who)
        yield from paid(play, who, given)
        yield from refusals(play, who, given)

    return Action(
        id, inputs, every, candidates, label,
        ways=ways, procedure=procedure, cost=cost, rules=rules, stops=stops,
    )  # fmt: skip


def with_main(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    yield from main_refusals(play.combat, who)


def with_move(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    yield from move_refusals(play.combat, who, inputs.pay)


main = partial(on_turn, cost="Main", paid=with_main)
move = partial(on_turn, cost="Move", paid=with_move)
free = partial(on_turn, cost="Free")


# ---- as many as the GM finds plausible

PLAUSIBLE = choices("allow", "refuse")

_KINDS: Mapping[str, tuple[str, str]] = {
    "free": ("ask_free_actions_after", "SOV-ACT-06"),
    "instant": ("ask_instant_actions_after", "SOV-ACT-07"),
    "swaps": ("ask_weapon_swaps_after", "SOV-ITEM-02"),
}


@rule("SOV-ACT-06", "Free actions without limit, unless the option asks the GM")
@rule("SOV-ACT-07", "Instants at any moment, without limit unless the option asks")
def plausible(
    play: Play,
    who: Id,
    kind: Literal["free", "instant", "swaps"],
    action: Action | None = None,
    inputs: Any = None,
) -> Procedure[bool]:
    """Ask the GM beyond the option's number whether more are plausible (SOV-ACT-06, -07).

    The `action` with these inputs is prevented if it became impossible while the GM was asked.
    """
    option, rule = _KINDS[kind]
    after = play.combat.options.get(option)
    if after is None:
        return True
    taken = TAKEN.of(play.combat[who]).get(kind, 0) + 1
    if taken > after:
        answer = yield from ask_gm(
            "plausible",
            f"Is one more of {who} plausible this round ({kind}: {taken})?",
            PLAUSIBLE,
            "allow",
            rules=(rule,),
            data={"combatant": who, "kind": kind, "taken": taken},
        )
        if answer.option == "refuse":
            return False
        refusal = None if action is None else refusal_now(play, who, action, inputs)
        if action is not None and refusal is not None:
            yield prevented(who, action, inputs, refusal)
            return False
    now = TAKEN.of(play.combat[who])
    yield TAKEN.set(who, {**now, kind: now.get(kind, 0) + 1}, rules=(rule,))
    return True


@rule("SOV-ITEM-02", "Drawing and sheathing need no action")
def draw(play: Play, who: Id, weapon: Weapon) -> Procedure[bool]:
    """Drawing is part of an attack; whether the GM finds it plausible once more (SOV-ITEM-02)."""
    if arms.state(play.combat[who], weapon) != "sheathed":
        return True
    if not (yield from plausible(play, who, "swaps")):
        return False
    if arms.state(play.combat[who], weapon) == "sheathed":
        yield arms.drawn(play.combat[who], weapon)
    return True
