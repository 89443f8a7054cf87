"""The order of a round: every slot by name, and the rank in which a combatant acts.

1 declare           the declarations
2 initiative        1d6 for each group: HIGH, LOW
3 fast              go-first, A parley, B flee, C charge, in each HIGH before LOW
4 multi-primary     first routine of multi-attackers in melee: HIGH, LOW
5 group             HIGH: D1 innate, D2 missile, D3 melee, D4 other, then LOW the same
6 multi-rest        remaining routines of multi-attackers: HIGH, LOW
7 spells            by completion segment, then HIGH before LOW
  go-last           complex activities
8 end-of-round
"""

from typing import Final

from domain.record.combat import Combat, Combatant
from domain.rulebook.id_names import words
from domain.rulesets.vile_darkness.facts import ADDED, CASTING, MOVED_TO_LOW, RANKS, Casting, Rank
from domain.rulesets.vile_darkness.numbers import options, sheet
from domain.rulesets.vile_darkness.options import Kind
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import SEGMENTS

HIGH_FIRST: Final[tuple[Rank, Rank]] = ("HIGH", "LOW")

rule(
    "VD-FAST-01",
    "A parley before B flee before C charge, whatever the ranks",
    f"{__name__}.LETTERS",
)
rule("VD-FAST-02", "Go First comes before A", f"{__name__}.LETTERS")
LETTERS: Final = ("go-first", "A", "B", "C")  # VD-FAST-01, -02
PHASES: Final = ("D1", "D2", "D3", "D4")

DECLARE = "declare"
INITIATIVE = "initiative"
GO_LAST = "go-last"
END = "end-of-round"

# VD-SIMP-07: nothing orders more finely.

rule(
    "VD-SEQ-03",
    "The GM announces the round. Its eight steps run one after the other",
    f"{__name__}.ORDER",
)
rule("VD-GRP-01", "All of HIGH's D1 to D4 finish before LOW's D1", f"{__name__}.ORDER")
rule(
    "VD-E-02",
    "Lower completion segment first, then HIGH before LOW, then simultaneous",
    f"{__name__}.ORDER",
)
rule("VD-SIMP-07", "No finer order than the slots is promised", f"{__name__}.ORDER")
ORDER: Final[tuple[str, ...]] = (
    DECLARE,  # VD-SEQ-03: no step before the one before it is finished
    INITIATIVE,
    *(f"fast/{letter}/{rank}" for letter in LETTERS for rank in HIGH_FIRST),  # VD-SEQ-05
    *(f"multi-primary/{rank}" for rank in HIGH_FIRST),  # VD-SEQ-06
    *(f"group/{rank}/{phase}" for rank in HIGH_FIRST for phase in PHASES),  # VD-SEQ-07, VD-GRP-01
    *(f"multi-rest/{rank}" for rank in HIGH_FIRST),  # VD-SEQ-08
    *(f"spells/{at}/{rank}" for at in range(SEGMENTS + 1) for rank in HIGH_FIRST),  # VD-E-02
    GO_LAST,  # VD-CPLX-02
    END,  # VD-SEQ-10
)

FAST_ACTIONS: Final = {"parley": "A", "flee": "B", "charge": "C", "go-first": "go-first"}


def place(slot: str) -> int:
    """Return the position of a slot in the round. −1 is before it."""
    return ORDER.index(slot) if slot in ORDER else -1


def step(combat: Combat) -> str:
    """The step that runs: fast, group, spells …"""
    return combat.phase.partition("/")[0]


def part(slot: str) -> str:
    """The letter, phase or segment of a slot, "" = none."""
    words = slot.split("/")
    return {"fast": words[1:2], "group": words[2:3], "spells": words[1:2]}.get(words[0], [""])[0]


def rank_in(slot: str) -> Rank | None:
    """The rank for which a slot is."""
    words = slot.split("/")
    return "HIGH" if "HIGH" in words else "LOW" if "LOW" in words else None


def running(combat: Combat) -> bool:
    """Whether a round runs, from its declarations to its end."""
    return combat.status == "running" and place(combat.phase) >= 0


@rule("VD-INIT-05", "Opponents of one rank: the type of action decides")
@rule("VD-GRP-04", "D2 missile attacks")
@rule("VD-GRP-05", "D3 melee attacks")
def phase_of(combat: Combat, kind: Kind) -> str:
    """D1 to D4 of a type of action (VD-INIT-05, GAP-01)."""
    return PHASES[options(combat).group_action_order.index(kind)]


