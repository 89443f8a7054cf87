"""Consequences of changes, such as unconsciousness and death (DEF-INC, DEF-NLD).

Consequences are a pure function of the state. The engine records the first consequence and calls
the function again. `cause` is the event before. It gives only a source or an earlier number.
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
from domain.rulebook.changes import changed_since
from domain.rulebook.presence import in_fight
from domain.rulebook.ruleset import Follows, Step
from domain.rulesets.definitions import arms, board, conditions, numbers
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
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.states import (
    able,
    awake,
    hp,
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
"""Causes of unconsciousness that a change of HP or NLD can end. The GM ends all others."""


def consequences(combat: Combat, cause: AnyEvent | None, before: Combat | None = None) -> Following:
    """Yield every consequence, the most urgent first."""
    changed = changed_since(before, combat, cause)
    for combatant in combat:
        # The consequences for fallen combatants also depend on turns and on the current casting.
        if combatant.id in changed or combatant.has("unconscious", "dead"):
            yield from of_each(combat, combatant, cause)
    if GOES_ON.known(combat) and len(standing(combat)) > 1:
        yield GOES_ON.clear(rules=("DEF-GEN-04",))
    for combatant in combat:
        if combatant.id in changed or combatant.conditions or INSIDE.known(combatant):
            yield from of_bonds(combat, combatant, cause)


def of_each(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Following:
    """Yield the consequences of the HP, NLD, death, weapons and armor of one combatant."""
    yield from numbers_hold(combat, combatant, cause)
    if combatant.has("dead"):
        yield from of_death(combat, combatant)
        return
    if raised(cause, combatant):
        yield from FAILS.lapse(combatant, rules=("DEF-DTH-01",))
    yield from falling(combat, combatant)
    yield from rising(combatant, cause)  # rest can raise HP after the combat
    yield from what_unconsciousness_ends(combat, combatant, cause)
    yield from arms_hold(combatant)


def of_bonds(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Following:
    """Yield the consequences of the grapple or the swallower that holds the combatant."""
    yield from grapples_hold(combat, combatant, cause)
    yield from swallowing_holds(combat, combatant)


# ---- numbers


@rule("DEF-HP-02", "HP stop at 0, but the event records all of the damage")
@rule("DEF-DBR-02", "Brutality: all damage of that one hit counts")
def numbers_hold(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Following:
    """Set negative HP and NLD to 0, and record that a wound is due at 0 HP."""
    if isinstance(cause, CombatantChanged) and cause.who == combatant.id:
        yield from changed(combat, combatant, cause)
    track = combatant.tracks["hp"]
    fell = isinstance(cause, Damaged) and cause.who == combatant.id and cause.track == "hp"
    if track.value <= 0 and not WOUND_DUE.known(combatant) and not combatant.has("dead"):
        if isinstance(cause, CombatantJoined) or raised(cause, combatant):
            yield WOUND_DUE.set(combatant.id, BROUGHT_ALONG, rules=("DEF-WND-01",))
        if fell and isinstance(cause, Damaged) and not DROPPED.known(combatant):  # with its excess
            yield DROPPED.set(combatant.id, cause.amount, rules=("DEF-DBR-02",))
        source = " ".join(told(cause)) or "unknown"
        yield WOUND_DUE.set(combatant.id, source, rules=("DEF-WND-01",))
    if track.value < 0:
        yield TrackChanged(combatant.id, "hp", 0, reason="not below 0", rules=("DEF-HP-02",))
    if nld(combatant) < 0:
        yield TrackChanged(combatant.id, "nld", 0, reason="not below 0", rules=("DEF-NLD-01",))


BROUGHT_ALONG = "-"
"""The value of `WOUND_DUE` for a combatant that joins with 0 HP, or comes back from death."""
ASKED = "asked"


def told(cause: AnyEvent | None) -> list[str]:
    """Return the words that name the cause of a wound in the log.

    If `cause` is damage, they are its source and its kind. If `cause` changed a pool, they are the
    reason of the change.
    """
    if isinstance(cause, Damaged):
        return [part for part in (cause.source, cause.kind) if part]
    return [cause.reason] if isinstance(cause, TrackChanged) and cause.reason else []


def changed(combat: Combat, combatant: Combatant, cause: CombatantChanged) -> Following:
    """Adapt pools, slots and modifiers to a sheet that the GM changed."""
    page, track = sheet_of(combatant), combatant.tracks["hp"]
    if "max_hp" in cause.sheet and track.maximum != page.max_hp:
        value = min(track.value, page.max_hp)
        yield TrackChanged(combatant.id, "hp", value, page.max_hp, "sheet", rules=("DEF-HP-03",))
    if "hp" in cause.sheet and page.hp is not None and track.value != page.hp:
        told = TrackChanged(combatant.id, "hp", page.hp, reason="sheet", rules=("DEF-HP-01",))
        lost = DROPPED.set(combatant.id, track.value, rules=("DEF-DBR-03",))
        yield (told, lost) if page.hp == 0 else told
    if "nld" in cause.sheet and nld(combatant) != page.nld:
        yield TrackChanged(combatant.id, "nld", page.nld, reason="sheet", rules=("DEF-NLD-01",))
    if "wielded" in cause.sheet:
        yield from SLOTS.lapse(combatant, rules=("DEF-WLD-01",))
    if "modifiers" in cause.sheet:
        held = [condition.data for condition in combatant.all("modifier")]
        for modifier in numbers.timed(combatant):
            gained = conditions.modifier_gained(combat, combatant.id, modifier, None)
            if gained.data not in held:
                yield gained


# ---- falling and rising


@rule("DEF-NLD-03", "A combatant whose NLD is at least its HP is unconscious")
@rule("DEF-NLD-05", "NLD alone causes neither bleeding nor wounds")
@rule(
    "DEF-NLD-06",
    "A combatant that is unconscious by NLD suffers all effects of 0 HP when it drops to 0",
)
@rule("DEF-INC-01", "At 0 HP, a combatant is wounded, unconscious, prone, exposed and bleeding out")
def falling(combat: Combat, combatant: Combatant) -> Following:
    """Yield the consequences of 0 HP, and of NLD that has reached HP.

    At 0 HP, the combatant gets a wound and is unconscious and bleeding. If NLD has reached HP, it
    is only unconscious. Its current turn ends, even if it is healed at once.
    """
    if hp(combatant) <= 0:
        if WOUND_DUE.of(combatant) not in (ASKED, BROUGHT_ALONG):
            yield Step("wound", {"who": combatant.id, "source": WOUND_DUE.of(combatant)})
        if not combatant.has("unconscious"):
            yield fainted(combatant, "hp", "DEF-INC-01")
    elif nld(combatant) >= hp(combatant) and not combatant.has("unconscious"):
        yield fainted(combatant, "nld", "DEF-NLD-03")
    if combatant.has("unconscious"):
        if not FALLEN.known(combatant):
            rules = ("DEF-INC-03",)
            down = (
                FALLEN.set(combatant.id, "down", rules=rules),
                Downed(combatant.id, rules=rules),
            )
            over = TURN_OVER.set(combatant.id, True, rules=("DEF-INC-05",))
            yield (*down, over) if combatant.id in combat.acting else down
        casting = CASTING.of(combat)
        if casting is not None and casting.who == combatant.id and not casting.lost:
            yield CASTING.set(replace(casting, lost=True), rules=("DEF-CNT-06",))
        if not combatant.has("prone"):
            yield ConditionGained(combatant.id, "prone", rules=("DEF-INC-01",))
        for helpless in ("exposed", "helpless"):
            if not held_by(combatant, helpless, "unconscious"):
                yield ConditionGained(
                    combatant.id,
                    helpless,
                    key=f"{helpless}:unconscious",
                    data={"cause": "unconscious"},
                    rules=("DEF-INC-02",),
                )
    if hp(combatant) <= 0 and not combatant.has("bleeding-out", "stabilized"):
        yield ConditionGained(combatant.id, "bleeding-out", rules=("DEF-INC-01",))
    if FAILS.of(combatant) >= 3:
        yield ConditionGained(combatant.id, "dead", rules=("DEF-DTH-01", "DEF-DTH-06"))


def gained(cause: AnyEvent | None, who: Id, condition: str) -> bool:
    """Return true if the event `cause` gave `who` this condition."""
    return isinstance(cause, ConditionGained) and (cause.who, cause.condition) == (who, condition)


def raised(cause: AnyEvent | None, combatant: Combatant) -> bool:
    """Return true if the cause is a ruling that ended the combatant's death."""
    return isinstance(cause, ConditionLost) and (cause.who, cause.condition) == (
        combatant.id,
        "dead",
    )


