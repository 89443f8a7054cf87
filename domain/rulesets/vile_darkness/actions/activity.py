"""simple, delaying, complex: activities, and what the GM makes of several of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct, convert

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, Noted
from domain.rulebook.effects import Procedure, ask_gm, while_able
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness import activities
from domain.rulesets.vile_darkness.acting import free_major, not_locked, own_turn, placed, use_major
from domain.rulesets.vile_darkness.actions.abilities import ability, aims, of_this_kind, own_action
from domain.rulesets.vile_darkness.activities import Task, Tasks
from domain.rulesets.vile_darkness.concentration import use_up
from domain.rulesets.vile_darkness.deed import Deed, alone
from domain.rulesets.vile_darkness.facts import (
    BEGUN,
    CASTING,
    COMMITTED,
    MAJOR_IN,
    MINORS,
    TIMED,
    WORK,
    Intent,
    Spot,
    Work,
)
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.numbers import ability_of, sheet
from domain.rulesets.vile_darkness.powers import has_uses, spot, take_effect
from domain.rulesets.vile_darkness.sheet import SEGMENTS, Ability, segments_of
from domain.rulesets.vile_darkness.slots import phase_of


class Doing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An activity, or several at once; a delaying or complex ability by its id."""

    activity: Task | None = None
    activities: Tasks = ()
    ability: str | None = None
    target: Id | Spot | None = None

    @property
    def tasks(self) -> tuple[Task, ...]:
        return (() if self.activity is None else (self.activity,)) + self.activities


def _named(inputs: Doing) -> None:
    if not inputs.tasks and inputs.ability is None:
        raise Malformed("/inputs/activity", "name an activity")


def _kinds(combat: Combat, one: Combatant, inputs: Doing, kind: str) -> Iterator[Illegal]:
    """Each through its own action (`wrong-kind`)."""
    for task in inputs.tasks:
        found = activities.activity(combat, one, task)
        if found.kind != kind:
            detail = f"{found.id} is {found.kind}, not {kind}"
            pointer = "/inputs/activity"
            yield Impossible("VD-ABIL-05", "wrong-kind", detail, (found.kind,), pointer)
    if inputs.ability is not None:
        yield from of_this_kind(ability(one, inputs.ability), kind)


def time_of(combat: Combat, one: Combatant, inputs: Doing) -> int:
    """The segments of all of it (VD-TIME-04, VD-SIMP-01)."""
    own = segments_of(ability(one, inputs.ability)) if inputs.ability is not None else 0
    return own + activities.time_of(combat, one, inputs.tasks)


def is_major(combat: Combat, one: Combatant, inputs: Doing) -> bool:
    """Minor by default, major where it is noted (VD-SIMP-01, VD-DLYG-01)."""
    return any(
        activities.activity(combat, one, task).action_type == "major" for task in inputs.tasks
    )


def minors(combat: Combat, one: Combatant, inputs: Doing) -> int:
    """How many minor actions with a time these are (GAP-61)."""
    return 0 if is_major(combat, one, inputs) else activities.timed(combat, one, inputs.tasks)


def _effect(play: Play, who: Id, inputs: Doing) -> Procedure[Results]:
    for task in inputs.tasks:
        yield from list(activities.done(play.combat, who, task))
    if inputs.ability is None:
        return ()
    one = play.combat[who]
    each = ability(one, inputs.ability)
    yield from list(use_up(one, each.id, each.uses))
    return (yield from take_effect(play, who, each, spot(play.combat, who, each, inputs.target)))


# ---- simple


def _simple_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    combat, one = play.combat, play.combat[who]
    yield from own_turn(one)
    _named(inputs)
    yield from _kinds(combat, one, inputs, "simple")
    # With the major action, so in the slot in which that was taken; else in D4 (VD-GRP-07).
    phase = None if took_major_here(combat, one) else phase_of(combat, "other")
    yield from placed(combat, who, phase, minor=True)
    if is_major(combat, one, inputs):
        yield from free_major(one)


def took_major_here(combat: Combat, one: Combatant) -> bool:
    """Whether the major action was taken in the present slot."""
    return MAJOR_IN.of(one) == combat.phase


