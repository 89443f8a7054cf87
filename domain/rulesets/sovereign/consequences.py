"""The consequences of a change, such as a fall at 0 HP or the end of a grapple.

Consequences depend only on the state (SOV-DOWN, SOV-GRAP-04, SOV-SCRN-02, SOV-SWARM-08,
SOV-EXEC-03). If two facts exclude each other, the fact of the newest event (`cause`) counts.
"""

from collections.abc import Iterator

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, Place
from domain.record.events import (
    AnyEvent,
    CombatantChanged,
    ConditionGained,
    ConditionLost,
    Damaged,
    Downed,
    Healed,
    InitiativeSet,
    TrackChanged,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.changes import changed_since
from domain.rulebook.ruleset import Follows
from domain.rulesets.sovereign import arms, costs, items, ties
from domain.rulesets.sovereign.conditions import dies
from domain.rulesets.sovereign.facts import (
    ASKED_END,
    SHIELD_DROPPED,
    SIDE,
    SPARED,
    SWARMS,
    TO_GO,
    Swarm,
)
from domain.rulesets.sovereign.numbers import (
    HELPLESS,
    able,
    alertness,
    awake,
    important,
    shield,
    sides_left,
)
from domain.rulesets.sovereign.rules import rule


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return the reason why a combatant must stop, or `None` while it is able.

    SOV-ACT-08, SOV-INST-07.
    """
    return next(costs.able_refusals(combat, who), None)


def consequences(
    combat: Combat, cause: AnyEvent | None, before: Combat | None = None
) -> Iterator[Follows]:
    """Yield the consequences in the order of joining."""
    if isinstance(cause, CombatantChanged) and "shield" in cause.sheet:
        yield from given_shield(combat, cause.who)
    if isinstance(cause, CombatantChanged) and cause.side is not None:
        yield from with_new_side(combat, combat[cause.who])
    changed = changed_since(before, combat, cause)
    for combatant in combat:
        if combatant.id in changed:
            yield from life(combat, combatant, cause)
        if combatant.conditions:
            yield from needs_to_be_able(combat, combatant)
            yield from parted(combat, combatant)
            yield from prepared(combat, combatant, cause)
    yield from swarms(combat)
    yield from opposed_again(combat)


def with_new_side(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """End or begin the turn of a combatant that has changed sides (SOV-SEQ-04, SOV-SEQ-09)."""
    if all(place.who != combatant.id for place in combat.queue):
        return
    on_turn, acting = combatant.side == SIDE.of(combat), combatant.id in combat.acting
    if acting and not on_turn:
        others = tuple(place for place in combat.queue if place.who != combatant.id)
        to_come = (Place(combatant.id),) if combatant.side in TO_GO.of(combat) else ()
        over = TurnEnded(combatant.id, rules=("SOV-SEQ-04",))
        yield over, InitiativeSet((*others, *to_come), rules=("SOV-SEQ-09",))
    elif on_turn and not acting and able(combat, combatant.id):
        yield TurnBegan(combatant.id, rules=("SOV-SEQ-09",))


def opposed_again(combat: Combat) -> Iterator[Follows]:
    """Clear the GM's decision about the end when two sides have able combatants (SOV-SEQ-08)."""
    if ASKED_END.known(combat) and len(sides_left(combat)) > 1:
        yield ASKED_END.clear(rules=("SOV-SEQ-08",))


# ---- down, dying, dead


def life(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """Yield the changes that the hit points or a new condition require.

    SOV-DOWN-01, SOV-DOWN-02, SOV-DOWN-03, SOV-DOWN-07, SOV-DOWN-08.
    """
    hp = combatant.tracks["hp"].value
    own = getattr(cause, "who", None) == combatant.id
    if hp < 0:
        yield zero(combatant, "SOV-DMG-04")
    if hp > 0 and combatant.has("dead"):
        yield zero(combatant, "SOV-DOWN-03")
    # the newer condition counts
    if combatant.has("mortally-injured") and combatant.has("stabilized"):
        last = cause.condition if isinstance(cause, ConditionGained) else "stabilized"
        held = "stabilized" if last == "mortally-injured" else "mortally-injured"
        yield ConditionLost(combatant.id, held, reason=last, rules=("SOV-DOWN-06",))
    if combatant.has("dead"):
        for held in ("mortally-injured", "stabilized", "unconscious"):
            if combatant.has(held):
                yield ConditionLost(combatant.id, held, reason="dead", rules=("SOV-DOWN-04",))
    elif hp <= 0 and not combatant.has(*HELPLESS):
        if own and isinstance(cause, ConditionLost):  # the GM wakes the combatant
            yield TrackChanged(combatant.id, "hp", 1, None, "conscious", rules=("SOV-DOWN-06",))
        else:
            yield falls(
                combat, combatant, cause.source if own and isinstance(cause, Damaged) else None
            )
    elif hp > 0 and combatant.has("mortally-injured", "stabilized"):
        if own and isinstance(cause, ConditionGained):
            yield TrackChanged(combatant.id, "hp", 0, None, "down", rules=("SOV-DOWN-01",))
        else:
            yield recovers(combatant)
    elif (
        hp > 0 and combatant.has("unconscious") and own and isinstance(cause, Healed | TrackChanged)
    ):
        yield ConditionLost(combatant.id, "unconscious", reason="healed", rules=("SOV-DOWN-07",))
    if combatant.has(*HELPLESS):
        yield from collapses(combat, combatant)


def zero(combatant: Combatant, rule: str) -> TrackChanged:
    """Return the event that sets hit points to 0."""
    return TrackChanged(combatant.id, "hp", 0, None, "0 hit points", rules=(rule,))


@rule("SOV-DOWN-02", "At 0 HP, an important combatant is mortally injured or unconscious")
@rule("SOV-DOWN-03", "At 0 HP, any other combatant dies or is unconscious")
@rule("SOV-DOWN-08", "A frail combatant dies at 0 HP")
def falls(combat: Combat, combatant: Combatant, source: Id | None) -> tuple[AnyEvent, ...]:
    """Return the events of a fall to 0 HP: dead, dying or unconscious.

    SOV-DOWN-02, SOV-DOWN-03, SOV-DOWN-08.
    """
    down = Downed(combatant.id, source, rules=("SOV-DOWN-01",))
    spared = (SPARED.clear(combatant.id, rules=("SOV-DOWN-02",)),) if SPARED.of(combatant) else ()
    rules = ("SOV-DOWN-02",) if important(combatant) else ("SOV-DOWN-03",)
    end: tuple[AnyEvent, ...]
    if combatant.has("frail"):
        end = dies(combatant.id, source, "SOV-DOWN-08")
    elif spared:
        end = (ConditionGained(combatant.id, "unconscious", source=source, rules=rules),)
    elif important(combatant):
        fell = {"round": combat.round}
        end = (
            ConditionGained(
                combatant.id, "mortally-injured", data=fell, source=source, rules=rules
            ),
        )
    else:
        end = dies(combatant.id, source, *rules)
    return (down, *spared, *end)


@rule("SOV-DOWN-07", "Healing above 0 HP wakes a combatant, which is prone and frail")
def recovers(combatant: Combatant) -> tuple[AnyEvent, ...]:
    """Return the events that wake a combatant. It stays prone and becomes frail (SOV-DOWN-07)."""
    rules = ("SOV-DOWN-07",)
    lost = [
        ConditionLost(combatant.id, held, reason="healed", rules=rules)
        for held in ("mortally-injured", "stabilized", "unconscious")
        if combatant.has(held)
    ]
    return (*lost, ConditionGained(combatant.id, "frail", rules=rules))


@rule("SOV-DOWN-01", "At 0 HP, a combatant is prone, empty-handed and helpless")
def collapses(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """Make a fallen combatant prone, and drop everything in its hands (SOV-DOWN-01)."""
    held = [weapon for weapon in arms.in_hand(combatant) if not weapon.natural]
    if held:
        yield arms.dropped(combat, combatant, held, "SOV-DOWN-01")
    guard = shield(combatant)
    if guard is not None:
        yield items.shield_dropped(combat, combatant, guard, "SOV-DOWN-01")
    if not combatant.has("prone"):
        yield ConditionGained(combatant.id, "prone", rules=("SOV-DOWN-01",))


def given_shield(combat: Combat, who: Id) -> Iterator[Follows]:
    """Clear the fact of a dropped shield when the GM changes the shield."""
    combatant = combat.combatants.get(who)
    if combatant is not None and SHIELD_DROPPED.of(combatant) and not combatant.has(*HELPLESS):
        yield SHIELD_DROPPED.clear(who, rules=("SOV-SHOCK-08",))


# ---- states that end when a combatant is disabled, or when two combatants part

ENDS = (
    "holding",
    "screening",
    "preparing-execution",
    "charging",
    "disengaged",
    "total-defense",
)
"Conditions that last only while the combatant is able."


def needs_to_be_able(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """End stances and preparations of a combatant that is no longer able (SOV-DOWN-01)."""
    for held in ENDS:
        if combatant.has(held) and not awake(combat, combatant.id):
            yield ConditionLost(combatant.id, held, reason="not able", rules=("SOV-DOWN-01",))


@rule(
    "SOV-SCRN-02",
    "A screen ends if screener and ward are more than 5 ft apart or the screener is not able",
)
@rule(
    "SOV-GRAP-04",
    "A grapple lasts until the holder releases it, the target breaks it, or they are apart",
)
def parted(combat: Combat, combatant: Combatant) -> Iterator[Follows]:
    """End grapples and screens of combatants that are too far apart, gone or not able.

    SOV-GRAP-04, SOV-SCRN-02.
    """
    for held in combatant.all("grappled"):
        by = held.data.get("by")
        if by is not None and not ties.holds_still(combat, str(by), combatant.id):
            yield ConditionLost(combatant.id, "grappled", held.key, "apart", rules=("SOV-GRAP-04",))
    for held in combatant.all("grappling"):
        target = held.data.get("target")
        if target is not None and not ties.holds_still(combat, combatant.id, str(target)):
            yield ConditionLost(
                combatant.id, "grappling", held.key, "apart", rules=("SOV-GRAP-04",)
            )
    for held in combatant.all("screening"):
        ward = str(held.data.get("ward"))
        if not ties.together(combat, combatant.id, ward):
            yield ConditionLost(
                combatant.id, "screening", held.key, "apart", rules=("SOV-SCRN-02",)
            )
        elif combat[ward].side != combatant.side:
            yield ConditionLost(
                combatant.id, "screening", held.key, "no ally", rules=("SOV-SCRN-01",)
            )
    if not arms.holds_both(combatant):
        yield ConditionLost(
            combatant.id, "dual-wielding", reason="put away", rules=("SOV-DUAL-01",)
        )


def prepared(combat: Combat, combatant: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """End a preparation after harm, or if its target is wary or gone (SOV-EXEC-03)."""
    for held in combatant.all("preparing-execution"):
        target = combat.combatants.get(str(held.data.get("target")))
        gone = target is None or target.left or alertness(target) != "unsuspecting"
        hurt = isinstance(cause, Damaged) and cause.who == combatant.id and cause.amount > 0
        if gone or hurt:
            why = "hurt" if hurt else "the target is alert"
            yield ConditionLost(combatant.id, held.id, reason=why, rules=("SOV-EXEC-03",))


def swarms(combat: Combat) -> Iterator[Follows]:
    """End a swarm whose target is no enemy, and remove members that cannot strike.

    A member cannot strike if it is unable or on another side (SOV-SWARM-08, SOV-SWARM-01).
    """
    for swarm in SWARMS.of(combat):
        target = combat.combatants.get(swarm.target)
        if target is None or target.left or target.has(*HELPLESS) or target.side == swarm.side:
            yield ties.close_swarm(combat, swarm, "SOV-SWARM-08")
            continue
        stay = tuple(member for member in swarm.members if still_swarms(combat, swarm, member.who))
        if stay != swarm.members:
            yield ties.keep_in_swarm(combat, swarm, stay)


def still_swarms(combat: Combat, swarm: Swarm, who: Id) -> bool:
    combatant = combat[who]
    return awake(combat, who) and combatant.side == swarm.side and combatant.has("swarming")
