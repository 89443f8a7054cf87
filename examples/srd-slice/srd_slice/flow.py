"""Initiative, rounds and turns, and the actions that are neither attack, move nor spell."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Id, Place, Until
from domain.record.events import (
    BudgetSet,
    ConditionGained,
    InitiativeSet,
    RoundBegan,
    Spent,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.action import Action
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask, roll, while_able, while_there
from domain.rulebook.ending import ended
from domain.rulebook.inputs import proposals
from domain.rulebook.play import Play
from domain.rulebook.prompts import NoInputs, Prompt
from domain.rulebook.ruleset import Step
from srd_slice.attack import ATTACK, lacking
from srd_slice.harm import death_save, stabilized
from srd_slice.moving import MOVE
from srd_slice.spells import SPELLS, AtAlly, struggle
from srd_slice.states import INITIATIVE, feet, in_fight, over, sheet, unable


def flow(combat: Combat) -> Step | None:
    """Return the next turn, a new round or the ending; `None` before the combat begins."""
    if combat.status != "running":
        return None
    if combat.phase == "ending" or over(combat):
        return Step("ending")
    return Step("turn", {"who": combat.queue[0].who}) if combat.queue else Step("round")


# ---- initiative and rounds


def new_round(play: Play) -> Procedure[None]:
    """Roll the missing initiatives, and begin a round (SRD-INI-01).

    The combatant with the highest initiative acts first.
    """
    for combatant in list(play.combat):
        if not INITIATIVE.known(play.combat[combatant.id]):
            yield from while_there(play, combatant.id, initiative(play, combatant.id), "initiative")
    yield RoundBegan(play.combat.round + 1, rules=("SRD-INI-01",))
    places = tuple(Place(who, (rank[0],)) for who, rank in ranked(play.combat))
    yield InitiativeSet(places, rules=("SRD-INI-01", "SRD-INI-02"))


def ranked(combat: Combat) -> list[tuple[Id, tuple[int, int]]]:
    """Return the combatants in the order of their turns, each with its initiative and Dexterity.

    Among equal initiatives, the higher Dexterity comes first, and then the combatant that joined
    first (SRD-INI-02).
    """
    ranks = {combatant.id: (INITIATIVE.of(combatant), sheet(combatant).dex) for combatant in combat}
    return sorted(ranks.items(), key=lambda entry: (-entry[1][0], -entry[1][1]))


def initiative(play: Play, who: Id) -> Procedure[None]:
    """Roll initiative as a Dexterity check (SRD-INI-01).

    The combatant can use its reaction before its first turn (SRD-TRN-03).
    """
    dice = f"1d20{sheet(play.combat[who]).dex:+d}"
    rolled = yield from roll(who, "initiative", dice, rules=("SRD-INI-01",))
    yield INITIATIVE.set(who, rolled.total, rules=("SRD-INI-01",))
    yield BudgetSet(who, {"action": 0, "bonus": 0, "reaction": 1, "ft": 0}, rules=("SRD-TRN-03",))


# ---- turns


def turn(play: Play, who: Id) -> Procedure[None]:
    """Run a turn with a move, an action and a bonus action (SRD-TRN-01, SRD-TRN-02)."""
    yield TurnBegan(who, rules=("SRD-TRN-01",))
    yield from expire(play, "turn-start", who, rules=("SRD-DOD-01",))
    if play.combat[who].has("dying"):
        yield from while_there(play, who, death_save(play, who), "death-save")
    if in_fight(play.combat, who):
        full = {"action": 1, "bonus": 1, "reaction": 1, "ft": sheet(play.combat[who]).speed_ft}
        yield BudgetSet(who, full, rules=("SRD-TRN-01", "SRD-TRN-03"))
    while on_turn(play.combat, who):
        answer = yield from ask(turn_prompt(who))
        if answer.option == "end-turn":
            break
        yield from ACTIONS[answer.option].procedure(play, who, answer.inputs)
    if in_fight(play.combat, who):
        yield from while_there(play, who, struggle(play, who), "save")
    yield from expire(play, "turn-end", who, rules=("SRD-TRN-01",))
    reaction = play.combat[who].budget.get("reaction", 0)
    left = {"action": 0, "bonus": 0, "reaction": reaction, "ft": 0}
    yield BudgetSet(who, left, rules=("SRD-TRN-01",))
    yield TurnEnded(who, rules=("SRD-TRN-01",))


def on_turn(combat: Combat, who: Id) -> bool:
    """Return true if `who` can act in its turn and the fight is not over."""
    return in_fight(combat, who) and unable(combat, who) is None and not over(combat)


def turn_prompt(who: Id) -> Prompt:
    """Return the prompt for the next action of a turn."""
    return Prompt(
        "turn",
        "turn",
        who,
        f"It is {who}'s turn",
        tuple(ACTIONS.values()),
        ("SRD-TRN-01",),
        "end-turn",
        stands=lambda now: on_turn(now, who),
    )


def ending(play: Play) -> Procedure[None]:
    """End the combat. The side that is left wins (SRD-HP-04)."""
    for who in play.combat.acting:
        yield TurnEnded(who, rules=("SRD-TRN-01",))
    sides = (combatant.side for combatant in play.combat if in_fight(play.combat, combatant.id))
    yield ended(play.combat, sides, "SRD-HP-04")


def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Return the reason why `who` cannot act outside its turn."""
    return unable(combat, who) or Illegal("SRD-TRN-01", "not-your-turn", f"it is not {who}'s turn")


