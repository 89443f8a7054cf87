"""Open the prompts of a slot, and carry out its actions in order (GAP-11, GAP-55)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.ruleset import read
from domain.rulesets.vile_darkness import plans, routines, spells
from domain.rulesets.vile_darkness.abilities import has_uses, its_major, own_action, was_declared
from domain.rulesets.vile_darkness.actions.abandon import nothing_more
from domain.rulesets.vile_darkness.actions.abilities import go_first, innate
from domain.rulesets.vile_darkness.actions.activity import complex_activity, delaying, simple
from domain.rulesets.vile_darkness.actions.attack import attack
from domain.rulesets.vile_darkness.actions.called_shot import called_shot, grab_item
from domain.rulesets.vile_darkness.actions.fast_actions import charge, flee, parley
from domain.rulesets.vile_darkness.actions.movement import leave, move, position
from domain.rulesets.vile_darkness.activities import Pending, commit, place_of
from domain.rulesets.vile_darkness.attack import beyond_doubt
from domain.rulesets.vile_darkness.deed import (
    Deed,
    asked,
    guarded,
    no_longer,
    paid,
    prevented,
    refusal,
)
from domain.rulesets.vile_darkness.facts import (
    ADDED,
    AS_DECLARED,
    BATCH,
    CARRIED,
    CASTING,
    COMMITTED,
    ENDING_ROUND,
    IN_MELEE,
    QUEUED,
    ROUTINES,
    WORK,
    Intent,
)
from domain.rulesets.vile_darkness.harm import Results, in_turn, land
from domain.rulesets.vile_darkness.notation import action_type, counts_as_spell
from domain.rulesets.vile_darkness.numbers import able, engaged_with, in_fight, sheet
from domain.rulesets.vile_darkness.outcomes import of_action
from domain.rulesets.vile_darkness.plans import DEEDS, has_major
from domain.rulesets.vile_darkness.routines import Use
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability
from domain.rulesets.vile_darkness.slots import (
    END,
    FAST_ACTIONS,
    GO_LAST,
    ORDER,
    called,
    completes_now,
    completion,
    free_spell,
    kind_of,
    own_rank,
    part,
    place,
    rank_in,
    step,
)
from domain.rulesets.vile_darkness.spells import Aim
from domain.rulesets.vile_darkness.targets import foes, target_of

# ---- members of a slot


@rule("VD-E-06", "A delayed caster counts as LOW but does not lose ties")
@rule("VD-DELAY-12", "A delayed caster is LOW for spells, but does not lose ties")
def of_rank(combat: Combat, slot: str) -> list[Combatant]:
    """Return the able combatants that act in the slot's rank (VD-E-06, VD-DELAY-12)."""
    ranked = rank_in(slot)
    return [
        combatant
        for combatant in combat
        if able(combatant) and (ranked is None or own_rank(combat, combatant, slot) == ranked)
    ]


@rule("VD-MULTI-03", "A multi-attacker outside melee uses its first routine in step 5")
def asked_in(combat: Combat, slot: str) -> list[Id]:
    """Return the combatants with a prompt in a slot, in the order of joining."""
    return [
        combatant.id for combatant in of_rank(combat, slot) if _is_asked(combat, combatant, slot)
    ]


def in_slot(combat: Combat, slot: str) -> list[Id]:
    """Return the combatants with a prompt, a spell to aim or a due action in a slot."""
    asked = asked_in(combat, slot)
    return [
        combatant.id
        for combatant in of_rank(combat, slot)
        if combatant.id in asked
        or is_due(combat, combatant, slot)
        or spells.aims_in(combat, combatant, slot)
    ]


def contested(combat: Combat, slot: str) -> bool:
    """Return true if opponents share the rank. Then all choose before anybody acts (GAP-55)."""
    return len({combatant.side for combatant in of_rank(combat, slot)}) > 1


# ---- reasons for a prompt in a slot


