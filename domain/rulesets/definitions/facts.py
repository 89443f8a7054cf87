"""Facts of this rulebook beyond the shared state. Each fact is declared here once.

Every field has a default, because a reader that must not know a combatant gets the fact without its
id.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from domain.record.combat import Id, Json
from domain.rulebook.facts import CombatFact, Fact, combat_fact, declared, fact
from domain.rulesets.definitions.rules import rule
from domain.rulesets.definitions.sheet import Item, Weapon

T = TypeVar("T")


class Slots(Struct, frozen=True, kw_only=True):
    """The ids of the things in the two hands."""

    primary: str | None = None
    offhand: str | None = None


class Used(Struct, frozen=True, kw_only=True):
    """The immediate actions of a round: their category and their number (DEF-IMM)."""

    category: str = "none"
    times: int = 0


class Trigger(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The trigger of a held action: an `event` from a closed list, or a free `text`."""

    event: str | None = None
    who: Id | None = None
    target: Id | None = None
    action: str | None = None
    text: str | None = None


class Held(Struct, frozen=True, kw_only=True):
    """A declared action that waits for its trigger (DEF-HLD-01)."""

    slot: str = ""
    action: str = ""
    inputs: Mapping[str, Json] = {}
    attacks: int
    trigger: Trigger = Trigger()


class Lying(Struct, frozen=True, kw_only=True):
    """A weapon or item on the ground, with its sheet's data. `at` is None if unknown."""

    id: str = ""
    kind: str = ""
    owner: Id | None = None
    at: tuple[int, ...] | None = None
    data: Mapping[str, Json] = {}


class Carried(Struct, frozen=True, kw_only=True):
    """A thing of another combatant that this combatant has picked up."""

    kind: str = ""
    data: Mapping[str, Json] = {}


class OfWeapon(Struct, frozen=True, tag_field="kind", tag="weapon"):
    """The data of a weapon."""

    data: Weapon


class OfItem(Struct, frozen=True, tag_field="kind", tag="item"):
    """The data of an item."""

    data: Item


class Casting(Struct, frozen=True, kw_only=True):
    """The spell that is being cast, from its declaration to its effect.

    `lost` is true once its caster has fallen, even if the caster is up again.
    """

    who: Id = ""
    spell: str = ""
    countered: bool = False
    lost: bool = False


class Inside(Struct, frozen=True, kw_only=True):
    """The state of a swallowed combatant: rounds inside, and damage that it dealt from inside."""

    by: Id = ""
    rounds: int = 0
    damage: int = 0


class Standing(Struct, frozen=True, kw_only=True):
    """The sides that still stood when the GM chose to continue (DEF-GEN-04)."""

    sides: tuple[str, ...] = ()


def public(name: str, kind: Any, default: T, about: str) -> Fact[T]:
    return fact(name, kind, default, known_to="all", about=about)


def of_turn(name: str, kind: type[T], default: T, about: str) -> Fact[T]:
    """Return a fact that ends when the combatant's next turn begins (DEF-RND-02)."""
    return fact(name, kind, default, until="turn-start", known_to="all", about=about)


# ---- hands and things

SLOTS: Fact[Slots | None] = public(
    "slots", Slots | None, None, "what the slots hold; unset: by the sheet"
)
GONE: Fact[tuple[str, ...]] = public(
    "gone", tuple[str, ...], (), "things of the sheet that it has no more"
)
CARRIED: Fact[tuple[Carried, ...]] = fact(
    "carried", tuple[Carried, ...], (), known_to="all", holds=tuple[OfWeapon | OfItem, ...],
    about="things picked up",
)  # fmt: skip
IN_HAND: Fact[tuple[str, ...]] = public("in_hand", tuple[str, ...], (), "items that were retrieved")
WEAR: Fact[Mapping[str, int]] = public(
    "wear", Mapping[str, int], {}, "points that damaged things have left"
)

# ---- the combatant's turn and round

rule(
    "DEF-RND-02",
    "Limits per round count from one turn of the combatant to its next",
    f"{__name__}.IMMEDIATE",
)
IMMEDIATE = of_turn("immediate", Used, Used(), "immediate actions used")
FREE_USED = of_turn("free_used", tuple[str, ...], (), "free actions done")
ATTACKS_MADE = of_turn("attacks_made", int, 0, "attack actions taken")
FULL_ROUND = of_turn("full_round", str, "", "the full-round action taken")
STANCE = of_turn("stance", str, "", "the stance of this turn's attacks")
ACTED = of_turn("acted", bool, False, "something was done this turn")
RESUMED = of_turn("resumed", bool, False, "this turn had been delayed")
SUBMITTED = of_turn("submitted", bool, False, "submission won this turn")
TURN_OVER = of_turn("turn_over", bool, False, "the turn has been ended")
SWIFT_EXCEPTION = of_turn(
    "swift_exception", bool, False, "the swift action of this turn was one of the three of a charge"
)
HELD: Fact[Held | None] = fact("held", Held | None, None, known_to="owner", about="the held action")
RESUMES = fact(
    "resumes", bool, False, until="round-end", known_to="all", about="it takes its delayed turn now"
)
ESCAPES = of_turn("escapes", str, "", "with what it escapes now")
DENIED: Fact[tuple[str, ...]] = fact(
    "denied", tuple[str, ...], (), until="round-end", known_to="side", about="whom it lets not pass"
)
INITIATIVE: Fact[int | None] = public(
    "initiative", int, None, "its initiative in hundredths (DEF-INI-06)"
)

# ---- life, death, grapples

FAILS = public("death_fails", int, 0, "failed death saves in a row")
DROPPED = public("dropped_by", int, 0, "the damage that brought it to 0 HP")
FALLEN = public("fallen", str, "", "unconscious or dead, as it was told")
WOUND_DUE = fact("wound_due", str, "", known_to="gm", about="from what a wound is to be named")
SUBMISSION = public("submission", int, 0, "submissions won in a row")
INSIDE: Fact[Inside | None] = public("inside", Inside | None, None, "who has swallowed it")

# ---- the combat

LAST = combat_fact("last", str, "", known_to="all", about="whose turn began last")
BOUNDARY = combat_fact("boundary", str, "", known_to="all", about="whose turn has just ended")
ASKED_IN = combat_fact(
    "asked_in", int, 0, known_to="all", about="the round in which nobody could act, and it went on"
)
CASTING: CombatFact[Casting | None] = combat_fact(
    "casting", Casting | None, None, known_to="all", about="the spell that is being cast"
)
GROUND: CombatFact[tuple[Lying, ...]] = combat_fact(
    "ground", tuple[Lying, ...], (), known_to="all", holds=tuple[OfWeapon | OfItem, ...],
    about="what lies on the floor",
)  # fmt: skip
GOES_ON: CombatFact[Standing | None] = combat_fact(
    "goes_on", Standing | None, None, known_to="all", about="where the GM let the fight go on"
)
BEGUN = combat_fact("order_set", bool, False, known_to="all", about="the order is settled")

FACTS = declared(globals())
