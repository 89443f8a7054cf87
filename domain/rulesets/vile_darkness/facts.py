"""Conditions and facts of this rulebook: their lifetimes, and their readers."""

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

    `maintained_by`: the condition ends when that caster stops concentrating on `ability`.
    """

    flags: tuple[Flag, ...] = ()
    modifiers: EffectModifiers = EffectModifiers()
    ongoing: str | None = None
    maintained_by: Id | None = None
    ability: str | None = None


Info = partial(ConditionInfo, data=Brought)

CONDITIONS: Mapping[str, ConditionInfo] = {
    "delayed": Info(
        "LOW; loses ties of steps 4 to 6 to who is not; delaying activities become complex",
        "with the round, from a delay; else as the data say",
        ("VD-DELAY-03", "VD-DELAY-08", "VD-DELAY-09"),
        stacks=True,
    ),
    "surprised": Info(
        "no free and no immediate attacks; no actions either, unless the GM lets it act",
        "as the GM has set it",
        ("VD-SEQ-01", "VD-FREE-06", "VD-IMMA-05"),
    ),
    "casting": Info(
        "a spell is under way; the major action is committed, the spell of the round used",
        "when it resolves, or when concentration breaks",
        ("VD-CONC-08", "VD-E-03"),
    ),
    "concentrating": Info(
        "maintains one effect; walks half its rate; no penalties",
        "when broken or ended, or when another concentration starts",
        ("VD-CONC-04", "VD-CONC-05", "VD-CONC-06"),
    ),
    "engaged": Info(
        "in melee: no positioning; step 4 for multi-attackers; leaving draws free attacks",
        "pair by pair, when one has fled or left, is down or gone, or the GM separates them",
        ("VD-MELEE-01", "VD-MELEE-02", "VD-FAST-06"),
    ),
    "complex-activity": Info(
        "nothing else in this round",
        "when Go Last of its last round completes it, or when it is given up",
        ("VD-CPLX-01", "VD-CPLX-04"),
    ),
    "declared-delay": Info(
        "LOW, whatever the die; not delayed", "with the round", ("VD-DELAY-06",)
    ),
    "down": Info(
        "cannot act; in melee with nobody; what it did or had committed ends",
        "when hit points are above the limit again, or when the GM says so",
        ("VD-FREE-01", "VD-ROUT-03"),
    ),
    "dead": Info("as down, and healing does not end it", "by the GM", ("VD-FREE-01",)),
}

DEAD_OR_DOWN = ("down", "dead")


# ---- facts


Rank = Literal["HIGH", "LOW"]

NEXT_ROUND = "next-round"
"""The moment when declarations and actions of a round end (VD-END-02)."""


ROUND_END = "round-end"
"""The moment in step 8 when conditions that last for rounds end (GAP-21)."""


class Spot(Struct, frozen=True):
    """The target of an ability: a combatant, a square or an object, or none of them."""

    combatant: Id | None = None
    square: SquareInput | None = None
    object: str | None = None


class Chore(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An activity by its id, with its item. An activity without an id needs a `name`."""

    activity: Name | None = None
    id: Name | None = None
    name: Name | None = None
    item: Name | None = None


Task = Name | Chore
MOST_TASKS = 20
"""Activities that a combatant can list for one round."""

Tasks = Annotated[tuple[Task, ...], Meta(max_length=MOST_TASKS)]


class Intent(Struct, frozen=True):
    """A committed action that is still to be carried out.

    `slot` is the later slot, or "" for the present one. For an action that was carried over, it is
    the original round.
    """

    action: str
    inputs: Mapping[str, Json] = {}
    slot: str = ""
    major: bool = True
    fallen: bool = False  # true if the target was down at the choice (GAP-52)


class Plan(Struct, frozen=True):
    """A declaration of step 1: a major action, minor abilities, a delay, activities (VD-DECL)."""

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
    """A spell in progress. `left`: the segments left at the start of this round."""

    ability: str
    left: int
    since: int
    announced: int = 0  # the latest round in which the caster named the target
    target: Spot | None = None


