"""Feet, lines and reach between two combatants (VD-GRID-06, VD-LOE, VD-LOS, VD-MELEE-01)."""

from collections.abc import Iterator

from domain.record.combat import Combat, Id
from domain.rulebook.distances import Between
from domain.rulesets.vile_darkness.facts import Spot
from domain.rulesets.vile_darkness.places import apart
from domain.rulesets.vile_darkness.powers import OPAQUE, line, obstacles
from domain.rulesets.vile_darkness.routines import out_of_range, out_of_reach, uses


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return what an attack or a spell of `who` on `target` would meet.

    Distance is from centre to centre. The GM sets the obstacles: `cover` and `concealment` are per
    cent, `effect` is whether a line of effect joins them.
    """
    feet = apart(combat, who, target)
    spot = Spot(combatant=target)
    said = line(combat, who, spot)
    return Between(
        distance=None if feet is None else round(feet, 2),
        unit="ft",
        line=said.concealment < OPAQUE,
        cover=said.cover,
        reach=None if feet is None else tuple(_reaching(combat, who, target)),
        words={
            "concealment": said.concealment,
            "effect": not any(obstacles(combat, who, spot)),
        },
    )


def _reaching(combat: Combat, who: Id, target: Id) -> Iterator[str]:
    for use in uses(combat[who]):
        refusals = out_of_range if use.kind == "missile" else out_of_reach
        if not any(refusals(combat, who, target, use)):
            yield use.id
