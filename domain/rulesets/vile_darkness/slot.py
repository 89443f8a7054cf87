"""One slot: ask who is in it, sort, carry out in batches, until nobody has more (GAP-11, GAP-55).

In a contested slot all intents are collected, then sorted by (`delayed`, time component); equals
are one batch: rolls for all, then results for all. Else each action is carried out at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import Noted, PhaseBegan
from domain.rulebook.effects import Procedure, ask_all, ask_each
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer, Option, Prompt
from domain.rulebook.ruleset import read
from domain.rulesets.vile_darkness import members, spells
from domain.rulesets.vile_darkness.actions import abilities
from domain.rulesets.vile_darkness.actions.abilities import GO_FIRST, INNATE
from domain.rulesets.vile_darkness.actions.activity import COMPLEX, DELAYING, SIMPLE
from domain.rulesets.vile_darkness.actions.attack import ATTACK
from domain.rulesets.vile_darkness.actions.called_shot import CALLED_SHOT, GRAB_ITEM
from domain.rulesets.vile_darkness.actions.fast import (
    CHARGE,
    FLEE,
    PARLEY,
    as_declared,
    charges,
    flights,
)
from domain.rulesets.vile_darkness.actions.giving_up import PASS, abandoned
from domain.rulesets.vile_darkness.actions.movement import MOVE, POSITION
from domain.rulesets.vile_darkness.committing import (
    Pending,
    commit,
    had_fallen,
    place_of,
    target_of,
)
from domain.rulesets.vile_darkness.deed import Deed, asked, guarded, prevented, refusal
from domain.rulesets.vile_darkness.facts import (
    BATCH,
    CARRIED,
    COMMITTED,
    ENDING_ROUND,
    QUEUED,
    ROUTINES,
)
from domain.rulesets.vile_darkness.harm import Results, land
from domain.rulesets.vile_darkness.numbers import able, added_segments, engaged_with, in_fight
from domain.rulesets.vile_darkness.slots import (
    GO_LAST,
    HIGH_FIRST,
    kind_of,
    part,
    rank,
    step,
)
from domain.rulesets.vile_darkness.spells import Aim
from domain.rulesets.vile_darkness.work import finish

DEEDS = {
    one.id: one
    for one in (
        PARLEY,
        FLEE,
        CHARGE,
        GO_FIRST,
        INNATE,
        ATTACK,
        CALLED_SHOT,
        GRAB_ITEM,
        MOVE,
        POSITION,
        SIMPLE,
        DELAYING,
        COMPLEX,
    )
}

OPTIONS_OF = {
    "A": (PARLEY, PASS),
    "B": (FLEE, PASS),
    "C": (CHARGE, PASS),
    "go-first": (GO_FIRST, PASS),
    "multi-primary": (ATTACK, CALLED_SHOT, GRAB_ITEM, PASS),
    "innate": (INNATE, PASS),
    "missile": (ATTACK, CALLED_SHOT, PASS),
    "melee": (ATTACK, CALLED_SHOT, GRAB_ITEM, PASS),
    "other": (MOVE, SIMPLE, DELAYING, COMPLEX, POSITION, PASS),
    "multi-rest": (ATTACK, PASS),
    "spells": (POSITION, PASS),
    GO_LAST: (INNATE, PASS),
}
"""What can answer the question of a slot, by its letter, type or step."""


@dataclass
class Course:
    """How far a slot has come: who has passed in it, how many moments it has had."""

    slot: str
    passed: set[Id] = field(default_factory=set)
    batches: int = 0


# ---- the question


def prompt(combat: Combat, who: Id, slot: str) -> Prompt:
    """What does `who` do in this slot?"""
    return Prompt(
        kind="turn",
        name="slot-intent",
        who=who,
        text=f"What does {who} do in {slot}?",
        options=options_of(combat, slot),
        rules=("VD-GRP-01",),
        default="pass",
        data={"slot": slot, "added_segments": added_segments(combat[who])},
        stands=lambda now: now.phase == slot and who in _askable(now, slot),
    )


def options_of(combat: Combat, slot: str) -> tuple[Option, ...]:
    """The options of a slot."""
    name = step(combat)
    if name == "group":
        return OPTIONS_OF[kind_of(combat, part(slot))]
    return OPTIONS_OF[part(slot) if name == "fast" else name]


def _askable(combat: Combat, slot: str) -> list[Id]:
    if step(combat) == "spells":
        if ENDING_ROUND.of(combat):
            return []
        return [one.id for one in combat if able(one) and not engaged_with(one)]
    return members.asked_in(combat, slot)


# ---- the slot


def slot(play: Play, name: str) -> Procedure[None]:
    """Everything that happens in it."""
    yield PhaseBegan(name, rules=(rule_of(name),))
    match name.partition("/")[0]:
        case "fast":
            yield from fast(play, name)
        case "spells":
            yield from spells_of(play, name)
        case "go-last":
            yield from go_last(play)
        case _:
            yield from deeds_of(play, name)


def rule_of(name: str) -> str:
    """The rule that brings a slot."""
    kind = name.partition("/")[0]
    of_kind = {
        "fast": "VD-SEQ-05",
        "multi-primary": "VD-SEQ-06",
        "group": "VD-SEQ-07",
        "multi-rest": "VD-SEQ-08",
        "spells": "VD-SEQ-09",
        GO_LAST: "VD-CPLX-02",
    }
    return of_kind[kind]


def deeds_of(play: Play, name: str) -> Procedure[None]:
    """Steps 4, 5 and 6: what waits for the slot, then wave after wave of what is chosen."""
    course = Course(name)
    due = yield from what_is_due(play, name)
    if due and members.contested(play.combat, name):
        due += yield from everybody(play, course)
    yield from carry_out(play, course, due)
    while play.combat.phase == name:
        yield from routines_lapse(play, name)
        waiting = [who for who in members.in_slot(play.combat, name) if who not in course.passed]
        if not waiting:
            return
        if members.contested(play.combat, name):
            yield from carry_out(play, course, (yield from everybody(play, course)))
        else:
            yield from carry_out(play, course, (yield from one_of_them(play, course)))


def routines_lapse(play: Play, name: str) -> Procedure[None]:
    """In step 6 a routine without a legal target is passed over (GAP-06)."""
    if step(play.combat) != "multi-rest":
        return
    for one in members.of_rank(play.combat, name):
        left = members.routines_with_target(play.combat, one)
        if left != ROUTINES.of(one):
            yield ROUTINES.set(one.id, left, rules=("VD-MULTI-02",))


def prompts_of(combat: Combat, course: Course) -> list[Prompt]:
    """The questions of a slot: what is done, and in D1 at what spells are directed."""
    found: list[Prompt] = []
    if combat.phase != course.slot:
        return found
    asked_here = members.asked_in(combat, course.slot)
    for one in members.of_rank(combat, course.slot):
        if members.aims_in(combat, one, course.slot) and not ENDING_ROUND.of(combat):
            found.append(spells.target_prompt(combat, one.id))
        elif one.id in asked_here and one.id not in course.passed:
            found.append(prompt(combat, one.id, course.slot))
    return found


def everybody(play: Play, course: Course) -> Procedure[list[Pending]]:
    """Contested: all intents first, hidden from the others (VD-INIT-05 to -07)."""
    found = prompts_of(play.combat, course)
    if not found:
        course.passed |= set(members.in_slot(play.combat, course.slot))
        return []
    answers = yield from ask_all(found, sealed=True, more=lambda combat: prompts_of(combat, course))
    pending: list[Pending] = []
    for answer in answers:
        pending += yield from taken(play, course, answer)
    return pending


def one_of_them(play: Play, course: Course) -> Procedure[list[Pending]]:
    """Nobody opposes: in any order that their owners like (VD-INIT-11)."""
    found = prompts_of(play.combat, course)
    if not found:
        course.passed |= set(members.in_slot(play.combat, course.slot))
        return []
    answer = yield from ask_each(found, more=lambda combat: prompts_of(combat, course))
    return (yield from taken(play, course, answer))


def taken(play: Play, course: Course, answer: Answer) -> Procedure[list[Pending]]:
    """An answer becomes something pending, a target, or a pass."""
    who = answer.who or ""
    if play.combat[who].left:
        return []
    if answer.option in ("target", "none"):
        return (yield from aimed(play, who, answer.option, answer.inputs))
    if answer.option == "pass":
        course.passed.add(who)
        return []
    chosen = yield from commit(play, who, DEEDS[answer.option], answer.inputs, answer.then)
    return [] if chosen is None else [chosen]


def aimed(play: Play, who: Id, option: str, inputs: Aim) -> Procedure[list[Pending]]:
    """The target is announced; an invocation of one segment resolves here (VD-E-05)."""
    quick = spells.quick(play.combat[who])
    yield from spells.announce(play, who, option, inputs)
    if not quick or not play.combat[who].has("casting"):
        return []
    return [Pending(who, INNATE, None, place_of(play.combat, who, 1), quick=True)]


# ---- what is due


def what_is_due(play: Play, name: str) -> Procedure[list[Pending]]:
    """What was queued for this slot, and what was carried over from the last round. When the GM
    ends the round, spells are aimed by default and what was queued is passed."""
    found: list[Pending] = []
    for one in members.of_rank(play.combat, name):
        ending = ENDING_ROUND.of(play.combat)
        if ending and members.aims_in(play.combat, one, name):
            found += yield from aimed(play, one.id, spells.default_aim(one), Aim())
        mine = [each for each in QUEUED.of(one) if each.slot == name and not ending]
        for each in mine:
            deed = DEEDS[each.action]
            inputs = read(each.inputs, deed.inputs)
            key = place_of(play.combat, one.id, deed.time(play.combat, one, inputs))
            found.append(Pending(one.id, deed, inputs, key, fallen=each.fallen))
        if mine:
            left = tuple(each for each in QUEUED.of(one) if each not in mine)
            yield QUEUED.set(one.id, left, rules=("VD-DLYG-02",))
        if members.is_due(play.combat, play.combat[one.id], name):
            for each in CARRIED.of(one):
                deed = DEEDS[each.action]
                inputs = read(each.inputs, deed.inputs)
                found.append(
                    Pending(one.id, deed, inputs, place_of(play.combat, one.id, 0), carried=True)
                )
            yield CARRIED.clear(one.id, rules=("VD-TIME-03",))
    return found


# ---- carrying out


def carry_out(play: Play, course: Course, chosen: Sequence[Pending]) -> Procedure[None]:
    """By place; equals together. What is prevented may be replaced at its place (GAP-52)."""
    pending = list(chosen)
    name = course.slot
    while pending and play.combat.phase == name:
        first = min(one.key for one in pending)
        batch = [one for one in pending if one.key == first]
        batch.sort(key=lambda one: list(play.combat.combatants).index(one.who))
        good, bad = yield from still_legal(play, batch)
        for one in bad:
            pending.remove(one)
        if bad:
            pending += yield from instead(play, course, [one.who for one in bad])
            continue
        for one in batch:
            pending.remove(one)
        if course.batches:  # another moment, so that another free attack may be made (GAP-42)
            yield BATCH.set(BATCH.of(play.combat) + 1, rules=("VD-FREE-04", "VD-FREE-05"))
        course.batches += 1
        yield from do_together(play, good)


def still_legal(
    play: Play, batch: Sequence[Pending]
) -> Procedure[tuple[list[Pending], list[Pending]]]:
    """Each is asked for its refusals again before anybody of the batch begins."""
    good: list[Pending] = []
    bad: list[Pending] = []
    for one in batch:
        committed = COMMITTED.of(play.combat[one.who])
        if committed is not None and committed.action == one.deed.id and not one.carried:
            yield COMMITTED.clear(one.who, rules=("VD-MAJ-01",))
        why = None if one.quick or one.carried else reason(play, one)
        if why is not None:
            yield prevented(one.who, one.deed.id, one.inputs, why)
            bad.append(one)
        elif not (one.quick or one.carried) and not (
            yield from asked(play, one.who, one.deed, one.inputs)
        ):
            bad.append(one)
        else:
            good.append(one)
    return good, bad


def reason(play: Play, one: Pending) -> Illegal | None:
    """Why it is not done: not legal any more, or its target has fallen since (GAP-52 b)."""
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
    pending: list[Pending] = []
    for answer in answers:
        pending += yield from taken(play, course, answer)
    return pending


def do_together(play: Play, batch: Sequence[Pending]) -> Procedure[None]:
    """Rolls for all, in the order of joining, then the results for all (GAP-11)."""
    reach = [one.who for one in batch if one.quick]
    casters = yield from spells.complete(play, reach)
    results: list[Any] = []
    for one in batch:
        if one.quick:
            if one.who in casters:
                results += yield from spells.resolve(play, one.who)
        elif one.carried:
            results += yield from _completed(play, one)
        else:
            at = target_of(play.combat, one.inputs)
            results += yield from guarded(play, one.who, one.deed, one.inputs, at)
    yield from land(play, results)


def _completed(play: Play, one: Pending) -> Procedure[Results]:
    """What was carried over adds nothing here (GAP-41)."""
    if play.unable(one.who) is not None:
        return ()
    yield Noted(f"{one.deed.id} is completed", one.who, rules=("VD-TIME-03",))
    return (yield from one.deed.effect(play, one.who, one.inputs))


# ---- step 3


def fast(play: Play, name: str) -> Procedure[None]:
    """All of a letter and rank together; what is not legal is not asked (VD-FAST-03)."""
    letter = part(name)
    deed = {"A": PARLEY, "B": FLEE, "C": CHARGE, "go-first": GO_FIRST}[letter]
    for who in members.asked_in(play.combat, name):
        why = _fast_refusal(play, who, deed)
        if why is not None and why.code != "":
            yield prevented(who, deed.id, {}, why)
            yield COMMITTED.clear(who, rules=("VD-FAST-05",))
    course = Course(name)
    answers = yield from ask_all(
        [prompt(play.combat, who, name) for who in members.asked_in(play.combat, name)],
        sealed=True,
        more=lambda combat: prompts_of(combat, course),
    )
    pending: list[Pending] = []
    for answer in answers:
        who = answer.who or ""
        if play.combat[who].left:
            continue
        if answer.option == "pass":
            committed = COMMITTED.of(play.combat[who])
            if committed is not None and committed.action == deed.id:
                yield from list(abandoned(play.combat[who]))
            continue
        inputs = fill(play.combat[who], deed, answer.inputs)
        fallen = had_fallen(answer.then or play.combat, inputs)
        pending.append(Pending(who, deed, inputs, fallen=fallen))
    pending.sort(key=lambda one: list(play.combat.combatants).index(one.who))
    good, _ = yield from still_legal(play, pending)
    if letter == "B":
        yield from flights(play, [(one.who, one.inputs) for one in good])
    elif letter == "C":
        yield from land(play, (yield from charges(play, [(one.who, one.inputs) for one in good])))
    else:
        yield from do_together(play, good)


def fill(one: Combatant, deed: Deed, inputs: Any) -> Any:
    """What was given in step 1 is the default (4.1)."""
    if deed is GO_FIRST:
        return abilities.as_declared(one, inputs)
    return as_declared(one, deed.id, inputs)


def _fast_refusal(play: Play, who: Id, deed: Deed) -> Illegal | None:
    """Why what was declared is not legal here; nothing, if it was not declared at all."""
    committed = COMMITTED.of(play.combat[who])
    if committed is None or committed.action != deed.id:
        return None
    inputs = read({}, deed.inputs)
    why = refusal(play, who, deed, inputs)
    if why is None and deed is CHARGE:
        target = target_of(play.combat, read(committed.inputs, deed.inputs))
        if target is not None and not in_fight(play.combat, target):
            return Illegal("VD-FAST-07", "gone", f"{target} is down or gone")
    return why


# ---- step 7


def spells_of(play: Play, name: str) -> Procedure[None]:
    """The spells of a segment and rank are simultaneous (VD-E-02); then their casters may
    position (GAP-51)."""
    while play.combat.phase == name:
        casters = [
            one.id
            for one in members.of_rank(play.combat, name)
            if members.is_due(play.combat, one, name)
        ]
        if not casters:
            return
        good = yield from spells.complete(play, casters)
        results: list[Any] = []
        for who in good:
            results += yield from spells.resolve(play, who)
        yield from land(play, results)
        yield from after_spells(play, name, casters)


def after_spells(play: Play, name: str, casters: Sequence[Id]) -> Procedure[None]:
    """Ten feet, right after the spell, for those who are in no melee."""
    waiting = list(casters)
    while play.combat.phase == name:
        found = [
            prompt(play.combat, who, name) for who in waiting if who in _askable(play.combat, name)
        ]
        if not found:
            return
        answer = yield from ask_each(found)
        who = answer.who or ""
        waiting.remove(who)
        if answer.option == POSITION.id:
            yield from land(play, (yield from guarded(play, who, POSITION, answer.inputs)))


# ---- Go Last


def go_last(play: Play) -> Procedure[None]:
    """HIGH before LOW although the slot has one name; equal ranks simultaneous (GAP-04)."""
    for ranked in HIGH_FIRST:
        mine = [
            one.id
            for one in members.of_rank(play.combat, GO_LAST)
            if rank(play.combat, one) == ranked and members.is_due(play.combat, one, GO_LAST)
        ]
        results: list[Any] = []
        for who in mine:
            results += yield from finish(play, who)
        yield from land(play, results)
    course = Course(GO_LAST)
    while play.combat.phase == GO_LAST:
        found = prompts_of(play.combat, course)
        if not found:
            return
        answers = yield from ask_all(found, sealed=True)
        pending: list[Pending] = []
        for answer in answers:
            pending += yield from taken(play, course, answer)
        yield from carry_out(play, course, pending)
