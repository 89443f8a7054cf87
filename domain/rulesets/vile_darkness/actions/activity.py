"""simple, delaying, complex: activities, and abilities that are used like them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Json
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness import ability_use, activities
from domain.rulesets.vile_darkness.ability_use import ability, what_it_takes
from domain.rulesets.vile_darkness.action_costs import after_the_major, free_major, own_turn, placed
from domain.rulesets.vile_darkness.commitments import at_once
from domain.rulesets.vile_darkness.deed import Deed
from domain.rulesets.vile_darkness.facts import ADDED, MAJOR_IN
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.numbers import sheet
from domain.rulesets.vile_darkness.sheet import segments_of
from domain.rulesets.vile_darkness.slots import phase_of
from domain.rulesets.vile_darkness.work import Doing, may_begin, nothing_else, of_kind, started

# ---- what they have in common


def is_major(combat: Combat, combatant: Combatant, inputs: Doing) -> bool:
    """Minor by default, major where it is noted (VD-SIMP-01, VD-DLYG-01)."""
    return bool(activities.majors(combat, combatant, inputs.tasks))


def one_major(combat: Combat, combatant: Combatant, inputs: Doing) -> Iterator[Illegal]:
    """A major one wants the major action of the round, and there is no second (VD-MAJ-01)."""
    found = activities.majors(combat, combatant, inputs.tasks)
    if found:
        yield from free_major(combatant)
    if len(found) > 1:
        detail = (
            f"{activities.activity(combat, combatant, found[1]).id} is a major action of its own"
        )
        yield refuse("VD-MAJ-01", "major-already-used", detail, "activities")


def segments(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """Return the segments of its major action, or of all parts without one.

    VD-TIME-04, VD-SIMP-01.
    """
    found = activities.majors(combat, combatant, inputs.tasks)
    return (
        sum(activities.times(combat, combatant, found))
        if found
        else sum(_minor(combat, combatant, inputs))
    )


def beside(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """Return the segments that minor actions add to a major one (VD-MIN-05)."""
    return sum(_minor(combat, combatant, inputs)) if is_major(combat, combatant, inputs) else 0


def time(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """All of it; and, of a major one, what minor actions have added before (GAP-12)."""
    whole = segments(combat, combatant, inputs) + beside(combat, combatant, inputs)
    return whole + (ADDED.of(combatant) if is_major(combat, combatant, inputs) else 0)


def minors(combat: Combat, combatant: Combatant, inputs: Doing) -> int:
    """How many minor actions with a time these are (GAP-61)."""
    return len(_minor(combat, combatant, inputs))


def _minor(combat: Combat, combatant: Combatant, inputs: Doing) -> list[int]:
    """The segments of each minor action in it that takes any."""
    found = activities.times(combat, combatant, activities.minors(combat, combatant, inputs.tasks))
    own = segments_of(ability(combatant, inputs.ability)) if inputs.ability is not None else 0
    return [*found, own] if own else found


def _effect(play: Play, who: Id, inputs: Doing, results: Results) -> Procedure[None]:
    yield from activities.do(play, who, inputs.tasks, results)
    if inputs.ability is not None:
        each = ability(play.combat[who], inputs.ability)
        yield from ability_use.used(play, who, each, inputs.target, results)


def _fits(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    if inputs.ability is not None:
        combatant = play.combat[who]
        each = ability(combatant, inputs.ability)
        yield from ability_use.still_fits(play.combat, combatant, each, inputs.target)


# ---- simple


def _simple_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    combat, combatant = play.combat, play.combat[who]
    yield from own_turn(combatant)
    yield from of_kind(combat, combatant, inputs, "simple")
    # With the major action, so in the slot in which that was taken; else in D4 (VD-GRP-07).
    if took_major_here(combat, combatant):
        yield from after_the_major(combat, who)
    else:
        yield from placed(combat, who, phase_of(combat, "other"), minor=True)
    yield from one_major(combat, combatant, inputs)
    yield from activities.not_to_hand(combat, combatant, inputs.placed)


def took_major_here(combat: Combat, combatant: Combatant) -> bool:
    """Whether the major action was taken in the present slot."""
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


SIMPLE: Final[Deed] = Deed(
    "simple",
    Doing,
    _simple_refusals,
    _simple_candidates,
    "A simple activity",
    procedure=lambda play, who, inputs: at_once(play, who, SIMPLE, inputs),
    interjection=True,
    cost="minor (or as data)",
    rules=("VD-SIMP-01", "VD-GRP-07", "VD-MIN-01"),
    effect=_effect,
    segments=segments,
    beside=beside,
    time=time,
    major=is_major,
    carries=True,
    minors=minors,
    tasks=lambda inputs: inputs.tasks,
    bundle=True,
).shown("use", "[Do {activity}][Do {activities}]", "activity")


# ---- delaying


def delaying_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    """Refuse a delaying activity outside LOW.

    In HIGH it is queued (VD-DLYG-02). For the delayed it is complex (VD-DLYG-06).
    """
    combat, combatant = play.combat, play.combat[who]
    yield from own_turn(combatant)
    yield from of_kind(combat, combatant, inputs, "delaying")
    # To the delayed it is complex, and begins wherever they are; from HIGH it waits for LOW.
    anywhere = combatant.has("delayed") or combat.phase.startswith("group/HIGH/")
    yield from placed(combat, who, None if anywhere else phase_of(combat, "other"), minor=True)
    if combatant.has("delayed"):
        yield from nothing_else(combatant, "VD-DLYG-06")
    else:
        yield from one_major(combat, combatant, inputs)
    if inputs.ability is not None:
        yield from what_it_takes(
            combat, combatant, ability(combatant, inputs.ability), inputs.target
        )


def _counted(play: Play, who: Id, inputs: Doing) -> Procedure[Illegal | None]:
    if inputs.ability is None:
        return None
    return (yield from ability_use.counted(play, who, ability(play.combat[who], inputs.ability)))


def _ability_candidates(action: str) -> Callable[[Play, Id], Iterator[Mapping[str, Json]]]:
    def found(play: Play, who: Id) -> Iterator[Mapping[str, Json]]:
        combatant = play.combat[who]
        for activity in activities.known_activities(play.combat, combatant).values():
            if activity.kind == action:
                yield {"activity": activity.id}
        yield from ability_use.candidates(action)(play, who)

    return found


DELAYING: Final[Deed] = replace(
    SIMPLE,
    id="delaying",
    refusals=delaying_refusals,
    candidates=_ability_candidates("delaying"),
    label="A delaying activity",
    procedure=lambda play, who, inputs: at_once(play, who, DELAYING, inputs),
    rules=("VD-DLYG-01", "VD-DLYG-03"),
    before=_counted,
    bundle=False,
    delays=lambda combat, combatant, inputs: True,
    fits=_fits,
)


# ---- complex


def complex_refusals(play: Play, who: Id, inputs: Doing) -> Iterator[Illegal]:
    """Undeclared, in step 5: the GM may allow part of it (VD-CPLX-03)."""
    combat, combatant = play.combat, play.combat[who]
    yield from own_turn(combatant)
    yield from placed(combat, who, None)
    yield from nothing_else(combatant, "VD-CPLX-03")
    yield from may_begin(combat, combatant, inputs)


UNDECLARED = choices("refuse", "allow-part")


def undeclared(play: Play, who: Id, inputs: Doing) -> Procedure[Illegal | None]:
    """Refused, unless the GM allows part of it; then the GM counts it, where the data ask."""
    answer = yield from ask_gm(
        "undeclared-complex",
        f"{who} did not declare this complex activity. May it do part of it?",
        UNDECLARED,
        "refuse",
        rules=("VD-CPLX-03",),
        data={"actor": who},
    )
    if answer.option == "refuse":
        return refuse("VD-CPLX-03", "not-declared", "a complex activity must be declared", NO_FIELD)
    return (yield from _counted(play, who, inputs))


def _part(play: Play, who: Id, inputs: Doing, results: Results) -> Procedure[None]:
    yield from list(started(play.combat, play.combat[who], inputs, part=True))


COMPLEX: Final[Deed] = Deed(
    "complex",
    Doing,
    complex_refusals,
    _ability_candidates("complex"),
    "A complex activity",
    procedure=lambda play, who, inputs: at_once(play, who, COMPLEX, inputs),
    interjection=True,
    cost="major, whole round",
    rules=("VD-CPLX-01", "VD-CPLX-03"),
    before=undeclared,
    effect=_part,
    segments=lambda combat, combatant, inputs: 0,
    major=lambda combat, combatant, inputs: False,
).shown("use", "[Begin {activity}][Begin {activities}][Begin {ability}]", "activity", "ability")
