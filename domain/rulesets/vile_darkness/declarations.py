"""The declarations of step 1, their limits, and the actions that they begin (VD-DECL)."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal, Malformed, Refused
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import ConditionGained
from domain.rulebook.action import Action
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_each
from domain.rulebook.id_names import words
from domain.rulebook.input_reader import pointing, read
from domain.rulebook.play import Play
from domain.rulebook.polarity import Order
from domain.rulebook.prompts import NoInputs, Option, Prompt
from domain.rulesets.vile_darkness import activities, spells
from domain.rulesets.vile_darkness.abilities import (
    ability,
    aim,
    counted,
    of_this_kind,
    spot,
    what_is_left,
)
from domain.rulesets.vile_darkness.actions import ACTIONS
from domain.rulesets.vile_darkness.actions.abilities import go_first, innate
from domain.rulesets.vile_darkness.actions.attack import modifier_of_a_player, use
from domain.rulesets.vile_darkness.actions.fast_actions import charge_use, flight_ft
from domain.rulesets.vile_darkness.activities import (
    Doing,
    ask_about_several,
    may_be_complex,
    may_begin,
    started,
)
from domain.rulesets.vile_darkness.deed import Deed, prevented, while_named
from domain.rulesets.vile_darkness.facts import (
    AS_DECLARED,
    BEGUN,
    CLOSED,
    COMMITTED,
    MADE_DECLARATION,
    MOST_TASKS,
    MOVED_TO_LOW,
    PLAN,
    QUEUED,
    Intent,
    Plan,
    Spot,
    Task,
    Tasks,
)
from domain.rulesets.vile_darkness.harm import lasting
from domain.rulesets.vile_darkness.notation import must_declare
from domain.rulesets.vile_darkness.numbers import able
from domain.rulesets.vile_darkness.places import rate, too_far
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability, Span
from domain.rulesets.vile_darkness.slots import (
    FAST_ACTIONS,
    MUST_DECLARE,
    free_major,
    own_turn,
    phase_of,
    unable,
)
from domain.rulesets.vile_darkness.targets import single, who_is

rule(
    "VD-DECL-03",
    "Other actions need no declaration, and an optional declaration does not bind",
    f"{__name__}.DECLARABLE",
)
DECLARABLE: Mapping[str, Action] = {
    id: ACTIONS[id]
    for id in (*MUST_DECLARE, "innate", "attack", "called-shot", "grab-item", "move")
}
"The actions that a declaration can contain. From `innate` on, they are optional (VD-DECL-03)."

SAMPLES: Final = 4
"The number of inputs that `declare` proposes for each action."


class Declaring(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A declaration of a major action with its `inputs`, a delay and activities.

    `action` can also be `delay`. All fields are optional, but at least one must have a value.
    """

    action: str | None = None
    inputs: dict[str, Json] = {}
    delay: bool = False
    activities: Tasks = ()


# ---- refusals of a declaration


def _open(play: Play, who: Id) -> Iterator[Illegal]:
    """Refuse if the combatant cannot act, or has declared a complex activity."""
    combatant = play.combat[who]
    yield from own_turn(combatant)
    if PLAN.of(combatant).action == "complex":
        detail = f"{combatant.name} has declared a complex activity, and nothing goes beside it"
        yield refuse("VD-CPLX-04", "complex-in-progress", detail, NO_FIELD)


@rule("VD-DECL-04", "Declarations are accepted in step 1 only")
@rule("VD-DECL-08", "Only one major action can be declared, and none while an earlier one runs")
def action_refusals(play: Play, who: Id, action: str, inputs: Any) -> Iterator[Illegal]:
    """Refuse a second major action (VD-DECL-08), or an action that cannot be declared."""
    yield from _open(play, who)
    yield from _beside_others(play, who, action, inputs)


def _beside_others(play: Play, who: Id, action: str, inputs: Any) -> Iterator[Illegal]:
    """Refuse an action that is illegal by itself or with the other declarations (VD-DECL-08)."""
    combatant = play.combat[who]
    plan = PLAN.of(combatant)
    if action == "complex" and (plan.delay or plan.activities or plan.minors):
        yield _nothing_beside()
    if not _is_minor(play.combat, combatant, action, inputs):
        if plan.action is not None:
            detail = f"{combatant.name} has declared {words(plan.action)}"
            yield refuse("VD-DECL-08", "major-already-used", detail, NO_FIELD)
        yield from free_major(combatant, "VD-DECL-08")
    if plan.delay and action in FAST_ACTIONS:
        yield _no_delay(action)
    if not play.by_gm:
        yield from modifier_of_a_player(inputs)
    yield from _fits(play.combat, combatant, action, inputs)