# ---- actions that are neither attack, move nor spell


def an_action(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
    """Yield a refusal if `who` has used the action of its turn."""
    yield from lacking(play.combat, who, "action", "SRD-TRN-02")


def dash(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Add the speed to the feet that `who` can still move in this turn (SRD-DSH-01)."""
    yield Spent(who, {"action": 1}, rules=("SRD-TRN-02",))
    budget = play.combat[who].budget
    speed = sheet(play.combat[who]).speed_ft
    yield BudgetSet(who, {**budget, "ft": budget.get("ft", 0) + speed}, rules=("SRD-DSH-01",))


def dodge(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Give attacks against `who` disadvantage until its next turn (SRD-DOD-01)."""
    yield Spent(who, {"action": 1}, rules=("SRD-TRN-02",))
    until = (Until("turn-start", who),)
    yield ConditionGained(who, "dodging", until=until, rules=("SRD-DOD-01",))


def disengage(play: Play, who: Id, inputs: NoInputs) -> Procedure[None]:
    """Prevent opportunity attacks when `who` moves in this turn (SRD-DIS-01)."""
    yield Spent(who, {"action": 1}, rules=("SRD-TRN-02",))
    until = (Until("turn-end", who),)
    yield ConditionGained(who, "disengaged", until=until, rules=("SRD-DIS-01",))


def aid_refusals(play: Play, who: Id, at: AtAlly) -> Iterator[Illegal]:
    yield from an_action(play, who, at)
    apart = feet(play.combat, who, at.target)
    if apart is not None and apart > 5:
        yield Illegal("SRD-DTH-05", "out-of-reach", f"{at.target} is {apart} ft away")
    if not play.combat[at.target].has("dying"):
        yield Illegal("SRD-DTH-05", "not-dying", f"{play.combat[at.target].name} is not dying")


def first_aid(play: Play, who: Id, at: AtAlly) -> Procedure[None]:
    """Stabilize a dying ally with a Wisdom (Medicine) check of 10 or more (SRD-DTH-05)."""
    yield Spent(who, {"action": 1}, rules=("SRD-TRN-02",))
    yield from while_able(play, who, tend(play, who, at.target), "stabilize", at=at.target)


def tend(play: Play, who: Id, target: Id) -> Procedure[None]:
    rolled = yield from roll(
        who,
        "medicine",
        f"1d20{sheet(play.combat[who]).medicine:+d}",
        rules=("SRD-DTH-05",),
        target=10,
        against=target,
        judge=lambda faces, total, target: "success" if total >= target else "failure",
    )
    if rolled.outcome == "success" and play.combat[target].has("dying"):
        yield stabilized(play.combat[target], "SRD-DTH-05", who)


def dying_allies(play: Play, who: Id) -> Iterator[Any]:
    """Return proposals for all allies, the nearest first."""
    return proposals(AtAlly, ("target",), play.combat, who)


ACTIONS = {
    action.id: action
    for action in (
        ATTACK,
        MOVE,
        *SPELLS,
        Action(
            "dash", NoInputs, an_action, label="Dash", procedure=dash, cost="action",
            rules=("SRD-DSH-01",),
        ).shown("move"),
        Action(
            "dodge", NoInputs, an_action, label="Dodge", procedure=dodge, cost="action",
            rules=("SRD-DOD-01",),
        ).shown("defend"),
        Action(
            "disengage", NoInputs, an_action, label="Disengage", procedure=disengage,
            cost="action", rules=("SRD-DIS-01",),
        ).shown("move"),
        Action(
            "stabilize", AtAlly, aid_refusals, dying_allies, "First aid", procedure=first_aid,
            cost="action", rules=("SRD-DTH-05",),
        ).shown("help", "Stabilize {target}"),
        Action("end-turn", label="End the turn", rules=("SRD-TRN-01",)).shown("end"),
    )
}  # fmt: skip

PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "round": new_round,
    "turn": turn,
    "ending": ending,
}
