"""Consequences of each change: unconscious, dying, dead, held, swallowed (DEF-INC, -NLD).

They are a pure function of the state. The engine records the first one and asks again. The cause
only names sources, or tells an earlier number.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.record.combat import Combat, Combatant, Condition, Id, Until
from domain.record.events import (
    AnyEvent,
    CombatantChanged,
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    Damaged,
    Died,
    Downed,
    InitiativeSet,
    Moved,
    TrackChanged,
)
from domain.rulebook.rest_checks import unless_at_rest
from domain.rulebook.ruleset import Follows, Step
from domain.rulesets.definitions import arms, board, moments, numbers
from domain.rulesets.definitions.facts import (
    CASTING,
    DROPPED,
    FAILS,
    FALLEN,
    GOES_ON,
    HELD,
    INITIATIVE,
    INSIDE,
    SLOTS,
    SUBMISSION,
    TURN_OVER,
    WOUND_DUE,
    Inside,
)
from domain.rulesets.definitions.states import (
    able,
    awake,
    hp,
    in_fight,
    max_hp,
    nld,
    partner,
    sheet_of,
    standing,
    swallower,
)

Following = Iterator[Follows]

STANCES = ("full-defense", "charging", "reckless", "defensive", "shattering", "delaying")
FROM_NUMBERS = ("hp", "nld")
"""Causes of unconsciousness that end with the numbers; the GM's own ends by hand."""


def consequences(combat: Combat, cause: AnyEvent | None) -> Following:
    """Everything that follows, the most urgent first."""
    for one in combat:
        yield from of_each(combat, one, cause)
    if GOES_ON.known(combat) and len(standing(combat)) > 1:
        yield GOES_ON.clear(rules=("DEF-GEN-04",))
    for one in combat:
        yield from of_bonds(combat, one, cause)