def _is_minor(combat: Combat, combatant: Combatant, action: str, inputs: Any) -> bool:
    """Return true for an ability that must be declared but is no major action."""
    deeds = {go_first.id: go_first, innate.id: innate}
    return action in deeds and not deeds[action].major(combat, combatant, inputs)


def _nothing_beside(field: str = NO_FIELD) -> Illegal:
    detail = "nothing goes beside a complex activity"
    return refuse("VD-CPLX-04", "complex-in-progress", detail, field)


def _no_delay(action: str, field: str = NO_FIELD) -> Illegal:
    detail = f"{words(action)} cannot be delayed"
    return refuse("VD-DECL-06", "cannot-delay-fast-action", detail, field)


def _named(combat: Combat, inputs: Any) -> None:
    """Raise `Unknown` for a named combatant that does not exist.

    The checks of abilities already cover their targets.
    """
    target = getattr(inputs, "target", None)
    if isinstance(target, str | tuple):
        single(combat, target)
    for name in getattr(inputs, "engage", ()):
        who_is(combat, name)


def _fits(combat: Combat, combatant: Combatant, action: str, inputs: Any) -> Iterator[Illegal]:
    """Refuse an action because of its ability, path or routine."""
    _named(combat, inputs)
    match action:
        case "cast" | "invoke":
            yield from _fits_ability(
                combat, combatant, ability(combatant, inputs.named), action, inputs.target
            )
        case "go-first" | "innate":
            power = ability(combatant, inputs.ability)
            yield from _fits_ability(combat, combatant, power, action, inputs.target)
        case "flee":
            yield from too_far(
                combatant, inputs, flight_ft(combat, combatant, inputs.mode), "VD-FAST-06"
            )
        case "move":
            yield from too_far(combatant, inputs, rate(combatant, inputs.mode), "VD-MAJ-02")
        case "charge":
            charge_use(combatant, inputs)
        case "attack" | "called-shot" | "grab-item":
            use(combat, combatant, inputs)
        case "complex":
            yield from may_begin(combat, combatant, inputs)
        case _:
            pass


def _fits_ability(
    combat: Combat, combatant: Combatant, ability: Ability, action: str, target: Id | Spot | None
) -> Iterator[Illegal]:
    yield from of_this_kind(ability, action)
    yield from what_is_left(combatant, ability)
    if target is not None:  # the combatant can announce the target later (VD-DECL-05)
        aim(combat, combatant, ability, target)


@rule(
    "VD-DECL-06",
    "A combatant can declare a delay, alone or with an action that resolves in step 5 or later",
)
def delay_refusals(play: Play, who: Id, field: str = NO_FIELD) -> Iterator[Illegal]:
    """Refuse a delay with an action that resolves before step 5 (VD-DECL-06)."""
    yield from _open(play, who)
    plan = PLAN.of(play.combat[who])
    if plan.delay:
        yield refuse("VD-DELAY-05", "already-delayed", "the delay is declared already", field)
    for action in (plan.action, *(intent.action for intent in plan.minors)):
        if action in FAST_ACTIONS:
            yield _no_delay(action, field)


def _refusals(play: Play, who: Id, inputs: Declaring) -> Iterator[Illegal]:
    action = inputs.action
    if action is None and not inputs.delay and not inputs.activities:
        raise Malformed("/inputs/action", "declare an action, a delay or activities")
    if action is not None and action != "delay":
        with pointing("/inputs"):
            given = _typed(action, inputs.inputs)
            yield from _open(play, who)
            for reason in _beside_others(play, who, action, given):
                reason.pointer = f"/inputs{reason.pointer}" if reason.pointer else "/inputs/action"
                yield reason
        if inputs.delay and action in FAST_ACTIONS:
            yield _no_delay(action, "delay")
        if action == "complex" and (inputs.delay or inputs.activities):
            yield _nothing_beside("delay" if inputs.delay else "activities")
    else:
        yield from _open(play, who)
    if inputs.delay or action == "delay":
        yield from delay_refusals(play, who, "delay" if inputs.delay else "action")
    said = len(PLAN.of(play.combat[who]).activities)
    if inputs.activities and said + len(inputs.activities) > MOST_TASKS:
        detail = f"{MOST_TASKS} activities in a round are enough; {said} are declared"
        yield Illegal("VD-DECL-07", "too-many-activities", detail, pointer="/inputs/activities")
    for pointer, task in activities.placed(inputs.activities, "/inputs/activities"):
        activities.activity(play.combat, play.combat[who], task, pointer)


