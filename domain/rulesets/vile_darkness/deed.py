"""Declare the actions of a slot, which all roll before any result applies.

The `effect` of an action rolls and collects results. Affray applies the results when all combatants
of the batch have rolled.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    EffectResolved,
    FactSet,
    Noted,
    Prevented,
    Spent,
    Stopped,
)
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, held, while_able
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.play import Play
from domain.rulebook.reactions import refusal_now
from domain.rulesets.vile_darkness.facts import (
    BEGUN,
    CARRIED,
    CIRCUMSTANCES,
    COMMITTED,
    LOADED,
    MAJOR_IN,
    ROUTINES,
    TIMED,
    USED,
    WORK,
    Intent,
    Tasks,
)
from domain.rulesets.vile_darkness.harm import Results, Then, land
from domain.rulesets.vile_darkness.notation import SEGMENTS
from domain.rulesets.vile_darkness.outcomes import of_action
from domain.rulesets.vile_darkness.rules import action, rule
from domain.rulesets.vile_darkness.slots import (
    MAJOR,
    MUST_DECLARE,
    count_minors,
    free_major,
    off_turn,
    phase_of,
    take_time,
    use_major,
)
from domain.rulesets.vile_darkness.targets import had_fallen, target_of

Inputs = Any
T = TypeVar("T")
Of = Callable[[Combat, Combatant, Inputs], T]
"A function that computes a value of an action from its inputs."


def _no_question(act: Act[Any]) -> Procedure[Illegal | None]:
    yield from ()
    return None


def answered(act: Act[Any]) -> Procedure[None]:
    """Do nothing, because the rule that opened the prompt carries the action out."""
    yield from ()


@dataclass(frozen=True, kw_only=True)
class InSlot:
    """The data that a slot needs to carry an action out.

    - `before`: the prompt to the GM before the action. A refusal costs nothing.
    - `leaves`: the events that keep the other routines of a multi-attack.
    - `segments`: the action's time (VD-TIME-04).
    - `beside`: the time of the minor actions that go with the action.
    - `time`: the action's time in ties (GAP-12).
    - `major`: true for the major action.
    - `carries`: true if the next round completes an action that exceeds ten segments (GAP-41).
    - `named`: the inputs with which the next round completes the action.
    - `fits`: the refusals that the next round checks.
    - `minors`: the number of minor actions that take time (VD-MIN-07).
    - `tasks`: the activities in the action.
    - `delays`: true if the action is legal in LOW only (VD-DLYG-02).
    - `bundle`: true if the GM may make several of these actions complex (GAP-61).
    - `phase`: the action's phase of D1 to D4 in step 5.
    """

    before: Callable[[Act[Any]], Procedure[Illegal | None]] = _no_question
    leaves: Callable[[Combat, Combatant], Iterator[AnyEvent]] = lambda combat, combatant: iter(())
    segments: Of[int] = lambda combat, combatant, inputs: 1
    time: Of[int] = lambda combat, combatant, inputs: 1
    major: Of[bool] = lambda combat, combatant, inputs: True
    beside: Of[int] = lambda combat, combatant, inputs: 0
    minors: Of[int] = lambda combat, combatant, inputs: 0
    tasks: Callable[[Inputs], Tasks] = lambda inputs: ()
    delays: Of[bool] = lambda combat, combatant, inputs: False
    phase: Of[str] = lambda combat, combatant, inputs: phase_of(combat, "other")
    bundle: bool = False
    carries: bool = False
    named: Of[Inputs] = lambda combat, combatant, inputs: inputs
    fits: Callable[[Act[Any]], Iterator[Illegal]] = lambda act: iter(())


Effect = Callable[[Act[Any], Results], Procedure[None]]


@dataclass(frozen=True, kw_only=True)
class Deed(Action, InSlot):
    """An action that a slot carries out after an answer to the slot's prompt.

    `effect(act, results)` rolls, and adds to the results.
    """

    effect: Effect

    def unasked(self, play: Play, who: Id, raw: Mapping[str, Json]) -> Iterator[Illegal]:
        """Yield the action's own refusals, and then the reason why there is no prompt.

        The action's own refusals do not matter if the action begins only in step 1 or the major
        action is used.
        """
        with pointing("/inputs"):
            inputs = read(raw, self.inputs)
        spent = self.id in MAJOR and next(free_major(play.combat[who]), None) is not None
        if self.id not in MUST_DECLARE and not spent:
            yield from self.refusals(play, who, inputs)
        yield off_turn(play.combat, who, self.id)


def deed(
    id: str,
    label: str,
    inputs: type[Struct],
    *,
    in_slot: InSlot = InSlot(),
    alone: Callable[[Act[Any], Deed], Procedure[None]] | None = None,
    **declaration: Any,
) -> Callable[[Effect], Deed]:
    """Return a decorator that makes the slot action `id` from an effect.

    `alone` runs the action without a prompt. All other arguments are those of `declared`.
    """

    def make(effect: Effect) -> Deed:
        @wraps(effect)
        def procedure(act: Act[Any]) -> Procedure[None]:
            return answered(act) if alone is None else alone(act, made)

        declaration["interjection"] = alone is not None
        declared = action(id, label, inputs, **declaration)(procedure)
        made = Deed(**vars(declared), **vars(in_slot), effect=effect)
        return made

    return make


@rule("VD-TIME-03", "An action beyond ten segments is completed in the next round")
def paid(play: Play, who: Id, deed: Deed, inputs: Inputs) -> Procedure[bool]:
    """Pay for the action, and return true if the slot may carry it out.

    If a thing in the inputs no longer exists, Affray prevents the action.
    """
    try:
        return (yield from _paid(play, who, deed, inputs))
    except Refused as gone:
        yield taken_away(who, deed, inputs, gone)
        return False


def _paid(play: Play, who: Id, deed: Deed, inputs: Inputs) -> Procedure[bool]:
    """Pay for the action, which counts as used from now on (GAP-52).

    Return false if the next round completes the action (VD-TIME-03), else true.
    """
    combatant = play.combat[who]
    segments = deed.segments(play.combat, combatant, inputs)
    beside = deed.beside(play.combat, combatant, inputs)
    many = deed.minors(play.combat, combatant, inputs)
    late = deed.carries and segments > 0 and TIMED.of(combatant) + segments + beside > SEGMENTS
    kept = Intent(
        deed.id,
        msgspec.to_builtins(deed.named(play.combat, combatant, inputs)),
        str(play.combat.round),
        major=deed.major(play.combat, combatant, inputs),
        fallen=had_fallen(play.combat, inputs),
    )
    if deed.major(play.combat, combatant, inputs):
        yield from list(use_major(combatant))
        yield MAJOR_IN.set(who, play.combat.phase, rules=("VD-GRP-07",))
        yield from list(take_time(play.combat, play.combat[who], segments, minor=False))
    else:
        yield from list(take_time(play.combat, combatant, segments, minor=True))
    yield from list(take_time(play.combat, play.combat[who], beside, minor=True))
    if many:
        yield count_minors(play.combat, play.combat[who], many)
    if late:
        yield CARRIED.set(who, (*CARRIED.of(play.combat[who]), kept), rules=("VD-TIME-03",))
        rules = ("VD-TIME-03",)
        yield of_action(who, deed.id, deed.label, "postponed", rules=rules, until="next-round")
        return False
    yield from list(deed.leaves(play.combat, play.combat[who]))
    return True


def guarded(
    play: Play,
    who: Id,
    doing: str,
    procedure: Procedure[None],
    results: Results,
    at: Id | None = None,
) -> Procedure[None]:
    """Run an action while its combatant is able (GAP-52).

    The target `at` and the things in the inputs must also exist. If the action stops, the results
    that it has collected still apply.
    """
    rolling = held(play, while_named(who, doing, procedure), partial(waits, results))
    yield from while_able(play, who, rolling, doing, at=at)


OWN_FACTS = (USED, ROUTINES, CIRCUMSTANCES, LOADED, COMMITTED, WORK, BEGUN)
"The facts that no other action of the same moment reads."


def waits(results: Results, event: AnyEvent) -> bool:
    """Return true if an event waits until the results apply (GAP-11).

    The event waits until after the last roll. Otherwise, other actions of the batch would see its
    change, and the order of joining would matter. Payments and log sentences do not wait.
    """
    if isinstance(event, EffectResolved | Noted | Spent | Stopped | Prevented):
        return False
    if isinstance(event, FactSet) and event.key in [fact.name for fact in OWN_FACTS]:
        return False
    if isinstance(event, ConditionGained) and event.condition == "complex-activity":
        return False
    results.append(Then(lambda: (event,)))
    return True


def while_named(who: Id, doing: str, procedure: Procedure[Any]) -> Procedure[Any]:
    """Run the procedure, and stop it when its weapon, ability or target no longer exists."""
    try:
        return (yield from procedure)
    except Refused as gone:
        yield Stopped(who, doing, "gone", gone.told, rules=("VD-MAJ-04",))
        return None


def performed(play: Play, who: Id, deed: Deed, inputs: Inputs) -> Procedure[None]:
    """Pay for the action, and carry it out without other actions at the same moment."""
    if (yield from paid(play, who, deed, inputs)):
        results: Results = []
        doing = deed.effect(Act(play, who, inputs), results)
        yield from guarded(play, who, deed.id, doing, results)
        yield from land(play, results)


def asked(play: Play, who: Id, deed: Deed, inputs: Inputs) -> Procedure[bool]:
    """Ask the GM if the rules require it, and return true if the action continues."""
    question, at = deed.before(Act(play, who, inputs)), target_of(play.combat, inputs)
    return (yield from put_to_the_gm(play, who, deed.id, question, inputs, at))


def put_to_the_gm(
    play: Play,
    who: Id,
    doing: str,
    question: Procedure[Illegal | None],
    inputs: Inputs,
    at: Id | None,
) -> Procedure[bool]:
    """Return true if the action continues after the GM's answer.

    The GM must allow it, its combatant must be able, and its target must be present.
    """
    no = yield from while_able(play, who, question, doing, at=at)
    if no is None and at is not None and play.absent(at):
        no = refuse("VD-MAJ-04", "gone", f"{at} has left", NO_FIELD)
    if no is None:
        return play.unable(who) is None
    yield prevented(who, doing, inputs, no)
    return False


def prevented(who: Id, action: str, inputs: Inputs, refusal: Illegal) -> Prevented:
    """Return the event that cancels an action that has become illegal, at no cost (GAP-52)."""
    rules = (refusal.rule,) if refusal.rule else ()
    full = inputs if isinstance(inputs, dict) else msgspec.to_builtins(inputs)
    return Prevented(who, action, full, refusal.code, refusal.detail, rules=rules)


def taken_away(who: Id, deed: Deed, inputs: Inputs, gone: Refused) -> Prevented:
    """Return the event that cancels an action because of a thing that no longer exists (GAP-53)."""
    return prevented(who, deed.id, inputs, refuse("VD-MAJ-04", "gone", gone.told, NO_FIELD))


def refusal(play: Play, who: Id, action: Action, inputs: Inputs) -> Illegal | None:
    """Return the first refusal of the action now, or `None`."""
    return refusal_now(play, who, action, inputs)


def no_longer(play: Play, who: Id, deed: Deed, inputs: Inputs) -> Illegal | None:
    """Return the reason why the next round cannot complete an action, or `None`.

    The earlier round has already settled the time and the cost.
    """
    try:
        return next(deed.fits(Act(play, who, inputs)), None)
    except Refused as gone:
        return refuse("VD-MAJ-04", "gone", gone.told, NO_FIELD)