class Work(Struct, frozen=True):
    """A complex activity or ability in progress. `rounds`: the rounds left, this one included."""

    name: str
    rounds: int = 1
    activity: Json = None
    ability: str | None = None
    target: Spot | None = None
    with_these: tuple[Json, ...] = ()
    concentration: bool = False
    part: bool = False


class FreeAttack(Struct, frozen=True):
    """A free attack that was made. `slot` and `batch` identify the segment (GAP-42)."""

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
    """Obstacles between two combatants: cover and concealment in per cent, `opening` in ft."""

    cover: int = 0
    concealment: int = 0
    blocked: bool = False
    opening: tuple[float, ...] | None = None


class Thing(Struct, frozen=True):
    """An object under attack: its Armour Class, and the damage done to it."""

    ac: int = 10
    damage: int = 0


class Leaving(Struct, frozen=True):
    """The terms for leaving a melee. `free`: opponents get free attacks on the leaver."""

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
    about="What was declared in step 1",
)  # fmt: skip
BEGUN: Fact[str] = fact(
    "begun", str, "", until=NEXT_ROUND, known_to="all",
    about="The id of the declared action that was begun when declaring closed",
)  # fmt: skip
MADE_DECLARATION: Fact[bool] = fact(
    "done_declaring", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether its owner has said all for this round",
)  # fmt: skip
AS_DECLARED: Fact[bool] = fact(
    "as_declared", bool, False, until=NEXT_ROUND, known_to="owner",
    about="Whether it does what it declared and nothing else, without a prompt in its slots",
)  # fmt: skip
COMMITTED: Fact[Intent | None] = fact(
    "committed", Intent | None, None, known_to="owner",
    about="The major action that was chosen and is not carried out yet",
)  # fmt: skip
ADDED: Fact[int] = fact(
    "added_segments", int, 0, until=NEXT_ROUND, known_to="all",
    about="Segments of the minor actions of this round: they slow the major action",
)  # fmt: skip
TIMED: Fact[int] = fact(
    "timed_segments", int, 0, until=NEXT_ROUND, known_to="all",
    about="Segments of everything done in this round but spells",
)  # fmt: skip
MINORS: Fact[Mapping[str, int]] = fact(
    "minors", dict[str, int], {}, until=NEXT_ROUND, known_to="all",
    about="Minor actions with a time, counted by slot",
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
    about="What waits for LOW because of a delaying activity",
)  # fmt: skip
FREE_ATTACKS: Fact[tuple[FreeAttack, ...]] = fact(
    "free_attacks_made", tuple[FreeAttack, ...], (), until=NEXT_ROUND, known_to="all",
    about="The free attacks of this round, by segment and by target",
)  # fmt: skip
ROUTINES: Fact[tuple[str, ...]] = fact(
    "routines_left", tuple[str, ...], (), until=NEXT_ROUND, known_to="owner",
    about="Routines of the multi-attack that are left for step 6",
)  # fmt: skip
GAITS: Fact[tuple[Gait, ...]] = fact(
    "moved", tuple[Gait, ...], (), until=NEXT_ROUND, known_to="all",
    about="Feet moved in this round, by way of moving",
)  # fmt: skip
CHARGED: Fact[int] = fact(
    "charged", int, 0, until=ROUND_END, known_to="all",
    about="By how much a charge makes the Armour Class worse",
)  # fmt: skip
LEAVING: Fact[Leaving | None] = fact(
    "leaving_melee", Leaving | None, None, until=NEXT_ROUND, known_to="all",
    about="How the GM lets it leave the melee that it is in",
)  # fmt: skip
CIRCUMSTANCES: Fact[tuple[Circumstance, ...]] = fact(
    "gm_modifiers", tuple[Circumstance, ...], (), until=NEXT_ROUND, known_to="gm",
    about="What the GM has set for its next attack routine",
)  # fmt: skip