def _typed(action: str, raw: Mapping[str, Json]) -> Any:
    if action not in DECLARABLE:
        allowed = (*DECLARABLE, "delay")
        raise Malformed("/action", f"{action!r} cannot be declared", allowed)
    with pointing("/inputs"):
        return read(raw, DECLARABLE[action].inputs)


def _direct(action: Action) -> Option:
    """Return the option that declares this action directly, without the option `declare`."""

    def refusals(play: Play, who: Id, inputs: Any) -> Iterator[Illegal]:
        return action_refusals(play, who, action.id, inputs)

    def candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        return _not_yet_declared(play, who, action)

    def vain(play: Play, who: Id, inputs: Any) -> bool:
        return _is_vain(play, who, action, inputs)

    return Option(
        action.id, action.inputs, refusals, candidates, action.label, ways=action.ways, vain=vain
    )


def _is_vain(play: Play, who: Id, action: Action, inputs: Any) -> bool:
    """Return true if the action would be impossible in the current positions."""
    try:
        if action.vain is not None:
            return action.vain(play, who, inputs)
        fits = action.fits(Act(play, who, inputs)) if isinstance(action, Deed) else iter(())
        return next(fits, None) is not None
    except Refused:
        return True


def _not_yet_declared(play: Play, who: Id, action: Action) -> Iterator[Mapping[str, Json]]:
    """Yield the inputs that the action proposes, except abilities that are already declared."""
    declared = [
        intent.inputs.get("ability")
        for intent in PLAN.of(play.combat[who]).minors
        if intent.action == action.id
    ]
    for inputs in action.candidates(play, who):
        if "ability" not in inputs or inputs["ability"] not in declared:
            yield inputs


def _candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    yield {"delay": True}
    if not PLAN.of(play.combat[who]).activities:  # a second list of activities is rarely useful
        yield {"activities": ["close-door", "retrieve-item"]}
    for action in DECLARABLE.values():
        order = Order(play, action, "declare", who)
        proposed = order.sorted(tuple(_not_yet_declared(play, who, action)))
        fit = (
            raw
            for raw in proposed
            if not order.is_wrong(raw) and not _is_vain(play, who, action, read(raw, action.inputs))
        )
        for inputs in islice(fit, SAMPLES):
            yield {"action": action.id, "inputs": inputs}


DECLARATION: tuple[Option, ...] = (
    Option("declare", Declaring, _refusals, _candidates, "Declare with activities").shown(
        "choose", "Declare {action|a delay}", "action", "inputs", "delay", "activities"
    ),
    *(_direct(action) for action in DECLARABLE.values()),
    Option(
        "delay",
        NoInputs,
        lambda play, who, inputs: delay_refusals(play, who),
        label="Delay until LOW",
    ).shown("wait"),
    Option("as-declared", label="Do as declared, and nothing else").shown("end"),
    Option("done", label="Nothing more").shown("pass", "Decide later"),
)

HOLD = "Nothing this round"
"The headline of `as-declared` for a combatant that has declared nothing."


def prompt(combat: Combat, who: Id) -> Prompt:
    """Return the prompt for a declaration, which only the owner and the GM see (GAP-56)."""
    return Prompt(
        kind="declare",
        name="declaration",
        who=who,
        text=f"What does {who} declare for this round?",
        options=_options(combat[who]),
        rules=("VD-DECL-01",),
        default="done",
        data={"round": combat.round},
        stands=lambda now: not CLOSED.of(now) and able(now[who]),
    )


