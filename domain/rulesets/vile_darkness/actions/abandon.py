"""The actions `end-concentration`, `abandon`, `decide-anew` and `pass`."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant
from domain.record.events import AnyEvent, Noted
from domain.rulebook.declaration import NO_FIELD, Act, Refusal, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.id_names import words
from domain.rulebook.prompts import NoInputs
from domain.rulesets.vile_darkness.deed import answered
from domain.rulesets.vile_darkness.facts import (
    AS_DECLARED,
    BEGINNING,
    CASTING,
    COMMITTED,
    MADE_DECLARATION,
    PLAN,
    WORK,
    Plan,
)
from domain.rulesets.vile_darkness.harm import spell_lost, stop_maintaining, work_ended
from domain.rulesets.vile_darkness.rules import action
from domain.rulesets.vile_darkness.sheet import Name
from domain.rulesets.vile_darkness.slots import DECLARE, FAST_ACTIONS, use_major


@action(
    "end-concentration", "End the concentration",
    cost="none", category="cast", headline="End the concentration",
    rules={}, also=("VD-CONC-04",),
    refusals=(
        Refusal("VD-CONC-04", "not-concentrating", "{actor} maintains nothing",
                lambda act: not act.actor.has("concentrating")),
    ),
    interjection=True,
)  # fmt: skip
def end_concentration(act: Act[NoInputs]) -> Procedure[None]:
    """End the ability that the combatant maintains."""
    yield from list(stop_maintaining(act.actor, "ended", "VD-CONC-04"))


def is_begun(combatant: Combatant) -> bool:
    """Return true if a binding declared action is committed or in progress."""
    committed = COMMITTED.of(combatant)
    binds = (
        *FAST_ACTIONS,
        PLAN.of(combatant).action if PLAN.of(combatant).action == "innate" else None,
    )
    fast = committed is not None and committed.action in binds
    return fast or CASTING.of(combatant) is not None or WORK.of(combatant) is not None


def _may_take_back(combat: Combat, combatant: Combatant) -> bool:
    """Return true if step 1 is open and the combatant has declared something (VD-DECL-01)."""
    return combat.phase == DECLARE and not BEGINNING.of(combat) and PLAN.of(combatant) != Plan()


class Abandoning(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs to give up a declared action. Without `action`, give up all declared actions."""

    action: Name | None = None


def _said(plan: Plan) -> tuple[str, ...]:
    """Return the names of the parts of a plan that the combatant can take back."""
    major = () if plan.action is None else (plan.action,)
    beside = (("delay", plan.delay), ("activities", bool(plan.activities)))
    return (
        *major,
        *(intent.action for intent in plan.minors),
        *(id for id, said in beside if said),
    )


def _without(plan: Plan, action: str) -> Plan:
    """Return the plan without this part."""
    return replace(
        plan,
        action=None if plan.action == action else plan.action,
        inputs={} if plan.action == action else plan.inputs,
        delay=plan.delay and action != "delay",
        activities=() if action == "activities" else plan.activities,
        minors=tuple(intent for intent in plan.minors if intent.action != action),
    )


def declared(act: Act[Abandoning]) -> Iterator[Illegal]:
    """Refuse if the combatant has declared nothing that it can give up."""
    combatant, named = act.actor, act.inputs.action
    if _may_take_back(act.combat, combatant):
        there = _said(PLAN.of(combatant))
    else:
        committed = COMMITTED.of(combatant)
        there = (committed.action if committed else "",) if is_begun(combatant) else ()
    if not there or named not in (None, *there):
        what = named or "nothing that it could give up"
        detail = f"{combatant.name} has declared {'no ' if named else ''}{what}"
        field = "action" if there else NO_FIELD
        yield refuse("VD-DECL-01", "nothing-declared", detail, field, there)


def abandoned(combatant: Combatant) -> Iterator[AnyEvent]:
    """End the action that has begun, which uses up the major action."""
    if CASTING.of(combatant) is not None:
        yield from spell_lost(combatant, "abandoned", "VD-MAJ-04")
    elif WORK.of(combatant) is not None:
        yield from work_ended(combatant, "abandoned", "VD-MAJ-04")
    else:
        committed = COMMITTED.of(combatant)
        what = words(committed.action) if committed else "it"
        yield Noted(f"{combatant.id} gives up what was chosen: {what}", combatant.id)
        yield from use_major(combatant, "VD-MAJ-04")


@action(
    "abandon", "Give up what was declared", Abandoning,
    cost="none", category="choose", headline="Give up what was declared", essential=("action",),
    rules={}, also=("VD-DECL-01", "VD-MAJ-04"),
    refusals=(declared,),
    propose=(),
    interjection=True,
)  # fmt: skip
def abandon(act: Act[Abandoning]) -> Procedure[None]:
    """Take back a declaration in step 1 for free (VD-DECL-01).

    Later, the combatant loses its major action (GAP-18).
    """
    who, combatant, named = act.who, act.actor, act.inputs.action
    if _may_take_back(act.combat, combatant):
        rest = Plan() if named is None else _without(PLAN.of(combatant), named)
        rules = ("VD-DECL-01",)
        yield PLAN.clear(who, rules=rules) if rest == Plan() else PLAN.set(who, rest, rules=rules)
        if AS_DECLARED.of(combatant):
            yield AS_DECLARED.clear(who, rules=rules)
        if MADE_DECLARATION.of(combatant):
            # the prompt opens again
            yield MADE_DECLARATION.clear(who, rules=("VD-DECL-01",))
        return
    yield from list(abandoned(combatant))


@action(
    "decide-anew", "Ask again in its slots",
    cost="none", category="choose", headline="Ask again in its slots",
    rules={}, also=("VD-DECL-03",),
    refusals=(
        Refusal("VD-DECL-03", "nothing-declared", "{actor} is asked in its slots already",
                lambda act: not AS_DECLARED.of(act.actor)),
    ),
    interjection=True,
)  # fmt: skip
def decide_anew(act: Act[NoInputs]) -> Procedure[None]:
    """Open prompts in the combatant's slots, even if it has answered `as-declared`.

    In step 1, the prompt for a declaration also opens again.
    """
    who, combatant = act.who, act.actor
    yield AS_DECLARED.clear(who, rules=("VD-DECL-03",))
    in_step_1 = act.combat.phase == DECLARE and not BEGINNING.of(act.combat)
    if in_step_1 and MADE_DECLARATION.of(combatant):
        yield MADE_DECLARATION.clear(who, rules=("VD-DECL-01",))


@action(
    "pass", "Nothing more in this slot",
    cost="none", category="pass",
    rules={}, also=("VD-DECL-03",),
)  # fmt: skip
def nothing_more(act: Act[NoInputs]) -> Procedure[None]:
    """Choose no further action in this slot."""
    return answered(act)