# ---- longer

CASTING: Fact[Casting | None] = fact(
    "casting", Casting | None, None, known_to="owner", about="The spell that is under way"
)
AIMED_AT_FALLEN: Fact[bool] = fact(
    "aimed_at_fallen", bool, False, known_to="owner",
    about="Whether the target of its spell was down already when it was named",
)  # fmt: skip
WORK: Fact[Work | None] = fact(
    "complex_activity", Work | None, None, known_to="owner", holds=Activities,
    about="The complex activity that is under way",
)  # fmt: skip
MAINTAINED: Fact[str] = fact(
    "maintained", str, "", known_to="owner", about="The ability on which it concentrates"
)
CARRIED: Fact[tuple[Intent, ...]] = fact(
    "carried_over", tuple[Intent, ...], (), known_to="owner",
    about="What did not fit into ten segments and is completed in the next round",
)  # fmt: skip
USED: Fact[Mapping[str, int]] = fact(
    "uses_spent", dict[str, int], {}, known_to="owner", about="Uses of abilities that are spent"
)
ITEMS: Fact[Mapping[str, str]] = fact(
    "items", dict[str, str], {}, known_to="all",
    about="Things that are not as the sheet has them: held, stowed or gone",
)  # fmt: skip
LOADED: Fact[Mapping[str, bool]] = fact(
    "loaded", dict[str, bool], {}, known_to="owner",
    about="Weapons that are not as the sheet has them: loaded or not",
)  # fmt: skip
SURPRISED_BUT_ACTS: Fact[bool] = fact(
    "may_act", bool, False, known_to="all", about="Whether it acts although it is surprised"
)
FALL: Fact[str] = fact(
    "fall", str, "", known_to="gm",
    about="Which fall has been seen to: down, dead, spared of death, or up",
)  # fmt: skip
HIT_POINTS_ROLLED: Fact[bool] = fact(
    "hit_points_rolled", bool, False, known_to="gm", about="Whether hit dice were rolled"
)

# ---- of the combat

RANKS: CombatFact[Mapping[str, GroupRank]] = combat_fact(
    "group_ranks", dict[str, GroupRank], {}, until=NEXT_ROUND, known_to="all",
    about="The die and the rank of each initiative group",
)  # fmt: skip
ENDING_ROUND: CombatFact[bool] = combat_fact(
    "ending_round", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the GM has ended the round: all pass what is left",
)  # fmt: skip
CLOSED: CombatFact[bool] = combat_fact(
    "declarations_closed", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the GM has closed step 1",
)  # fmt: skip
BEGINNING: CombatFact[bool] = combat_fact(
    "declared_is_begun", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether what was declared in step 1 has begun",
)  # fmt: skip
IN_MELEE: CombatFact[tuple[Id, ...]] = combat_fact(
    "multi_attackers", tuple[Id, ...], (), until=NEXT_ROUND, known_to="all",
    about="Multi-attackers that were in melee when step 4 began",
)  # fmt: skip
BATCH: CombatFact[int] = combat_fact(
    "batch", int, 0, until=NEXT_ROUND, known_to="all",
    about="Tells apart the moments of one slot",
)  # fmt: skip
LANDING: CombatFact[bool] = combat_fact(
    "results_fall", bool, False, until=NEXT_ROUND, known_to="all",
    about="Whether the results of one moment are falling: who falls is seen to after the last",
)  # fmt: skip
LINES: CombatFact[Mapping[str, Line]] = combat_fact(
    "lines", dict[str, Line], {}, known_to="gm",
    about="Cover, concealment and walls, by `from>to`",
)  # fmt: skip
OBJECTS: CombatFact[Mapping[str, Thing]] = combat_fact(
    "objects", dict[str, Thing], {}, known_to="gm",
    about="Objects that were attacked, by name: Armour Class and damage done",
)  # fmt: skip

FACTS = declared(globals())
