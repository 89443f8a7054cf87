"""The facts that this rulebook adds to the shared state."""

from typing import Any, Literal

from msgspec import Struct

from domain.record.combat import Combat, Id
from domain.record.events import FactSet
from domain.rulebook.facts import CombatFact, Fact, combat_fact, declared, fact
from domain.rulesets.sovereign.sheet import Alertness, Item, Weapon


class Lying(Struct, frozen=True):
    """A thing on the ground.

    - `of` is the owner, and `at` is the square.
    - `weapon` or `item` has the data of the thing from the owner's sheet.
    """

    id: str
    of: Id
    name: str
    at: tuple[int, ...] | None
    weapon: Weapon | None = None
    item: Item | None = None


class Member(Struct, frozen=True):
    """A member of a swarm, and the weapon with which it joined."""

    who: Id
    weapon: str


class Swarm(Struct, frozen=True):
    """An open swarm of one side on one target. Its members are in the order of joining."""

    side: str
    target: Id
    members: tuple[Member, ...]


class Said(Struct, frozen=True):
    """The GM's ruling on cover and line of sight. If a field is `None`, geometry decides."""

    cover: Literal["none", "half", "full"] | None = None
    los: bool | None = None


class Seen(Struct, frozen=True):
    """The GM's ruling on the sight of one combatant on another.

    - `sees`: whether the viewer sees the target. If it is `None`, the viewer's conditions decide.
    - `located`: whether the viewer knows the target's exact place. `None` means that it does.
    """

    sees: bool | None = None
    located: bool | None = None


# ---- counts that each round resets (section 5)

SHIELD_USED = fact(
    "shield_used", bool, False, until="round-start", known_to="all",
    about="Whether its shield has stopped a Shock this round",
)  # fmt: skip
SCREENED: Fact[tuple[Id, ...]] = fact(
    "screened", tuple[Id, ...], (), until="round-start", known_to="side",
    about="The attackers that it has screened against this round",
)  # fmt: skip
ATTEMPTED = fact(
    "attempted", bool, False, until="round-start", known_to="all",
    about="Whether somebody has tried to stabilize it this round",
)  # fmt: skip
TAKEN: Fact[dict[str, int]] = fact(
    "taken", dict[str, int], {}, until="round-start", known_to="owner",
    about="Free Actions, Instants and weapon swaps in this round",
)  # fmt: skip
USED_THIS_ROUND: Fact[dict[str, int]] = fact(
    "used_this_round", dict[str, int], {}, until="round-start", known_to="owner",
    about="Uses in this round of the abilities that renew each round",
)  # fmt: skip

# ---- of a combatant

USED: Fact[dict[str, int]] = fact(
    "used",
    dict[str, int],
    {},
    known_to="owner",
    about="Uses of the abilities with a limit for the combat",
)
CAST: Fact[dict[str, int]] = fact(
    "cast", dict[str, int], {}, known_to="owner", about="Castings of each spell in this combat"
)
MORALE_ASKED = fact(
    "morale_asked", bool, False, about="Whether the GM was asked about its own retreat"
)
ALERTNESS: Fact[Alertness | None] = fact(
    "alertness", Alertness | None, None, about="Its current alertness, if it differs from the sheet"
)
WEAPONS: Fact[dict[str, str]] = fact(
    "weapons", dict[str, str], {}, known_to="all",
    about="The place of each weapon: in-hand, sheathed, stowed or dropped",
)  # fmt: skip
FOUND: Fact[tuple[Weapon, ...]] = fact(
    "found", tuple[Weapon, ...], (), known_to="all", about="Weapons picked up from others"
)
COUNTS: Fact[dict[str, int]] = fact(
    "counts", dict[str, int], {}, known_to="side", about="Pieces left of throwing weapons"
)
LOADED: Fact[dict[str, bool]] = fact(
    "loaded", dict[str, bool], {}, known_to="side", about="Whether bows and crossbows are loaded"
)
ITEMS: Fact[dict[str, str]] = fact(
    "items", dict[str, str], {}, known_to="side",
    about="The place of each item: readied, stowed or dropped",
)  # fmt: skip
SHIELD_DROPPED = fact(
    "shield_dropped", bool, False, known_to="all", about="Whether its shield lies on the ground"
)
FOUND_ITEMS: Fact[tuple[Item, ...]] = fact(
    "found_items", tuple[Item, ...], (), known_to="side", about="Items picked up from others"
)
SPARED = fact(
    "spared", bool, False, about="Whether the damage that brings it to 0 hit points is not lethal"
)

# ---- of the combat

ASKED_END: CombatFact[tuple[Any, ...]] = combat_fact(
    "asked_end",
    tuple[Any, ...],
    (),
    about="The able sides when the GM was last asked about the end",
)
INITIATIVE: CombatFact[dict[str, int]] = combat_fact(
    "initiative", dict[str, int], {}, known_to="all", about="The sides' totals"
)
ORDER: CombatFact[tuple[str, ...]] = combat_fact(
    "order", tuple[str, ...], (), known_to="all", about="The sides in the order of their turns"
)
TO_GO: CombatFact[tuple[str, ...]] = combat_fact(
    "to_go",
    tuple[str, ...],
    (),
    known_to="all",
    about="The sides that have not acted yet this round",
)
SIDE: CombatFact[str | None] = combat_fact(
    "side", str | None, None, known_to="all", about="The side on turn"
)
SURPRISED: CombatFact[tuple[str, ...]] = combat_fact(
    "surprised", tuple[str, ...], (), known_to="all", about="The groups that are surprised"
)
CAUGHT: CombatFact[tuple[str, ...]] = combat_fact(
    "caught", tuple[str, ...], (), about="The groups that have lost a surprise check"
)
MORALE: CombatFact[dict[str, int]] = combat_fact(
    "morale",
    dict[str, int],
    {},
    about="The losses of each group when the GM was last asked about morale",
)
NUMBER = combat_fact(
    "number",
    int,
    0,
    known_to="all",
    about="The number of the latest hold or screen, which gives their order",
)
SWARMS: CombatFact[tuple[Swarm, ...]] = combat_fact(
    "swarms", tuple[Swarm, ...], (), known_to="all", about="Open swarms"
)
GROUND: CombatFact[tuple[Lying, ...]] = combat_fact(
    "ground", tuple[Lying, ...], (), known_to="all", about="What lies on the ground"
)
COVER: CombatFact[dict[str, Said]] = combat_fact(
    "cover",
    dict[str, Said],
    {},
    known_to="all",
    about="The GM's rulings on cover, by attacker>target",
)
SIGHT: CombatFact[dict[str, Seen]] = combat_fact(
    "sight",
    dict[str, Seen],
    {},
    known_to="all",
    about="The GM's rulings on sight, by viewer>target",
)


def next_number(combat: Combat) -> int:
    """Return the number of the next hold or screen, which is above all earlier numbers."""
    return NUMBER.of(combat) + 1


def lay(combat: Combat, *things: Lying, rule: str) -> FactSet:
    """Return the event that puts things on the ground."""
    return GROUND.set((*GROUND.of(combat), *things), rules=(rule,))


FACTS = declared(globals())
