"""Facts of a unit or the battle, in addition to its sheet, pools and conditions."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.record.combat import Combatant, Id, Json
from domain.record.events import FactSet
from domain.rulebook.facts import CombatFact, Fact, combat_fact, declared, fact
from domain.rulesets.free_hit.sheet import Weapon


class Cast(Struct, frozen=True):
    """A spell that the caster maintains or can switch, with its targets and notes."""

    on: bool
    targets: tuple[Id, ...]
    notes: tuple[str, ...]


class Lying(Struct, frozen=True):
    """A thing on the ground. `weapon` is its entry on the sheet, if it is a weapon.

    If `at` is `None`, its position is unknown.
    """

    name: str
    of: Id | None = None
    at: Annotated[tuple[int, ...], Meta(min_length=2, max_length=3)] | None = None
    weapon: Weapon | None = None


FREE_HITS = fact(
    "free_hits", int, 0, until="round-end", known_to="all",
    about="Free hits made this round (FH-FRE-04)",
)  # fmt: skip
INITIATOR = fact(
    "initiator", bool, False, until="battle-end", known_to="all",
    about="Whether it attacked before the battle, and so is last in the lineup (FH-INI-05)",
)  # fmt: skip
OWED: Fact[dict[str, int]] = fact(
    "owed", dict[str, int], {}, until="turn-start", known_to="side",
    about="Actions of the next turn that it owes for standing up (FH-PRN-05)",
)  # fmt: skip
ACTED = fact(
    "acted", bool, False, until="turn-start", known_to="all",
    about="Whether it has spent an action this turn, and so cannot delay (FH-INI-10)",
)  # fmt: skip
INSIDE: Fact[dict[Id, int]] = fact(
    "inside", dict[Id, int], {}, until="turn-start", known_to="side",
    about="Number of steps inside each enemy's zone in this turn (FH-FRE-07)",
)  # fmt: skip
FEATS_USED: Fact[dict[str, int]] = fact(
    "feats_used", dict[str, int], {}, until="battle-end", known_to="side",
    about="The round in which it used each feat's attack (FH-FRE-13)",
)  # fmt: skip
WEAPONS: Fact[dict[str, str]] = fact(
    "weapons", dict[str, str], {}, known_to="all",
    about="State of each weapon since it joined: drawn, sheathed or lost (FH-ACT-02)",
)  # fmt: skip
CARRIED: Fact[list[str]] = fact(
    "carried",
    list[str],
    [],
    known_to="side",
    about="Ids of items that it has picked up (FH-ACT-01)",
)
FACING: Fact[tuple[int, int] | None] = fact(
    "facing",
    tuple[int, int] | None,
    None,
    known_to="all",
    about="The direction that it faces (FH-FLK-02)",
)
CASTING: Fact[dict[str, dict[str, int]]] = fact(
    "casting", dict[str, dict[str, int]], {}, known_to="side",
    about="Unpaid actions of each spell that it is casting (FH-SPL-02)",
)  # fmt: skip
UPKEEP: Fact[dict[str, int]] = fact(
    "upkeep", dict[str, int], {}, known_to="side",
    about="The round in which it cast each spell that it maintains (FH-CHN-05)",
)  # fmt: skip
CAST: Fact[dict[str, Cast]] = fact(
    "cast", dict[str, Cast], {}, known_to="side",
    about="Spells that it has cast and can switch or end (FH-SPL-06)",
)  # fmt: skip
THRALLS: Fact[dict[Id, int]] = fact(
    "thralls", dict[Id, int], {}, known_to="side",
    about="Maximum hit points that each of its thralls costs (FH-THR-05)",
)  # fmt: skip
THRALLED = fact(
    "thralled", bool, False, known_to="side", about="Whether it is a thrall (FH-THR-03)"
)
UNDER_ATTACK: CombatFact[list[Id]] = combat_fact(
    "under_attack", list[Id], [], known_to="all",
    about="Targets of the attacks in progress, the innermost last (FH-PRN-07)",
)  # fmt: skip
GROUND: CombatFact[dict[str, dict[str, Json]]] = combat_fact(
    "ground", dict[str, dict[str, Json]], {}, known_to="all", holds=dict[str, Lying],
    about="Things on the ground: name, square, and the sheet's entry of a weapon (FH-DSM-01)",
)  # fmt: skip


def held(combatant: Combatant, weapon: str, state: str, rule: str) -> FactSet:
    """Return the event that a weapon is drawn, sheathed or lost."""
    return WEAPONS.set(combatant.id, {**WEAPONS.of(combatant), weapon: state}, rules=(rule,))


FACTS = declared(globals())
