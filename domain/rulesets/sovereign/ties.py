"""Ties between two combatants: grapples and screens. For their end see `consequences`."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json
from domain.record.events import AnyEvent, ConditionGained, ConditionLost
from domain.rulebook.effects import Procedure
from domain.rulesets.sovereign import board
from domain.rulesets.sovereign.facts import NUMBER, next_number
from domain.rulesets.sovereign.numbers import awake
from domain.rulesets.sovereign.rules import rule


def together(combat: Combat, one: Id, other: Id) -> bool:
    """Both there, at most 5 ft apart, and `one` able."""
    there = other in combat.combatants and not combat[other].left
    return there and awake(combat, one) and board.adjacent(combat, one, other)


def holds_still(combat: Combat, holder: Id, target: Id) -> bool:
    """Both ends of a grapple are there, both able and adjacent (SOV-GRAP-04)."""
    return (
        together(combat, holder, target)
        and awake(combat, target)
        and any(held.data.get("by") == holder for held in combat[target].all("grappled"))
        and any(held.data.get("target") == target for held in combat[holder].all("grappling"))
    )


def holds(combat: Combat) -> list[tuple[Id, Id]]:
    """(holder, target) of every grapple, as they took hold."""
    found = [
        (int(held.data["number"]), str(held.data.get("by")), combatant.id)
        for combatant in combat
        for held in combatant.all("grappled")
        if held.data.get("by") in combat.combatants
    ]
    return [(by, who) for _, by, who in sorted(found)]


def holders(combat: Combat, target: Id) -> list[Id]:
    """Return its holders, in the order in which they took hold (SOV-GRAP-02)."""
    return [holder for holder, held in holds(combat) if held == target]


def held_by(combat: Combat, holder: Id) -> Id | None:
    """Return the combatant that it holds."""
    return next((target for by, target in holds(combat) if by == holder), None)


def let_go(combat: Combat, holder: Id, target: Id, rule: str, reason: str) -> tuple[AnyEvent, ...]:
    """One grapple ends for both."""
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


@rule("SOV-GRAP-02", "One target each. Several may hold the same")
def take_hold(combat: Combat, holder: Id, target: Id, data: Mapping[str, Json]) -> Procedure[None]:
    """Target grappled, holder grappling; several may hold the same (SOV-GRAP-02)."""
    number, rules = next_number(combat), ("SOV-GRAP-01",)
    held = {"by": holder, "number": number, **data}
    yield NUMBER.set(number, rules=("SOV-GRAP-08",))
    yield (
        ConditionGained(holder, "grappling", data={"target": target}, rules=rules),
        ConditionGained(target, "grappled", f"grappled#{holder}", held, source=holder, rules=rules),
    )
