"""The prompt of a slot: its combatants and its answers (GAP-55)."""

from dataclasses import dataclass, field

from domain.record.combat import Combat, Id
from domain.rulebook.prompts import Option, Prompt
from domain.rulesets.vile_darkness import members, spells
from domain.rulesets.vile_darkness.actions import ACTIONS
from domain.rulesets.vile_darkness.actions.abandon import nothing_more
from domain.rulesets.vile_darkness.actions.abilities import go_first, innate
from domain.rulesets.vile_darkness.actions.activity import complex_activity, delaying, simple
from domain.rulesets.vile_darkness.actions.attack import attack
from domain.rulesets.vile_darkness.actions.called_shot import called_shot, grab_item
from domain.rulesets.vile_darkness.actions.fast_actions import charge, flee, parley
from domain.rulesets.vile_darkness.actions.movement import move, position
from domain.rulesets.vile_darkness.deed import Deed
from domain.rulesets.vile_darkness.facts import ADDED, ENDING_ROUND
from domain.rulesets.vile_darkness.numbers import able, engaged_with
from domain.rulesets.vile_darkness.rules import rule
from domain.rulesets.vile_darkness.slots import GO_LAST, called, kind_of, part, step

DEEDS = {id: action for id, action in ACTIONS.items() if isinstance(action, Deed)}


rule("VD-GRP-06", "D4 everything else: activities on their own, movement", f"{__name__}.OPTIONS_OF")
OPTIONS_OF = {
    "A": (parley, nothing_more),
    "B": (flee, nothing_more),
    "C": (charge, nothing_more),
    "go-first": (go_first, nothing_more),
    "multi-primary": (attack, called_shot, grab_item, nothing_more),
    "innate": (innate, nothing_more),
    "missile": (attack, called_shot, nothing_more),
    "melee": (attack, called_shot, grab_item, nothing_more),
    "other": (move, simple, delaying, complex_activity, position, nothing_more),
    "multi-rest": (attack, nothing_more),
    "spells": (position, nothing_more),
    GO_LAST: (innate, nothing_more),
}
"""The possible answers to the prompt of a slot, by its letter, type or step."""


@dataclass
class Course:
    """The state of a slot: the combatants that passed in it, and its moments so far."""

    slot: str
    passed: set[Id] = field(default_factory=set)
    batches: int = 0


def prompt(combat: Combat, who: Id, slot: str) -> Prompt:
    """Return the prompt for the action in this slot."""
    return Prompt(
        kind="turn",
        name="slot-intent",
        who=who,
        text=f"Now: {called(combat, slot)}. What does {who} do?",
        options=options_of(combat, slot),
        rules=("VD-GRP-01",),
        default="pass",
        data={"slot": slot, "added_segments": ADDED.of(combat[who])},
        stands=lambda now: who in askable(now, slot),
    )


def options_of(combat: Combat, slot: str) -> tuple[Option, ...]:
    """The options of a slot."""
    name = step(combat)
    if name == "group":
        return OPTIONS_OF[kind_of(combat, part(slot))]
    return OPTIONS_OF[part(slot) if name == "fast" else name]


def askable(combat: Combat, slot: str) -> list[Id]:
    if step(combat) == "spells":
        if ENDING_ROUND.of(combat):
            return []
        return [
            combatant.id for combatant in combat if able(combatant) and not engaged_with(combatant)
        ]
    return members.asked_in(combat, slot)


def prompts_of(combat: Combat, course: Course) -> list[Prompt]:
    """Return the prompts of a slot: for actions, and in D1 for the aims of spells."""
    prompts: list[Prompt] = []
    asked_here = members.asked_in(combat, course.slot)
    for combatant in members.of_rank(combat, course.slot):
        if spells.aims_in(combat, combatant, course.slot) and not ENDING_ROUND.of(combat):
            prompts.append(spells.target_prompt(combat, combatant.id))
        if combatant.id in asked_here and combatant.id not in course.passed:
            prompts.append(prompt(combat, combatant.id, course.slot))
    return prompts
