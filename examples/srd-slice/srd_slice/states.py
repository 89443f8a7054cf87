"""The states of a creature: facts, conditions, and the ability to act."""

from collections.abc import Iterator

from msgspec import Struct

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id, typed
from domain.rulebook import grid
from domain.rulebook.facts import declared, fact
from domain.rulebook.ruleset import ConditionInfo
from srd_slice.sheet import Creature, Weapon

INITIATIVE = fact("initiative", int, 0, known_to="all", about="Its initiative (SRD-INI-01)")
SUCCESSES = fact("successes", int, 0, known_to="all", about="Death saves made (SRD-DTH-01)")
FAILURES = fact("failures", int, 0, known_to="all", about="Death saves failed (SRD-DTH-01)")
CAST = fact(
    "cast", bool, False, until="turn-end", known_to="all",
    about="Has cast a spell in this turn (SRD-SPL-02)",
)  # fmt: skip

FACTS = declared(globals())


class Held(Struct, frozen=True):
    """The data of `paralyzed` and `concentrating`. `spell` is empty if no spell is the cause."""

    spell: str = ""


CONDITIONS = {
    "dying": ConditionInfo("unconscious at 0 hp", "healing, three saves", ("SRD-DTH-01",)),
    "stable": ConditionInfo("unconscious at 0 hp, safe", "healing, damage", ("SRD-DTH-05",)),
    "dead": ConditionInfo("out of the fight", "never", ("SRD-HP-02",)),
    "paralyzed": ConditionInfo("cannot act", "the spell", ("SRD-CND-01",), data=Held),
    "concentrating": ConditionInfo("keeps a spell up", "damage", ("SRD-CON-01",), data=Held),
    "dodging": ConditionInfo("attacks have disadvantage", "its next turn", ("SRD-DOD-01",)),
    "disengaged": ConditionInfo("draws no opportunity attacks", "its turn", ("SRD-DIS-01",)),
}

OUT = ("dead", "dying", "stable")
HELPLESS = (*OUT, "paralyzed")


def sheet(combatant: Combatant) -> Creature:
    """Return the sheet of a combatant as a `Creature`."""
    return typed(combatant.sheet, Creature)


def weapon_of(combatant: Combatant, id: str) -> Weapon | None:
    """Return the weapon with this id on the sheet, or `None`."""
    return next((weapon for weapon in sheet(combatant).weapons if weapon.id == id), None)


def in_fight(combat: Combat, who: Id) -> bool:
    """Return true if `who` has not left, and is not dead, dying or stable (SRD-HP-04)."""
    combatant = combat.combatants.get(who)
    return combatant is not None and not combatant.left and not combatant.has(*OUT)


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return the reason why `who` cannot act or react, or `None` (SRD-CND-01)."""
    condition = combat[who].first(*HELPLESS)
    if condition is None:
        return None
    return Illegal("SRD-CND-01", "incapacitated", f"{combat[who].name} is {condition}")


def enemies(combat: Combat, who: Id) -> Iterator[Combatant]:
    """Return the combatants of other sides that are still in the fight."""
    side = combat[who].side
    return (
        combatant
        for combatant in combat
        if combatant.side != side and in_fight(combat, combatant.id)
    )


def feet(combat: Combat, who: Id, other: Id) -> int | None:
    """Return the distance of two combatants in feet (SRD-MOV-01).

    The result is `None` if one of them has no square.
    """
    here, there = combat[who].position, combat[other].position
    return None if here is None or there is None else 5 * grid.distance(here, there)


def over(combat: Combat) -> bool:
    """Return true if at most one side has combatants in the fight."""
    return len({combatant.side for combatant in combat if in_fight(combat, combatant.id)}) < 2


def wound(combat: Combat, who: Id) -> str:
    """Return the word for the wounds of `who` that foes see."""
    hp = combat[who].tracks["hp"]
    out = combat[who].first(*OUT)
    if out or hp.is_full:
        return out or "unhurt"
    return "hurt" if hp.value * 2 > (hp.maximum or 0) else "bloodied"
