"""Actions whose price and effect are separate, and the refusals of combatants that cannot act.

Held actions and the attacks of a charge are already paid. Therefore `requirements` and `carry` do
not read the budget. Module `deeds` joins price and effect.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Id, Json
from domain.record.events import FactSet, Prevented
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.definitions.facts import IMMEDIATE, Used
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import able, sheet_of, unable

Kind = Literal["standard", "move", "swift", "free", "attack", "full-round", "none", "immediate"]

First = Callable[[Play, Id, Any], Procedure[bool]]


@dataclass(frozen=True)
class Deed(Action):
    """An action with a payment before its effect.

    - `kind(combat, who, inputs)`: returns the current cost of the action.
    - `requirements(play, who, inputs)`: yields the refusals that do not concern the cost.
    - `carry(play, who, inputs, place)`: carries the action out after the payment. `place` is its
      place in the order of attacks, which gives the base attack bonus (DEF-MUL-03, DEF-MUL-04).
    - `first`: prompts others before the payment. If it returns false, the action is cancelled and
      costs nothing.
    """

    kind: Callable[[Combat, Id, Any], Kind] = field(kw_only=True)
    requirements: Callable[[Play, Id, Any], Iterator[Illegal]] = field(kw_only=True)
    carry: Callable[[Play, Id, Any, int], Procedure[None]] = field(kw_only=True)
    first: First | None = field(default=None, kw_only=True)


def foiled(who: Id, action: str, refusal: Illegal, *also: str, at: Id | None = None) -> Prevented:
    """Return the event of an action that became impossible after its payment.

    The combatant does not get the cost back.
    """
    about: Mapping[str, Json] = {} if at is None else {"target": at}
    rules = (refusal.rule, *also)
    return Prevented(who, action, about, refusal.code, refusal.detail, rules=rules)


def unmet(play: Play, who: Id, deed: Deed, inputs: Any) -> Illegal | None:
    """Return the refusal of the first requirement that the action does not meet, or `None`.

    If the inputs name something that no longer exists, return a refusal with the code `gone`.
    """
    try:
        return next(deed.requirements(play, who, inputs), None)
    except Refused as gone:
        return Illegal(deed.rules[0], "gone", gone.told)


# ---- whose turn


@rule("DEF-GEN-03", "Before the combat begins, combatants can only join and be placed")
def begun(combat: Combat) -> Iterator[Illegal]:
    """Refuse all actions before the combat begins and after it ends. Rulings remain possible."""
    if combat.status == "ended":
        yield refuse("DEF-GEN-04", "combat-ended", "the fight has ended", NO_FIELD)
    elif combat.status != "running":
        yield refuse("DEF-GEN-03", "combat-not-begun", "the fight has not begun", NO_FIELD)


def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Return the reason why the combatant cannot act now (DEF-GEN-02)."""
    for refusal in (*begun(combat), unable(combat, who)):
        if refusal is not None:
            return refusal
    detail = f"it is not {combat[who].name}'s turn"
    return refuse("DEF-GEN-02", "not-your-turn", detail, NO_FIELD, combat.acting)


@rule(
    "DEF-GEN-02",
    "Only the combatant whose turn it is declares actions, one at a time. Reactions are exceptions",
)
def turn_refusals(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse unless it is the combatant's turn and it can act (DEF-TRN-04)."""
    if combat.status != "running" or not able(combat, who) or who not in combat.acting:
        yield off_turn(combat, who, "")


def midst(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse all but immediate actions while another prompt is open (DEF-GEN-02, DEF-IMM-01)."""
    if any((prompt.name, prompt.who) != ("turn", who) for prompt in combat.prompts.values()):
        detail = "something is under way: only immediate actions come between"
        yield refuse("DEF-GEN-02", "not-your-turn", detail, NO_FIELD)


# ---- immediate actions: three categories that exclude each other (DEF-IMM)

PASS = Option("pass", label="Pass")
"""The answer that declines an offered immediate action."""


rule(
    "DEF-IMM-03",
    "Immediate actions have three categories: opportunities, counterspells and others",
    f"{__name__}.Category",
)
Category = Literal["aoo", "counterspell", "other"]
CLOSES = {"other": "DEF-IMM-04", "aoo": "DEF-IMM-05", "counterspell": "DEF-IMM-06"}
COUNTED = {"aoo": "DEF-AOO-03", "counterspell": "DEF-IMM-06", "other": "DEF-IMM-02"}


@rule(
    "DEF-IMM-01", "A combatant that can act may take an immediate action at any moment of a round"
)
@rule("DEF-IMM-02", "A combatant has one immediate action in its round")
@rule("DEF-IMM-04", "Another immediate action rules out opportunities and counterspells")
@rule("DEF-IMM-05", "An opportunity rules out the other categories")
@rule("DEF-IMM-06", "A counterspell rules out the other categories")
def immediate_refusals(
    combat: Combat, who: Id, category: Category, extra: int = 0
) -> Iterator[Illegal]:
    """Refuse unless the combatant can act and has an immediate action of this category left."""
    yield from begun(combat)
    stop = unable(combat, who)
    if stop is not None:
        yield stop
    used = IMMEDIATE.of(combat[who])
    if used.category not in ("none", category):
        detail = f"{combat[who].name} has used an immediate action of another kind: {used.category}"
        yield refuse(CLOSES[used.category], "immediate-exclusive", detail, NO_FIELD)
    elif used.times >= most_immediates(combat, who, category) + extra:
        detail = f"{combat[who].name} has no immediate action of this kind left ({category})"
        yield refuse(COUNTED[category], "immediate-used", detail, NO_FIELD)


@rule("DEF-IMM-08", "The first immediate action fixes the category of the round")
@rule("DEF-AOO-03", "A combatant has 1 + Battle Prowess opportunities in its round")
@rule("DEF-AOO-08", "Battle Prowess adds only opportunities")
def most_immediates(combat: Combat, who: Id, category: str) -> int:
    """Return the number of immediate actions in a round: 1 + the feats for this category."""
    feats = sheet_of(combat[who]).feats
    more = {
        "aoo": feats.battle_prowess,
        "counterspell": feats.extra_counterspells,
        "other": feats.extra_immediates,
    }
    return 1 + more[category]


@rule(
    "DEF-IMM-07",
    "An attempt uses the immediate action. A pass, or a held action kept or lost, does not",
)
@rule("DEF-IMM-09", "A used immediate action counts until the combatant's next turn")
def use_immediate(combat: Combat, who: Id, category: Category) -> FactSet:
    """Record a used immediate action, which counts until the combatant's next turn starts."""
    times = IMMEDIATE.of(combat[who]).times
    used = Used(category=category, times=times + 1)
    return IMMEDIATE.set(who, used, rules=(COUNTED[category], "DEF-IMM-09"))
