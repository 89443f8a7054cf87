"""Complex activities and abilities: they lock the round and are done in Go Last (VD-CPLX)."""

from collections.abc import Iterator

from msgspec import convert

from domain.errors import Illegal, Malformed
from domain.record.combat import Combat, Combatant, Id, Json
from domain.record.events import AnyEvent, ConditionGained, ConditionLost
from domain.rulebook.declaration import NO_FIELD, refuse
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play
from domain.rulesets.vile_darkness import activities
from domain.rulesets.vile_darkness.ability_use import (
    Using,
    ability,
    aim,
    of_this_kind,
    used,
    what_is_left,
)
from domain.rulesets.vile_darkness.action_costs import free_major, not_locked, use_major, use_spell
from domain.rulesets.vile_darkness.concentration import stop_maintaining
from domain.rulesets.vile_darkness.facts import (
    BEGUN,
    CASTING,
    COMMITTED,
    TIMED,
    WORK,
    Intent,
    Spot,
    Task,
    Tasks,
    Work,
)
from domain.rulesets.vile_darkness.harm import Results
from domain.rulesets.vile_darkness.numbers import ability_of
from domain.rulesets.vile_darkness.outcomes import of_ability
from domain.rulesets.vile_darkness.powers import spot
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import (
    SEGMENTS,
    counts_as_spell,
    needs_concentration,
    segments_of,
)


class Doing(Using, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An activity, or several at once; a delaying or complex ability by its id."""

    activity: Task | None = None
    activities: Tasks = ()

    @property
    def tasks(self) -> tuple[Task, ...]:
        return (() if self.activity is None else (self.activity,)) + self.activities

    @property
    def placed(self) -> tuple[tuple[str, Task], ...]:
        """Each of them with its pointer."""
        first = () if self.activity is None else (("/inputs/activity", self.activity),)
        return (*first, *activities.placed(self.activities, "/inputs/activities"))


def of_kind(combat: Combat, combatant: Combatant, inputs: Doing, kind: str) -> Iterator[Illegal]:
    """Something is named, and all of it is of this kind."""
    if not inputs.tasks and inputs.ability is None:
        raise Malformed("/inputs/activity", "name an activity")
    yield from activities.of_other_kind(combat, combatant, inputs.placed, kind)
    if inputs.ability is not None:
        yield from of_this_kind(ability(combatant, inputs.ability), kind)


def may_begin(combat: Combat, combatant: Combatant, inputs: Doing) -> Iterator[Illegal]:
    """Refuse a complex activity unless all its parts are complex.

    A spell needs the spell of the round, a use, and a possible target. It is not asked for them
    again.
    """
    yield from of_kind(combat, combatant, inputs, "complex")
    if inputs.ability is not None:
        each = ability(combatant, inputs.ability)
        yield from what_is_left(combatant, each)
        aim(combat, combatant, each, inputs.target)


@rule("VD-DLYG-06", "For the delayed it is complex: Go Last, major, nothing else")
def nothing_else(combatant: Combatant, rule: str) -> Iterator[Illegal]:
    """It wants the whole round: no major action used, no time spent (VD-CPLX-03, VD-DLYG-06)."""
    yield from free_major(combatant, rule)
    if TIMED.of(combatant) > 0:
        detail = f"{combatant.name} has done something else in this round"
        yield refuse(rule, "complex-in-progress", detail, NO_FIELD)


def may_be_complex(combatant: Combatant) -> bool:
    """The major action is unused, and nothing else is under way (GAP-61)."""
    free = next(free_major(combatant), None) is None
    return free and CASTING.of(combatant) is None and next(not_locked(combatant), None) is None


@rule("VD-TIME-07", "A complex activity takes the whole round")
@rule("VD-MAJ-03", "A major action that fills the round is a complex activity")
@rule("VD-CPLX-01", "Complex is declared, major, one round or longer")
def started(
    combat: Combat, combatant: Combatant, inputs: Doing, *, part: bool = False
) -> Iterator[AnyEvent]:
    """The round is locked; the major action is committed till Go Last (VD-CPLX-01, -02, -04).

    VD-TIME-07, VD-MAJ-03.
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
        activity = activities.activity(combat, combatant, task)
        rounds = max(rounds, activity.rounds if activity.kind == "complex" else 1)
        concentration = concentration or activity.concentration
    if concentration:
        yield from stop_maintaining(combatant, "another concentration", "VD-CONC-07")
    work = Work(
        inputs.ability or activities.activity(combat, combatant, inputs.tasks[0]).id,
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
    """The time of a complex activity is over (VD-CPLX-02)."""
    work = WORK.of(play.combat[who])
    if work is None:
        return None
    rules = ("VD-CPLX-02",)
    yield WORK.clear(who, rules=rules)
    yield ConditionLost(who, "complex-activity", "", "complete", rules=rules)
    yield from list(use_major(play.combat[who], "VD-CPLX-01"))
    result = "partly-done" if work.part else "done"
    for task in convert(work.with_these, Tasks):
        yield activities.came_of(play.combat, who, task, result, *rules)
    power = ability_of(play.combat[who], work.ability)
    if power is not None:
        result = "partly-done" if work.part else "cast"
        yield of_ability(who, power, result, spot=work.target, rules=rules)
    return work


@rule("VD-CPLX-02", "It completes at Go Last of its last round")
def finish(play: Play, who: Id, work: Work, results: Results) -> Procedure[None]:
    """Carry out the finished activity."""
    yield from activities.do(play, who, convert(work.with_these, Tasks), results, told=True)
    power = ability_of(play.combat[who], work.ability)
    if power is not None:
        yield from used(play, who, power, work.target or Spot(), results)
