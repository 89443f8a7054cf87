"""The conditions and facts of this rulebook, with their lifetimes and readers."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.record.combat import Id, Json
from domain.rulebook.facts import CombatFact, Fact, combat_fact, declared, fact
from domain.rulebook.inputs import SquareInput
from domain.rulebook.ruleset import ConditionInfo
from domain.rulesets.vile_darkness.sheet import EffectModifiers, Flag, Name


class Brought(Struct, frozen=True):
    """The data of a condition.

    If `maintained_by` has a caster, the condition ends when that caster stops concentrating on
    `ability`.
    """

    flags: tuple[Flag, ...] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: str | None = None
    maintained_by: Id | None = None
    ability: str | None = None


Info = partial(ConditionInfo, data=Brought)

CONDITIONS: Mapping[str, ConditionInfo] = {
    "delayed": Info(
        "LOW; loses ties of steps 4 to 6 to combatants without delay; delaying activities become "
        "complex",
        "at the end of the round after a delay, else as its data say",
        ("VD-DELAY-03", "VD-DELAY-08", "VD-DELAY-09"),
        stacks=True,
    ),
    "surprised": Info(
        "no free or immediate attacks; no actions, unless the GM allows them",
        "as the GM has set it",
        ("VD-SEQ-01", "VD-FREE-06", "VD-IMMA-05"),
    ),
    "casting": Info(
        "casts a spell; the major action is committed, and the spell of the round is used",
        "when the spell resolves or the concentration breaks",
        ("VD-CONC-08", "VD-E-03"),
    ),
    "concentrating": Info(
        "maintains one effect; walks at half its rate; has no penalties",
        "when the concentration breaks or ends, or another one begins",
        ("VD-CONC-04", "VD-CONC-05", "VD-CONC-06"),
    ),
    "engaged": Info(
        "no positioning; step 4 for multi-attackers; leaving provokes free attacks",
        "when one of the pair flees, leaves, is down or gone, or the GM separates them",
        ("VD-MELEE-01", "VD-MELEE-02", "VD-FAST-06"),
    ),
    "complex-activity": Info(
        "no other actions in this round",
        "at Go Last of its last round, or when the combatant gives it up",
        ("VD-CPLX-01", "VD-CPLX-04"),
    ),
    "declared-delay": Info(
        "LOW, whatever the die; not delayed", "with the round", ("VD-DELAY-06",)
    ),
    "down": Info(
        "cannot act; leaves all melees; its actions in progress and committed actions end",
        "when its hit points are above the limit again, or the GM ends it",
        ("VD-FREE-01", "VD-ROUT-03"),
    ),
    "dead": Info("as down, and healing does not end it", "by the GM", ("VD-FREE-01",)),
}

DEAD_OR_DOWN = ("down", "dead")


# ---- facts


Rank = Literal["HIGH", "LOW"]

NEXT_ROUND = "next-round"
"The moment at which declarations and actions of a round end (VD-END-02)."


ROUND_END = "round-end"
"The moment in step 8 at which conditions that last for rounds end (GAP-21)."


class Spot(Struct, frozen=True):
    """The target of an ability, which is a combatant, a square, an object or nothing."""

    combatant: Id | None = None
    square: SquareInput | None = None
    object: str | None = None


class Chore(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An activity by its id, with the item that it uses.

    An activity without an id needs a `name`.
    """

    activity: Name | None = None
    id: Name | None = None
    name: Name | None = None
    item: Name | None = None


Task = Name | Chore
MOST_TASKS = 20
"The number of activities that a combatant can list for one round."

Tasks = Annotated[tuple[Task, ...], Meta(max_length=MOST_TASKS)]


class Intent(Struct, frozen=True):
    """A committed action that is not carried out yet.

    `slot` is the slot in which the action waits, or "" for the current slot. If an earlier round
    began the action, `slot` is the number of that round.
    """

    action: str
    inputs: Mapping[str, Json] = {}
    slot: str = ""
    major: bool = True
    fallen: bool = False  # true if the target was down at the choice (GAP-52)


class Plan(Struct, frozen=True):
    """A declaration of step 1.

    `action` is the major action, and `minors` has the abilities that are minor actions (VD-DECL).
    """

    action: str | None = None
    inputs: Mapping[str, Json] = {}
    delay: bool = False
    activities: tuple[Json, ...] = ()
    minors: tuple[Intent, ...] = ()


class Activities(Struct, frozen=True):
    """The activities of a `Plan` or a `Work`, which store them as JSON."""

    activities: tuple[Task, ...] = ()
    activity: Task | None = None
    with_these: Tasks = ()