def _is_asked(combat: Combat, combatant: Combatant, slot: str) -> bool:
    if ENDING_ROUND.of(combat):
        return False
    match slot.partition("/")[0]:
        case "fast":
            return _in_fast(combatant, part(slot))
        case "multi-primary":
            if combatant.id not in IN_MELEE.of(combat) or not has_major(combatant):
                return False
            plan = routines.multi_attack(sheet(combatant))
            use = _use(combatant, plan[0]) if plan else None
            return use is not None and has_target(combat, combatant, use)
        case "group":
            return not combatant.has("complex-activity") and _in_group(
                combat, combatant, part(slot)
            )
        case "multi-rest":
            return bool(routines_with_target(combat, combatant))
        case "go-last":
            return any(
                ability.timing == "go_last"
                and own_action(ability) == "innate"
                and usable(combatant, ability)
                for ability in sheet(combatant).abilities
            )
        case _:
            return False


def _in_fast(combatant: Combatant, letter: str) -> bool:
    committed = COMMITTED.of(combatant)
    if committed is not None and FAST_ACTIONS.get(committed.action) == letter:
        return True
    if letter != "go-first" or combatant.has("complex-activity"):
        return False
    return any(
        own_action(ability) == "go-first" and usable(combatant, ability, "go-first")
        for ability in sheet(combatant).abilities
    )


def _in_group(combat: Combat, combatant: Combatant, phase: str) -> bool:
    kind = kind_of(combat, phase)
    match kind:
        case "innate":
            return any(
                own_action(ability) == "innate"
                and ability.timing is None
                and usable(combatant, ability)
                for ability in sheet(combatant).abilities
            )
        case "missile" | "melee":
            return has_major(combatant) and bool(routines.uses(combatant, kind))
        case _:
            return True


def usable(combatant: Combatant, ability: Ability, action: str = "innate") -> bool:
    """Return true if the combatant can use the ability now.

    - If the ability must be declared, the combatant has declared it.
    - The ability has a use left.
    - If the ability needs the spell of the round or the major action, the combatant still has it.
    """
    reasons: list[Illegal] = [
        *was_declared(combatant, ability, action),
        *has_uses(combatant, ability),
    ]
    if counts_as_spell(ability) is True:
        reasons += free_spell(combatant)
    if action_type(ability) == "major":
        reasons += its_major(combatant, ability)
    return not reasons


def _use(combatant: Combatant, routine: str) -> Use | None:
    try:
        return routines.chosen(combatant, None, routine=routine)
    except Refused:
        return None  # the sheet no longer has the routine


def routines_with_target(combat: Combat, combatant: Combatant) -> tuple[str, ...]:
    """Return the routines left for step 6. The first of them has a legal target."""
    left = ROUTINES.of(combatant)
    while left:
        use = _use(combatant, left[0])
        if use is not None and has_target(combat, combatant, use):
            return left
        left = left[1:]
    return ()


def has_target(combat: Combat, combatant: Combatant, use: Use) -> bool:
    """Return true if the routine has a legal opponent as its target now (GAP-06)."""
    return any(
        next(beyond_doubt(combat, combatant.id, target, use), None) is None
        for target in foes(combat, combatant)
    )


# ---- actions that are due without a prompt


def is_due(combat: Combat, combatant: Combatant, slot: str) -> bool:
    """Return true if an action of the combatant happens in this slot without a prompt.

    Such an action is queued, carried over from an earlier round, or a complete spell or activity.
    """
    match slot.partition("/")[0]:
        case "group":
            if any(intent.slot == slot for intent in QUEUED.of(combatant)):
                return True
            return kind_of(combat, part(slot)) == "other" and bool(due_now(combat, combatant))
        case "spells":
            casting = completes_now(combatant)
            if casting is None or spells.quick(combatant):
                return False
            return str(completion(combatant, casting)) == part(slot)
        case "go-last":
            work = WORK.of(combatant)
            return work is not None and work.rounds <= 1
        case _:
            return False


def due_now(combat: Combat, combatant: Combatant) -> tuple[Intent, ...]:
    """Return the actions that earlier rounds have carried over (VD-TIME-03)."""
    return tuple(intent for intent in CARRIED.of(combatant) if intent.slot != str(combat.round))


# ---- the next slot


