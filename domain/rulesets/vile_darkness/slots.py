"""The order of the slots in a round, and the rank in which a combatant acts.

1 declare           all combatants declare 2 initiative        each group rolls 1d6 for HIGH or LOW
3 fast              go-first, A parley, B flee and C charge, in each HIGH before LOW 4 multi-primary
multi-attackers in melee use their first routine, HIGH before LOW 5 group             HIGH acts in
D1 innate, D2 missile, D3 melee and D4 other, then LOW 6 multi-rest        multi-attackers use their
remaining routines, HIGH before LOW 7 spells            spells resolve by completion segment, in
each HIGH before LOW go-last           complex activities complete 8 end-of-round      effects end
"""

from collections.abc import Iterator
from typing import Any, Final

from domain.errors import Illegal
from domain.record.combat import Combat, Combatant, Id
from domain.record.events import AnyEvent, BudgetSet, Spent
from domain.rulebook.declaration import NO_FIELD, Act, refuse
from domain.rulebook.id_names import words
from domain.rulesets.vile_darkness.facts import (
    ADDED,
    BEGUN,
    CARRIED,
    CASTING,
    COMMITTED,
    MINORS,
    MOVED_TO_LOW,
    RANKS,
    TIMED,
    WORK,
    Casting,
    Intent,
    Rank,
)
from domain.rulesets.vile_darkness.notation import SEGMENTS, counts_as_spell
from domain.rulesets.vile_darkness.numbers import (
    ability_of,
    fallen,
    is_barred,
    is_kept_from_acting,
    options,
    sheet,
)
from domain.rulesets.vile_darkness.options import Kind
from domain.rulesets.vile_darkness.rules import rule

HIGH_FIRST: Final[tuple[Rank, Rank]] = ("HIGH", "LOW")

rule(
    "VD-FAST-01",
    "In both ranks, parleys (A) come before flights (B), and flights come before charges (C)",
    f"{__name__}.LETTERS",
)
rule("VD-FAST-02", "Go First comes before the letter A", f"{__name__}.LETTERS")
LETTERS: Final = ("go-first", "A", "B", "C")  # VD-FAST-01, VD-FAST-02
PHASES: Final = ("D1", "D2", "D3", "D4")

NEXT = "next-round"
DECLARE = "declare"
INITIATIVE = "initiative"
GO_LAST = "go-last"
END = "end-of-round"

