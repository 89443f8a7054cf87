"""Rulings of this rulebook (4.2), beside those of every rulebook."""

from collections.abc import Mapping

from domain.rulebook.action import Action
from domain.rulebook.gm import RULINGS
from domain.rulesets.vile_darkness.rulings.bodies import BODIES
from domain.rulesets.vile_darkness.rulings.course import COURSE
from domain.rulesets.vile_darkness.rulings.lines import OF_LINES
from domain.rulesets.vile_darkness.rulings.melee import MELEE

VILE_DARKNESS_RULINGS: Mapping[str, Action] = {
    **RULINGS,
    **{action.id: action for action in (*COURSE, *OF_LINES, *MELEE, *BODIES)},
}
