"""The consequences of a change, such as falls, ends of melees and lost concentration.

Consequences depend only on the state, with one exception. Damage or a hindrance in the newest event
breaks concentration (VD-CONC-02). A pool that the GM sets is no damage (GAP-53).
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
from domain.rulebook.changes import changed_since
from domain.rulebook.ruleset import Follows, Step
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
from domain.rulesets.vile_darkness.harm import (
    break_all,
    concentrates,
    held_no_longer,
    spell_lost,
    stop_maintaining,
    work_ended,
)
from domain.rulesets.vile_darkness.numbers import (
    engaged_with,
    fallen,
    hit_dice,
    is_kept_from_acting,
    is_only_down,
    sheet,
)
from domain.rulesets.vile_darkness.places import too_much_to_maintain
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import unable


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None = None
) -> Iterator[Follows]:
    """Yield the consequences of the newest event."""
    if combat.status == "ended":
        return
    if isinstance(cause, CombatantChanged):
        yield from resized(combat.combatants[cause.who], cause)
    changed = changed_since(before, combat, cause, "facts")
    for combatant in combat:
        if combatant.id in changed:
            yield from hit_points(combat, combatant, cause)
    for combatant in combat:
        if combatant.conditions:
            yield from melees(combat, combatant, cause)
    for combatant in combat:
        if combatant.id in changed:
            yield from lapsed(combat, combatant, cause)
    yield from hindered(combat, cause)
    yield from taken_away(combat, cause)
    for combatant in combat:
        if combatant.has("concentrating") and too_much_to_maintain(combatant):
            yield broken(combatant, "it moved too far", "VD-CONC-05")
    yield from held_no_longer(combat)


# ---- hit points (GAP-22)


def resized(combatant: Combatant, cause: CombatantChanged) -> Iterator[Follows]:
    """Keep hit points within the maximum of a changed sheet (GAP-53)."""
    given = {key: cause.sheet[key] for key in ("hp", "max_hp") if cause.sheet.get(key) is not None}
    hp = combatant.tracks["hp"]
    most = given.get("max_hp", hp.maximum)
    value = given.get("hp", hp.value)
    value = value if most is None else min(value, most)
    if (value, most) != (hp.value, hp.maximum):
        yield TrackChanged(combatant.id, "hp", value, most, "sheet", rules=("VD-SEQ-03",))


def hit_points(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """Make a combatant fall, die or rise, as its hit points and its sheet require."""
    hp, card = combatant.tracks["hp"], sheet(combatant)
    if hp.maximum is None and card.max_hp is None and hit_dice(card) is not None:
        if not HIT_POINTS_ROLLED.of(combatant):
            yield Step("hit-points", {"who": combatant.id})
        return
    low = hp.value <= card.down_at
    dead = card.dead_at is not None and hp.value <= card.dead_at
    seen = FALL.of(combatant)
    is_down = seen in ("down", SPARED)
    own = getattr(cause, "who", None) == combatant.id
    if own and isinstance(cause, Damaged) and cause.amount > 0 and low and seen in ("up", SPARED):
        # new damage ends the GM's decision to spare the combatant
        yield FALL.clear(combatant.id, rules=("VD-FREE-01",))
    if (
        own
        and isinstance(cause, ConditionLost)
        and low
        and seen == "dead"
        and is_only_down(combatant)
    ):
        yield FALL.set(combatant.id, SPARED if dead else "down", rules=("VD-FREE-01",))
        return  # the GM has ended the condition `dead`
    if own and isinstance(cause, ConditionLost) and low and not fallen(combatant) and seen != "up":
        yield FALL.set(combatant.id, "up", rules=("VD-FREE-01",))  # the GM's decision counts
        return
    if seen == "up" and low:
        return
    by = cause.source if own and isinstance(cause, Damaged) else None
    if dead and not combatant.has("dead") and seen != SPARED:
        yield ConditionGained(combatant.id, "dead", source=by, rules=("VD-FREE-01",))
    if low and not fallen(combatant):
        yield ConditionGained(combatant.id, "down", source=by, rules=("VD-FREE-01",))
    if not low and combatant.has("down") and is_down:
        yield ConditionLost(combatant.id, "down", "", "hit points", rules=("VD-FREE-01",))
    if not low and seen and not fallen(combatant):
        yield FALL.clear(combatant.id, rules=("VD-FREE-01",))
    falls = (
        seen != "dead" if combatant.has("dead") else combatant.has("down") and low and not is_down
    )
    if falls and not LANDING.of(combat):  # wait for all simultaneous results (GAP-11)
        yield Step("fall", {"who": combatant.id})


SPARED = "spared"
"The combatant is down, and the GM has ruled that it is not dead, despite its hit points."


# ---- melee (GAP-30)


def melees(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[AnyEvent]:
    """End a melee if one of the two combatants has fallen, left or changed sides.

    After this, both combatants have the condition `engaged`, or neither has it.
    """
    begun = isinstance(cause, ConditionGained) and cause.condition == "engaged"
    changed = cause.who if isinstance(cause, CombatantChanged) and cause.side is not None else None
    for other in engaged_with(combatant):
        there = combat.combatants.get(other)
        if there is None or there.left or fallen(there) or fallen(combatant):
            yield ConditionLost(combatant.id, "engaged", other, "fallen", rules=("VD-MELEE-01",))
        elif changed in (combatant.id, other) and combatant.side == there.side:
            yield ConditionLost(combatant.id, "engaged", other, "parted", rules=("VD-MELEE-01",))
        elif combatant.id not in engaged_with(there) and begun:
            rules = ("VD-MELEE-01",)
            yield ConditionGained(other, "engaged", combatant.id, source=combatant.id, rules=rules)
        elif combatant.id not in engaged_with(there):
            yield ConditionLost(combatant.id, "engaged", other, "parted", rules=("VD-MELEE-01",))


# ---- effects that end with their combatant (GAP-52 d)


def lapsed(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """End all begun and committed actions of a combatant that can no longer act."""
    stop = unable(combat, combatant.id)
    if stop is None:
        return
    going_on = (
        CASTING.of(combatant),
        WORK.of(combatant),
        COMMITTED.of(combatant),
        QUEUED.of(combatant),
        CARRIED.of(combatant),
    )
    if (
        any(going_on)
        or ROUTINES.of(combatant)
        or (is_still(combatant) and combatant.has("concentrating"))
    ):
        yield tuple(lapse(combatant, stop.detail, stop.rule))


def is_still(combatant: Combatant) -> bool:
    """Return true if the combatant has fallen or cannot act, so that it cannot concentrate."""
    return fallen(combatant) or is_kept_from_acting(combatant)


def lapse(combatant: Combatant, why: str, rule: str) -> Iterator[AnyEvent]:
    """End the combatant's spell, activity and committed action.

    A committed action costs nothing.
    """
    if CASTING.of(combatant) is not None:
        yield from spell_lost(combatant, why, rule)
    elif WORK.of(combatant) is not None:
        yield from work_ended(combatant, why, rule)
    elif COMMITTED.known(combatant):
        yield COMMITTED.clear(combatant.id, rules=(rule,))
    if is_still(combatant):
        yield from stop_maintaining(combatant, why, rule)
    for fact in (QUEUED, CARRIED, ROUTINES):
        if fact.known(combatant):
            yield fact.clear(combatant.id, rules=(rule,))


# ---- concentration (VD-CONC-02, VD-CONC-03)


@rule(
    "VD-CONC-02",
    "Damage, a failed save, or impeded movement or action breaks concentration without a roll",
)
@rule(
    "VD-CONC-03",
    "Only real damage, a failed save or a condition marked as impeding breaks concentration",
)
def hindered(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
    """Break concentration after damage or after a condition that impedes movement or action."""
    if isinstance(cause, Damaged) and cause.amount > 0:
        combatant = combat.combatants[cause.who]
        if concentrates(combatant):
            yield broken(combatant, "it was hurt", "VD-CONC-03")
    elif isinstance(cause, ConditionGained):
        flags = cause.data.get("flags", ())
        combatant = combat.combatants[cause.who]
        if flags and concentrates(combatant):
            yield broken(combatant, f"it is {cause.condition}", "VD-CONC-03")


def taken_away(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
    """End the casting, activity or concentration whose condition the GM has ended."""
    if not isinstance(cause, ConditionLost) or cause.reason != "ruling":
        return
    combatant = combat.combatants[cause.who]
    if cause.condition == "casting" and CASTING.known(combatant):
        yield tuple(spell_lost(combatant, "ruling", "VD-CONC-08"))
    elif cause.condition == "complex-activity" and WORK.known(combatant):
        yield tuple(work_ended(combatant, "ruling", "VD-CPLX-04"))
    elif cause.condition == "concentrating" and MAINTAINED.known(combatant):
        yield MAINTAINED.clear(combatant.id, rules=("VD-CONC-04",))


def broken(combatant: Combatant, why: str, rule: str) -> Follows:
    """Return the events that break the combatant's concentration."""
    return tuple(break_all(combatant, why, rule))