def next_slot(combat: Combat) -> str:
    """Return the next slot in which a combatant acts."""
    for slot in ORDER[place(combat.phase) + 1 :]:
        if slot == END or in_slot(combat, slot):
            return slot
    return END


# ---- the prompt of a slot


rule(
    "VD-GRP-06",
    "D4 has every other action, such as movement and activities without a major action",
    f"{__name__}.OPTIONS_OF",
)
OPTIONS_OF = {
    "A": (parley, nothing_more),
    "B": (flee, nothing_more),
    "C": (charge, nothing_more),
    "go-first": (go_first, nothing_more),
    "multi-primary": (attack, called_shot, grab_item, nothing_more),
    "innate": (innate, nothing_more),
    "missile": (attack, called_shot, nothing_more),
    "melee": (attack, called_shot, grab_item, nothing_more),
    "other": (move, simple, delaying, complex_activity, position, nothing_more),
    "multi-rest": (attack, nothing_more),
    "spells": (position, nothing_more),
    GO_LAST: (innate, nothing_more),
}
"The options of a slot, by its letter, type or step."


@dataclass
class Course:
    """The state of a running slot.

    - `passed`: the combatants that have passed.
    - `tried`: the combatants whose declared action has begun or was impossible.
    - `batches`: the number of moments so far.
    """

    play: Play
    slot: str
    passed: set[Id] = field(default_factory=set)
    tried: set[Id] = field(default_factory=set)
    batches: int = 0


def prompt(combat: Combat, who: Id, course: Course) -> Prompt:
    """Return the prompt for an action in this slot, whose default is the declared action."""
    slot, options = course.slot, options_of(combat, course.slot)
    plan = None if who in course.tried else plans.default_of(course.play, combat, who, slot)
    declared = ""
    if plan is not None:
        declared = f"{who} declared {plans.told(plan)}. "
        options = tuple(_as_planned(option, plan, slot) for option in options)
    return Prompt(
        kind="turn",
        name="slot-intent",
        who=who,
        text=f"It is time for {called(combat, slot)}. {declared}What does {who} do?",
        options=options,
        rules=("VD-GRP-01",),
        default="pass" if plan is None else plan.action,
        data={"slot": slot, "added_segments": ADDED.of(combat[who])},
        stands=lambda now: who in askable(now, slot),
    )


def _as_planned(option: Option, plan: Intent, slot: str) -> Option:
    """Return an option of a prompt whose default is the declared action."""
    if option.id == plan.action and isinstance(option, Deed):
        return plans.completing(option)
    if option.id == nothing_more.id and slot.startswith("fast/"):
        return replace(option, label=f"Do not {words(plan.action)}")
    return option


def options_of(combat: Combat, slot: str) -> tuple[Option, ...]:
    """Return the options of a slot."""
    name = step(combat)
    if name == "group":
        return OPTIONS_OF[kind_of(combat, part(slot))]
    return OPTIONS_OF[part(slot) if name == "fast" else name]


def askable(combat: Combat, slot: str) -> list[Id]:
    if step(combat) == "spells":
        if ENDING_ROUND.of(combat):
            return []
        return [
            combatant.id for combatant in combat if able(combatant) and not engaged_with(combatant)
        ]
    return asked_in(combat, slot)


def prompts_of(combat: Combat, course: Course) -> list[Prompt]:
    """Return the prompts of a slot for actions and, in D1, for the targets of spells."""
    prompts: list[Prompt] = []
    asked_here = asked_in(combat, course.slot)
    for combatant in of_rank(combat, course.slot):
        if spells.aims_in(combat, combatant, course.slot) and not ENDING_ROUND.of(combat):
            prompts.append(spells.target_prompt(combat, combatant.id))
        is_silent = combatant.id in course.passed or AS_DECLARED.of(combatant)
        if combatant.id in asked_here and not is_silent:
            prompts.append(prompt(combat, combatant.id, course))
    return prompts


# ---- plans without prompts


