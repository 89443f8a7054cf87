"""Pay for actions, and refuse combatants that may not act (SOV-ACT, SOV-SEQ-04).

An action is refused for the first of these reasons:

1. The combatant is not able.
2. It is not the combatant's turn.
3. The Main or the Move is spent.
4. A requirement of the action is not met.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import BudgetSet, ConditionLost, Spent, Stopped
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulebook.reactions import prevented, refusal_now
from domain.rulesets.sovereign import arms
from domain.rulesets.sovereign.facts import TAKEN
from domain.rulesets.sovereign.numbers import able, forbids
from domain.rulesets.sovereign.rules import rule
from domain.rulesets.sovereign.sheet import ActionType, Weapon

INSTANT = "Instant, gives up the Main"

Pay = Literal["main", "move"]


class Paid(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with a payment. If `pay` is "main", the Main pays for a Move action (SOV-ACT-04)."""

    pay: Pay = "move"


@rule(
    "SOV-SEQ-04", "Outside its side turn, a combatant has only instants, opportunities and prompts"
)
def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Return the reason why the combatant cannot act now (SOV-ACT-08, SOV-SEQ-04)."""
    for refusal in able_refusals(combat, who):
        return refusal
    detail = f"it is not {combat[who].name}'s turn"
    return refuse("SOV-SEQ-04", "not-your-turn", detail, NO_FIELD, combat.acting)


@rule("SOV-ACT-08", "A disabled combatant takes no action")
def able_refusals(combat: Combat, who: Id, field: str = NO_FIELD) -> Iterator[Illegal]:
    """Refuse every action of a combatant that is not able (SOV-ACT-08, SOV-SURP-01).

    `field` names the input with the combatant, if the combatant is not the actor.
    """
    combatant = combat[who]
    if combatant.has("surprised"):
        yield refuse("SOV-SURP-01", "surprised", f"{combatant.name} is surprised", field)
    elif not able(combat, who):
        what = ", ".join(words(held.id) for held in combatant.conditions if forbids(held))
        detail = f"{combatant.name} is not able to act: {what}"
        yield refuse("SOV-ACT-08", "incapacitated", detail, field)


def turn_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse unless the combatant is able and it is its turn."""
    if not able(combat, who) or combat.status != "running" or who not in combat.acting:
        yield off_turn(combat, who, "")


