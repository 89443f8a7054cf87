"""What the board shows of a combatant: derived numbers, and a word for its wounds."""

from collections.abc import Mapping

from domain.record.combat import Combat, Id, Json
from domain.rulesets.sovereign import arms, board
from domain.rulesets.sovereign.facts import SCREENED, SHIELD_USED
from domain.rulesets.sovereign.numbers import HELPLESS, effective_ac, rate_ft


def derived(combat: Combat, who: Id) -> Mapping[str, Json]:
    """The numbers that the board shows."""
    one = combat[who]
    fell = next((held for held in one.all("mortally-injured")), None)
    return {
        "effective_ac": effective_ac(one),
        "budget": {kind: one.budget.get(kind, 0) for kind in ("main", "move")},
        "armed": arms.armed(combat, who),
        "in_melee": arms.in_melee(combat, who),
        "shield_used": SHIELD_USED.of(one),
        "screened_attackers": list(SCREENED.of(one)),
        "rounds_since_fall": None
        if fell is None
        else combat.round - int(fell.data.get("round", combat.round)),
        "movement_ft": rate_ft(one),
        "in_hand": [weapon.id for weapon in arms.in_hand(one)],
        "space": board.space(one),
    }


def wound_word(combat: Combat, who: Id) -> str:
    """How somebody looks to a foe."""
    one = combat[who]
    for word in HELPLESS:
        if one.has(word):
            return word
    hp = one.tracks["hp"]
    if hp.maximum is None or hp.value >= hp.maximum:
        return "unhurt"
    return "hurt" if hp.value * 2 > hp.maximum else "bloodied"
