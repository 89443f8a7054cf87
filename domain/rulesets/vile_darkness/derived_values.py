"""Derived values that are shown and never sent (2.1)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.errors import Refused
from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.input_reader import read
from domain.rulebook.sums import Making, Numbers, Sum
from domain.rulesets.vile_darkness.ability_use import spell_declared
from domain.rulesets.vile_darkness.action_costs import unfinished_major
from domain.rulesets.vile_darkness.actions.attack import Attacking, attack
from domain.rulesets.vile_darkness.facts import (
    ADDED,
    BEGUN,
    CASTING,
    COMMITTED,
    FREE_ATTACKS,
    MAINTAINED,
    PLAN,
    WORK,
)
from domain.rulesets.vile_darkness.hit_dice import (
    HitDice,
    attack_band,
    attack_dice,
    hit_dice,
    morale_bonus,
    overall_dice,
    save_dice,
)
from domain.rulesets.vile_darkness.numbers import ac_terms, engaged_with, sheet
from domain.rulesets.vile_darkness.slots import DECLARE, completion, rank

KINDS: Final = ("all", "melee", "missile")

PUBLIC = ("rank", "begun", "engaged_with", "major_used")
"""The values that other sides may see too (GAP-56)."""


def _of_dice(make: Callable[[HitDice], Sum]) -> Making:
    """A number of its hit dice; None = it has none."""

    def number(combat: Combat, who: Id) -> Sum | None:
        dice = hit_dice(sheet(combat[who]))
        return None if dice is None else make(dice)

    return number


def armour_class(combat: Combat, who: Id) -> Numbers:
    """One number; against melee and missiles too, where they differ (VD-AC-02)."""
    every, melee, missile = (ac_terms(combat, combat[who], kind) for kind in KINDS)
    if every.exact == melee.exact == missile.exact:
        return every
    return {"all": every, "melee": melee, "missile": missile}


def beside_the_major(combat: Combat, combatant: Combatant) -> int:
    """Return the segments of activities committed with the attack to come (VD-MIN-05)."""
    committed = COMMITTED.of(combatant)
    if committed is None or committed.action != attack.id:
        return 0
    try:
        return attack.beside(combat, combatant, read(committed.inputs, Attacking))
    except Refused:
        return 0  # the named thing is no longer there


NUMBERS: Mapping[str, Making] = {
    "attack_hd": _of_dice(attack_dice),
    "save_hd": _of_dice(save_dice),
    "overall_hd": _of_dice(overall_dice),
    "morale_bonus": lambda combat, who: Sum().add(
        "enhancement", morale_bonus(sheet(combat[who])), "VD-EHD-06", why="it has none"
    ),
    "effective_ac": armour_class,
    "added_segments": lambda combat, who: (
        Sum()
        .add("minor actions with a time", ADDED.of(combat[who]), "VD-MIN-05", "state")
        .add("with the major action", beside_the_major(combat, combat[who]), "VD-MIN-05", "state")
    ),
}
"""The numbers that the board shows."""


def declared_major(combat: Combat, combatant: Combatant) -> str | None:
    """Return the major action declared in step 1, before anything has begun (VD-DECL-08)."""
    return PLAN.of(combatant).action if combat.phase == DECLARE else None


def spell_used(combatant: Combatant) -> bool:
    """It counts from declaration on (GAP-38)."""
    spent = "spell" in combatant.budget and combatant.budget["spell"] < 1
    return spent or spell_declared(combatant) is not None


def shown(combat: Combat, who: Id) -> Mapping[str, Any]:
    """Return further data for the board."""
    combatant = combat[who]
    dice = hit_dice(sheet(combatant))
    committed, casting, work = (
        unfinished_major(combatant),
        CASTING.of(combatant),
        WORK.of(combatant),
    )
    return {
        "attack_band": attack_band(dice) if dice else None,
        "rank": rank(combat, combatant),
        "engaged_with": list(engaged_with(combatant)),
        "major_used": "major" in combatant.budget and combatant.budget["major"] < 1,
        "major_committed": committed.action if committed else declared_major(combat, combatant),
        "spell_used": spell_used(combatant),
        "free_attacks_made": [
            {"slot": free_attack.slot, "against": free_attack.against}
            for free_attack in FREE_ATTACKS.of(combatant)
        ],
        "concentrating_on": MAINTAINED.of(combatant) or None,
        "casting": {"ability": casting.ability, "segment": completion(combatant, casting)}
        if casting
        else None,
        "complex": work.name if work else None,
        "begun": BEGUN.of(combatant) or None,
    }
