"""Reactions: free and immediate attacks.

Each is a primary routine at once, at the cause of the trigger.

VD-FREE-01, VD-IMMA-01.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TypeVar

from msgspec import Struct

from domain.errors import Illegal, Impossible, Refused
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, interrupt
from domain.rulebook.inputs import Enemy, OwnWeapon
from domain.rulebook.play import Play
from domain.rulebook.prompts import Option
from domain.rulesets.vile_darkness import routines
from domain.rulesets.vile_darkness.action_costs import can_act
from domain.rulesets.vile_darkness.deed import guarded, prevented, put_to_the_gm
from domain.rulesets.vile_darkness.harm import Results, in_turn, land
from domain.rulesets.vile_darkness.numbers import in_fight, sheet
from domain.rulesets.vile_darkness.restricted_quarters import beyond_doubt, may_strike
from domain.rulesets.vile_darkness.routines import Use
from domain.rulesets.vile_darkness.rules import rule


class Taking(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The target, if there are several, and the routine or weapon."""

    target: Enemy | None = None
    routine: str | None = None
    weapon: OwnWeapon | None = None
    mode: str | None = None


PASS = Option("pass").shown("pass")
T = TypeVar("T", bound=Taking)


@rule("VD-FREE-08", "The whole first routine, not the iterative ones")
def primary_use(combat: Combat, who: Id, target: Id, inputs: Taking) -> Use | None:
    """Return the whole primary routine, the first of a multi-attack (VD-FREE-08).

    The default is the first primary one that is legal against the target (GAP-43), by the squares
    if there are any.
    """
    combatant = combat[who]
    card = sheet(combatant)
    if inputs.weapon is not None or inputs.routine is not None:
        return routines.chosen(combatant, None, inputs.routine, inputs.weapon, inputs.mode)
    if routines.has_multi_attack(card):
        return routines.chosen(combatant, None, routine=routines.multi_attack(card)[0])
    every = routines.uses(combatant)
    for refused in (routines.illegal, beyond_doubt):
        legal = [use for use in every if next(refused(combat, who, target, use), None) is None]
        if legal:
            return next((use for use in legal if use.primary), legal[0])
    return next(iter(every), None)


def routine_refusals(combat: Combat, who: Id, target: Id, inputs: Taking) -> Iterator[Illegal]:
    """There is a routine for it, none of the iterative attacks, and its attack is legal
    (VD-FREE-08, VD-ROUT-01, -06)."""
    combatant = combat[who]
    use = primary_use(combat, who, target, inputs)
    if use is None:
        yield refuse("VD-ROUT-01", "no-weapon", f"{combatant.name} has no attack routine", NO_FIELD)
        return
    if routines.has_multi_attack(sheet(combatant)) and not use.primary:
        detail = f"{use.id} is not the primary routine"
        yield Impossible("VD-FREE-08", "wrong-kind", detail, pointer=routines.pointer(inputs))
    yield from beyond_doubt(combat, who, target, use)


def reason_now(refusals: Iterator[Illegal]) -> Illegal | None:
    """Return the first reason against it, including removed things."""
    try:
        return next(refusals, None)
    except Refused as gone:
        return refuse("VD-FREE-01", "gone", gone.told, NO_FIELD)


@rule("VD-FREE-06", "The surprised make none")
def may_react(combatant: Combatant, rule: str) -> Iterator[Illegal]:
    """Able; and the surprised make none, even when they may act (GAP-19, -20)."""
    yield from can_act(combatant)
    if combatant.has("surprised"):
        yield refuse(rule, "surprised", f"{combatant.name} is surprised", NO_FIELD)


def still_there(combat: Combat, target: Id) -> Iterator[Illegal]:
    """Refuse a target that has left the combat."""
    if combat[target].left:
        yield refuse("VD-FREE-01", "gone", f"{target} has left the combat", "target")


def strike_back(
    play: Play,
    action: str,
    taken: Sequence[tuple[Id, Id, T]],
    down: Collection[Id],
    refusals: Callable[[Id, Id, T], Iterator[Illegal]],
    pay: Callable[[Id, Id], Iterator[AnyEvent]],
    make: Callable[[Id, Id, T, Results], Procedure[None]],
) -> Procedure[None]:
    """Carry out reactions together: check again, pay, roll and apply.

    Each is checked once more if the GM was asked about one. `down` are those that had fallen
    before, and were chosen as such.
    """

    def still_legal(found: Sequence[tuple[Id, Id, T]]) -> Procedure[list[tuple[Id, Id, T]]]:
        good: list[tuple[Id, Id, T]] = []
        for who, target, inputs in found:
            why = reason_now(refusals(who, target, inputs))
            if target not in down and not in_fight(play.combat, target):  # since then (GAP-52 e)
                why = refuse("VD-FREE-01", "gone", f"{target} is down or gone", NO_FIELD)
            if why is not None:
                yield prevented(who, action, inputs, why)
            else:
                good.append((who, target, inputs))
        return good

    ruled: list[tuple[Id, Id, T]] = []
    for who, target, inputs in (yield from still_legal(taken)):
        use = primary_use(play.combat, who, target, inputs)
        question = may_strike(play, who, target, use)
        if (yield from put_to_the_gm(play, who, action, question, inputs, target)):
            ruled.append((who, target, inputs))
    good = yield from still_legal(ruled)
    moment: dict[Id, Results] = {who: [] for who, _, _ in good}
    for who, target, _ in good:
        yield from pay(who, target)
    for who, target, inputs in good:
        rolling = make(who, target, inputs, moment[who])
        blow = partial(guarded, play, who, action, rolling, moment[who], target)
        yield from interrupt(play, blow, None)
    yield from interrupt(play, partial(land, play, in_turn(moment)), None)