def kind_of(combat: Combat, phase: str) -> Kind:
    """The type of action of D1 to D4."""
    return options(combat).group_action_order[PHASES.index(phase)]


def called(combat: Combat, slot: str) -> str:
    """A slot as a person says it: "missile actions (D2) of HIGH"."""
    which = part(slot)
    match slot.partition("/")[0]:
        case "fast":
            name = {letter: words(action) for action, letter in FAST_ACTIONS.items()}[which]
        case "multi-primary":
            name = "first routines"
        case "group":
            name = f"{kind_of(combat, which)} actions ({which})"
        case "multi-rest":
            name = "remaining routines"
        case "spells":
            name = f"spells of segment {which}"
        case other:
            name = other
    rank = rank_in(slot)
    return f"{name} of {rank}" if rank else name


# ---- ranks


def group_of(combat: Combat, combatant: Combatant) -> str:
    """Its initiative group: the sheet's, the option's, or its side."""
    return sheet(combatant).group or options(combat).groups.get(combatant.name, combatant.side)


def group_rank(combat: Combat, combatant: Combatant) -> Rank | None:
    """Return the rank by its group's die. A group that came later is LOW (GAP-54)."""
    ranks = RANKS.of(combat)
    if not ranks:
        return None
    found = ranks.get(group_of(combat, combatant))
    return "LOW" if found is None else found.rank


@rule("VD-INIT-10", "A delay or a delaying activity makes an individual LOW")
@rule("VD-DELAY-02", "Announced while HIGH: no actions until LOW")
def rank(combat: Combat, combatant: Combatant) -> Rank | None:
    """The group's rank, unless a delay makes it LOW (VD-INIT-10); None before step 2."""
    of_group = group_rank(combat, combatant)
    if of_group is None:
        return None
    return "LOW" if is_late(combatant) else of_group


@rule("VD-DELAY-08", "Delayed is always LOW")
def is_late(combatant: Combatant) -> bool:
    """Delayed, declared so, or moved to LOW by a delaying activity (VD-DELAY-02, -06, -07)."""
    return combatant.has("delayed", "declared-delay") or MOVED_TO_LOW.of(combatant)


@rule("VD-INIT-08", "A Dexterity reaction adjustment may change an individual's missiles")
def missile_rank(combat: Combat, combatant: Combatant) -> Rank | None:
    """With `dex_reaction` die and adjustment against the others' highest die (GAP-10).

    VD-INIT-08.
    """
    plain = rank(combat, combatant)
    adjustment = sheet(combatant).dex_reaction_adjustment
    if (
        plain is None
        or options(combat).dex_reaction == "off"
        or is_late(combatant)
        or not adjustment
    ):
        return plain
    ranks = RANKS.of(combat)
    group_rank = ranks.get(group_of(combat, combatant))
    others = [
        ranks[group].die
        for group in {group_of(combat, other) for other in combat if other.side != combatant.side}
        if group in ranks
    ]
    if group_rank is None or not others:
        return plain
    return "HIGH" if group_rank.die + adjustment >= max(others) else "LOW"


@rule("VD-FAST-04", "Being delayed does not change fast actions")
@rule("VD-DELAY-11", "Delayed does not touch fast actions")
def own_rank(combat: Combat, combatant: Combatant, slot: str) -> Rank | None:
    """The rank that counts in a slot: fast actions use the group's own (VD-FAST-04).

    VD-DELAY-11.
    """
    if slot.startswith("fast/"):
        return group_rank(combat, combatant)
    if slot.startswith("group/") and kind_of(combat, part(slot)) == "missile":
        return missile_rank(combat, combatant)
    return rank(combat, combatant)


# ---- spells


@rule("VD-E-03", "Completion segment is casting time and added segments, from segment 1")
def completion(combatant: Combatant, casting: Casting) -> int:
    """Return time and added segments, from segment 1 (VD-E-03).

    Above ten, it is another round (VD-TIME-03).
    """
    return casting.left + ADDED.of(combatant)


def completes_now(combatant: Combatant) -> Casting | None:
    """The spell that will be complete in this round."""
    casting = CASTING.of(combatant)
    if casting is None or completion(combatant, casting) > SEGMENTS:
        return None
    return casting
