"""Open swarms: their members and targets (SOV-SWARM)."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.record.combat import Combat, Id
from domain.record.events import AnyEvent, ConditionGained, ConditionLost, FactSet
from domain.rulesets.sovereign.facts import SWARMS, Member, Swarm

MOST = 4
"""Members of a swarm (SOV-SWARM-02)."""


def open_swarm(combat: Combat, side: str, target: Id) -> Swarm | None:
    """The side's open swarm on that target."""
    return next(
        (swarm for swarm in SWARMS.of(combat) if (swarm.side, swarm.target) == (side, target)), None
    )


def members(swarm: Swarm) -> list[Id]:
    """In the order in which they joined."""
    return [member.who for member in swarm.members]


def weapon_of(swarm: Swarm, who: Id) -> str | None:
    """The weapon with which it joined."""
    return next((member.weapon for member in swarm.members if member.who == who), None)


def others(combat: Combat, swarm: Swarm) -> tuple[Swarm, ...]:
    """The other open swarms."""
    mine = (swarm.side, swarm.target)
    return tuple(swarm for swarm in SWARMS.of(combat) if (swarm.side, swarm.target) != mine)


def joins(combat: Combat, who: Id, target: Id, weapon: str) -> tuple[AnyEvent, ...]:
    """One member more, of the open swarm or a new one (SOV-SWARM-01, -02)."""
    side = combat[who].side
    now = open_swarm(combat, side, target) or Swarm(side, target, ())
    grown = replace(now, members=(*now.members, Member(who, weapon)))
    rules = ("SOV-SWARM-01",)
    return (
        ConditionGained(who, "swarming", data={"target": target}, rules=rules),
        SWARMS.set((*others(combat, now), grown), rules=rules),
    )


def stays(combat: Combat, swarm: Swarm, left: tuple[Member, ...]) -> tuple[AnyEvent, ...]:
    """Only these are still of it; without any it is no longer open."""
    kept = (replace(swarm, members=left),) if left else ()
    gone = [member for member in swarm.members if member not in left]
    return (
        _open(*others(combat, swarm), *kept, rule="SOV-SWARM-08"),
        *_lost(combat, gone, "out of it", "SOV-SWARM-08"),
    )


def closes(combat: Combat, swarm: Swarm, rule: str) -> tuple[AnyEvent, ...]:
    """It is no longer open; the Mains stay spent (SOV-SWARM-08)."""
    return (
        _open(*others(combat, swarm), rule=rule),
        *_lost(combat, swarm.members, "closed", rule),
    )


def _open(*swarms: Swarm, rule: str) -> FactSet:
    return SWARMS.set(swarms, rules=(rule,)) if swarms else SWARMS.clear(rules=(rule,))


def _lost(combat: Combat, who: Iterable[Member], reason: str, rule: str) -> list[ConditionLost]:
    there = [member.who for member in who if member.who in combat.combatants]
    return [
        ConditionLost(one, "swarming", reason=reason, rules=(rule,))
        for one in there
        if combat[one].has("swarming")
    ]