def fainted(combatant: Combatant, cause: str, rule: str) -> ConditionGained:
    return ConditionGained(combatant.id, "unconscious", data={"cause": cause}, rules=(rule,))


def held_by(combatant: Combatant, condition: str, *causes: str) -> list[Condition]:
    """Return the instances of a condition with one of these causes."""
    return [held for held in combatant.all(condition) if held.data.get("cause") in causes]


def lost(
    combatant: Combatant, conditions: Sequence[str], causes: Sequence[str], reason: str, rule: str
) -> Iterator[ConditionLost]:
    """Yield the end of every instance of these conditions with one of these causes."""
    for condition in conditions:
        for held in held_by(combatant, condition, *causes):
            yield ConditionLost(combatant.id, condition, held.key, reason, rules=(rule,))


@rule("DEF-NLD-04", "A combatant wakes as soon as its NLD is below its HP")
@rule("DEF-DTH-08", "After a later fall, the count of failures starts again")
@rule("DEF-DTH-09", "Healing above 0 HP ends the bleeding")
@rule("DEF-STB-01", "A stabilized combatant stays unconscious at 0 HP and rolls no more saves")
@rule("DEF-STB-02", "Healing above 0 HP, new lethal damage or death ends stabilization")
def rising(combatant: Combatant, cause: AnyEvent | None) -> Following:
    """End bleeding above 0 HP, and unconsciousness when NLD is below HP."""
    if hp(combatant) > 0:
        for state, rule in (("bleeding-out", "DEF-DTH-09"), ("stabilized", "DEF-STB-02")):
            if combatant.has(state):
                yield ConditionLost(combatant.id, state, reason="above 0 HP", rules=(rule,))
        for fact in (FAILS, DROPPED, WOUND_DUE):
            yield from fact.lapse(combatant, rules=("DEF-DTH-09",))
        if nld(combatant) < hp(combatant):
            yield from lost(combatant, ("unconscious",), FROM_NUMBERS, "awake", "DEF-NLD-04")
    if combatant.has("stabilized") and combatant.has("bleeding-out"):  # the newer condition counts
        again = gained(cause, combatant.id, "bleeding-out")
        state, rule = ("stabilized", "DEF-STB-02") if again else ("bleeding-out", "DEF-STB-01")
        yield ConditionLost(
            combatant.id, state, reason="bleeding" if again else "stabilized", rules=(rule,)
        )
    if combatant.has("stabilized"):
        yield from FAILS.lapse(combatant, rules=("DEF-DTH-07",))
    if not combatant.has("unconscious"):
        yield from FALLEN.lapse(combatant, rules=("DEF-NLD-04",))
        yield from lost(combatant, ("exposed", "helpless"), ("unconscious",), "awake", "DEF-INC-02")


