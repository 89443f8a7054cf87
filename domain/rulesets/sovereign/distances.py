"""Distance, lines, cover and reach between two combatants (SOV-GRID, SOV-LOS)."""

from collections.abc import Iterator, Mapping

from domain.record.combat import Combat, Id, Json
from domain.rulebook.distances import Between
from domain.rulesets.sovereign import board
from domain.rulesets.sovereign.arms import in_hand
from domain.rulesets.sovereign.blow import MODES, fits, reach_refusals
from domain.rulesets.sovereign.facts import COVER
from domain.rulesets.sovereign.numbers import sheet_of
from domain.rulesets.sovereign.sight import cover, located, los, sees, view


def between(combat: Combat, who: Id, target: Id) -> Between:
    """Return what an attack of `who` on `target` would meet.

    `corners` are the visible ones of the target's eight. `reasons` are the deciding facts, with
    rules.
    """
    found, covered = view(combat, who, target), cover(combat, who, target)
    said = COVER.of(combat)
    reasons: list[Mapping[str, Json]] = []
    if found is None:
        reasons.append(_because("one of them is nowhere", "SOV-LOS-01"))
    else:
        lines = f"{found.seen} of 8 corners are seen" if found.los else "no line is free"
        reasons.append(_because(lines, "SOV-LOS-08" if found.los else "SOV-LOS-01"))
    if f"{who}>{target}" in said or f"{target}>{who}" in said:
        reasons.append(_because("the GM has ruled on this pair", "SOV-LOS-10"))
    if not sees(combat, who, target):
        reasons.append(_because("it is dark, or hard to see", "SOV-ATK-07"))
    feet, line = board.feet_apart(combat, who, target), los(combat, who, target)
    words: Mapping[str, Json] = {
        "feet": feet,
        "adjacent": board.adjacent(combat, who, target),
        "los": line,
        "cover": covered,
        "modifier": {"none": 0, "half": -2, "full": -4}[covered],
        "corners": None if found is None else found.seen,
        "sees": sees(combat, who, target),
        "located": located(combat, who, target),
        "reasons": reasons,
    }
    reach = None if feet is None else tuple(_reaching(combat, who, target))
    return Between(distance=feet, unit="ft", line=line, cover=covered, reach=reach, words=words)


def _reaching(combat: Combat, who: Id, target: Id) -> Iterator[Id]:
    """Yield the arms in hand that get so far, in melee or at range (SOV-MEL-01, SOV-RNG-01)."""
    combatant = combat[who]
    fists = sheet_of(combatant).unarmed
    for weapon in (*in_hand(combatant), *(() if fists is None else (fists,))):
        modes = (mode for mode in MODES if fits(weapon, mode))
        if any(not any(reach_refusals(combat, who, target, weapon, mode)) for mode in modes):
            yield weapon.id


def _because(text: str, rule: str) -> Mapping[str, Json]:
    return {"text": text, "rule": rule}
