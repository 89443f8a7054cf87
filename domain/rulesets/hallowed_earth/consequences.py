"""Consequences of changes, as a pure function of the state.

Consequences cover:

- combatants that go down, start dying, die or leave the order of turns
- things that an injured arm drops
- effects of a changed Strength
- dice and rulings that are due
"""

from collections.abc import Iterator

from domain.record.combat import Combat, Combatant, Id
from domain.record.events import (
    AnyEvent,
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    InitiativeSet,
    Noted,
    TrackChanged,
    TurnEnded,
)
from domain.rulebook.changes import changed_since
from domain.rulebook.ruleset import Follows, Step
from domain.rulesets.hallowed_earth.conditions import brought_by
from domain.rulesets.hallowed_earth.count import turn_tag
from domain.rulesets.hallowed_earth.facts import (
    CARRIED,
    COUNTED_STRENGTH,
    CRAWLED,
    LOST,
    RIB,
    ZEROS,
    Rib,
)
from domain.rulesets.hallowed_earth.numbers import awaits_hit_dice, current, dies_at, must_crawl
from domain.rulesets.hallowed_earth.rules import rule
from domain.rulesets.hallowed_earth.sheet import ATTRIBUTES, arm, sheet
from domain.rulesets.hallowed_earth.things import has_lost

STATES = ("incapacitated", "dying", "stabilized")


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None = None
) -> Iterator[Follows]:
    """Yield all consequences. The engine records the first consequence and calls this again."""
    changed = changed_since(before, combat, cause, "frames")
    for combatant in combat:
        # Check the dead in any case, because the check also reads the order of turns.
        if combatant.id in changed or combatant.has("dead"):
            yield from _of_each(combat, combatant, cause)