def as_planned(play: Play, course: Course, *, first_only: bool = False) -> Procedure[list[Pending]]:
    """Return the declared actions that combatants follow here without a prompt (VD-DECL-03).

    With `first_only`, return only the first action, because the slot carries out each action before
    the next choice (GAP-55).
    """
    pending: list[Pending] = []
    for who in [combatant.id for combatant in of_rank(play.combat, course.slot)]:
        if AS_DECLARED.of(play.combat[who]):
            pending += yield from _follow(play, course, who)
        if pending and first_only:
            break
    return pending


def _follow(play: Play, course: Course, who: Id) -> Procedure[list[Pending]]:
    """Commit the actions that one combatant has declared for this slot.

    A combatant without such an action passes. If the plan has failed, the owner gets a prompt.
    """
    pending: list[Pending] = []
    if _is_aimed(play.combat, play.combat[who], course.slot):
        pending += yield from aimed(play, who, "target", Aim())
    if who in course.passed or who not in asked_in(play.combat, course.slot):
        return pending
    intents = plans.of_slot(play, who, course.slot)
    if not intents and plans.has_failed(play.combat, play.combat[who], course.slot):
        yield from asked_after_all(play, course, who)
        return pending
    # in step 6, a combatant has several routines, so it does not pass after the first
    if not intents or step(play.combat) != "multi-rest":
        course.passed.add(who)
    for intent in intents:
        deed = DEEDS[intent.action]
        inputs = read(intent.inputs, deed.inputs)
        target = target_of(play.combat, inputs)
        if target is not None and not in_fight(play.combat, target):
            yield prevented(who, deed.id, inputs, _gone(target))
            yield from asked_after_all(play, course, who)
        elif (chosen := (yield from commit(play, who, deed, inputs))) is not None:
            pending.append(chosen)
    return pending


def _is_aimed(combat: Combat, combatant: Combatant, slot: str) -> bool:
    """Return true if the caster has named its target and the target has not fallen."""
    if not spells.aims_in(combat, combatant, slot) or ENDING_ROUND.of(combat):
        return False
    casting = CASTING.of(combatant)
    spot = None if casting is None else casting.target
    target = None if spot is None else spot.combatant
    stands = target is None or in_fight(combat, target)
    return stands and spells.default_aim(combatant) == "target"


def asked_after_all(play: Play, course: Course, who: Id) -> Procedure[None]:
    """Give the owner prompts from now on, because the declared action is impossible."""
    course.passed.discard(who)
    course.tried.add(who)
    if AS_DECLARED.of(play.combat[who]):
        yield AS_DECLARED.clear(who, rules=("VD-DECL-03",))


# ---- carrying out


def taken(play: Play, course: Course, answers: Sequence[Answer]) -> Procedure[list[Pending]]:
    """Return the actions that the answers begin, in the order of the answers."""
    pending: list[Pending] = []
    for answer in answers:
        pending += yield from _taken(play, course, answer)
    return pending


def _taken(play: Play, course: Course, answer: Answer) -> Procedure[list[Pending]]:
    """Turn an answer into an action, into the target of a spell, or into a pass."""
    who = answer.who or ""
    if play.combat[who].left:
        return []
    if answer.option in ("target", "none"):
        return (yield from aimed(play, who, answer.option, answer.inputs))
    if answer.option == "pass" or answer.moot:
        if able(play.combat[who]):  # otherwise the prompt returns when the combatant is able
            course.passed.add(who)
        return []
    course.tried.add(who)
    inputs = plans.completed(play.combat[who], answer.option, answer.inputs)
    chosen = yield from commit(play, who, DEEDS[answer.option], inputs, answer.then)
    return [] if chosen is None else [chosen]


def aimed(play: Play, who: Id, option: str, inputs: Aim) -> Procedure[list[Pending]]:
    """Announce the target of a spell, and return an invocation that resolves here (VD-E-05).

    A caster that has delayed since the prompt announces the target in LOW (VD-DELAY-02).
    """
    if not spells.aims_in(play.combat, play.combat[who], play.combat.phase):
        return []
    quick = spells.quick(play.combat[who])
    yield from spells.announce(play, who, option, inputs)
    casting = CASTING.of(play.combat[who])
    if not quick or casting is None:
        return []
    time = completion(play.combat[who], casting)
    return [Pending(who, innate, None, place_of(play.combat, who, time), quick=True)]


