"""Grapples, screens and swarms, which tie combatants together. `consequences` ends them."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from domain.record.combat import Combat, Id, Json
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, FactSet
from domain.rulebook.effects import Procedure
from domain.rulesets.sovereign import board
from domain.rulesets.sovereign.facts import NUMBER, SWARMS, Member, Swarm, next_number
from domain.rulesets.sovereign.numbers import awake
from domain.rulesets.sovereign.rules import rule


def together(combat: Combat, who: Id, other: Id) -> bool:
    """Return true if both combatants are present and at most 5 ft apart, and `who` is able."""
    there = other in combat.combatants and not combat[other].left
    return there and awake(combat, who) and board.adjacent(combat, who, other)


def holds_still(combat: Combat, holder: Id, target: Id) -> bool:
    """Return true while holder and target are present, able and adjacent (SOV-GRAP-04)."""
    return (
        together(combat, holder, target)
        and awake(combat, target)
        and any(held.data.get("by") == holder for held in combat[target].all("grappled"))
        and any(held.data.get("target") == target for held in combat[holder].all("grappling"))
    )


def holds(combat: Combat) -> list[tuple[Id, Id]]:
    """Return the holder and the target of every grapple, in the order of taking hold."""
    grapples = [
        (int(held.data["number"]), str(held.data.get("by")), combatant.id)
        for combatant in combat
        for held in combatant.all("grappled")
        if held.data.get("by") in combat.combatants
    ]
    return [(by, who) for _, by, who in sorted(grapples)]


def holders(combat: Combat, target: Id) -> list[Id]:
    """Return the target's holders, in the order in which they took hold (SOV-GRAP-02)."""
    return [holder for holder, held in holds(combat) if held == target]


def held_by(combat: Combat, holder: Id) -> Id | None:
    """Return the combatant that `holder` holds."""
    return next((target for by, target in holds(combat) if by == holder), None)


def let_go(combat: Combat, holder: Id, target: Id, rule: str, reason: str) -> tuple[AnyEvent, ...]:
    """Return the events that end one grapple for its holder and its target."""
    held = [
        condition
        for condition in combat[target].all("grappled")
        if condition.data.get("by") == holder
    ]
    return (
        *(
            ConditionLost(target, "grappled", condition.key, reason, rules=(rule,))
            for condition in held
        ),
        ConditionLost(holder, "grappling", reason=reason, rules=(rule,)),
    )


@rule("SOV-GRAP-02", "A combatant holds one target, and several may hold the same")
def take_hold(combat: Combat, holder: Id, target: Id, data: Mapping[str, Json]) -> Procedure[None]:
    """Begin a grapple. Several combatants may hold the same target (SOV-GRAP-02)."""
    number, rules = next_number(combat), ("SOV-GRAP-01",)
    held = {"by": holder, "number": number, **data}
    yield NUMBER.set(number, rules=("SOV-GRAP-08",))
    yield (
        ConditionGained(holder, "grappling", data={"target": target}, rules=rules),
        ConditionGained(target, "grappled", f"grappled#{holder}", held, source=holder, rules=rules),
    )


# ---- swarms: their members and targets (SOV-SWARM)


MOST_IN_SWARM = 4
"""The largest number of members of a swarm (SOV-SWARM-02)."""


def open_swarm(combat: Combat, side: str, target: Id) -> Swarm | None:
    """Return the side's open swarm on that target."""
    return next(
        (swarm for swarm in SWARMS.of(combat) if (swarm.side, swarm.target) == (side, target)), None
    )


def swarm_members(swarm: Swarm) -> list[Id]:
    """Return the members in the order of joining."""
    return [member.who for member in swarm.members]


def swarm_weapon(swarm: Swarm, who: Id) -> str | None:
    """Return the weapon with which the member joined."""
    return next((member.weapon for member in swarm.members if member.who == who), None)


def other_swarms(combat: Combat, swarm: Swarm) -> tuple[Swarm, ...]:
    """Return the open swarms of other sides or on other targets."""
    own = (swarm.side, swarm.target)
    return tuple(swarm for swarm in SWARMS.of(combat) if (swarm.side, swarm.target) != own)


def join_swarm(combat: Combat, who: Id, target: Id, weapon: str) -> tuple[AnyEvent, ...]:
    """Return the events with which `who` joins the open swarm, or opens a new one.

    SOV-SWARM-01, SOV-SWARM-02.
    """
    side = combat[who].side
    now = open_swarm(combat, side, target) or Swarm(side, target, ())
    grown = replace(now, members=(*now.members, Member(who, weapon)))
    rules = ("SOV-SWARM-01",)
    return (
        ConditionGained(who, "swarming", data={"target": target}, rules=rules),
        SWARMS.set((*other_swarms(combat, now), grown), rules=rules),
    )


def keep_in_swarm(combat: Combat, swarm: Swarm, left: tuple[Member, ...]) -> tuple[AnyEvent, ...]:
    """Return the events that keep only the members in `left`.

    If `left` is empty, the swarm closes.
    """
    kept = (replace(swarm, members=left),) if left else ()
    gone = [member for member in swarm.members if member not in left]
    return (
        _open_swarms(*other_swarms(combat, swarm), *kept, rule="SOV-SWARM-08"),
        *_out_of_swarm(combat, gone, "out of it", "SOV-SWARM-08"),
    )


def close_swarm(combat: Combat, swarm: Swarm, rule: str) -> tuple[AnyEvent, ...]:
    """Return the events that close a swarm. The spent Mains do not return (SOV-SWARM-08)."""
    return (
        _open_swarms(*other_swarms(combat, swarm), rule=rule),
        *_out_of_swarm(combat, swarm.members, "closed", rule),
    )


def _open_swarms(*swarms: Swarm, rule: str) -> FactSet:
    return SWARMS.set(swarms, rules=(rule,)) if swarms else SWARMS.clear(rules=(rule,))


def _out_of_swarm(
    combat: Combat, who: Iterable[Member], reason: str, rule: str
) -> list[ConditionLost]:
    there = [member.who for member in who if member.who in combat.combatants]
    return [
        ConditionLost(member, "swarming", reason=reason, rules=(rule,))
        for member in there
        if combat[member].has("swarming")
    ]
