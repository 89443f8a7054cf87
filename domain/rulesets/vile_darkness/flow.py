"""Run a fight in rounds of eight steps, each of which has slots (VD-SEQ)."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, Judged, PhaseBegan, RoundBegan
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.durations import expire
from domain.rulebook.effects import Procedure, ask_all, ask_each, roll
from domain.rulebook.ending import ended as outcome
from domain.rulebook.play import Play
from domain.rulebook.prompts import Answer
from domain.rulebook.ruleset import Step, read
from domain.rulesets.vile_darkness import declarations, resolution, spells
from domain.rulesets.vile_darkness.abilities import as_declared
from domain.rulesets.vile_darkness.actions.abandon import abandoned
from domain.rulesets.vile_darkness.actions.abilities import go_first
from domain.rulesets.vile_darkness.actions.fast_actions import (
    charge,
    charges,
    flee,
    flights,
    parley,
)
from domain.rulesets.vile_darkness.actions.movement import position
from domain.rulesets.vile_darkness.activities import Pending, commit, complete, finish
from domain.rulesets.vile_darkness.deed import Deed, guarded, performed, prevented, refusal
from domain.rulesets.vile_darkness.facts import (
    AS_DECLARED,
    BEGINNING,
    CASTING,
    COMMITTED,
    IN_MELEE,
    NEXT_ROUND,
    RANKS,
    ROUTINES,
    GroupRank,
    Work,
)
from domain.rulesets.vile_darkness.harm import (
    Gift,
    Results,
    as_effect,
    fall,
    gained,
    in_turn,
    land,
    roll_hit_points,
)
from domain.rulesets.vile_darkness.numbers import able, in_fight, sheet
from domain.rulesets.vile_darkness.opening import begin
from domain.rulesets.vile_darkness.resolution import (
    Course,
    another_moment,
    as_planned,
    askable,
    asked_after_all,
    carry_out,
    do_together,
    prompt,
    prompts_of,
    reason,
    still_legal,
    taken,
    what_is_due,
)
from domain.rulesets.vile_darkness.round_end import end_of_round
from domain.rulesets.vile_darkness.routines import has_multi_attack
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import (
    DECLARE,
    END,
    GO_LAST,
    HIGH_FIRST,
    INITIATIVE,
    group_of,
    new_budget,
    part,
    place,
    rank,
    step,
)
from domain.rulesets.vile_darkness.targets import target_of

# ---- one slot


def slot(play: Play, name: str) -> Procedure[None]:
    """Run one slot."""
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
    """Return the rule that defines a slot."""
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


@rule("VD-SEQ-07", "In step 5, HIGH finishes all its actions before LOW begins")
def deeds_of(play: Play, name: str) -> Procedure[None]:
    """Run a slot of step 4, 5 or 6, with its due actions first and then new choices."""
    course = Course(play, name)
    due = yield from what_is_due(play, name)
    if due and resolution.contested(play.combat, name):
        due += yield from as_planned(play, course)
        due += yield from everybody(play, course)
    yield from carry_out(play, course, due)
    while True:
        yield from routines_lapse(play, name)
        contested = resolution.contested(play.combat, name)
        planned = yield from as_planned(play, course, first_only=not contested)
        if not planned and not prompts_of(play.combat, course):
            return
        if contested:
            planned += yield from everybody(play, course)
        elif not planned:
            planned = yield from one_of_them(play, course)
        yield from carry_out(play, course, planned)


@rule("VD-SEQ-08", "In step 6, multi-attackers use their remaining routines")
def routines_lapse(play: Play, name: str) -> Procedure[None]:
    """Drop routines that have no legal target in step 6 (GAP-06)."""
    if step(play.combat) != "multi-rest":
        return
    for combatant in resolution.of_rank(play.combat, name):
        left = resolution.routines_with_target(play.combat, combatant)
        if left != ROUTINES.of(combatant):
            yield ROUTINES.set(combatant.id, left, rules=("VD-MULTI-02",))


def everybody(play: Play, course: Course) -> Procedure[list[Pending]]:
    """Ask all combatants of a contested slot at once, and hide the answers from other players.

    VD-INIT-05 to VD-INIT-07.
    """
    return (yield from taken(play, course, (yield from everybody_answers(play, course))))


def everybody_answers(play: Play, course: Course) -> Procedure[tuple[Answer, ...]]:
    prompts = prompts_of(play.combat, course)
    return (
        yield from ask_all(prompts, sealed=True, more=lambda combat: prompts_of(combat, course))
    )


@rule("VD-INIT-11", "The members of a group act in any order in a slot")
def one_of_them(play: Play, course: Course) -> Procedure[list[Pending]]:
    """Take one choice of an uncontested slot, whose combatants act in any order (VD-INIT-11)."""
    prompts = prompts_of(play.combat, course)
    answer = yield from ask_each(prompts, more=lambda combat: prompts_of(combat, course))
    return (yield from taken(play, course, (answer,)))


# ---- slots with their own procedures


@rule("VD-SEQ-05", "In step 3, combatants with fast actions and Go First act")
@rule("VD-FAST-03", "In a letter, HIGH acts before LOW, and equal ranks are simultaneous")
def fast(play: Play, name: str) -> Procedure[None]:
    """Carry out the actions of a letter and rank together, until none are left (VD-FAST-03).

    An illegal action gets no prompt.
    """
    letter = part(name)
    deed = {"A": parley, "B": flee, "C": charge, "go-first": go_first}[letter]
    for who in resolution.asked_in(play.combat, name):
        why = _fast_refusal(play, who, deed)
        # a combatant whose path is blocked chooses another path
        if why is None or why.code != CLOSED_WAY:
            yield from list(_prevented_here(play, who, deed))
    course = Course(play, name)
    while (planned := (yield from as_planned(play, course))) or prompts_of(play.combat, course):
        answers = yield from everybody_answers(play, course)
        pending = planned + (yield from _all_chosen(play, course, deed, answers))
        while closed := [choice.who for choice in pending if _is_closed(play, choice)]:
            pending = [choice for choice in pending if choice.who not in closed]
            for who in closed:
                yield from asked_after_all(play, course, who)
            again = [prompt for prompt in prompts_of(play.combat, course) if prompt.who in closed]
            answers = yield from ask_all(again, sealed=True)
            pending += yield from _all_chosen(play, course, deed, answers)
        pending.sort(key=lambda pending: list(play.combat.combatants).index(pending.who))
        good, _ = yield from still_legal(play, pending)
        yield from another_moment(play, course)
        if letter == "B":
            yield from flights(play, [(pending.who, pending.inputs) for pending in good])
        elif letter == "C":
            yield from charges(play, [(pending.who, pending.inputs) for pending in good])
        else:
            yield from do_together(play, good)


CLOSED_WAY = "path-blocked"


def _is_closed(play: Play, pending: Pending) -> bool:
    """Return true if only a blocked path prevents the action."""
    why = reason(play, pending)
    return why is not None and why.code == CLOSED_WAY


def _all_chosen(
    play: Play, course: Course, deed: Deed, answers: Sequence[Answer]
) -> Procedure[list[Pending]]:
    pending: list[Pending] = []
    for answer in answers:
        chosen = yield from _chosen(play, course, deed, answer)
        pending += [] if chosen is None else [chosen]
    return pending


def _chosen(play: Play, course: Course, deed: Deed, answer: Answer) -> Procedure[Pending | None]:
    """Return the action that the answer begins, or `None`.

    Inputs that the answer omits come from the declaration of step 1. A pass gives up the
    declaration (section 4.1).
    """
    who = answer.who or ""
    if play.combat[who].left:
        return None
    if answer.option != "pass" and not answer.moot:
        course.tried.add(who)
        inputs = as_declared(play.combat[who], deed.id, answer.inputs)
        return (yield from commit(play, who, deed, inputs, answer.then))
    course.passed.add(who)
    yield from list(_prevented_here(play, who, deed))
    committed = COMMITTED.of(play.combat[who])
    if committed is not None and committed.action == deed.id:
        yield from list(abandoned(play.combat[who]))
    return None


def _prevented_here(play: Play, who: Id, deed: Deed) -> Iterator[AnyEvent]:
    """Yield the events that cancel a declared action if it is illegal here, at no cost.

    Affray checks the action before the prompt (section 4.1), and again if the state changes during
    the prompt (GAP-52 b).
    """
    why = _fast_refusal(play, who, deed)
    if why is not None:
        yield prevented(who, deed.id, {}, why)
        yield COMMITTED.clear(who, rules=("VD-FAST-05",))


def _fast_refusal(play: Play, who: Id, deed: Deed) -> Illegal | None:
    """Return the reason why a declared action is illegal here.

    Return `None` if the action is legal or not declared.
    """
    committed = COMMITTED.of(play.combat[who])
    if committed is None or committed.action != deed.id:
        return None
    inputs = read({}, deed.inputs)
    why = refusal(play, who, deed, inputs)
    if (why is None or why.code == CLOSED_WAY) and deed is charge:
        target = target_of(play.combat, read(committed.inputs, deed.inputs))
        if target is not None and not in_fight(play.combat, target):
            return refuse("VD-FAST-07", "gone", f"{target} is down or gone", NO_FIELD)
    return why


@rule("VD-SEQ-09", "In step 7, incantations and invocations of more than 1 segment resolve")
@rule("VD-E-01", "Incantations and invocations of more than 1 segment resolve in step 7")
@rule("VD-E-04", "A spell can break the concentration of a later one")
def spells_of(play: Play, name: str) -> Procedure[None]:
    """Resolve the spells of a segment and rank at the same moment (VD-E-02).

    A caster that has completed or lost its spell may then position (GAP-51, VD-E-04).
    """
    while True:
        casting = [combatant.id for combatant in play.combat if CASTING.of(combatant) is not None]
        casters = [
            combatant.id
            for combatant in resolution.of_rank(play.combat, name)
            if resolution.is_due(play.combat, combatant, name)
        ]
        if not casters:
            return
        good = yield from spells.resolved(play, casters)
        moment: dict[Id, Results] = {who: [] for who in casters}
        yield from spells.effects(play, good, moment)
        yield from land(play, in_turn(moment))
        yield from after_spells(play, name, casting)


def after_spells(play: Play, name: str, casters: Sequence[Id]) -> Procedure[None]:
    """Offer each caster 10 ft of movement after its spell, unless the caster is in melee."""
    course = Course(play, name)
    waiting = [who for who in casters if not AS_DECLARED.of(play.combat[who])]
    while True:
        prompts = [
            prompt(play.combat, who, course)
            for who in waiting
            if who in askable(play.combat, name) and CASTING.of(play.combat[who]) is None
        ]
        if not prompts:
            return
        answer = yield from ask_each(prompts)
        who = answer.who or ""
        waiting.remove(who)
        if answer.option == position.id:
            yield from performed(play, who, position, answer.inputs)


@rule("VD-DELAY-14", "Being delayed does not change a declared complex activity")
def go_last(play: Play) -> Procedure[None]:
    """Run Go Last, in which HIGH acts before LOW (GAP-04).

    Combatants of the same rank act at the same moment.
    """
    for ranked in HIGH_FIRST:
        members = [
            combatant.id
            for combatant in resolution.of_rank(play.combat, GO_LAST)
            if rank(play.combat, combatant) == ranked
            and resolution.is_due(play.combat, combatant, GO_LAST)
        ]
        done: list[tuple[Id, Work]] = []
        for who in members:
            work = yield from complete(play, who)
            done += [] if work is None else [(who, work)]
        moment: dict[Id, Results] = {who: [] for who in members}
        for who, work in done:
            doing = finish(play, who, work, moment[who])
            yield from guarded(play, who, "complex", doing, moment[who])
        yield from land(play, in_turn(moment))
    course = Course(play, GO_LAST)
    while (planned := (yield from as_planned(play, course))) or prompts_of(play.combat, course):
        answers = yield from ask_all(prompts_of(play.combat, course), sealed=True)
        chosen = planned + (yield from taken(play, course, answers))
        yield from carry_out(play, course, chosen)


# ---- the round


def flow(combat: Combat) -> Step | None:
    """Return the next step of the fight, or `None`."""
    if combat.status != "running":
        return None
    match combat.phase:
        case "begun":
            return Step("begin")
        case "next-round":
            return Step("declare")
        case "ending":
            return Step("ended")
        case "declare":
            return Step("initiative" if BEGINNING.of(combat) else "begin-declared")
        case _ if place(combat.phase) < 0:
            return None
        case _:
            return _next(combat)


def _next(combat: Combat) -> Step:
    """Return the next slot in which a combatant acts. Before step 4, record the melees."""
    name = resolution.next_slot(combat)
    first = place("multi-primary/HIGH")
    due = place(combat.phase) < first <= place(name) and not IN_MELEE.known(combat)
    if due and multi_attackers(combat):
        return Step("step-4")
    return Step("end-of-round") if name == END else Step("slot", {"name": name})


# ---- step 1


def declare(play: Play) -> Procedure[None]:
    """Announce the round, and collect the declarations (VD-SEQ-03, VD-SEQ-04)."""
    yield RoundBegan(play.combat.round + 1, rules=("VD-SEQ-03",))
    yield from expire(play, NEXT_ROUND, rules=("VD-END-02",))
    for who in [combatant.id for combatant in play.combat]:
        yield new_budget(play.combat[who])
    yield PhaseBegan(DECLARE, rules=("VD-DECL-01",))
    yield from declarations.declare(play)


def begin_declared(play: Play) -> Procedure[None]:
    """Begin the declared actions after step 1, when all its prompts are closed."""
    yield BEGINNING.set(True, rules=("VD-DECL-01",))
    yield from declarations.begin(play)


# ---- step 2


@rule("VD-INIT-01", "Each group rolls 1d6 in every round, in the order of joining")
def initiative(play: Play) -> Procedure[None]:
    """Roll 1d6 for each group, in the order in which the groups joined (VD-INIT-01)."""
    yield PhaseBegan(INITIATIVE, rules=("VD-INIT-01",))
    dice: dict[str, int] = {}
    rollers: dict[str, Id] = {}
    while group := next((group for group in groups(play.combat) if group not in dice), None):
        first = next(
            combatant for combatant in play.combat if group_of(play.combat, combatant) == group
        )
        gone = partial(_gone_from, play, first.id, group)
        rules = ("VD-INIT-01",)
        rolled = yield from roll(first.id, "group-initiative", "1d6", rules=rules, stops=gone)
        if rolled is not None:  # if the roller has gone, the next member of the group rolls
            dice[group], rollers[group] = rolled.total, first.id
    if dice:
        ranks = ranked(dice)
        yield RANKS.set(ranks, rules=("VD-INIT-02", "VD-INIT-03", "VD-INIT-04"))
        for group, who in rollers.items():
            rank = ranks[group]
            yield Judged(who, "group-initiative", rank.rank, rank.die, rules=("VD-INIT-02",))


def _gone_from(play: Play, who: Id, group: str) -> Illegal | None:
    """Return the reason why `who` no longer rolls for a group, or `None`."""
    if play.absent(who) is None and group_of(play.combat, play.combat[who]) != group:
        return refuse("VD-INIT-01", "other-group", f"{who} is no longer one of {group}", NO_FIELD)
    return play.absent(who)


def groups(combat: Combat) -> list[str]:
    """Return the initiative groups. A group without members does not roll (GAP-54)."""
    return list(dict.fromkeys(group_of(combat, combatant) for combatant in combat))


@rule("VD-INIT-02", "The group with the highest die is HIGH and acts first in step 5")
@rule("VD-INIT-03", "A group with a lower die is LOW")
@rule("VD-INIT-04", "Groups with equal highest dice are all HIGH, without a second roll")
@rule(
    "VD-INIT-09",
    "Among more than two groups, those with the highest die are HIGH and all others are LOW",
)
def ranked(dice: Mapping[str, int]) -> dict[str, GroupRank]:
    """Return HIGH for each group with the highest die, and LOW for the others (VD-INIT-02)."""
    best = max(dice.values())
    return {group: GroupRank(die, "HIGH" if die == best else "LOW") for group, die in dice.items()}


# ---- step 4


def multi_attackers(combat: Combat) -> list[Id]:
    """Return the multi-attackers that are in melee (VD-MULTI-01)."""
    return [
        combatant.id
        for combatant in combat
        if able(combatant) and combatant.has("engaged") and has_multi_attack(sheet(combatant))
    ]


@rule("VD-SEQ-06", "In step 4, multi-attackers in melee act")
@rule("VD-MULTI-01", "A multi-attacker that begins step 4 in melee uses its primary routine there")
def step_4(play: Play) -> Procedure[None]:
    """Record the multi-attackers in melee, which act in step 4 (VD-MULTI-01)."""
    yield IN_MELEE.set(tuple(multi_attackers(play.combat)), rules=("VD-MULTI-01",))


# ---- the end


def ended(play: Play) -> Procedure[None]:
    """End the combat as the GM has decided."""
    left = [combatant.side for combatant in play.combat if in_fight(play.combat, combatant.id)]
    yield outcome(play.combat, left, "VD-END-01")


# ---- newcomers


def arrive(play: Play, who: Id) -> Procedure[None]:
    """Apply the conditions of a newcomer's sheet.

    During a round, the newcomer also gets a major action and a spell (GAP-54).
    """
    combatant = play.combat[who]
    for held in sheet(combatant).conditions:
        gift = Gift(who, as_effect(held.id, held), duration=held.duration, rules=("VD-CONC-02",))
        key = sheet_key(play.combat[who], held.id)
        yield replace(gained(play.combat, gift), key=key)
    if play.combat.round and play.combat.status == "running":
        yield new_budget(play.combat[who])


def sheet_key(combatant: Combatant, condition: str) -> str:
    """Return a key for a condition of the sheet, even if two have the same name (GAP-57)."""
    taken = {held.key for held in combatant.conditions}
    number = next(at for at in itertools.count() if _numbered(condition, at) not in taken)
    return _numbered(condition, number)


def _numbered(condition: str, at: int) -> str:
    return f"{condition}#sheet{at + 1}" if at else f"{condition}#sheet"


PROCEDURES: Mapping[str, Callable[..., Procedure[None]]] = {
    "begin": begin,
    "declare": declare,
    "begin-declared": begin_declared,
    "initiative": initiative,
    "step-4": step_4,
    "slot": slot,
    "end-of-round": end_of_round,
    "ended": ended,
    "fall": fall,
    "hit-points": roll_hit_points,
}
