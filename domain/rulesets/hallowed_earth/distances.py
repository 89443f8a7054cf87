"""Feet and reach between two combatants (HE-ATK-07, HE-REP-07)."""

from domain.record.combat import Combat, Id
from domain.rulebook.distances import Between
from domain.rulesets.hallowed_earth.attack import of_weapon, reaches
from domain.rulesets.hallowed_earth.numbers import apart, threat_range
from domain.rulesets.hallowed_earth.things import usable


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return what an attack of `who` on `target` would meet. There are no rules of sight or cover.

    `threatens`: whether the target is inside the threat range of `who`.
    """
    combatant = combat[who]
    feet = apart(combat, who, target)
    return Between(
        distance=feet,
        unit="ft",
        reach=None
        if feet is None
        else tuple(
            weapon.id
            for weapon in usable(combatant)
            if next(reaches(combat, who, target, of_weapon(weapon)), None) is None
        ),
        words={"threatens": None if feet is None else feet <= threat_range(combatant).value},
    )
