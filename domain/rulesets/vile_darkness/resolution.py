"""Carry out the choices of a slot: by place, equals together (GAP-11, GAP-52)."""

from collections.abc import Sequence
from contextlib import suppress

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer
from domain.rulebook.ruleset import read
from domain.rulesets.vile_darkness import members, spells
from domain.rulesets.vile_darkness.actions.abilities import innate
from domain.rulesets.vile_darkness.actions.movement import leave, move
from domain.rulesets.vile_darkness.commitments import Pending, commit, place_of
from domain.rulesets.vile_darkness.deed import asked, guarded, no_longer, paid, prevented, refusal
from domain.rulesets.vile_darkness.facts import (
    BATCH,
    CARRIED,
    CASTING,
    COMMITTED,
    ENDING_ROUND,
    QUEUED,
    Intent,
)
from domain.rulesets.vile_darkness.harm import Results, in_turn, land
from domain.rulesets.vile_darkness.numbers import able, in_fight
from domain.rulesets.vile_darkness.outcomes import of_action
from domain.rulesets.vile_darkness.question import DEEDS, Course, prompts_of
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import completion
from domain.rulesets.vile_darkness.spells import Aim
from domain.rulesets.vile_darkness.targets import target_of


def taken(play: Play, course: Course, answers: Sequence[Answer]) -> Procedure[list[Pending]]:
    """Return the results of the answers, in their order."""
    pending: list[Pending] = []
    for answer in answers:
        pending += yield from _taken(play, course, answer)
    return pending


def _taken(play: Play, course: Course, answer: Answer) -> Procedure[list[Pending]]:
    """An answer becomes something pending, a target, or a pass."""
    who = answer.who or ""
    if play.combat[who].left:
        return []
    if answer.option in ("target", "none"):
        return (yield from aimed(play, who, answer.option, answer.inputs))
    if answer.option == "pass":
        if able(play.combat[who]):  # else the question lapsed, and is asked again once it is able
            course.passed.add(who)
        return []
    chosen = yield from commit(play, who, DEEDS[answer.option], answer.inputs, answer.then)
    return [] if chosen is None else [chosen]


def aimed(play: Play, who: Id, option: str, inputs: Aim) -> Procedure[list[Pending]]:
    """Announce the target. An invocation of one segment resolves here (VD-E-05).

    A caster that has delayed since the prompt announces it in LOW (VD-DELAY-02).
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
    """Return actions queued for this slot, and those carried over from the last round.

    When the GM ends the round, spells are aimed by default, and queued actions are passed.
    """
    pendings: list[Pending] = []
    for combatant in members.of_rank(play.combat, name):
        ending = ENDING_ROUND.of(play.combat)
        if ending and spells.aims_in(play.combat, combatant, name):
            pendings += yield from aimed(play, combatant.id, spells.default_aim(combatant), Aim())
        intents = [intent for intent in QUEUED.of(combatant) if intent.slot == name and not ending]
        if intents:
            pendings += [waiting(play.combat, combatant, intent) for intent in intents]
            left = tuple(intent for intent in QUEUED.of(combatant) if intent not in intents)
            yield QUEUED.set(combatant.id, left, rules=("VD-DLYG-02",))
        combatant = play.combat[combatant.id]
        if members.is_due(play.combat, combatant, name):
            due = members.due_now(play.combat, combatant)
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
    """Return its place among the others, or any place if its named thing is lost."""
    deed = DEEDS[what.action]
    inputs = read(what.inputs, deed.inputs)
    time = 0
    if not carried:
        with suppress(Refused):
            time = deed.time(combat, combatant, inputs)
    return Pending(
        combatant.id, deed, inputs, place_of(combat, combatant.id, time), what.fallen, carried
    )


@rule("VD-MULTI-04", "Order in steps 4 and 6: HIGH, LOW, ties as in step 5")
@rule("VD-DELAY-09", "Delayed loses every tie of step 5 to who is not")
@rule("VD-DELAY-10", "Two delayed settle ties normally. Different types are no tie")
def carry_out(play: Play, course: Course, chosen: Sequence[Pending]) -> Procedure[None]:
    """Carry out by place, and equal places together.

    A prevented action may be replaced at its place (GAP-52).
    VD-DELAY-10.
    """
    pending = list(chosen)
    while pending:
        first = min(one.key for one in pending)
        batch = [one for one in pending if one.key == first]
        batch.sort(key=lambda pending: list(play.combat.combatants).index(pending.who))
        good, bad = yield from still_legal(play, batch)
        for one in bad:
            pending.remove(one)
        if bad:
            chosen_here = [pending.who for pending in bad if not pending.carried]
            pending += yield from instead(play, course, chosen_here)
            continue
        for one in batch:
            pending.remove(one)
        yield from another_moment(play, course)
        yield from do_together(play, good)


def another_moment(play: Play, course: Course) -> Procedure[None]:
    """After the first, so that another free attack may be made (GAP-42)."""
    if course.batches:
        yield BATCH.set(BATCH.of(play.combat) + 1, rules=("VD-FREE-04", "VD-FREE-05"))
    course.batches += 1


def still_legal(
    play: Play, batch: Sequence[Pending]
) -> Procedure[tuple[list[Pending], list[Pending]]]:
    """Check each action again before any of the batch begins.

    Check once more if the GM was asked about one.
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
    """Check it again. If it has become illegal, it is prevented."""
    why = None if pending.quick else reason(play, pending)
    if why is not None:
        yield prevented(pending.who, pending.deed.id, pending.inputs, why)
    return why is None