class Casting(Struct, frozen=True):
    """A spell in progress. `left` is the number of segments left at the start of this round."""

    ability: str
    left: int
    since: int
    announced: int = 0  # the latest round in which the caster named the target
    target: Spot | None = None


class Work(Struct, frozen=True):
    """A complex activity or ability in progress. `rounds` counts this round too."""

    name: str
    rounds: int = 1
    activity: Json = None
    ability: str | None = None
    target: Spot | None = None
    with_these: tuple[Json, ...] = ()
    concentration: bool = False
    part: bool = False


class FreeAttack(Struct, frozen=True):
    """A free attack of this round. `slot` and `batch` identify the segment (GAP-42)."""

    slot: str
    against: Id
    batch: int = 0


class Circumstance(Struct, frozen=True):
    """A modifier that the GM has set for an attacker's next routine."""

    value: int = 0
    target: Id | None = None
    circumstances: tuple[str, ...] = ()


class GroupRank(Struct, frozen=True):
    die: int
    rank: Rank


class Line(Struct, frozen=True):
    """The obstacles between two combatants.

    `cover` and `concealment` are in per cent. `opening` is a width and a height in ft.
    """

    cover: int = 0
    concealment: int = 0
    blocked: bool = False
    opening: tuple[float, ...] | None = None


class Thing(Struct, frozen=True):
    """An object under attack, with its Armour Class and the damage to it."""

    ac: int = 10
    damage: int = 0


class Leaving(Struct, frozen=True):
    """The terms for leaving a melee.

    If `free` is true, the opponents get free attacks on the leaver.
    """

    free: bool = True
    attack_bonus: int = 0
    ac_penalty: int = 0


class Gait(Struct, frozen=True):
    """The distance in ft that a combatant has moved in one mode in this round."""

    mode: str
    ft: float


# ---- of a round

PLAN: Fact[Plan] = fact(
    "declared", Plan, Plan(), until=NEXT_ROUND, known_to="owner", holds=Activities,
    about="The declaration of step 1",
)  # fmt: skip
BEGUN: Fact[str] = fact(
    "begun", str, "", until=NEXT_ROUND, known_to="all",
    about="The id of the declared action that began at the end of step 1",
)  # fmt: skip
MADE_DECLARATION: Fact[bool] = fact(
    "done_declaring", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether its owner has finished declaring for this round",
)  # fmt: skip
AS_DECLARED: Fact[bool] = fact(
    "as_declared", bool, False, until=NEXT_ROUND, known_to="owner",
    about="Whether it follows its declaration in its slots, without a prompt",
)  # fmt: skip
COMMITTED: Fact[Intent | None] = fact(
    "committed", Intent | None, None, known_to="owner",
    about="The major action that it has chosen and not carried out yet",
)  # fmt: skip
ADDED: Fact[int] = fact(
    "added_segments", int, 0, until=NEXT_ROUND, known_to="all",
    about="Segments of the minor actions of this round, which delay the major action",
)  # fmt: skip
TIMED: Fact[int] = fact(
    "timed_segments", int, 0, until=NEXT_ROUND, known_to="all",
    about="Segments of all actions of this round except spells",
)  # fmt: skip
MINORS: Fact[Mapping[str, int]] = fact(
    "minors", dict[str, int], {}, until=NEXT_ROUND, known_to="all",
    about="Minor actions that take time, counted by slot",
)  # fmt: skip
MAJOR_IN: Fact[str] = fact(
    "major_in", str, "", until=NEXT_ROUND, known_to="all",
    about="The slot in which it took its major action",
)  # fmt: skip
MOVED_TO_LOW: Fact[bool] = fact(
    "moved_to_low", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether a delaying activity has moved it to LOW",
)  # fmt: skip
DELAYED_ONCE: Fact[bool] = fact(
    "delay_announced", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether it has announced a delay in this round",
)  # fmt: skip
QUEUED: Fact[tuple[Intent, ...]] = fact(
    "queued", tuple[Intent, ...], (), until=NEXT_ROUND, known_to="owner",
    about="Actions that wait for LOW because of a delaying activity",
)  # fmt: skip
FREE_ATTACKS: Fact[tuple[FreeAttack, ...]] = fact(
    "free_attacks_made", tuple[FreeAttack, ...], (), until=NEXT_ROUND, known_to="all",
    about="The free attacks that it has made in this round, by segment and target",
)  # fmt: skip
ROUTINES: Fact[tuple[str, ...]] = fact(
    "routines_left", tuple[str, ...], (), until=NEXT_ROUND, known_to="owner",
    about="Routines of the multi-attack that are left for step 6",
)  # fmt: skip
GAITS: Fact[tuple[Gait, ...]] = fact(
    "moved", tuple[Gait, ...], (), until=NEXT_ROUND, known_to="all",
    about="Feet that it has moved in this round, by mode",
)  # fmt: skip
CHARGED: Fact[int] = fact(
    "charged", int, 0, until=ROUND_END, known_to="all",
    about="The penalty of a charge to the Armour Class",
)  # fmt: skip
LEAVING: Fact[Leaving | None] = fact(
    "leaving_melee", Leaving | None, None, until=NEXT_ROUND, known_to="all",
    about="The GM's terms for leaving its melee",
)  # fmt: skip
CIRCUMSTANCES: Fact[tuple[Circumstance, ...]] = fact(
    "gm_modifiers", tuple[Circumstance, ...], (), until=NEXT_ROUND, known_to="gm",
    about="The GM's modifiers for its next attack routine",
)  # fmt: skip

