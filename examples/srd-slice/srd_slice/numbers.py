"""The armor class for the board, and the advantage or disadvantage of an attack."""

from domain.record.combat import Combat, Id
from domain.rulebook.sums import Sum
from srd_slice.sheet import Weapon
from srd_slice.states import HELPLESS, enemies, feet, sheet


def armor_class(combat: Combat, who: Id) -> Sum:
    """Return the number that an attack must reach (SRD-ATK-01)."""
    return Sum().add("armor class", sheet(combat[who]).ac, "SRD-ATK-01")


NUMBERS = {"armor_class": armor_class}


def d20(combat: Combat, who: Id, target: Id, weapon: Weapon) -> str:
    """Return the dice of an attack, with advantage or disadvantage (SRD-ADV-01).

    Of two dice, the higher counts with advantage, and the lower counts with disadvantage. If there
    are reasons for both, they cancel each other, and the attack has one die (SRD-ADV-02).
    """
    helped = combat[target].has(*HELPLESS)  # SRD-CND-02
    distance = feet(combat, who, target)
    hindered = combat[target].has("dodging") and not helped  # SRD-DOD-01
    if weapon.range_ft is not None:
        near = (feet(combat, foe.id, who) for foe in enemies(combat, who) if not foe.has(*HELPLESS))
        hindered |= any(apart is not None and apart <= 5 for apart in near)  # SRD-RNG-02
        hindered |= distance is not None and distance > weapon.range_ft  # SRD-RNG-01
    if helped == hindered:
        return "1d20"
    return "2d20kh" if helped else "2d20kl"