def midst(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse all but Instants while a prompt other than a turn is open (SOV-ACT-07)."""
    yield from turn_refusals(combat, who)
    if any(prompt.name != "turn" for prompt in combat.prompts.values()):
        detail = "something is under way: only Instants come between"
        yield refuse("SOV-SEQ-04", "not-your-turn", detail, NO_FIELD)


@rule("SOV-INST-03", "Between windows, instants are possible while any prompt is open")
def instant_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse an Instant of a combatant that is not able, and every Instant outside the fight.

    An able combatant may use Instants at any moment of the fight (SOV-ACT-07, SOV-INST-03).
    """
    if combat.status != "running":
        detail = "the fight has not begun"
        yield refuse("SOV-SEQ-04", "not-your-turn", detail, NO_FIELD)
    else:
        yield from able_refusals(combat, who)


@rule("SOV-ACT-02", "A combatant has one Main per round, which returns with the next round")
def main_refusals(
    combat: Combat, who: Id, rule: str = "SOV-ACT-02", field: str = NO_FIELD
) -> Iterator[Illegal]:
    """Refuse if the round's Main is spent."""
    if combat[who].budget.get("main", 0) < 1:
        detail = f"{combat[who].name} has no Main left this round"
        yield refuse(rule, "main-spent", detail, field)


@rule("SOV-ACT-03", "A combatant has one Move per round")
def move_refusals(
    combat: Combat, who: Id, pay: Pay | None, rule: str = "SOV-ACT-03"
) -> Iterator[Illegal]:
    """Refuse if the round's Move is spent and the Main does not replace it (SOV-ACT-04).

    `pay` is the input of the same name. If it is `None`, nothing can replace the Move.
    """
    budget = combat[who].budget
    if pay == "main":
        yield from main_refusals(combat, who, field="pay")
    elif budget.get("move", 0) < 1:
        detail = f"{combat[who].name} has no Move left this round"
        instead = ("pay: main",) if pay and budget.get("main", 0) > 0 else ()
        yield refuse(rule, "move-spent", detail, "pay" if pay else NO_FIELD, instead)


def still(who: Id, doing: str, refusals: Iterable[Illegal]) -> Procedure[bool]:
    """Return true if there is no refusal. Otherwise stop the action (SOV-INST-07)."""
    for stop in refusals:
        yield Stopped(who, doing, stop.code, stop.detail, rules=("SOV-INST-07",))
        return False
    return True


def spend(who: Id, kind: Pay, *rules: str) -> Spent:
    """Return the event that spends one Main or one Move."""
    return Spent(who, {kind: 1}, rules=rules)


@rule("SOV-ACT-04", "The Main can pay for a Move, but not the reverse")
def pay_move(who: Id, pay: Pay, *rules: str) -> Spent:
    """Return the event that spends a Move, or the Main in its place (SOV-ACT-04)."""
    also = ("SOV-ACT-04",) if pay == "main" else ("SOV-ACT-03",)
    return spend(who, pay, *rules, *also)


def move_lapses(combatant: Combatant, rule: str) -> Iterator[BudgetSet]:
    """Remove an unspent Move."""
    if combatant.budget.get("move", 0) > 0:
        yield BudgetSet(combatant.id, {**combatant.budget, "move": 0}, rules=(rule,))


def busy(combat: Combat, who: Id) -> tuple[ConditionLost, ...]:
    """End the combatant's preparation, because the combatant does something else (SOV-EXEC-03)."""
    if not combat[who].has("preparing-execution"):
        return ()
    lost = ConditionLost(
        who, "preparing-execution", reason="did something else", rules=("SOV-EXEC-03",)
    )
    return (lost,)


# ---- costs from data


def kind_refusals(combat: Combat, who: Id, kind: ActionType, pay: Pay) -> Iterator[Illegal]:
    """Refuse an action if the Main or Move that pays for it is spent.

    Free Actions and Instants need neither (SOV-ACT-02, SOV-ACT-03).
    """
    if kind == "main":
        yield from main_refusals(combat, who)
    elif kind == "move":
        yield from move_refusals(combat, who, pay)


def paid(
    play: Play, who: Id, kind: ActionType, action: Action, inputs: Any, rule: str
) -> Procedure[bool]:
    """Pay for an action, and return true if the action may continue.

    Free Actions and Instants cost nothing, but the GM may refuse further uses in the round.
    """
    if kind == "main":
        yield spend(who, "main", rule)
    elif kind == "move":
        yield pay_move(who, inputs.pay, rule)
    elif not (yield from plausible(play, who, kind, action, inputs)):
        return False
    yield from busy(play.combat, who)
    return True


# ---- checks that come before those of the action


def own_turn(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse unless the combatant is able and it is its turn."""
    return turn_refusals(act.combat, act.who)


def main_left(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse if the Main of the round is spent."""
    return main_refusals(act.combat, act.who)


def move_left(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse if the Move is spent and the inputs do not put the Main in its place."""
    return move_refusals(act.combat, act.who, act.inputs.pay)


def at_once(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse an Instant outside the fight."""
    return instant_refusals(act.combat, act.who)


FOR_A_MAIN = (own_turn, main_left)
FOR_A_MOVE = (own_turn, move_left)


def either_pays(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    """Propose to pay for an action with the Move, and then with the Main."""
    yield {}
    yield {"pay": "main"}


# ---- uses that the GM can limit

PLAUSIBLE = choices("allow", "refuse")

KINDS = {"free": "free action", "instant": "Instant", "swaps": "weapon swap"}
"The name of each kind in the text of a prompt."

_KINDS: Mapping[str, tuple[str, str]] = {
    "free": ("ask_free_actions_after", "SOV-ACT-06"),
    "instant": ("ask_instant_actions_after", "SOV-ACT-07"),
    "swaps": ("ask_weapon_swaps_after", "SOV-ITEM-02"),
}


@rule("SOV-ACT-06", "Free actions have no limit, unless an option asks the GM")
@rule(
    "SOV-ACT-07",
    "Instants are possible at any moment, without a limit unless an option asks the GM",
)
def plausible(
    play: Play,
    who: Id,
    kind: Literal["free", "instant", "swaps"],
    action: Action | None = None,
    inputs: Any = None,
) -> Procedure[bool]:
    """Return true if the combatant may use one more action of this kind.

    The GM decides when the uses of this round exceed the option (SOV-ACT-06, SOV-ACT-07). If
    `action` becomes impossible before the GM answers, Affray prevents the action.
    """
    option, rule = _KINDS[kind]
    after = play.combat.options.get(option)
    if after is None:
        return True
    taken = TAKEN.of(play.combat[who]).get(kind, 0) + 1
    if taken > after:
        answer = yield from ask_gm(
            "plausible",
            f"May {who} take {KINDS[kind]} number {taken} this round?",
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


@rule("SOV-ITEM-02", "Drawing and sheathing cost nothing")
def draw(play: Play, who: Id, weapon: Weapon) -> Procedure[bool]:
    """Draw the weapon if it is sheathed, and return true if it is in hand (SOV-ITEM-02).

    The GM may refuse a further swap in the round.
    """
    if arms.state(play.combat[who], weapon) != "sheathed":
        return True
    if not (yield from plausible(play, who, "swaps")):
        return False
    if arms.state(play.combat[who], weapon) == "sheathed":
        yield arms.drawn(play.combat[who], weapon)
    return True
