"""Consequences of any change: falls, ended melees, lost concentration.

Each is a function of the state, with one exception. Damage and hindrances break concentration by
the event just recorded (VD-CONC-02). A number that the GM sets is no damage (GAP-53).
"""

from collections.abc import Iterator

from domain.record.combat import Combat, Combatant
from domain.record.events import (
    AnyEvent,
    CombatantChanged,
    ConditionGained,
    ConditionLost,
    Damaged,
    TrackChanged,
)
from domain.rulebook.rest_checks import unless_at_rest
from domain.rulebook.ruleset import Follows, Step
from domain.rulesets.vile_darkness.action_costs import unable
from domain.rulesets.vile_darkness.concentration import (
    break_all,
    concentrates,
    held_no_longer,
    spell_lost,
    stop_maintaining,
    work_ended,
)
from domain.rulesets.vile_darkness.facts import (
    CARRIED,
    CASTING,
    COMMITTED,
    FALL,
    HIT_POINTS_ROLLED,
    LANDING,
    MAINTAINED,
    QUEUED,
    ROUTINES,
    WORK,
)
from domain.rulesets.vile_darkness.hit_dice import hit_dice
from domain.rulesets.vile_darkness.numbers import (
    engaged_with,
    fallen,
    is_kept_from_acting,
    is_only_down,
    sheet,
)
from domain.rulesets.vile_darkness.places import too_much_to_maintain


