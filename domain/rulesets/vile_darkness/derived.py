"""What is derived and shown, never sent (2.1)."""

from collections.abc import Mapping
from typing import Any

from domain.record.combat import Combat, Id
from domain.rulesets.vile_darkness.facts import (
    ADDED,
    BEGUN,
    CASTING,
    COMMITTED,
    FREE_ATTACKS,
    MAINTAINED,
    WORK,
)
from domain.rulesets.vile_darkness.hit_dice import (
    attack_band,
    attack_hd,
    hit_dice,
    morale_bonus,
    overall_hd,
    save_hd,
)
from domain.rulesets.vile_darkness.numbers import effective_ac, engaged_with, sheet
from domain.rulesets.vile_darkness.slots import completion, rank

PUBLIC = ("rank", "begun", "engaged_with", "major_used")
"""What other sides may see too (GAP-56)."""


def derived(combat: Combat, who: Id) -> Mapping[str, Any]:
    """The numbers that the board shows."""
    one = combat[who]
    dice = hit_dice(sheet(one))
    melee = effective_ac(combat, one, "melee")
    missile = effective_ac(combat, one, "missile")
    committed, casting, work = COMMITTED.of(one), CASTING.of(one), WORK.of(one)
    return {
        "attack_hd": attack_hd(dice) if dice else None,
        "attack_band": attack_band(dice) if dice else None,
        "save_hd": save_hd(dice) if dice else None,
        "overall_hd": overall_hd(dice) if dice else None,
        "morale_bonus": morale_bonus(sheet(one)),
        "effective_ac": melee if melee == missile else {"melee": melee, "missile": missile},
        "rank": rank(combat, one),
        "added_segments": ADDED.of(one),
        "engaged_with": list(engaged_with(one)),
        "major_used": "major" in one.budget and one.budget["major"] < 1,
        "major_committed": committed.action if committed else None,
        "spell_used": "spell" in one.budget and one.budget["spell"] < 1,
        "free_attacks_made": [
            {"slot": each.slot, "against": each.against} for each in FREE_ATTACKS.of(one)
        ],
        "concentrating_on": MAINTAINED.of(one) or None,
        "casting": {"ability": casting.ability, "segment": completion(one, casting)}
        if casting
        else None,
        "complex": work.name if work else None,
        "begun": BEGUN.of(one) or None,
    }