@unless_at_rest
def of_each(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Following:
    """Numbers, life and arms of one combatant."""
    yield from numbers_hold(combat, one, cause)
    if one.has("dead"):
        yield from of_death(combat, one)
        return
    if raised(cause, one):
        yield from FAILS.lapse(one, rules=("DEF-DTH-01",))
    yield from falling(combat, one)
    yield from rising(one, cause)  # also after the fight, by rest
    yield from what_unconsciousness_ends(combat, one, cause)
    yield from arms_hold(one)


@unless_at_rest
def of_bonds(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Following:
    """Check the grapple and the swallower that hold the combatant."""
    yield from grapples_hold(combat, one, cause)
    yield from swallowing_holds(combat, one)


# ---- numbers


def numbers_hold(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Following:
    """Neither HP nor NLD below 0 (DEF-HP-02)."""
    if isinstance(cause, CombatantChanged) and cause.who == one.id:
        yield from changed(combat, one, cause)
    track = one.tracks["hp"]
    fell = isinstance(cause, Damaged) and cause.who == one.id and cause.track == "hp"
    if track.value <= 0 and not WOUND_DUE.known(one) and not one.has("dead"):
        if isinstance(cause, CombatantJoined) or raised(cause, one):
            yield WOUND_DUE.set(one.id, BROUGHT_ALONG, rules=("DEF-WND-01",))
        if fell and isinstance(cause, Damaged) and not DROPPED.known(one):  # overkill and all
            yield DROPPED.set(one.id, cause.amount, rules=("DEF-DBR-02",))
        source = " ".join(told(cause)) or "unknown"
        yield WOUND_DUE.set(one.id, source, rules=("DEF-WND-01",))
    if track.value < 0:
        yield TrackChanged(one.id, "hp", 0, reason="not below 0", rules=("DEF-HP-02",))
    if nld(one) < 0:
        yield TrackChanged(one.id, "nld", 0, reason="not below 0", rules=("DEF-NLD-01",))


BROUGHT_ALONG = "-"
"""It was at 0 HP before it joined, or before it died: no new wound."""
ASKED = "asked"


def told(cause: AnyEvent | None) -> list[str]:
    """Return the words for the cause, for the wound's name."""
    if isinstance(cause, Damaged):
        return [part for part in (cause.source, cause.kind) if part]
    return [cause.reason] if isinstance(cause, TrackChanged) and cause.reason else []


def changed(combat: Combat, one: Combatant, cause: CombatantChanged) -> Following:
    """A sheet that was changed by hand: pools, slots, modifiers that end."""
    page, track = sheet_of(one), one.tracks["hp"]
    if "max_hp" in cause.sheet and track.maximum != page.max_hp:
        value = min(track.value, page.max_hp)
        yield TrackChanged(one.id, "hp", value, page.max_hp, "sheet", rules=("DEF-HP-03",))
    if "hp" in cause.sheet and page.hp is not None and track.value != page.hp:
        told = TrackChanged(one.id, "hp", page.hp, reason="sheet", rules=("DEF-HP-01",))
        lost = DROPPED.set(one.id, track.value, rules=("DEF-DBR-03",))
        yield (told, lost) if page.hp == 0 else told
    if "nld" in cause.sheet and nld(one) != page.nld:
        yield TrackChanged(one.id, "nld", page.nld, reason="sheet", rules=("DEF-NLD-01",))
    if "wielded" in cause.sheet:
        yield from SLOTS.lapse(one, rules=("DEF-WLD-01",))
    if "modifiers" in cause.sheet:
        held = [condition.data for condition in one.all("modifier")]
        for modifier in numbers.timed(one):
            gained = moments.modifier_gained(combat, one.id, modifier, None)
            if gained.data not in held:
                yield gained


# ---- falling and rising


def falling(combat: Combat, one: Combatant) -> Following:
    """At 0 HP: wound, unconscious, prone, exposed, bleeding out. At NLD ≥ HP: unconscious.

    The combatant's own turn is over, even if it is raised at once (DEF-NLD-05, DEF-NLD-06).
    """
    if hp(one) <= 0:
        if WOUND_DUE.of(one) not in (ASKED, BROUGHT_ALONG):
            yield Step("wound", {"who": one.id, "source": WOUND_DUE.of(one)})
        if not one.has("unconscious"):
            yield fainted(one, "hp", "DEF-INC-01")
    elif nld(one) >= hp(one) and not one.has("unconscious"):
        yield fainted(one, "nld", "DEF-NLD-03")
    if one.has("unconscious"):
        if not FALLEN.known(one):
            rules = ("DEF-INC-03",)
            down = (FALLEN.set(one.id, "down", rules=rules), Downed(one.id, rules=rules))
            over = TURN_OVER.set(one.id, True, rules=("DEF-INC-05",))
            yield (*down, over) if one.id in combat.acting else down
        casting = CASTING.of(combat)
        if casting is not None and casting.who == one.id and not casting.lost:
            yield CASTING.set(replace(casting, lost=True), rules=("DEF-CNT-06",))
        if not one.has("prone"):
            yield ConditionGained(one.id, "prone", rules=("DEF-INC-01",))
        for helpless in ("exposed", "helpless"):
            if not held_by(one, helpless, "unconscious"):
                yield ConditionGained(
                    one.id,
                    helpless,
                    key=f"{helpless}:unconscious",
                    data={"cause": "unconscious"},
                    rules=("DEF-INC-02",),
                )
    if hp(one) <= 0 and not one.has("bleeding-out", "stabilized"):
        yield ConditionGained(one.id, "bleeding-out", rules=("DEF-INC-01",))
    if FAILS.of(one) >= 3:
        yield ConditionGained(one.id, "dead", rules=("DEF-DTH-01", "DEF-DTH-06"))


def gained(cause: AnyEvent | None, who: Id, condition: str) -> bool:
    """Whether the cause is that `who` has just got a condition."""
    return isinstance(cause, ConditionGained) and (cause.who, cause.condition) == (who, condition)


def raised(cause: AnyEvent | None, one: Combatant) -> bool:
    """Whether the cause is that it is dead no more, by the GM's hand."""
    return isinstance(cause, ConditionLost) and (cause.who, cause.condition) == (one.id, "dead")


def fainted(one: Combatant, cause: str, rule: str) -> ConditionGained:
    return ConditionGained(one.id, "unconscious", data={"cause": cause}, rules=(rule,))


def held_by(one: Combatant, condition: str, *causes: str) -> list[Condition]:
    """The instances of a condition that one of these has brought about."""
    return [held for held in one.all(condition) if held.data.get("cause") in causes]


def lost(
    one: Combatant, conditions: Sequence[str], causes: Sequence[str], reason: str, rule: str
) -> Iterator[ConditionLost]:
    """End conditions that one of these causes has brought."""
    for condition in conditions:
        for held in held_by(one, condition, *causes):
            yield ConditionLost(one.id, condition, held.key, reason, rules=(rule,))


def rising(one: Combatant, cause: AnyEvent | None) -> Following:
    """Above 0 HP bleeding ends. It is awake when NLD < HP (DEF-DTH-09, DEF-NLD-04, DEF-DTH-08)."""
    if hp(one) > 0:
        for state, rule in (("bleeding-out", "DEF-DTH-09"), ("stabilized", "DEF-STB-02")):
            if one.has(state):
                yield ConditionLost(one.id, state, reason="above 0 HP", rules=(rule,))
        for fact in (FAILS, DROPPED, WOUND_DUE):
            yield from fact.lapse(one, rules=("DEF-DTH-09",))
        if nld(one) < hp(one):
            yield from lost(one, ("unconscious",), FROM_NUMBERS, "awake", "DEF-NLD-04")
    if one.has("stabilized") and one.has("bleeding-out"):  # the newer of the two wins
        again = gained(cause, one.id, "bleeding-out")
        state, rule = ("stabilized", "DEF-STB-02") if again else ("bleeding-out", "DEF-STB-01")
        yield ConditionLost(
            one.id, state, reason="bleeding" if again else "stabilized", rules=(rule,)
        )
    if one.has("stabilized"):
        yield from FAILS.lapse(one, rules=("DEF-DTH-07",))
    if not one.has("unconscious"):
        yield from FALLEN.lapse(one, rules=("DEF-NLD-04",))
        yield from lost(one, ("exposed", "helpless"), ("unconscious",), "awake", "DEF-INC-02")


def what_unconsciousness_ends(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Following:
    """Delay, held action, stances (DEF-INC-05, DEF-HLD-10)."""
    if not awake(one):
        for state in STANCES:
            if one.has(state):
                yield ConditionLost(one.id, state, reason="unconscious", rules=("DEF-INC-05",))
    freed = isinstance(cause, ConditionLost) and cause.who == one.id and not one.has("holding")
    if freed or not able(combat, one.id):
        yield from HELD.lapse(one, rules=("DEF-HLD-10",))
    if one.has("holding") and not HELD.known(one):
        yield ConditionLost(one.id, "holding", reason="lost", rules=("DEF-HLD-10",))


def of_death(combat: Combat, one: Combatant) -> Following:
    """Out of the order; nothing of the living stays (DEF-DTH-01)."""
    if FALLEN.of(one) != "dead":
        rules = ("DEF-DTH-01",)
        yield (FALLEN.set(one.id, "dead", rules=rules), Died(one.id, rules=rules))
    for state in ("bleeding-out", "stabilized", "holding", *STANCES):
        if one.has(state):
            yield ConditionLost(one.id, state, reason="dead", rules=("DEF-DTH-01",))
    for fact in (HELD, DROPPED, WOUND_DUE, INITIATIVE):
        yield from fact.lapse(one, rules=("DEF-DTH-01",))
    if any(place.who == one.id for place in (*combat.order, *combat.queue)):
        order = tuple(place for place in combat.order if place.who != one.id)
        queue = tuple(place for place in combat.queue if place.who != one.id)
        rules = ("DEF-DTH-01",)
        yield (
            InitiativeSet(order, lasting=True, rules=rules),
            InitiativeSet(queue, rules=rules),
        )


# ---- what is held and worn


def arms_hold(one: Combatant) -> Following:
    """A weapon in hand, armor that fits or not (DEF-DIS-05, DEF-UNT-01)."""
    if one.has("disarmed") and arms.in_hand(one) is not None:
        yield ConditionLost(one.id, "disarmed", reason="armed again", rules=("DEF-DIS-05",))
    armor = sheet_of(one).armor
    untrained = armor is not None and not armor.trained
    if untrained and not one.has("untrained-armor"):
        yield ConditionGained(one.id, "untrained-armor", rules=("DEF-UNT-01",))
    if one.has("untrained-armor") and not untrained:
        yield ConditionLost(one.id, "untrained-armor", reason="armor", rules=("DEF-UNT-01",))


# ---- grapples


def grapples_hold(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Following:
    """A grapple has two ends; it lasts while the aggressor can (DEF-GRP-06)."""
    for mine, theirs in (("grappled", "grappling"), ("grappling", "grappled")):
        if not one.has(mine):
            continue
        other = partner(combat, one.id)
        if other is None:
            continue  # something else holds it: the GM's
        aggressor, defender = (one.id, other) if mine == "grappling" else (other, one.id)
        why = broken(combat, aggressor, defender)
        if why:
            yield ConditionLost(one.id, mine, reason=why, rules=("DEF-GRP-06",))
        elif not (combat[other].has(theirs) and partner(combat, other) == one.id):
            if gained(cause, one.id, mine):
                yield ConditionGained(other, theirs, source=one.id, rules=("DEF-GRP-05",))
            else:
                yield ConditionLost(one.id, mine, reason="ended", rules=("DEF-GRP-06",))
    if one.has("pinned") and not one.has("grappled"):
        yield ConditionLost(one.id, "pinned", reason="grapple ended", rules=("DEF-GPN-02",))
    if not one.has("pinned"):
        yield from lost(one, ("exposed", "helpless"), ("grapple",), "pin ended", "DEF-GRE-01")
    if not one.has("grappling"):
        yield from SUBMISSION.lapse(one, rules=("DEF-GRS-01",))


def broken(combat: Combat, aggressor: Id, defender: Id) -> str:
    """Return why a grapple between these two must end (DEF-GRP-06), or "" if it lasts."""
    if not in_fight(combat, defender) or not in_fight(combat, aggressor):
        return "out-of-the-fight"
    if not able(combat, aggressor):
        return "unable"
    if combat[aggressor].has("swallowed") or combat[defender].has("swallowed"):
        return "swallowed"
    apart = board.within_reach(combat, aggressor, defender, None) is False
    return "out-of-reach" if apart else ""


# ---- swallowed


def swallowing_holds(combat: Combat, one: Combatant) -> Following:
    """Out at 20 %, or without its swallower. No air after 3 rounds (DEF-SWL-04 to -07)."""
    inside = INSIDE.of(one)
    if not one.has("swallowed"):
        if inside is not None:
            yield Step("freed", {"who": one.id})
        return
    by = swallower(combat, one.id)
    if inside is None:
        if by is not None:
            yield INSIDE.set(one.id, Inside(by=by), rules=("DEF-SWL-04",))
        return
    holder = combat.combatants.get(inside.by)
    if holder is None or holder.left:
        yield Step("freed", {"who": one.id})
        return
    if one.position is not None:
        yield Moved(one.id, (), forced=True, rules=("DEF-SWL-04",))
    if one.has("dead"):
        return
    if 5 * inside.damage >= max_hp(holder) and awake(one):
        yield Step("freed", {"who": one.id})
    if inside.rounds >= 3 + 20:
        yield ConditionGained(one.id, "dead", source=inside.by, rules=("DEF-SWL-07",))
    if inside.rounds >= 3 and not held_by(one, "unconscious", "air"):
        yield ConditionGained(
            one.id,
            "unconscious",
            data={"cause": "air"},
            source=inside.by,
            until=(Until("retrieved"),),
            rules=("DEF-SWL-06",),
        )