def _options(combatant: Combatant) -> tuple[Option, ...]:
    if PLAN.of(combatant) != Plan():
        return DECLARATION
    return tuple(
        option.shown("end", HOLD) if option.id == "as-declared" else option
        for option in DECLARATION
    )


# ---- collecting declarations


def declare(play: Play) -> Procedure[None]:
    """Collect declarations in any order, until all combatants are done or the GM closes step 1."""

    def asked(combat: Combat) -> list[Prompt]:
        if CLOSED.of(combat):
            return []
        return [
            prompt(combat, combatant.id)
            for combatant in combat
            if able(combatant) and not MADE_DECLARATION.of(combatant)
        ]

    while prompts := asked(play.combat):
        answer = yield from ask_each(prompts, sealed=True, more=asked)
        yield from said(play, answer.who or "", answer.option, answer.inputs)


def said(play: Play, who: Id, option: str, inputs: Any) -> Procedure[None]:
    """Record an answer to the prompt for a declaration."""
    plan = PLAN.of(play.combat[who])
    rules = ("VD-DECL-01",)
    if option in ("done", "as-declared"):
        if not able(play.combat[who]):
            return  # the prompt returns when the combatant is able
        if option == "as-declared":
            yield AS_DECLARED.set(who, True, rules=("VD-DECL-03",))
        yield MADE_DECLARATION.set(who, True, rules=rules)
        return
    if option == "delay":
        plan = replace(plan, delay=True)
    elif option == "declare":
        if inputs.delay or inputs.action == "delay":
            plan = replace(plan, delay=True)
        if inputs.action not in (None, "delay"):
            given = _typed(inputs.action, inputs.inputs)
            plan = _with_action(play.combat[who], play.combat, plan, inputs.action, given)
        if inputs.activities:
            listed = (*plan.activities, *msgspec.to_builtins(inputs.activities))
            plan = replace(plan, activities=listed)
    else:
        plan = _with_action(play.combat[who], play.combat, plan, option, inputs)
    yield PLAN.set(who, plan, rules=rules)


def _with_action(
    combatant: Combatant, combat: Combat, plan: Plan, action: str, inputs: Any
) -> Plan:
    given = msgspec.to_builtins(inputs)
    if _is_minor(combat, combatant, action, inputs):
        return replace(plan, minors=(*plan.minors, Intent(action, given, major=False)))
    return replace(plan, action=action, inputs=given)


# ---- beginning declarations


@rule(
    "VD-DECL-01",
    "In step 1, combatants declare and may take it back. At its end, all declarations begin",
)
@rule("VD-DECL-07", "A combatant can list several activities, and the GM may rule on them at once")
@rule(
    "VD-DELAY-06",
    "A delay declared in step 1 makes the combatant LOW, whatever the die, but not delayed",
)
def begin(play: Play) -> Procedure[None]:
    """Close step 1, and begin the declarations in the order of joining (VD-DECL-01)."""
    for who in [combatant.id for combatant in play.combat]:
        combatant = play.combat[who]
        plan = PLAN.of(combatant)
        if combatant.left or plan == Plan():
            continue
        if (hindrance := unable(play.combat, who)) is not None:
            if AS_DECLARED.of(combatant):
                yield AS_DECLARED.clear(who, rules=("VD-DECL-03",))
            yield from _lapses(who, plan, hindrance)
            continue
        if plan.delay:
            until = lasting(play.combat, Span(rounds=1))
            rules = ("VD-DELAY-06", "VD-DECL-06")
            yield ConditionGained(who, "declared-delay", until=until, rules=rules)
        yield from _begin_major(play, who, plan)
        if any(intent.action == go_first.id for intent in plan.minors) and not BEGUN.of(combatant):
            yield BEGUN.set(who, go_first.id, rules=("VD-DECL-01",))
        yield from while_named(who, "declare", _begin_activities(play, who, plan))


def _lapses(who: Id, plan: Plan, hindrance: Illegal) -> Procedure[None]:
    """Cancel the plan of a combatant that cannot act (GAP-52 d).

    The combatant keeps its major action and its spell of the round.
    """
    yield PLAN.clear(who, rules=("VD-DECL-01",))
    if plan.action is not None:
        inputs = read(plan.inputs, DECLARABLE[plan.action].inputs)
        yield prevented(who, plan.action, inputs, hindrance)