@rule(
    "DEF-INC-05",
    "Unconsciousness ends a turn, held action, delay, stance and led grapple. Waking at once "
    "does not restore the turn",
)
def what_unconsciousness_ends(
    combat: Combat, combatant: Combatant, cause: AnyEvent | None
) -> Following:
    """End the delay, the held action and the stances of an unconscious combatant (DEF-HLD-10)."""
    if not awake(combatant):
        for state in STANCES:
            if combatant.has(state):
                yield ConditionLost(
                    combatant.id, state, reason="unconscious", rules=("DEF-INC-05",)
                )
    freed = (
        isinstance(cause, ConditionLost)
        and cause.who == combatant.id
        and not combatant.has("holding")
    )
    if freed or not able(combat, combatant.id):
        yield from HELD.lapse(combatant, rules=("DEF-HLD-10",))
    if combatant.has("holding") and not HELD.known(combatant):
        yield ConditionLost(combatant.id, "holding", reason="lost", rules=("DEF-HLD-10",))


@rule("DEF-DTH-01", "A combatant dies after three failed death saves in a row")
def of_death(combat: Combat, combatant: Combatant) -> Following:
    """Record the death, and end all conditions that only a living combatant has."""
    if FALLEN.of(combatant) != "dead":
        rules = ("DEF-DTH-01",)
        yield (FALLEN.set(combatant.id, "dead", rules=rules), Died(combatant.id, rules=rules))
    for state in ("bleeding-out", "stabilized", "holding", *STANCES):
        if combatant.has(state):
            yield ConditionLost(combatant.id, state, reason="dead", rules=("DEF-DTH-01",))
    for fact in (HELD, DROPPED, WOUND_DUE, INITIATIVE):
        yield from fact.lapse(combatant, rules=("DEF-DTH-01",))
    if any(place.who == combatant.id for place in (*combat.order, *combat.queue)):
        order = tuple(place for place in combat.order if place.who != combatant.id)
        queue = tuple(place for place in combat.queue if place.who != combatant.id)
        rules = ("DEF-DTH-01",)
        yield (
            InitiativeSet(order, lasting=True, rules=rules),
            InitiativeSet(queue, rules=rules),
        )


# ---- things in hand and worn


