"""Carry out activities without magic, and queue actions that wait (VD-SIMP, VD-CPLX)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec import convert

from domain.errors import Illegal, Impossible, Malformed, Refused
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, EffectResolved
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.id_names import words
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulesets.vile_darkness.abilities import (
    Using,
    ability,
    aim,
    of_this_kind,
    spot,
    used,
    what_is_left,
)
from domain.rulesets.vile_darkness.deed import Deed, asked, performed, taken_away
from domain.rulesets.vile_darkness.facts import (
    BEGUN,
    CASTING,
    COMMITTED,
    ITEMS,
    LOADED,
    MINORS,
    MOVED_TO_LOW,
    QUEUED,
    TIMED,
    WORK,
    Chore,
    Intent,
    Spot,
    Task,
    Tasks,
    Work,
)
from domain.rulesets.vile_darkness.harm import Results, Then, another, stop_maintaining
from domain.rulesets.vile_darkness.notation import (
    SEGMENTS,
    counts_as_spell,
    needs_concentration,
    segments_of,
)
from domain.rulesets.vile_darkness.numbers import ability_of, able, options, sheet, state_of
from domain.rulesets.vile_darkness.outcomes import of_ability, of_action, of_activity
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Activity
from domain.rulesets.vile_darkness.slots import free_major, not_locked, rank, use_major, use_spell
from domain.rulesets.vile_darkness.targets import had_fallen


def known_activities(combat: Combat, combatant: Combatant) -> dict[str, Activity]:
    """Return the activities of the table and of the sheet, which takes precedence."""
    return {
        activity.id: activity
        for activity in (*options(combat).activities, *sheet(combatant).activities)
    }


@rule("VD-MIN-03", "A minor action without magic is a simple activity")
@rule(
    "VD-SIMP-08",
    "Any task can be an activity, which is simple, minor and takes 1 segment by default",
)
def activity(combat: Combat, combatant: Combatant, task: Task, at: str = "") -> Activity:
    """Return the activity of a task. `at` is the JSON pointer of the task.

    A task that no table lists is a simple minor activity of 1 segment (VD-SIMP-08).
    """
    id = task if isinstance(task, str) else task.activity or task.id
    listed = known_activities(combat, combatant)
    if id is not None and id in listed:
        return listed[id]
    name = None if isinstance(task, str) else task.name
    if name is None:
        raise Malformed(
            at or "/inputs/activity", f"{id!r} is not in the table: give it a name", sorted(listed)
        )
    return Activity(id=id or name, name=name)


WITH = "/inputs/with"
"The JSON pointer to the activities that go with an attack."


def thing(task: Task) -> str | None:
    """Return the item of a task, or `None`."""
    return None if isinstance(task, str) else task.item


@rule("VD-SIMP-03", "A part of the major action adds no time, such as drawing the weapon")
@rule(
    "VD-SIMP-05", "Sheathing one weapon and drawing another for an attack adds one segment in ties"
)
def times(
    combat: Combat,
    combatant: Combatant,
    tasks: Tasks,
    within: str = "",
    weapons: Collection[str] = (),
) -> list[int]:
    """Return the segments of each task that takes time (VD-SIMP-03).

    An attack includes the time to draw its own weapon, but not another weapon.
    """
    segments: list[int] = []
    for task in tasks:
        what, item = activity(combat, combatant, task), thing(task)
        another = what.id == "draw-weapon" and item is not None and item not in weapons
        if what.segments and (within not in what.included_in or another):
            segments.append(what.segments)
    return segments


def majors(combat: Combat, combatant: Combatant, tasks: Tasks) -> Tasks:
    """Return the tasks that are major or complex (VD-SIMP-01, VD-CPLX-01)."""
    return tuple(task for task in tasks if _is_major(activity(combat, combatant, task)))


def minors(combat: Combat, combatant: Combatant, tasks: Tasks) -> Tasks:
    """Return the tasks that are neither major nor complex."""
    return tuple(task for task in tasks if not _is_major(activity(combat, combatant, task)))


def _is_major(what: Activity) -> bool:
    return what.action_type == "major" or what.kind == "complex"


def of_other_kind(
    combat: Combat, combatant: Combatant, placed: Iterable[tuple[str, Task]], kind: str
) -> Iterator[Illegal]:
    """Refuse tasks of another kind, which need another action (`wrong-kind`)."""
    for pointer, task in placed:
        what = activity(combat, combatant, task, pointer)
        if what.kind != kind:
            detail = f"{what.id} is {what.kind}, not {kind}"
            yield Impossible("VD-ABIL-05", "wrong-kind", detail, (what.kind,), pointer)


def placed(tasks: Tasks, at: str) -> list[tuple[str, Task]]:
    """Return each task with its JSON pointer."""
    return [(f"{at}/{index}", task) for index, task in enumerate(tasks)]


def of_kind(
    combat: Combat, combatant: Combatant, tasks: Tasks, kind: str, at: str
) -> tuple[str, ...]:
    """Return the ids of the tasks of this kind."""
    generator = (activity(combat, combatant, task, pointer) for pointer, task in placed(tasks, at))
    return tuple(activity.id for activity in generator if activity.kind == kind)


def beside_a_major(combat: Combat, combatant: Combatant, tasks: Tasks) -> Iterator[Illegal]:
    """Refuse major and complex tasks in addition to a major action (VD-MAJ-01, VD-CPLX-04)."""
    for pointer, task in placed(tasks, WITH):
        what = activity(combat, combatant, task, pointer)
        if what.kind == "complex":
            yield from of_other_kind(combat, combatant, [(pointer, task)], "simple")
        elif what.action_type == "major":
            detail = f"{what.id} is a major action of its own"
            yield Illegal("VD-MAJ-01", "major-already-used", detail, pointer=pointer)


def retrieved(combat: Combat, combatant: Combatant, tasks: Tasks) -> tuple[str, ...]:
    """Return the items that these tasks retrieve (GAP-58)."""
    back = (task for task in tasks if activity(combat, combatant, task).id == "retrieve-item")
    return tuple(item for item in map(thing, back) if item is not None)


def not_to_hand(
    combat: Combat, combatant: Combatant, placed: Iterable[tuple[str, Task]]
) -> Iterator[Illegal]:
    """Refuse to use an item that is gone, unless an earlier task retrieves it (GAP-58)."""
    now: dict[str, str] = {}
    for pointer, task in placed:
        what, item = activity(combat, combatant, task).id, thing(task)
        if item is None or what not in CHANGES:
            continue
        if what != "retrieve-item" and now.get(item, state_of(combatant, item)) == "gone":
            detail = f"{item} is not to hand any more"
            yield Illegal("VD-SIMP-03", "no-weapon", detail, pointer=pointer)
        now[item] = CHANGES[what]


CHANGES = {
    "draw-weapon": "held",
    "sheathe-weapon": "stowed",
    "drop-item": "gone",
    "retrieve-item": "held",
}
"The state of an item after each activity."


def do(
    play: Play, who: Id, tasks: Tasks, results: Results, *, told: bool = False
) -> Procedure[None]:
    """Carry out the tasks.

    Affray loads weapons at once. It changes the state of items when the results apply.
    If `told` is true, the log has already reported the tasks.
    """
    for task in tasks:
        yield from list(loaded(play.combat, who, task))
        if not told:
            yield came_of(play.combat, who, task, "done", "VD-SIMP-01")
        results.append(Then(partial(changed, play, who, task)))


def changed(play: Play, who: Id, task: Task) -> Iterator[AnyEvent]:
    """Yield the events that change the state of the task's item (GAP-58).

    If the task needs concentration, the previous concentration ends (VD-CONC-07).
    """
    combatant = play.combat[who]
    what = activity(play.combat, combatant, task)
    item = thing(task)
    new = CHANGES.get(what.id)
    if what.concentration:
        yield from another(combatant)
    if new is not None and item is not None:
        yield ITEMS.set(who, {**ITEMS.of(combatant), item: new}, rules=("VD-MIN-02", "VD-SIMP-01"))


@rule("VD-DLYG-04", "A delaying activity that is part of an attack takes place with the attack")
def loaded(combat: Combat, who: Id, task: Task) -> Iterator[AnyEvent]:
    """Load the weapon that this task loads, if there is such a weapon."""
    combatant = combat[who]
    what = activity(combat, combatant, task)
    item = thing(task)
    for weapon in sheet(combatant).weapons:
        if weapon.loading == what.id and item in (None, weapon.id):
            yield LOADED.set(who, {**LOADED.of(combatant), weapon.id: True}, rules=("VD-DLYG-04",))
            break


def came_of(combat: Combat, who: Id, task: Task, result: str, rule: str) -> EffectResolved:
    """Return the event with the result of a task, even if no table lists its activity."""
    chore = Chore(activity=task) if isinstance(task, str) else task
    id = chore.activity or chore.id or chore.name or ""
    listed = known_activities(combat, combat[who]).get(id)
    name = chore.name if listed is None else listed.name
    return of_activity(who, id, result, name=name, item=chore.item, rules=(rule,))


# ---- complex activities (VD-CPLX)


class Doing(Using, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Inputs with activities, or with the id of a delaying or complex ability."""

    activity: Task | None = None
    activities: Tasks = ()

    @property
    def tasks(self) -> tuple[Task, ...]:
        return (() if self.activity is None else (self.activity,)) + self.activities

    @property
    def placed(self) -> tuple[tuple[str, Task], ...]:
        """Return each task with its JSON pointer."""
        first = () if self.activity is None else (("/inputs/activity", self.activity),)
        return (*first, *placed(self.activities, "/inputs/activities"))


