"""Consequences of any change: down, dying, dead, and the end of holds, screens and swarms.

They are a pure function of the state (SOV-DOWN, SOV-GRAP-04, SOV-SCRN-02, SOV-SWARM-08,
SOV-EXEC-03). If two facts exclude each other, the newer one, `cause`, holds.
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
    Died,
    Downed,
    Healed,
    InitiativeSet,
    TrackChanged,
    TurnBegan,
    TurnEnded,
)
from domain.rulebook.rest_checks import unless_at_rest
from domain.rulebook.ruleset import Follows
from domain.rulesets.sovereign import arms, costs, items, ties
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
from domain.rulesets.sovereign.swarms import closes, stays


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return why a combatant that is no longer able must stop (SOV-ACT-08, SOV-INST-07)."""
    return next(costs.able_refusals(combat, who), None)


def consequences(combat: Combat, cause: AnyEvent | None) -> Iterator[Follows]:
    """Yield the consequences in the order of joining."""
    if isinstance(cause, CombatantChanged) and "shield" in cause.sheet:
        yield from given_shield(combat, cause.who)
    if isinstance(cause, CombatantChanged) and cause.side is not None:
        yield from with_new_side(combat, combat[cause.who])
    for one in combat:
        yield from of_each(combat, one, cause)
    yield from swarms(combat)
    yield from opposed_again(combat)


def with_new_side(combat: Combat, one: Combatant) -> Iterator[Follows]:
    """Move a turn that is to come, or not over, to the new side (SOV-SEQ-04, -09)."""
    if all(place.who != one.id for place in combat.queue):
        return
    on_turn, acting = one.side == SIDE.of(combat), one.id in combat.acting
    if acting and not on_turn:
        others = tuple(place for place in combat.queue if place.who != one.id)
        mine = (Place(one.id),) if one.side in TO_GO.of(combat) else ()
        over = TurnEnded(one.id, rules=("SOV-SEQ-04",))
        yield over, InitiativeSet((*others, *mine), rules=("SOV-SEQ-09",))
    elif on_turn and not acting and able(combat, one.id):
        yield TurnBegan(one.id, rules=("SOV-SEQ-09",))