def _simple_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    one = play.combat[who]
    for each in activities.known_activities(play.combat, one).values():
        if each.kind == "simple":
            yield {"activity": each.id}
    for weapon in sheet(one).weapons:
        yield {"activity": {"activity": "drop-item", "item": weapon.id}}
        yield {"activity": {"activity": "retrieve-item", "item": weapon.id}}
    yield {"activities": ["close-door", {"name": "light a torch"}]}


SIMPLE: Final[Deed] = Deed(
    "simple",
    Doing,
    _simple_refusals,
    _simple_candidates,
    "A simple activity",
    procedure=lambda play, who, inputs: alone(play, who, SIMPLE, inputs),
    interjection=True,
    cost="minor (or as data)",
    rules=("VD-SIMP-01", "VD-GRP-07", "VD-MIN-01"),
    effect=_effect,
    segments=time_of,
    time=time_of,
    major=is_major,
    carries=True,
    minors=minors,
)


# ---- delaying


def delaying_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    """In LOW; in HIGH it is queued (VD-DLYG-02); for the delayed it is complex (VD-DLYG-06)."""
    combat, one = play.combat, play.combat[who]
    yield from own_turn(one)
    _named(inputs)
    yield from _kinds(combat, one, inputs, "delaying")
    phase = combat.phase
    waits = phase.startswith("group/HIGH/") and not one.has("delayed")
    yield from placed(combat, who, None if waits else phase_of(combat, "other"), minor=True)
    if one.has("delayed"):
        yield from nothing_else(one)
    elif is_major(combat, one, inputs):
        yield from free_major(one)
    if inputs.ability is not None:
        yield from has_uses(one, ability(one, inputs.ability))


def nothing_else(one: Combatant) -> Iterator[Illegal]:
    """A complex activity wants the whole round: no major used, no time spent (VD-DLYG-06)."""
    yield from free_major(one)
    if TIMED.of(one) > 0:
        detail = f"{one.name} has done something else in this round"
        yield Illegal("VD-DLYG-06", "complex-in-progress", detail)


