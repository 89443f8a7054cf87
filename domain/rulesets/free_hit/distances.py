"""Measure the distance, zone and reach between two units (FH-MOV-09, FH-ZON-01, FH-ATK-07)."""

from domain.record.combat import Combat, Id
from domain.rulebook.distances import Between
from domain.rulesets.free_hit.attack import in_zone
from domain.rulesets.free_hit.numbers import apart
from domain.rulesets.free_hit.states import sheet
from domain.rulesets.free_hit.strike import weapon_refusals


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return the distance from `who` to `target`, and the weapons of `who` that reach `target`.

    `in_zone` is true if the target is in the melee zone of `who`. The rulebook has no rules for
    sight or cover.
    """
    combatant, other = combat[who], combat[target]
    spaces = apart(combat, who, target)
    arms = (weapon.id for weapon in sheet(combatant).weapons)
    zone = in_zone(combat, who, other.position, sheet(other).size)
    return Between(
        distance=spaces,
        unit="spaces",
        reach=None
        if spaces is None
        else tuple(
            arm
            for arm in arms
            if next(weapon_refusals(combat, who, target, arm, True, False), None) is None
        ),
        words={"in_zone": zone},
    )
