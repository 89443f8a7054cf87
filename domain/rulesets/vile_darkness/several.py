"""Several minor actions of one combatant in one slot: the GM rules on them (VD-MIN-07)."""

from domain.record.combat import Combat, Combatant, Id
from domain.rulebook.effects import Procedure, ask_gm
from domain.rulebook.play import Play
from domain.rulebook.prompts import choices
from domain.rulebook.said import words
from domain.rulesets.vile_darkness.facts import MINORS
from domain.rulesets.vile_darkness.numbers import able

MULTIPLE = choices("none", "delaying", "complex")
MULTIPLE_WITH_MAJOR = choices("none", "delaying")


def several(combat: Combat, one: Combatant, many: int) -> bool:
    """Whether these make two or more minor actions of one combatant in this slot."""
    return many > 0 and many + MINORS.of(one).get(combat.phase, 0) >= 2


def ask_about_several(
    play: Play, who: Id, names: list[str], *, may_be_complex: bool
) -> Procedure[str]:
    """none, delaying or complex: what the GM makes of them."""
    answer = yield from ask_gm(
        "multiple-minors",
        f"{who} does several things in one slot, now {words(', '.join(names))}. Does it delay?",
        MULTIPLE if may_be_complex else MULTIPLE_WITH_MAJOR,
        "none",
        rules=("VD-MIN-07", "VD-SIMP-06"),
        data={"actor": who, "activities": list(names)},
        stands=lambda now: able(now[who]),
    )
    return answer.option
