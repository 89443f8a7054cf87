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


def has_major(one: Combatant) -> bool:
    """A major action that is neither used nor committed (VD-MAJ-01)."""
    return next(free_major(one), None) is None


def of_rank(combat: Combat, slot: str) -> list[Combatant]:
    """Return the able combatants of the slot's rank (VD-E-06, VD-DELAY-12)."""
    ranked = rank_in(slot)
    return [
        one
        for one in combat
        if able(one) and (ranked is None or own_rank(combat, one, slot) == ranked)
    ]


def asked_in(combat: Combat, slot: str) -> list[Id]:
    """Return the combatants asked in a slot, in the order of joining."""
    return [one.id for one in of_rank(combat, slot) if _is_asked(combat, one, slot)]


def in_slot(combat: Combat, slot: str) -> list[Id]:
    """Return everybody with a prompt, a spell to aim, or a due action there."""
    asked = asked_in(combat, slot)
    return [
        one.id
        for one in of_rank(combat, slot)
        if one.id in asked or is_due(combat, one, slot) or spells.aims_in(combat, one, slot)
    ]


def contested(combat: Combat, slot: str) -> bool:
    """Opponents have that rank: all intents are collected first (GAP-55)."""
    return len({one.side for one in of_rank(combat, slot)}) > 1


# ---- what brings somebody into a slot


def _is_asked(combat: Combat, one: Combatant, slot: str) -> bool:
    if ENDING_ROUND.of(combat):
        return False
    match slot.partition("/")[0]:
        case "fast":
            return _in_fast(one, part(slot))
        case "multi-primary":
            if one.id not in IN_MELEE.of(combat) or not has_major(one):
                return False
            plan = routines.multi_attack(sheet(one))
            use = _use(one, plan[0]) if plan else None
            return use is not None and has_target(combat, one, use)
        case "group":
            return not one.has("complex-activity") and _in_group(combat, one, part(slot))
        case "multi-rest":
            return bool(routines_with_target(combat, one))
        case "go-last":
            return any(
                each.timing == "go_last" and own_action(each) == "innate" and usable(one, each)
                for each in sheet(one).abilities
            )
        case _:
            return False


def _in_fast(one: Combatant, letter: str) -> bool:
    committed = COMMITTED.of(one)
    if committed is not None and FAST_ACTIONS.get(committed.action) == letter:
        return True
    if letter != "go-first" or one.has("complex-activity"):
        return False
    return any(
        own_action(each) == "go-first" and usable(one, each, "go-first")
        for each in sheet(one).abilities
    )


def _in_group(combat: Combat, one: Combatant, phase: str) -> bool:
    kind = kind_of(combat, phase)
    match kind:
        case "innate":
            return any(
                own_action(each) == "innate" and each.timing is None and usable(one, each)
                for each in sheet(one).abilities
            )
        case "missile" | "melee":
            return has_major(one) and bool(routines.uses(one, kind))
        case _:
            return True


def usable(one: Combatant, each: Ability, action: str = "innate") -> bool:
    """Declared if it must be, a use left, the spell and the major action unused."""
    reasons: list[Illegal] = [*was_declared(one, each, action), *has_uses(one, each)]
    if counts_as_spell(each) is True:
        reasons += free_spell(one)
    if action_type(each) == "major":
        reasons += its_major(one, each)
    return not reasons


def _use(one: Combatant, routine: str) -> Use | None:
    try:
        return routines.chosen(one, None, routine=routine)
    except Refused:
        return None  # it was taken away since


def routines_with_target(combat: Combat, one: Combatant) -> tuple[str, ...]:
    """Return the routines left for step 6, from the first with a legal target."""
    left = ROUTINES.of(one)
    while left:
        use = _use(one, left[0])
        if use is not None and has_target(combat, one, use):
            return left
        left = left[1:]
    return ()


def has_target(combat: Combat, one: Combatant, use: Use) -> bool:
    """Whether the routine is legal at some opponent now (GAP-06)."""
    return any(
        next(beyond_doubt(combat, one.id, target, use), None) is None
        for target in foes(combat, one)
    )


# ---- what is due without a question


def is_due(combat: Combat, one: Combatant, slot: str) -> bool:
    """Queued for this slot, carried over, a spell or an activity that is complete."""
    match slot.partition("/")[0]:
        case "group":
            if any(intent.slot == slot for intent in QUEUED.of(one)):
                return True
            return kind_of(combat, part(slot)) == "other" and bool(due_now(combat, one))
        case "spells":
            casting = completes_now(one)
            if casting is None or spells.quick(one):
                return False
            return str(completion(one, casting)) == part(slot)
        case "go-last":
            work = WORK.of(one)
            return work is not None and work.rounds <= 1
        case _:
            return False


def due_now(combat: Combat, one: Combatant) -> tuple[Intent, ...]:
    """Return the actions carried over from an earlier round, not from this one (VD-TIME-03)."""
    return tuple(each for each in CARRIED.of(one) if each.slot != str(combat.round))


# ---- the next slot


def next_slot(combat: Combat) -> str:
    """Return the next slot with a member. Empty ones are skipped."""
    for slot in ORDER[place(combat.phase) + 1 :]:
        if slot == END or in_slot(combat, slot):
            return slot
    return END