def _ability_candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    def found(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        one = play.combat[who]
        for each in activities.known_activities(play.combat, one).values():
            if each.kind == action:
                yield {"activity": each.id}
        for power in sheet(one).abilities:
            if own_action(power) == action:
                yield from aims(play.combat, power)

    return found


DELAYING: Final[Deed] = Deed(
    "delaying",
    Doing,
    delaying_refusals,
    _ability_candidates("delaying"),
    "A delaying activity",
    procedure=lambda play, who, inputs: alone(play, who, DELAYING, inputs),
    interjection=True,
    cost="minor (or as data)",
    rules=("VD-DLYG-01", "VD-DLYG-03"),
    effect=_effect,
    segments=time_of,
    time=time_of,
    major=is_major,
    carries=True,
    minors=minors,
)


# ---- complex


def complex_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    """Undeclared, in step 5: the GM may allow part of it (VD-CPLX-03)."""
    combat, one = play.combat, play.combat[who]
    yield from own_turn(one)
    _named(inputs)
    yield from _kinds(combat, one, inputs, "complex")
    yield from placed(combat, who, None)
    yield from free_major(one, "VD-CPLX-03")
    if TIMED.of(one) > 0:
        detail = f"{one.name} has done something else in this round"
        yield Illegal("VD-CPLX-03", "complex-in-progress", detail)
    if inputs.ability is not None:
        yield from has_uses(one, ability(one, inputs.ability))


UNDECLARED = choices("refuse", "allow-part")


def undeclared(play: Play, who: Id, inputs: Doing) -> Procedure[Illegal | None]:
    """Refused, unless the GM allows part of it."""
    answer = yield from ask_gm(
        "undeclared-complex",
        f"{who} did not declare this complex activity. May it do part of it?",
        UNDECLARED,
        "refuse",
        rules=("VD-CPLX-03",),
        data={"actor": who},
    )
    if answer.option == "allow-part":
        return None
    return Illegal("VD-CPLX-03", "not-declared", "a complex activity must be declared")


def _part(play: Play, who: Id, inputs: Doing) -> Procedure[Results]:
    yield from list(started(play.combat, play.combat[who], inputs, part=True))
    return ()


COMPLEX: Final[Deed] = Deed(
    "complex",
    Doing,
    complex_refusals,
    _ability_candidates("complex"),
    "A complex activity",
    procedure=lambda play, who, inputs: alone(play, who, COMPLEX, inputs),
    interjection=True,
    cost="major, whole round",
    rules=("VD-CPLX-01", "VD-CPLX-03"),
    before=undeclared,
    effect=_part,
    segments=lambda combat, one, inputs: 0,
    major=lambda combat, one, inputs: False,
)


def started(
    combat: Combat, one: Combatant, inputs: Doing, *, part: bool = False
) -> Iterator[AnyEvent]:
    """The round is locked; the major action is committed till Go Last (VD-CPLX-01, -02, -04)."""
    power: Ability | None = None
    rounds, concentration = 1, False
    if inputs.ability is not None:
        power = ability(one, inputs.ability)
        rounds = max(1, -(-segments_of(power) // SEGMENTS))
    for task in inputs.tasks:
        found = activities.activity(combat, one, task)
        rounds = max(rounds, found.rounds if found.kind == "complex" else 1)
        concentration = concentration or found.concentration
    work = Work(
        inputs.ability or activities.activity(combat, one, inputs.tasks[0]).id,
        1 if part else rounds,
        None,
        inputs.ability,
        spot(combat, one.id, power, inputs.target) if power else None,
        tuple(_plain(task) for task in inputs.tasks),
        concentration,
        part,
    )
    rules = ("VD-CPLX-01", "VD-CPLX-04")
    yield COMMITTED.set(one.id, Intent("complex"), rules=rules)
    yield WORK.set(one.id, work, rules=rules)
    yield ConditionGained(one.id, "complex-activity", rules=rules)
    yield BEGUN.set(one.id, "complex", rules=("VD-DECL-01",))


def _plain(task: Task) -> Json:
    if isinstance(task, str):
        return task
    return {"activity": task.activity or task.id, "name": task.name, "item": task.item}


def finish(play: Play, who: Id) -> Procedure[Results]:
    """It is complete: what was in it is done (VD-CPLX-02)."""
    one = play.combat[who]
    work = WORK.of(one)
    if work is None:
        return ()
    rules = ("VD-CPLX-02",)
    yield WORK.clear(who, rules=rules)
    yield ConditionLost(who, "complex-activity", "", "complete", rules=rules)
    yield from list(use_major(play.combat[who], "VD-CPLX-01"))
    word = "activity completed in part" if work.part else "activity completed"
    yield Noted(f"{word}: {work.name}", who, rules=rules)
    for raw in work.with_these:
        task = raw if isinstance(raw, str) else convert(raw, activities.Doing)
        yield from list(activities.done(play.combat, who, task))
    power = ability_of(play.combat[who], work.ability)
    if power is None:
        return ()
    yield from list(use_up(play.combat[who], power.id, power.uses))
    done = yield from while_able(
        play, who, take_effect(play, who, power, work.target or Spot()), "complex"
    )
    return done or ()


# ---- several at once (VD-MIN-07, VD-SIMP-06)

MULTIPLE = choices("none", "delaying", "complex")
MULTIPLE_WITH_MAJOR = choices("none", "delaying")


def several(combat: Combat, one: Combatant, many: int) -> bool:
    """Whether these make two or more minor actions of one combatant in this slot."""
    return many > 0 and many + MINORS.of(one).get(combat.phase, 0) >= 2


def ask_about_several(
    play: Play, who: Id, names: list[str], *, may_be_complex: bool
) -> Procedure[str]:
    """none, delaying or complex: what the GM makes of them."""
    answer = yield from ask_gm(
        "multiple-minors",
        f"{who} does several things at once: {', '.join(names)}. Does it delay?",
        MULTIPLE if may_be_complex else MULTIPLE_WITH_MAJOR,
        "none",
        rules=("VD-MIN-07", "VD-SIMP-06"),
        data={"actor": who, "activities": list(names)},
    )
    return answer.option


def may_be_complex(one: Combatant) -> bool:
    """The major action is unused, and nothing else is under way (GAP-61)."""
    free = one.budget.get("major", 0) > 0 and COMMITTED.of(one) is None
    return free and CASTING.of(one) is None and next(not_locked(one), None) is None
