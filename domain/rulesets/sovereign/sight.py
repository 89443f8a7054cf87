"""Sight and cover: geometry, and the GM's rulings (SOV-LOS, SOV-ATK-07)."""

from typing import Literal

from domain.record.combat import Combat, Id
from domain.rulebook.sight import View, looks
from domain.rulebook.state_cache import once
from domain.rulesets.sovereign.board import solids, space
from domain.rulesets.sovereign.facts import COVER, SIGHT, Said, Seen
from domain.rulesets.sovereign.rules import rule

Cover = Literal["none", "half", "full"]


@rule("SOV-LOS-01", "One free line between two cubes is enough for sight, which is mutual")
@once
def los(combat: Combat, a: Id, b: Id) -> bool:
    """Whether a mutual line of sight joins them (SOV-LOS-01). A ruling comes first."""
    for pair in (f"{a}>{b}", f"{b}>{a}"):
        said = COVER.of(combat).get(pair, Said()).los
        if said is not None:
            return said
    found = view(combat, a, b)
    return found is not None and found.los


@rule("SOV-LOS-04", "Half cover: some corners of the target are hidden")
@rule("SOV-LOS-05", "Full cover: in sight, but none of its corners")
@rule("SOV-LOS-06", "No cover: every corner is seen from some point")
@rule("SOV-LOS-07", "Cover belongs to an ordered pair")
@once
def cover(combat: Combat, attacker: Id, target: Id) -> Cover:
    """The target's cover from the attacker (SOV-LOS-04 to -07)."""
    said = COVER.of(combat).get(f"{attacker}>{target}", Said()).cover
    if said is not None:
        return said
    found = view(combat, attacker, target)
    if found is None or not found.los or found.seen == 8:
        return "none"
    return "half" if found.seen else "full"


@rule("SOV-LOS-02", "Combatants are not solid and give no cover")
@rule("SOV-LOS-03", "The test is between cubes in three dimensions")
@rule("SOV-LOS-08", "Touching a solid is free, running inside or between two is not")
def view(combat: Combat, a: Id, b: Id) -> View | None:
    """Return the view by geometry alone, in three dimensions (SOV-LOS-03, -08).

    None: one has no place. Characters are not solid (SOV-LOS-02).
    """
    combatant, other = combat[a], combat[b]
    if combatant.position is None or other.position is None:
        return None
    return looks(solids(combat), combatant.position, space(combatant), other.position, space(other))


# ---- seeing in the dark


@rule("SOV-ATK-07", "−4 to shoot at the unseen. The unlocated cannot be shot at")
def sees(combat: Combat, viewer: Id, target: Id) -> bool:
    """Whether it sees the target: darkness, invisibility, blindness (SOV-ATK-07).

    The GM's word or a condition decides.
    """
    said = SIGHT.of(combat).get(f"{viewer}>{target}", Seen()).sees
    if said is not None:
        return said
    return not any(held.data.get("blinded") for held in combat[viewer].conditions)


def located(combat: Combat, viewer: Id, target: Id) -> bool:
    """Whether its exact place is known."""
    said = SIGHT.of(combat).get(f"{viewer}>{target}", Seen()).located
    return True if said is None else said