def all_of_kind(
    combat: Combat, combatant: Combatant, inputs: Doing, kind: str
) -> Iterator[Illegal]:
    """Refuse tasks or an ability of another kind. Raise `Malformed` for inputs without both."""
    if not inputs.tasks and inputs.ability is None:
        raise Malformed("/inputs/activity", "name an activity")
    yield from of_other_kind(combat, combatant, inputs.placed, kind)
    if inputs.ability is not None:
        yield from of_this_kind(ability(combatant, inputs.ability), kind)


def may_begin(combat: Combat, combatant: Combatant, inputs: Doing) -> Iterator[Illegal]:
    """Refuse a complex activity with parts of another kind, or with an ability that is used up.

    The ability also needs a possible target and, for a spell, the spell of the round. Later rounds
    do not check this again.
    """
    yield from all_of_kind(combat, combatant, inputs, "complex")
    if inputs.ability is not None:
        power = ability(combatant, inputs.ability)
        yield from what_is_left(combatant, power)
        aim(combat, combatant, power, inputs.target)


@rule(
    "VD-DLYG-06",
    "A delaying activity of a delayed combatant is complex: major, at Go Last, "
    "and alone in its round",
)
def nothing_else(combatant: Combatant, rule: str) -> Iterator[Illegal]:
    """Refuse if the major action or any time of the round is used (VD-CPLX-03, VD-DLYG-06)."""
    yield from free_major(combatant, rule)
    if TIMED.of(combatant) > 0:
        detail = f"{combatant.name} has done something else in this round"
        yield refuse(rule, "complex-in-progress", detail, NO_FIELD)