def _of_each(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    if combatant.has("dead"):
        yield from _out(combat, combatant)
    yield from _of(combatant, cause.source if isinstance(cause, Damaged) else None)
    if awaits_hit_dice(combatant) and all(frame.procedure != "hit-dice" for frame in combat.frames):
        yield Step("hit-dice")


def _of(combatant: Combatant, source: Id | None) -> Iterator[Follows]:
    """Yield the consequences that depend only on this combatant."""
    yield from _strength(combatant)
    yield from _state(combatant, source)
    if not combatant.has("dead"):
        yield from _zeros(combatant)
    yield from _arms(combatant)
    yield from _counts(combatant)


@rule("HE-STRESS-08", "0 Stress is not a condition", untold="what does not happen")
@rule("HE-WP-05", "At 0 Wound Points, a combatant is incapacitated")
@rule("HE-WP-06", "Below 0 Wound Points, a combatant is dying")
def _state(combatant: Combatant, source: Id | None) -> Iterator[Follows]:
    """Yield the state that follows from Wound Points. Stress has no effect (HE-STRESS-08).

    - At 0 Wound Points, the combatant is incapacitated (HE-WP-05).
    - Below 0 Wound Points, it is dying (HE-WP-06).
    - At −(Strength score) Wound Points or below, it is dead (HE-WP-07).

    HE-WP-05 to HE-WP-09.
    """
    points = combatant.tracks["wound_points"].value
    if combatant.has("dead"):
        yield from _without(combatant, STATES, "dead", "HE-WP-07")
    elif points <= dies_at(combatant).value:
        rules = ("HE-WP-07",)
        yield (
            ConditionGained(combatant.id, "dead", source=source, rules=rules),
            Died(combatant.id, source, rules=rules),
        )
    elif points < 0:
        yield from _becomes(combatant, "dying", "incapacitated", source, "HE-WP-06")
    elif points == 0:
        yield from _becomes(combatant, "incapacitated", "dying", source, "HE-WP-05")
    else:
        yield from _without(combatant, ("stabilized",), "healed", "HE-STAB-09")
        # If the GM has set the state, only the GM ends it.
        ended = [held.id for held in combatant.conditions if held.rules and held.id in STATES]
        yield from _without(combatant, ended, "healed", "HE-WP-09")


def _becomes(
    combatant: Combatant, state: str, other: str, source: Id | None, rule: str
) -> Iterator[Follows]:
    if not combatant.has(state):
        gained = ConditionGained(combatant.id, state, source=source, rules=(rule,))
        yield (
            gained
            if combatant.has(other)
            else (gained, Downed(combatant.id, source, rules=(rule,)))
        )
    yield from _without(combatant, (other,), state, rule)


def _without(
    combatant: Combatant, conditions: tuple[str, ...] | list[str], reason: str, rule: str
) -> Iterator[Follows]:
    for condition in conditions:
        if combatant.has(condition):
            yield ConditionLost(combatant.id, condition, reason=reason, rules=(rule,))


def _out(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """Remove the dead from the order, with their declarations and missed turns (HE-TIE-08)."""
    rules = ("HE-TIE-08", "HE-WP-07")
    if combatant.id in combat.acting:
        yield TurnEnded(combatant.id, turn_tag(combat, combatant.id), rules=rules)
    others = tuple(place for place in combat.queue if place.who != combatant.id)
    if len(others) < len(combat.queue):
        yield InitiativeSet(others, rules=rules)
    if CARRIED.known(combatant):
        yield CARRIED.clear(combatant.id, rules=rules)


@rule("HE-ATTR-05", "Lower Strength lowers maximum Wound Points and the death limit")
def _strength(combatant: Combatant) -> Iterator[Follows]:
    """Adjust maximum Wound Points to the Strength score (HE-ATTR-05).

    Current Wound Points change only if they exceed the new maximum. Maximum Stress does not change.
    """
    score = current(combatant, "strength")
    if not COUNTED_STRENGTH.known(combatant):
        counted = COUNTED_STRENGTH.set(combatant.id, score, rules=("HE-WP-01",))
        brought = tuple(name for name in ATTRIBUTES if current(combatant, name) == 0)
        yield (counted, ZEROS.set(combatant.id, brought)) if brought else counted
    elif (change := score - COUNTED_STRENGTH.of(combatant)) != 0:
        track = combatant.tracks["wound_points"]
        most = (track.maximum or 0) + change
        rules = ("HE-ATTR-05",)
        yield (
            COUNTED_STRENGTH.set(combatant.id, score, rules=rules),
            TrackChanged(
                combatant.id, "wound_points", min(track.value, most), most, "Strength", rules=rules
            ),
        )


def _zeros(combatant: Combatant) -> Iterator[Follows]:
    """Ask the GM once about each score that has dropped to 0 (HE-ATTR-06)."""
    asked = ZEROS.of(combatant)
    for attribute in ATTRIBUTES:
        at_zero = current(combatant, attribute) == 0
        if at_zero and attribute not in asked:
            yield Step("attribute-zero", {"who": combatant.id, "attribute": attribute})
        elif attribute in asked and not at_zero:
            yield ZEROS.set(combatant.id, tuple(name for name in asked if name != attribute))


def _arms(combatant: Combatant) -> Iterator[Follows]:
    """Drop the things in an arm that can no longer hold them (HE-BLUNT-11, HE-BLUNT-12)."""
    for held in (*combatant.all("arm-cannot-hold"), *combatant.all("hand-useless")):
        falls = [
            thing for thing in _held_in(combatant, arm(held)) if not has_lost(combatant, thing)
        ]
        if falls:
            rules = (brought_by(held),)
            names = ", ".join(thing.partition(":")[2] for thing in falls)
            yield (
                LOST.set(
                    combatant.id,
                    {**LOST.of(combatant), **dict.fromkeys(falls, "dropped")},
                    rules=rules,
                ),
                Noted(f"{combatant.id} drops {names}", combatant.id, rules=rules),
            )


def _held_in(combatant: Combatant, arm: str) -> Iterator[str]:
    """Yield the things in one arm, such as `weapon:axe`, `item:flask` or `shield:shield`."""
    card = sheet(combatant)
    for weapon in card.weapons:
        if weapon.hand == arm and weapon.wielded and not weapon.natural:
            yield f"weapon:{weapon.id}"
    for item in card.items:
        if item.hand == arm:
            yield f"item:{item.id}"
    if card.shield is not None and card.shield.held and card.shield.hand == arm:
        yield f"shield:{card.shield.id}"


def _counts(combatant: Combatant) -> Iterator[Follows]:
    """Clear the count of feet crawled, and start or clear the count of turns with a broken rib."""
    if CRAWLED.known(combatant) and not must_crawl(combatant):
        yield CRAWLED.clear(combatant.id, rules=("HE-INC-02",))
    # Affray counts the turns after the injury (GAP-26).
    if combatant.has("broken-rib") and not RIB.known(combatant):
        yield RIB.set(combatant.id, Rib(), rules=("HE-BLUNT-06",))
    if RIB.known(combatant) and not combatant.has("broken-rib"):
        yield RIB.clear(combatant.id, rules=("HE-INJ-09",))