def arms_hold(combatant: Combatant) -> Following:
    """End `disarmed` when a weapon is in hand, and update `untrained-armor`.

    DEF-DIS-05, DEF-UNT-01.
    """
    if combatant.has("disarmed") and arms.in_hand(combatant) is not None:
        yield ConditionLost(combatant.id, "disarmed", reason="armed again", rules=("DEF-DIS-05",))
    armor = sheet_of(combatant).armor
    untrained = armor is not None and not armor.trained
    if untrained and not combatant.has("untrained-armor"):
        yield ConditionGained(combatant.id, "untrained-armor", rules=("DEF-UNT-01",))
    if combatant.has("untrained-armor") and not untrained:
        yield ConditionLost(combatant.id, "untrained-armor", reason="armor", rules=("DEF-UNT-01",))


# ---- grapples


@rule("DEF-GPN-02", "A pin lasts as long as the grapple")
def grapples_hold(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Following:
    """End a grapple that cannot continue, with its pin and its submission (DEF-GRP-06)."""
    for role, other_role in (("grappled", "grappling"), ("grappling", "grappled")):
        if not combatant.has(role):
            continue
        other = partner(combat, combatant.id)
        if other is None:
            continue  # the GM set this hold by a ruling
        aggressor, defender = (
            (combatant.id, other) if role == "grappling" else (other, combatant.id)
        )
        why = broken(combat, aggressor, defender)
        if why:
            yield ConditionLost(combatant.id, role, reason=why, rules=("DEF-GRP-06",))
        elif not (combat[other].has(other_role) and partner(combat, other) == combatant.id):
            if gained(cause, combatant.id, role):
                yield ConditionGained(other, other_role, source=combatant.id, rules=("DEF-GRP-05",))
            else:
                yield ConditionLost(combatant.id, role, reason="ended", rules=("DEF-GRP-06",))
    if combatant.has("pinned") and not combatant.has("grappled"):
        yield ConditionLost(combatant.id, "pinned", reason="grapple ended", rules=("DEF-GPN-02",))
    if not combatant.has("pinned"):
        yield from lost(combatant, ("exposed", "helpless"), ("grapple",), "pin ended", "DEF-GRE-01")
    if not combatant.has("grappling"):
        yield from SUBMISSION.lapse(combatant, rules=("DEF-GRS-01",))


@rule(
    "DEF-GRP-06",
    "A grapple ends by escape or release, or if the aggressor can't act, or a side is dead or away",
)
def broken(combat: Combat, aggressor: Id, defender: Id) -> str:
    """Return the reason why the grapple must end, or "" if it continues."""
    if not in_fight(combat, defender) or not in_fight(combat, aggressor):
        return "out-of-the-fight"
    if not able(combat, aggressor):
        return "unable"
    if combat[aggressor].has("swallowed") or combat[defender].has("swallowed"):
        return "swallowed"
    apart = board.within_reach(combat, aggressor, defender, None) is False
    return "out-of-reach" if apart else ""


# ---- swallowed


@rule(
    "DEF-SWL-04",
    "A swallowed combatant can target only its swallower. If the swallower leaves, it is free",
)
@rule("DEF-SWL-06", "A swallowed combatant faints after three rounds, and healing gives no air")
@rule("DEF-SWL-07", "A swallowed combatant dies two minutes after it has fainted")
def swallowing_holds(combat: Combat, combatant: Combatant) -> Following:
    """Free a swallowed combatant, or let it faint or die without air (DEF-SWL-05)."""
    inside = INSIDE.of(combatant)
    if not combatant.has("swallowed"):
        if inside is not None:
            yield Step("freed", {"who": combatant.id})
        return
    by = swallower(combat, combatant.id)
    if inside is None:
        if by is not None:
            yield INSIDE.set(combatant.id, Inside(by=by), rules=("DEF-SWL-04",))
        return
    holder = combat.combatants.get(inside.by)
    if holder is None or holder.left:
        yield Step("freed", {"who": combatant.id})
        return
    if combatant.position is not None:
        yield Moved(combatant.id, (), forced=True, rules=("DEF-SWL-04",))
    if combatant.has("dead"):
        return
    if 5 * inside.damage >= max_hp(holder) and awake(combatant):
        yield Step("freed", {"who": combatant.id})
    if inside.rounds >= 3 + 20:
        yield ConditionGained(combatant.id, "dead", source=inside.by, rules=("DEF-SWL-07",))
    if inside.rounds >= 3 and not held_by(combatant, "unconscious", "air"):
        yield ConditionGained(
            combatant.id,
            "unconscious",
            data={"cause": "air"},
            source=inside.by,
            until=(Until("retrieved"),),
            rules=("DEF-SWL-06",),
        )
