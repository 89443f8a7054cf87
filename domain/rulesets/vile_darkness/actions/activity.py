"""The actions `simple`, `delaying` and `complex`.

Each carries out activities, or an ability of the same kind.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness import abilities, activities
from domain.rulesets.vile_darkness.abilities import ability, what_it_takes
from domain.rulesets.vile_darkness.activities import (
    Doing,
    all_of_kind,
    at_once,
    may_begin,
    nothing_else,
    started,
)
from domain.rulesets.vile_darkness.deed import InSlot, deed
from domain.rulesets.vile_darkness.facts import ADDED, MAJOR_IN
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.notation import segments_of
from domain.rulesets.vile_darkness.numbers import sheet
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import (
    after_the_major,
    free_major,
    on_own_turn,
    phase_of,
    placed,
)

# ---- shared by all kinds


def is_major(combat: Combat, combatant: Combatant, inputs: Doing) -> bool:
    """Return true if an activity is marked as major or complex (VD-SIMP-01, VD-DLYG-01)."""
    return bool(activities.majors(combat, combatant, inputs.tasks))


def one_major(combat: Combat, combatant: Combatant, inputs: Doing) -> Iterator[Illegal]:
    """Refuse a second major action in the round, or two major activities at once (VD-MAJ-01)."""
    majors = activities.majors(combat, combatant, inputs.tasks)
    if majors:
        yield from free_major(combatant)
    if len(majors) > 1:
        second = activities.activity(combat, combatant, majors[1])
        detail = f"{second.id} is a major action of its own"
        yield refuse("VD-MAJ-01", "major-already-used", detail, "activities")


def segments(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """Return the segments of the major activities, or of all parts if none is major.

    VD-TIME-04, VD-SIMP-01.
    """
    majors = activities.majors(combat, combatant, inputs.tasks)
    if majors:
        return sum(activities.times(combat, combatant, majors))
    return sum(_minor(combat, combatant, inputs))


def beside(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """Return the segments that minor activities add to the major action (VD-MIN-05)."""
    return sum(_minor(combat, combatant, inputs)) if is_major(combat, combatant, inputs) else 0


def time(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """Return the time of the action for ties.

    A major action adds the segments of the combatant's earlier minor actions (GAP-12).
    """
    whole = segments(combat, combatant, inputs) + beside(combat, combatant, inputs)
    return whole + (ADDED.of(combatant) if is_major(combat, combatant, inputs) else 0)


def minors(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """Return the number of minor actions that take time (GAP-61)."""
    return len(_minor(combat, combatant, inputs))


def _minor(combat: Combat, combatant: Combatant, inputs: Doing) -> list[int]:
    """Return the segments of each minor action that takes time."""
    tasks = activities.minors(combat, combatant, inputs.tasks)
    times = activities.times(combat, combatant, tasks)
    own = segments_of(ability(combatant, inputs.ability)) if inputs.ability is not None else 0
    return [*times, own] if own else times


def effect(act: Act[Doing], results: Results) -> Procedure[None]:
    """Carry out the activities, and use the ability."""
    play, who, inputs = act.play, act.who, act.inputs
    yield from activities.do(play, who, inputs.tasks, results)
    if inputs.ability is not None:
        power = ability(act.actor, inputs.ability)
        yield from abilities.used(play, who, power, inputs.target, results)


def fits(act: Act[Doing]) -> Iterator[Illegal]:
    inputs = act.inputs
    if inputs.ability is not None:
        power = ability(act.actor, inputs.ability)
        yield from abilities.still_fits(act.combat, act.actor, power, inputs.target)


def counted(act: Act[Doing]) -> Procedure[Illegal | None]:
    """Ask the GM if the ability counts as a spell, unless its data decide."""
    if act.inputs.ability is None:
        return None
    power = ability(act.actor, act.inputs.ability)
    return (yield from abilities.counted(act.play, act.who, power))


TASKS = InSlot(
    segments=segments,
    beside=beside,
    time=time,
    major=is_major,
    carries=True,
    minors=minors,
    tasks=lambda inputs: inputs.tasks,
)


def candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    """Return a function that proposes the activities and the abilities of this kind."""

    def proposed(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        combatant = play.combat[who]
        for activity in activities.known_activities(play.combat, combatant).values():
            if activity.kind == action:
                yield {"activity": activity.id}
        yield from abilities.candidates(action)(play, who)

    return proposed


# ---- simple


def simple_now(act: Act[Doing]) -> Iterator[Illegal]:
    """Refuse a simple activity that is neither in D4 nor in the slot of the major action.

    VD-GRP-07.
    """
    combat, combatant, inputs = act.combat, act.actor, act.inputs
    yield from all_of_kind(combat, combatant, inputs, "simple")
    if took_major_here(combat, combatant):
        yield from after_the_major(combat, act.who)
    else:
        yield from placed(combat, act.who, phase_of(combat, "other"), minor=True)
    yield from one_major(combat, combatant, inputs)
    yield from activities.not_to_hand(combat, combatant, inputs.placed)


@rule(
    "VD-GRP-07", "A simple activity goes with the major action, before or after it, or else in D4"
)
def took_major_here(combat: Combat, combatant: Combatant) -> bool:
    """Return true if the combatant took its major action in the current slot."""
    return MAJOR_IN.of(combatant) == combat.phase


def _simple_candidates(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
    combatant = play.combat[who]
    for activity in activities.known_activities(play.combat, combatant).values():
        if activity.kind == "simple":
            yield {"activity": activity.id}
    for weapon in sheet(combatant).weapons:
        yield {"activity": {"activity": "drop-item", "item": weapon.id}}
        yield {"activity": {"activity": "retrieve-item", "item": weapon.id}}
    yield {"activities": ["close-door", {"name": "light a torch"}]}


@deed(
    "simple", "A simple activity", Doing,
    cost="usually minor", category="use", headline="[{activity}][{activities}]",
    essential=("activity",),
    rules={"VD-SIMP-01": "A simple activity is minor and takes 1 segment by default"},
    also=("VD-GRP-07", "VD-MIN-01"),
    refusals=(on_own_turn, simple_now),
    propose=_simple_candidates,
    alone=at_once,
    in_slot=replace(TASKS, bundle=True),
)  # fmt: skip
def simple(act: Act[Doing], results: Results) -> Procedure[None]:
    """Do simple activities."""
    yield from effect(act, results)


# ---- delaying


def delaying_now(act: Act[Doing]) -> Iterator[Illegal]:
    """Refuse a delaying activity of LOW outside D4, unless the combatant is delayed.

    - In all phases of HIGH, the activity is legal. Affray queues it for LOW (VD-DLYG-02).
    - For a delayed combatant, the activity is complex and begins in any phase (VD-DLYG-06).
    """
    combat, combatant, inputs = act.combat, act.actor, act.inputs
    yield from all_of_kind(combat, combatant, inputs, "delaying")
    # For a delayed combatant, the activity is complex, so it can begin in any phase.
    anywhere = combatant.has("delayed") or combat.phase.startswith("group/HIGH/")
    yield from placed(combat, act.who, None if anywhere else phase_of(combat, "other"), minor=True)
    if combatant.has("delayed"):
        yield from nothing_else(combatant, "VD-DLYG-06")
    else:
        yield from one_major(combat, combatant, inputs)
    if inputs.ability is not None:
        power = ability(combatant, inputs.ability)
        yield from what_it_takes(combat, combatant, power, inputs.target)


@deed(
    "delaying", "A delaying activity", Doing,
    cost="usually minor", category="use", headline="[{activity}][{activities}]",
    essential=("activity",),
    rules={"VD-DLYG-01": "A delaying activity is minor and takes 1 segment, unless data say more"},
    also=("VD-DLYG-03",),
    refusals=(on_own_turn, delaying_now),
    propose=candidates("delaying"),
    alone=at_once,
    in_slot=replace(
        TASKS, before=counted, delays=lambda combat, combatant, inputs: True, fits=fits
    ),
)  # fmt: skip
def delaying(act: Act[Doing], results: Results) -> Procedure[None]:
    """Carry out delaying activities in LOW."""
    yield from effect(act, results)


# ---- complex


def complex_now(act: Act[Doing]) -> Iterator[Illegal]:
    """Refuse an undeclared complex activity outside step 5.

    In step 5, the GM may allow a part of the activity (VD-CPLX-03).
    """
    yield from placed(act.combat, act.who, None)
    yield from nothing_else(act.actor, "VD-CPLX-03")
    yield from may_begin(act.combat, act.actor, act.inputs)


UNDECLARED = choices("refuse", "allow-part")


def undeclared(act: Act[Doing]) -> Procedure[Illegal | None]:
    """Ask the GM to allow a part of an undeclared complex activity.

    The GM also decides if its ability counts as a spell.
    """
    answer = yield from ask_gm(
        "undeclared-complex",
        f"{act.who} did not declare this complex activity. May it do part of it?",
        UNDECLARED,
        "refuse",
        rules=("VD-CPLX-03",),
        data={"actor": act.who},
    )
    if answer.option == "refuse":
        detail = "a complex activity must be declared"
        return refuse("VD-CPLX-03", "not-declared", detail, NO_FIELD)
    return (yield from counted(act))


@deed(
    "complex", "A complex activity", Doing,
    cost="major, whole round", category="use",
    headline="[Begin {activity}][Begin {activities}][Begin {ability}]",
    essential=("activity", "ability"),
    rules={"VD-CPLX-03": "A complex activity must be declared, unless the GM allows part of it"},
    also=("VD-CPLX-01",),
    refusals=(on_own_turn, complex_now),
    propose=candidates("complex"),
    alone=at_once,
    in_slot=InSlot(
        before=undeclared,
        segments=lambda combat, combatant, inputs: 0,
        major=lambda combat, combatant, inputs: False,
    ),
)  # fmt: skip
def complex_activity(act: Act[Doing], results: Results) -> Procedure[None]:
    """Begin the part of the activity that the GM allows."""
    yield from list(started(act.combat, act.actor, act.inputs, part=True))
