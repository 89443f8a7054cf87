"""Feet, reach and threat between two combatants (DEF-RCH, DEF-RNG-06)."""

from collections.abc import Iterator

from domain.record.combat import Combat, Id
from domain.rulebook.distances import Between
from domain.rulesets.definitions import arms, board
from domain.rulesets.definitions.shots import out_of_range

SQUARE_FT = 5


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return what an attack of `who` on `target` would meet. There are no rules of sight or cover.

    `threatens`: whether the target stands in a square that `who` threatens.
    """
    squares = board.distance(combat, who, target)
    if squares is None:
        return Between(unit="ft", words={"threatens": None})
    return Between(
        distance=SQUARE_FT * squares,
        unit="ft",
        reach=tuple(_reaching(combat, who, target)),
        words={"threatens": board.threatens(combat, who, target)},
    )


def _reaching(combat: Combat, who: Id, target: Id) -> Iterator[Id]:
    for weapon in arms.ready(combat[who]):
        if weapon.kind == "ranged":
            if not any(out_of_range(combat, who, target, weapon.range_ft, weapon.id)):
                yield weapon.id
        elif board.within_reach(combat, who, target, weapon):
            yield weapon.id
