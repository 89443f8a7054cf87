"""Open swarms: who has joined against whom (SOV-SWARM)."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json
from domain.record.events import ConditionGained, ConditionLost, FactSet
from domain.rulebook.effects import Procedure
from domain.rulebook.play import Play

MOST = 4
"""Members of a swarm (SOV-SWARM-02)."""

Swarm = Mapping[str, Json]


def swarms(combat: Combat) -> list[Swarm]:
    return list(combat.facts.get("swarms", []))


def open_swarm(combat: Combat, side: str, target: Id) -> Swarm | None:
    """The side's open swarm on that target."""
    return next(
        (one for one in swarms(combat) if one["side"] == side and one["target"] == target), None
    )


def members(swarm: Swarm) -> list[Id]:
    """In the order in which they joined."""
    return [str(member["who"]) for member in swarm["members"]]


def weapon_of(swarm: Swarm, who: Id) -> str | None:
    """The weapon with which it joined."""
    return next((member["weapon"] for member in swarm["members"] if member["who"] == who), None)


def join(play: Play, who: Id, target: Id, weapon: str) -> Procedure[Swarm]:
    """One member more, of the open swarm or a new one (SOV-SWARM-01, -02)."""
    side = play.combat[who].side
    now = open_swarm(play.combat, side, target) or {"side": side, "target": target, "members": []}
    grown = {**now, "members": [*now["members"], {"who": who, "weapon": weapon}]}
    rest = [one for one in swarms(play.combat) if (one["side"], one["target"]) != (side, target)]
    yield FactSet(None, "swarms", [*rest, grown], rules=("SOV-SWARM-01",))
    yield ConditionGained(who, "swarming", data={"target": target}, rules=("SOV-SWARM-01",))
    return grown


def close(play: Play, swarm: Swarm, rule: str) -> Procedure[None]:
    """It is no longer open; the Mains stay spent (SOV-SWARM-08)."""
    rest = [
        one
        for one in swarms(play.combat)
        if (one["side"], one["target"]) != (swarm["side"], swarm["target"])
    ]
    yield FactSet(None, "swarms", rest or None, rules=(rule,))
    for who in members(swarm):
        if who in play.combat.combatants and play.combat[who].has("swarming"):
            yield ConditionLost(who, "swarming", reason="closed", rules=(rule,))
