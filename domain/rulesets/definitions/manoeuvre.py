"""Targets of attacks and manoeuvres, and the reach that they need (DEF-ATK-06, DEF-MAN-09)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

from domain.errors import Illegal
from domain.record.combat import Combat, Id
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.inputs import InputKind
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.definitions import arms, board
from domain.rulesets.definitions.deed import foiled
from domain.rulesets.definitions.opposed_rolls import Over
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import HELD_FAST, able, swallower

# ---- targets


def others(combat: Combat, who: Id) -> list[Id]:
    """Return all other combatants. Attacks on allies are legal (DEF-ATK-06)."""
    return [combatant.id for combatant in combat if combatant.id != who]


Target = Annotated[Id, InputKind("combatant", toward="harm", proposes=others)]


def fair_target(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse an illegal `target` of the inputs."""
    return target_refusals(act.combat, act.who, act.inputs.target)


def target_refusals(
    combat: Combat, who: Id, target: Id | None, field: str = "target"
) -> Iterator[Illegal]:
    """Refuse the combatant itself, the dead and the departed as targets (DEF-ATK-06).

    A swallowed combatant can target only its swallower. Other combatants cannot target it
    (DEF-SWL-04).
    """
    if target is None or target == who:
        detail = "it needs a target" if target is None else "nobody does that to itself"
        yield refuse("DEF-ATK-06", "no-target", detail, field)
        return
    other = combat[target]
    if other.left or other.has("dead"):
        yield refuse("DEF-ATK-06", "target-dead", f"{other.name} is out of the fight", field)
    holder = swallower(combat, who)
    if combat[who].has("swallowed") and target != holder:
        detail = f"{combat[who].name} is swallowed: only its swallower can be a target"
        yield refuse("DEF-SWL-04", "swallowed", detail, field)
    if other.has("swallowed") and target != who:
        yield refuse("DEF-SWL-04", "swallowed", f"{other.name} is swallowed", field)


def free_of_grapple(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse a manoeuvre of a combatant in a grapple (DEF-GRP-10) or pinned (DEF-GPN-01)."""
    yield from not_pinned(act)
    if act.actor.has("grappled", "grappling") and not act.actor.has("pinned"):
        yield refuse("DEF-GRP-10", "grappled", f"{act.actor.name} is in a grapple", NO_FIELD)


def not_pinned(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse an attack by a pinned combatant (DEF-GPN-01)."""
    if act.actor.has("pinned"):
        yield refuse("DEF-GPN-01", "pinned", f"{act.actor.name} is pinned", NO_FIELD)


def natural_reach(
    combat: Combat, who: Id, target: Id | None, field: str = "target"
) -> Iterator[Illegal]:
    """Refuse a target out of natural reach.

    Grapple, shove and swallow use the body (DEF-MAN-09).
    """
    if target is None:
        return
    if board.within_reach(combat, who, target, None) is False:
        yield refuse(
            "DEF-MAN-09", "out-of-reach", f"{combat[target].name} is out of natural reach", field
        )


def in_natural_reach(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse the target of the inputs if it is out of natural reach."""
    return natural_reach(act.combat, act.who, act.inputs.target)


def anywhere(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
    """Refuse no target, because a trampling combatant enters the target's square (DEF-TRM-02)."""
    return iter(())


@rule("DEF-MAN-09", "A manoeuvre needs the reach of the body or the weapon")
def weapon_reach(combat: Combat, who: Id, target: Id | None) -> Iterator[Illegal]:
    """Refuse a target out of reach of both the body and the melee weapon in hand (DEF-MAN-09)."""
    if target is None:
        return
    held = arms.in_hand(combat[who])
    usable = held is not None and held.kind == "melee" and not arms.broken(combat[who], held.id)
    if usable and board.within_reach(combat, who, target, held) is not False:
        return
    yield from natural_reach(combat, who, target)


def in_weapon_reach(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse the target of the inputs if neither the body nor the weapon in hand reaches it."""
    return weapon_reach(act.combat, act.who, act.inputs.target)


Reach = Callable[[Combat, Id, Id | None], Iterator[Illegal]]
"""Yield the reasons why a target is out of reach."""


def beyond(who: Id, target: Id, reach: Reach = weapon_reach) -> Over:
    """Return a check that stops if the target is out of `reach` (DEF-RCH-08)."""
    return lambda combat: next(reach(combat, who, target), None)


Aims = Callable[[Combat, Id, Any], Sequence[Id]]
"""Return the targets of an action."""


@rule("DEF-GRP-09", "Neither grappler walks or is shoved away")
def walks(combat: Combat, who: Id, rule: str | None = None) -> Iterator[Illegal]:
    """Refuse movement while a grapple or a swallower holds the combatant.

    `rule` is the rule that the refusal names. By default, it is the rule of the
    condition that holds the combatant.
    """
    combatant = combat[who]
    for state, (own, code) in HELD_FAST.items():
        if combatant.has(state):
            yield refuse(rule or own, code, f"{combatant.name} is {state}", NO_FIELD)
            return


# ---- missing positions

REACH = choices("yes", "no")


def asks_reach(action: str, aims: Aims) -> Callable[[Play, Id, Any], Procedure[bool]]:
    """Return a procedure that asks the GM, before the payment, about a target's reach.

    If the GM answers no, the action does not happen and costs nothing (DEF-RCH-08).
    """

    def asked(play: Play, who: Id, inputs: Any) -> Procedure[bool]:
        for target in aims(play.combat, who, inputs):
            if not (yield from in_reach(play, who, target, action)):
                detail = f"{target} is out of reach"
                yield foiled(who, action, Illegal("DEF-RCH-08", "out-of-reach", detail))
                return False
        return True

    return asked


@rule("DEF-RCH-08", "A melee attack needs reach. Without positions, the GM decides")
def in_reach(play: Play, who: Id, target: Id, action: str) -> Procedure[bool]:
    """Return true if the target is in reach.

    Without positions, the GM decides. The default is yes.
    """
    if board.placed(play.combat, who, target) or swallower(play.combat, who) == target:
        return True
    answer = yield from ask_gm(
        "reach",
        f"Can {who} reach {target} ({words(action)})?",
        REACH,
        "yes",
        rules=("DEF-RCH-08",),
        data={"combatant": who, "target": target, "action": action},
        stands=lambda now: able(now, who) and not now[target].left,
    )
    return answer.option == "yes" and play.absent(target) is None