def _begin_major(play: Play, who: Id, plan: Plan) -> Procedure[None]:
    action, combatant = plan.action, play.combat[who]
    if action is None or action not in (*MUST_DECLARE, "innate"):
        return  # an optional declaration does not bind (VD-DECL-03)
    inputs = read(plan.inputs, DECLARABLE[action].inputs)
    refusal = _no_longer(play.combat, combatant, action, inputs)
    named = None if refusal is not None else _long_ability(combatant, action, inputs)
    if named is not None:
        refusal = yield from counted(play, who, named)
        combatant = play.combat[who]
    if refusal is not None:
        yield PLAN.set(who, replace(plan, action=None, inputs={}), rules=("VD-DECL-01",))
        if AS_DECLARED.of(combatant):
            yield AS_DECLARED.clear(who, rules=("VD-DECL-03",))
        yield prevented(who, action, inputs, refusal)
    elif action in ("cast", "invoke"):
        power = ability(combatant, inputs.named)
        given = inputs.target
        target = None if given is None else spot(play.combat, who, power, given)
        yield from list(spells.begin(combatant, action, power, play.combat.round, target))
    elif action == "complex":
        yield from list(started(play.combat, combatant, inputs))
    elif action != innate.id or must_declare(ability(combatant, inputs.ability)):
        yield COMMITTED.set(who, Intent(action, plan.inputs), rules=("VD-DECL-01", "VD-MAJ-01"))
        yield BEGUN.set(who, action, rules=("VD-DECL-01",))


def _long_ability(combatant: Combatant, action: str, inputs: Any) -> Ability | None:
    """Return the ability if it begins now and takes effect later, or `None`."""
    if action in ("cast", "invoke"):
        return ability(combatant, inputs.named)
    if action == "complex" and inputs.ability is not None:
        return ability(combatant, inputs.ability)
    return None


def _no_longer(combat: Combat, combatant: Combatant, action: str, inputs: Any) -> Illegal | None:
    """Return the reason why a declared action can no longer begin, or `None` (GAP-52)."""
    try:
        for refusal in (
            *free_major(combatant, "VD-DECL-08"),
            *_fits(combat, combatant, action, inputs),
        ):
            return refusal
    except Refused as gone:
        return refuse("VD-DECL-01", "gone", gone.told, NO_FIELD)
    return None


def _begin_activities(play: Play, who: Id, plan: Plan) -> Procedure[None]:
    """Ask the GM about two or more minor activities that take time (VD-DECL-07, VD-SIMP-06)."""
    combatant = play.combat[who]
    tasks: Tasks = msgspec.convert(plan.activities, tuple[Task, ...])
    minors = activities.minors(play.combat, combatant, tasks)
    if len(activities.times(play.combat, combatant, minors)) < 2:
        return
    names = [activities.activity(play.combat, combatant, task).id for task in tasks]
    kinds = {activities.activity(play.combat, combatant, task).kind for task in tasks}
    free = plan.action is None and minors == tasks and may_be_complex(combatant)
    verdict = yield from ask_about_several(
        play, who, names, may_be_complex=kinds == {"simple"} and free
    )
    rules = ("VD-SIMP-06", "VD-DECL-07")
    if verdict == "complex":
        doing = Doing(activities=tasks)
        yield from list(started(play.combat, play.combat[who], doing))
    elif verdict == "delaying":
        slot = f"group/LOW/{phase_of(play.combat, 'other')}"
        generator = (
            (kind, _of_kind(play.combat, combatant, plan, kind)) for kind in ("simple", "delaying")
        )
        intents = tuple(
            Intent(kind, {"activities": listed}, slot, major=False)
            for kind, listed in generator
            if listed
        )
        yield MOVED_TO_LOW.set(who, True, rules=rules)
        yield QUEUED.set(who, (*QUEUED.of(play.combat[who]), *intents), rules=rules)


def _of_kind(combat: Combat, combatant: Combatant, plan: Plan, kind: str) -> list[Json]:
    """Return the activities of this kind in the plan."""

    def is_of_it(said: Json) -> bool:
        task: Task = msgspec.convert(said, Task)
        return activities.activity(combat, combatant, task).kind == kind

    return [said for said in plan.activities if is_of_it(said)]