# ---- longer

CASTING: Fact[Casting | None] = fact(
    "casting", Casting | None, None, known_to="owner", about="The spell in progress"
)
AIMED_AT_FALLEN: Fact[bool] = fact(
    "aimed_at_fallen", bool, False, known_to="owner",
    about="Whether the target of its spell was already down when it was announced",
)  # fmt: skip
WORK: Fact[Work | None] = fact(
    "complex_activity", Work | None, None, known_to="owner", holds=Activities,
    about="The complex activity in progress",
)  # fmt: skip
MAINTAINED: Fact[str] = fact(
    "maintained", str, "", known_to="owner", about="The ability on which it concentrates"
)
CARRIED: Fact[tuple[Intent, ...]] = fact(
    "carried_over", tuple[Intent, ...], (), known_to="owner",
    about="Actions that exceed ten segments, which the next round completes",
)  # fmt: skip
USED: Fact[Mapping[str, int]] = fact(
    "uses_spent", dict[str, int], {}, known_to="owner", about="Uses of each ability"
)
ITEMS: Fact[Mapping[str, str]] = fact(
    "items", dict[str, str], {}, known_to="all",
    about="Items whose state differs from the sheet: held, stowed or gone",
)  # fmt: skip
LOADED: Fact[Mapping[str, bool]] = fact(
    "loaded", dict[str, bool], {}, known_to="owner",
    about="Weapons whose load differs from the sheet",
)  # fmt: skip
SURPRISED_BUT_ACTS: Fact[bool] = fact(
    "may_act", bool, False, known_to="all", about="Whether it may act although it is surprised"
)
FALL: Fact[str] = fact(
    "fall", str, "", known_to="gm",
    about="The last fall that Affray has handled: down, dead, spared or up",
)  # fmt: skip
HIT_POINTS_ROLLED: Fact[bool] = fact(
    "hit_points_rolled", bool, False, known_to="gm", about="Whether Affray has rolled its hit dice"
)

# ---- of the combat

RANKS: CombatFact[Mapping[str, GroupRank]] = combat_fact(
    "group_ranks", dict[str, GroupRank], {}, until=NEXT_ROUND, known_to="all",
    about="The die and the rank of each initiative group",
)  # fmt: skip
ENDING_ROUND: CombatFact[bool] = combat_fact(
    "ending_round", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the GM has ended the round, so that all remaining actions pass",
)  # fmt: skip
CLOSED: CombatFact[bool] = combat_fact(
    "declarations_closed", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the GM has closed step 1",
)  # fmt: skip
BEGINNING: CombatFact[bool] = combat_fact(
    "declared_is_begun", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the declared actions have begun",
)  # fmt: skip
IN_MELEE: CombatFact[tuple[Id, ...]] = combat_fact(
    "multi_attackers", tuple[Id, ...], (), until=NEXT_ROUND, known_to="all",
    about="Multi-attackers that were in melee when step 4 began",
)  # fmt: skip
BATCH: CombatFact[int] = combat_fact(
    "batch", int, 0, until=NEXT_ROUND, known_to="all",
    about="The number of the current moment within a slot",
)  # fmt: skip
LANDING: CombatFact[bool] = combat_fact(
    "results_fall", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the results of one moment are being applied, so that falls come after the "
        "last one",
)  # fmt: skip
LINES: CombatFact[Mapping[str, Line]] = combat_fact(
    "lines", dict[str, Line], {}, known_to="gm",
    about="Cover, concealment and walls that the GM has set, by `from>to`",
)  # fmt: skip
OBJECTS: CombatFact[Mapping[str, Thing]] = combat_fact(
    "objects", dict[str, Thing], {}, known_to="gm",
    about="Objects under attack by name, with Armour Class and damage",
)  # fmt: skip

FACTS = declared(globals())
