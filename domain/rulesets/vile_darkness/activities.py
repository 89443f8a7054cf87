"""Activities: tasks without magic, and the effects of the listed ones (VD-SIMP)."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from domain.errors import Illegal, Impossible, Malformed
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, EffectResolved
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness.concentration import another
from domain.rulesets.vile_darkness.facts import ITEMS, LOADED, Chore, Task, Tasks
from domain.rulesets.vile_darkness.harm import Results, Then
from domain.rulesets.vile_darkness.numbers import options, sheet, state_of
from domain.rulesets.vile_darkness.outcomes import of_activity
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Activity


def known_activities(combat: Combat, combatant: Combatant) -> dict[str, Activity]:
    """The table's, and the combatant's own, which win."""
    return {
        activity.id: activity
        for activity in (*options(combat).activities, *sheet(combatant).activities)
    }


@rule("VD-MIN-03", "A minor action without magic is a simple activity")
@rule("VD-SIMP-08", "Any task can be an activity: simple, minor, 1 segment")
def activity(combat: Combat, combatant: Combatant, task: Task, at: str = "") -> Activity:
    """Return the activity of a task.

    Any task can be an activity: simple, minor, 1 segment (VD-SIMP-08). `at` is the pointer of the
    task.
    VD-MIN-03.
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
"""Where those stand that go with an attack."""


def thing(task: Task) -> str | None:
    """Return the thing of a task."""
    return None if isinstance(task, str) else task.item


@rule("VD-SIMP-03", "A part of the major action adds nothing, such as drawing the weapon")
@rule("VD-SIMP-05", "Sheathe, draw and attack: one more in ties")
def times(
    combat: Combat,
    combatant: Combatant,
    tasks: Tasks,
    within: str = "",
    weapons: Collection[str] = (),
) -> list[int]:
    """Return the segments of the tasks that take any (VD-SIMP-03).

    Drawing a weapon of the attack is included in the attack. Drawing another weapon is not.
    VD-SIMP-05.
    """
    found: list[int] = []
    for task in tasks:
        each, item = activity(combat, combatant, task), thing(task)
        another = each.id == "draw-weapon" and item is not None and item not in weapons
        if each.segments and (within not in each.included_in or another):
            found.append(each.segments)
    return found


def majors(combat: Combat, combatant: Combatant, tasks: Tasks) -> Tasks:
    """Those that are major actions: noted so, or complex (VD-SIMP-01, VD-CPLX-01)."""
    return tuple(task for task in tasks if _is_major(activity(combat, combatant, task)))


def minors(combat: Combat, combatant: Combatant, tasks: Tasks) -> Tasks:
    """The others."""
    return tuple(task for task in tasks if not _is_major(activity(combat, combatant, task)))


def _is_major(what: Activity) -> bool:
    return what.action_type == "major" or what.kind == "complex"


def of_other_kind(
    combat: Combat, combatant: Combatant, placed: Iterable[tuple[str, Task]], kind: str
) -> Iterator[Illegal]:
    """Each kind has an action of its own (`wrong-kind`)."""
    for pointer, task in placed:
        found = activity(combat, combatant, task, pointer)
        if found.kind != kind:
            detail = f"{found.id} is {found.kind}, not {kind}"
            yield Impossible("VD-ABIL-05", "wrong-kind", detail, (found.kind,), pointer)


def placed(tasks: Tasks, at: str) -> list[tuple[str, Task]]:
    """Each task with its pointer."""
    return [(f"{at}/{index}", task) for index, task in enumerate(tasks)]


def of_kind(
    combat: Combat, combatant: Combatant, tasks: Tasks, kind: str, at: str
) -> tuple[str, ...]:
    """Return the ids of the tasks of a kind."""
    generator = (activity(combat, combatant, task, pointer) for pointer, task in placed(tasks, at))
    return tuple(activity.id for activity in generator if activity.kind == kind)


def beside_a_major(combat: Combat, combatant: Combatant, tasks: Tasks) -> Iterator[Illegal]:
    """Refuse activities beside a major action unless they are minor (VD-MAJ-01, VD-CPLX-04).

    A complex one cannot go with it.
    """
    for pointer, task in placed(tasks, WITH):
        found = activity(combat, combatant, task, pointer)
        if found.kind == "complex":
            yield from of_other_kind(combat, combatant, [(pointer, task)], "simple")
        elif found.action_type == "major":
            detail = f"{found.id} is a major action of its own"
            yield Illegal("VD-MAJ-01", "major-already-used", detail, pointer=pointer)


def retrieved(combat: Combat, combatant: Combatant, tasks: Tasks) -> tuple[str, ...]:
    """The things that these bring back to hand (GAP-58)."""
    back = (task for task in tasks if activity(combat, combatant, task).id == "retrieve-item")
    return tuple(item for item in map(thing, back) if item is not None)


def not_to_hand(
    combat: Combat, combatant: Combatant, placed: Iterable[tuple[str, Task]]
) -> Iterator[Illegal]:
    """Refuse a thing that was dropped, grabbed or broken until it is retrieved (GAP-58)."""
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
"""The state of a thing after each activity with it."""


def do(
    play: Play, who: Id, tasks: Tasks, results: Results, *, told: bool = False
) -> Procedure[None]:
    """Do these: a weapon is loaded at once, things change hands with the results.

    `told`: that they are done was told before.
    """
    for task in tasks:
        yield from list(loaded(play.combat, who, task))
        if not told:
            yield came_of(play.combat, who, task, "done", "VD-SIMP-01")
        results.append(Then(partial(changed, play, who, task)))


def changed(play: Play, who: Id, task: Task) -> Iterator[AnyEvent]:
    """Move things between hands (GAP-58).

    Concentration on it ends the previous one (VD-CONC-07).
    """
    combatant = play.combat[who]
    what = activity(play.combat, combatant, task)
    item = thing(task)
    new = CHANGES.get(what.id)
    if what.concentration:
        yield from another(combatant)
    if new is not None and item is not None:
        yield ITEMS.set(who, {**ITEMS.of(combatant), item: new}, rules=("VD-MIN-02", "VD-SIMP-01"))


@rule("VD-DLYG-04", "Part of an attack: with the attack, at its place")
def loaded(combat: Combat, who: Id, task: Task) -> Iterator[AnyEvent]:
    """A weapon is loaded by it."""
    combatant = combat[who]
    what = activity(combat, combatant, task)
    item = thing(task)
    for weapon in sheet(combatant).weapons:
        if weapon.loading == what.id and item in (None, weapon.id):
            yield LOADED.set(who, {**LOADED.of(combatant), weapon.id: True}, rules=("VD-DLYG-04",))
            break


def came_of(combat: Combat, who: Id, task: Task, result: str, rule: str) -> EffectResolved:
    """Return the result of an activity, which may be missing in every table."""
    chore = Chore(activity=task) if isinstance(task, str) else task
    id = chore.activity or chore.id or chore.name or ""
    listed = known_activities(combat, combat[who]).get(id)
    name = chore.name if listed is None else listed.name
    return of_activity(who, id, result, name=name, item=chore.item, rules=(rule,))
