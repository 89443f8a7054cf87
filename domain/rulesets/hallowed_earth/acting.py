"""Who may act, and what acting costs (HE-ACT, HE-INC, HE-DYING, HE-STAB, HE-BLUNT-06, -14).

Refusals come in this order: combat over, phase, dead, surprised, turn, condition, budget.
"""

from collections.abc import Iterator
from typing import Literal

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import FactSet, Spent
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.hallowed_earth.numbers import (
    counting,
    has_carried,
    is_down,
    is_dying,
    moved,
    options,
)

Kind = Literal["standard", "free", "reaction"]

DECLARED = (
    "attack",
    "defensive-attack",
    "cast",
    "use-item",
    "throw-item",
    "full-defense",
    "stabilize",
    "intimidate",
    "use-ability",
    "skill-check",
    "no-action",
)
"""What can be declared (4.1)."""

_USED = {
    "standard": ("HE-ACT-02", "standard-used", "the Standard Action of this turn is used"),
    "free": ("HE-ACT-03", "free-used", "the Free Action of this turn is used"),
    "reaction": ("HE-ACT-04", "reaction-used", "the Reaction of this round is used"),
}


def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Why an action is not open to `who` now."""
    one = combat[who]
    if combat.status == "ended" or combat.phase in ("ending", "ended"):
        return Illegal("HE-END-04", "combat-over", "the combat is over")
    if combat.phase == "declare":
        if action not in DECLARED:
            detail = "nothing resolves before everybody has declared"
            return Illegal("HE-SEQ-02", "wrong-phase", detail, DECLARED)
    elif not counting(combat):
        detail = f"{action} is not possible in the step {combat.phase}"
        rule = "HE-DECL-13" if combat.phase == "opening" else "HE-SEQ-02"
        return Illegal(rule, "wrong-phase", detail)
    for refusal in present(one, "HE-SURP-03" if combat.phase == "declare" else "HE-SURP-04"):
        return refusal
    if combat.phase == "declare":
        if "declared" in one.facts:
            detail = f"{one.name} has declared for this round"
            return Illegal("HE-DECL-12", "already-declared", detail)
        waiting = tuple(
            prompt.who
            for prompt in combat.prompts.values()
            if prompt.kind == "declare" and prompt.who is not None
        )
        order = options(combat).declare_order
        detail = f"it is not {one.name}'s place in the order of declaring ({order})"
        return Illegal("HE-DECL-10", "not-your-declaration", detail, waiting)
    detail = f"it is not {one.name}'s turn"
    return Illegal("HE-ACT-05", "not-your-turn", detail, combat.acting)


def present(one: Combatant, rule: str = "HE-SURP-04") -> Iterator[Illegal]:
    """Dead, or surprised."""
    if one.has("dead"):
        yield Illegal("HE-WP-07", "dead", f"{one.name} is dead")
    if one.has("surprised"):
        yield Illegal(rule, "surprised", f"{one.name} is surprised until the round ends")


def turn(combat: Combat, who: Id, action: str = "") -> Iterator[Illegal]:
    """Over, phase, dead, surprised, turn: the first of them."""
    if not counting(combat) or who not in combat.acting:
        yield off_turn(combat, who, action)
        return
    yield from present(combat[who])
    asked = (prompt.who for prompt in combat.prompts.values() if prompt.kind == "turn")
    if who not in asked:
        detail = f"{combat[who].name} has settled what it does at this number"
        yield Illegal("HE-TIE-04", "not-your-turn", detail)


def body(one: Combatant) -> Iterator[Illegal]:
    """HE-BLUNT-14: nothing below the neck moves."""
    if one.has("paralyzed"):
        yield Illegal("HE-BLUNT-14", "paralyzed", f"{one.name} is paralyzed from the neck down")


def voice(one: Combatant) -> Iterator[Illegal]:
    """HE-BLUNT-15, -16."""
    if one.has("cannot-speak"):
        yield Illegal("HE-BLUNT-15", "cannot-speak", f"{one.name} cannot speak")


def rib(one: Combatant) -> Iterator[Illegal]:
    """One action in two turns, Reactions included, counted from the injury (HE-BLUNT-06)."""
    if not one.has("broken-rib"):
        return
    spans = one.facts.get("rib", {})
    acted = spans.get("acted")
    if acted is not None and spans["span"] - acted < 2:
        detail = "with a broken rib it acts once in two turns"
        yield Illegal("HE-BLUNT-06", "one-action-per-two-turns", detail)


def budget(combat: Combat, who: Id, kind: Kind) -> Iterator[Illegal]:
    """The limits of the dying, then what this turn or round still has."""
    one = combat[who]
    if is_dying(one):
        most = 2 if has_carried(combat, one) else 1
        taken = one.facts.get("actions", 0)
        if taken >= most:
            detail = "a dying creature takes one action of any kind"
            yield Illegal("HE-DYING-02", "dying-one-action", detail)
        elif moved(one) > 0 and taken + 1 >= most:
            detail = "a dying creature cannot both move and act"
            yield Illegal("HE-DYING-03", "dying-move-or-act", detail)
    if one.budget.get(kind, 0) < 1:
        rule, code, detail = _USED[kind]
        yield Illegal(rule, code, detail)


def dying_moves(combat: Combat, one: Combatant) -> Iterator[Illegal]:
    """Whoever has acted does not move (HE-DYING-03)."""
    most = 2 if has_carried(combat, one) else 1
    if is_dying(one) and one.facts.get("actions", 0) >= most:
        detail = "a dying creature cannot both move and act"
        yield Illegal("HE-DYING-03", "dying-move-or-act", detail)


def spend(play: Play, who: Id, kind: Kind) -> Procedure[bool]:
    """Use an action; whether it will cost a Wound Point once it has taken effect.

    HE-INC-03 each action of somebody down; HE-STAB-06, -07 of the stabilized all but the first.
    """
    one = play.combat[who]
    taken = one.facts.get("actions", 0) + 1
    rules = {"standard": "HE-ACT-02", "free": "HE-ACT-03", "reaction": "HE-ACT-04"}
    yield Spent(who, {kind: 1}, rules=(rules[kind],))
    yield FactSet(who, "actions", taken, rules=("HE-ACT-01",))
    if one.has("broken-rib"):
        spans = one.facts.get("rib", {"span": 0})
        yield FactSet(who, "rib", {**spans, "acted": spans["span"]}, rules=("HE-BLUNT-06",))
    if one.has("stabilized"):
        return bool(taken > 1)
    return is_down(one)