def what_is_due(play: Play, name: str) -> Procedure[list[Pending]]:
    """Return the actions that are queued for this slot or carried over from an earlier round.

    If the GM has ended the round, spells take their default targets, and Affray drops queued
    actions.
    """
    pendings: list[Pending] = []
    for combatant in of_rank(play.combat, name):
        ending = ENDING_ROUND.of(play.combat)
        if ending and spells.aims_in(play.combat, combatant, name):
            pendings += yield from aimed(play, combatant.id, spells.default_aim(combatant), Aim())
        intents = [intent for intent in QUEUED.of(combatant) if intent.slot == name and not ending]
        if intents:
            pendings += [waiting(play.combat, combatant, intent) for intent in intents]
            left = tuple(intent for intent in QUEUED.of(combatant) if intent not in intents)
            yield QUEUED.set(combatant.id, left, rules=("VD-DLYG-02",))
        combatant = play.combat[combatant.id]
        if is_due(play.combat, combatant, name):
            due = due_now(play.combat, combatant)
            pendings += [waiting(play.combat, combatant, intent, carried=True) for intent in due]
            later = tuple(intent for intent in CARRIED.of(combatant) if intent not in due)
            if later:
                yield CARRIED.set(combatant.id, later, rules=("VD-TIME-03",))
            else:
                yield CARRIED.clear(combatant.id, rules=("VD-TIME-03",))
    return pendings


def waiting(
    combat: Combat, combatant: Combatant, what: Intent, *, carried: bool = False
) -> Pending:
    """Return a queued or carried-over action with its place in the order.

    An action whose inputs name a thing that no longer exists gets the first place.
    """
    deed = DEEDS[what.action]
    inputs = read(what.inputs, deed.inputs)
    time = 0
    if not carried:
        with suppress(Refused):
            time = deed.time(combat, combatant, inputs)
    return Pending(
        combatant.id, deed, inputs, place_of(combat, combatant.id, time), what.fallen, carried
    )


@rule("VD-MULTI-04", "Steps 4 and 6 have the order HIGH, LOW, with ties as in step 5")
@rule("VD-DELAY-09", "A delayed combatant loses every tie of step 5 to others")
@rule("VD-DELAY-10", "Two delayed combatants settle ties normally, and different types are no tie")
def carry_out(play: Play, course: Course, chosen: Sequence[Pending]) -> Procedure[None]:
    """Carry out actions in their order. Actions with the same place run together.

    If Affray prevents an action, its owner may choose another action instead (GAP-52).
    """
    pending = list(chosen)
    while pending:
        first = min(choice.key for choice in pending)
        batch = [choice for choice in pending if choice.key == first]
        batch.sort(key=lambda pending: list(play.combat.combatants).index(pending.who))
        good, bad = yield from still_legal(play, batch)
        for choice in bad:
            pending.remove(choice)
        if bad:
            chosen_here = [pending.who for pending in bad if not pending.carried]
            for who in chosen_here:
                yield from asked_after_all(play, course, who)
            pending += yield from instead(play, course, chosen_here)
            continue
        for choice in batch:
            pending.remove(choice)
        yield from another_moment(play, course)
        yield from do_together(play, good)


def another_moment(play: Play, course: Course) -> Procedure[None]:
    """Begin another moment of the slot, in which new free attacks are possible (GAP-42)."""
    if course.batches:
        yield BATCH.set(BATCH.of(play.combat) + 1, rules=("VD-FREE-04", "VD-FREE-05"))
    course.batches += 1