def may_be_complex(combatant: Combatant) -> bool:
    """Return true if the major action is unused and no spell or complex activity is in progress.

    GAP-61.
    """
    free = next(free_major(combatant), None) is None
    return free and CASTING.of(combatant) is None and next(not_locked(combatant), None) is None


@rule("VD-TIME-07", "A complex activity takes the full round")
@rule("VD-MAJ-03", "A major action that fills the round is a complex activity")
@rule("VD-CPLX-01", "A complex activity is declared, major, and takes a round or longer")
def started(
    combat: Combat, combatant: Combatant, inputs: Doing, *, part: bool = False
) -> Iterator[AnyEvent]:
    """Yield the events that begin a complex activity, which takes the round until Go Last.

    VD-CPLX-01, VD-CPLX-02, VD-CPLX-04, VD-TIME-07, VD-MAJ-03.
    """
    rules = ("VD-CPLX-01", "VD-CPLX-04")
    rounds, concentration, target = 1, False, None
    if inputs.ability is not None:
        power = ability(combatant, inputs.ability)
        rounds = max(1, -(-segments_of(power) // SEGMENTS))
        concentration = needs_concentration(power)
        target = spot(combat, combatant.id, power, inputs.target)
        if counts_as_spell(power) is True:
            yield from use_spell(combatant)
    for task in inputs.tasks:
        what = activity(combat, combatant, task)
        rounds = max(rounds, what.rounds if what.kind == "complex" else 1)
        concentration = concentration or what.concentration
    if concentration:
        yield from stop_maintaining(combatant, "another concentration", "VD-CONC-07")
    work = Work(
        inputs.ability or activity(combat, combatant, inputs.tasks[0]).id,
        1 if part else rounds,
        None,
        inputs.ability,
        target,
        tuple(_plain(task) for task in inputs.tasks),
        concentration,
        part,
    )
    yield COMMITTED.set(combatant.id, Intent("complex"), rules=rules)
    yield WORK.set(combatant.id, work, rules=rules)
    yield ConditionGained(combatant.id, "complex-activity", rules=rules)
    yield BEGUN.set(combatant.id, "complex", rules=("VD-DECL-01",))


def _plain(task: Task) -> Json:
    if isinstance(task, str):
        return task
    return {"activity": task.activity or task.id, "name": task.name, "item": task.item}


def complete(play: Play, who: Id) -> Procedure[Work | None]:
    """Complete a complex activity in its last round, and return it (VD-CPLX-02)."""
    work = WORK.of(play.combat[who])
    if work is None:
        return None
    rules = ("VD-CPLX-02",)
    yield WORK.clear(who, rules=rules)
    yield ConditionLost(who, "complex-activity", "", "complete", rules=rules)
    yield from list(use_major(play.combat[who], "VD-CPLX-01"))
    result = "partly-done" if work.part else "done"
    for task in convert(work.with_these, Tasks):
        yield came_of(play.combat, who, task, result, *rules)
    power = ability_of(play.combat[who], work.ability)
    if power is not None:
        result = "partly-done" if work.part else "cast"
        yield of_ability(who, power, result, spot=work.target, rules=rules)
    return work


@rule("VD-CPLX-02", "A complex activity completes at Go Last of its last round")
def finish(play: Play, who: Id, work: Work, results: Results) -> Procedure[None]:
    """Carry out the tasks and the ability of a complete activity."""
    yield from do(play, who, convert(work.with_these, Tasks), results, told=True)
    power = ability_of(play.combat[who], work.ability)
    if power is not None:
        yield from used(play, who, power, work.target or Spot(), results)


# ---- committed actions, queued for LOW or complex


MULTIPLE = choices("none", "delaying", "complex")
MULTIPLE_WITH_MAJOR = choices("none", "delaying")


@dataclass(frozen=True)
class Pending:
    """An action that a combatant has chosen for this slot. `key` is its place in the order.

    - `fallen`: the target was down at the choice.
    - `carried`: the action comes from an earlier round.
    - `quick`: the action is an invocation of one segment, which resolves here.
    """

    who: Id
    deed: Deed
    inputs: Any
    key: tuple[int, int] = (0, 0)
    fallen: bool = False
    carried: bool = False
    quick: bool = False


def place_of(combat: Combat, who: Id, time: int) -> tuple[int, int]:
    """Return the place of an action in a slot. The lowest place acts first.

    Delayed combatants act after all others (VD-DELAY-09). Among the others, and among delayed
    combatants, the action with the lower time comes first (VD-INIT-06).
    """
    return (1 if combat[who].has("delayed") else 0, time)


@rule("VD-DELAY-13", "For a delayed combatant, a delaying activity is complex")
def commit(
    play: Play, who: Id, deed: Deed, inputs: Any, then: Combat | None = None
) -> Procedure[Pending | None]:
    """Commit the action, and return it with its place in the slot.

    `then` is the combat at the choice. Return `None` if the action waits for LOW, is complex, or
    names a thing that no longer exists.
    """
    try:
        return (yield from _committed(play, who, deed, inputs, then))
    except Refused as gone:
        yield taken_away(who, deed, inputs, gone)
        return None


def _committed(
    play: Play, who: Id, deed: Deed, inputs: Any, then: Combat | None
) -> Procedure[Pending | None]:
    verdict = yield from _ruled(play, who, deed, inputs)
    time = deed.time(play.combat, play.combat[who], inputs)
    delays = deed.delays(play.combat, play.combat[who], inputs)
    locks = delays and play.combat[who].has("delayed")  # VD-DLYG-06
    if isinstance(inputs, Doing) and (locks or verdict == "complex"):
        if not (yield from asked(play, who, deed, inputs)):
            return None
        yield from list(started(play.combat, play.combat[who], inputs))
        return None
    fallen = had_fallen(then or play.combat, inputs)
    if (delays or verdict == "delaying") and rank(play.combat, play.combat[who]) == "HIGH":
        yield from queue(play, who, deed, inputs, fallen)
        return None
    combatant = play.combat[who]
    if deed.major(play.combat, combatant, inputs):
        intent = Intent(deed.id, msgspec.to_builtins(inputs))
        yield COMMITTED.set(who, intent, rules=("VD-MAJ-01",))
    return Pending(who, deed, inputs, place_of(play.combat, who, time), fallen)


def _ruled(play: Play, who: Id, deed: Deed, inputs: Any) -> Procedure[str]:
    """Ask the GM about several minor actions in one slot, and return the ruling (VD-MIN-07)."""
    combat, combatant = play.combat, play.combat[who]
    if not several(combat, combatant, deed.minors(combat, combatant, inputs)):
        return "none"
    names = [activity(combat, combatant, task).id for task in deed.tasks(inputs)] or [deed.id]
    whole = deed.bundle and not deed.major(combat, combatant, inputs) and may_be_complex(combatant)
    return (yield from ask_about_several(play, who, names, may_be_complex=whole))


@rule("VD-MIN-07", "For two minor actions in one slot, the GM may assign a delay")
def several(combat: Combat, combatant: Combatant, many: int) -> bool:
    """Return true if the combatant now has two or more minor actions in this slot."""
    return many > 0 and many + MINORS.of(combatant).get(combat.phase, 0) >= 2


@rule(
    "VD-SIMP-06",
    "For several activities in a slot, the GM decides if they have no effect, delay or are complex",
)
def ask_about_several(
    play: Play, who: Id, names: list[str], *, may_be_complex: bool
) -> Procedure[str]:
    """Ask the GM if several activities cost no time, are delaying or are complex."""
    answer = yield from ask_gm(
        "multiple-minors",
        f"{who} does several things in one slot, now {words(', '.join(names))}. Do they delay it?",
        MULTIPLE if may_be_complex else MULTIPLE_WITH_MAJOR,
        "none",
        rules=("VD-MIN-07", "VD-SIMP-06"),
        data={"actor": who, "activities": list(names)},
        stands=lambda now: able(now[who]),
    )
    return answer.option


@rule("VD-DELAY-07", "A delaying activity is possible only in LOW and moves its combatant there")
@rule("VD-DLYG-02", "A delaying activity waits for LOW, and its combatant is LOW from then on")
@rule("VD-DLYG-03", "A delaying activity takes place in D4, unless it is part of something else")
@rule(
    "VD-DLYG-05",
    "A major action may follow a delaying activity, which does not make anybody delayed",
)
def queue(play: Play, who: Id, deed: Deed, inputs: Any, fallen: bool) -> Procedure[None]:
    """Queue the action for LOW, and make the combatant LOW for the round (VD-DELAY-07)."""
    combatant = play.combat[who]
    rules = ("VD-DLYG-02", "VD-DELAY-07")
    is_major = deed.major(play.combat, combatant, inputs)
    slot = f"group/LOW/{deed.phase(play.combat, combatant, inputs)}"
    intent = Intent(deed.id, msgspec.to_builtins(inputs), slot, is_major, fallen)
    if is_major:
        yield COMMITTED.set(who, intent, rules=rules)
    yield QUEUED.set(who, (*QUEUED.of(combatant), intent), rules=rules)
    yield MOVED_TO_LOW.set(who, True, rules=rules)
    yield of_action(who, deed.id, deed.label, "postponed", rules=rules, until="LOW")


def at_once(act: Act[Any], deed: Deed) -> Procedure[None]:
    """Carry out an action that needs no prompt now, or queue it for LOW."""
    play, who, inputs = act.play, act.who, act.inputs
    chosen = yield from commit(play, who, deed, inputs)
    if chosen is not None and (yield from asked(play, who, deed, inputs)):
        yield from performed(play, who, deed, inputs)
