"""innate, go-first and immediate: abilities that are no spells in casting (VD-GRP-02, VD-IMM)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.action import Action
from domain.rulebook.declaration import refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.ability_use import (
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
from domain.rulesets.vile_darkness.action_costs import in_d1, in_round, own_turn, present
from domain.rulesets.vile_darkness.deed import Deed, guarded, prevented
from domain.rulesets.vile_darkness.facts import ADDED
from domain.rulesets.vile_darkness.harm import Results, land
from domain.rulesets.vile_darkness.sheet import action_type, called, segments_of
from domain.rulesets.vile_darkness.slots import GO_LAST, phase_of


def innate_refusals(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    combat, combatant = play.combat, play.combat[who]
    yield from own_turn(combatant)
    each = ability(combatant, inputs.ability)
    yield from of_this_kind(each, "innate")
    yield from was_declared(combatant, each, "innate")
    if each.timing == "go_last":
        if combat.phase != GO_LAST:
            detail = f"{called(each)} goes last"
            yield refuse("VD-GRP-02", "wrong-phase", detail, "ability")
    else:
        yield from in_d1(combat, who)
    yield from what_it_takes(combat, combatant, each, inputs.target)


def before(play: Play, who: Id, inputs: Using) -> Procedure[Illegal | None]:
    return (yield from counted(play, who, ability(play.combat[who], inputs.ability)))


def effect(play: Play, who: Id, inputs: Using, results: Results) -> Procedure[None]:
    """It is used up, and takes effect (VD-ABIL-02)."""
    power = ability(play.combat[who], inputs.ability)
    yield from used(play, who, power, inputs.target, results)


def time(combat: Combat, combatant: Combatant, inputs: Using) -> int:
    """Its segments; those that minors add if it is the major action (GAP-12)."""
    each = ability(combatant, inputs.ability)
    return segments_of(each) + (ADDED.of(combatant) if action_type(each) == "major" else 0)


def segments(combat: Combat, combatant: Combatant, inputs: Using) -> int:
    return segments_of(ability(combatant, inputs.ability))


def is_major(combat: Combat, combatant: Combatant, inputs: Using) -> bool:
    return action_type(ability(combatant, inputs.ability)) == "major"


def minors(combat: Combat, combatant: Combatant, inputs: Using) -> int:
    """Itself, where it is a minor action with a time (VD-MIN-07)."""
    timed = segments(combat, combatant, inputs) > 0
    return 1 if timed and not is_major(combat, combatant, inputs) else 0


def fits(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    combatant = play.combat[who]
    yield from still_fits(play.combat, combatant, ability(combatant, inputs.ability), inputs.target)


INNATE: Final[Deed] = Deed(
    "innate",
    Using,
    innate_refusals,
    candidates("innate"),
    "Use an innate ability",
    cost="minor (or as data)",
    rules=("VD-GRP-02", "VD-ABIL-01", "VD-ABIL-02"),
    before=before,
    effect=effect,
    segments=segments,
    time=time,
    major=is_major,
    minors=minors,
    phase=lambda combat, combatant, inputs: phase_of(combat, "innate"),
    carries=True,
    fits=fits,
).shown("use", "Use {ability}[ on {target}]", "ability", "target")


def go_first_refusals(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    """Refuse the action. Without a prompt, `off_turn` gives the reason instead."""
    combat, combatant = play.combat, play.combat[who]
    inputs = as_declared(combatant, "go-first", inputs)
    each = ability(combatant, inputs.ability)
    yield from of_this_kind(each, "go-first")
    yield from was_declared(combatant, each, "go-first")
    yield from what_it_takes(combat, combatant, each, inputs.target)


GO_FIRST: Final[Deed] = replace(
    INNATE,
    id="go-first",
    refusals=go_first_refusals,
    candidates=candidates("go-first"),
    label="Go first",
    cost="as data",
    rules=("VD-FAST-02",),
)


def immediate_refusals(play: Play, who: Id, inputs: Using) -> Iterator[Illegal]:
    """At any moment of the round, of anybody's rank, in a complex activity too (VD-IMM-01)."""
    combat, combatant = play.combat, play.combat[who]
    yield from in_round(combat)
    yield from present(combatant)
    each = ability(combatant, inputs.ability)
    yield from of_this_kind(each, "immediate")
    yield from what_it_takes(combat, combatant, each, inputs.target)


def immediate(play: Play, who: Id, inputs: Using) -> Procedure[None]:
    """It takes no time and leaves other actions alone (VD-TIME-06, VD-IMM-02)."""
    refusal = yield from before(play, who, inputs)
    if refusal is not None:
        yield prevented(who, "immediate", inputs, refusal)
        return
    results: Results = []
    doing = effect(play, who, inputs, results)
    yield from guarded(play, who, "immediate", doing, results)
    yield from land(play, results)


IMMEDIATE = Action(
    "immediate",
    Using,
    immediate_refusals,
    candidates("immediate"),
    "Use an immediate ability",
    procedure=immediate,
    interjection=True,
    cost="none",
    rules=("VD-IMM-01", "VD-IMM-03", "VD-TIME-06"),
).shown("use", "Use {ability}[ on {target}] at once", "ability", "target")
