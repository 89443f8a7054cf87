"""Members of a slot, and whether it is contested (GAP-55)."""

from domain.errors import Illegal, Refused
from domain.record.combat import Combat, Combatant, Id
from domain.rulesets.vile_darkness import routines, spells
from domain.rulesets.vile_darkness.ability_use import its_major, own_action, was_declared
from domain.rulesets.vile_darkness.action_costs import free_major, free_spell
from domain.rulesets.vile_darkness.facts import (
    CARRIED,
    COMMITTED,
    ENDING_ROUND,
    IN_MELEE,
    QUEUED,
    ROUTINES,
    WORK,
    Intent,
)
from domain.rulesets.vile_darkness.numbers import able, sheet
from domain.rulesets.vile_darkness.powers import has_uses
from domain.rulesets.vile_darkness.restricted_quarters import beyond_doubt
from domain.rulesets.vile_darkness.routines import Use
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.sheet import Ability, action_type, counts_as_spell
from domain.rulesets.vile_darkness.slots import (
    END,
    FAST_ACTIONS,
    ORDER,
    completes_now,
    completion,
    kind_of,
    own_rank,
    part,
    place,
    rank_in,
)
from domain.rulesets.vile_darkness.targets import foes


def has_major(combatant: Combatant) -> bool:
    """A major action that is neither used nor committed (VD-MAJ-01)."""
    return next(free_major(combatant), None) is None


@rule("VD-E-06", "A delayed caster counts as LOW and loses no ties by it")
@rule("VD-DELAY-12", "Delayed and spells: LOW, ties not lost")
def of_rank(combat: Combat, slot: str) -> list[Combatant]:
    """Return the able combatants of the slot's rank (VD-E-06, VD-DELAY-12)."""
    ranked = rank_in(slot)
    return [
        combatant
        for combatant in combat
        if able(combatant) and (ranked is None or own_rank(combat, combatant, slot) == ranked)
    ]


@rule("VD-MULTI-03", "Not in melee: no turn in step 4, the first routine in step 5")
def asked_in(combat: Combat, slot: str) -> list[Id]:
    """Return the combatants asked in a slot, in the order of joining."""
    return [
        combatant.id for combatant in of_rank(combat, slot) if _is_asked(combat, combatant, slot)
    ]


def in_slot(combat: Combat, slot: str) -> list[Id]:
    """Return everybody with a prompt, a spell to aim, or a due action there."""
    asked = asked_in(combat, slot)
    return [
        combatant.id
        for combatant in of_rank(combat, slot)
        if combatant.id in asked
        or is_due(combat, combatant, slot)
        or spells.aims_in(combat, combatant, slot)
    ]


def contested(combat: Combat, slot: str) -> bool:
    """Opponents have that rank: all intents are collected first (GAP-55)."""
    return len({combatant.side for combatant in of_rank(combat, slot)}) > 1


# ---- what brings somebody into a slot


def _is_asked(combat: Combat, combatant: Combatant, slot: str) -> bool:
    if ENDING_ROUND.of(combat):
        return False
    match slot.partition("/")[0]:
        case "fast":
            return _in_fast(combatant, part(slot))
        case "multi-primary":
            if combatant.id not in IN_MELEE.of(combat) or not has_major(combatant):
                return False
            plan = routines.multi_attack(sheet(combatant))
            use = _use(combatant, plan[0]) if plan else None
            return use is not None and has_target(combat, combatant, use)
        case "group":
            return not combatant.has("complex-activity") and _in_group(
                combat, combatant, part(slot)
            )
        case "multi-rest":
            return bool(routines_with_target(combat, combatant))
        case "go-last":
            return any(
                ability.timing == "go_last"
                and own_action(ability) == "innate"
                and usable(combatant, ability)
                for ability in sheet(combatant).abilities
            )
        case _:
            return False


def _in_fast(combatant: Combatant, letter: str) -> bool:
    committed = COMMITTED.of(combatant)
    if committed is not None and FAST_ACTIONS.get(committed.action) == letter:
        return True
    if letter != "go-first" or combatant.has("complex-activity"):
        return False
    return any(
        own_action(ability) == "go-first" and usable(combatant, ability, "go-first")
        for ability in sheet(combatant).abilities
    )


def _in_group(combat: Combat, combatant: Combatant, phase: str) -> bool:
    kind = kind_of(combat, phase)
    match kind:
        case "innate":
            return any(
                own_action(ability) == "innate"
                and ability.timing is None
                and usable(combatant, ability)
                for ability in sheet(combatant).abilities
            )
        case "missile" | "melee":
            return has_major(combatant) and bool(routines.uses(combatant, kind))
        case _:
            return True


def usable(combatant: Combatant, ability: Ability, action: str = "innate") -> bool:
    """Declared if it must be, a use left, the spell and the major action unused."""
    reasons: list[Illegal] = [
        *was_declared(combatant, ability, action),
        *has_uses(combatant, ability),
    ]
    if counts_as_spell(ability) is True:
        reasons += free_spell(combatant)
    if action_type(ability) == "major":
        reasons += its_major(combatant, ability)
    return not reasons


def _use(combatant: Combatant, routine: str) -> Use | None:
    try:
        return routines.chosen(combatant, None, routine=routine)
    except Refused:
        return None  # it was taken away since


def routines_with_target(combat: Combat, combatant: Combatant) -> tuple[str, ...]:
    """Return the routines left for step 6, from the first with a legal target."""
    left = ROUTINES.of(combatant)
    while left:
        use = _use(combatant, left[0])
        if use is not None and has_target(combat, combatant, use):
            return left
        left = left[1:]
    return ()


def has_target(combat: Combat, combatant: Combatant, use: Use) -> bool:
    """Whether the routine is legal at some opponent now (GAP-06)."""
    return any(
        next(beyond_doubt(combat, combatant.id, target, use), None) is None
        for target in foes(combat, combatant)
    )


# ---- what is due without a question


def is_due(combat: Combat, combatant: Combatant, slot: str) -> bool:
    """Queued for this slot, carried over, a spell or an activity that is complete."""
    match slot.partition("/")[0]:
        case "group":
            if any(intent.slot == slot for intent in QUEUED.of(combatant)):
                return True
            return kind_of(combat, part(slot)) == "other" and bool(due_now(combat, combatant))
        case "spells":
            casting = completes_now(combatant)
            if casting is None or spells.quick(combatant):
                return False
            return str(completion(combatant, casting)) == part(slot)
        case "go-last":
            work = WORK.of(combatant)
            return work is not None and work.rounds <= 1
        case _:
            return False


def due_now(combat: Combat, combatant: Combatant) -> tuple[Intent, ...]:
    """Return the actions carried over from an earlier round, not from this one (VD-TIME-03)."""
    return tuple(intent for intent in CARRIED.of(combatant) if intent.slot != str(combat.round))


# ---- the next slot


def next_slot(combat: Combat) -> str:
    """Return the next slot with a member. Empty ones are skipped."""
    for slot in ORDER[place(combat.phase) + 1 :]:
        if slot == END or in_slot(combat, slot):
            return slot
    return END
