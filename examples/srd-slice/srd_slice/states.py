"""States of a creature: facts, conditions, and who can act."""

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
    """`spell` is the spell that holds it, empty if there is none."""

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
    """The sheet of a creature."""
    return typed(combatant.sheet, Creature)


def weapon_of(combatant: Combatant, id: str) -> Weapon | None:
    """Its weapon with this id."""
    return next((weapon for weapon in sheet(combatant).weapons if weapon.id == id), None)


def in_fight(combat: Combat, who: Id) -> bool:
    """Whether it still takes part (SRD-HP-04)."""
    combatant = combat.combatants.get(who)
    return combatant is not None and not combatant.left and not combatant.has(*OUT)


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Why it takes no actions or reactions (SRD-CND-01)."""
    condition = combat[who].first(*HELPLESS)
    if condition is None:
        return None
    return Illegal("SRD-CND-01", "incapacitated", f"{combat[who].name} is {condition}")


def enemies(combat: Combat, who: Id) -> Iterator[Combatant]:
    """Everybody of another side who takes part."""
    side = combat[who].side
    return (
        combatant
        for combatant in combat
        if combatant.side != side and in_fight(combat, combatant.id)
    )


def feet(combat: Combat, who: Id, other: Id) -> int | None:
    """Feet between two (SRD-MOV-01); None = it is not known where they are."""
    here, there = combat[who].position, combat[other].position
    return None if here is None or there is None else 5 * grid.distance(here, there)


def over(combat: Combat) -> bool:
    """Whether at most one side is left."""
    return len({combatant.side for combatant in combat if in_fight(combat, combatant.id)}) < 2


def wound(combat: Combat, who: Id) -> str:
    """How it looks to a foe."""
    hp = combat[who].tracks["hp"]
    out = combat[who].first(*OUT)
    if out or hp.is_full:
        return out or "unhurt"
    return "hurt" if hp.value * 2 > (hp.maximum or 0) else "bloodied"
