"""Roll chains of dice that continue after each maximum (FH-CRT-02, FH-FUM-02, FH-ESC)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from domain.record.combat import Id
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.play import Play
from domain.rulesets.free_hit.rules import rule

Chain = Literal["critical", "auto-fail"]

ATTACK: Mapping[Chain, Mapping[int, str]] = {
    "critical": {4: "super-critical", 6: "decisive-victory"},
    "auto-fail": {4: "tragedy", 6: "killed"},
}
"""The dice of each chain of an attack, by number of sides, with the result of a maximum."""

CHECK = {sides: f"tier-{tier}" for tier, sides in enumerate((4, 6, 8, 10, 12, 20), 1)}
"""The dice of a chain of any other d20 roll, with the result of a maximum (GAP-23)."""


def _word(sides: int, word: str, faces: Sequence[int], total: int, target: int) -> str:
    return word if total == sides else "no-further"


@rule(
    "FH-CRT-02",
    "After a natural 20, the attacker rolls a d4, after a 4 a d6, and so on after each maximum",
)
@rule("FH-CRT-06", "A die below its maximum ends the chain")
@rule("FH-FUM-02", "After a natural 1, the attacker rolls a d4, after a 4 a d6, and so on")
def escalate(
    play: Play, who: Id, chain: Chain, dice: Mapping[int, str], rule: str
) -> Procedure[int]:
    """Return the number of dice in a row that showed their maximum.

    Another face ends the chain (FH-CRT-02, FH-CRT-06, FH-FUM-02).
    """
    for reached, (sides, word) in enumerate(dice.items()):
        rolled = yield from roll(
            who,
            f"{chain}-d{sides}",
            f"1d{sides}",
            rules=(rule,),
            target=sides,
            judge=partial(_word, sides, word),
        )
        if rolled.total < sides:
            return reached
    return len(dice)
