"""Facts of the rulebook, each declared once with its type, lifetime and readers."""

from collections.abc import Mapping

from msgspec import Struct

from domain.record.combat import Id
from domain.rulebook.facts import CombatFact, Fact, combat_fact, declared, fact


class Declaration(Struct, frozen=True, omit_defaults=True):
    """A declared action, with its initiative modifier and the tool that the combatant must use."""

    action: str
    modifier: int
    weapon: str | None = None
    spell: str | None = None
    item: str | None = None
    ability: str | None = None
    skill: str | None = None
    target: Id | None = None

    @property
    def tool(self) -> str | None:
        """Return the weapon, spell, item, ability or skill of the declaration."""
        return self.weapon or self.spell or self.item or self.ability or self.skill


class Missed(Struct, frozen=True):
    """A turn whose number had already passed when the combatant declared.

    The combatant takes this turn in `round`, at `number` (HE-LATE-05).
    """

    number: int
    declared: Declaration
    round: int


class Wound(Struct, frozen=True):
    """One loss of Wound Points, with its amount and one or more damage types."""

    id: int
    type: str | tuple[str, ...]
    amount: int


class Hurt(Struct, frozen=True):
    """A Combat Injury, with its name, its arm if any, and the damage type of its table."""

    id: int
    name: str
    side: str | None = None
    type: str = ""


class Rib(Struct, frozen=True):
    """The number of turns since a rib broke, and the turn in which the combatant last acted."""

    span: int = 0
    acted: int | None = None


class Slot(Struct, frozen=True):
    """The turns at one number.

    - `start`: the positions of all combatants when the slot began.
    - `together`: the combatants with simultaneous turns, until one of them has a result.
    - `resolved`: the combatants that have acted in the slot.
    """

    start: Mapping[Id, tuple[int, int, int]]
    together: tuple[Id, ...] = ()
    resolved: tuple[Id, ...] = ()


BASE = fact(
    "base_initiative", int, 0, until="combat-end", known_to="all",
    about="The initiative die less the Agility modifier",
)  # fmt: skip
ROUND_INITIATIVE = fact(
    "round_initiative", int, 0, until="round-end", known_to="all",
    about="The number at which it acts in this round",
)  # fmt: skip
DECLARED: Fact[Declaration | None] = fact(
    "declared", Declaration, None, until="round-end", known_to="all",
    about="Its declaration for this round",
)  # fmt: skip
CARRIED: Fact[tuple[Missed, ...]] = fact(
    "carried", tuple[Missed, ...], (), until="combat-end", known_to="all",
    about="Missed turns, with the round and number of each",
)  # fmt: skip
TAKEN = fact(
    "actions", int, 0, until="round-end", known_to="side",
    about="Actions of any kind taken in this round",
)  # fmt: skip
MOVED: Fact[float] = fact(
    "moved_ft", float, 0, until="round-end", known_to="side", about="Feet moved in this round"
)
MOVED_IN_TURN: Fact[float] = fact(
    "turn_ft", float, 0, until="turn-start", known_to="side", about="Feet moved in this turn"
)
CRAWLED: Fact[float] = fact(
    "crawl_progress_ft", float, 0, known_to="side",
    about="Feet crawled toward the next square",
)  # fmt: skip
WOUNDS: Fact[tuple[Wound, ...]] = fact(
    "wounds", tuple[Wound, ...], (), known_to="side", about="Every loss of Wound Points"
)
INJURIES: Fact[tuple[Hurt, ...]] = fact(
    "injuries", tuple[Hurt, ...], (), known_to="side", about="Combat Injuries"
)
ATTRIBUTE_DAMAGE: Fact[Mapping[str, int]] = fact(
    "attribute_damage", dict[str, int], {}, known_to="side", about="Points off each attribute"
)
COUNTED_STRENGTH = fact(
    "counted_strength", int, 0, about="The Strength score behind its maximum Wound Points"
)
ZEROS: Fact[tuple[str, ...]] = fact(
    "zeros",
    tuple[str, ...],
    (),
    about="Attributes of 0 that need no ruling any more",
)
LOST: Fact[Mapping[str, str]] = fact(
    "lost", dict[str, str], {}, known_to="all",
    about="Things that it has dropped or thrown, such as weapon:axe",
)  # fmt: skip
USED: Fact[Mapping[str, int]] = fact(
    "used", dict[str, int], {}, known_to="side", about="Number of each item that it has used up"
)
RIB: Fact[Rib | None] = fact("rib", Rib, None, known_to="side", about="Turns with a broken rib")
HIT_DICE = fact(
    "stress_rolled", bool, False, about="Whether Affray has rolled its Stress from hit dice"
)
HIT_HARD = fact(
    "wounded", bool, False, until="round-end",
    about="Whether one hit of this round took more than half of its Wound Points",
)  # fmt: skip
INTIMIDATED: Fact[int | None] = fact(
    "intimidated", int, None, until="round-end",
    about="The highest Intimidation result of this round against it",
)  # fmt: skip
OBVIOUS = fact(
    "obvious", bool, False, until="round-end", about="Whether it sees how the fight will end"
)

SLOT: CombatFact[Slot | None] = combat_fact(
    "slot", Slot, None, until="round-end", known_to="all", about="The turns of the current number"
)
CLOSING = combat_fact(
    "closing", bool, False, until="round-end", known_to="all",
    about="Whether the GM has closed the declarations",
)  # fmt: skip
DECLARE_ORDER: CombatFact[str | None] = combat_fact(
    "declare_order", str, None, known_to="all",
    about="The order of declaring, if the GM has set it",
)  # fmt: skip

FACTS = declared(globals())