def consequences(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
    """Yield the next consequence."""
    if combat.status == "ended":
        return
    if isinstance(cause, CombatantChanged):
        yield from resized(combat.combatants[cause.who], cause)
    for one in combat:
        yield from hit_points(combat, one, cause)
    for one in combat:
        if one.conditions:
            yield from melees(combat, one, cause)
    for one in combat:
        yield from lapsed(combat, one, cause)
    yield from hindered(combat, cause)
    yield from taken_away(combat, cause)
    for one in combat:
        if one.has("concentrating") and too_much_to_maintain(one):
            yield broken(one, "it moved too far", "VD-CONC-05")
    yield from held_no_longer(combat)


# ---- hit points (GAP-22)


def resized(one: Combatant, cause: CombatantChanged) -> Iterator[Follows]:
    """They follow a sheet that was changed by hand, to the new maximum at most (GAP-53)."""
    given = {key: cause.sheet[key] for key in ("hp", "max_hp") if cause.sheet.get(key) is not None}
    hp = one.tracks["hp"]
    most = given.get("max_hp", hp.maximum)
    value = given.get("hp", hp.value)
    value = value if most is None else min(value, most)
    if (value, most) != (hp.value, hp.maximum):
        yield TrackChanged(one.id, "hp", value, most, "sheet", rules=("VD-SEQ-03",))


@unless_at_rest
def hit_points(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """Down at the limit or below, dead where the data say so, up again above it."""
    hp, card = one.tracks["hp"], sheet(one)
    if hp.maximum is None and card.max_hp is None and hit_dice(card) is not None:
        if not HIT_POINTS_ROLLED.of(one):
            yield Step("hit-points", {"who": one.id})
        return
    low = hp.value <= card.down_at
    dead = card.dead_at is not None and hp.value <= card.dead_at
    seen = FALL.of(one)
    is_down = seen in ("down", SPARED)
    mine = getattr(cause, "who", None) == one.id
    if mine and isinstance(cause, Damaged) and cause.amount > 0 and low and seen in ("up", SPARED):
        yield FALL.clear(one.id, rules=("VD-FREE-01",))  # "not down this time" was that time
    if mine and isinstance(cause, ConditionLost) and low and seen == "dead" and is_only_down(one):
        yield FALL.set(one.id, SPARED if dead else "down", rules=("VD-FREE-01",))
        return  # the GM has ended its death
    if mine and isinstance(cause, ConditionLost) and low and not fallen(one) and seen != "up":
        yield FALL.set(one.id, "up", rules=("VD-FREE-01",))  # the GM's word counts
        return
    if seen == "up" and low:
        return
    by = cause.source if mine and isinstance(cause, Damaged) else None
    if dead and not one.has("dead") and seen != SPARED:
        yield ConditionGained(one.id, "dead", source=by, rules=("VD-FREE-01",))
    if low and not fallen(one):
        yield ConditionGained(one.id, "down", source=by, rules=("VD-FREE-01",))
    if not low and one.has("down") and is_down:
        yield ConditionLost(one.id, "down", "", "hit points", rules=("VD-FREE-01",))
    if not low and seen and not fallen(one):
        yield FALL.clear(one.id, rules=("VD-FREE-01",))
    falls = seen != "dead" if one.has("dead") else one.has("down") and low and not is_down
    if falls and not LANDING.of(combat):  # all results of the moment first (GAP-11)
        yield Step("fall", {"who": one.id})


SPARED = "spared"
"""Down, and by the GM's word not dead, although its hit points say so."""


# ---- melee (GAP-30)


@unless_at_rest
def melees(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Iterator[AnyEvent]:
    """End melees with combatants that have fallen, left or changed to its side.

    A melee is mutual.
    """
    begun = isinstance(cause, ConditionGained) and cause.condition == "engaged"
    changed = cause.who if isinstance(cause, CombatantChanged) and cause.side is not None else None
    for other in engaged_with(one):
        there = combat.combatants.get(other)
        if there is None or there.left or fallen(there) or fallen(one):
            yield ConditionLost(one.id, "engaged", other, "fallen", rules=("VD-MELEE-01",))
        elif changed in (one.id, other) and one.side == there.side:
            yield ConditionLost(one.id, "engaged", other, "parted", rules=("VD-MELEE-01",))
        elif one.id not in engaged_with(there) and begun:
            rules = ("VD-MELEE-01",)
            yield ConditionGained(other, "engaged", one.id, source=one.id, rules=rules)
        elif one.id not in engaged_with(there):
            yield ConditionLost(one.id, "engaged", other, "parted", rules=("VD-MELEE-01",))


# ---- what ends with its doer (GAP-52 d)


@unless_at_rest
def lapsed(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """End all begun and committed actions of a combatant that is no longer able."""
    stop = unable(combat, one.id)
    if stop is None:
        return
    going_on = CASTING.of(one), WORK.of(one), COMMITTED.of(one), QUEUED.of(one), CARRIED.of(one)
    if any(going_on) or ROUTINES.of(one) or (is_still(one) and one.has("concentrating")):
        yield tuple(lapse(one, stop.detail, stop.rule))


def is_still(one: Combatant) -> bool:
    """Fallen, or unable to act: it concentrates on nothing."""
    return fallen(one) or is_kept_from_acting(one)


def lapse(one: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End its spell and its activity. A committed action costs nothing."""
    if CASTING.of(one) is not None:
        yield from spell_lost(one, why, rule)
    elif WORK.of(one) is not None:
        yield from work_ended(one, why, rule)
    elif COMMITTED.known(one):
        yield COMMITTED.clear(one.id, rules=(rule,))
    if is_still(one):
        yield from stop_maintaining(one, why, rule)
    for fact in (QUEUED, CARRIED, ROUTINES):
        if fact.known(one):
            yield fact.clear(one.id, rules=(rule,))


# ---- concentration (VD-CONC-02, -03)


def hindered(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
    """Actual damage, or a condition that impedes movement or action."""
    if isinstance(cause, Damaged) and cause.amount > 0:
        one = combat.combatants[cause.who]
        if concentrates(one):
            yield broken(one, "it was hurt", "VD-CONC-03")
    elif isinstance(cause, ConditionGained):
        flags = cause.data.get("flags", ())
        one = combat.combatants[cause.who]
        if flags and concentrates(one):
            yield broken(one, f"it is {cause.condition}", "VD-CONC-03")


def taken_away(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
    """End the casting, activity or concentration whose condition the GM has ended."""
    if not isinstance(cause, ConditionLost) or cause.reason != "ruling":
        return
    one = combat.combatants[cause.who]
    if cause.condition == "casting" and CASTING.known(one):
        yield tuple(spell_lost(one, "ruling", "VD-CONC-08"))
    elif cause.condition == "complex-activity" and WORK.known(one):
        yield tuple(work_ended(one, "ruling", "VD-CPLX-04"))
    elif cause.condition == "concentrating" and MAINTAINED.known(one):
        yield MAINTAINED.clear(one.id, rules=("VD-CONC-04",))


def broken(one: Combatant, why: str, rule: str) -> Follows:
    """Its concentration breaks at once."""
    return tuple(break_all(one, why, rule))
