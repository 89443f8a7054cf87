"""Dice that go on while each shows its maximum (FH-CRT-02, FH-FUM-02, FH-ESC)."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from domain.record.combat import Id
from domain.rulebook.effects import Procedure, roll
from domain.rulebook.play import Play

ATTACK = (4, 6)
"""The dice of attacks."""

CHECK = (4, 6, 8, 10, 12, 20)
"""The dice of other d20 rolls (GAP-23)."""


def _word(sides: int, faces: Sequence[int], total: int) -> str:
    return "and on" if total == sides else "no further"


def escalate(
    play: Play, who: Id, chain: Literal["critical", "auto-fail"], dice: tuple[int, ...], rule: str
) -> Procedure[int]:
    """How many dice in a row showed their maximum (FH-CRT-06)."""
    for reached, sides in enumerate(dice):
        rolled = yield from roll(
            who,
            f"{chain}-d{sides}",
            f"1d{sides}",
            rules=(rule,),
            target=sides,
            judge=partial(_word, sides),
        )
        if rolled.total < sides:
            return reached
    return len(dice)