@unless_at_rest
def of_each(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """Of one combatant."""
    yield from life(combat, one, cause)
    if one.conditions:
        yield from needs_to_be_able(combat, one)
        yield from parted(combat, one)
        yield from prepared(combat, one, cause)


def opposed_again(combat: Combat) -> Iterator[Follows]:
    """With two sides able once more the GM is asked again about the end (SOV-SEQ-08)."""
    if ASKED_END.known(combat) and len(sides_left(combat)) > 1:
        yield ASKED_END.clear(rules=("SOV-SEQ-08",))


# ---- down, dying, dead


def life(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """Apply hit points and their consequences (SOV-DOWN-01 to -03, -07, -08)."""
    hp = one.tracks["hp"].value
    mine = getattr(cause, "who", None) == one.id
    if hp < 0:
        yield zero(one, "SOV-DMG-04")
    if hp > 0 and one.has("dead"):
        yield zero(one, "SOV-DOWN-03")
    if one.has("mortally-injured") and one.has("stabilized"):  # the newer of the two wins
        last = cause.condition if isinstance(cause, ConditionGained) else "stabilized"
        held = "stabilized" if last == "mortally-injured" else "mortally-injured"
        yield ConditionLost(one.id, held, reason=last, rules=("SOV-DOWN-06",))
    if one.has("dead"):
        for held in ("mortally-injured", "stabilized", "unconscious"):
            if one.has(held):
                yield ConditionLost(one.id, held, reason="dead", rules=("SOV-DOWN-04",))
    elif hp <= 0 and not one.has(*HELPLESS):
        if mine and isinstance(cause, ConditionLost):  # the GM lets it come to
            yield TrackChanged(one.id, "hp", 1, None, "conscious", rules=("SOV-DOWN-06",))
        else:
            yield falls(combat, one, cause.source if mine and isinstance(cause, Damaged) else None)
    elif hp > 0 and one.has("mortally-injured", "stabilized"):
        if mine and isinstance(cause, ConditionGained):
            yield TrackChanged(one.id, "hp", 0, None, "down", rules=("SOV-DOWN-01",))
        else:
            yield recovers(one)
    elif hp > 0 and one.has("unconscious") and mine and isinstance(cause, Healed | TrackChanged):
        yield ConditionLost(one.id, "unconscious", reason="healed", rules=("SOV-DOWN-07",))
    if one.has(*HELPLESS):
        yield from collapses(combat, one)


def zero(one: Combatant, rule: str) -> TrackChanged:
    """No more and no less."""
    return TrackChanged(one.id, "hp", 0, None, "0 hit points", rules=(rule,))


def falls(combat: Combat, one: Combatant, source: Id | None) -> tuple[AnyEvent, ...]:
    """At 0 HP: dead, dying, or unconscious (SOV-DOWN-02, -03, -08)."""
    down = Downed(one.id, source, rules=("SOV-DOWN-01",))
    spared = (SPARED.clear(one.id, rules=("SOV-DOWN-02",)),) if SPARED.of(one) else ()
    rules = ("SOV-DOWN-02",) if important(one) else ("SOV-DOWN-03",)
    end: tuple[AnyEvent, ...]
    if one.has("frail"):
        end = dies(one.id, source, "SOV-DOWN-08")
    elif spared:
        end = (ConditionGained(one.id, "unconscious", source=source, rules=rules),)
    elif important(one):
        fell = {"round": combat.round}
        end = (ConditionGained(one.id, "mortally-injured", data=fell, source=source, rules=rules),)
    else:
        end = dies(one.id, source, *rules)
    return (down, *spared, *end)


def dies(who: Id, source: Id | None, rule: str) -> tuple[AnyEvent, ...]:
    """Return the death, which ends other states."""
    return (
        ConditionGained(who, "dead", source=source, rules=(rule,)),
        Died(who, source, rules=(rule,)),
    )


def recovers(one: Combatant) -> tuple[AnyEvent, ...]:
    """Conscious again, still prone, frail (SOV-DOWN-07)."""
    rules = ("SOV-DOWN-07",)
    lost = [
        ConditionLost(one.id, held, reason="healed", rules=rules)
        for held in ("mortally-injured", "stabilized", "unconscious")
        if one.has(held)
    ]
    return (*lost, ConditionGained(one.id, "frail", rules=rules))


def collapses(combat: Combat, one: Combatant) -> Iterator[Follows]:
    """Drop everything in hand and fall prone (SOV-DOWN-01)."""
    held = [weapon for weapon in arms.in_hand(one) if not weapon.natural]
    if held:
        yield arms.dropped(combat, one, held, "SOV-DOWN-01")
    guard = shield(one)
    if guard is not None:
        yield items.shield_dropped(combat, one, guard, "SOV-DOWN-01")
    if not one.has("prone"):
        yield ConditionGained(one.id, "prone", rules=("SOV-DOWN-01",))


def given_shield(combat: Combat, who: Id) -> Iterator[Follows]:
    """Forget the shield on the ground if the GM gives another one."""
    one = combat.combatants.get(who)
    if one is not None and SHIELD_DROPPED.of(one) and not one.has(*HELPLESS):
        yield SHIELD_DROPPED.clear(who, rules=("SOV-SHOCK-08",))


# ---- what ends with its owner's being able, and with parting

ENDS = (
    "holding",
    "screening",
    "preparing-execution",
    "charging",
    "disengaged",
    "total-defense",
)
"""Conditions that an owner keeps only while it is able."""


def needs_to_be_able(combat: Combat, one: Combatant) -> Iterator[Follows]:
    """End stances and preparations of a combatant that is no longer able (SOV-DOWN-01)."""
    for held in ENDS:
        if one.has(held) and not awake(combat, one.id):
            yield ConditionLost(one.id, held, reason="not able", rules=("SOV-DOWN-01",))


def parted(combat: Combat, one: Combatant) -> Iterator[Follows]:
    """Grapples and screens of those who are apart, gone, or not able (SOV-GRAP-04, SOV-SCRN-02)."""
    for held in one.all("grappled"):
        by = held.data.get("by")
        if by is not None and not ties.holds_still(combat, str(by), one.id):
            yield ConditionLost(one.id, "grappled", held.key, "apart", rules=("SOV-GRAP-04",))
    for held in one.all("grappling"):
        target = held.data.get("target")
        if target is not None and not ties.holds_still(combat, one.id, str(target)):
            yield ConditionLost(one.id, "grappling", held.key, "apart", rules=("SOV-GRAP-04",))
    for held in one.all("screening"):
        ward = str(held.data.get("ward"))
        if not ties.together(combat, one.id, ward):
            yield ConditionLost(one.id, "screening", held.key, "apart", rules=("SOV-SCRN-02",))
        elif combat[ward].side != one.side:
            yield ConditionLost(one.id, "screening", held.key, "no ally", rules=("SOV-SCRN-01",))
    if not arms.holds_both(one):
        yield ConditionLost(one.id, "dual-wielding", reason="put away", rules=("SOV-DUAL-01",))


def prepared(combat: Combat, one: Combatant, cause: AnyEvent | None) -> Iterator[Follows]:
    """A preparation is spoilt by harm, and by a target that is wary or gone (SOV-EXEC-03)."""
    for held in one.all("preparing-execution"):
        target = combat.combatants.get(str(held.data.get("target")))
        gone = target is None or target.left or alertness(target) != "unsuspecting"
        hurt = isinstance(cause, Damaged) and cause.who == one.id and cause.amount > 0
        if gone or hurt:
            why = "hurt" if hurt else "the target is alert"
            yield ConditionLost(one.id, held.id, reason=why, rules=("SOV-EXEC-03",))


def swarms(combat: Combat) -> Iterator[Follows]:
    """End a swarm without an enemy as its target, and remove members that cannot strike.

    They are unable, or on another side (SOV-SWARM-08, SOV-SWARM-01).
    """
    for swarm in SWARMS.of(combat):
        target = combat.combatants.get(swarm.target)
        if target is None or target.left or target.has(*HELPLESS) or target.side == swarm.side:
            yield closes(combat, swarm, "SOV-SWARM-08")
            continue
        stay = tuple(one for one in swarm.members if still_swarms(combat, swarm, one.who))
        if stay != swarm.members:
            yield stays(combat, swarm, stay)


def still_swarms(combat: Combat, swarm: Swarm, who: Id) -> bool:
    one = combat[who]
    return awake(combat, who) and one.side == swarm.side and one.has("swarming")
