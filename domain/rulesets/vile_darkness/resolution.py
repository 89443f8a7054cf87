"""Carry out the choices of a slot: by place, equals together (GAP-11, GAP-52)."""

from collections.abc import Sequence
from contextlib import suppress

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.effects import Procedure, ask_all
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer
from domain.rulebook.ruleset import read
from domain.rulesets.vile_darkness import members, spells
from domain.rulesets.vile_darkness.actions.abilities import INNATE
from domain.rulesets.vile_darkness.actions.movement import MOVE, leave
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
    return [Pending(who, INNATE, None, place_of(play.combat, who, time), quick=True)]


def what_is_due(play: Play, name: str) -> Procedure[list[Pending]]:
    """Return actions queued for this slot, and those carried over from the last round.

    When the GM ends the round, spells are aimed by default, and queued actions are passed.
    """
    found: list[Pending] = []
    for one in members.of_rank(play.combat, name):
        ending = ENDING_ROUND.of(play.combat)
        if ending and spells.aims_in(play.combat, one, name):
            found += yield from aimed(play, one.id, spells.default_aim(one), Aim())
        mine = [each for each in QUEUED.of(one) if each.slot == name and not ending]
        if mine:
            found += [waiting(play.combat, one, each) for each in mine]
            left = tuple(each for each in QUEUED.of(one) if each not in mine)
            yield QUEUED.set(one.id, left, rules=("VD-DLYG-02",))
        one = play.combat[one.id]
        if members.is_due(play.combat, one, name):
            due = members.due_now(play.combat, one)
            found += [waiting(play.combat, one, each, carried=True) for each in due]
            later = tuple(each for each in CARRIED.of(one) if each not in due)
            if later:
                yield CARRIED.set(one.id, later, rules=("VD-TIME-03",))
            else:
                yield CARRIED.clear(one.id, rules=("VD-TIME-03",))
    return found


def waiting(combat: Combat, one: Combatant, what: Intent, *, carried: bool = False) -> Pending:
    """Return its place among the others, or any place if its named thing is lost."""
    deed = DEEDS[what.action]
    inputs = read(what.inputs, deed.inputs)
    time = 0
    if not carried:
        with suppress(Refused):
            time = deed.time(combat, one, inputs)
    return Pending(one.id, deed, inputs, place_of(combat, one.id, time), what.fallen, carried)


def carry_out(play: Play, course: Course, chosen: Sequence[Pending]) -> Procedure[None]:
    """Carry out by place, and equal places together.

    A prevented action may be replaced at its place (GAP-52).
    VD-DELAY-10.
    """
    pending = list(chosen)
    while pending:
        first = min(one.key for one in pending)
        batch = [one for one in pending if one.key == first]
        batch.sort(key=lambda one: list(play.combat.combatants).index(one.who))
        good, bad = yield from still_legal(play, batch)
        for one in bad:
            pending.remove(one)
        if bad:
            chosen_here = [one.who for one in bad if not one.carried]
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
    for one in batch:
        committed = COMMITTED.of(play.combat[one.who])
        if committed is not None and committed.action == one.deed.id and not one.carried:
            yield COMMITTED.clear(one.who, rules=("VD-MAJ-01",))
        if not (yield from is_legal(play, one)):
            bad.append(one)
            continue
        before = play.combat
        if one.quick or (yield from asked(play, one.who, one.deed, one.inputs)):
            good.append(one)
        else:
            bad.append(one)
        asked_the_gm |= play.combat is not before
    for one in tuple(good) if asked_the_gm else ():
        if not (yield from is_legal(play, one)):
            good.remove(one)
            bad.append(one)
    return good, bad


def is_legal(play: Play, one: Pending) -> Procedure[bool]:
    """Check it again. If it has become illegal, it is prevented."""
    why = None if one.quick else reason(play, one)
    if why is not None:
        yield prevented(one.who, one.deed.id, one.inputs, why)
    return why is None


def reason(play: Play, one: Pending) -> Illegal | None:
    """Return why it is not done: illegal now, or a fallen target (GAP-52 b)."""
    if one.carried:
        why = no_longer(play, one.who, one.deed, one.inputs)
    else:
        why = refusal(play, one.who, one.deed, one.inputs)
    if why is not None:
        return why
    target = target_of(play.combat, one.inputs)
    if target is not None and not one.fallen and not in_fight(play.combat, target):
        return Illegal("VD-MAJ-04", "gone", f"{target} is down or gone")
    return None


def instead(play: Play, course: Course, whose: Sequence[Id]) -> Procedure[list[Pending]]:
    """Their owners may commit something else in the same slot."""
    found = [one for one in prompts_of(play.combat, course) if one.who in whose]
    answers = yield from ask_all(found, sealed=members.contested(play.combat, course.slot))
    return (yield from taken(play, course, answers))


def do_together(play: Play, batch: Sequence[Pending]) -> Procedure[None]:
    """Roll for all, in the order of joining, then apply the results for all (GAP-11).

    Costs are paid, and melees are left, before the first die.
    """
    ready: list[Pending] = []
    twice: list[Pending] = []
    for one in batch:
        if one.who in [other.who for other in ready]:
            twice.append(one)
        elif one.quick or one.carried or (yield from paid(play, one.who, one.deed, one.inputs)):
            ready.append(one)
    reach = [one.who for one in batch if one.quick]
    casts = yield from spells.resolved(play, reach)
    yield from leave(play, [one.who for one in ready if one.deed is MOVE])
    moment: dict[Id, Results] = {one.who: [] for one in batch}
    for one in (*ready, *twice):
        if one in twice and not (yield from is_left(play, one)):
            continue
        if one.quick:
            mine = [cast for cast in casts if cast[0] == one.who]
            yield from spells.effects(play, mine, moment)
            continue
        if one.carried and play.unable(one.who) is None:  # it adds nothing here (GAP-41)
            yield of_action(one.who, one.deed.id, one.deed.label, "done", rules=("VD-TIME-03",))
        at = target_of(play.combat, one.inputs)
        doing = one.deed.effect(play, one.who, one.inputs, moment[one.who])
        yield from guarded(play, one.who, one.deed.id, doing, moment[one.who], at)
    yield from land(play, in_turn(moment))


def is_left(play: Play, one: Pending) -> Procedure[bool]:
    """Check another action of the same combatant at the same moment, and pay for it.

    The first one may have used up its resources. A target is always named first, so this is no
    quick spell.
    """
    if not (yield from is_legal(play, one)):
        return False
    return one.carried or (yield from paid(play, one.who, one.deed, one.inputs))