rule(
    "VD-SEQ-03",
    "The GM announces the round, and its eight steps follow one another",
    f"{__name__}.ORDER",
)
rule("VD-GRP-01", "HIGH finishes D1 to D4 before LOW begins D1", f"{__name__}.ORDER")
rule(
    "VD-E-02",
    "Spells resolve by completion segment, then HIGH before LOW, then simultaneously",
    f"{__name__}.ORDER",
)
rule("VD-SIMP-07", "Slots are the finest order of a round", f"{__name__}.ORDER")
ORDER: Final[tuple[str, ...]] = (
    DECLARE,  # VD-SEQ-03: each step finishes before the next
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


FAST_NAMES: Final = {"A": "parleys", "B": "flights", "C": "charges", "go-first": "first actions"}
"The names of the slots of fast actions."


def place(slot: str) -> int:
    """Return the position of a slot in the round, or −1 for a moment before the round."""
    return ORDER.index(slot) if slot in ORDER else -1


def step(combat: Combat) -> str:
    """Return the current step, such as `fast`, `group` or `spells`."""
    return combat.phase.partition("/")[0]


def part(slot: str) -> str:
    """Return the letter, phase or segment in the name of a slot, or `""` if it has no part."""
    words = slot.split("/")
    return {"fast": words[1:2], "group": words[2:3], "spells": words[1:2]}.get(words[0], [""])[0]


def rank_in(slot: str) -> Rank | None:
    """Return the rank of a slot, or `None` if the slot is for both ranks."""
    words = slot.split("/")
    return "HIGH" if "HIGH" in words else "LOW" if "LOW" in words else None


def running(combat: Combat) -> bool:
    """Return true during a round, from its declarations to its end."""
    return combat.status == "running" and place(combat.phase) >= 0


@rule("VD-INIT-05", "Among opponents of one rank, the type of action decides")
@rule("VD-GRP-04", "D2 has missile attacks")
@rule("VD-GRP-05", "D3 has melee attacks")
def phase_of(combat: Combat, kind: Kind) -> str:
    """Return the phase, D1 to D4, of a type of action (VD-INIT-05, GAP-01)."""
    return PHASES[options(combat).group_action_order.index(kind)]


def kind_of(combat: Combat, phase: str) -> Kind:
    """Return the type of action that a phase of D1 to D4 contains."""
    return options(combat).group_action_order[PHASES.index(phase)]


def called(combat: Combat, slot: str) -> str:
    """Return the name of a slot for sentences, such as "missile actions (D2) of HIGH"."""
    which = part(slot)
    match slot.partition("/")[0]:
        case "fast":
            name = FAST_NAMES[which]
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
    """Return the initiative group from the sheet or the options. The default is the side."""
    return sheet(combatant).group or options(combat).groups.get(combatant.name, combatant.side)


def group_rank(combat: Combat, combatant: Combatant) -> Rank | None:
    """Return the rank of the combatant's group, or `None` before step 2.

    A group that joins later is LOW (GAP-54).
    """
    ranks = RANKS.of(combat)
    if not ranks:
        return None
    ranked = ranks.get(group_of(combat, combatant))
    return "LOW" if ranked is None else ranked.rank


@rule("VD-INIT-10", "A delay or a delaying activity makes an individual LOW")
@rule("VD-DELAY-02", "A combatant that delays while HIGH has no actions until LOW")
def rank(combat: Combat, combatant: Combatant) -> Rank | None:
    """Return the rank of the combatant, or `None` before step 2.

    The rank is that of the group, or LOW after a delay (VD-INIT-10).
    """
    of_group = group_rank(combat, combatant)
    if of_group is None:
        return None
    return "LOW" if is_late(combatant) else of_group


@rule("VD-DELAY-08", "A delayed combatant is always LOW")
def is_late(combatant: Combatant) -> bool:
    """Return true if the combatant is delayed, or LOW because of a delaying activity.

    VD-DELAY-02, VD-DELAY-07.
    """
    return combatant.has("delayed", "declared-delay") or MOVED_TO_LOW.of(combatant)


@rule(
    "VD-INIT-08", "A Dexterity reaction adjustment may change the rank of an individual's missiles"
)
def missile_rank(combat: Combat, combatant: Combatant) -> Rank | None:
    """Return the rank for missile attacks.

    The option `dex_reaction` adds the combatant's adjustment to the die of its group. The combatant
    is HIGH if the sum reaches the highest die of the other sides (GAP-10).
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


@rule("VD-FAST-04", "A delay does not change fast actions")
@rule("VD-DELAY-11", "Being delayed does not affect fast actions")
def own_rank(combat: Combat, combatant: Combatant, slot: str) -> Rank | None:
    """Return the rank that counts in a slot.

    Fast actions use the rank of the group (VD-FAST-04).
    """
    if slot.startswith("fast/"):
        return group_rank(combat, combatant)
    if slot.startswith("group/") and kind_of(combat, part(slot)) == "missile":
        return missile_rank(combat, combatant)
    return rank(combat, combatant)


# ---- spells


@rule("VD-E-03", "The completion segment is casting time plus added segments, from segment 1")
def completion(combatant: Combatant, casting: Casting) -> int:
    """Return the segment in which the spell completes (VD-E-03).

    If the segment is above ten, the spell completes in a later round (VD-TIME-03).
    """
    return casting.left + ADDED.of(combatant)


def completes_now(combatant: Combatant) -> Casting | None:
    """Return the spell that completes in this round, or `None`."""
    casting = CASTING.of(combatant)
    if casting is None or completion(combatant, casting) > SEGMENTS:
        return None
    return casting


# ---- refusals and costs of an action


MUST_DECLARE = ("parley", "flee", "charge", "go-first", "cast", "invoke", "complex")
"The actions that a combatant must declare in step 1 (VD-DECL-02)."


rule("VD-MAJ-02", "An attack, a shot, a spell and movement are major actions", f"{__name__}.MAJOR")
MAJOR = ("parley", "flee", "charge", "attack", "move", "called-shot", "grab-item", "cast", "invoke")
"The actions that are major, even if the data differ (VD-MAJ-02)."


# ---- combatants


def can_act(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse a combatant that is down, dead, or has a condition with `cannot_act`."""
    if fallen(combatant):
        word = "dead" if combatant.has("dead") else "down"
        yield refuse("VD-FREE-01", "cannot-act", f"{combatant.name} is {word}", NO_FIELD)
    elif is_kept_from_acting(combatant):
        yield refuse("VD-CONC-03", "cannot-act", f"{combatant.name} cannot act", NO_FIELD)


def present(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse a combatant that cannot act or is surprised."""
    yield from can_act(combatant)
    if is_barred(combatant):
        yield refuse("VD-SEQ-01", "surprised", f"{combatant.name} is surprised", NO_FIELD)


def unable(combat: Combat, who: Id) -> Illegal | None:
    """Return the reason why a combatant must stop its action, or `None` (GAP-52)."""
    return next(present(combat[who]), None)


def in_round(combat: Combat) -> Iterator[Illegal]:
    """Refuse an action outside a round."""
    if not running(combat):
        yield refuse("VD-SEQ-03", "wrong-phase", f"no round runs: {combat.phase}", NO_FIELD)


@rule("VD-CPLX-04", "A complex activity allows nothing else but immediate actions and free attacks")
def not_locked(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse any other action during a complex activity (VD-CPLX-04)."""
    if combatant.has("complex-activity"):
        detail = f"{combatant.name} is in the middle of a complex activity"
        yield refuse("VD-CPLX-04", "complex-in-progress", detail, NO_FIELD)


def own_turn(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse a combatant that cannot act, is surprised, or is in a complex activity."""
    yield from present(combatant)
    yield from not_locked(combatant)


def is_present(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse an actor that cannot act or is surprised."""
    return present(act.actor)


def on_own_turn(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse an actor that cannot act, is surprised, or is in a complex activity."""
    return own_turn(act.actor)


def with_major(act: Act[Any]) -> Iterator[Illegal]:
    """Refuse an actor whose major action of the round is used."""
    return free_major(act.actor)


# ---- times


@rule(
    "VD-GRP-08",
    "An action in another rank or in the wrong slot is refused",
)
@rule("VD-MIN-01", "Minor actions have no limit, but happen in the combatant's rank and square")
@rule("VD-MIN-04", "A minor action outside the combatant's rank is refused")
@rule(
    "VD-DELAY-04",
    "A delayed combatant has minor actions only in LOW, but immediate ones at any time",
)
def placed(
    combat: Combat, who: Id, phase: str | None, *, minor: bool = False, field: str = NO_FIELD
) -> Iterator[Illegal]:
    """Refuse an action outside step 5, the combatant's rank, or `phase`.

    If `phase` is `None`, the action is legal in D1 to D4. `field` is the input that the refusal of
    another phase names.
    """
    combatant, slot = combat[who], combat.phase
    if not slot.startswith("group/"):
        yield refuse("VD-SEQ-03", "wrong-phase", f"not in the step {slot}", NO_FIELD)
        return
    there = slot if phase is None else f"group/{rank_in(slot)}/{phase}"
    if own_rank(combat, combatant, there) != rank_in(slot):
        rule = "VD-GRP-08"
        if minor:
            waits = rank(combat, combatant) == "LOW" and group_rank(combat, combatant) == "HIGH"
            rule = "VD-DELAY-04" if waits else "VD-MIN-04"
        detail = f"{combatant.name} acts in {rank(combat, combatant)}, and this is {rank_in(slot)}"
        yield refuse(rule, "not-your-initiative", detail, NO_FIELD)
    elif phase is not None and part(slot) != phase:
        detail = f"this is done in {phase}, not in {part(slot)}"
        yield refuse("VD-GRP-08", "wrong-phase", detail, field)


def after_the_major(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse a minor action in a slot that is not for the combatant's rank (VD-MIN-06)."""
    slot = combat.phase
    if rank_in(slot) is None or slot.startswith(("group/", "spells/")):
        yield from placed(combat, who, None, minor=True)
    elif own_rank(combat, combat[who], slot) != rank_in(slot):
        detail = f"{combat[who].name} acts in {own_rank(combat, combat[who], slot)}"
        yield refuse("VD-MIN-04", "not-your-initiative", detail, NO_FIELD)


@rule("VD-GRP-02", "A combatant uses innate abilities in D1 of its rank, never later")
def in_d1(combat: Combat, who: Id) -> Iterator[Illegal]:
    """Refuse an innate ability after D1 of the combatant's rank (VD-GRP-02)."""
    combatant = combat[who]
    phase = phase_of(combat, "innate")
    ranked = rank(combat, combatant)
    if ranked is not None and place(combat.phase) > place(f"group/{ranked}/{phase}"):
        detail = f"innate abilities are used in {phase} of the own rank, and that is over"
        yield refuse("VD-GRP-02", "innate-only-in-d1", detail, NO_FIELD)
    else:
        yield from placed(combat, who, phase, minor=True)


# ---- remaining budget


def has_left(combatant: Combatant, what: str) -> bool:
    """Return true if the budget still has `what`, which is `major` or `spell`."""
    return combatant.budget.get(what, 0) > 0


def unfinished_major(combatant: Combatant) -> Intent | None:
    """Return the unfinished major action, even of an earlier round (VD-DECL-08, GAP-41)."""
    return COMMITTED.of(combatant) or next(
        (intent for intent in CARRIED.of(combatant) if intent.major), None
    )


@rule("VD-MAJ-01", "A combatant has one major action per round, and a committed one bars others")
def free_major(combatant: Combatant, rule: str = "VD-MAJ-01") -> Iterator[Illegal]:
    """Refuse a major action if another major action is used or unfinished (VD-MAJ-01)."""
    waiting = unfinished_major(combatant)
    if waiting is not None:
        detail = f"{combatant.name} has committed {waiting.action}"
        yield refuse(rule, "major-already-used", detail, NO_FIELD)
    elif not has_left(combatant, "major"):
        yield refuse(
            rule, "major-already-used", f"{combatant.name} has used its major action", NO_FIELD
        )


@rule("VD-SPELL-01", "A combatant uses one spell per round, including immediate spells")
def free_spell(combatant: Combatant) -> Iterator[Illegal]:
    """Refuse a second spell of any kind in a round (VD-SPELL-01)."""
    if not has_left(combatant, "spell"):
        detail = f"{combatant.name} has used its spell of this round"
        yield refuse("VD-SPELL-01", "one-spell-per-round", detail, "ability")


# ---- costs


@rule("VD-MAJ-04", "A major action counts as used, even if it is spoiled, foiled or wasted")
def use_major(combatant: Combatant, rule: str = "VD-MAJ-01") -> Iterator[AnyEvent]:
    """Use up the major action of the round, even if the action fails (VD-MAJ-04)."""
    if COMMITTED.of(combatant) is not None:
        yield COMMITTED.clear(combatant.id, rules=(rule,))
    if has_left(combatant, "major"):
        yield Spent(combatant.id, {"major": 1}, rules=(rule, "VD-MAJ-04"))


def use_spell(combatant: Combatant) -> Iterator[AnyEvent]:
    """Use up the spell of the round, at the declaration or at an immediate use (GAP-38)."""
    if has_left(combatant, "spell"):
        yield Spent(combatant.id, {"spell": 1}, rules=("VD-SPELL-01",))


@rule("VD-END-02", "Effects for the rest of the round end, and limits and counts start again")
def new_budget(combatant: Combatant) -> AnyEvent:
    """Return the event that gives a new budget, with a major action and a spell.

    While a spell is in progress, the new budget has no spell (GAP-41).
    """
    casting, work = CASTING.of(combatant), WORK.of(combatant)
    named = [casting.ability] if casting else [work.ability] if work and work.ability else []
    running = [ability_of(combatant, id) for id in named]
    spell = (
        0 if any(ability is None or counts_as_spell(ability) is True for ability in running) else 1
    )
    return BudgetSet(combatant.id, {"major": 1, "spell": spell}, rules=("VD-END-02", "VD-MAJ-01"))


@rule("VD-TIME-05", "An asterisk means that an action takes no time")
@rule("VD-MIN-05", "Each segment of minor actions adds one to the major action, before or after it")
@rule("VD-SIMP-02", "A simple activity with an asterisk takes no time")
def take_time(
    combat: Combat, combatant: Combatant, segments: int, *, minor: bool
) -> Iterator[AnyEvent]:
    """Record the time of an action.

    A minor action also adds its segments to the major action (VD-MIN-05). `count_minors` counts
    minor actions (VD-MIN-07).
    """
    if segments <= 0:
        return  # VD-TIME-05, VD-SIMP-02
    yield TIMED.set(combatant.id, TIMED.of(combatant) + segments, rules=("VD-TIME-03",))
    if minor:
        yield ADDED.set(combatant.id, ADDED.of(combatant) + segments, rules=("VD-MIN-05",))


def count_minors(combat: Combat, combatant: Combatant, many: int) -> AnyEvent:
    """Return the event that counts minor actions in the current slot."""
    counted = {
        **MINORS.of(combatant),
        combat.phase: MINORS.of(combatant).get(combat.phase, 0) + many,
    }
    return MINORS.set(combatant.id, counted, rules=("VD-MIN-07",))


# ---- actions without a prompt


@rule(
    "VD-DECL-02",
    "Fast actions, complex activities and spells must be declared, and other "
    "actions if data say so",
)
def off_turn(combat: Combat, who: Id, action: str) -> Illegal:
    """Return the reason why `who` cannot take this action now, when no prompt offers it."""
    return next(_off_turn(combat, who, action))


def _off_turn(combat: Combat, who: Id, action: str) -> Iterator[Illegal]:
    combatant = combat[who]
    yield from in_round(combat)
    yield from own_turn(combatant)
    if action in MUST_DECLARE and combat.phase != DECLARE and BEGUN.of(combatant) != action:
        detail = f"{words(action)} must be declared in step 1, and {combatant.name} did not"
        yield refuse("VD-DECL-02", "not-declared", detail, NO_FIELD)
    if combat.phase == DECLARE:
        detail = "nothing is done before everybody has declared"
        yield refuse("VD-SEQ-03", "wrong-phase", detail, NO_FIELD)
    if action in MUST_DECLARE:
        yield refuse(
            "VD-DECL-04", "wrong-phase", f"{words(action)} is declared in step 1 only", NO_FIELD
        )
    if action in ("free-attack", "immediate-attack"):
        yield refuse("VD-FREE-01", "wrong-phase", f"{words(action)} answers a trigger", NO_FIELD)
    if action in MAJOR and step(combat) != "group":
        yield from free_major(combatant)
    yield from in_d1(combat, who) if action == "innate" else placed(combat, who, None)
    if action in MAJOR:
        yield from free_major(combatant)
    detail = f"{words(action)} is not open to {combatant.name} in {called(combat, combat.phase)}"
    yield refuse("VD-GRP-08", "wrong-phase", detail, NO_FIELD)


def is_asked(combat: Combat, who: Id) -> bool:
    """Return true if the combatant has a prompt for this slot, even if it is answered already."""
    return any(
        prompt.who == who and prompt.name == "slot-intent" for prompt in combat.prompts.values()
    )