def still_legal(
    play: Play, batch: Sequence[Pending]
) -> Procedure[tuple[list[Pending], list[Pending]]]:
    """Check all actions of a batch again, and return the legal and the illegal actions.

    If the GM has answered a prompt about an action, Affray checks all actions once more.
    """
    good: list[Pending] = []
    bad: list[Pending] = []
    asked_the_gm = False
    for pending in batch:
        committed = COMMITTED.of(play.combat[pending.who])
        if committed is not None and committed.action == pending.deed.id and not pending.carried:
            yield COMMITTED.clear(pending.who, rules=("VD-MAJ-01",))
        if not (yield from is_legal(play, pending)):
            bad.append(pending)
            continue
        before = play.combat
        if pending.quick or (yield from asked(play, pending.who, pending.deed, pending.inputs)):
            good.append(pending)
        else:
            bad.append(pending)
        asked_the_gm |= play.combat is not before
    for pending in tuple(good) if asked_the_gm else ():
        if not (yield from is_legal(play, pending)):
            good.remove(pending)
            bad.append(pending)
    return good, bad


def is_legal(play: Play, pending: Pending) -> Procedure[bool]:
    """Return true if the action is still legal, or record that Affray prevents it."""
    why = None if pending.quick else reason(play, pending)
    if why is not None:
        yield prevented(pending.who, pending.deed.id, pending.inputs, why)
    return why is None


def reason(play: Play, pending: Pending) -> Illegal | None:
    """Return the reason that prevents the action, or `None` (GAP-52 b).

    The action may be illegal by now, or its target may have fallen.
    """
    if pending.carried:
        why = no_longer(play, pending.who, pending.deed, pending.inputs)
    else:
        why = refusal(play, pending.who, pending.deed, pending.inputs)
    if why is not None:
        return why
    target = target_of(play.combat, pending.inputs)
    if target is not None and not pending.fallen and not in_fight(play.combat, target):
        return _gone(target)
    return None


def _gone(target: Id) -> Illegal:
    return refuse("VD-MAJ-04", "gone", f"{target} is down or gone", NO_FIELD)


def instead(play: Play, course: Course, whose: Sequence[Id]) -> Procedure[list[Pending]]:
    """Let the owners of prevented actions choose another action in the same slot."""
    prompts = [prompt for prompt in prompts_of(play.combat, course) if prompt.who in whose]
    answers = yield from ask_all(prompts, sealed=contested(play.combat, course.slot))
    return (yield from taken(play, course, answers))


@rule(
    "VD-INIT-07",
    "Actions that are still equal are simultaneous. All roll, and then all results apply",
)
def do_together(play: Play, batch: Sequence[Pending]) -> Procedure[None]:
    """Roll for all actions in the order of joining, and then apply all results (GAP-11).

    Combatants pay costs and leave melees before the first roll.
    """
    ready: list[Pending] = []
    twice: list[Pending] = []
    for pending in batch:
        if pending.who in [other.who for other in ready]:
            twice.append(pending)
        elif (
            pending.quick
            or pending.carried
            or (yield from paid(play, pending.who, pending.deed, pending.inputs))
        ):
            ready.append(pending)
    reach = [pending.who for pending in batch if pending.quick]
    casts = yield from spells.resolved(play, reach)
    yield from leave(play, [pending.who for pending in ready if pending.deed is move])
    moment: dict[Id, Results] = {pending.who: [] for pending in batch}
    for pending in (*ready, *twice):
        if pending in twice and not (yield from is_left(play, pending)):
            continue
        if pending.quick:
            own = [cast for cast in casts if cast[0] == pending.who]
            yield from spells.effects(play, own, moment)
            continue
        # the earlier round has already taken the cost of a carried-over action (GAP-41)
        if pending.carried and play.unable(pending.who) is None:
            yield of_action(
                pending.who, pending.deed.id, pending.deed.label, "done", rules=("VD-TIME-03",)
            )
        at = target_of(play.combat, pending.inputs)
        doing = pending.deed.effect(Act(play, pending.who, pending.inputs), moment[pending.who])
        yield from guarded(play, pending.who, pending.deed.id, doing, moment[pending.who], at)
    yield from land(play, in_turn(moment))


def is_left(play: Play, pending: Pending) -> Procedure[bool]:
    """Check a second action of a combatant at the same moment, and pay for it.

    The first action may have used up the resources of the second. The second action is never a
    quick spell, because a caster announces its target before it acts.
    """
    if not (yield from is_legal(play, pending)):
        return False
    return pending.carried or (yield from paid(play, pending.who, pending.deed, pending.inputs))
