"""Facts of the rulebook, in addition to the shared state. Each fact is declared here once.

Every field has a default, because readers that may not know a combatant get the fact without the
combatant's id.
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
    """The category and the number of the immediate actions of a round (DEF-IMM)."""

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
    """A weapon or item on the ground, with its sheet's data. `at` is `None` if unknown."""

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
    """The casting of a spell, from its declaration to its effect.

    `lost` is true once the caster has fallen, even if it is awake again.
    """

    who: Id = ""
    spell: str = ""
    countered: bool = False
    lost: bool = False


class Inside(Struct, frozen=True, kw_only=True):
    """The state of a swallowed combatant.

    - `by`: its swallower.
    - `rounds`: the rounds that it has spent inside without air.
    - `damage`: the damage that it has dealt from inside.
    """

    by: Id = ""
    rounds: int = 0
    damage: int = 0


class Standing(Struct, frozen=True, kw_only=True):
    """The sides with an awake combatant when the GM chose to continue (DEF-GEN-04)."""

    sides: tuple[str, ...] = ()


def public(name: str, kind: Any, default: T, about: str) -> Fact[T]:
    return fact(name, kind, default, known_to="all", about=about)


def of_turn(name: str, kind: type[T], default: T, about: str) -> Fact[T]:
    """Return a fact that ends when the combatant's next turn begins (DEF-RND-02)."""
    return fact(name, kind, default, until="turn-start", known_to="all", about=about)


# ---- hands and things

SLOTS: Fact[Slots | None] = public(
    "slots", Slots | None, None, "things in its slots; unset = by the sheet"
)
GONE: Fact[tuple[str, ...]] = public(
    "gone", tuple[str, ...], (), "things of its sheet that it no longer has"
)
CARRIED: Fact[tuple[Carried, ...]] = fact(
    "carried", tuple[Carried, ...], (), known_to="all", holds=tuple[OfWeapon | OfItem, ...],
    about="things that it has picked up",
)  # fmt: skip
IN_HAND: Fact[tuple[str, ...]] = public(
    "in_hand", tuple[str, ...], (), "items that it has retrieved"
)
WEAR: Fact[Mapping[str, int]] = public(
    "wear", Mapping[str, int], {}, "points left of each damaged thing"
)

# ---- the combatant's turn and round

rule(
    "DEF-RND-02",
    "Limits per round count from one turn of the combatant to its next",
    f"{__name__}.IMMEDIATE",
)
IMMEDIATE = of_turn("immediate", Used, Used(), "immediate actions of its round")
FREE_USED = of_turn("free_used", tuple[str, ...], (), "free actions of its turn")
ATTACKS_MADE = of_turn("attacks_made", int, 0, "number of its attack actions in this turn")
FULL_ROUND = of_turn("full_round", str, "", "its full-round action in this turn")
STANCE = of_turn("stance", str, "", "the stance of this turn's attacks")
ACTED = of_turn("acted", bool, False, "whether it has acted in this turn")
RESUMED = of_turn("resumed", bool, False, "whether this is its delayed turn")
SUBMITTED = of_turn("submitted", bool, False, "whether it has won a submission in this turn")
TURN_OVER = of_turn("turn_over", bool, False, "whether its turn is over")
SWIFT_EXCEPTION = of_turn(
    "swift_exception", bool, False, "whether its swift action is one that a charge allows"
)
HELD: Fact[Held | None] = fact("held", Held | None, None, known_to="owner", about="its held action")
RESUMES = fact(
    "resumes",
    bool,
    False,
    until="round-end",
    known_to="all",
    about="whether it resumes its delayed turn",
)
ESCAPES = of_turn("escapes", str, "", "the roll of its escape from a grapple")
DENIED: Fact[tuple[str, ...]] = fact(
    "denied",
    tuple[str, ...],
    (),
    until="round-end",
    known_to="side",
    about="allies that it does not let pass",
)
INITIATIVE: Fact[int | None] = public(
    "initiative", int, None, "its initiative in hundredths (DEF-INI-06)"
)

# ---- life, death, grapples

FAILS = public("death_fails", int, 0, "failed death saves in a row")
DROPPED = public("dropped_by", int, 0, "the damage that dropped it to 0 HP")
FALLEN = public("fallen", str, "", "the recorded state: down or dead")
WOUND_DUE = fact(
    "wound_due", str, "", known_to="gm", about="the cause of the wound that the GM has to name"
)
SUBMISSION = public("submission", int, 0, "submissions won in a row")
INSIDE: Fact[Inside | None] = public(
    "inside", Inside | None, None, "its swallower, with rounds and damage"
)

# ---- the combat

LAST = combat_fact("last", str, "", known_to="all", about="the combatant whose turn began last")
BOUNDARY = combat_fact(
    "boundary", str, "", known_to="all", about="the combatant whose turn has just ended"
)
ASKED_IN = combat_fact(
    "asked_in", int, 0, known_to="all", about="the last round in which the GM chose to continue"
)
CASTING: CombatFact[Casting | None] = combat_fact(
    "casting", Casting | None, None, known_to="all", about="the spell in casting"
)
GROUND: CombatFact[tuple[Lying, ...]] = combat_fact(
    "ground", tuple[Lying, ...], (), known_to="all", holds=tuple[OfWeapon | OfItem, ...],
    about="things on the ground",
)  # fmt: skip
GOES_ON: CombatFact[Standing | None] = combat_fact(
    "goes_on",
    Standing | None,
    None,
    known_to="all",
    about="the standing sides when the GM chose to continue",
)
BEGUN = combat_fact(
    "order_set", bool, False, known_to="all", about="whether the order of turns is set"
)

FACTS = declared(globals())