def reason(play: Play, pending: Pending) -> Illegal | None:
    """Return why it is not done: illegal now, or a fallen target (GAP-52 b)."""
    if pending.carried:
        why = no_longer(play, pending.who, pending.deed, pending.inputs)
    else:
        why = refusal(play, pending.who, pending.deed, pending.inputs)
    if why is not None:
        return why
    target = target_of(play.combat, pending.inputs)
    if target is not None and not pending.fallen and not in_fight(play.combat, target):
        return refuse("VD-MAJ-04", "gone", f"{target} is down or gone", NO_FIELD)
    return None


def instead(play: Play, course: Course, whose: Sequence[Id]) -> Procedure[list[Pending]]:
    """Their owners may commit something else in the same slot."""
    prompts = [prompt for prompt in prompts_of(play.combat, course) if prompt.who in whose]
    answers = yield from ask_all(prompts, sealed=members.contested(play.combat, course.slot))
    return (yield from taken(play, course, answers))


@rule("VD-INIT-07", "Still equal is simultaneous: all roll, then all results")
def do_together(play: Play, batch: Sequence[Pending]) -> Procedure[None]:
    """Roll for all, in the order of joining, then apply the results for all (GAP-11).

    Costs are paid, and melees are left, before the first die.
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
            mine = [cast for cast in casts if cast[0] == pending.who]
            yield from spells.effects(play, mine, moment)
            continue
        if pending.carried and play.unable(pending.who) is None:  # it adds nothing here (GAP-41)
            yield of_action(
                pending.who, pending.deed.id, pending.deed.label, "done", rules=("VD-TIME-03",)
            )
        at = target_of(play.combat, pending.inputs)
        doing = pending.deed.effect(Act(play, pending.who, pending.inputs), moment[pending.who])
        yield from guarded(play, pending.who, pending.deed.id, doing, moment[pending.who], at)
    yield from land(play, in_turn(moment))


def is_left(play: Play, pending: Pending) -> Procedure[bool]:
    """Check another action of the same combatant at the same moment, and pay for it.

    The first one may have used up its resources. A target is always named first, so this is no
    quick spell.
    """
    if not (yield from is_legal(play, pending)):
        return False
    return pending.carried or (yield from paid(play, pending.who, pending.deed, pending.inputs))
