"""The actions `innate`, `go-first` and `immediate`, for abilities without casting.

VD-GRP-02, VD-IMM.
"""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant
from domain.rulebook.declaration import Act, refuse
from domain.rulebook.effects import Procedure
from domain.rulesets.vile_darkness.abilities import (
    Using,
    ability,
    as_declared,
    candidates,
    counted,
    of_this_kind,
    still_fits,
    used,
    was_declared,
    what_it_takes,
)
from domain.rulesets.vile_darkness.deed import InSlot, deed, guarded, prevented
from domain.rulesets.vile_darkness.facts import ADDED
from domain.rulesets.vile_darkness.harm import Results, land
from domain.rulesets.vile_darkness.notation import action_type, called, segments_of
from domain.rulesets.vile_darkness.rules import action, rule
from domain.rulesets.vile_darkness.slots import (
    GO_LAST,
    in_d1,
    in_round,
    is_present,
    on_own_turn,
    phase_of,
)


def innate_now(act: Act[Using]) -> Iterator[Illegal]:
    """Refuse an innate ability that is undeclared, out of its slot, too costly or out of range."""
    combat, combatant, inputs = act.combat, act.actor, act.inputs
    power = ability(combatant, inputs.ability)
    yield from of_this_kind(power, "innate")
    yield from was_declared(combatant, power, "innate")
    if power.timing == "go_last":
        if combat.phase != GO_LAST:
            yield refuse("VD-GRP-02", "wrong-phase", f"{called(power)} goes last", "ability")
    else:
        yield from in_d1(combat, act.who)
    yield from what_it_takes(combat, combatant, power, inputs.target)


def counts(act: Act[Using]) -> Procedure[Illegal | None]:
    """Ask the GM if the ability counts as a spell, unless its data decide."""
    return (yield from counted(act.play, act.who, ability(act.actor, act.inputs.ability)))


def time(combat: Combat, combatant: Combatant, inputs: Using) -> int:
    """Return the time of the ability in segments.

    A major ability adds the segments of the combatant's minor actions (GAP-12).
    """
    power = ability(combatant, inputs.ability)
    return segments_of(power) + (ADDED.of(combatant) if action_type(power) == "major" else 0)


def segments(combat: Combat, combatant: Combatant, inputs: Using) -> int:
    return segments_of(ability(combatant, inputs.ability))


def is_major(combat: Combat, combatant: Combatant, inputs: Using) -> bool:
    return action_type(ability(combatant, inputs.ability)) == "major"


def minors(combat: Combat, combatant: Combatant, inputs: Using) -> int:
    """Return 1 if the ability is a minor action that takes time, else 0 (VD-MIN-07)."""
    timed = segments(combat, combatant, inputs) > 0
    return 1 if timed and not is_major(combat, combatant, inputs) else 0


def fits(act: Act[Using]) -> Iterator[Illegal]:
    power = ability(act.actor, act.inputs.ability)
    return still_fits(act.combat, act.actor, power, act.inputs.target)


def effect(act: Act[Using], results: Results) -> Procedure[None]:
    """Use up the ability, and apply its effect (VD-ABIL-02)."""
    power = ability(act.actor, act.inputs.ability)
    yield from used(act.play, act.who, power, act.inputs.target, results)


IN_D1 = InSlot(
    before=counts,
    segments=segments,
    time=time,
    major=is_major,
    minors=minors,
    phase=lambda combat, combatant, inputs: phase_of(combat, "innate"),
    carries=True,
    fits=fits,
)


@deed(
    "innate", "Use an innate ability", Using,
    cost="usually minor", category="use", headline="Use {ability}[ on {target}]",
    essential=("ability", "target"),
    rules={"VD-ABIL-02": "A combatant uses innate abilities in D1, and each delays its major "
        "action by 1"},
    also=("VD-GRP-02", "VD-ABIL-01"),
    refusals=(on_own_turn, innate_now),
    propose=candidates("innate"),
    in_slot=IN_D1,
)  # fmt: skip
def innate(act: Act[Using], results: Results) -> Procedure[None]:
    """Use an innate ability in D1, or in Go Last if its timing is `go_last`."""
    yield from effect(act, results)


def first_now(act: Act[Using]) -> Iterator[Illegal]:
    """Refuse an ability of another kind, undeclared, too costly or out of range."""
    combat, combatant = act.combat, act.actor
    inputs = as_declared(combatant, "go-first", act.inputs)
    power = ability(combatant, inputs.ability)
    yield from of_this_kind(power, "go-first")
    yield from was_declared(combatant, power, "go-first")
    yield from what_it_takes(combat, combatant, power, inputs.target)


@deed(
    "go-first", "Go first", Using,
    cost="as the ability says", category="use", headline="Use {ability}[ on {target}]",
    essential=("ability", "target"),
    rules={}, also=("VD-FAST-02",),
    refusals=(first_now,),
    propose=candidates("go-first"),
    in_slot=IN_D1,
)  # fmt: skip
def go_first(act: Act[Using], results: Results) -> Procedure[None]:
    """Use an ability before the fast actions."""
    yield from effect(act, results)


def immediate_now(act: Act[Using]) -> Iterator[Illegal]:
    """Refuse an immediate ability outside a round, or if its cost or target forbids it.

    In a round, the ability is legal at any moment and in any rank, even during a complex activity
    (VD-IMM-01).
    """
    combat, combatant, inputs = act.combat, act.actor, act.inputs
    yield from in_round(combat)
    yield from is_present(act)
    power = ability(combatant, inputs.ability)
    yield from of_this_kind(power, "immediate")
    yield from what_it_takes(combat, combatant, power, inputs.target)


@action(
    "immediate", "Use an immediate ability", Using,
    cost="none", category="use", headline="Use {ability}[ on {target}] at once",
    essential=("ability", "target"),
    rules={
        "VD-IMM-01": "Immediate actions need no declaration and are possible at any moment of "
        "the round",
        "VD-IMM-03": "Immediate actions answer triggers, and data can also allow them without a "
            "trigger",
        "VD-TIME-06": "Immediate actions take no time and are possible at any moment",
    },
    refusals=(immediate_now,),
    propose=candidates("immediate"),
    interjection=True,
)  # fmt: skip
def immediate(act: Act[Using]) -> Procedure[None]:
    """Use the immediate ability, which takes no time and leaves other actions as they are.

    VD-TIME-06, VD-IMM-02.
    """
    refusal = yield from counts(act)
    if refusal is not None:
        yield prevented(act.who, "immediate", act.inputs, refusal)
        return
    results: Results = []
    yield from guarded(act.play, act.who, "immediate", effect(act, results), results)
    yield from land(act.play, results)


rule(
    "VD-IMM-02",
    "Immediate actions do not affect the other actions of their user",
    f"{__name__}.immediate",
)
